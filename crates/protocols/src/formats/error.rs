//! Why a file is refused, and how much of one is read.

/// A file from which no games can be read, or to which a game cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{problem}", place(*.line))]
pub struct FileError {
    /// The line of the file, from 1, if it is one.
    pub line: Option<usize>,
    pub problem: String,
}

fn place(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

impl FileError {
    /// Something is wrong on this line.
    pub fn at(line: usize, problem: impl Into<String>) -> Self {
        Self { line: Some(line), problem: problem.into() }
    }

    /// Something is wrong with the file as a whole, or the problem names the line.
    pub fn whole(problem: impl Into<String>) -> Self {
        Self { line: None, problem: problem.into() }
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
    pub fn check(&self, line: usize, nodes: usize, line_moves: usize) -> Result<(), FileError> {
        if line_moves > self.line_moves || nodes > self.nodes {
            let Self { line_moves, nodes, .. } = self;
            let problem = format!("more than {line_moves} moves in a line, or more than {nodes} in all lines together");
            return Err(FileError::at(line, problem));
        }
        Ok(())
    }
}
