//! The position.

use agon_game::{Cell, GameScore, Gauge, GridStyle, MoveError, Observer, Outcome, Position, Show, Side, View};

use super::board::{BOARD, CELLS, Cells, WIDTH, bit, dilate, neighbours, ring, size};
use super::{Move, notation, perft, zobrist};

/// The game ends when this many plies have been played: 200 of each side, passes included.
pub const PLY_LIMIT: u16 = 400;

/// A position of Bacteria War.
///
/// The first side moves on even plies, so the number of plies tells whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bacteria {
    cells: [u64; 2],
    hash: u64,
    ply: u16,
}

impl Bacteria {
    /// The start of the game: the first side on (1,1) and (7,7), the second on (1,7) and (7,1).
    pub fn start() -> Self {
        let corner = |row: usize, column: usize| bit((row - 1) * WIDTH + column - 1);
        Self::hashed([corner(1, 1) | corner(7, 7), corner(1, 7) | corner(7, 1)], 0)
    }

    /// The position with these sets of cells of the first and the second side, after `ply` plies; the second side is
    /// to move if that is odd. `None` if a cell belongs to both or is outside the [board](super::board), or if `ply` is
    /// above [`PLY_LIMIT`].
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

    /// As [`Self::from_cells`], unchecked.
    pub(super) fn hashed(cells: [u64; 2], ply: u16) -> Self {
        let mut position = Self { cells, hash: 0, ply };
        position.hash = position.computed_hash();
        position
    }

    /// The cells of one side, as a set over the [board](super::board).
    #[inline]
    pub const fn cells(&self, side: Side) -> u64 {
        self.cells[side.index()]
    }

    /// The empty cells.
    #[inline]
    pub const fn empty(&self) -> u64 {
        BOARD & !(self.cells[0] | self.cells[1])
    }

    /// The cells of the side to move.
    #[inline]
    pub(super) fn own(&self) -> u64 {
        self.cells(self.turn())
    }

    /// Where the side to move can divide to.
    #[inline]
    pub(super) fn divisions(&self) -> u64 {
        dilate(self.own()) & self.empty()
    }

    /// Where the side to move can divide or leap to.
    #[inline]
    pub(super) fn within_two(&self) -> u64 {
        dilate(dilate(self.own())) & self.empty()
    }

    /// Whether the game has ended.
    #[inline]
    pub(super) const fn is_over(&self) -> bool {
        self.cells[0] == 0 || self.cells[1] == 0 || self.empty() == 0 || self.ply >= PLY_LIMIT
    }

    /// The number of cells of the first and the second side.
    fn counts(&self) -> [i32; 2] {
        self.cells.map(|cells| size(cells) as i32)
    }
}

/// The start of the game.
impl Default for Bacteria {
    fn default() -> Self {
        Self::start()
    }
}

impl Position for Bacteria {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn ply(&self) -> u32 {
        u32::from(self.ply)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| {
            let [first, second] = self.counts();
            Outcome::by_score(first, second)
        })
    }

    /// Divisions in the order of their destinations, each once and from the lowest-numbered of its sources; then leaps
    /// in the order of their sources and destinations.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let own = self.own();
        self.list(moves, |to| {
            let sources = neighbours(to) & own;
            Cells(sources & sources.wrapping_neg())
        });
    }

    #[inline]
    fn play(&mut self, m: Move, observer: &mut impl Observer) {
        let mover = self.turn();
        let opponent = mover.other();
        self.ply = self.ply.wrapping_add(1);
        self.hash ^= zobrist::TURN;
        if m.is_pass() {
            return;
        }
        let (from, to) = (m.from(), m.to());
        let mut own = self.cells(mover);
        if bit(to) & ring(from) != 0 {
            own &= !bit(from);
            self.hash ^= zobrist::key(mover, from);
            observer.change(from, Some(mover), None);
        }
        self.hash ^= zobrist::key(mover, to);
        observer.change(to, None, Some(mover));
        let infected = neighbours(to) & self.cells(opponent);
        for cell in Cells(infected) {
            self.hash ^= zobrist::flip(cell);
            observer.change(cell, Some(opponent), Some(mover));
        }
        self.cells[mover.index()] = own | bit(to) | infected;
        self.cells[opponent.index()] ^= infected;
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::read(self, text)
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash
    }

    fn computed_hash(&self) -> u64 {
        zobrist::whole(self.cells, self.turn())
    }

    fn count_moves(&self) -> u64 {
        self.perft(1)
    }

    fn perft(&self, depth: u32) -> u64 {
        // No line ends beyond the limit, and no shorter one ever meets it: asking here spares asking at every node.
        if depth > 0 && self.ply().saturating_add(depth) > u32::from(PLY_LIMIT) {
            return 0;
        }
        perft::lines(self.own(), self.cells(self.turn().other()), depth)
    }
}

impl Show for Bacteria {
    const SEATS: [&'static str; 2] = ["O", "X"];

    fn score(&self) -> Option<[GameScore; 2]> {
        Some(self.counts().map(GameScore::from))
    }

    fn end_reason(&self) -> Option<String> {
        let reason = match self.counts() {
            [0, 0] => "both kinds have vanished",
            [0, _] => "O has vanished",
            [_, 0] => "X has vanished",
            _ if self.empty() == 0 => "no empty cell is left",
            _ if self.ply >= PLY_LIMIT => "both sides have acted 200 times",
            _ => return None,
        };
        Some(reason.to_owned())
    }

    fn view(&self) -> View {
        let cells = (0..CELLS).map(|cell| {
            let owner = Side::BOTH.into_iter().find(|&side| self.cells(side) & bit(cell) != 0);
            let glyph = match owner {
                Some(Side::First) => 'O',
                Some(Side::Second) => 'X',
                None => '.',
            };
            Cell { owner, glyph, ..Cell::default() }
        });
        View {
            seats: Self::SEATS,
            rows: WIDTH,
            columns: WIDTH,
            grid: GridStyle::Squares,
            cells: cells.collect(),
            gauges: vec![Gauge { name: "cells", amounts: self.counts().map(GameScore::from) }],
        }
    }
}
