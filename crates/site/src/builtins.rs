//! The built-in players on the ladder: the levels of the champions are fixed points.

use agon_arena::stats::elo;
use agon_catalog::Game;

use crate::store::Competition;

/// The rating of the lowest level.
const LOWEST: f64 = 1000.0;

/// The built-in players of a competition by name, with the rating at which each enters, and whether it keeps that
/// rating. Those without levels are rated by their games. If the game has other parameters than those for which the
/// levels were measured, all enter like everyone else and are rated by their games. In a user's game nothing was
/// measured: the lowest level is the one fixed point, and the others begin at estimates.
pub fn builtins(competition: &Competition) -> Vec<(String, f64, bool)> {
    let measured = competition.parameters.is_empty();
    let mut all = Vec::new();
    for builtin in competition.game.builtins {
        let Some(steps) = builtin.level_steps else {
            let rating = builtin.rating.filter(|_| measured).unwrap_or(elo::START);
            all.push((builtin.name.to_owned(), rating, false));
            continue;
        };
        let mut rating = LOWEST;
        for (level, step) in steps.iter().chain([&0.0]).enumerate() {
            let name = format!("{}:{}", builtin.name, level + 1);
            let fixed = level == 0 || !competition.game.is_program();
            all.push(if measured { (name, rating, fixed) } else { (name, elo::START, false) });
            rating += step;
        }
    }
    all
}

/// Against whom a newcomer plays its check game: the weakest. A game that is served has one.
pub fn weakest(game: Game) -> &'static str {
    game.builtins.first().map_or("random", |builtin| builtin.name)
}

#[cfg(test)]
mod tests {
    use crate::store::SiteStore;

    use super::*;

    #[test]
    fn every_builtin_can_be_found_and_higher_levels_stand_higher() {
        let folder = tempfile::tempdir().unwrap();
        let competitions = SiteStore::open(&folder.path().join("site.db")).unwrap().competitions().unwrap();
        for mut competition in competitions {
            let game = competition.game;
            let all = builtins(&competition);
            assert!(all.iter().all(|(name, ..)| game.find(name).is_ok()), "{all:?}");
            let fixed: Vec<f64> = all.iter().filter(|(.., fixed)| *fixed).map(|(_, rating, _)| *rating).collect();
            assert!(fixed.is_sorted(), "{fixed:?}");
            assert!([0, 10].contains(&fixed.len()), "{game} {fixed:?}: the steps are for ten levels");
            let free = all.iter().filter(|(.., fixed)| !fixed).count();
            assert!(
                [0, free].contains(&game.builtins.iter().filter(|builtin| builtin.rating.is_some()).count()),
                "{game}: one for each without levels"
            );
            let weakest = all.iter().find(|(name, ..)| name == weakest(game)).unwrap();
            assert!(all.iter().all(|(_, rating, _)| *rating >= weakest.1), "{game}: newcomers meet the weakest first");
            competition.parameters.insert("rows".to_owned(), "6".to_owned());
            assert!(builtins(&competition).iter().all(|(_, rating, fixed)| *rating == elo::START && !fixed), "{game}");
        }
    }
}
