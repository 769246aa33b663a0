//! The built-in players of a game: rows of their table, and a player named by a text.
//!
//! A player is named by its name, `greedy`, or, if it has levels, optionally with a level: `champion:3`.

use std::any::Any;
use std::fmt;

use agon_game::Player;
use agon_search::{Info, Task};

/// A move of a game that is only known at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextMove {
    /// Move in the judge's notation: the arguments of MOVE.
    pub judged: String,
    /// Move in people's notation.
    pub letters: String,
}

impl fmt::Display for TextMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.judged)
    }
}

/// An [`Engine`](agon_search::Engine) of a game that is only known at run time.
pub trait TextEngine: Send {
    /// Searches a position in the game's notation and reports its findings, the best line last. Returns the best move,
    /// or `None` if the game is over.
    ///
    /// # Errors
    /// The reason why the position is invalid.
    fn search(
        &mut self,
        position: &str,
        task: &Task,
        listener: &mut dyn FnMut(&Info<TextMove>),
    ) -> Result<Option<TextMove>, String>;

    /// Sets the seed of all random choices.
    fn set_seed(&mut self, seed: u64);

    /// Takes at most this much memory for tables, in bytes.
    fn set_memory(&mut self, bytes: usize);

    /// Sets the number of threads that search in parallel, at least 1.
    fn set_threads(&mut self, threads: usize);

    /// Returns the engine as a player of the judge's protocol. With `nodes`, it searches that number for every move and
    /// ignores the clock.
    fn player(self: Box<Self>, nodes: Option<u64>) -> Box<dyn Player>;

    /// A [`TypedEngine`](crate::TypedEngine), for callers that know the type of the position.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// Makes an engine at a level, which those without levels do not look at.
pub type MakeEngine = fn(u8) -> Box<dyn TextEngine>;

/// Properties of a built-in player, known without creating it.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    pub name: &'static str,
    /// Playing style, in one line.
    pub summary: &'static str,
    /// Elo difference of each level to the one below, as measured in docs/engines: 400 times the decimal logarithm of
    /// the odds. Levels start at 1; the highest is full strength, which is the default.
    pub level_steps: Option<&'static [f64]>,
    /// The rating at which a player without levels enters a ladder, from its games against levels (docs/engines).
    /// Random moves won none of 100 games against the lowest level of any game, so they enter far below it.
    pub rating: Option<f64>,
    /// True if its thinking time depends on its clock; for a player with levels, at the highest.
    pub timed: bool,
    /// `None` for a program that is asked per action.
    pub(crate) make: Option<MakeEngine>,
}

impl Builtin {
    /// An engine that looks at no clock.
    pub const fn engine(name: &'static str, summary: &'static str, make: MakeEngine) -> Self {
        Self { make: Some(make), ..Self::program(name, summary) }
    }

    /// Creates a program that is asked per action.
    pub const fn program(name: &'static str, summary: &'static str) -> Self {
        Self { name, summary, level_steps: None, rating: None, timed: false, make: None }
    }

    /// Marks a player that thinks as long as its clock allows.
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

/// What limits the thinking of a built-in player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Independent of the clock: it plays the same on every machine.
    Fixed,
    /// Numbers of nodes: every machine plays the same, unless the clock runs low.
    Nodes,
    Clock,
}
