//! Positions set up from stones.

use agon_game::{GridStyle, Mark, Outcome, Position, Show, Side};
use agon_rules::renju::{Board, Renju, StonesError};

use crate::renju::forbidden::letters;

#[test]
fn stones_that_are_no_position_are_refused() {
    let check = |black: &str, white: &str, expected: &str| {
        let error = Renju::from_stones(&letters(black), &letters(white), Side::First).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    };
    check("H8 H8", "", "two stones on (8,8)");
    check("H8", "G7 H8", "two stones on (8,8)");
    check("A1 A2 A3 A4 A5", "B1 B2 B3 B4 B5 B6", "both sides have a winning row");
    let board = Board::EMPTY;
    assert_eq!(Renju::new(board.clone(), Side::First, 3, 3), Err(StonesError::Passes { passes: 3 }));
    assert_eq!(Renju::new(board, Side::First, 1, 2), Err(StonesError::Ply { ply: 2, least: 1, most: 1 }));
}

#[test]
fn a_winning_row_has_won() {
    let check = |black: &str, white: &str, expected: Option<Side>| {
        let position = Renju::from_stones(&letters(black), &letters(white), Side::First).expect("a position");
        assert_eq!(position.outcome().and_then(Outcome::winner), expected, "black {black}, white {white}");
        assert_eq!(position.wins().is_empty(), expected.is_some() || black.is_empty(), "{position}");
    };
    check("A1 A2 A3 A4 A5", "", Some(Side::First));
    check("O1 N2 M3 L4 K5", "", Some(Side::First));
    check("", "O1 N2 M3 L4 K5 J6", Some(Side::Second));
    check("", "A15 B14 C13 D12 E11 F10", Some(Side::Second));
    check("A1 A2 A3 A4 A6 A7 A8 A9 A10 A11 C1 D1 E1 F1", "", None);
}

#[test]
fn the_view_marks_the_row_that_has_won() {
    let row = letters("O1 N2 M3 L4 K5 J6");
    let view = Renju::from_stones(&letters("A1 A2 A3 A4"), &row, Side::First).expect("a position").view();
    let marked = view.cells.iter().enumerate().filter(|(_, cell)| cell.mark == Some(Mark::Won)).map(|(at, _)| at);
    let mut expected: Vec<usize> = row.iter().map(|point| point.index()).collect();
    expected.sort_unstable();
    assert_eq!(marked.collect::<Vec<_>>(), expected);
}

#[test]
fn the_view_marks_stars_and_forbidden_points() {
    let black = letters("F8 G8 H9 H10 D4");
    for (turn, mark) in [(Side::First, Mark::Forbidden), (Side::Second, Mark::Star)] {
        let view = Renju::from_stones(&black, &[], turn).expect("a position").view();
        assert_eq!((view.rows, view.columns, view.grid), (15, 15, GridStyle::Crossings));
        let marks: Vec<_> = view.cells.iter().enumerate().filter_map(|(cell, what)| Some((cell, what.mark?))).collect();
        // (4,4), (4,12), (8,8) and (12,12); (12,4) is taken.
        assert_eq!(marks, [(48, Mark::Star), (56, Mark::Star), (112, mark), (176, Mark::Star)]);
        assert_eq!(view.cells.iter().map(|cell| cell.glyph).filter(|&glyph| glyph == 'B').count(), 5);
    }
}
