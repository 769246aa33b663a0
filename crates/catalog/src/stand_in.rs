//! Games in a store whose rules are not available: their stored data can be shown, but nothing can be played.

use std::sync::Arc;

use agon_game::GameState;
use agon_game::perft::PerftPosition;
use agon_message::{English, Reason};

use crate::builtin::TextEngine;
use crate::entry::{CurveRules, Game, GameEntry, GameStart, OpeningRules};
use crate::illustrations::Illustrations;
use crate::list::{UnknownGame, register};
use crate::program::RulesProgram;
use crate::setup::{Setup, SetupError};

/// Rules that are not available.
#[derive(Debug)]
struct Missing {
    name: &'static str,
}

impl Missing {
    fn error(&self) -> SetupError {
        SetupError::Rules { game: self.name, problem: self.problem() }
    }

    fn problem(&self) -> English {
        English(UnknownGame { name: self.name.to_owned(), of_program: true, loaded: None }.to_string())
    }
}

impl RulesProgram for Missing {
    fn has_turns(&self) -> bool {
        false
    }

    fn lists_moves(&self) -> bool {
        false
    }

    fn is_missing(&self) -> bool {
        true
    }

    fn start(&self, _setup: &Setup) -> Result<Box<dyn GameState>, SetupError> {
        Err(self.error())
    }

    fn state_at(&self, _text: &str) -> Result<Box<dyn GameState>, Reason> {
        Err(Arc::new(self.problem()))
    }

    fn count(&self, _text: Option<&str>, _setup: &Setup) -> Result<Box<dyn PerftPosition>, SetupError> {
        Err(self.error())
    }

    fn engine(&self, name: &str, _level: u8) -> Box<dyn TextEngine> {
        unreachable!("`{name}` is not a player of a game that has none")
    }
}

/// Returns a placeholder for the game of this name, whose rules are a program that is not available; `None` for other
/// names.
pub fn stand_in(name: &str) -> Option<Game> {
    let (plain, digest) = name.split_once('@')?;
    // Names come from a store, and a row lives as long as the program.
    if plain.len() > 32 || digest.len() > 64 {
        return None;
    }
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    let title: &'static str = Box::leak(plain.to_owned().into_boxed_str());
    let missing: &'static Missing = Box::leak(Box::new(Missing { name }));
    let entry: &'static GameEntry = Box::leak(Box::new(GameEntry {
        name,
        title,
        short_title: title,
        summary: "a game of others, whose rules are not given at present",
        rules: &[],
        page: "",
        illustrations: Illustrations::NONE,
        source: "",
        example: "",
        seats: ["First", "Second"],
        samples: &[],
        situations: &[],
        parameters: &[],
        can_be_drawn: true,
        start: GameStart::Program(missing),
        builtins: &[],
        programs: |_| None,
        defaults: ["", ""],
        openings: OpeningRules::ANY,
        size: None,
        capabilities: &[],
        curve: CurveRules::PLAIN,
    }));
    register(entry).ok()
}
