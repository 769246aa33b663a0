//! Balanced openings, to measure engines with: from these neither side is ahead.
//!
//! From an opening that one side wins, two engines that swap seats share the points, however unequal they are.

use agon_engines::renju::Champion;
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_jobs::Stop;
use agon_rules::renju::{Move, Renju};
use agon_search::{Engine, SearchLimits, Task};

use super::opening;
use crate::OpeningPlies;

/// A first search with this fraction of the nodes rejects openings whose value is more than twice the bound.
const QUICK_DIVISOR: u64 = 10;

/// Nodes a move of the first quick game, and how many more of each other one: so they are different games.
const QUICK_NODES: u64 = 1_000;
const QUICK_STEP: u64 = 300;

/// Percent of the points of the quick games that either side must get.
const MIN_SHARE: u32 = 30;

/// Requested openings.
#[derive(Clone, Copy, Debug)]
pub struct BalancedOpenings {
    pub stones: OpeningPlies,
    /// Nodes of the search that values an opening.
    pub nodes: u64,
    /// Maximum absolute value, in hundredths.
    pub bound: i32,
    /// Number of quick games that the champion plays against itself.
    pub games: u32,
    pub seed: u64,
}

#[derive(Clone, Debug)]
pub struct BalancedOpening {
    pub moves: Vec<Move>,
    pub position: Renju,
    /// For the side to move, in hundredths.
    pub value: i32,
    /// Black's points in the quick games, in halves.
    pub black: u32,
}

impl BalancedOpenings {
    /// The opening of this number; `None` if `stop` is raised before one is found. The same number gives the same
    /// opening on every machine.
    pub fn find(&self, number: u64, stop: &Stop) -> Option<BalancedOpening> {
        let mut stream = Stream::new(self.seed.wrapping_add(number), "balanced");
        let mut engine = Champion::default();
        while !stop.is_raised() {
            let stones = self.stones.draw(&mut stream, 3);
            let (position, moves) = opening::drawn(&mut stream, stones);
            let found = self
                .value(&mut engine, &position)
                .and_then(|value| self.black_points(&mut engine, &position).map(|black| (value, black)));
            if let Some((value, black)) = found {
                return Some(BalancedOpening { moves, position, value, black });
            }
        }
        None
    }

    /// The value of a position that is even enough.
    fn value(&self, engine: &mut Champion, position: &Renju) -> Option<i32> {
        let mut last = None;
        for (nodes, bound) in [(self.nodes / QUICK_DIVISOR, 2 * self.bound), (self.nodes, self.bound)] {
            engine.new_game();
            let task = Task::from(SearchLimits::nodes(nodes.max(1)));
            let value = engine.start(position, &task, &mut |_| {})?.value;
            if value.abs() > bound {
                return None;
            }
            last = Some(value);
        }
        last
    }

    /// Black's points in the quick games, in halves, if neither side gets nearly all.
    fn black_points(&self, engine: &mut Champion, position: &Renju) -> Option<u32> {
        let halves: u32 = (0..self.games)
            .map(|game| {
                engine.new_game();
                quick_game(engine, position.clone(), QUICK_NODES + u64::from(game) * QUICK_STEP)
            })
            .sum();
        let least = 2 * self.games * MIN_SHARE;
        (100 * halves >= least && 100 * (2 * self.games - halves) >= least).then_some(halves)
    }
}

/// Black's points of a game of the engine against itself, in halves.
fn quick_game(engine: &mut Champion, mut position: Renju, nodes: u64) -> u32 {
    let task = Task::from(SearchLimits::nodes(nodes));
    loop {
        match position.outcome() {
            Some(Outcome::Win(winner)) => return 2 * u32::from(winner == Side::First),
            Some(Outcome::Draw) => return 1,
            None => {}
        }
        let Some(m) = engine.search(&position, &task, &mut |_| {}) else { return 1 };
        position.play_unchecked(m, &mut ());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_openings_are_even_and_the_same_every_time() {
        let wanted =
            BalancedOpenings { stones: OpeningPlies::from_to(4, 5), nodes: 400, bound: 150, games: 4, seed: 3 };
        let found = wanted.find(1, &Stop::default()).expect("an opening");
        assert!((4..=5).contains(&found.moves.len()) && found.position.outcome().is_none(), "{found:?}");
        assert!(found.value.abs() <= 150 && (3..=5).contains(&found.black), "{found:?}");
        assert_eq!(Renju::after(&found.moves).expect("legal moves").board(), found.position.board());
        assert_eq!(wanted.find(1, &Stop::default()).expect("an opening").moves, found.moves);
        let stop = Stop::default();
        stop.raise();
        assert!(wanted.find(1, &stop).is_none());
    }
}
