//! A game in progress as a watcher who plays neither side sees it.

use crate::{Ending, GameScore, GameState, MoveError, Side, View};

/// What stands for a move that is not shown.
pub const HIDDEN: &str = "(hidden)";

/// A state of a game with secrets: only [`GameState::public_view`], the score, the turn and the end are shown.
/// When the game is over, nothing is hidden any more.
pub struct Public(Box<dyn GameState>);

impl Public {
    /// The state as it is shown; `None` where it has no secrets, and all of it may be seen.
    pub fn of(state: &dyn GameState) -> Option<Self> {
        (state.has_secrets() && state.ending().is_none()).then(|| Self(state.boxed_clone()))
    }
}

impl GameState for Public {
    fn seats(&self) -> [&'static str; 2] {
        self.0.seats()
    }

    fn preamble(&self) -> String {
        String::new()
    }

    fn has_secrets(&self) -> bool {
        true
    }

    fn failure(&self) -> Option<String> {
        self.0.failure()
    }

    fn turn(&self) -> Option<Side> {
        self.0.turn()
    }

    fn answer(&mut self, arguments: &str) -> Result<String, MoveError> {
        self.0.answer(arguments)
    }

    fn letters(&self) -> Option<String> {
        self.0.letters().map(|_| HIDDEN.to_owned())
    }

    fn ending(&self) -> Option<Ending> {
        self.0.ending()
    }

    fn score(&self) -> Option<[GameScore; 2]> {
        self.0.score()
    }

    fn ply(&self) -> u32 {
        self.0.ply()
    }

    fn position(&self) -> String {
        HIDDEN.to_owned()
    }

    fn view(&self) -> View {
        self.0.public_view()
    }

    fn boxed_clone(&self) -> Box<dyn GameState> {
        Box::new(Self(self.0.boxed_clone()))
    }
}
