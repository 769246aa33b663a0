//! What a referee, a record and a reader see of a position.

use agon_game::{Cell, GameScore, Gauge, GridStyle, Show, Side, View};

use super::cells::{STEP, cell, dominoes};
use super::{Domineering, Move};

/// A PASS as people write it. For dominoes the players of domineering have no common notation: theirs is the judge's.
const PASS: &str = "PASS";

impl Show for Domineering {
    const SEATS: [&'static str; 2] = ["H", "V"];

    fn preamble(&self) -> String {
        self.board().to_string()
    }

    fn score(&self) -> Option<[GameScore; 2]> {
        Some(self.scores())
    }

    const WRITTEN: &'static str = "the row and the column of a domino's upper or left cell, `3 4`, or PASS";

    fn letters(m: Move) -> String {
        if m == Move::PASS { PASS.to_owned() } else { m.to_string() }
    }

    fn read_letters(&self, text: &str) -> Option<Move> {
        text.eq_ignore_ascii_case(PASS).then_some(Move::PASS)
    }

    fn end_reason(&self) -> Option<String> {
        if self.is_passed_out() {
            Some("both players passed one after the other".to_owned())
        } else {
            self.is_full().then(|| "neither side has a place left for a domino".to_owned())
        }
    }

    /// Empty cells show their weight, covered ones who covers them: H, V, or # where that is not known.
    fn view(&self) -> View {
        let board = self.board();
        let cells = (0..board.rows())
            .flat_map(|row| (0..board.columns()).map(move |column| cell(row, column)))
            .map(|cell| shown(self, cell))
            .collect();
        View {
            seats: Self::SEATS,
            rows: board.rows(),
            columns: board.columns(),
            origin: 1,
            first_letter: None,
            grid: GridStyle::Squares,
            cells,
            gauges: vec![Gauge { name: "points", amounts: self.scores() }],
        }
    }
}

fn shown(position: &Domineering, cell: usize) -> Cell {
    let weight = position.board().weights()[cell];
    let bit = 1 << cell;
    let owner = Side::BOTH.into_iter().find(|&side| dominoes(position.anchors(side), side) & bit != 0);
    let glyph = match owner {
        Some(Side::First) => 'H',
        Some(Side::Second) => 'V',
        None if position.empty() & bit == 0 => '#',
        // One character a cell: a weight of two digits shows only that it is one.
        None => char::from_digit(u32::from(weight), 10).unwrap_or('+'),
    };
    let joins = owner.map(|side| {
        let way = if position.anchors(side) & bit == 0 { -1 } else { 1 };
        if STEP[side.index()] == 1 { (0, way) } else { (way, 0) }
    });
    Cell { owner, glyph, weight: Some(weight), joins, mark: None }
}
