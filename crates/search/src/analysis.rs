//! What an engine is asked, and what it tells while it thinks.

use std::time::Duration;

use agon_game::Position;
pub use agon_jobs::Stop;

use crate::Limits;

/// A clock for the whole game, or for what is left of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What is left to the side to move.
    pub left: Duration,
    /// What it gets back for every move; zero under the contest's judge.
    pub increment: Duration,
}

/// What an engine is asked. The default is to think until it is stopped, about one line.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Time, nodes and depth of this one search.
    pub limits: Limits,
    /// The clock of the game, from which the engine takes what it thinks right; `None` when only the limits count.
    pub clock: Option<Clock>,
    /// Whether the answer is played in a game: what is known then needs no search. Who asks what a position is worth
    /// wants to see one.
    pub plays: bool,
    /// How many of the best moves to tell the value of; 0 counts as 1.
    pub lines: usize,
    /// Ends the search from outside.
    pub stop: Stop,
}

/// A value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// In hundredths of the game's unit (a cell, a pawn's worth of pattern), 0 being even.
    Centi(i32),
    /// The side to move wins with so many plies to go.
    Win(u32),
    /// The side to move loses in so many plies.
    Loss(u32),
}

/// What a search has found out about one line of play.
#[derive(Clone, Debug)]
pub struct Info<M> {
    /// Plies searched in full, from 1.
    pub depth: u32,
    /// The deepest ply looked at.
    pub selective_depth: u32,
    /// Which line this is: 1 for the best move, 2 for the next.
    pub rank: usize,
    /// What the line is worth.
    pub value: Value,
    /// Nodes visited so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The line, the move to be played first; never empty.
    pub moves: Vec<M>,
}

/// An engine that can be asked about positions: the face that interfaces to other programs (UAI, Gomocup) and
/// `agon analyze` speak to. It keeps what it learnt (tables) from one question to the next.
pub trait Analyst<P: Position>: Send {
    /// Thinks about a position and tells the listener what it finds, the best line last; returns the best move, `None`
    /// when the game is over.
    fn analyze(&mut self, position: &P, task: &Task, listener: &mut dyn FnMut(&Info<P::Move>)) -> Option<P::Move>;

    /// Forgets everything learnt: the next question is of another game.
    fn forget(&mut self);

    /// Takes at most this much memory for tables, in bytes, and forgets what is in them.
    fn set_memory(&mut self, bytes: usize);

    /// Thinks on so many threads at once, 1 at least.
    fn set_threads(&mut self, threads: usize);
}
