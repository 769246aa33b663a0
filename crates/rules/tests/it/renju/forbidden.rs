//! Black's forbidden points.

use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::renju::forbidden::forbidden_points;
use agon_rules::renju::{Board, Forbidden, Point, Renju, forbidden};
use serde_json::Value;

use crate::renju::naive::{At, Naive};

/// The stones under a key of a line of JSON.
pub fn points(line: &Value, key: &str) -> Vec<Point> {
    let point = |pair: &Value| Point::new(pair[0].as_u64()?, pair[1].as_u64()?);
    line[key].as_array().expect(key).iter().map(|pair| point(pair).expect("a point")).collect()
}

#[test]
fn other_programs_agree_on_all_forbidden_points() {
    let mut lines = 0;
    for text in include_str!("../../data/renju/forbidden.jsonl").lines() {
        let line: Value = serde_json::from_str(text).expect("a line of JSON");
        let (black, white) = (points(&line, "black"), points(&line, "white"));
        let position = Renju::from_stones(&black, &white, Side::First).expect("a position");
        let found: Vec<Point> = position.forbidden_points().iter().collect();
        assert_eq!(found, points(&line, "forbidden"), "{text}");
        lines += 1;
    }
    assert_eq!(lines, 2033);
}

/// Compares every empty point of a board with the literal definitions, and returns how many of them are forbidden for a
/// double three and how many are saved from one by article 9.3.
fn check(black: &[At], white: &[At]) -> (usize, usize) {
    let naive = Naive::new(black, white);
    let mut board = Board::EMPTY;
    for (side, stones) in [(Side::First, black), (Side::Second, white)] {
        for &(row, column) in stones {
            board.place(Point::new(row + 1, column + 1).expect("a point"), side);
        }
    }
    // All points at once agree with each one alone.
    let all = forbidden_points(&board);
    let (mut threes, mut free) = (0, 0);
    assert!(all.iter().all(|point| board.owner(point).is_none()), "no point that is taken is forbidden");
    for at in naive.all_empties() {
        let point = Point::new(at.0 + 1, at.1 + 1).expect("a point");
        let expected = naive.forbidden(at);
        let found = forbidden(&board, point);
        assert_eq!(all.contains(point), found.is_some(), "{point} with black {black:?} and white {white:?}");
        let reason = found.map(|found| match found {
            Forbidden::Overline(_) => "overline",
            Forbidden::DoubleFour(_) => "double four",
            Forbidden::DoubleThree(_) => "double three",
        });
        assert_eq!(reason, expected, "{point} with black {black:?} and white {white:?}");
        let lines = found.map_or(1, |found| found.lines().len());
        assert!(lines >= 1, "{point} is forbidden on some line");
        threes += usize::from(reason == Some("double three"));
        free += usize::from(reason.is_none());
    }
    (threes, free)
}

/// Dense little clusters of mostly black stones, where threes, fours and all that hangs on them are common.
#[test]
fn the_definitions_agree_on_random_clusters() {
    let mut stream = Stream::new(4, "clusters");
    let mut double_threes = 0;
    for _ in 0..600 {
        let side = 5 + stream.below(7);
        let (top, left) = (stream.below(16 - side), stream.below(16 - side));
        let (blacks, whites) = (5 + stream.below(side * 2), stream.below(side));
        let mut cells: Vec<At> =
            (0..side * side).map(|n| ((top + n / side) as i32, (left + n % side) as i32)).collect();
        for n in (1..cells.len()).rev() {
            cells.swap(n, stream.below(n + 1));
        }
        let (black, rest) = cells.split_at(blacks);
        double_threes += check(black, &rest[..whites]).0;
    }
    assert!(double_threes > 500, "the clusters are worth looking at: {double_threes} double threes");
}

/// Random games in which Black avoids only occupied points, so that boards of every fullness occur.
#[test]
fn the_definitions_agree_on_full_boards() {
    let mut stream = Stream::new(9, "boards");
    for stones in (20..220).step_by(10) {
        let mut cells: Vec<At> = (0..225).map(|n| (n / 15, n % 15)).collect();
        for n in (1..cells.len()).rev() {
            cells.swap(n, stream.below(n + 1));
        }
        check(&cells[..stones / 2], &cells[stones / 2..stones]);
    }
}

/// Positions of other programs in which article 9.3 decides, turned into clusters by removing one stone at a time.
#[test]
fn the_definitions_agree_around_the_exception() {
    let recursive = include_str!("../../data/renju/forbidden.jsonl").lines().filter(|line| line.contains("recursive"));
    for (number, text) in recursive.enumerate() {
        let line: Value = serde_json::from_str(text).expect("a line of JSON");
        let at = |key| -> Vec<At> {
            points(&line, key).iter().map(|point| (i32::from(point.row()) - 1, i32::from(point.column()) - 1)).collect()
        };
        let (mut black, white) = (at("black"), at("white"));
        black.remove(number % black.len());
        check(&black, &white);
    }
}

/// Points in the players' notation.
pub fn letters(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|word| Point::from_letters(word).expect(word)).collect()
}

#[test]
fn a_refused_point_names_its_reason_and_lines() {
    let check = |black: &str, white: &str, expected: &str| {
        let position = Renju::from_stones(&letters(black), &letters(white), Side::First).expect("a position");
        let error = position.read_move("8 8").expect_err(black);
        assert_eq!(error.to_string(), format!("H8 (8,8) is forbidden: {expected}"), "black {black}, white {white}");
    };
    check("F8 G8 H9 H10", "", "double three on the row and the column");
    check("G7 F6 I7 J6", "", "double three on the falling diagonal and the rising diagonal");
    check("F8 G8 H9 H10 I9 J10", "", "double three on the row, the column and the rising diagonal");
    check("F8 G8 I8 H9 H10 H6", "E8 H11", "double four on the row and the column");
    check("E8 G8 I8 K8", "", "double four on the row");
    check("E8 F8 I8 K8 L8", "", "double four on the row");
    check("D8 E8 F8 G8 I8", "", "overline on the row");
    check("D8 E8 F8 G8 I8 H9 H10 H7 H6 H5", "", "overline on the row and the column");
}

/// Black's stone on H8 makes a three on the column and one on the row, which only E8 can raise to a straight four. More
/// stones make E8 forbidden to Black, or no straight four's point at all.
#[test]
fn a_three_that_cannot_be_raised_does_not_count() {
    let check = |more: &str, white: &str, expected: Option<&str>| {
        let black = letters(&format!("F8 G8 H9 H10 {more}"));
        let position = Renju::from_stones(&black, &letters(&format!("J8 {white}")), Side::First).expect("a position");
        let found = position.forbidden(Point::CENTRE).map(|forbidden| forbidden.to_string());
        assert_eq!(found.as_deref(), expected, "with {more}");
    };
    let forbidden = Some("double three on the row and the column");
    check("", "", forbidden);
    check("E6 E7 E9 E10 E11", "", None); // An overline,
    check("E9 E10 E11", "", None); // a double four,
    check("E7 E9 E10 E11", "", None); // a five.
    check("E9 E10", "", forbidden); // One three there does no harm;
    check("E9 E10 D9 C10", "", None); // a double three does,
    check("E9 E10 D9 C10", "F7", forbidden); // unless one of its threes has no room.
}

#[test]
fn a_five_beats_what_is_forbidden() {
    let check = |black: &str| {
        let position = Renju::from_stones(&letters(black), &[], Side::First).expect("a position");
        assert_eq!(position.forbidden(Point::CENTRE), None, "{black}");
        assert!(position.wins().contains(Point::CENTRE), "{black}");
    };
    check("D8 E8 F8 G8");
    check("D8 E8 F8 G8 H9 H10 H11 H12 H7"); // An overline,
    check("D8 E8 F8 G8 H9 H10 H11 I9 J10 K11"); // a double four,
    check("D8 E8 F8 G8 H9 H10 I9 J10"); // a double three.
}
