//! Why a file is refused, and how much of one is read.

use std::fmt;

/// A file from which no games can be read, or to which a game cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{problem}", before(*.place))]
pub struct FileError {
    /// Where in the file, if at one place.
    pub place: Option<Place>,
    pub problem: String,
}

/// A place of a file, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    Line(usize),
    /// Of a file that is no text.
    Byte(usize),
}

impl Default for Place {
    fn default() -> Self {
        Self::Line(1)
    }
}

impl From<usize> for Place {
    fn from(line: usize) -> Self {
        Self::Line(line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number) => write!(f, "line {number}"),
            Self::Byte(number) => write!(f, "byte {number}"),
        }
    }
}

fn before(place: Option<Place>) -> String {
    place.map_or_else(String::new, |place| format!("{place}: "))
}

impl FileError {
    /// Something is wrong at this place: on a line, if it is a number.
    pub fn at(place: impl Into<Place>, problem: impl Into<String>) -> Self {
        Self { place: Some(place.into()), problem: problem.into() }
    }

    /// Something is wrong with the file as a whole, or the problem names the place.
    pub fn whole(problem: impl Into<String>) -> Self {
        Self { place: None, problem: problem.into() }
    }
}

/// How much of a file is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub games: usize,
    /// Moves and other nodes of all games.
    pub nodes: usize,
    /// Moves of a line.
    pub line_moves: usize,
}

impl Limits {
    /// For files on the machine of whoever asks.
    pub const FILE: Self = Self { games: 1_000_000, nodes: 20_000_000, line_moves: 1_000 };

    /// Refuses what is too much.
    ///
    /// # Errors
    /// [`FileError`] with the limit.
    pub fn check(&self, place: impl Into<Place>, nodes: usize, line_moves: usize) -> Result<(), FileError> {
        if line_moves > self.line_moves || nodes > self.nodes {
            let Self { line_moves, nodes, .. } = self;
            let problem = format!("more than {line_moves} moves in a line, or more than {nodes} in all lines together");
            return Err(FileError::at(place, problem));
        }
        Ok(())
    }
}
