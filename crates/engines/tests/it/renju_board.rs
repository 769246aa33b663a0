//! The incremental board against the rules.

use agon_engines::renju::{PatternBoard, Shape, Trait};
use agon_game::Side;
use agon_game::seed::Stream;
use agon_rules::renju as rules;
use agon_rules::renju::{Axis, Point, PointSet, Renju, RuleSet};
use serde_json::Value;

/// The stones under a key of a line of JSON.
fn points(line: &Value, key: &str) -> Vec<Point> {
    let point = |pair: &Value| Point::new(pair[0].as_u64()?, pair[1].as_u64()?);
    line[key].as_array().expect(key).iter().map(|pair| point(pair).expect("a point")).collect()
}

/// Holds all that the board says of forbidden points and wins against the rules.
fn check(board: &mut PatternBoard, context: &str) {
    let stones = board.to_rules();
    let forbidden: PointSet =
        board.empties().iter().filter(|&cell| rules::forbidden(&stones, point(cell)).is_some()).collect();
    assert_eq!(board.forbidden(), forbidden, "{context}");
    for side in Side::BOTH {
        let wins: PointSet = board.empties().iter().filter(|&cell| stones.wins(side, point(cell))).collect();
        assert_eq!(board.having(side, Trait::Five), wins, "{context}");
    }
}

fn point(cell: u8) -> Point {
    Point::from_index(cell.into()).expect("a point of the board")
}

/// Whether two boards answer every question alike.
fn assert_same(found: &PatternBoard, expected: &PatternBoard, context: &str) {
    assert_eq!(found.hash(), expected.hash(), "{context}");
    for side in Side::BOTH {
        assert_eq!(found.stones(side), expected.stones(side), "{context}");
        for a_trait in [
            Trait::Five,
            Trait::Winning,
            Trait::Four,
            Trait::Three,
            Trait::Quiet,
            Trait::Forbidden,
            Trait::MaybeForbidden,
        ] {
            assert_eq!(found.having(side, a_trait), expected.having(side, a_trait), "{a_trait:?} {context}");
        }
        for cell in expected.empties().iter() {
            assert_eq!(found.class(side, cell), expected.class(side, cell), "{cell} {context}");
        }
    }
}

#[test]
fn other_programs_agree_on_all_forbidden_points() {
    let mut lines = 0;
    for text in include_str!("../../../rules/tests/data/renju/forbidden.jsonl").lines() {
        let line: Value = serde_json::from_str(text).expect("a line of JSON");
        let (black, white) = (points(&line, "black"), points(&line, "white"));
        let position = Renju::from_stones(&black, &white, Side::First).expect("a position");
        let mut board = PatternBoard::new(position.board());
        let expected: PointSet = points(&line, "forbidden").into_iter().collect();
        assert_eq!(board.forbidden(), expected, "{text}");
        lines += 1;
    }
    assert_eq!(lines, 2033);
}

/// Dense random stones, so that threes, fours and everything that depends on them are common; placed one by one,
/// examined on the way, and taken back.
#[test]
fn the_rules_agree_on_random_boards() {
    let mut stream = Stream::new(4, "clusters");
    let mut seen = 0;
    for number in 0..400 {
        let side = 5 + stream.below(11);
        let (top, left) = (stream.below(16 - side), stream.below(16 - side));
        let mut cells: Vec<u8> = (0..side * side).map(|n| ((top + n / side) * 15 + left + n % side) as u8).collect();
        for n in (1..cells.len()).rev() {
            cells.swap(n, stream.below(n + 1));
        }
        cells.truncate(2 + stream.below(side * side * 2 / 3));
        let set = if number % 2 == 0 { RuleSet::Alphano } else { RuleSet::ALL[number / 2 % 4] };
        let mut board = PatternBoard::new(&rules::Board::empty(set));
        let mut stages = Vec::new();
        for &cell in &cells {
            stages.push(board.clone());
            let whose = if stream.below(5) < 3 { Side::First } else { Side::Second };
            board.place(cell, whose);
            if stream.below(4) == 0 {
                let context = format!("{number}: {:?}", board.to_rules());
                check(&mut board, &context);
            }
        }
        assert_same(&board, &PatternBoard::new(&board.to_rules()), "placed");
        seen += board.forbidden().len();
        while let Some(stage) = stages.pop() {
            board.take_back();
            assert_same(&board, &stage, "taken back");
        }
    }
    assert!(seen > 300, "the boards are worth looking at: {seen} forbidden points");
}

#[test]
fn shapes_are_read_off_the_lines() {
    let letters = |text: &str| -> Vec<Point> {
        text.split_whitespace().map(|word| Point::from_letters(word).expect(word)).collect()
    };
    let check = |black: &str, white: &str, side: Side, at: &str, direction: Axis, expected: Shape| {
        let position = Renju::from_stones(&letters(black), &letters(white), Side::First).expect("a position");
        let board = PatternBoard::new(position.board());
        let cell = letters(at)[0].index() as u8;
        assert_eq!(board.shape(side, cell, direction), expected, "{black} {white} {at} {direction}");
    };
    let (black, white) = (Side::First, Side::Second);
    check("G8 I8", "", black, "H8", Axis::Row, Shape::Three);
    check("G8 I8", "F8", black, "H8", Axis::Row, Shape::SleepingThree);
    check("A1 B2 D4", "", black, "C3", Axis::Rising, Shape::Four);
    check("", "A15 B14 D12", white, "C13", Axis::Falling, Shape::Four);
    check("", "H1 H2 H3 H5 H6", white, "H4", Axis::Column, Shape::Five);
    check("H1 H2 H3 H5 H6", "", black, "H4", Axis::Column, Shape::Overline);
    check("O1 O2 O3", "", black, "O4", Axis::Column, Shape::Four);
    check("O2 O3 O4", "", black, "O5", Axis::Column, Shape::StraightFour);
}
