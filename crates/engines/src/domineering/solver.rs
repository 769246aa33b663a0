//! A search for the positions of a game.

use agon_game::{Position, Side};
use agon_rules::domineering::{Domineering, Move, WeightedBoard};
use agon_search::{Stop, Stopped};

use super::search::{BoundedMove, NullWindowResult, Root, Search};

pub struct Solver {
    board: WeightedBoard,
    pub(super) search: Search<u64>,
}

impl Solver {
    /// A solver for the positions of this board. Its transposition tables take at most this many bytes, those of its
    /// bounds up to 30 MB more; it takes some 30 ms to compute them.
    pub fn new(board: &WeightedBoard, table_bytes: usize) -> Self {
        Self { board: *board, search: Search::new(board.cells(), board.weights(), table_bytes) }
    }

    /// Ends every later question when this flag is raised.
    pub fn stop_by(&mut self, stop: Stop) {
        self.search.stop = stop;
    }

    pub const fn board(&self) -> &WeightedBoard {
        &self.board
    }

    /// The nodes visited since the last question began.
    pub const fn nodes(&self) -> u64 {
        self.search.meter.nodes()
    }

    /// Returns the bounds of the future lead of `side` if it is to move on these empty cells and the last turn was not
    /// a PASS, without a search.
    ///
    /// ```
    /// use agon_engines::domineering::Solver;
    /// use agon_game::Side;
    /// use agon_rules::domineering::{WeightedBoard, Bonus, Domineering};
    /// use agon_search::SearchLimits;
    /// let board = WeightedBoard::drawn(4, 4, 3, 1)?;
    /// let mut solver = Solver::new(&board, 1 << 16);
    /// let (low, high) = solver.bounds(board.cells(), Side::First);
    /// let value = solver.value(&Domineering::new(board, Bonus::default()), SearchLimits::default())?;
    /// assert!(low <= value && value <= high);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(&self, empty: u64, side: Side) -> (i32, i32) {
        self.search.bounds(empty, side)
    }

    /// Iterates over the dominoes that a side can place on these empty cells, with their bounds by the strips.
    pub(super) fn moves(&self, empty: u64, side: Side) -> impl Iterator<Item = BoundedMove> {
        self.search.moves(empty, side)
    }

    /// The dominoes that the side to move can place, and the static evaluation of each after the best answer, in
    /// quarters of a point.
    pub(super) fn replies(&self, position: &Domineering) -> Vec<(Move, i32)> {
        let side = position.turn();
        let seen = |child: BoundedMove| {
            let answers = self.moves(child.known.empty, side.other());
            let best = answers.map(|answer| answer.estimate()).max();
            (Move::at(child.anchor), best.map_or(child.estimate(), |best| 4 * child.gain - best))
        };
        self.moves(position.empty(), side).map(seen).collect()
    }

    /// The dominoes that the side to move can place, the most promising first.
    pub(super) fn candidates(&self, position: &Domineering) -> Vec<Move> {
        let mut moves: Vec<BoundedMove> = self.moves(position.empty(), position.turn()).collect();
        moves.sort_by_key(|child| -child.estimate());
        moves.into_iter().map(|child| Move::at(child.anchor)).collect()
    }

    /// The most that a domino can be worth, as far as it is known without a search.
    pub(super) fn most(&self, position: &Domineering, m: Move) -> Option<i32> {
        Some(self.search.seen(root(position), m.anchor()?).high())
    }

    /// Searches whether a legal move is worth at least `points`: the future lead of its side, including the pay of the
    /// move. Looks `depth` plies beyond the move.
    pub(super) fn move_reaches(
        &mut self,
        position: &Domineering,
        m: Move,
        points: i32,
        depth: u32,
    ) -> Result<NullWindowResult, Stopped> {
        self.search.move_reaches(root(position), m.anchor(), points, depth)
    }
}

/// A position as the search sees it.
pub(super) fn root(position: &Domineering) -> Root {
    Root { empty: position.empty(), turn: position.turn(), last_pass: position.last_pass() }
}
