//! Players by name.

use agon_game::Player;
use agon_rules::bacteria::Bacteria;
use agon_rules::catalog::Game;

use crate::Seated;
use crate::bacteria::Greedy;
use crate::random::Random;

/// A built-in player of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// How it plays, in a line.
    pub summary: &'static str,
}

const RANDOM: Builtin = Builtin { name: "random", summary: "every legal move with equal probability" };

/// The built-in players of a game, from the weakest to the strongest.
pub const fn builtins(game: Game) -> &'static [Builtin] {
    match game {
        Game::Bacteria => &[RANDOM, Builtin { name: "greedy", summary: "most cells after the opponent's best reply" }],
    }
}

/// The player of this name, its choices drawn from the seed; `None` when the game has none of that name.
pub fn player(game: Game, name: &str, seed: u64) -> Option<Box<dyn Player>> {
    Some(match (game, name) {
        (Game::Bacteria, "random") => Box::new(Seated::new(bacteria, Random::new(seed))),
        (Game::Bacteria, "greedy") => Box::new(Seated::new(bacteria, Greedy::new(seed))),
        _ => return None,
    })
}

fn bacteria(preamble: &str) -> Result<Bacteria, String> {
    if preamble.is_empty() {
        Ok(Bacteria::start())
    } else {
        Err(format!("`{preamble}` before READY is not understood"))
    }
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
