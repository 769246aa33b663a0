//! The interface of engines: a position and a task in, the search's findings and a best move out.

use std::time::Duration;

use agon_game::{Evaluation, Position};
pub use agon_game::{Score, TimeControl};
pub use agon_jobs::Stop;

use crate::SearchLimits;

/// The question put to an engine. The default is to search until it is stopped, for one line.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Time, nodes and depth of this one search.
    pub limits: SearchLimits,
    /// The clock of the game, from which the engine decides how long to search; `None` when only the limits count.
    pub clock: Option<TimeControl>,
    /// True if the move may come from an opening book, as in games; false if the search itself is wanted.
    pub book: bool,
    /// Number of best moves to report a line for; 0 counts as 1.
    pub multipv: usize,
    /// Flag that ends the search from outside.
    pub stop: Stop,
}

impl Task {
    /// The move of a game on this clock: the opening book may answer.
    pub fn clock(clock: TimeControl) -> Self {
        Self { clock: Some(clock), book: true, ..Self::default() }
    }
}

impl From<SearchLimits> for Task {
    fn from(limits: SearchLimits) -> Self {
        Self { limits, ..Self::default() }
    }
}

/// Result of a search for one line of play.
#[derive(Clone, Debug)]
pub struct Info<M> {
    /// Plies searched in full, from 1.
    pub depth: u32,
    pub seldepth: u32,
    /// Rank of the line: 1 for the best move, 2 for the next.
    pub multipv: usize,
    pub score: Score,
    pub nodes: u64,
    /// Permille of the transposition table in use; `None` if it is not measured.
    pub hashfull: Option<u32>,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The principal variation, the move to be played first; never empty.
    pub pv: Vec<M>,
}

impl<M> Info<M> {
    /// Returns the score, with the effort of the search.
    pub const fn evaluation(&self) -> Evaluation {
        Evaluation { score: self.score, depth: Some(self.depth), nodes: Some(self.nodes), time: Some(self.elapsed) }
    }
}

/// Anything that chooses moves, from a search that serves the judge, UAI, Gomocup and `agon analyze` alike to a player
/// that only looks at the board. It may keep what it has learnt (tables) between searches.
pub trait Engine<P: Position>: Send {
    /// Searches a position and reports its findings to the listener, the best line last. Returns the best move, or
    /// `None` if the game is over. An engine that does not search reports nothing and ignores all limits.
    fn search(&mut self, position: &P, task: &Task, listener: &mut dyn FnMut(&Info<P::Move>)) -> Option<P::Move>;

    fn best_move(&mut self, position: &P, task: &Task) -> Option<P::Move> {
        self.search(position, task, &mut |_| {})
    }

    /// Clears everything learnt: the next search is of another game.
    fn new_game(&mut self) {}

    /// Allocates new tables of at most this many bytes.
    fn set_memory(&mut self, _bytes: usize) {}

    /// Sets the number of threads that search in parallel, at least 1.
    fn set_threads(&mut self, _threads: usize) {}

    /// Sets the seed of all random choices.
    fn set_seed(&mut self, _seed: u64) {}
}
