//! Balanced openings, to measure agents with: from these neither side is ahead.
//!
//! From an opening that one side always wins, two agents that swap seats share the points, however unequal they are.
//! Where the board is drawn, an opening is a board; elsewhere it is the moves that [`openings::draw`] makes for both
//! sides.

use agon_catalog::{Capability, Game, NameError, Setup, TextEngine};
use agon_game::seed::Stream;
use agon_game::{GameState, Outcome, Score, Side};
use agon_jobs::Stop;
use agon_search::{SearchLimits, Task};

use crate::openings::{self, OpeningError};

/// Memory of an engine's tables, in bytes.
const TABLE_BYTES: usize = 4 << 20;

/// Nodes a move of the first quick game in percent of the last one's: so they are different games.
const FIRST_QUICK: u64 = 50;

/// Percent of the points of the quick games that either side must get.
pub const MIN_SHARE: u32 = 30;

/// Which openings to look for.
#[derive(Clone, Debug)]
pub struct BalancedOpenings {
    pub game: Game,
    /// The engine that values openings and plays the quick games against itself.
    pub engine: String,
    /// Moves of an opening; unused if the board is drawn.
    pub plies: u32,
    /// Nodes of the search that evaluates an opening, if the game's engines report values.
    pub nodes: u64,
    /// How far from even their value may be, in hundredths.
    pub bound: i32,
    /// How many quick games the engine plays against itself.
    pub games: u32,
    /// Nodes a move of the last of these games.
    pub quick_nodes: u64,
    pub seed: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalancedOpening {
    /// The opening as a line of an openings file.
    pub line: String,
    /// For the side to move, in hundredths; `None` if the game's engines report no values.
    pub value: Option<i32>,
    /// The first side's points in the quick games, in halves.
    pub first: u32,
}

/// Openings that cannot be looked for.
#[derive(Debug, thiserror::Error)]
pub enum BalanceError {
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error(transparent)]
    Engine(#[from] NameError),
    #[error("`{0}` has no search of positions")]
    NoSearch(String),
    #[error("{0}")]
    Search(String),
}

impl BalancedOpenings {
    /// The opening of this number; `None` if `stop` is raised before one is found. The same number gives the same
    /// opening on every machine.
    ///
    /// # Errors
    /// [`BalanceError`] when the game has no openings, or there is no such engine.
    pub fn find(&self, number: u64, stop: &Stop) -> Result<Option<BalancedOpening>, BalanceError> {
        let mut seeds = Stream::new(self.seed.wrapping_add(number), "balanced");
        while !stop.is_raised() {
            let (line, state) = self.candidate(seeds.next() >> 12)?;
            let value = self.value(state.as_ref())?;
            if value.is_none_or(|value| (-self.bound..=self.bound).contains(&value))
                && let Some(first) = self.first_points(state.as_ref())?
            {
                return Ok(Some(BalancedOpening { line, value, first }));
            }
        }
        Ok(None)
    }

    /// An opening that a seed draws, and the state after it.
    fn candidate(&self, seed: u64) -> Result<(String, Box<dyn GameState>), BalanceError> {
        let mut setup = Setup { seed, ..Setup::default() };
        if self.game.can(Capability::DrawnStart) {
            let state = self.game.initial_state(&setup).map_err(OpeningError::from)?;
            let rows: Vec<String> = state.preamble_of(Side::First).lines().map(str::to_owned).collect();
            return Ok((rows.join("/"), state));
        }
        let opening = openings::draw(self.game, &setup.parameters, self.plies, seed)?;
        setup.parameters.insert(openings::PARAMETER.to_owned(), opening.clone());
        let state = self.game.initial_state(&setup).map_err(OpeningError::from)?;
        Ok((opening, state))
    }

    fn engine(&self, seed: u64) -> Result<Box<dyn TextEngine>, BalanceError> {
        let engine = self.game.find(&self.engine)?.engine(seed);
        let mut engine = engine.ok_or_else(|| BalanceError::NoSearch(self.engine.clone()))?;
        engine.set_memory(TABLE_BYTES);
        Ok(engine)
    }

    /// The value of a position in hundredths for the side to move, `i32::MAX` if decided; `None` if engines say none.
    fn value(&self, state: &dyn GameState) -> Result<Option<i32>, BalanceError> {
        if !self.game.can(Capability::Lines) {
            return Ok(None);
        }
        let mut last = None;
        let task = Task::from(SearchLimits::nodes(self.nodes.max(1)));
        let searched = self.engine(0)?.search(&state.position(), &task, &mut |info| last = Some(info.score));
        searched.map_err(BalanceError::Search)?;
        Ok(Some(match last {
            Some(Score::Centi(value)) => value,
            _ => i32::MAX,
        }))
    }

    /// The first side's points in the quick games, in halves, if neither side gets nearly all.
    fn first_points(&self, state: &dyn GameState) -> Result<Option<u32>, BalanceError> {
        let mut halves = 0;
        for game in 0..self.games {
            let share = FIRST_QUICK + (100 - FIRST_QUICK) * u64::from(game + 1) / u64::from(self.games);
            halves += self.quick_game(state.boxed_clone(), (self.quick_nodes * share / 100).max(1), game)?;
        }
        let least = 2 * self.games * MIN_SHARE;
        let even = 100 * halves >= least && 100 * (2 * self.games - halves) >= least;
        Ok(even.then_some(halves))
    }

    /// The first side's points of a game of the engine against itself, in halves.
    fn quick_game(&self, mut state: Box<dyn GameState>, nodes: u64, seed: u32) -> Result<u32, BalanceError> {
        let mut engine = self.engine(seed.into())?;
        let task = Task::from(SearchLimits::nodes(nodes));
        while state.turn().is_some() {
            let chosen = engine.search(&state.position(), &task, &mut |_| {}).map_err(BalanceError::Search)?;
            let chosen = chosen.ok_or_else(|| BalanceError::NoSearch(self.engine.clone()))?;
            state.answer(&chosen.judged).map_err(|error| BalanceError::Search(error.to_string()))?;
        }
        Ok(match state.ending().map(|ending| ending.outcome) {
            Some(Outcome::Win(Side::First)) => 2,
            Some(Outcome::Win(Side::Second)) => 0,
            _ => 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_openings_are_even_and_the_same_every_time() {
        let check = |game: Game, engine: &str, quick_nodes: u64| {
            let wanted = BalancedOpenings {
                game,
                engine: engine.to_owned(),
                plies: 4,
                nodes: 500,
                bound: 300,
                games: 4,
                quick_nodes,
                seed: 3,
            };
            let found = wanted.find(1, &Stop::default()).unwrap().expect("an opening");
            assert!((3..=5).contains(&found.first), "{found:?}");
            assert_eq!(wanted.find(1, &Stop::default()).unwrap().as_ref(), Some(&found));
            let stop = Stop::default();
            stop.raise();
            assert_eq!(wanted.find(1, &stop).unwrap(), None);
            found
        };
        assert_eq!(check(Game::BACTERIA, "classic", 50).line.split('/').count(), 4);
        assert_eq!(check(Game::DOMINEERING, "greedy", 1).line.split('/').count(), 8);
    }
}
