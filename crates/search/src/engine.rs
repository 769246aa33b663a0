//! What an engine is: a position and a task in, a best move and what the search finds out.

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
    /// Whether the move may come from an opening book: in a game, but not where the search itself is asked for.
    pub book: bool,
    /// How many of the best moves to report a line for; 0 counts as 1.
    pub multipv: usize,
    /// Ends the search from outside.
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

/// What a search has found out about one line of play.
#[derive(Clone, Debug)]
pub struct Info<M> {
    /// Plies searched in full, from 1.
    pub depth: u32,
    pub seldepth: u32,
    /// Which line this is: 1 for the best move, 2 for the next.
    pub multipv: usize,
    pub score: Score,
    pub nodes: u64,
    /// How full the transposition table is, per mille; `None` where there is none to be measured.
    pub hashfull: Option<u32>,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The principal variation, the move to be played first; never empty.
    pub pv: Vec<M>,
}

impl<M> Info<M> {
    /// The score, and what it took to find it.
    pub const fn evaluation(&self) -> Evaluation {
        Evaluation { score: self.score, depth: Some(self.depth), nodes: Some(self.nodes), time: Some(self.elapsed) }
    }
}

/// Whatever chooses moves: a search that answers the judge, UAI, Gomocup and `agon analyze` alike, or a player that
/// only looks at the board. It may keep what it learnt (tables) from one search to the next.
pub trait Engine<P: Position>: Send {
    /// Searches a position and reports to the listener what it finds, the best line last; returns the best move, `None`
    /// when the game is over. An engine that does not search reports nothing and looks at no limit.
    fn search(&mut self, position: &P, task: &Task, listener: &mut dyn FnMut(&Info<P::Move>)) -> Option<P::Move>;

    fn best_move(&mut self, position: &P, task: &Task) -> Option<P::Move> {
        self.search(position, task, &mut |_| {})
    }

    /// Clears everything learnt: the next search is of another game.
    fn new_game(&mut self) {}

    /// Allocates new tables of at most this many bytes.
    fn set_memory(&mut self, _bytes: usize) {}

    /// Searches on this many threads at once, at least 1.
    fn set_threads(&mut self, _threads: usize) {}

    /// Draws what is random from this seed.
    fn set_seed(&mut self, _seed: u64) {}
}
