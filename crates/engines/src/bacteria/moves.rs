//! Moves as the search stores them: packed into 16 bits, and as indices of its history.

use agon_game::Position;
use agon_rules::bacteria::board::{bit, dilate, neighbours, ring};
use agon_rules::bacteria::{Bacteria, Move};

use super::search::HistoryKey;

/// The cells within two steps: where divisions and leaps go.
#[inline]
pub(super) const fn reach(cells: u64) -> u64 {
    dilate(dilate(cells))
}

/// Returns true if a side with these cells cannot move.
#[inline]
pub(super) const fn is_enclosed(cells: u64, empty: u64) -> bool {
    reach(cells) & empty == 0
}

/// The division of the side to move to a cell, from whichever neighbour, if there is one.
#[inline]
pub(super) fn division(position: &Bacteria, to: usize) -> Option<Move> {
    let sources = neighbours(to) & position.cells(position.turn());
    (sources != 0 && position.empty() & bit(to) != 0).then(|| Move::new(sources.trailing_zeros() as usize, to))
}

/// Packs a move into 16 bits, never 0. All divisions to the same cell are one move, whatever their source.
#[inline]
pub(super) fn pack(m: Move) -> u16 {
    let from = if m.is_leap() { m.from() } else { m.to() };
    (from << 6 | m.to()) as u16 + 1
}

/// The packed move, if it is legal here.
#[inline]
pub(super) fn unpack(position: &Bacteria, word: u16) -> Option<Move> {
    let word = usize::from(word.checked_sub(1).filter(|&word| word < 1 << 12)?);
    let (from, to) = (word >> 6, word & 63);
    let own = position.cells(position.turn());
    if from != to {
        let legal = own & bit(from) & ring(to) != 0 && position.empty() & bit(to) != 0;
        return legal.then(|| Move::new(from, to));
    }
    if to == Move::PASS.to() {
        return is_enclosed(own, position.empty()).then_some(Move::PASS);
    }
    division(position, to)
}

/// Main history: the packed move. Continuation history: where it goes to, and whether it is a leap.
#[inline]
pub(super) fn history_key(m: Move) -> HistoryKey {
    HistoryKey { main: pack(m) - 1, continuation: (m.to() & 63 | usize::from(m.is_leap()) << 6) as u16 }
}
