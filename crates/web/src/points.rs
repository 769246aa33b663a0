//! The built-in players on the ladder: the levels of the champions are fixed points.

use agon_arena::stats::elo;
use agon_engines::registry;
use agon_rules::catalog::Game;

/// The rating of the lowest level.
const LOWEST: f64 = 1000.0;

/// By how many points each level is rated above the one before, as docs/engines measures them in games: 400 times the
/// decimal logarithm of the odds. In domineering they have not been measured, and are assumed to be even.
const fn steps(game: Game) -> [f64; 9] {
    match game {
        Game::Bacteria => [123.0, 191.0, 301.0, 139.0, 449.0, 402.0, 301.0, 207.0, 511.0],
        Game::Renju => [115.0, 241.0, 424.0, 164.0, 275.0, 210.0, 263.0, 269.0, 296.0],
        Game::Domineering | Game::Petri => [150.0; 9],
    }
}

/// The built-in players of a game by name, with the rating at which each enters, and whether it keeps that. Those without
/// levels enter as everybody does, and are rated by their games.
pub fn builtins(game: Game) -> Vec<(String, f64, bool)> {
    let mut all = Vec::new();
    for entry in registry::builtins(game) {
        let Some(levels) = entry.levels else {
            all.push((entry.name.to_owned(), elo::START, false));
            continue;
        };
        let mut rating = LOWEST;
        for level in 1..=levels {
            all.push((format!("{}:{level}", entry.name), rating, true));
            rating += steps(game).get(usize::from(level) - 1).copied().unwrap_or_default();
        }
    }
    all
}

/// Against whom a newcomer plays its check game: the weakest.
pub fn weakest(game: Game) -> &'static str {
    registry::names(game)[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_can_be_found_and_higher_levels_stand_higher() {
        for game in Game::ALL {
            let all = builtins(game);
            assert!(all.iter().all(|(name, ..)| registry::find(game, name).is_ok()), "{all:?}");
            let fixed: Vec<f64> = all.iter().filter(|(.., fixed)| *fixed).map(|(_, rating, _)| *rating).collect();
            assert!(fixed.is_sorted(), "{fixed:?}");
            assert!([0, 10].contains(&fixed.len()), "{game} {fixed:?}: the steps are for ten levels");
        }
    }
}
