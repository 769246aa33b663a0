//! Positions as text.

use agon_game::{Position, Show as _, Side};
use agon_rules::bacteria::{Bacteria, PLY_LIMIT};
use proptest::prelude::*;

/// The meaning of `text`: the FEN it is then written as, or why it is refused.
fn check(text: &str, expected: Result<&str, &str>) {
    let found = text.parse::<Bacteria>().map(|position| position.to_string()).map_err(|error| error.to_string());
    assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "`{text}`");
}

#[test]
fn positions_are_read_and_written() {
    let start = "x5o/7/7/7/7/7/o5x x 0 1";
    assert_eq!(Bacteria::start().to_string(), start);
    assert_eq!(Bacteria::default(), Bacteria::start());
    for (text, written) in [
        (start, start),
        ("x5o/7/7/7/7/7/o5x x", start),
        ("  x5o/7/7/7/7/7/o5x \t x  17 1\n", "x5o/7/7/7/7/7/o5x x 17 1"),
        ("x5o/7/7/7/7/7/o5x x 17", "x5o/7/7/7/7/7/o5x x 17 1"),
        ("X5O/7/7/7/7/7/w5B X 0 1", start),
        ("b5w/7/7/7/7/7/W5x b", start),
        ("x5o/7/7/7/7/7/o5x w 3 7", "x5o/7/7/7/7/7/o5x o 3 7"),
        ("x5o/7/7/7/7/7/o5x O 3 7", "x5o/7/7/7/7/7/o5x o 3 7"),
        ("x32o/7/1111111/25/52/7/o5x x 0 1", start),
        ("7/7/7/7/7/7/7 o", "7/7/7/7/7/7/7 o 0 1"),
        ("x5o/7/7/7/7/7/o5x x 0 201", "x5o/7/7/7/7/7/o5x x 0 201"),
        ("x5o/7/7/7/7/7/o5x o 0 200", "x5o/7/7/7/7/7/o5x o 0 200"),
    ] {
        check(text, Ok(written));
    }
}

#[test]
fn the_full_move_and_the_side_to_move_say_the_ply() {
    for (text, ply) in [("x 0 1", 0), ("o 0 1", 1), ("x 0 2", 2), ("o 0 200", PLY_LIMIT - 1), ("x 0 201", PLY_LIMIT)] {
        let position: Bacteria = format!("x5o/7/7/7/7/7/o5x {text}").parse().unwrap();
        assert_eq!(position.ply(), u32::from(ply), "{text}");
    }
}

/// The way libataxx, python-ataxx and the crate `ataxx` count: a division resets the count, a leap and a PASS continue
/// it.
#[test]
fn the_half_move_clock_counts_plies_since_a_division() {
    let mut position: Bacteria = "x5o/7/7/7/7/7/o5x x 4 1".parse().unwrap();
    for (text, clock) in [("a7c5", 5), ("a1c3", 6), ("f1", 0), ("g7e5", 1)] {
        let m = position.read_any(text).unwrap();
        position.play_unchecked(m, &mut ());
        assert_eq!(position.half_moves(), clock, "{text}");
    }
    assert!(position.to_string().ends_with(" x 1 3"), "{position}");
    let mut stuck: Bacteria = "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 7 1".parse().unwrap();
    stuck.play_unchecked(stuck.read_any("0000").unwrap(), &mut ());
    assert_eq!(stuck.half_moves(), 8);
    assert_eq!(stuck, stuck.clone().with_half_moves(0), "no rule asks for it");
}

#[test]
fn x_is_the_first_side() {
    let position: Bacteria = "xx5/7/7/7/7/7/6o x".parse().unwrap();
    assert_eq!(position.cells(Side::First), 0b11);
    assert_eq!(position.cells(Side::Second), 1 << 48);
}

#[test]
fn refusals_say_what_is_wrong() {
    for (text, reason) in [
        ("", "expected 7 rows, found 1: ``"),
        ("startpos", "expected 7 rows, found 1: `startpos`"),
        ("7/7/7/7/7/7 x 0 1", "expected 7 rows, found 6: `7/7/7/7/7/7`"),
        ("7/7/7/7/7/7/7/7 x 0 1", "expected 7 rows, found 8: `7/7/7/7/7/7/7/7`"),
        ("7/7/7/7/7/7/ x 0 1", "expected 7 cells in row 7, found 0: ``"),
        ("7/6/7/7/7/7/7 x 0 1", "expected 7 cells in row 2, found 6: `6`"),
        ("7/7/xxxxxxxo/7/7/7/7 x 0 1", "expected 7 cells in row 3, found 8: `xxxxxxxo`"),
        ("7/7/7/7/7/7/7xxxxxxxxxxxxxxxxxxxxx x 0 1", "expected 7 cells in row 7, found 28: `7xxxxxxxxxxxxxxxxxxxxx`"),
        ("x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1", "row 3, `2-1-2`, has a blocked cell, `-`, which this game does not have"),
        ("8/7/7/7/7/7/7 x 0 1", "invalid character in row 1: `8`; expected `x`, `o`, `b`, `w` or a digit from 1 to 7"),
        ("7/7/07/7/7/7/7 x 0 1", "invalid character in row 3: `0`; expected `x`, `o`, `b`, `w` or a digit from 1 to 7"),
        ("7/7/7/Z6/7/7/7 x 0 1", "invalid character in row 4: `Z`; expected `x`, `o`, `b`, `w` or a digit from 1 to 7"),
        ("7/7/7/7/7/7/é6 x 0 1", "invalid character in row 7: `é`; expected `x`, `o`, `b`, `w` or a digit from 1 to 7"),
        ("7/7/7/7/7/7/7", "invalid side to move: ``; expected `x` or `o`"),
        ("7/7/7/7/7/7/7 white 0 1", "invalid side to move: `white`; expected `x` or `o`"),
        ("7/7/7/7/7/7/7 x -1 1", "invalid half-move clock: `-1`"),
        ("7/7/7/7/7/7/7 x 0 0", "invalid full-move number: `0`; expected 1 to 201"),
        ("7/7/7/7/7/7/7 x 0 202", "invalid full-move number: `202`; expected 1 to 201"),
        ("7/7/7/7/7/7/7 o 0 201", "invalid full-move number: `201`; expected 1 to 200"),
        ("7/7/7/7/7/7/7 x 0 99999999999", "invalid full-move number: `99999999999`; expected 1 to 201"),
        ("7/7/7/7/7/7/7 x 0 one", "invalid full-move number: `one`; expected 1 to 201"),
        ("7/7/7/7/7/7/7 x 0 1 moves", "unexpected text after the full-move number: `moves`"),
    ] {
        check(text, Err(reason));
    }
}

proptest! {
    /// Any accepted position is written as one that reads the same.
    #[test]
    fn no_text_is_too_strange(
        text in "(\\PC{0,60}|[xo1-9/ -]{0,60}|([xo]{7}/){6}[xo1-7]{1,7} [xo]( [0-9]{1,3} [0-9]{1,3})?)",
    ) {
        if let Ok(position) = text.parse::<Bacteria>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
    }
}
