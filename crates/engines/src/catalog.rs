//! Players by name.

use agon_game::Player;
use agon_rules::bacteria::Bacteria;
use agon_rules::catalog::Game;
use agon_rules::renju::Renju;

use crate::random::Random;
use crate::{Seated, bacteria, domineering, renju};

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

/// The built-in players of a game, from the weakest to the strongest.
pub const fn builtins(game: Game) -> &'static [Builtin] {
    match game {
        Game::Bacteria => &BACTERIA,
        Game::Domineering => &DOMINEERING,
        Game::Renju => &RENJU,
    }
}

/// The player of this name, its choices drawn from the seed; `None` when the game has none of that name.
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
    if preamble.is_empty() { Ok(P::default()) } else { Err(format!("`{preamble}` before READY is not understood")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_player_exists() {
        for game in Game::ALL {
            for builtin in builtins(game) {
                assert!(player(game, builtin.name, 1).is_some(), "{game} {}", builtin.name);
            }
            assert!(player(game, "nobody", 1).is_none());
        }
    }
}
