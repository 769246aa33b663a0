//! Why points are forbidden or allowed, and the names of openings.

use std::collections::BTreeSet;

use agon_game::Side;
use agon_rules::renju::{Axis, Board, Explanation, Forbidden, Opening, Point, forbidden};
use serde_json::Value;

use crate::renju::forbidden::{letters, points};

fn board(black: &[Point], white: &[Point]) -> Board {
    let mut board = Board::EMPTY;
    for (side, stones) in [(Side::First, black), (Side::Second, white)] {
        for &point in stones {
            board.place(point, side);
        }
    }
    board
}

/// Holds what an explanation has collected against the verdict of the rules.
fn check(board: &Board, why: &Explanation) {
    let found = why.forbidden;
    assert_eq!(found, forbidden(board, why.point), "{}", why.point);
    let axes = |axes: &mut dyn Iterator<Item = Axis>| axes.collect();
    let counted = |why: &Explanation| why.threes.iter().filter(|three| three.raise().is_some()).count();
    if why.is_five() {
        assert_eq!(found, None);
    } else if !why.rows.is_empty() {
        assert_eq!(found, Some(Forbidden::Overline(axes(&mut why.rows.iter().map(|row| row.axis)))));
    } else if why.fours.len() >= 2 {
        assert_eq!(found, Some(Forbidden::DoubleFour(axes(&mut why.fours.iter().map(|four| four.axis)))));
    } else if counted(why) >= 2 {
        let counting = why.threes.iter().filter(|three| three.raise().is_some());
        assert_eq!(found, Some(Forbidden::DoubleThree(axes(&mut counting.map(|three| three.axis)))));
    } else {
        assert_eq!(found, None, "{}", why.point);
    }
    for four in &why.fours {
        assert_eq!((four.stones.len(), four.stones.contains(&why.point)), (4, true));
        assert!(matches!(four.fives.len(), 1 | 2));
    }
    let mut after = board.clone();
    after.place(why.point, Side::First);
    for three in &why.threes {
        assert_eq!((three.stones.len(), three.stones.contains(&why.point)), (3, true), "{three:?}");
        assert!(three.stones.iter().all(|&stone| after.owner(stone) == Some(Side::First)));
        for raise in &three.raises {
            check(&after, raise);
        }
    }
}

#[test]
fn explanations_agree_with_the_rules_and_with_other_programs() {
    let mut depths = BTreeSet::new();
    for text in include_str!("../../data/renju/forbidden.jsonl").lines() {
        let line: Value = serde_json::from_str(text).expect("a line of JSON");
        let board = board(&points(&line, "black"), &points(&line, "white"));
        let mut found = Vec::new();
        for point in Point::all().filter(|&point| board.owner(point).is_none()) {
            let why = Explanation::new(&board, point);
            check(&board, &why);
            if why.forbidden.is_some() {
                found.push(point);
            }
            if why.is_remarkable() {
                let steps = why.steps();
                assert!(steps.len() < 200, "{} steps", steps.len());
                depths.extend(steps.iter().map(|step| step.placed.len()));
            }
        }
        assert_eq!(found, points(&line, "forbidden"), "{text}");
    }
    assert!(depths.contains(&4), "the exception is looked at to any depth: {depths:?}");
}

#[test]
fn article_9_3_is_played_out_step_by_step() {
    let check = |black: &str, white: &str, expected: &[&str]| {
        let why = Explanation::new(&board(&letters(black), &letters(white)), Point::CENTRE);
        let steps: Vec<String> = why.steps().into_iter().map(|step| step.text.to_string()).collect();
        assert_eq!(steps, expected, "black {black}, white {white}");
    };
    check("D8 E8 F8 G8 I8", "", &["H8 makes an overline on the row: 6 stones", "H8 is forbidden: overline"]);
    check(
        "F8 G8 I8 H9 H10 H6",
        "E8 H11",
        &[
            "four on the row: F8 G8 H8 I8 (five at J8)",
            "four on the column: H10 H9 H8 H6 (five at H7)",
            "H8 is forbidden: double four",
        ],
    );
    // E8 alone makes the straight four on the row, and is forbidden to Black: its column has four stones besides.
    check(
        "F8 G8 H9 H10 E7 E6 E9 E10 E11",
        "J8",
        &[
            "three on the row: F8 G8 H8",
            "E8 makes the straight four, but is forbidden: overline",
            "E8 makes an overline on the column: 6 stones",
            "the three does not count: Black cannot make a straight four of it",
            "three on the column: H10 H9 H8",
            "the three counts: Black may make the straight four at H11",
            "H8 is allowed: no two threes count (article 9.3)",
        ],
    );
    check(
        "F8 G8 H9 H10 E7 E6 E9 E10",
        "J8",
        &[
            "three on the row: F8 G8 H8",
            "E8 makes the straight four, but a five as well",
            "E8 makes a five on the column, which is always allowed",
            "the three does not count: Black cannot make a straight four of it",
            "three on the column: H10 H9 H8",
            "the three counts: Black may make the straight four at H11",
            "H8 is allowed: no two threes count (article 9.3)",
        ],
    );
}

/// Every opening is found again however it is turned, and every legal third stone is one of the 26.
#[test]
fn openings_are_named_by_their_shape() {
    let turned = |point: Point, turn: u8| {
        let (row, column) = (point.row(), point.column());
        let (row, column) = if turn & 1 == 0 { (row, column) } else { (row, 16 - column) };
        let (row, column) = if turn & 2 == 0 { (row, column) } else { (16 - row, column) };
        let (row, column) = if turn & 4 == 0 { (row, column) } else { (column, row) };
        Point::new(row, column).unwrap()
    };
    for opening in Opening::ALL {
        for turn in 0..8 {
            assert_eq!(Opening::of(opening.stones().map(|point| turned(point, turn))), Some(opening));
        }
    }
    let mut found = BTreeSet::new();
    let near = |most: u8| Point::all().filter(move |point| point.distance_from_centre() <= most);
    for second in near(1).filter(|&point| point != Point::CENTRE) {
        for third in near(2).filter(|&point| point != Point::CENTRE && point != second) {
            found.insert(Opening::of([Point::CENTRE, second, third]).expect("an opening").code());
        }
    }
    assert_eq!(found.len(), 26);
    let named = |text: &str| Opening::of(letters(text).try_into().unwrap()).map(|opening| opening.to_string());
    assert_eq!(named("H8 I9 I7").as_deref(), Some("Hogetsu"));
    assert_eq!(named("H8 H7 H6").as_deref(), Some("Kansei"));
    assert_eq!(named("H8 G9 J6").as_deref(), Some("Suisei"));
    assert_eq!(named("H8 J8 I9"), None);
    assert_eq!(named("H9 H8 I9"), None);
}
