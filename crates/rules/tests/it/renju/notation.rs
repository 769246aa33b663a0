//! Positions and moves as text.

use agon_game::laws;
use agon_rules::renju::{Move, Point, Renju};
use proptest::prelude::*;

#[test]
fn positions_read_back() {
    laws::round_trips(&Renju::default(), 6, 3, str::parse::<Renju>);
    laws::round_trips(&Renju::default(), 2, 5, |text| {
        text.parse::<Renju>().and_then(|position| position.diagram().parse())
    });
}

#[test]
fn points_read_back_from_letters() {
    for point in Point::all() {
        assert_eq!(Point::from_letters(&point.letters()), Ok(point));
    }
    for text in ["", "H", "8H", "H0", "H16", "P1", "@1", "H+8", "H 8", "é8", "Hé", "H99999999999999999999999"] {
        let error = Point::from_letters(text).expect_err(text);
        assert_eq!(error.to_string(), format!("`{text}` is not a column from A to O followed by a row from 1 to 15"));
    }
}

#[test]
fn a_diagram_is_fifteen_rows_and_a_line() {
    let position: Renju = "B14/15/15/15/15/15/15/7W7/15/15/15/15/15/15/14B W 1 4".parse().expect("a position");
    let mut rows = vec!["..............."; 15];
    (rows[0], rows[7], rows[14]) = ("B..............", ".......W.......", "..............B");
    assert_eq!(position.diagram(), rows.join("\n") + "\nW 1 4\n");
}

#[test]
fn refused_positions_say_why() {
    let rows = |row: &str| format!("15/{row}/15/15/15/15/15/15/15/15/15/15/15/15/15");
    let check = |text: String, expected: &str| {
        assert_eq!(text.parse::<Renju>().expect_err(&text).to_string(), expected);
    };
    check(String::new(), "expected 15 rows, found 0");
    check("15/15".to_owned(), "expected 15 rows, found 2");
    check(rows("14") + " B", "row 2, `14`, does not have 15 points");
    check(rows("15B") + " B", "row 2, `15B`, does not have 15 points");
    check(rows("99999999999999999999999") + " B", "row 2, `99999999999999999999999`, does not have 15 points");
    check(rows("14x") + " B", "invalid character in row 2: `x`; expected `B`, `W`, `.` or a number of empty points");
    check(rows("15"), "invalid side to move: ``; expected `B` or `W` after the rows");
    check(rows("15") + " X", "invalid side to move: `X`; expected `B` or `W` after the rows");
    check(rows("15") + " B -1", "invalid number of passes or turns: `-1`");
    check(rows("15") + " B 0 x", "invalid number of passes or turns: `x`");
    check(rows("15") + " B 3", "3 passes in a row; two end the game");
    check(rows("14B") + " B 1 1", "1 turns cannot lead here; 2 to 3 can");
    check(rows("14B") + " B 0 1 x", "unexpected text after the number of turns: `x`");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = text.parse::<Renju>();
        let _ = Point::from_letters(&text);
        let _ = Move::from_letters(&text);
    }

    #[test]
    fn what_looks_like_a_position_is_read_or_refused(text in "([BW.0-9]{1,15}[/ ]){14,16}[BW]( [0-9]{1,10}){0,3}") {
        if let Ok(position) = text.parse::<Renju>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
    }
}
