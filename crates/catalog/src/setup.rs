//! Everything that distinguishes one bout of a game from another before the first move.

use std::collections::BTreeMap;

use agon_game::{Alternating, Show};
use agon_message::{English, Reason, messages};

/// Parameters and seed of one bout. The same set-up gives the same game on every machine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// Seed of all randomness in the game.
    pub seed: u64,
    /// Parameters by name; those left out have their defaults.
    pub parameters: BTreeMap<String, String>,
}

impl Setup {
    /// The moves of the opening, in the judge's notation or in that of people.
    pub fn opening(&self) -> impl Iterator<Item = &str> {
        let text = self.given(OPENING.name).map_or(OPENING.default, str::trim);
        let none = text.is_empty() || text == OPENING.default;
        text.split('/').map(str::trim).filter(move |_| !none)
    }

    /// Returns the value of a parameter, if it is given.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }

    /// A game in progress from a position, after the moves of the opening.
    ///
    /// # Errors
    /// [`SetupError::Value`] at the first move that the rules refuse.
    pub fn opened<P: Show>(&self, position: P) -> Result<Alternating<P>, SetupError> {
        Alternating::opened(position, self.opening()).map_err(|error| SetupError::Value {
            name: OPENING.name,
            problem: format!("refused at `{}`: {error}", error.text()).into(),
            expected: Expected::Moves,
        })
    }
}

/// One parameter of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameParameter {
    /// Name on the command line: `rows`.
    pub name: &'static str,
    /// Meaning, in a few words.
    pub meaning: &'static str,
    /// Valid values.
    pub values: &'static str,
    pub default: &'static str,
}

/// Parameter of every game whose players move in turn; a game's row has example moves of its own.
pub const OPENING: GameParameter = GameParameter {
    name: "opening",
    meaning: "moves made for both sides before the first TURN, for agents that know OPENING lines",
    values: "moves as people or the judge write them, separated by `/`",
    default: "none",
};

/// The parameter of a game that can begin at any position.
pub const POSITION: GameParameter = GameParameter {
    name: "position",
    meaning: "where the game begins, for agents that know POSITION lines",
    values: "a position in the game's notation",
    default: "start",
};

messages! {
    /// Reason why a game cannot be set up.
    #[derive(Clone, PartialEq, Eq)]
    pub enum SetupError {
        Unknown { game: &'static str, name: String, known: String } =
            "{game} has no parameter `{name}`; it has {known}",
        Value { name: &'static str, problem: English, expected: Expected } = "{name} is {problem}; {expected} expected",
        Position { game: &'static str, text: String, problem: Reason } =
            "`{text}` is not a position of {game}: {problem}",
        Rules { game: &'static str, problem: English } = "the rules of {game}: {problem}",
        Uncountable { game: &'static str } = "{game} has many actors per turn; its lines of play cannot be counted",
    }

    /// What the value of a parameter must be.
    #[derive(Clone, PartialEq, Eq)]
    pub enum Expected {
        Whole { least: usize, most: usize } = "{least} to {most}",
        BoardRows = "one row of weights after the other, separated by `/`,",
        HalfPoints = "points in steps of one half",
        Fen = "a FEN such as `x5o/7/7/7/7/7/o5x x 0 1`",
        PetriRules = "contest or published",
        Moves = "legal moves separated by `/`",
        RuleSet = "alphano, renju, standard or freestyle",
        Opening = "an opening rule and all its decisions",
        /// In the words of the author of a game.
        Own(text: English),
    }
}

impl std::error::Error for SetupError {}
