//! Players by name.

use agon_game::{Player, Stateless};
use agon_rules::bacteria::Bacteria;
use agon_rules::catalog::Game;
use agon_rules::renju::Renju;

use crate::random::Random;
use crate::{Seated, bacteria, domineering, petri, renju};

/// A built-in player of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// How it plays, in a line.
    pub summary: &'static str,
}

const RANDOM: Builtin = Builtin { name: "random", summary: "every legal move with equal probability" };

const fn greedy(summary: &'static str) -> Builtin {
    Builtin { name: "greedy", summary }
}

const BACTERIA: [Builtin; 2] = [RANDOM, greedy("most cells after the opponent's best reply")];
const DOMINEERING: [Builtin; 3] = [
    RANDOM,
    greedy("the best-paid place that hurts the other most"),
    Builtin { name: "champion", summary: "proves who wins, then plays perfectly" },
];
const RENJU: [Builtin; 2] = [RANDOM, greedy("makes and stops fours and threes, one move deep")];
const PETRI: [Builtin; 11] = [
    Builtin { name: "hungry", summary: "4 7 1, in R: divides towards the enemy, walks to food, seldom fights" },
    Builtin { name: "slimbomber", summary: "1 7 4, in JavaScript: keeps from its friends, explodes among enemies" },
    Builtin { name: "clojure", summary: "4 6 2, in Clojure, kept alive: explodes when it can, divides, attacks" },
    Builtin { name: "midground", summary: "2 10 0, in JavaScript: cuts off the enemy's half, then divides towards it" },
    Builtin { name: "sample", summary: "5 7 0, the cell that newcomers were given: divides, explodes, attacks, eats" },
    Builtin { name: "node480", summary: "4 8 0, in JavaScript: explodes when outnumbered, divides at random, attacks" },
    Builtin { name: "slime", summary: "4 8 0, in Java: divides wherever there is room; does not see column 0" },
    Builtin { name: "evolution", summary: "4 8 0, in Java: always attacks at full strength; does not see column 0" },
    Builtin { name: "amoeba", summary: "5 7 0, in Ruby: divides towards enemies and corpses, eats, attacks" },
    Builtin { name: "coordinated", summary: "6 6 0, in Java: some cells move and some divide; all attack one enemy" },
    Builtin {
        name: "champion",
        summary: "weighs every action by a policy tuned against all of these and their variants",
    },
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

/// The player of this name for a game played in dialogue, its choices drawn from the seed; `None` when the game has
/// none of that name.
pub fn player(game: Game, name: &str, seed: u64) -> Option<Box<dyn Player>> {
    Some(match (game, name) {
        (Game::Bacteria, "random") => Box::new(Seated::new(no_board::<Bacteria>, Random::new(seed))),
        (Game::Bacteria, "greedy") => Box::new(Seated::new(no_board, bacteria::Greedy::new(seed))),
        (Game::Domineering, "random") => Box::new(Seated::new(domineering::start, Random::new(seed))),
        (Game::Domineering, "greedy") => Box::new(Seated::new(domineering::start, domineering::Greedy::new(seed))),
        (Game::Domineering, "champion") => Box::new(Seated::new(domineering::start, domineering::Champion::default())),
        (Game::Renju, "random") => Box::new(Seated::new(no_board::<Renju>, Random::new(seed))),
        (Game::Renju, "greedy") => Box::new(Seated::new(no_board, renju::Greedy::new(seed))),
        _ => return None,
    })
}

/// The start of a game that sends nothing before READY.
fn no_board<P: Default>(preamble: &str) -> Result<P, String> {
    match preamble.lines().next() {
        None => Ok(P::default()),
        Some(line) => Err(format!("`{line}` before READY is not understood")),
    }
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
            }
            for name in defaults(game) {
                assert!(builtins(game).iter().any(|builtin| builtin.name == name), "{game} {name}");
            }
            assert!(player(game, "nobody", 1).is_none());
        }
    }
}
