//! The closed list of games: from a name and parameters to a boxed contest.

use std::collections::BTreeMap;
use std::fmt;

use agon_game::perft::Count;
use agon_game::{Alternating, Contest};

use crate::bacteria::Bacteria;

/// A game of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Game {
    /// Bacteria War, Ataxx on 7 × 7.
    Bacteria,
}

/// What distinguishes one bout of a game from another before the first move. The same set-up gives the same game on
/// every machine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// From which whatever is random about the game is drawn.
    pub seed: u64,
    /// Parameters by name; those left out have their defaults.
    pub parameters: BTreeMap<String, String>,
}

/// One parameter of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// Which values it takes.
    pub values: &'static str,
    /// The value it has when it is not given.
    pub default: &'static str,
}

/// Why there is no such game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// The game has no parameter of that name.
    #[error("{game} has no parameter `{name}`; it has {}", listed(*game))]
    Unknown {
        /// The game.
        game: Game,
        /// The refused name.
        name: String,
    },
    /// A position that does not read.
    #[error("`{text}` is no position of {game}: {problem}")]
    Position {
        /// The game.
        game: Game,
        /// The refused text.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
}

fn listed(game: Game) -> String {
    let names: Vec<&str> = game.parameters().iter().map(|parameter| parameter.name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl Game {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Bacteria];

    /// The name by which commands and records know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bacteria => "bacteria",
        }
    }

    /// The contest's name for it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Bacteria => "Bacteria War",
        }
    }

    /// The game in a line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Bacteria => "Ataxx on 7 x 7 without blockers; more cells win; 200 moves a side at most",
        }
    }

    /// The game of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }

    /// The parameters of a set-up.
    pub const fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::Bacteria => &[],
        }
    }

    /// The game's start under a set-up.
    ///
    /// # Errors
    /// [`SetupError`] names the parameter that is wrong.
    pub fn contest(self, setup: &Setup) -> Result<Box<dyn Contest>, SetupError> {
        for name in setup.parameters.keys() {
            if !self.parameters().iter().any(|parameter| parameter.name == name) {
                return Err(SetupError::Unknown { game: self, name: name.clone() });
            }
        }
        Ok(match self {
            Self::Bacteria => Box::new(Alternating::new(Bacteria::start())),
        })
    }

    /// A position to count from: the one of a text in the game's own notation, else the game's start.
    ///
    /// # Errors
    /// [`SetupError::Position`] when the text does not read.
    pub fn position(self, text: Option<&str>) -> Result<Box<dyn Count>, SetupError> {
        let Some(text) = text else {
            return Ok(match self {
                Self::Bacteria => Box::new(Bacteria::start()),
            });
        };
        let problem = |problem: String| SetupError::Position { game: self, text: text.to_owned(), problem };
        Ok(match self {
            Self::Bacteria => Box::new(text.parse::<Bacteria>().map_err(|error| problem(error.to_string()))?),
        })
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_games() {
        for game in Game::ALL {
            assert_eq!(Game::by_name(game.name()), Some(game));
            assert!(game.contest(&Setup::default()).is_ok());
        }
        assert_eq!(Game::by_name("chess"), None);
    }

    #[test]
    fn an_unknown_parameter_is_refused() {
        let setup = Setup { seed: 0, parameters: [("hats".to_owned(), "3".to_owned())].into() };
        let error = Game::Bacteria.contest(&setup).err().unwrap();
        assert_eq!(error.to_string(), "bacteria has no parameter `hats`; it has none");
    }
}
