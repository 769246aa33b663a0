//! Hash keys: a random word for each side on each cell, combined by exclusive or (Zobrist, "A new hashing method with
//! application for game playing", 1970).

use agon_game::Side;
use agon_game::hash::split_mix;

use super::board::{Cells, SLOTS};

/// The word of each side on each cell; both of a cell lie side by side, as an infection needs both.
static KEYS: [[u64; 2]; SLOTS] = keys();

/// Present when the second side is to move.
pub(super) const TURN: u64 = split_mix(0, 2 * SLOTS as u64);

/// The key of `side` on `cell`.
#[inline]
pub(super) fn key(side: Side, cell: usize) -> u64 {
    KEYS[cell % SLOTS][side.index()]
}

/// What an infection of `cell`, in either direction, changes.
#[inline]
pub(super) fn flip(cell: usize) -> u64 {
    let [first, second] = KEYS[cell % SLOTS];
    first ^ second
}

/// The key of a whole position, computed cell by cell.
pub(super) fn whole(cells: [u64; 2], turn: Side) -> u64 {
    let side = |side: Side| Cells(cells[side.index()]).fold(0, |hash, cell| hash ^ key(side, cell));
    let mover = if turn == Side::Second { TURN } else { 0 };
    side(Side::First) ^ side(Side::Second) ^ mover
}

const fn keys() -> [[u64; 2]; SLOTS] {
    let mut keys = [[0; 2]; SLOTS];
    let mut cell = 0;
    while cell < SLOTS {
        keys[cell] = [split_mix(0, 2 * cell as u64), split_mix(0, 2 * cell as u64 + 1)];
        cell += 1;
    }
    keys
}
