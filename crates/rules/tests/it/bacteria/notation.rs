//! Moves as text, and why they are refused.

use agon_game::{MoveError, Position};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::CELLS;
use agon_rules::bacteria::{Move, board};
use proptest::prelude::*;

use crate::bacteria::dish::{FENS, dish};

/// Why `text` is refused at `fen`.
fn check(fen: &str, text: &str, reason: &str) {
    let error = dish(fen).read_move(text).expect_err(text);
    assert_eq!(error.to_string(), reason, "`{text}` at {fen}");
    assert_eq!(error.text(), text);
}

const START: &str = "x5o/7/7/7/7/7/o5x x 0 1";
const STUCK: &str = "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1";

#[test]
fn refusals_say_what_is_wrong() {
    for (text, reason) in [
        ("", "four whole numbers x1 y1 x2 y2 expected"),
        ("1 1 2", "four whole numbers x1 y1 x2 y2 expected"),
        ("1 1 2 2 2", "four whole numbers x1 y1 x2 y2 expected"),
        ("1,1,2,2", "four whole numbers x1 y1 x2 y2 expected"),
        ("1 1 2 2.0", "four whole numbers x1 y1 x2 y2 expected"),
        ("1 1 2 99999999999999999999", "four whole numbers x1 y1 x2 y2 expected"),
        ("0 9 1 1", "(0,9) is outside the board"),
        ("1 1 0 1", "(0,1) is outside the board"),
        ("7 7 8 8", "(8,8) is outside the board"),
        ("-1 -1 1 1", "(-1,-1) is outside the board"),
        ("-2147483648 2147483647 1 1", "(-2147483648,2147483647) is outside the board"),
        ("4 4 5 5", "d4 (4,4) holds no bacterium of yours: it is empty"),
        ("1 7 2 7", "g7 (1,7) holds no bacterium of yours: it is the opponent's"),
        ("1 1 1 1", "a7 (1,1) cannot move to itself: a division goes 1 far and a leap 2"),
        ("1 1 4 2", "distance 3 is neither a division nor a leap"),
        ("1 1 7 7", "distance 6 is neither a division nor a leap"),
        ("-1 -1 -1 -1", "PASS is legal only when nothing else is: 16 moves are"),
    ] {
        check(START, text, reason);
    }
    check("xx5/o6/7/7/7/7/7 x", "1 1 1 2", "b7 (1,2) is not empty: it is yours");
    check("xx5/o6/7/7/7/7/7 x", "1 1 2 1", "a6 (2,1) is not empty: it is the opponent's");
    check("xoooooo/ooooooo/1oooooo/ooooooo/ooooooo/ooooooo/ooooooo x", "-1 -1 -1 -1", ONE);
    check(STUCK, "7 1 5 1", "a3 (5,1) is not empty: it is the opponent's; the only legal move is PASS, -1 -1 -1 -1");
    check(STUCK, "7 1 4 1", "distance 3 is neither a division nor a leap; the only legal move is PASS, -1 -1 -1 -1");
    check("x6/7/7/7/7/7/7 x 0 1", "1 1 2 2", "the game is over");
    check("x6/7/7/7/7/7/7 x 0 1", "-1 -1 -1 -1", "the game is over");
}

const ONE: &str = "PASS is legal only when nothing else is: 1 move is";

#[test]
fn a_refusal_is_of_the_right_kind() {
    let read = |fen, text| dish(fen).read_move(text);
    let rule = |fen, text| read(fen, text).unwrap_err().rule();
    assert_eq!(rule(START, "one"), Some("format"));
    assert_eq!(rule(START, "1 1 0 1"), Some("outside"));
    assert_eq!([rule(START, "4 4 5 5"), rule(START, "1 7 2 7")], [Some("not-own"); 2]);
    assert_eq!([rule(START, "1 1 1 1"), rule(START, "1 1 4 2")], [Some("distance"); 2]);
    assert_eq!(rule(START, "-1 -1 -1 -1"), Some("needless-pass"));
    assert_eq!(rule("xx5/o6/7/7/7/7/7 x", "1 1 2 1"), Some("taken"));
    assert_eq!(rule(STUCK, "7 1 4 1"), Some("must-pass"));
    assert!(matches!(read(START, "one"), Err(MoveError::Malformed { .. })));
    assert!(matches!(read(START, "1 1 1 1"), Err(MoveError::Illegal { .. })));
    assert!(matches!(read("x6/7/7/7/7/7/7 x", "one"), Err(MoveError::Over { .. })));
}

#[test]
fn every_source_of_a_division_is_accepted_as_given() {
    let position = dish("xxx4/7/7/7/7/7/6o x");
    for from in [0, 1, 2] {
        let m = Move::new(from, 8);
        assert_eq!(position.read_move(&m.to_string()), Ok(m));
    }
}

#[test]
fn a_move_is_written_by_row_and_column() {
    assert_eq!(Move::new(0, CELLS - 1).to_string(), "1 1 7 7");
    assert_eq!(Move::new(6, 12).to_string(), "1 7 2 6");
    assert_eq!(board::distance(6, 12), 1);
    assert_eq!(format!("{:>12}", Move::PASS), " -1 -1 -1 -1");
}

#[test]
fn blanks_around_the_numbers_do_not_matter() {
    assert_eq!(Bacteria::start().read_move(" 1  1\t2 2 "), Ok(Move::new(0, 8)));
    assert_eq!(dish(STUCK).read_move("-1 -1  -1 -1"), Ok(Move::PASS));
}

proptest! {
    /// Any input is either refused or a playable move.
    #[test]
    fn no_text_is_too_strange(
        text in "(\\PC{0,30}|[-+0-9 ]{0,30}|(-?[0-9]{1,11} ){3}-?[0-9]{1,11})",
        fen in 0..FENS.len(),
    ) {
        let position = dish(FENS[fen]);
        match position.read_move(&text) {
            Ok(m) => {
                let mut all = Vec::new();
                position.all_sources(&mut all);
                prop_assert!(all.contains(&m));
            }
            Err(error) => prop_assert_eq!(error.text(), text),
        }
    }
}
