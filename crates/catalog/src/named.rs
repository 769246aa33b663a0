//! Built-in players that a text names, ready to be made.

use std::sync::Arc;

use agon_game::{Player, Stateless};

use crate::builtin::{MakeEngine, TextEngine};
use crate::program::RulesProgram;

/// What makes the engine of a built-in player.
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
    /// The engine, its choices drawn from the seed; `None` of a program that is asked for every action.
    pub fn engine(&self, seed: u64) -> Option<Box<dyn TextEngine>> {
        let Self::Engine { make, level } = self else { return None };
        let mut engine = match make {
            EngineMaker::Row(make) => make(*level),
            EngineMaker::Rules(rules, name) => rules.engine(name, *level),
        };
        engine.set_seed(seed);
        Some(engine)
    }

    /// The player for a whole session, its choices drawn from the seed; `None` of one that is asked for every action.
    pub fn player(&self, seed: u64) -> Option<Box<dyn Player>> {
        self.player_at(seed, None, 1)
    }

    /// The same player, which searches this many nodes for every move, if any are given, instead of looking at the
    /// clock, on this many threads at once.
    pub fn player_at(&self, seed: u64, nodes: Option<u64>, threads: usize) -> Option<Box<dyn Player>> {
        self.engine(seed).map(|mut engine| {
            engine.set_threads(threads);
            engine.player(nodes)
        })
    }

    /// The program that is asked for every action; `None` of a player for a whole session.
    pub fn program(&self) -> Option<Arc<dyn Stateless>> {
        match self {
            Self::Program(program) => Some(Arc::clone(program)),
            Self::Engine { .. } => None,
        }
    }
}
