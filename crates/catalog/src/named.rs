//! Built-in players looked up by name, ready to be created.

use std::sync::Arc;

use agon_game::{Player, Stateless};

use crate::builtin::{MakeEngine, TextEngine};
use crate::program::RulesProgram;

/// Constructor of a built-in player's engine.
#[derive(Clone, Copy)]
pub enum EngineMaker {
    Row(MakeEngine),
    /// The rules of a program, by the name of the player.
    Rules(&'static dyn RulesProgram, &'static str),
}

/// A built-in player that a text names, at its level.
#[derive(Clone)]
pub enum NamedBuiltin {
    Engine { make: EngineMaker, level: u8 },
    Program(Arc<dyn Stateless>),
}

impl NamedBuiltin {
    /// Creates the engine, seeded; `None` for a program that is asked per action.
    pub fn engine(&self, seed: u64) -> Option<Box<dyn TextEngine>> {
        let Self::Engine { make, level } = self else { return None };
        let mut engine = match make {
            EngineMaker::Row(make) => make(*level),
            EngineMaker::Rules(rules, name) => rules.engine(name, *level),
        };
        engine.set_seed(seed);
        Some(engine)
    }

    /// Creates the player for a whole session, seeded; `None` for one that is asked per action.
    pub fn player(&self, seed: u64) -> Option<Box<dyn Player>> {
        self.player_at(seed, None, 1)
    }

    /// Like [`Self::player`], on this many threads; with `nodes`, it searches that number for every move and ignores
    /// the clock.
    pub fn player_at(&self, seed: u64, nodes: Option<u64>, threads: usize) -> Option<Box<dyn Player>> {
        self.engine(seed).map(|mut engine| {
            engine.set_threads(threads);
            engine.player(nodes)
        })
    }

    /// Creates the program that is asked per action; `None` for a player for a whole session.
    pub fn program(&self) -> Option<Arc<dyn Stateless>> {
        match self {
            Self::Program(program) => Some(Arc::clone(program)),
            Self::Engine { .. } => None,
        }
    }
}
