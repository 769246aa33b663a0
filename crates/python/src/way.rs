//! The way to a position whose text does not describe it completely: from the start of its game, move by move.

use std::sync::Arc;

use agon_catalog::{Game, Setup};
use agon_game::{GameState, Interaction, Side};
use pyo3::prelude::*;

use crate::failure::{illegal, refused, setup_refused};

/// Points of the rules' sample species: hit points, energy, acidity.
const USUAL_SPECIES: &str = "5 7 0";

/// Start of a game.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// Text in the game's notation; the other fields count only without it.
    pub text: Option<String>,
    pub setup: Setup,
    pub species: Option<[String; 2]>,
}

impl Beginning {
    /// The state there.
    ///
    /// # Errors
    /// The error in the text, a parameter or a species.
    pub fn state(&self, game: Game) -> PyResult<Box<dyn GameState>> {
        let mut state = match &self.text {
            Some(text) => game.state_at(text).map_err(setup_refused)?,
            None => game.initial_state(&self.setup).map_err(setup_refused)?,
        };
        match (state.interaction(), &self.species) {
            (Interaction::PerAction, species) => {
                let usual = [USUAL_SPECIES.to_owned(), USUAL_SPECIES.to_owned()];
                for (side, text) in Side::BOTH.into_iter().zip(species.as_ref().unwrap_or(&usual)) {
                    state.begin(side, text.as_bytes()).map_err(refused)?;
                }
            }
            (Interaction::Session, Some(_)) => return Err(refused(format!("{game} has no species"))),
            (Interaction::Session, None) => {}
        }
        Ok(state)
    }
}

/// The start and the moves since. Positions of the same game share their common part.
#[derive(Clone, Debug)]
pub struct Way {
    pub beginning: Arc<Beginning>,
    last: Option<Arc<Step>>,
}

#[derive(Debug)]
struct Step {
    before: Option<Arc<Step>>,
    text: String,
}

impl Drop for Step {
    fn drop(&mut self) {
        // One after the other: a game may have more moves than a stack has room for.
        let mut next = self.before.take();
        while let Some(mut step) = next.and_then(Arc::into_inner) {
            next = step.before.take();
        }
    }
}

impl Way {
    pub fn new(beginning: Beginning) -> Self {
        Self { beginning: Arc::new(beginning), last: None }
    }

    /// Returns the way extended by a move.
    pub fn then(&self, text: &str) -> Self {
        let step = Step { before: self.last.clone(), text: text.to_owned() };
        Self { beginning: Arc::clone(&self.beginning), last: Some(Arc::new(step)) }
    }

    /// The moves, the first one first.
    pub fn moves(&self) -> Vec<&str> {
        let mut moves = Vec::new();
        let mut at = self.last.as_deref();
        while let Some(step) = at {
            moves.push(step.text.as_str());
            at = step.before.as_deref();
        }
        moves.reverse();
        moves
    }

    /// Plays these moves from a beginning.
    ///
    /// # Errors
    /// The error in the start, or in a move.
    pub fn walked(game: Game, beginning: Beginning, moves: &[String]) -> PyResult<(Box<dyn GameState>, Self)> {
        let mut state = beginning.state(game)?;
        let mut way = Self::new(beginning);
        for text in moves {
            let read = state.read_any(text).map_err(|error| illegal(text, error))?;
            state.answer(&read).map_err(|error| illegal(text, error))?;
            way = way.then(&read);
        }
        Ok((state, way))
    }
}
