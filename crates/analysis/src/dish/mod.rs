//! The petri dish for a page: two colonies, built in or written as a rule, are run to the end and shown by the viewer.

mod rule;

use std::sync::Arc;
use std::time::Duration;

use agon_catalog::{Game, Setup};
use agon_game::seed::{invocation_seed, seat_seed};
use agon_game::{Side, Stateless};
use agon_message::{Stated, messages};
use agon_search::Instant;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::board::Refusal;
use crate::game_log::{GameFact, GameLog, LoggedMove, result, write_message};
use rule::WrittenRule;

pub use rule::{RuleError, RulePart};

/// The name of a colony whose rule is written.
pub const WRITTEN: &str = "rule";

/// Columns and rows of a dish that is run for a page.
const MAX_DISH_SIZE: usize = 24;

const MAX_TURNS: u32 = 300;

/// Initial rule in the form.
const EXAMPLE: &str = "BEGIN 4 8 0\nenemies >= 2 and hp <= 2: EXPLODE\nATTACK enemy 3\nenergy >= 5: DIVIDE enemy\n\
    EAT corpse\nenergy >= 3: MOVE enemy\nREST";

messages! {
    /// Reason why a dish is not run.
    #[derive(Clone, PartialEq, Eq)]
    pub enum DishError {
        Rule { problem: RuleError } = "your rule: {problem}",
        Program = "choose a program for the dish",
        Seed { seed: String } = "invalid seed: `{seed}`; enter a number",
        Bounds { columns: usize, rows: usize, turns: u32 } =
            "dish is too large; the limit is {columns} columns, {rows} rows and {turns} turns",
    }
}

/// Request of a page: the texts of its form.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct DishQuestion {
    pub first: String,
    pub second: String,
    pub rule: String,
    pub width: String,
    pub height: String,
    pub turns: String,
    pub seed: String,
}

impl Default for DishQuestion {
    fn default() -> Self {
        let text = str::to_owned;
        Self {
            first: text("champion"),
            second: text("coordinated"),
            rule: text(EXAMPLE),
            width: text("10"),
            height: text("4"),
            turns: text("150"),
            seed: text("1"),
        }
    }
}

impl DishQuestion {
    fn setup(&self) -> Result<Setup, Refusal> {
        let seed = self.seed.trim();
        let seed = seed.parse().map_err(|_| Refusal::from_message(DishError::Seed { seed: seed.to_owned() }))?;
        let small = |text: &str, most: usize| text.trim().parse().is_ok_and(|number: usize| number <= most);
        if !(small(&self.width, MAX_DISH_SIZE)
            && small(&self.height, MAX_DISH_SIZE)
            && small(&self.turns, MAX_TURNS as usize))
        {
            let (columns, rows, turns) = (MAX_DISH_SIZE, MAX_DISH_SIZE, MAX_TURNS);
            return Err(Refusal::from_message(DishError::Bounds { columns, rows, turns }));
        }
        let sizes = [("width", &self.width), ("height", &self.height), ("turns", &self.turns)];
        Ok(Setup { seed, parameters: sizes.map(|(name, text)| (name.to_owned(), text.trim().to_owned())).into() })
    }

    /// The program of a colony.
    fn colony(&self, name: &str) -> Result<Arc<dyn Stateless>, Refusal> {
        if name == WRITTEN {
            let rule: WrittenRule =
                self.rule.parse().map_err(|problem| Refusal::from_message(DishError::Rule { problem }))?;
            return Ok(Arc::new(rule));
        }
        let named = Game::PETRI.find(name).map_err(|error| Refusal::new(&error))?;
        named.program().ok_or_else(|| Refusal::from_message(DishError::Program))
    }

    /// Runs the dish, and returns the game in the viewer's form; `own` names a colony whose rule is written by the
    /// user. The same question gives the same game as a bout of the referee, except for its times.
    ///
    /// # Errors
    /// [`Refusal`] for an unknown colony, an invalid rule, and a dish that is too large.
    pub fn run(&self, own: &str) -> Result<Value, Refusal> {
        let refused = |error: &dyn ToString| Refusal::new(&error.to_string());
        let names = [&*self.first, &self.second];
        let [first, second] = names.map(|name| self.colony(name));
        let programs = [first?, second?];
        let setup = self.setup()?;
        let mut state = Game::PETRI.initial_state(&setup).map_err(Refusal::from_message)?;
        let seeds = Side::BOTH.map(|side| seat_seed(setup.seed, side));
        let respond = |side: Side, input: &str, purpose: &str| {
            let at = side.index();
            programs[at].respond(input.as_bytes(), invocation_seed(seeds[at], purpose)).map_err(|error| refused(&error))
        };
        for side in Side::BOTH {
            let answer = respond(side, "BEGIN", "begin")?;
            state.begin(side, answer.as_bytes()).map_err(|error| refused(&error))?;
        }
        let names = names.map(|name| if name == WRITTEN { own } else { name });
        let facts = [
            Stated::from(&GameFact::Seed { seed: setup.seed.to_string() }),
            Stated::from(&GameFact::Agon { version: env!("CARGO_PKG_VERSION").to_owned() }),
        ];
        let mut log = GameLog::new(state.as_ref());
        let mut game = log.head(state.as_ref(), names, &facts);
        let (mut steps, mut clocks, mut prompt) = (Vec::new(), [Duration::ZERO; 2], String::new());
        while let Some(side) = state.turn() {
            state.prompt(&mut prompt);
            let begun = Instant::now();
            let answer = respond(side, &prompt, &state.ply().to_string())?;
            let wall = begun.elapsed();
            let arguments = state.answer(&answer).map_err(|error| refused(&error))?;
            clocks[side.index()] += wall;
            let remark = state.remark().map(|remark| Stated::from(&*remark));
            let made = LoggedMove { side, arguments, wall, clocks, remark, evaluation: None, messages: None };
            steps.extend(log.played(state.as_ref(), made));
        }
        steps.extend(log.step(state.as_ref()));
        let ending = state.ending();
        let reason = ending.as_ref().map_or_else(|| "".into(), |ending| Stated::from(&*ending.reason));
        let outcome = ending.as_ref().map(|ending| ending.outcome);
        write_message(&mut game, "result", &result(outcome, state.seats(), names, reason));
        game["failures"] = json!([]);
        game["places"] = log.new_places();
        game["steps"] = steps.into();
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_rule_plays_a_species() {
        let asked =
            DishQuestion { first: WRITTEN.to_owned(), second: "coordinated".to_owned(), ..DishQuestion::default() };
        let game = asked.run("your rule").unwrap();
        assert_eq!(game["names"], json!(["your rule", "coordinated"]));
        assert!(game["steps"].as_array().unwrap().len() > 10);
        assert!(game["result"].as_str().unwrap().contains(" wins: "), "{}", game["result"]);
        let check = |asked: DishQuestion, wanted: &str| {
            let message = asked.run("your rule").unwrap_err().to_string();
            assert!(message.contains(wanted), "`{wanted}` is not in: {message}");
        };
        check(DishQuestion { second: "unknown".to_owned(), ..asked.clone() }, "no built-in player `unknown`");
        check(DishQuestion { rule: "BEGIN".to_owned(), ..asked.clone() }, "your rule: line 1");
        check(DishQuestion { width: "25".to_owned(), ..asked.clone() }, "the limit is 24 columns");
        check(DishQuestion { height: "3".to_owned(), ..asked.clone() }, "height is `3`");
        check(DishQuestion { seed: "x".to_owned(), ..asked }, "invalid seed: `x`");
    }
}
