//! Texts of boards, positions and bonuses: what is refused and why, and that none of them ever causes a panic.

use agon_game::{GameScore, Position, Side};
use agon_rules::domineering::{Bonus, Domineering, Move, WeightedBoard};
use proptest::prelude::*;

#[test]
fn refused_boards_say_why() {
    let check = |text: &str, expected: &str| {
        assert_eq!(
            WeightedBoard::from_rows(text).map_err(|error| error.to_string()),
            Err(expected.to_owned()),
            "`{text}`"
        );
    };
    check("", "a board has 1 to 8 rows, not 0");
    check(" \n\n", "a board has 1 to 8 rows, not 0");
    check(&"1\n".repeat(9), "a board has 1 to 8 rows, not 9");
    check("1 2 3 4 5 6 7 8 9", "a board has 1 to 8 columns, not 9");
    check("\n1 2", "a board has 1 to 8 columns, not 0");
    check("1 2\n3", "expected 2 numbers in row 2, found 1");
    check("1 2\n\n3 4", "expected 2 numbers in row 2, found 0");
    check("1 2\n3 4 5", "expected 2 numbers in row 2, found 3");
    check("1 2\n3 x", "row 2, column 2: `x` is not a whole number from 0 to 99");
    check("1 -2", "row 1, column 2: `-2` is not a whole number from 0 to 99");
    check("1 +2", "row 1, column 2: `+2` is not a whole number from 0 to 99");
    check("1 2.5", "row 1, column 2: `2.5` is not a whole number from 0 to 99");
    check("1,2", "row 1, column 1: `1,2` is not a whole number from 0 to 99");
    check("0 100", "row 1, column 2: weight 100 is too large; the limit is 99");
    check("99999999999999999999", "row 1, column 1: weight 99999999999999999999 is too large; the limit is 99");
    let new = |rows: &[Vec<u8>]| WeightedBoard::new(rows).map_err(|error| error.to_string());
    assert_eq!(new(&[vec![1], vec![100]]), Err("row 2, column 1: weight 100 is too large; the limit is 99".to_owned()));
    assert_eq!(new(&[]), Err("a board has 1 to 8 rows, not 0".to_owned()));
    let drawn =
        |rows, columns, largest| WeightedBoard::drawn(rows, columns, largest, 1).map_err(|error| error.to_string());
    assert_eq!(drawn(usize::MAX, 1, 3), Err(format!("a board has 1 to 8 rows, not {}", usize::MAX)));
    assert_eq!(drawn(1, 0, 3), Err("a board has 1 to 8 columns, not 0".to_owned()));
    assert_eq!(drawn(1, 1, 100), Err("largest weight to draw is 100; the limit is 99".to_owned()));
}

#[test]
fn blanks_around_a_board_do_not_matter() {
    let board = WeightedBoard::from_rows("0 12\n3 4\n");
    for text in ["0 12\n3 4", "0  12 \r\n\t3 4\r\n\r\n", " 0 012\n3 4\n \n"] {
        assert_eq!(WeightedBoard::from_rows(text), board, "{text:?}");
    }
    assert_eq!(board.map(|board| board.to_string()), Ok("0 12\n3 4\n".to_owned()));
}

#[test]
fn refused_positions_say_why() {
    let check = |text: &str, expected: &str| {
        let read = text.parse::<Domineering>().map_err(|error| error.to_string());
        assert_eq!(read, Err(expected.to_owned()), "`{text}`");
    };
    let fields = "a position has 6 fields (weights, cover, side to move, passes, bonus, ply), not";
    check("", &format!("{fields} 0"));
    check("11 .. H 0 2.5", &format!("{fields} 5"));
    check("11 .. H 0 2.5 0 0", &format!("{fields} 7"));
    let weights = "expected digits, and numbers from 10 to 99 in parentheses";
    for row in ["1x", "1(", "(", "()", "(x)", "(1", "1)", "(256)", "é"] {
        check(&format!("{row} .. H 0 2.5 0"), &format!("invalid row of weights: `{row}`; {weights}"));
    }
    check("1(100) .. H 0 2.5 0", "row 1, column 2: weight 100 is too large; the limit is 99");
    check("11/1 ../.. H 0 2.5 0", "expected 2 numbers in row 2, found 1");
    check("111111111 ......... H 0 2.5 0", "a board has 1 to 8 columns, not 9");
    check("11 . H 0 2.5 0", "cover `.` does not have the 1 rows of 2 cells of the weights");
    check("11 ../.. H 0 2.5 0", "cover `../..` does not have the 1 rows of 2 cells of the weights");
    check("11 .O H 0 2.5 0", "invalid character in the cover: `O`; expected one of . < > ^ v #");
    let half = |cover: &str, cell: &str| {
        let weights = cover.split('/').map(|row| "1".repeat(row.len())).collect::<Vec<_>>().join("/");
        check(&format!("{weights} {cover} H 0 2.5 0"), &format!("the domino on {cell} lacks its other half"));
    };
    half("<.", "(1,1)");
    half(".>", "(1,2)");
    half("<<>", "(1,1)");
    half("<>>", "(1,3)");
    half("<v/.^", "(1,1)");
    half("^/>", "(2,1)");
    half("^/^/v", "(1,1)");
    half("^/v/v", "(3,1)");
    half("^/v/^", "(3,1)");
    // From the last column of one row to the first of the next, and out of the last row.
    half("......./......<", "(2,7)");
    half(".......</>.......", "(1,8)");
    half("^......./......../......../......../......../......../......../v.......", "(1,1)");
    half("......../......../......../......../......../......../......../...^....", "(8,4)");
    check("11 .. X 0 2.5 0", "invalid side to move: `X`; expected H or V");
    check("11 .. H 3 2.5 0", "invalid number of passes: `3`; expected 0, 1 or 2");
    check("11 .. H 0 2.4 0", "invalid bonus: `2.4`; expected -9999.5 to 9999.5 in steps of one half");
    check("11 .. H 0 2.5 -1", "invalid ply: `-1`; expected a whole number from 0 to 65535");
    check("11 .. H 0 2.5 65536", "invalid ply: `65536`; expected a whole number from 0 to 65535");
}

#[test]
fn cells_outside_the_board_are_refused() {
    let board = WeightedBoard::drawn(2, 3, 3, 1).expect("a board");
    for (row, column) in [(0, 1), (1, 0), (3, 1), (1, 4), (usize::MAX, 1)] {
        let bare = Domineering::bare(board, Bonus::default(), [(1, 1), (row, column)], Side::First, false);
        let expected = format!("({row},{column}) is outside the board of 2 rows and 3 columns");
        assert_eq!(bare.map_err(|error| error.to_string()), Err(expected));
    }
}

#[test]
fn bonuses_are_read() {
    let check = |text: &str, halves: Option<i32>| {
        assert_eq!(text.parse::<Bonus>().ok().map(|bonus| bonus.score().halves()), halves, "`{text}`");
    };
    check("2.5", Some(5));
    check("0", Some(0));
    check("3.0", Some(6));
    check("-0.5", Some(-1));
    check("-12", Some(-24));
    check("9999.5", Some(19_999));
    check("10000", None);
    check("-10000", None);
    check("99999999999", None);
    for text in ["", "-", ".5", "1.", "1.50", "1.25", "+1", "--1", "1e3", "2,5", " 1", "NaN"] {
        check(text, None);
    }
    let scores = [-19_999, -1, 0, 1, 5, 19_999].map(GameScore::from_halves);
    assert_eq!(scores.map(|score| Bonus::try_from(score).map(Bonus::score)), scores.map(Ok));
    assert!(Bonus::try_from(GameScore::from_halves(20_000)).is_err());
    assert!(Bonus::try_from(GameScore::from_halves(i32::MIN)).is_err());
}

/// Reads a text in every possible way, and continues from the result.
fn read_all(text: &str) {
    let start = Domineering::new(WeightedBoard::from_rows("1 2 3\n0 1 2").expect("a board"), Bonus::default());
    let _ = (start.read_move(text), text.parse::<Bonus>());
    if let Ok(board) = WeightedBoard::from_rows(text) {
        assert_eq!(WeightedBoard::from_rows(&board.to_string()), Ok(board));
    }
    if let Ok(position) = text.parse::<Domineering>() {
        assert_eq!(position.to_string().parse(), Ok(position));
        assert_eq!(position.hash(), position.computed_hash());
        for m in crate::domineering::moves(&position) {
            crate::domineering::after(&position, m);
        }
    }
}

proptest! {
    #[test]
    fn no_text_is_a_panic(text in ".{0,60}") {
        read_all(&text);
    }

    #[test]
    fn no_text_of_the_right_letters_is_a_panic(text in "[0-9 ()<>^v#./HV\n-]{0,60}") {
        read_all(&text);
    }

    #[test]
    fn no_nearly_right_position_is_a_panic(
        text in "[0-9]{3}/[0-9]{3}/[0-9]{2}[0-9(] [.<>^v#]{3}/[.<>^v#]{3}/[.<>^v#]{3} [HV] [0-3] \
                -?[0-9]{1,5}(\\.[05])? [0-9]{1,6}"
    ) {
        read_all(&text);
    }

    #[test]
    fn no_illegal_move_is_a_panic(cells in proptest::collection::vec(0_usize..70, 0..600)) {
        let mut position = crate::domineering::start(5, 8, 1);
        for cell in cells {
            let m = if cell < 64 { Move::at(cell) } else { Move::PASS };
            position.play_unchecked(m, &mut ());
        }
        let _ = (position.to_string(), position.outcome(), position.hash());
    }
}
