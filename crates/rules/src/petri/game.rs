//! The game, as referees use it.

use std::sync::Arc;

use agon_game::{Ending, GameScore, GameState, Interaction, MoveError, Reason, Side, View};

use super::{Action, Announcement, Applied, Dish, DishSetup, DishSetupError, Rules, Species};

/// A game from BEGIN to its end, played per action.
///
/// The programs choose their species, so the dish is valid only after both have begun.
#[derive(Clone, Debug)]
pub struct Petri {
    dish: Dish,
    begun: [bool; 2],
    /// Actions of the current or just finished player turn.
    turn: Vec<Applied>,
}

impl Petri {
    /// Creates a game that waits for both programs to begin; their species replace those in the set-up.
    ///
    /// # Errors
    /// [`DishSetupError`] if the set-up is invalid.
    ///
    /// ```
    /// use agon_game::{GameState, Side};
    /// use agon_rules::petri::{Petri, DishSetup};
    ///
    /// let mut game = Petri::new(10, 4, 150, Default::default()).unwrap();
    /// assert!(game.answer("REST").is_err(), "the game has not begun");
    /// assert_eq!(game.begin(Side::First, b"5 7 0\n"), Ok(false));
    /// assert_eq!(game.begin(Side::Second, b"4 6 2 LOOP\n"), Ok(true));
    /// assert_eq!(game.answer("divide se").unwrap(), "DIVIDE SE");
    /// assert_eq!(game.answer("move everywhere").unwrap(), "REST");
    /// assert_eq!(game.remark().unwrap().to_string(), "the second word must be N, S, E, W, NE, NW, SE or SW");
    /// ```
    pub fn new(width: usize, height: usize, turns: u16, rules: Rules) -> Result<Self, DishSetupError> {
        // Any living species, as a placeholder until the real ones are known.
        const UNKNOWN: Species = Species::spending(4, 4, 4).expect("twelve points");
        let setup = DishSetup { width, height, turns, species: [UNKNOWN; 2], rules };
        Ok(Self { dish: Dish::new(&setup)?, begun: [false; 2], turn: Vec::new() })
    }

    /// Returns the dish; before both programs have begun, its species are not theirs.
    pub const fn dish(&self) -> &Dish {
        &self.dish
    }

    fn has_begun(&self) -> bool {
        self.begun == [true; 2]
    }
}

impl GameState for Petri {
    fn interaction(&self) -> Interaction {
        Interaction::PerAction
    }

    fn seats(&self) -> [&'static str; 2] {
        Dish::SEATS
    }

    fn preamble(&self) -> String {
        String::new()
    }

    fn turn(&self) -> Option<Side> {
        self.dish.actor().map(|actor| actor.side)
    }

    fn begin(&mut self, side: Side, answer: &[u8]) -> Result<bool, MoveError> {
        let text = || String::from_utf8_lossy(answer);
        if self.begun[side.index()] {
            return Err(MoveError::illegal(text(), format!("the {side} program has begun already")));
        }
        let announced = Announcement::read(answer).map_err(|error| MoveError::illegal(text(), error))?;
        let mut setup = *self.dish.setup();
        setup.species[side.index()] = announced.species;
        self.dish = Dish::new(&setup).map_err(|error| MoveError::illegal(text(), error.to_string()))?;
        self.begun[side.index()] = true;
        Ok(announced.loops)
    }

    fn prompt(&self, prompt: &mut String) {
        self.dish.input(prompt);
    }

    fn actor(&self) -> Option<(usize, usize)> {
        let place = self.dish.actor()?.place;
        Some((place.x.into(), place.y.into()))
    }

    fn answer(&mut self, arguments: &str) -> Result<String, MoveError> {
        if !self.has_begun() {
            return Err(MoveError::illegal(arguments, "a program has not begun"));
        }
        let applied =
            self.dish.answer(arguments.as_bytes()).ok_or_else(|| MoveError::Over { text: arguments.to_owned() })?;
        if self.turn.last().is_some_and(|last| last.turn_over) {
            self.turn.clear();
        }
        self.turn.push(applied);
        Ok(applied.action.to_string())
    }

    fn abridged(&self, answer: &str, most: usize) -> String {
        Action::abridged(answer, most)
    }

    fn remark(&self) -> Option<Reason> {
        let refusal = self.turn.last()?.refusal?;
        Some(Arc::new(refusal))
    }

    fn ending(&self) -> Option<Ending> {
        if !self.has_begun() {
            return None;
        }
        let outcome = self.dish.outcome()?;
        Some(Ending { outcome, reason: Arc::new(self.dish.end_reason()?) })
    }

    /// Living cells.
    fn score(&self) -> Option<[GameScore; 2]> {
        Some(Side::BOTH.map(|side| GameScore::from(self.dish.cells(side) as i32)))
    }

    fn ply(&self) -> u32 {
        self.dish.actions() as u32
    }

    fn position(&self) -> String {
        if self.has_begun() { self.dish.state() } else { self.dish.board() }
    }

    /// Returns the dish with all actions of this player turn.
    fn view(&self) -> View {
        let mut view = self.dish.view();
        for applied in &self.turn {
            Dish::mark(&mut view, applied);
        }
        if !self.has_begun() {
            // Hit points that are not chosen yet.
            for cell in view.cells.iter_mut().filter(|cell| cell.owner.is_some()) {
                cell.weight = None;
            }
        }
        view
    }

    fn boxed_clone(&self) -> Box<dyn GameState> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use agon_game::Mark;

    use super::*;

    fn game(species: [&str; 2]) -> Petri {
        let mut game = Petri::new(4, 4, 2, Rules::Contest).unwrap();
        for (side, species) in Side::BOTH.into_iter().zip(species) {
            assert_eq!(game.begin(side, species.as_bytes()), Ok(false));
        }
        game
    }

    #[test]
    fn a_program_begins_once_and_with_twelve_points() {
        let check = |answer: &str, error: &str| {
            let mut game = Petri::new(10, 4, 150, Rules::Contest).unwrap();
            assert_eq!(game.begin(Side::First, answer.as_bytes()).unwrap_err().to_string(), error);
            assert_eq!(game.begin(Side::First, b"5 7 0"), Ok(false));
            assert!(game.begin(Side::First, b"5 7 0").is_err());
        };
        check("5 7 1", "5 + 7 + 1 is 13, not 12");
        check("", "three numbers HP ENERGY ACIDITY expected");
    }

    #[test]
    fn a_species_without_hit_points_loses_after_the_first_action() {
        let check = |species: [&str; 2], answers: &[&str], reason: &str| {
            let mut game = game(species);
            for answer in answers {
                assert_eq!(game.turn(), Some(Side::First), "{species:?}");
                game.answer(answer).unwrap();
            }
            assert_eq!(game.turn(), None, "{species:?}");
            assert_eq!(game.ending().unwrap().reason.to_string(), reason, "{species:?}");
            assert_eq!(game.dish().turns(), 1);
        };
        check(["4 8 0", "0 12 0"], &["REST"], "the second colony is extinct");
        check(["4 8 0", "0 12 0"], &["no action"], "the second colony is extinct");
        check(["2 10 0", "0 12 0"], &["EXPLODE"], "both colonies are extinct");
        // If the first colony has no cell, its turn is empty.
        check(["0 12 0", "4 8 0"], &[], "the first colony is extinct");
        check(["0 12 0", "0 12 0"], &[], "both colonies are extinct");
    }

    #[test]
    fn a_view_shows_the_whole_turn() {
        let mut game = game(["2 10 0", "2 10 0"]);
        for answer in ["DIVIDE N", "REST", "MOVE W", "EXPLODE"] {
            game.answer(answer).unwrap();
        }
        let view = game.view();
        let marks = |mark: Mark| -> Vec<usize> { (0..16).filter(|&at| view.cells[at].mark == Some(mark)).collect() };
        // The older cell moved from (1,1) to (0,1); the newborn on (1,0) exploded beside it.
        assert_eq!((marks(Mark::Placed), marks(Mark::Burst)), (vec![], vec![1, 4]));
        assert_eq!(game.ending().unwrap().reason.to_string(), "the first colony is extinct");
    }
}
