//! The position: both sides' cells, the ply and the hash.

use agon_game::hash::split_mix;
use agon_game::{Position as _, Side};

use super::board::{BOARD, Cells, SLOTS, WIDTH, bit, dilate, neighbours, ring, size};
use super::moves::Move;

/// Number of plies after which the game ends: 200 of each side, passes included.
pub const PLY_LIMIT: u16 = 400;

/// A position of Bacteria War.
///
/// The first side moves on even plies, so the number of plies determines the turn. Positions that differ only in their
/// [half-move clock](Self::half_moves) are equal.
#[derive(Clone, Debug)]
pub struct Bacteria {
    pub(super) cells: [u64; 2],
    pub(super) hash: u64,
    pub(super) ply: u16,
    pub(super) clock: u16,
}

/// The half-move clock is ignored: the rules do not use it.
impl PartialEq for Bacteria {
    fn eq(&self, other: &Self) -> bool {
        (self.cells, self.ply) == (other.cells, other.ply)
    }
}

impl Eq for Bacteria {}

impl Bacteria {
    /// Creates the start of the game: the first side on (1,1) and (7,7), the second on (1,7) and (7,1).
    pub fn start() -> Self {
        let corner = |row: usize, column: usize| bit((row - 1) * WIDTH + column - 1);
        Self::hashed([corner(1, 1) | corner(7, 7), corner(1, 7) | corner(7, 1)], 0)
    }

    /// Creates the position with these sets of cells of the first and the second side, after `ply` plies; the second
    /// side is to move if that is odd. Returns `None` if a cell belongs to both or is outside the
    /// [board](super::board), or if `ply` is above [`PLY_LIMIT`].
    ///
    /// ```
    /// use agon_rules::bacteria::Bacteria;
    /// let dish = Bacteria::from_cells([0b1, 0b10], 3).unwrap();
    /// assert_eq!(dish.to_string(), "xo5/7/7/7/7/7/7 o 0 2");
    /// assert_eq!(Bacteria::from_cells([0b1, 0b1], 0), None);
    /// ```
    pub fn from_cells(cells: [u64; 2], ply: u16) -> Option<Self> {
        let [first, second] = cells;
        (first & second == 0 && (first | second) & !BOARD == 0 && ply <= PLY_LIMIT).then(|| Self::hashed(cells, ply))
    }

    /// Like [`Self::from_cells`], unchecked.
    pub(super) fn hashed(cells: [u64; 2], ply: u16) -> Self {
        let mut position = Self { cells, hash: 0, ply, clock: 0 };
        position.hash = position.computed_hash();
        position
    }

    /// Returns the half-move clock: plies since the last division. Other Ataxx programs draw a game by it; here no rule
    /// needs it, and only the FEN has it.
    pub const fn half_moves(&self) -> u16 {
        self.clock
    }

    /// Sets the half-move clock.
    #[must_use]
    pub fn with_half_moves(self, clock: u16) -> Self {
        Self { clock, ..self }
    }

    /// Returns the cells of one side, as a set over the [board](super::board).
    #[inline]
    pub const fn cells(&self, side: Side) -> u64 {
        self.cells[side.index()]
    }

    /// Returns the empty cells.
    #[inline]
    pub const fn empty(&self) -> u64 {
        BOARD & !(self.cells[0] | self.cells[1])
    }

    /// Returns the cells of the side to move.
    #[inline]
    pub(super) fn own(&self) -> u64 {
        self.cells(self.turn())
    }

    /// Returns the cells that the side to move can divide into.
    #[inline]
    pub(super) fn divisions(&self) -> u64 {
        dilate(self.own()) & self.empty()
    }

    /// Returns the cells that the side to move can divide or leap into.
    #[inline]
    pub(super) fn within_two(&self) -> u64 {
        dilate(dilate(self.own())) & self.empty()
    }

    /// Returns true if the game has ended.
    #[inline]
    pub(super) const fn is_over(&self) -> bool {
        self.cells[0] == 0 || self.cells[1] == 0 || self.empty() == 0 || self.ply >= PLY_LIMIT
    }

    /// Returns the number of cells of the first and the second side.
    pub(super) fn counts(&self) -> [i32; 2] {
        self.cells.map(|cells| size(cells) as i32)
    }

    /// Appends every move that [`read_move`](agon_game::Position::read_move) accepts: like
    /// [`legal_moves`](agon_game::Position::legal_moves), but with each division once for each of its sources.
    ///
    /// ```
    /// use agon_game::Position;
    /// use agon_rules::bacteria::Bacteria;
    /// let dish: Bacteria = "xx5/7/7/7/7/7/6o x".parse()?;
    /// let (mut moves, mut all) = (Vec::new(), Vec::new());
    /// dish.legal_moves(&mut moves);
    /// dish.all_sources(&mut all);
    /// assert_eq!((moves.len(), all.len()), (4 + 11, 6 + 11));
    /// # Ok::<(), agon_rules::bacteria::FenError>(())
    /// ```
    pub fn all_sources(&self, moves: &mut Vec<Move>) {
        let own = self.own();
        self.list(moves, |to| Cells(neighbours(to) & own));
    }

    /// Appends the divisions by destination, from the sources that `sources` names for each; then the leaps by source
    /// and destination; or PASS if the side has neither; or nothing if the game is over.
    #[inline]
    pub(super) fn list(&self, moves: &mut Vec<Move>, sources: impl Fn(usize) -> Cells) {
        if self.is_over() {
            return;
        }
        let own = self.own();
        for to in Cells(self.divisions()) {
            moves.extend(sources(to).map(|from| Move::new(from, to)));
        }
        let empty = self.empty();
        // By source, not by destination: the loops over a ring are then longer, with fewer mispredicted exits.
        for from in Cells(own) {
            moves.extend(Cells(ring(from) & empty).map(|to| Move::new(from, to)));
        }
        if self.within_two() == 0 {
            moves.push(Move::PASS);
        }
    }
}

/// The start of the game.
impl Default for Bacteria {
    fn default() -> Self {
        Self::start()
    }
}

/// A random word for each side on each cell, combined by exclusive or (Zobrist, "A new hashing method with application
/// for game playing", 1970). Both words of a cell are adjacent, since an infection needs both.
static KEYS: [[u64; 2]; SLOTS] = keys();

/// Part of the hash if the second side is to move.
pub(super) const TURN_KEY: u64 = split_mix(0, 2 * SLOTS as u64);

/// Returns the hash key of `side` on `cell`.
#[inline]
pub(super) fn cell_key(side: Side, cell: usize) -> u64 {
    KEYS[cell % SLOTS][side.index()]
}

/// Returns the change of the hash by an infection of `cell`, in either direction.
#[inline]
pub(super) fn infection_key(cell: usize) -> u64 {
    let [first, second] = KEYS[cell % SLOTS];
    first ^ second
}

/// Computes the hash of a position, cell by cell.
pub(super) fn computed_hash(cells: [u64; 2], turn: Side) -> u64 {
    let side = |side: Side| Cells(cells[side.index()]).fold(0, |hash, cell| hash ^ cell_key(side, cell));
    let mover = if turn == Side::Second { TURN_KEY } else { 0 };
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
