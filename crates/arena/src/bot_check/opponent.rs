//! The opponent that leads a program into rare cases: it passes where the rules allow that, and otherwise plays at the
//! edges of what is legal.

use std::sync::{Mutex, PoisonError};

use agon_game::{GameState, Player, Side, TimeControl};
use agon_referee::limits::GameLimits;

use crate::agents::PreparedAgent;

/// Its name in messages.
pub(super) const NAME: &str = "a script";

/// The opponent of a game that begins here.
pub(super) fn scripted(start: &dyn GameState, limits: &GameLimits) -> PreparedAgent {
    let start = Mutex::new(start.boxed_clone());
    let make = move |_| -> Box<dyn Player> {
        let start = start.lock().unwrap_or_else(PoisonError::into_inner);
        Box::new(Scripted { state: start.boxed_clone(), asked: 0, passed: false })
    };
    PreparedAgent::of_player(NAME, Box::new(make), limits)
}

struct Scripted {
    state: Box<dyn GameState>,
    /// How often it has been asked.
    asked: usize,
    /// The other side's last move was a PASS.
    passed: bool,
}

/// Whether the arguments of a MOVE mean a PASS.
pub(super) fn is_pass(arguments: &str) -> bool {
    !arguments.is_empty() && arguments.split_whitespace().all(|number| number == "-1")
}

impl Player for Scripted {
    fn ready(&mut self, _side: Side, _preamble: &str) -> Result<(), String> {
        Ok(())
    }

    /// Where moves are hidden, it receives none and cannot follow the game.
    fn see(&mut self, state: &dyn GameState) {
        self.state = state.boxed_clone();
    }

    fn choose(&mut self, _own: TimeControl, _opponent: TimeControl) -> Result<String, String> {
        self.asked += 1;
        let legal = self.state.legal();
        let (passes, moves): (Vec<&String>, Vec<&String>) = legal.iter().partition(|text| is_pass(text));
        // Two in a row may end the game before it has begun.
        let passes_now = self.asked % 3 == 2 && !self.passed;
        let chosen = match (passes.first(), moves.as_slice()) {
            (Some(pass), moves) if passes_now || moves.is_empty() => (*pass).clone(),
            // The first and last moves are in opposite corners; those in between come up, too.
            (_, [first, .., last]) => match self.asked % 4 {
                0 | 2 => (*first).clone(),
                1 => (*last).clone(),
                _ => moves[moves.len() / 2].clone(),
            },
            (_, [only]) => (*only).clone(),
            (_, []) => return Err("there is no legal move".to_owned()),
        };
        self.state.answer(&chosen).map_err(|error| error.to_string())
    }

    fn opponent(&mut self, arguments: &str) -> Result<(), String> {
        self.passed = is_pass(arguments);
        self.state.answer(arguments).map(drop).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_all_minus_one() {
        assert!(is_pass("-1 -1") && is_pass("-1 -1 -1 -1"));
        assert!(!is_pass("") && !is_pass("1 -1") && !is_pass("8 8"));
    }
}
