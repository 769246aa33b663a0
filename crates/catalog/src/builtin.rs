//! The built-in players of a game: rows of their table, and one that a text names.
//!
//! A player is named by its name alone, `greedy`, or, where it has levels, with the level to play at: `champion:3`.

use std::any::Any;
use std::fmt;

use agon_game::Player;
use agon_search::{Info, Task};

/// A move of a game that is only known at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextMove {
    /// As the judge writes it: the arguments of MOVE.
    pub judged: String,
    /// As people write it.
    pub letters: String,
}

impl fmt::Display for TextMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.judged)
    }
}

/// An [`Engine`](agon_search::Engine) of a game that is only known at run time.
pub trait TextEngine: Send {
    /// Searches a position in the game's own notation and reports what it finds, the best line last; returns the best
    /// move, `None` when the game is over.
    ///
    /// # Errors
    /// Why the position does not read.
    fn search(
        &mut self,
        position: &str,
        task: &Task,
        listener: &mut dyn FnMut(&Info<TextMove>),
    ) -> Result<Option<TextMove>, String>;

    /// Draws what is random from this seed.
    fn set_seed(&mut self, seed: u64);

    /// Takes at most this much memory for tables, in bytes.
    fn set_memory(&mut self, bytes: usize);

    /// Searches on this many threads at once, 1 at least.
    fn set_threads(&mut self, threads: usize);

    /// The engine in a seat of the judge's protocol; where nodes are given, it searches that number for every move
    /// instead of looking at the clock.
    fn player(self: Box<Self>, nodes: Option<u64>) -> Box<dyn Player>;

    /// A [`TypedEngine`](crate::TypedEngine), for callers that know the type of the position.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// Makes an engine at a level, which those without levels do not look at.
pub type MakeEngine = fn(u8) -> Box<dyn TextEngine>;

/// What is known of a built-in player without making it.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    pub name: &'static str,
    /// How it plays, in a line.
    pub summary: &'static str,
    /// By how many points of Elo each level is above the one before, as docs/engines measures them in games: 400 times
    /// the decimal logarithm of the odds. Levels begin at 1; at the highest it plays as well as it can, as it does when
    /// no level is named.
    pub level_steps: Option<&'static [f64]>,
    /// The rating at which one without levels enters a ladder, from its games against levels (docs/engines). Random
    /// moves won none of 100 games against the lowest level of any game, so they enter far below it.
    pub rating: Option<f64>,
    /// Whether its clock decides how long it thinks; of one with levels, at the highest.
    pub timed: bool,
    /// `None` of a program that is asked for every action.
    pub(crate) make: Option<MakeEngine>,
}

impl Builtin {
    /// An engine that looks at no clock.
    pub const fn engine(name: &'static str, summary: &'static str, make: MakeEngine) -> Self {
        Self { make: Some(make), ..Self::program(name, summary) }
    }

    /// A program that is asked for every action.
    pub const fn program(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, level_steps: None, rating: None, timed: false, make: None }
    }

    /// It thinks as long as its clock allows.
    pub const fn timed(self) -> Self {
        Self { timed: true, ..self }
    }

    pub const fn with_level_steps(self, steps: &'static [f64]) -> Self {
        Self { level_steps: Some(steps), timed: true, ..self }
    }

    pub const fn rated(self, rating: f64) -> Self {
        Self { rating: Some(rating), ..self }
    }

    /// The highest of its levels, if it has levels.
    pub const fn levels(&self) -> Option<u8> {
        match self.level_steps {
            Some(steps) => Some(steps.len() as u8 + 1),
            None => None,
        }
    }
}

/// What ends the thinking of a built-in player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// It looks at no clock: every machine plays the same.
    Fixed,
    /// Numbers of nodes: every machine plays the same, unless the clock runs low.
    Nodes,
    Clock,
}
