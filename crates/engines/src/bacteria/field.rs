//! Bacteria War as the search sees it: what is certain, keys, and the numbers of moves.

use agon_game::{Outcome, Position};
use agon_rules::bacteria::board::{bit, dilate, neighbours, ring, size};
use agon_rules::bacteria::{Bacteria, Move, PLY_LIMIT};
use agon_search::pvs::{Game, Settled};

use super::picker::Picker;

/// Bacteria War, for [`agon_search::pvs`].
#[derive(Clone, Copy, Debug)]
pub struct Field;

/// From this ply on a position's value may depend on how many are left: wins further from the end are found within
/// [`agon_search::pvs::LONGEST`] plies.
const COUNTED: u32 = PLY_LIMIT as u32 - agon_search::pvs::LONGEST as u32 - 8;

/// With fewer empty cells than this, having to move can be worse than not moving.
const TIGHT: u32 = 10;

/// The cells within two steps: where divisions and leaps go.
#[inline]
pub(super) const fn reach(cells: u64) -> u64 {
    dilate(dilate(cells))
}

/// Whether a side with these cells cannot move at all.
#[inline]
const fn is_jailed(cells: u64, empty: u64) -> bool {
    reach(cells) & empty == 0
}

/// The division of the side to move to a cell, from whichever neighbour, if there is one.
#[inline]
fn division(position: &Bacteria, to: usize) -> Option<Move> {
    let sources = neighbours(to) & position.cells(position.turn());
    (sources != 0 && position.empty() & bit(to) != 0).then(|| Move::new(sources.trailing_zeros() as usize, to))
}

/// A division of the side to move, if the other side is jailed: it needs no search, and each brings the end nearer.
pub(super) fn filling(position: &Bacteria) -> Option<Move> {
    let (side, empty) = (position.turn(), position.empty());
    let free = dilate(position.cells(side)) & empty;
    if free == 0 || !is_jailed(position.cells(side.other()), empty) {
        return None;
    }
    division(position, free.trailing_zeros() as usize)
}

impl Game for Field {
    type Position = Bacteria;
    type Picker = Picker;

    /// Besides games that are over: a side that cannot move at all is *jailed*, and stays so while the other fills the
    /// empty cells by divisions, one with every other ply. No such division infects anything, and no region of empty
    /// cells is out of reach, as its neighbours can only be the filler's. If that is enough for more cells than the
    /// jailed side has, the game is decided, and the number of plies known.
    #[inline]
    fn settled(position: &Bacteria) -> Option<Settled> {
        if let Some(outcome) = position.outcome() {
            return Some(match outcome {
                Outcome::Draw => Settled::Draw,
                Outcome::Win(side) if side == position.turn() => Settled::Win(0),
                Outcome::Win(_) => Settled::Loss(0),
            });
        }
        let side = position.turn();
        let (own, opp, empty) = (position.cells(side), position.cells(side.other()), position.empty());
        let left = u32::from(PLY_LIMIT) - position.ply();
        if is_jailed(opp, empty) {
            // The side to move fills at once, and the last cell ends the game.
            let filled = size(empty).min(left.div_ceil(2));
            let plies = (2 * size(empty) - 1).min(left);
            return (size(own) + filled > size(opp)).then_some(Settled::Win(plies));
        }
        if is_jailed(own, empty) {
            let filled = size(empty).min(left / 2);
            let plies = (2 * size(empty)).min(left);
            return (size(opp) + filled > size(own)).then_some(Settled::Loss(plies));
        }
        None
    }

    #[inline]
    fn key(position: &Bacteria) -> u64 {
        let ply = position.ply();
        if ply < COUNTED {
            position.hash()
        } else {
            position.hash() ^ u64::from(ply).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        }
    }

    /// Divisions to one cell are one move, whatever their source.
    #[inline]
    fn pack(m: Move) -> u16 {
        let from = if m.is_leap() { m.from() } else { m.to() };
        (from << 6 | m.to()) as u16 + 1
    }

    #[inline]
    fn unpack(position: &Bacteria, word: u16) -> Option<Move> {
        let word = usize::from(word.checked_sub(1).filter(|&word| word < 1 << 12)?);
        let (from, to) = (word >> 6, word & 63);
        let own = position.cells(position.turn());
        if from != to {
            let legal = own & bit(from) & ring(to) != 0 && position.empty() & bit(to) != 0;
            return legal.then(|| Move::new(from, to));
        }
        if to == Move::PASS.to() {
            return is_jailed(own, position.empty()).then_some(Move::PASS);
        }
        division(position, to)
    }

    #[inline]
    fn number(m: Move) -> usize {
        usize::from(Self::pack(m) - 1)
    }

    /// Where a move goes to, and whether it is a leap.
    #[inline]
    fn outline(m: Move) -> usize {
        m.to() & 63 | usize::from(m.is_leap()) << 6
    }

    #[inline]
    fn skipped(position: &Bacteria) -> Option<Bacteria> {
        let own = position.cells(position.turn());
        let safe = size(position.empty()) >= TIGHT && dilate(own) & position.empty() != 0;
        safe.then(|| {
            let mut next = position.clone();
            // Illegal, but it does what is wanted: nothing but the change of turns.
            next.play(Move::PASS, &mut ());
            next
        })
    }
}
