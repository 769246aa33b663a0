//! The row of a game, and the handle through which all higher crates refer to it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use agon_game::perft::PerftPosition;
use agon_game::{GameState, Stateless};
use agon_message::Reason;

use crate::builtin::{Builtin, Pace};
use crate::capability::Capability;
use crate::face::PositionFace;
use crate::illustrations::Illustrations;
use crate::named::{EngineMaker, NamedBuiltin};
use crate::program::{GameClock, RulesProgram};
use crate::setup::{GameParameter, OPENING, Setup, SetupError};
use crate::situations::Situation;

/// A game: its name, its rules and its players.
#[derive(Debug)]
pub struct GameEntry {
    /// Name in commands and records.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The name where there is little room.
    pub short_title: &'static str,
    /// The game in a line.
    pub summary: &'static str,
    /// Summary of the rules for players, point by point: the moves in the judge's notation, the start and the end of a
    /// game.
    pub rules: &'static [&'static str],
    /// The page with the whole rules, pictures and an example, in the project's documents.
    pub page: &'static str,
    /// The pictures and the example of that page.
    pub illustrations: Illustrations,
    /// Source of the rules.
    pub source: &'static str,
    /// A position in its own notation, or moves from its start.
    pub example: &'static str,
    /// Names of the seats.
    pub seats: [&'static str; 2],
    /// The programs that newcomers start from: the extension of the file, which says the language, and its text.
    pub samples: &'static [(&'static str, &'static str)],
    /// Test situations for programs before they are submitted, also written to files for newcomers.
    pub situations: &'static [Situation],
    pub parameters: &'static [GameParameter],
    /// True if a game can be drawn with its default parameters.
    pub can_be_drawn: bool,
    pub start: GameStart,
    /// From the weakest to the strongest.
    pub builtins: &'static [Builtin],
    /// Looks up a program by name, in a game whose programs are asked per action; not all of them are listed.
    pub programs: fn(&str) -> Option<Arc<dyn Stateless>>,
    /// The players of the first and the second seat when none are named.
    pub defaults: [&'static str; 2],
    pub openings: OpeningRules,
    /// The parameters for columns and rows, if the board's size can be set.
    pub size: Option<[&'static str; 2]>,
    /// Additional features; turns, actions and size follow from the other fields.
    pub capabilities: &'static [Capability],
    pub curve: CurveRules,
}

/// How to evaluate the course of a game, from start to end.
#[derive(Clone, Copy, Debug)]
pub struct CurveRules {
    /// Nodes that the champion visits for a position, in the order of a tenth of a second. It never depends on the
    /// clock, so that a game has one curve.
    pub nodes: u64,
    /// The lead that counts as most of a win, in the game's unit.
    pub scale: f64,
    /// Meaning of the curve, in words.
    pub meaning: &'static str,
    /// Further note for readers.
    pub note: &'static str,
}

impl CurveRules {
    /// Rules for a game that is searched and has no unit.
    pub const PLAIN: Self =
        Self { nodes: 10_000, scale: 3.0, meaning: "The champion's evaluation after every move", note: "" };
}

/// How a game starts.
#[derive(Clone, Copy, Debug)]
pub enum GameStart {
    /// At a position, from which two sides move in turn.
    Position(PositionFace),
    /// At a state with many actors a turn.
    State(fn(&Setup) -> Result<Box<dyn GameState>, SetupError>),
    /// From an outside program, in sessions.
    Program(&'static dyn RulesProgram),
}

/// How to draw openings for a game, if it has the parameter.
#[derive(Clone, Copy, Debug)]
pub struct OpeningRules {
    /// Usual number of plies: 0 if starts differ anyway.
    pub usual_plies: u32,
    /// Maximum number of plies drawn uniformly from the legal moves, as long as such moves make sense; the others are
    /// those of `greedy`.
    pub uniform_plies: u32,
    /// Alternative way to draw this many plies from a seed; `None` if the game ends before that.
    pub draw: Option<DrawOpening>,
    /// A file of openings in which neither side is ahead; empty if there is none.
    pub balanced: &'static str,
}

/// Draws the moves of an opening: its plies, and a seed.
pub type DrawOpening = fn(u32, u64) -> Option<Vec<String>>;

impl OpeningRules {
    /// Any number of plies can be drawn, and none is usual.
    pub const ANY: Self = Self { usual_plies: 0, uniform_plies: u32::MAX, draw: None, balanced: "" };
}

/// A handle to the row of a game.
#[derive(Clone, Copy)]
pub struct Game(pub &'static GameEntry);

impl Deref for Game {
    type Target = GameEntry;

    fn deref(&self) -> &GameEntry {
        self.0
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Game {}

impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// Reason why a text does not name a built-in player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    #[error(
        "{game} has no built-in player `{name}`; it has {}{}", game.builtin_names().join(", "),
        nearest(*.game, .name).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
    )]
    Unknown { game: Game, name: String },
    #[error("`{name}:{level}`: {name} has no levels; name it without one")]
    NoLevels { name: &'static str, level: String },
    #[error("`{name}:{level}`: the levels of {name} are 1 to {highest}")]
    Level { name: &'static str, level: String, highest: u8 },
}

impl Game {
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// The game's start under a set-up.
    ///
    /// # Errors
    /// [`SetupError`] names the parameter that is wrong.
    pub fn initial_state(self, setup: &Setup) -> Result<Box<dyn GameState>, SetupError> {
        self.check_names(setup)?;
        match self.start {
            GameStart::Position(face) => (face.start)(setup),
            GameStart::State(start) => start(setup),
            GameStart::Program(rules) => rules.start(setup),
        }
    }

    /// Starts a game from a position in the game's notation.
    ///
    /// # Errors
    /// [`SetupError`] if the text is invalid, or the game has no positions of two sides that move in turn.
    pub fn state_at(self, text: &str) -> Result<Box<dyn GameState>, SetupError> {
        let state = match self.start {
            GameStart::Position(face) => (face.state_at)(text),
            GameStart::State(_) => return Err(SetupError::Uncountable { game: self.0.name }),
            GameStart::Program(rules) => rules.state_at(text),
        };
        state.map_err(|problem| self.no_position(text, problem))
    }

    /// A position to count from: the one of a text in the game's own notation, else the game's start under a set-up.
    ///
    /// # Errors
    /// [`SetupError`] if the text or the set-up is invalid, or the game has no positions of two sides that move in
    /// turn.
    pub fn position(self, text: Option<&str>, setup: &Setup) -> Result<Box<dyn PerftPosition>, SetupError> {
        self.check_names(setup)?;
        match (self.start, text) {
            (GameStart::Position(face), Some(text)) => {
                (face.count_at)(text).map_err(|problem| self.no_position(text, problem))
            }
            (GameStart::Position(face), None) => (face.count)(setup),
            (GameStart::State(_), _) => Err(SetupError::Uncountable { game: self.0.name }),
            (GameStart::Program(rules), text) => rules.count(text, setup),
        }
    }

    fn no_position(self, text: &str, problem: Reason) -> SetupError {
        SetupError::Position { game: self.0.name, text: text.to_owned(), problem }
    }

    /// Refuses a parameter that the game does not have.
    fn check_names(self, setup: &Setup) -> Result<(), SetupError> {
        let Some(name) = setup.parameters.keys().find(|name| !self.has_parameter(name)) else { return Ok(()) };
        let names: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Err(SetupError::Unknown { game: self.0.name, name: name.clone(), known })
    }

    pub fn has_parameter(self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// Returns true if a game can start after moves made for both sides.
    pub fn has_openings(self) -> bool {
        self.has_parameter(OPENING.name)
    }

    /// Returns true if people can play it, move by move: also one in which each side sees something else.
    pub fn has_moves(self) -> bool {
        match self.0.start {
            GameStart::Program(rules) => rules.lists_moves(),
            _ => self.has_turns(),
        }
    }

    /// Returns true if two sides move in turn from one position to the next, and both see it.
    pub fn has_turns(self) -> bool {
        match self.0.start {
            GameStart::Position(_) => true,
            GameStart::State(_) => false,
            GameStart::Program(rules) => rules.has_turns(),
        }
    }

    /// Returns true if each agent is one program for the whole game, on one clock.
    pub const fn has_sessions(self) -> bool {
        !matches!(self.0.start, GameStart::State(_))
    }

    /// Whether its rules are a user's program that is not given, so that it cannot be played.
    pub fn is_missing(self) -> bool {
        matches!(self.0.start, GameStart::Program(rules) if rules.is_missing())
    }

    /// Whether its rules are a user's program.
    pub const fn is_program(self) -> bool {
        matches!(self.0.start, GameStart::Program(_))
    }

    /// The clocks that have a name in it, as defined by users' rules.
    pub fn clocks(self) -> &'static [GameClock] {
        match self.0.start {
            GameStart::Program(rules) => rules.clocks(),
            _ => &[],
        }
    }

    /// Returns true if another seed may give another game, because its start is drawn or its rules are an outside
    /// program.
    pub fn is_seeded(self) -> bool {
        self.is_program() || self.can(Capability::DrawnStart)
    }

    /// The sample in Python.
    pub fn sample(self) -> &'static str {
        self.samples.iter().find(|(extension, _)| *extension == "py").map_or("", |(_, text)| text)
    }

    pub fn can(self, capability: Capability) -> bool {
        match capability {
            Capability::Turns => self.has_sessions(),
            Capability::Actions => !self.has_sessions(),
            Capability::Size => self.size.is_some(),
            _ => self.capabilities.contains(&capability),
        }
    }

    pub fn builtin_names(self) -> Vec<&'static str> {
        self.0.builtins.iter().map(|builtin| builtin.name).collect()
    }

    /// The built-in player that a text names, as `NAME` or `NAME:LEVEL`.
    ///
    /// # Errors
    /// [`NameError`] if there is no such player, or no such level.
    ///
    /// ```
    /// use agon_catalog::Game;
    /// assert!(Game::DOMINEERING.find("champion:3")?.player(1).is_some());
    /// assert!(Game::PETRI.find("amoeba")?.program().is_some());
    /// let error = Game::DOMINEERING.find("champion:0").err().map(|error| error.to_string());
    /// assert_eq!(error.as_deref(), Some("`champion:0`: the levels of champion are 1 to 10"));
    /// # Ok::<(), agon_catalog::NameError>(())
    /// ```
    pub fn find(self, text: &str) -> Result<NamedBuiltin, NameError> {
        if let Some(program) = (self.programs)(text) {
            return Ok(NamedBuiltin::Program(program));
        }
        let (name, level) = text.split_once(':').map_or((text, None), |(name, level)| (name, Some(level)));
        let listed = self.0.builtins.iter().find(|builtin| builtin.name == name);
        let made = |builtin: &'static Builtin| match (self.0.start, builtin.make) {
            (GameStart::Program(rules), _) => Some((builtin, EngineMaker::Rules(rules, builtin.name))),
            (_, make) => Some((builtin, EngineMaker::Row(make?))),
        };
        let Some((builtin, make)) = listed.and_then(made) else {
            return Err(NameError::Unknown { game: self, name: text.to_owned() });
        };
        let name = builtin.name;
        let level = match (level, builtin.levels()) {
            (None, levels) => levels.unwrap_or(1),
            (Some(level), None) => return Err(NameError::NoLevels { name, level: level.to_owned() }),
            (Some(level), Some(highest)) => match level.parse() {
                Ok(number) if (1..=highest).contains(&number) => number,
                _ => return Err(NameError::Level { name, level: level.to_owned(), highest }),
            },
        };
        Ok(NamedBuiltin::Engine { make, level })
    }

    /// Returns what limits the thinking of the built-in player with this name; `None` if there is none.
    ///
    /// ```
    /// use agon_catalog::{Game, Pace};
    /// assert_eq!(Game::RENJU.pace("greedy"), Some(Pace::Fixed));
    /// assert_eq!(Game::RENJU.pace("champion:3"), Some(Pace::Nodes));
    /// assert_eq!(Game::RENJU.pace("champion"), Some(Pace::Clock));
    /// assert_eq!(Game::RENJU.pace("./bot"), None);
    /// ```
    pub fn pace(self, text: &str) -> Option<Pace> {
        self.find(text).ok()?;
        let (name, level) = text.split_once(':').unwrap_or((text, ""));
        let Some(builtin) = self.0.builtins.iter().find(|builtin| builtin.name == name && builtin.timed) else {
            return Some(Pace::Fixed);
        };
        let low = |highest: u8| level.parse().is_ok_and(|it: u8| it < highest);
        Some(if builtin.levels().is_some_and(low) { Pace::Nodes } else { Pace::Clock })
    }
}

/// The built-in that a mistyped name was probably meant to be, with the level that followed it.
fn nearest(game: Game, text: &str) -> Option<String> {
    let (name, level) = text.find(':').map_or((text, ""), |at| text.split_at(at));
    let near = game.builtin_names().into_iter().map(|known| (strsim::osa_distance(&name.to_lowercase(), known), known));
    // One slip of the fingers in three letters.
    let close = near.filter(|&(distance, known)| distance <= known.chars().count() / 3);
    close.min_by_key(|&(distance, _)| distance).map(|(_, known)| format!("{known}{level}"))
}
