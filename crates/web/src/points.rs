//! The built-in players on the ladder: the levels of the champions are fixed points.

use agon_arena::stats::elo;
use agon_engines::registry;
use agon_rules::catalog::Game;
use agon_site::store::Competition;

/// The rating of the lowest level.
const LOWEST: f64 = 1000.0;

/// By how many points each level is rated above the one before, as docs/engines measures them in games: 400 times the
/// decimal logarithm of the odds.
const fn steps(game: Game) -> [f64; 9] {
    match game {
        Game::Bacteria => [123.0, 191.0, 301.0, 139.0, 449.0, 402.0, 301.0, 207.0, 511.0],
        Game::Renju => [115.0, 241.0, 424.0, 164.0, 275.0, 210.0, 263.0, 269.0, 296.0],
        Game::Domineering => [70.0, 156.0, 85.0, 28.0, 78.0, 78.0, 42.0, 28.0, 52.0],
        Game::Petri => [0.0; 9],
    }
}

/// The ratings at which the players without levels enter, in the order of the registry, from their games against levels
/// (docs/engines); their games on the ladder correct that. Random moves won none of 100 games against the lowest level of any
/// game, so they enter far below it. The species of the petri dish have no levels to be measured against.
const fn entry_ratings(game: Game) -> &'static [f64] {
    match game {
        Game::Bacteria => &[LOWEST - 600.0, 1760.0, 3280.0],
        Game::Domineering => &[LOWEST - 600.0, 1220.0, 1600.0],
        Game::Renju => &[LOWEST - 600.0, 1430.0, 2900.0],
        Game::Petri => &[],
    }
}

/// The built-in players of a contest by name, with the rating at which each enters, and whether it keeps that. Those without
/// levels are rated by their games. All enter as everybody does, and are rated by their games, where the game has other
/// parameters than those under which the levels were measured.
pub fn builtins(contest: &Competition) -> Vec<(String, f64, bool)> {
    let measured = contest.parameters.is_empty();
    let mut entering = entry_ratings(contest.game).iter().filter(|_| measured);
    let mut all = Vec::new();
    for entry in registry::builtins(contest.game) {
        let Some(levels) = entry.levels else {
            all.push((entry.name.to_owned(), entering.next().copied().unwrap_or(elo::START), false));
            continue;
        };
        let mut rating = LOWEST;
        for level in 1..=levels {
            let name = format!("{}:{level}", entry.name);
            all.push(if measured { (name, rating, true) } else { (name, elo::START, false) });
            rating += steps(contest.game).get(usize::from(level) - 1).copied().unwrap_or_default();
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
    use agon_site::store::SiteStore;

    use super::*;

    #[test]
    fn every_builtin_can_be_found_and_higher_levels_stand_higher() {
        let folder = tempfile::tempdir().unwrap();
        let contests = SiteStore::open(&folder.path().join("site.db")).unwrap().contests().unwrap();
        for mut contest in contests {
            let game = contest.game;
            let all = builtins(&contest);
            assert!(all.iter().all(|(name, ..)| registry::find(game, name).is_ok()), "{all:?}");
            let fixed: Vec<f64> = all.iter().filter(|(.., fixed)| *fixed).map(|(_, rating, _)| *rating).collect();
            assert!(fixed.is_sorted(), "{fixed:?}");
            assert!([0, 10].contains(&fixed.len()), "{game} {fixed:?}: the steps are for ten levels");
            let free = all.iter().filter(|(.., fixed)| !fixed).count();
            assert!([0, free].contains(&entry_ratings(game).len()), "{game}: one for each without levels");
            let weakest = all.iter().find(|(name, ..)| name == weakest(game)).unwrap();
            assert!(all.iter().all(|(_, rating, _)| *rating >= weakest.1), "{game}: newcomers meet the weakest first");
            contest.parameters.insert("rows".to_owned(), "6".to_owned());
            assert!(builtins(&contest).iter().all(|(_, rating, fixed)| *rating == elo::START && !fixed), "{game}");
        }
    }
}
