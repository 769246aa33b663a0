//! What of a position still matters: the same game with the fewest cells.

use agon_game::Side;
use agon_rules::domineering::cells::{dominoes, places};

use super::side_view::{seen_by, transposed};

/// A position without the cells that decide nothing.
///
/// A cell that no domino can use is left out. So is a run of cells that only one side can ever use: its owner takes the
/// best packing of it, sooner or later, whatever else happens. That is exact, passes and all, as long as the last turn
/// was not a PASS (docs/engines/domineering.md has the proof); after a PASS the opponent can end the game at once.
///
/// When cells are left, both sides have a place among them; when none are left, the game is decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical {
    pub empty: u64,
    /// The cells that only this side can use, by side.
    pub safe: [u64; 2],
}

/// Leaves out what decides nothing.
///
/// ```
/// use agon_engines::domineering::canonical;
/// // Row 1: three cells for H alone. Row 3, with row 4 below it: one place for each side. Cell (8,8): for neither.
/// let canonical = canonical(0b111 | 0b11 << 16 | 0b10 << 24 | 1 << 63);
/// assert_eq!(canonical.empty, 0b11 << 16 | 0b10 << 24);
/// assert_eq!(canonical.safe, [0b111, 0]);
/// ```
#[inline]
pub const fn canonical(empty: u64) -> Canonical {
    let lying = dominoes(places(empty, Side::First), Side::First);
    let standing = dominoes(places(empty, Side::Second), Side::Second);
    let used = lying | standing;
    // A run is safe when no cell of it can be used by the other side.
    let lying_safe = if lying & !standing == 0 { 0 } else { lying & !along_rows(standing & lying, lying) };
    let standing_safe = if standing & !lying == 0 {
        0
    } else {
        standing & !transposed(along_rows(transposed(lying & standing), transposed(standing)))
    };
    Canonical { empty: used & !(lying_safe | standing_safe), safe: [lying_safe, standing_safe] }
}

impl Canonical {
    /// The cells that only `side` can use, as it sees them (see [`super::side_view`]).
    #[inline]
    pub const fn safe_seen(&self, side: Side) -> u64 {
        seen_by(side, self.safe[side.index()])
    }
}

/// All cells of `runs` that are reached from `from` along rows without leaving `runs`: a Kogge-Stone fill, as chess
/// programs use for sliding pieces.
const fn along_rows(from: u64, runs: u64) -> u64 {
    const NOT_FIRST: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (mut up, mut down) = (from, from);
    let (mut open_up, mut open_down) = (runs & NOT_FIRST, runs & NOT_LAST);
    up |= open_up & (up << 1);
    down |= open_down & (down >> 1);
    open_up &= open_up << 1;
    open_down &= open_down >> 1;
    up |= open_up & (up << 2);
    down |= open_down & (down >> 2);
    open_up &= open_up << 2;
    open_down &= open_down >> 2;
    up |= open_up & (up << 4);
    down |= open_down & (down >> 4);
    up | down
}
