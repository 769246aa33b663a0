//! Typed positions, and Python's game names and keyword arguments.

use agon_catalog::{CatalogPosition, Game, Setup};
use agon_game::{Alternating, GameState};
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::encoding::{Encoded, MAX_WORDS};
use crate::failure::{illegal, refused, setup_refused};

/// A position, and if known the previous one with the move between them.
#[derive(Clone)]
pub struct Placed<P: Encoded> {
    pub now: P,
    pub before: Option<Box<(P, P::Move)>>,
}

impl<P: Encoded> Placed<P> {
    pub const fn new(now: P) -> Self {
        Self { now, before: None }
    }

    /// The position after a legal move.
    pub fn played(&self, m: P::Move) -> Self {
        let mut now = self.now.clone();
        now.play_unchecked(m, &mut ());
        Self { now, before: Some(Box::new((self.now.clone(), m))) }
    }

    /// The legal move of an action.
    ///
    /// # Errors
    /// If there is no such action, or it is illegal here.
    pub fn decoded(&self, action: i64) -> PyResult<P::Move> {
        let sizes = self.now.sizes();
        let number = usize::try_from(action).ok().filter(|action| *action < sizes.actions());
        let Some(number) = number else {
            return Err(refused(format!("action {action}: 0 to {} expected", sizes.actions() - 1)));
        };
        let mut legal = [0; MAX_WORDS];
        self.now.legal(&mut legal[..=sizes.words]);
        let (word, bit) = sizes.place(number);
        if legal[word] >> bit & 1 == 0 {
            return Err(illegal(&action.to_string(), "no legal action of this position"));
        }
        Ok(self.now.decode(number))
    }

    /// The legal move of a text in either notation.
    ///
    /// # Errors
    /// The error in it.
    pub fn read(&self, text: &str) -> PyResult<P::Move> {
        self.now.read_any(text).map_err(|error| illegal(text, error))
    }

    /// The last move as people write it.
    pub fn letters(&self) -> Option<String> {
        self.before.as_ref().map(|before| P::letters(before.1))
    }

    /// Returns the referee's view, with the last move marked.
    pub fn state(&self) -> Box<dyn GameState> {
        if let Some((before, m)) = self.before.as_deref() {
            let mut state = Alternating::new(before.clone());
            if state.answer(&m.to_string()).is_ok() {
                return Box::new(state);
            }
        }
        Box::new(Alternating::new(self.now.clone()))
    }
}

/// A position of a game that has planes and actions.
#[allow(clippy::large_enum_variant, reason = "one at a time")]
#[derive(Clone)]
pub enum Typed {
    Bacteria(Placed<Bacteria>),
    Domineering(Placed<Domineering>),
    Renju(Placed<Renju>),
}

/// Does the same with a position of any type.
macro_rules! each {
    ($typed:expr, $placed:ident => $body:expr) => {
        match $typed {
            $crate::typed::Typed::Bacteria($placed) => $body,
            $crate::typed::Typed::Domineering($placed) => $body,
            $crate::typed::Typed::Renju($placed) => $body,
        }
    };
}
pub(crate) use each;

/// The same, if the result is a position again.
macro_rules! each_again {
    ($typed:expr, $placed:ident => $body:expr) => {
        match $typed {
            $crate::typed::Typed::Bacteria($placed) => $crate::typed::Typed::Bacteria($body),
            $crate::typed::Typed::Domineering($placed) => $crate::typed::Typed::Domineering($body),
            $crate::typed::Typed::Renju($placed) => $crate::typed::Typed::Renju($body),
        }
    };
}
pub(crate) use each_again;

impl Typed {
    /// A position of a game that has planes and actions; `None` of another game.
    ///
    /// # Errors
    /// If the text is invalid.
    pub fn read(game: Game, text: &str) -> PyResult<Option<Self>> {
        fn read<P: Encoded>(game: Game, text: &str) -> PyResult<Placed<P>> {
            let read = text.parse().map_err(|error: P::Err| {
                setup_refused(agon_catalog::SetupError::Position {
                    game: game.name(),
                    text: text.to_owned(),
                    problem: P::reason(error),
                })
            });
            read.map(Placed::new)
        }
        Ok(Some(if game == Bacteria::GAME {
            Self::Bacteria(read(game, text)?)
        } else if game == Domineering::GAME {
            Self::Domineering(read(game, text)?)
        } else if game == Renju::GAME {
            Self::Renju(read(game, text)?)
        } else {
            return Ok(None);
        }))
    }

    /// The start of a game that has planes and actions; `None` of another game.
    ///
    /// # Errors
    /// If the game has no such parameter, or not with such a value.
    pub fn start(game: Game, setup: &Setup) -> PyResult<Option<Self>> {
        fn start<P: Encoded>(setup: &Setup) -> PyResult<Placed<P>> {
            if !setup.parameters.is_empty() {
                // A name that the game does not have is refused as everywhere.
                P::GAME.initial_state(setup).map_err(setup_refused)?;
            }
            let position = P::start(setup).and_then(|position| setup.opened(position)).map_err(setup_refused)?;
            Ok(Placed::new(position.into_position()))
        }
        Ok(Some(if game == Bacteria::GAME {
            Self::Bacteria(start(setup)?)
        } else if game == Domineering::GAME {
            Self::Domineering(start(setup)?)
        } else if game == Renju::GAME {
            Self::Renju(start(setup)?)
        } else {
            return Ok(None);
        }))
    }
}

/// A game by its name.
///
/// # Errors
/// If there is none.
pub(crate) fn game_of(name: &str) -> PyResult<Game> {
    let known = || format!("there is no game `{name}`; there are {}", Game::names().join(", "));
    Game::by_name(name).ok_or_else(|| refused(known()))
}

/// A set-up of keyword arguments.
///
/// # Errors
/// If a value cannot be converted to text.
pub(crate) fn setup_of(seed: u64, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Setup> {
    let mut setup = Setup { seed, ..Setup::default() };
    for (name, value) in parameters.into_iter().flatten() {
        setup.parameters.insert(name.extract()?, value.str()?.extract()?);
    }
    Ok(setup)
}
