//! Positions by their types, and what Python says of games by names and keyword arguments.

use agon_catalog::{CatalogPosition, Game, Setup};
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::refused;

/// A position of a game that has planes and actions.
#[allow(clippy::large_enum_variant, reason = "one at a time")]
pub enum Typed {
    Bacteria(Bacteria),
    Domineering(Domineering),
    Renju(Renju),
}

/// Does the same with a position of any type.
macro_rules! each {
    ($typed:expr, $position:ident => $body:expr) => {
        match $typed {
            $crate::typed::Typed::Bacteria($position) => $body,
            $crate::typed::Typed::Domineering($position) => $body,
            $crate::typed::Typed::Renju($position) => $body,
        }
    };
}
pub(crate) use each;

impl Typed {
    /// # Errors
    /// When the game has no such positions, or the text does not read.
    pub fn read(game: Game, text: &str) -> PyResult<Self> {
        fn read<P: CatalogPosition>(text: &str) -> PyResult<P> {
            text.parse().map_err(|error: P::Err| refused(error))
        }
        if game == Bacteria::GAME {
            read(text).map(Self::Bacteria)
        } else if game == Domineering::GAME {
            read(text).map(Self::Domineering)
        } else if game == Renju::GAME {
            read(text).map(Self::Renju)
        } else {
            Err(refused(format!("{game} has no planes and actions here")))
        }
    }
}

/// A game by its name.
///
/// # Errors
/// When there is none.
pub fn game_of(name: &str) -> PyResult<Game> {
    let known = || format!("there is no game `{name}`; there are {}", Game::names().join(", "));
    Game::by_name(name).ok_or_else(|| refused(known()))
}

/// A set-up of keyword arguments.
///
/// # Errors
/// When a value has no text.
pub fn setup_of(seed: u64, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Setup> {
    let mut setup = Setup { seed, ..Setup::default() };
    for (name, value) in parameters.into_iter().flatten() {
        setup.parameters.insert(name.extract()?, value.str()?.extract()?);
    }
    Ok(setup)
}
