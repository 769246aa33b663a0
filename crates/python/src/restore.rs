//! Restoring pickles: functions that accept text and numbers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_catalog::{Game, Setup};
use pyo3::prelude::*;

use crate::failure::refused;
use crate::knowledge;
use crate::position::Position;
use crate::typed::game_of;
use crate::way::{Beginning, Way};

/// A position of a text, or the one after a move there.
#[pyfunction]
#[pyo3(name = "_restore_position")]
pub(crate) fn restore_position(game: &str, text: &str, m: Option<&str>) -> PyResult<Position> {
    let position = Position::at(game_of(game)?, text)?;
    match m {
        Some(m) => position.played(m),
        None => Ok(position),
    }
}

/// A position of a game that is played from its beginning, of rules in a file if they are a program of others.
#[pyfunction]
#[pyo3(name = "_restore_game")]
pub(crate) fn restore_game(
    py: Python<'_>,
    game: &str,
    rules: Option<PathBuf>,
    text: Option<String>,
    setup: (u64, BTreeMap<String, String>),
    species: Option<[String; 2]>,
    moves: Vec<String>,
) -> PyResult<Position> {
    if let Some(rules) = rules.filter(|_| Game::by_name(game).is_none()) {
        let found = knowledge::load_rules(py, rules.clone())?;
        if found != game {
            return Err(refused(format!(
                "{game}: its rules, `{}`, have changed since: they are {found}",
                rules.display()
            )));
        }
    }
    let game = game_of(game)?;
    let beginning = Beginning { text, setup: Setup { seed: setup.0, parameters: setup.1 }, species };
    let (state, way) = py.detach(|| Way::walked(game, beginning, &moves))?;
    Ok(Position::of_state(game, state, Some(way)))
}
