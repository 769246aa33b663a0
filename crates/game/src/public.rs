//! Restricted views of games: one in progress for watchers, and a recorded one for a player.

use std::sync::Arc;

use crate::{Ending, GameScore, GameState, MoveError, Side, View};

/// Placeholder for a hidden move.
pub const HIDDEN: &str = "(hidden)";

/// A state of a game with secrets that shows only [`GameState::public_view`], the score, the turn and the end.
/// Once the game is over, it shows everything.
pub struct Public {
    state: Box<dyn GameState>,
    seat: Option<Seat>,
}

/// A player's view of a recorded game.
#[derive(Clone)]
struct Seat {
    side: Side,
    /// Moves of the game; those of the other side are shown as [`HIDDEN`].
    moves: Arc<[String]>,
    /// Ply of the first of them.
    from: u32,
    /// True if the last move was the player's own.
    own: bool,
}

impl Public {
    /// Returns the restricted state, or `None` if the game has no secrets.
    pub fn from_state(state: &dyn GameState) -> Option<Self> {
        let hides = state.has_secrets() && state.ending().is_none();
        hides.then(|| Self { state: state.boxed_clone(), seat: None })
    }

    /// Creates the start of a recorded game as the player of a side sees it: [`GameState::view_of`], and only the
    /// player's own moves. It continues by `moves`, whatever text it receives.
    pub fn seen_by(start: &dyn GameState, side: Side, moves: impl IntoIterator<Item = String>) -> Self {
        let seat = Seat { side, moves: moves.into_iter().collect(), from: start.ply(), own: false };
        Self { state: start.boxed_clone(), seat: Some(seat) }
    }
}

impl GameState for Public {
    fn seats(&self) -> [&'static str; 2] {
        self.state.seats()
    }

    fn preamble(&self) -> String {
        String::new()
    }

    fn has_secrets(&self) -> bool {
        true
    }

    fn failure(&self) -> Option<String> {
        self.state.failure()
    }

    fn news(&self, side: Side) -> &[String] {
        match &self.seat {
            Some(seat) if seat.side == side => self.state.news(side),
            _ => &[],
        }
    }

    fn turn(&self) -> Option<Side> {
        self.state.turn()
    }

    fn answer(&mut self, arguments: &str) -> Result<String, MoveError> {
        let Some(seat) = &mut self.seat else { return self.state.answer(arguments) };
        seat.own = self.state.turn() == Some(seat.side);
        let Some(played) = seat.moves.get((self.state.ply() - seat.from) as usize) else {
            return Err(MoveError::Over { text: arguments.to_owned() });
        };
        let written = self.state.answer(played)?;
        Ok(if seat.own { written } else { HIDDEN.to_owned() })
    }

    fn letters(&self) -> Option<String> {
        let shown = self.seat.as_ref().is_some_and(|seat| seat.own);
        self.state.letters().map(|letters| if shown { letters } else { HIDDEN.to_owned() })
    }

    fn ending(&self) -> Option<Ending> {
        self.state.ending()
    }

    fn score(&self) -> Option<[GameScore; 2]> {
        self.state.score()
    }

    fn ply(&self) -> u32 {
        self.state.ply()
    }

    fn position(&self) -> String {
        HIDDEN.to_owned()
    }

    fn view(&self) -> View {
        self.seat.as_ref().map_or_else(|| self.state.public_view(), |seat| self.state.view_of(seat.side))
    }

    fn boxed_clone(&self) -> Box<dyn GameState> {
        Box::new(Self { state: self.state.boxed_clone(), seat: self.seat.clone() })
    }
}
