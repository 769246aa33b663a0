//! The list of all games: makes a contest from a game's name and parameters.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use agon_game::perft::PerftPosition;
use agon_game::{Alternating, GameState, Show};

use crate::bacteria::Bacteria;
use crate::domineering::{Bonus, Domineering, WeightedBoard};
use crate::petri::{self, Petri, Rules};
use crate::renju::Renju;

/// A game of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Game {
    /// Bacteria War, Ataxx on 7 × 7.
    Bacteria,
    /// Domineering with points.
    Domineering,
    /// Renju.
    Renju,
    /// Battle for the Petri Dish.
    Petri,
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

impl Setup {
    /// The moves of the opening, in the judge's notation or in that of people.
    pub fn opening(&self) -> impl Iterator<Item = &str> {
        let text = self.parameters.get(OPENING.name).map_or(OPENING.default, |text| text.trim());
        let none = text.is_empty() || text == OPENING.default;
        text.split('/').map(str::trim).filter(move |_| !none)
    }
}

/// One parameter of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameParameter {
    /// The name by which it is set: `rows`.
    pub name: &'static str,
    /// What it means, in a few words.
    pub meaning: &'static str,
    /// Which values it takes.
    pub values: &'static str,
    /// The value it has when it is not given.
    pub default: &'static str,
}

/// Why there is no such game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SetupError {
    #[error("{game} has no parameter `{name}`; it has {}", listed(*game))]
    Unknown { game: Game, name: String },
    #[error("{name} is {problem}; {expected} expected")]
    Value { name: &'static str, problem: String, expected: &'static str },
    #[error("`{text}` is no position of {game}: {problem}")]
    Position { game: Game, text: String, problem: String },
    #[error("{game} has many actors a turn: its lines of play cannot be counted")]
    Uncountable { game: Game },
}

fn listed(game: Game) -> String {
    let names: Vec<&str> = game.parameters().iter().map(|parameter| parameter.name).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl Game {
    /// All games, in the order of the lists that people see.
    pub const ALL: [Self; 4] = [Self::Bacteria, Self::Domineering, Self::Renju, Self::Petri];

    /// The name by which commands and records know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bacteria => "bacteria",
            Self::Domineering => "domineering",
            Self::Renju => "renju",
            Self::Petri => "petri",
        }
    }

    /// The contest's name for it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Bacteria => "Bacteria War",
            Self::Domineering => "Domineering",
            Self::Renju => "Renju",
            Self::Petri => "Battle for the Petri Dish",
        }
    }

    /// Whether a game of it can be drawn, with the parameters that it has when none are given.
    pub const fn can_be_drawn(self) -> bool {
        // V's bonus has half a point.
        !matches!(self, Self::Domineering)
    }

    /// The game in a line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Bacteria => "Ataxx on 7 x 7 without blockers; more cells win; 200 moves a side at most",
            Self::Domineering => "dominoes on a board of points, across and upright; more points win",
            Self::Renju => "five in a row; forbidden moves for Black; turns 1 to 3 near the centre",
            Self::Petri => "two colonies; a program is run anew for every action; more cells win",
        }
    }

    /// What a player must know before the first move, point by point: the moves in the judge's notation, where the game
    /// begins, how it ends.
    pub const fn rules(self) -> &'static [&'static str] {
        match self {
            Self::Bacteria => &[
                "Cells are (row,column). O (first) starts on (1,1) and (7,7), X on (1,7) and (7,1).",
                "MOVE x1 y1 x2 y2 goes from an own cell to an empty one, 1 or 2 steps away: by 1 step the source stays \
                 (Division), by 2 it is emptied (Leap). Then all opposing cells on the 8 neighbours of (x2,y2) change sides.",
                "PASS, MOVE -1 -1 -1 -1, is legal only without any other move.",
                "The game ends when a side has no cell, when the board is full, or after turn 400. More cells win.",
            ],
            Self::Domineering => &[
                "Before READY come the rows of the board: 8 lines of 8 numbers.",
                "MOVE x y gives row and column of the domino's upper or left cell: H (first) covers (x,y) and (x,y+1), V \
                 covers (x,y) and (x+1,y).",
                "A domino scores the sum of its two cells. V starts with 2.5 points.",
                "PASS, MOVE -1 -1, is always legal. Two PASSes in a row end the game.",
                "The game ends also when neither side has a place left. More points win.",
            ],
            Self::Renju => &[
                "Turn 1: Black must play MOVE 8 8 (row, column).",
                "Turn 2: White must play MOVE x y with x and y from 7 to 9.",
                "Turn 3: Black must play MOVE x y with x and y from 6 to 10.",
                "From turn 4 on: any empty point, or PASS, MOVE -1 -1. Two PASSes in a row are a draw.",
                "Exactly five in a row win; for White six or more, too.",
                "Forbidden to Black are six or more, two fours, and two threes with one stone, unless it makes a five. A \
                 forbidden move loses (verdict RE).",
            ],
            Self::Petri => &[
                "A program is run once with BEGIN and answers HP ENERGY ACIDITY, sum 12.",
                "Then it is run once for each action of each cell: it gets the dish and x y hp energy. x goes right, y down, \
                 from 0; o is own, x the enemy, c a corpse.",
                "It answers REST (energy +2), MOVE d (-1), DIVIDE d (-5), EAT d (+4), ATTACK d s (s from 1 to 3, energy -s, \
                 target hp -s) or EXPLODE, where d is N, NE, E, SE, S, SW, W or NW. Any other answer is a REST.",
                "The game ends when a colony has no cells, or after the last turn: more cells win.",
            ],
        }
    }

    /// The page with the whole rules, pictures and an example, in the project's documents.
    pub const fn page(self) -> &'static str {
        match self {
            Self::Bacteria => "docs/rules/bacteria.md",
            Self::Domineering => "docs/rules/domineering.md",
            Self::Renju => "docs/rules/renju.md",
            Self::Petri => "docs/rules/petri.md",
        }
    }

    /// Where the contest has its own text of the rules.
    pub const fn source(self) -> &'static str {
        match self {
            Self::Bacteria => "https://alphano.co.kr/en/problem/1",
            Self::Domineering => "https://alphano.co.kr/en/problem/9",
            Self::Renju => "https://alphano.co.kr/en/problem/8",
            Self::Petri => "https://codegolf.stackexchange.com/questions/34444/battle-for-the-petri-dish",
        }
    }

    /// The game of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }

    /// The parameters of a set-up.
    pub const fn parameters(self) -> &'static [GameParameter] {
        match self {
            Self::Bacteria | Self::Renju => &[OPENING],
            Self::Domineering => &DOMINEERING,
            Self::Petri => &PETRI,
        }
    }

    /// The game's start under a set-up.
    ///
    /// # Errors
    /// [`SetupError`] names the parameter that is wrong.
    pub fn initial_state(self, setup: &Setup) -> Result<Box<dyn GameState>, SetupError> {
        self.know(setup)?;
        Ok(match self {
            Self::Bacteria => Box::new(opened(Bacteria::start(), setup)?),
            Self::Domineering => Box::new(opened(domineering(setup)?, setup)?),
            Self::Renju => Box::new(opened(Renju::default(), setup)?),
            Self::Petri => Box::new(petri(setup)?),
        })
    }

    /// A game that goes on from the position of a text in the game's own notation.
    ///
    /// # Errors
    /// [`SetupError`] when the text does not read, or the game has no positions of two sides that move in turn.
    pub fn state_at(self, text: &str) -> Result<Box<dyn GameState>, SetupError> {
        Ok(match self {
            Self::Bacteria => Box::new(Alternating::new(self.read::<Bacteria>(text)?)),
            Self::Domineering => Box::new(Alternating::new(self.read::<Domineering>(text)?)),
            Self::Renju => Box::new(Alternating::new(self.read::<Renju>(text)?)),
            Self::Petri => return Err(SetupError::Uncountable { game: self }),
        })
    }

    /// Reads a position in the game's own notation.
    fn read<P: FromStr<Err: fmt::Display>>(self, text: &str) -> Result<P, SetupError> {
        text.parse().map_err(|error: P::Err| SetupError::Position {
            game: self,
            text: text.to_owned(),
            problem: error.to_string(),
        })
    }

    /// Refuses a parameter that the game has not.
    fn know(self, setup: &Setup) -> Result<(), SetupError> {
        let unknown = |name: &&String| !self.parameters().iter().any(|parameter| parameter.name == *name);
        match setup.parameters.keys().find(unknown) {
            Some(name) => Err(SetupError::Unknown { game: self, name: name.clone() }),
            None => Ok(()),
        }
    }

    /// A position to count from: the one of a text in the game's own notation, else the game's start under a set-up.
    ///
    /// # Errors
    /// [`SetupError`] when the text does not read, the set-up is wrong, or the game has no positions of two sides that
    /// move in turn.
    pub fn position(self, text: Option<&str>, setup: &Setup) -> Result<Box<dyn PerftPosition>, SetupError> {
        self.know(setup)?;
        let Some(text) = text else {
            return Ok(match self {
                Self::Bacteria => Box::new(opened(Bacteria::start(), setup)?.into_position()),
                Self::Domineering => Box::new(opened(domineering(setup)?, setup)?.into_position()),
                Self::Renju => Box::new(opened(Renju::default(), setup)?.into_position()),
                Self::Petri => return Err(SetupError::Uncountable { game: self }),
            });
        };
        Ok(match self {
            Self::Bacteria => Box::new(self.read::<Bacteria>(text)?),
            Self::Domineering => Box::new(self.read::<Domineering>(text)?),
            Self::Renju => Box::new(self.read::<Renju>(text)?),
            Self::Petri => return Err(SetupError::Uncountable { game: self }),
        })
    }
}

/// The parameter of every game whose players move in turn.
const OPENING: GameParameter = GameParameter {
    name: "opening",
    meaning: "moves made for both sides before the first TURN, for agents that know OPENING lines",
    values: "`H8/H9` or `8 8/7 8`, as people or the judge write them, separated by `/`",
    default: "none",
};

/// A contest after the moves of the set-up's opening.
fn opened<P: Show>(position: P, setup: &Setup) -> Result<Alternating<P>, SetupError> {
    Alternating::opened(position, setup.opening()).map_err(|error| SetupError::Value {
        name: OPENING.name,
        problem: format!("refused at `{}`: {error}", error.text()),
        expected: "legal moves separated by `/`",
    })
}

const SIZE: &str = "1 to 8";

/// The parameters of domineering. A given board has its own size and weights.
const DOMINEERING: [GameParameter; 6] = [
    GameParameter { name: "rows", meaning: "rows of the board", values: SIZE, default: "8" },
    GameParameter { name: "columns", meaning: "columns of the board", values: SIZE, default: "8" },
    GameParameter {
        name: "largest",
        meaning: "largest weight of a cell, drawn from the seed",
        values: "0 to 99",
        default: "3",
    },
    GameParameter {
        name: "bonus",
        meaning: "points of the second player at the start",
        values: "points in halves",
        default: "2.5",
    },
    GameParameter {
        name: "board",
        meaning: "the weights, rows separated by `/`",
        values: "1 1 2/0 3 1",
        default: "drawn",
    },
    OPENING,
];

fn domineering(setup: &Setup) -> Result<Domineering, SetupError> {
    let given = |name: &str| setup.parameters.get(name).map(String::as_str);
    let number = |name: &'static str, default: usize, largest: usize, expected: &'static str| match given(name) {
        None => Ok(default),
        Some(text) => text
            .parse()
            .ok()
            .filter(|n| (usize::from(name != "largest")..=largest).contains(n))
            .ok_or_else(|| SetupError::Value { name, problem: format!("`{text}`"), expected }),
    };
    let (rows, columns) = (number("rows", 8, 8, SIZE)?, number("columns", 8, 8, SIZE)?);
    let largest = number("largest", 3, 99, "0 to 99")? as u8;
    let expected = "one row of weights after the other, separated by `/`,";
    let wrong = |problem: String| SetupError::Value { name: "board", problem, expected };
    let board = match given("board") {
        Some(text) => {
            let clash = ["rows", "columns", "largest"].into_iter().find(|name| given(name).is_some());
            if let Some(clash) = clash {
                return Err(wrong(format!("given together with `{clash}`, which it decides")));
            }
            WeightedBoard::from_rows(&text.replace('/', "\n")).map_err(|error| wrong(format!("no board: {error}")))?
        }
        None => WeightedBoard::drawn(rows, columns, largest, setup.seed).map_err(|error| wrong(error.to_string()))?,
    };
    let bonus = match given("bonus") {
        None => Bonus::default(),
        Some(text) => text.parse().map_err(|error| SetupError::Value {
            name: "bonus",
            problem: format!("`{text}`: {error}"),
            expected: "points in steps of one half",
        })?,
    };
    Ok(Domineering::new(board, bonus))
}

const SIDE: &str = "4 to 255";

/// The parameters of the petri dish.
const PETRI: [GameParameter; 4] = [
    GameParameter { name: "width", meaning: "columns of the dish", values: SIDE, default: "10" },
    GameParameter { name: "height", meaning: "rows of the dish", values: SIDE, default: "4" },
    GameParameter { name: "turns", meaning: "turns of each player", values: "1 to 65535", default: "150" },
    GameParameter {
        name: "rules",
        meaning: "the contest's text, or the first published driver with its faults",
        values: "contest, published",
        default: "contest",
    },
];

fn petri(setup: &Setup) -> Result<Petri, SetupError> {
    let given = |name: &str| setup.parameters.get(name).map(String::as_str);
    let wrong = |name, expected| move |text: &str| SetupError::Value { name, problem: format!("`{text}`"), expected };
    let number = |name: &'static str, default: usize, least: usize, most: usize, expected: &'static str| {
        let Some(text) = given(name) else { return Ok(default) };
        text.parse().ok().filter(|n| (least..=most).contains(n)).ok_or_else(|| wrong(name, expected)(text))
    };
    let side = |name, default| number(name, default, petri::DishSetup::SHORTEST, petri::LONGEST, SIDE);
    let (width, height) = (side("width", petri::DishSetup::WIDTH)?, side("height", petri::DishSetup::HEIGHT)?);
    let turns = number("turns", petri::DishSetup::TURNS.into(), 1, u16::MAX.into(), "1 to 65535")? as u16;
    let rules = match given("rules") {
        None => Rules::default(),
        Some(name) => Rules::by_name(name).ok_or_else(|| wrong("rules", "contest or published")(name))?,
    };
    Petri::new(width, height, turns, rules).map_err(|error| SetupError::Value {
        name: "width",
        problem: error.to_string(),
        expected: SIDE,
    })
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
            assert!(game.initial_state(&Setup::default()).is_ok());
        }
        assert_eq!(Game::by_name("chess"), None);
    }

    #[test]
    fn an_unknown_parameter_is_refused() {
        let setup = Setup { seed: 0, parameters: [("hats".to_owned(), "3".to_owned())].into() };
        let error = Game::Bacteria.initial_state(&setup).err().unwrap();
        assert_eq!(error.to_string(), "bacteria has no parameter `hats`; it has opening");
        assert_eq!(Game::Bacteria.position(None, &setup).err(), Some(error));
    }

    #[test]
    fn a_dish_is_as_its_parameters_say() {
        let check = |name: &str, value: &str, expected: Result<(), &str>| {
            let setup = Setup { seed: 0, parameters: [(name.to_owned(), value.to_owned())].into() };
            let made = Game::Petri.initial_state(&setup).map(drop).map_err(|error| error.to_string());
            assert_eq!(made, expected.map_err(str::to_owned), "{name}={value}");
        };
        check("width", "255", Ok(()));
        check("width", "256", Err("width is `256`; 4 to 255 expected"));
        check("height", "3", Err("height is `3`; 4 to 255 expected"));
        check("turns", "0", Err("turns is `0`; 1 to 65535 expected"));
        check("rules", "published", Ok(()));
        check("rules", "posted", Err("rules is `posted`; contest or published expected"));
    }

    #[test]
    fn an_opening_is_played_and_told() {
        let check = |game: Game, opening: &str, expected: Result<(u32, &str), &str>| {
            let setup = Setup { seed: 0, parameters: [("opening".to_owned(), opening.to_owned())].into() };
            let state = game.initial_state(&setup).map(|state| (state.ply(), state.preamble()));
            let found = state.as_ref().map(|(ply, lines)| (*ply, lines.as_str())).map_err(ToString::to_string);
            assert_eq!(found, expected.map_err(str::to_owned), "{game} {opening}");
        };
        check(Game::Renju, "", Ok((0, "")));
        check(Game::Renju, "none", Ok((0, "")));
        check(Game::Renju, "8 8 / 7 8", Ok((2, "OPENING 8 8\nOPENING 7 8\n")));
        check(Game::Bacteria, "1 1 1 2", Ok((1, "OPENING 1 1 1 2\n")));
        let refused = game_refusal(Game::Renju, "8 9");
        check(Game::Renju, "8 9", Err(&refused));
    }

    /// What the rules say of a first move, as the set-up quotes it.
    fn game_refusal(game: Game, text: &str) -> String {
        let error = game.initial_state(&Setup::default()).unwrap().answer(text).unwrap_err();
        format!("opening is refused at `{text}`: {error}; legal moves separated by `/` expected")
    }
}
