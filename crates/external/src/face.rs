//! Rules by a program as the catalogue sees them.

use std::path::PathBuf;
use std::sync::Arc;

use agon_catalog::{Expected, GameClock, RulesProgram, Setup, SetupError, TextEngine};
use agon_game::GameState;
use agon_game::perft::PerftPosition;
use agon_message::{English, Reason};

use crate::count::Counted;
use crate::players::{ExternalPlayer, Kind};
use crate::rules::Rules;
use crate::source::RulesFile;
use crate::state::ExternalState;

/// Rules by a program, and the name of their row.
#[derive(Debug)]
pub(crate) struct Face {
    pub rules: Rules,
    pub name: &'static str,
    /// The file or folder that was loaded.
    pub path: PathBuf,
    /// The parameters of the row: names, and which values they take.
    pub parameters: &'static [agon_catalog::GameParameter],
    pub clocks: &'static [GameClock],
    /// The rules, the samples and the page, as they were loaded.
    pub files: Vec<RulesFile>,
}

impl Face {
    fn initial(&'static self, setup: &Setup) -> Result<ExternalState, SetupError> {
        for parameter in &self.rules.description.parameters {
            if let Some(value) = setup.given(&parameter.name).filter(|value| !parameter.takes(value)) {
                let row = self.parameters.iter().find(|row| row.name == parameter.name);
                return Err(SetupError::Value {
                    name: row.map_or("", |row| row.name),
                    problem: format!("`{value}`").into(),
                    expected: Expected::Own(row.map_or("", |row| row.values).into()),
                });
            }
        }
        let failed = |problem: String| SetupError::Rules { game: self.name, problem: problem.into() };
        let state = ExternalState::start(&self.rules, setup.seed, &setup.parameters).map_err(failed)?;
        state.opened(setup.opening()).map_err(|error| SetupError::Value {
            name: agon_catalog::OPENING.name,
            problem: format!("refused at `{}`: {error}", error.text()).into(),
            expected: Expected::Moves,
        })
    }
}

/// Content of a row: a reference, since a state outlives every borrow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceHandle(pub &'static Face);

impl RulesProgram for FaceHandle {
    fn has_turns(&self) -> bool {
        self.0.rules.description.has_turns()
    }

    fn lists_moves(&self) -> bool {
        self.0.rules.description.moves
    }

    fn clocks(&self) -> &'static [GameClock] {
        self.0.clocks
    }

    fn start(&self, setup: &Setup) -> Result<Box<dyn GameState>, SetupError> {
        Ok(Box::new(self.0.initial(setup)?))
    }

    fn state_at(&self, text: &str) -> Result<Box<dyn GameState>, Reason> {
        Ok(Box::new(ExternalState::read(&self.0.rules, text).map_err(|problem| Arc::new(English(problem)) as Reason)?))
    }

    fn count(&self, text: Option<&str>, setup: &Setup) -> Result<Box<dyn PerftPosition>, SetupError> {
        if !self.has_turns() {
            return Err(SetupError::Rules {
                game: self.0.name,
                problem: "they list no moves that both sides see, so there are no lines to count".into(),
            });
        }
        let state = match text {
            None => self.0.initial(setup)?,
            Some(text) => ExternalState::read(&self.0.rules, text).map_err(|problem| SetupError::Position {
                game: self.0.name,
                text: text.to_owned(),
                problem: Arc::new(English(problem)),
            })?,
        };
        Ok(Box::new(Counted::new(state)))
    }

    fn engine(&self, name: &str, level: u8) -> Box<dyn TextEngine> {
        Box::new(ExternalPlayer::new(&self.0.rules, Kind::by_name(name, level)))
    }
}
