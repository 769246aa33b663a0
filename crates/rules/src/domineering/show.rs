//! The board as something to draw.

use agon_game::{Cell, Gauge, GridStyle, Show, Side, View};

use super::Domineering;
use super::cells::{STEP, cell, dominoes};

/// Empty cells show their weight, covered ones who covers them: H, V, or # where that is not known.
pub(super) fn view(position: &Domineering) -> View {
    let board = position.board();
    let cells = (0..board.rows())
        .flat_map(|row| (0..board.columns()).map(move |column| cell(row, column)))
        .map(|cell| shown(position, cell))
        .collect();
    View {
        seats: Domineering::SEATS,
        rows: board.rows(),
        columns: board.columns(),
        grid: GridStyle::Squares,
        cells,
        gauges: vec![Gauge { name: "points", amounts: position.scores() }],
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
