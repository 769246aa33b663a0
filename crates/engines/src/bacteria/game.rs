//! Bacteria War as principal variation search sees it: known results, table keys, null moves.

use agon_game::hash::{MIX_FACTORS, fibonacci};
use agon_game::{Outcome, Position};
use agon_rules::bacteria::board::{WIDTH, dilate, size};
use agon_rules::bacteria::{Bacteria, Move, PLY_LIMIT};

use super::moves::{self, division, is_enclosed};
use super::picker::BacteriaPicker;
use super::search::{HistoryKey, KnownResult, MAX_PLY, PARTS, SearchGame};
use crate::timed::TableSize;

#[derive(Clone, Copy, Debug)]
pub struct BacteriaGame;

/// From this ply on a position's value may depend on how many are left: wins further from the end are found within
/// [`MAX_PLY`] plies.
const COUNTED: u32 = PLY_LIMIT as u32 - MAX_PLY as u32 - 8;

/// With fewer empty cells than this, having to move can be worse than not moving.
const TIGHT: u32 = 10;

/// The corners of the board, 4 × 4 cells each: they overlap in the middle row and column.
const CORNERS: [u64; PARTS] = {
    let corner = 0xf * (1 | 1 << WIDTH | 1 << (2 * WIDTH) | 1 << (3 * WIDTH));
    [corner, corner << 3, corner << (3 * WIDTH), corner << (3 * WIDTH + 3)]
};

/// Returns a division of the side to move if the other side cannot move at all: it needs no search, and each brings the
/// end nearer.
fn filling(position: &Bacteria) -> Option<Move> {
    let (side, empty) = (position.turn(), position.empty());
    let free = dilate(position.cells(side)) & empty;
    if free == 0 || !is_enclosed(position.cells(side.other()), empty) {
        return None;
    }
    division(position, free.trailing_zeros() as usize)
}

impl SearchGame for BacteriaGame {
    type Position = Bacteria;
    type Picker = BacteriaPicker;

    /// A move takes some hundredths of the game's clock, whose nodes such a table still holds.
    const TABLES: TableSize = TableSize { max: 128 << 20, min: 1 << 20, per_second: 2 << 20, exact: true };

    /// Besides games that are over: a side that cannot move at all is *enclosed*, and stays so while the other fills
    /// the empty cells by divisions, one with every other ply. No such division infects anything, and no region of
    /// empty cells is out of reach, as its neighbours can only be the filler's. If that is enough for more cells than
    /// the enclosed side has, the game is decided, and the number of plies known.
    #[inline]
    fn known_result(position: &Bacteria) -> Option<KnownResult> {
        if let Some(outcome) = position.outcome() {
            return Some(match outcome {
                Outcome::Draw => KnownResult::Draw,
                Outcome::Win(side) if side == position.turn() => KnownResult::Win(0),
                Outcome::Win(_) => KnownResult::Loss(0),
            });
        }
        let side = position.turn();
        let (own, opp, empty) = (position.cells(side), position.cells(side.other()), position.empty());
        let left = u32::from(PLY_LIMIT) - position.ply();
        if is_enclosed(opp, empty) {
            // The side to move fills first, and the last cell ends the game.
            let filled = size(empty).min(left.div_ceil(2));
            let plies = (2 * size(empty) - 1).min(left);
            return (size(own) + filled > size(opp)).then_some(KnownResult::Win(plies));
        }
        if is_enclosed(own, empty) {
            let filled = size(empty).min(left / 2);
            let plies = (2 * size(empty)).min(left);
            return (size(opp) + filled > size(own)).then_some(KnownResult::Loss(plies));
        }
        None
    }

    #[inline]
    fn key(position: &Bacteria) -> u64 {
        let ply = position.ply();
        if ply < COUNTED { position.hash() } else { position.hash() ^ fibonacci(ply.into()) }
    }

    #[inline]
    fn pack(m: Move) -> u16 {
        moves::pack(m)
    }

    #[inline]
    fn unpack(position: &Bacteria, word: u16) -> Option<Move> {
        moves::unpack(position, word)
    }

    #[inline]
    fn history_key(m: Move) -> HistoryKey {
        moves::history_key(m)
    }

    #[inline]
    fn part_keys(position: &Bacteria) -> [u32; PARTS] {
        let side = position.turn();
        let (own, opponent) = (position.cells(side), position.cells(side.other()));
        CORNERS.map(|corner| {
            let mixed = (own & corner).wrapping_mul(MIX_FACTORS[0]) ^ (opponent & corner).wrapping_mul(MIX_FACTORS[1]);
            (mixed >> 32) as u32
        })
    }

    /// Average number of remaining moves in games of 5 000 nodes per move.
    fn moves_to_go(position: &Bacteria) -> f64 {
        let left = u32::from(PLY_LIMIT).saturating_sub(position.ply());
        let empty = f64::from(size(position.empty()));
        (6.0 + empty).min(f64::from(left.div_ceil(2))).max(1.0)
    }

    /// A division, where only filling is left: a search without time would leap to and fro to the end of the game.
    fn instant_move(position: &Bacteria) -> Option<Move> {
        filling(position)
    }

    #[inline]
    fn null_move(position: &Bacteria) -> Option<Bacteria> {
        let own = position.cells(position.turn());
        let safe = size(position.empty()) >= TIGHT && dilate(own) & position.empty() != 0;
        safe.then(|| {
            let mut next = position.clone();
            // Illegal, but it has the desired effect of only changing turns.
            next.play_unchecked(Move::PASS, &mut ());
            next
        })
    }
}
