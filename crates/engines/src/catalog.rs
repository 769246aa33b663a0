//! Players by name.
//!
//! A player is named by its name alone, `greedy`, or, where it has levels, with the level it is to play at: `champion:3`.
//! [`find`] reads both; everything that names an agent goes through it.

use agon_game::{Player, Stateless};
use agon_rules::bacteria::Bacteria;
use agon_rules::catalog::Game;
use agon_rules::renju::Renju;

use crate::random::Random;
use crate::seated::no_board;
use crate::{Seated, bacteria, domineering, petri, renju};

/// A built-in player of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// How it plays, in a line.
    pub summary: &'static str,
    /// The highest of its levels, if it has levels: they begin at 1, and at the highest it plays as well as it can, as
    /// it does when no level is named.
    pub levels: Option<u8>,
}

/// A built-in player as a text names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// The player.
    pub builtin: Builtin,
    /// The level it is to play at: from 1 to the highest of [`Builtin::levels`]; `None` of a player without levels.
    pub level: Option<u8>,
}

/// Why a text names no built-in player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// No player of the game is called so.
    #[error("{game} has no built-in player `{name}`; it has {}", names(*.game).join(", "))]
    Unknown {
        /// The game.
        game: Game,
        /// The name.
        name: String,
    },
    /// The player has no levels.
    #[error("`{name}:{level}`: {name} has no levels; name it without one")]
    NoLevels {
        /// The player's name.
        name: &'static str,
        /// The level.
        level: String,
    },
    /// The player does not have this level.
    #[error("`{name}:{level}`: the levels of {name} are 1 to {highest}")]
    Level {
        /// The player's name.
        name: &'static str,
        /// The level.
        level: String,
        /// The highest there is.
        highest: u8,
    },
}

const fn builtin(name: &'static str, summary: &'static str) -> Builtin {
    Builtin { name, summary, levels: None }
}

const fn levelled(name: &'static str, summary: &'static str, highest: u8) -> Builtin {
    Builtin { name, summary, levels: Some(highest) }
}

const RANDOM: Builtin = builtin("random", "every legal move with equal probability");

const BACTERIA: [Builtin; 4] = [
    RANDOM,
    builtin("greedy", "most cells after the opponent's best reply"),
    builtin("classic", "the champion's search with a hand-made evaluation"),
    levelled("champion", "a deep search", bacteria::level::HIGHEST),
];
const DOMINEERING: [Builtin; 4] = [
    RANDOM,
    builtin("greedy", "the best-paid place that hurts the other most"),
    builtin("uct", "a Monte Carlo tree search that asks the strips instead of playing games out"),
    levelled("champion", "proves who wins, then plays perfectly", domineering::champion::LEVELS),
];
const RENJU: [Builtin; 4] = [
    RANDOM,
    builtin("greedy", "makes and stops fours and threes, one move deep"),
    builtin("classic", "the champion's search with a hand-made evaluation"),
    levelled("champion", "finds wins by fours and threes, and searches deep", renju::champion::LEVELS),
];
const PETRI: [Builtin; 11] = [
    builtin("hungry", "4 7 1, in R: divides towards the enemy, walks to food, seldom fights"),
    builtin("slimbomber", "1 7 4, in JavaScript: keeps from its friends, explodes among enemies"),
    builtin("clojure", "4 6 2, in Clojure, kept alive: explodes when it can, divides, attacks"),
    builtin("midground", "2 10 0, in JavaScript: cuts off the enemy's half, then divides towards it"),
    builtin("sample", "5 7 0, the cell that newcomers were given: divides, explodes, attacks, eats"),
    builtin("node480", "4 8 0, in JavaScript: explodes when outnumbered, divides at random, attacks"),
    builtin("slime", "4 8 0, in Java: divides wherever there is room; does not see column 0"),
    builtin("evolution", "4 8 0, in Java: always attacks at full strength; does not see column 0"),
    builtin("amoeba", "5 7 0, in Ruby: divides towards enemies and corpses, eats, attacks"),
    builtin("coordinated", "6 6 0, in Java: some cells move and some divide; all attack one enemy"),
    builtin("champion", "weighs every action by a policy tuned against all of these and their variants"),
];

/// The built-in players of a game, from the weakest to the strongest.
pub const fn builtins(game: Game) -> &'static [Builtin] {
    match game {
        Game::Bacteria => &BACTERIA,
        Game::Domineering => &DOMINEERING,
        Game::Renju => &RENJU,
        Game::Petri => &PETRI,
    }
}

/// Their names.
pub fn names(game: Game) -> Vec<&'static str> {
    builtins(game).iter().map(|builtin| builtin.name).collect()
}

/// The built-in player of a game that a text names, as `NAME` or `NAME:LEVEL`.
///
/// # Errors
/// [`NameError`] when there is no such player, or not at such a level.
///
/// ```
/// use agon_engines::catalog::find;
/// use agon_rules::catalog::Game;
/// let named = find(Game::Domineering, "champion:3")?;
/// assert_eq!((named.builtin.name, named.level), ("champion", Some(3)));
/// assert_eq!(find(Game::Domineering, "champion")?.level, named.builtin.levels);
/// assert_eq!(find(Game::Domineering, "greedy")?.level, None);
/// let error = find(Game::Domineering, "champion:0").unwrap_err();
/// assert_eq!(error.to_string(), "`champion:0`: the levels of champion are 1 to 10");
/// # Ok::<(), agon_engines::catalog::NameError>(())
/// ```
pub fn find(game: Game, text: &str) -> Result<Named, NameError> {
    let (name, level) = text.split_once(':').map_or((text, None), |(name, level)| (name, Some(level)));
    let Some(&builtin) = builtins(game).iter().find(|builtin| builtin.name == name) else {
        return Err(NameError::Unknown { game, name: text.to_owned() });
    };
    let level = match (level, builtin.levels) {
        (None, levels) => levels,
        // Programs without a state have variants, which are not listed.
        (Some(_), None) if stateless(game, text).is_some() => None,
        (Some(level), None) => return Err(NameError::NoLevels { name: builtin.name, level: level.to_owned() }),
        (Some(level), Some(highest)) => match level.parse() {
            Ok(number) if (1..=highest).contains(&number) => Some(number),
            _ => return Err(NameError::Level { name: builtin.name, level: level.to_owned(), highest }),
        },
    };
    Ok(Named { builtin, level })
}

/// Who plays a game when nobody is named: the first seat's player and the second's.
pub const fn defaults(game: Game) -> [&'static str; 2] {
    match game {
        Game::Bacteria | Game::Domineering | Game::Renju => ["greedy", "greedy"],
        Game::Petri => ["coordinated", "evolution"],
    }
}

/// The program of this name for a game played by invocations; `None` when the game has none of that name.
pub fn stateless(game: Game, name: &str) -> Option<Box<dyn Stateless>> {
    match game {
        Game::Petri => Some(Box::new(petri::Native(petri::by_name(name)?))),
        Game::Bacteria | Game::Domineering | Game::Renju => None,
    }
}

/// The player that a text names (see [`find`]) for a game played in dialogue, its choices drawn from the seed; `None`
/// when the game has none of that name.
pub fn player(game: Game, text: &str, seed: u64) -> Option<Box<dyn Player>> {
    let Named { builtin, level } = find(game, text).ok()?;
    Some(match (game, builtin.name) {
        (Game::Bacteria, "random") => Box::new(Seated::new(no_board::<Bacteria>, Random::new(seed))),
        (Game::Bacteria, "greedy") => Box::new(Seated::new(no_board, bacteria::Greedy::new(seed))),
        (Game::Bacteria, "classic") => {
            Box::new(Seated::new(no_board, bacteria::Champion::<bacteria::Classic>::default()))
        }
        (Game::Bacteria, "champion") => Box::new(Seated::new(no_board, bacteria::level::at(level?, seed))),
        (Game::Domineering, "random") => Box::new(Seated::new(domineering::start, Random::new(seed))),
        (Game::Domineering, "greedy") => Box::new(Seated::new(domineering::start, domineering::Greedy::new(seed))),
        (Game::Domineering, "uct") => Box::new(Seated::new(domineering::start, domineering::Uct::default())),
        (Game::Domineering, "champion") => {
            Box::new(Seated::new(domineering::start, domineering::Champion::at(level?, seed)))
        }
        (Game::Renju, "random") => Box::new(Seated::new(no_board::<Renju>, Random::new(seed))),
        (Game::Renju, "classic") => Box::new(Seated::new(no_board, renju::Champion::classic())),
        (Game::Renju, "champion") => Box::new(Seated::new(no_board, renju::Champion::at(level?, seed))),
        (Game::Renju, "greedy") => Box::new(Seated::new(no_board, renju::Greedy::new(seed))),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_player_exists() {
        for game in Game::ALL {
            for builtin in builtins(game) {
                let made = player(game, builtin.name, 1).is_some() || stateless(game, builtin.name).is_some();
                assert!(made, "{game} {}", builtin.name);
                for level in 1..=builtin.levels.unwrap_or(0) {
                    assert!(player(game, &format!("{}:{level}", builtin.name), 1).is_some(), "{game} {level}");
                }
            }
            for name in defaults(game) {
                assert!(builtins(game).iter().any(|builtin| builtin.name == name), "{game} {name}");
            }
            assert!(player(game, "nobody", 1).is_none());
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let check = |text: &str, told: &str| {
            let error = find(Game::Domineering, text).unwrap_err().to_string();
            assert!(error.starts_with(told), "`{told}` is not in: {error}");
            assert!(player(Game::Domineering, text, 1).is_none(), "{text}");
        };
        check("nobody", "domineering has no built-in player `nobody`; it has random, greedy");
        check("nobody:3", "domineering has no built-in player `nobody:3`");
        check("", "domineering has no built-in player ``");
        check("greedy:1", "`greedy:1`: greedy has no levels; name it without one");
        for level in ["0", "11", "256", "-1", "", "x", "3:3", " 3", "1.5"] {
            let text = format!("champion:{level}");
            check(&text, &format!("`{text}`: the levels of champion are 1 to 10"));
        }
    }
}
