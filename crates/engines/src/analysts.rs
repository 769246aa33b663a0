//! Players as engines that can be asked about positions.

use std::time::Duration;

use agon_game::{Budget, Position};
use agon_rules::bacteria::Bacteria;
use agon_rules::catalog::Game;
use agon_rules::renju::Renju;
use agon_search::{Analyst, Info, Task};

use crate::catalog::{Named, find};
use crate::random::Random;
use crate::{Chooser, bacteria, renju};

/// A chooser as an analyst: it moves, and has nothing to tell. It remembers nothing and uses one thread, and it does not
/// look at a stop: choosers that are asked in this way answer within milliseconds.
pub struct Taciturn<C>(pub C);

impl<P: Position, C: Chooser<P>> Analyst<P> for Taciturn<C> {
    fn analyze(&mut self, position: &P, task: &Task, _: &mut dyn FnMut(&Info<P::Move>)) -> Option<P::Move> {
        if position.outcome().is_some() {
            return None;
        }
        let left = task.clock.map(|clock| clock.left).or(task.limits.time).unwrap_or(Duration::from_secs(1));
        Some(self.0.choose(position, Budget { mine: left, theirs: left }))
    }

    fn forget(&mut self) {}

    fn set_memory(&mut self, _: usize) {}

    fn set_threads(&mut self, _: usize) {}
}

/// The engine of Bacteria War that a text names (see [`find`]), its choices drawn from the seed; `None` when
/// there is none. At a level below its best an engine is taciturn: it would tell what it does not see.
pub fn bacteria(text: &str, seed: u64) -> Option<Box<dyn Analyst<Bacteria>>> {
    let Named { builtin, level } = find(Game::Bacteria, text).ok()?;
    Some(match builtin.name {
        "random" => Box::new(Taciturn(Random::new(seed))),
        "greedy" => Box::new(Taciturn(bacteria::Greedy::new(seed))),
        "classic" => Box::new(bacteria::Champion::<bacteria::Classic>::default()),
        "champion" if level == builtin.levels => Box::new(<bacteria::Champion>::default()),
        "champion" => Box::new(Taciturn(bacteria::level::at(level?, seed))),
        _ => return None,
    })
}

/// The engine of renju that a text names, its choices drawn from the seed; `None` when there is none. Weak levels are
/// taciturn here too.
pub fn renju(text: &str, seed: u64) -> Option<Box<dyn Analyst<Renju>>> {
    let Named { builtin, level } = find(Game::Renju, text).ok()?;
    Some(match builtin.name {
        "random" => Box::new(Taciturn(Random::new(seed))),
        "greedy" => Box::new(Taciturn(renju::Greedy::new(seed))),
        "classic" => Box::new(renju::Champion::classic()),
        "champion" if level == builtin.levels => Box::new(renju::Champion::default()),
        "champion" => Box::new(Taciturn(renju::Champion::at(level?, seed))),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::builtins;

    #[test]
    fn every_built_in_is_an_analyst() {
        for builtin in builtins(Game::Bacteria) {
            assert!(bacteria(builtin.name, 1).is_some(), "bacteria {}", builtin.name);
            for level in 1..=builtin.levels.unwrap_or(0) {
                assert!(bacteria(&format!("{}:{level}", builtin.name), 1).is_some(), "{level}");
            }
        }
        for builtin in builtins(Game::Renju) {
            assert!(renju(builtin.name, 1).is_some(), "renju {}", builtin.name);
            for level in 1..=builtin.levels.unwrap_or(0) {
                assert!(renju(&format!("{}:{level}", builtin.name), 1).is_some(), "{level}");
            }
        }
        assert!(bacteria("nobody", 1).is_none() && renju("nobody", 1).is_none());
    }

    #[test]
    fn a_game_that_is_over_has_no_move() {
        let over: Bacteria = "7/7/7/7/7/7/6x o".parse().unwrap();
        for builtin in builtins(Game::Bacteria) {
            let mut analyst = bacteria(builtin.name, 1).unwrap();
            assert_eq!(analyst.analyze(&over, &Task::default(), &mut |_| ()), None, "{}", builtin.name);
        }
    }
}
