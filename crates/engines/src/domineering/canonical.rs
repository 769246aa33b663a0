//! Canonical positions: the same game with the fewest cells.

use agon_game::Side;

use super::cell_set::CellSet;

/// A position without irrelevant cells.
///
/// Cells that no domino can use are removed. So are runs of cells that only one side can ever use: their owner will
/// eventually take the best packing, whatever else happens. This is exact, even with passes, as long as the last turn
/// was not a PASS (docs/engines/domineering.md has the proof); after a PASS the opponent can end the game immediately.
///
/// If cells remain, both sides have a place among them; otherwise the game is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical<S = u64> {
    pub empty: S,
    /// The cells that only this side can use, by side.
    pub safe: [S; 2],
}

/// Removes irrelevant cells.
///
/// ```
/// use agon_engines::domineering::canonical;
/// // Row 1: three cells for H alone. Row 3, with row 4 below it: one place for each side. Cell (8,8): for neither.
/// let canonical = canonical(0b111_u64 | 0b11 << 16 | 0b10 << 24 | 1 << 63);
/// assert_eq!(canonical.empty, 0b11 << 16 | 0b10 << 24);
/// assert_eq!(canonical.safe, [0b111, 0]);
/// ```
#[inline]
pub fn canonical<S: CellSet>(empty: S) -> Canonical<S> {
    let [lying, standing] = Side::BOTH.map(|side| empty.places(side).dominoes(side));
    let used = lying | standing;
    // A run is safe if the other side can use none of its cells.
    let lying_safe =
        if lying & !standing == S::EMPTY { S::EMPTY } else { lying & !along_rows(standing & lying, lying) };
    let standing_safe = if standing & !lying == S::EMPTY {
        S::EMPTY
    } else {
        standing & !along_rows((lying & standing).transposed(), standing.transposed()).transposed()
    };
    Canonical { empty: used & !(lying_safe | standing_safe), safe: [lying_safe, standing_safe] }
}

impl<S: CellSet> Canonical<S> {
    /// The cells that only `side` can use, as it sees them.
    #[inline]
    pub fn safe_seen(&self, side: Side) -> S {
        self.safe[side.index()].seen_by(side)
    }
}

/// All cells of `runs` that are reached from `from` along rows without leaving `runs`: a Kogge-Stone fill, as chess
/// programs use for sliding pieces.
#[inline]
fn along_rows<S: CellSet>(from: S, runs: S) -> S {
    let [first, last] = S::EDGES;
    let (mut up, mut down) = (from, from);
    let (mut open_up, mut open_down) = (runs & !first, runs & !last);
    let mut step = 1;
    loop {
        up = up | open_up & (up << step);
        down = down | open_down & (down >> step);
        if 2 * step >= S::SIZE {
            return up | down;
        }
        open_up = open_up & (open_up << step);
        open_down = open_down & (open_down >> step);
        step *= 2;
    }
}
