//! Reasons why a file is refused, and limits on reading.

use std::fmt;

use agon_catalog::SetupError;
use agon_game::SeatName;
use agon_message::{Argument, English, Listing, Message, messages};
use agon_rules::domineering::BoardError;
use agon_rules::renju::psq::PsqError;
use agon_rules::renju::{RenjuTextError, StonesError};

/// A file from which no games can be read, or to which a game cannot be written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{problem}", before(*.place))]
pub struct FileError {
    /// Place in the file, if there is one.
    pub place: Option<Place>,
    pub problem: FileProblem,
}

impl Message for FileError {
    fn key(&self) -> &'static str {
        match self.place {
            None => self.problem.key(),
            Some(Place::Line(_)) => "file-error-line",
            Some(Place::Byte(_)) => "file-error-byte",
        }
    }

    fn arguments(&self) -> Vec<(&'static str, Argument<'_>)> {
        match self.place {
            None => self.problem.arguments(),
            Some(Place::Line(number) | Place::Byte(number)) => {
                vec![("number", Argument::Number(number as i64)), ("problem", Argument::Message(&self.problem))]
            }
        }
    }

    fn list(all: &mut Listing) {
        for key in ["file-error-line", "file-error-byte"] {
            all.insert(key, &["number", "problem"]);
        }
        <FileProblem as Message>::list(all);
    }
}

messages! {
    /// Error in a file of games.
    #[derive(Clone, PartialEq, Eq)]
    pub enum FileProblem {
        // For every format.
        TooManyGames { limit: usize } = "more than {limit} games",
        TooManyPositions { limit: usize } = "more than {limit} positions",
        TooManyMoves { line_moves: usize, nodes: usize } =
            "more than {line_moves} moves in a line, or more than {nodes} in all lines together",
        TooManyVariations { limit: usize } = "more than {limit} variations",
        TooManyLineMoves { limit: usize } = "more than {limit} moves",
        UnknownGame { game: String } = "unknown game: `{game}`",
        NotRenju { judged: String } = "`{judged}` is not a move of renju",
        Move { number: usize, shown: String, problem: English } = "move {number}, {shown}: {problem}",
        Turn { number: usize, seat: SeatName } = "it is not {seat}'s turn at move {number}",
        OffBoard { number: usize, text: String } = "move {number}, `{text}`, is not on the board",
        Setup(error: SetupError),
        /// Message of the rules, or of a lower crate.
        Rules(error: English),
        Position(error: RenjuTextError),
        Stones(error: StonesError),
        Board(error: BoardError),
        // Texts: moves, PGN.
        NoMoves = "no moves found; expected `H8 H9 I9`, or one move per line",
        NoMovesInGame = "game has no moves",
        Offsets { line: String } =
            "invalid offsets: `{line}`; expected column and row of each stone from the centre, -7 to 7",
        OpenComment = "comment has no closing brace",
        OpenVariation = "variation has no closing `)`",
        NoMoveToReplace = "variation has no move before it to replace",
        UnexpectedBracket = "`)` without a matching `(`",
        Header { line: String } = "invalid header: `{line}`; expected `[Name \"value\"]`",
        Glyph { number: String } = "invalid glyph: `${number}`; expected $0 to $255",
        // Positions.
        NoPositions = "no positions found; expected one per line",
        NoPosition { text: String } = "`{text}` is not a position of any game",
        BlockedCell { text: String } =
            "`{text}` is not a position of any game: `-` blocks a cell, and Agon's boards have no blocked cells",
        NoSuchPosition { text: String } = "invalid position: `{text}`",
        NoGameToStart = "`startpos` needs a game; name one",
        NoGameOfWeights = "no game has a board of weights",
        Json { problem: String } = "invalid JSON: {problem}",
        JsonRows = "missing or invalid `board`: expected rows of weights",
        JsonWeights = "invalid `board`: weights are 0 to 99",
        JsonOccupied = "invalid `occupied`: expected cells `[row, column]`",
        JsonTurn = "missing or invalid `to_move`: expected \"H\" or \"V\"",
        JsonLead = "invalid `lead`: expected points in steps of one half",
        // SGF.
        SgfNoGame = "no game found; expected `(;`",
        SgfCutOff = "game has no closing `)`",
        SgfAfterGame { found: char } = "unexpected `{found}` after a game; expected `(;` or the end of the file",
        SgfOpenValue = "value has no closing bracket",
        SgfUnexpected { found: char } = "unexpected `{found}`; expected a property, a value or a node",
        SgfNoValue { property: String } = "property {property} has no value; expected `[`",
        SgfName { name: String } = "invalid property name: `{name}`; names are capital letters",
        SgfGame { text: String } = "GM[{text}] is not renju, which is GM[4]",
        SgfSize { text: String } = "SZ[{text}] is not supported; boards have 15 by 15 points",
        SgfProperties { limit: usize } = "more than {limit} properties in a node",
        SgfSide { text: String } = "invalid side: PL[{text}]; expected B or W",
        SgfPoints { property: String, values: String } = "invalid points: {property}[{values}]",
        SgfTwoStones { property: String, point: String } = "{property} sets up two stones on {point}",
        Go { number: usize, text: String } =
            "move {number}, `{text}`, is not on the board of 15 by 15 points; is this a game of Go?",
        // Piskvork, Yixin, RenLib, RIF.
        Psq(error: PsqError),
        PosEmpty = "file is empty; expected the number of stones",
        PosCount { count: u8, bytes: usize } = "byte 1 announces {count} stones, but {bytes} bytes follow",
        PosPoint { byte: usize, stone: u8 } = "byte {byte}, {stone}, is not a point",
        OnlyStones { number: usize, ending: &'static str } =
            "move {number} is not a stone; .{ending} holds only stones",
        PosTooLong = ".pos holds at most 225 stones",
        SavNumber { text: String, what: SavNumber } = "invalid {what}: `{text}`",
        SavSize { size: usize } = "unsupported board: {size} by {size} points; expected 15 by 15",
        SavPoint { stone: String } = "invalid point: `{stone}`; expected `row column` from 0",
        SavCount { count: usize, found: usize } = "{count} stones announced, but {found} follow",
        LibNone = "not a RenLib library; expected `RenLib` and a version in the first 20 bytes",
        LibVersion { version: String } = "unsupported library version: {version}; the newest supported is 3.4",
        LibCutOff { bytes: usize } = "library is cut off after {bytes} bytes",
        LibPoint { byte: usize, stone: String } = "byte {byte}, {stone}, is not a point of the board",
        LibStart = "a library begins with the empty board, but this game does not",
        Xml { problem: String } = "invalid XML: {problem}",
        RifNoGames = "no games found; expected `<game>` with a `<move>` of points",
        // Records, and content that cannot be written.
        RecordAt { line: usize, problem: English } = "the record that begins at line {line}: {problem}",
        RecordNeedsServer = "a record needs a server, where a referee proves its moves",
        OpeningEnds = "the opening ends the game",
        OneGame { games: usize, ending: String } = "{games} games, but .{ending} holds one",
        NoStart { ending: String } = "the game begins at a position, which .{ending} cannot hold",
        Ending { ending: String } = "cannot write `.{ending}`",
    }

    /// A number at the head of a saved position.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum SavNumber {
        Rows = "number of rows",
        Columns = "number of columns",
        Stones = "number of stones",
    }
}

impl FileProblem {
    /// Converts a message of the rules, or of a lower crate.
    pub fn rules(problem: &impl ToString) -> Self {
        Self::Rules(English(problem.to_string()))
    }

    /// Converts a message of the XML parser.
    pub(super) fn xml(error: &impl ToString) -> Self {
        Self::Xml { problem: error.to_string() }
    }
}

macro_rules! problems {
    ($($error:ty => $variant:ident),*) => {$(
        impl From<$error> for FileProblem {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}

problems!(SetupError => Setup, RenjuTextError => Position, StonesError => Stones, BoardError => Board, PsqError => Psq);

/// A place of a file, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    Line(usize),
    /// In a binary file.
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
    pub fn at(place: impl Into<Place>, problem: impl Into<FileProblem>) -> Self {
        Self { place: Some(place.into()), problem: problem.into() }
    }

    /// Something is wrong with the file as a whole, or the problem names the place.
    pub fn whole(problem: impl Into<FileProblem>) -> Self {
        Self { place: None, problem: problem.into() }
    }
}

/// Lines of a game that boards and openings take.
pub const MAX_LINES: usize = 400;

/// Moves in one line. The board of renju has 225 points, and two passes in a row end a game.
pub const MAX_LINE_MOVES: usize = 1_000;

/// Moves in all lines together; a move shared by several lines counts once.
pub const MAX_MOVES: usize = 20_000;

/// Limits on reading a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub games: usize,
    /// Moves and other nodes of all games.
    pub nodes: usize,
    /// Moves of a line.
    pub line_moves: usize,
    /// Lines of a game.
    pub lines: usize,
}

impl Limits {
    /// For files on the machine of whoever asks.
    pub const FILE: Self = Self { games: 1_000_000, nodes: 20_000_000, line_moves: MAX_LINE_MOVES, lines: 20_000_000 };

    /// Refuses content beyond the limits.
    ///
    /// # Errors
    /// [`FileError`] with the limit.
    pub fn check(&self, place: impl Into<Place>, nodes: usize, line_moves: usize) -> Result<(), FileError> {
        if line_moves > self.line_moves || nodes > self.nodes {
            let Self { line_moves, nodes, .. } = self;
            return Err(FileError::at(place, FileProblem::TooManyMoves { line_moves: *line_moves, nodes: *nodes }));
        }
        Ok(())
    }
}
