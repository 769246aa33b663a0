//! Games as files, as boards read and write them: what a visitor pastes or drops, and what is downloaded.
//!
//! Nothing here reads a file or opens a socket, so all of it runs in a browser, too; there it knows no records, which
//! only a referee proves and seals.

use agon_protocols::formats::{Limits, MAX_LINE_MOVES};

mod note;
mod reading;
mod writing;

pub use note::{PlaceMark, PlaceNote};
pub use reading::{
    GameText, ReadDetails, ReadGame, ReadGames, ReadMove, ReadPlace, ReadProblem, ReadRemark, ReadVariation,
};
pub use writing::{CheckedGame, EndedBy, GameEnd, RECORD, UnwrittenGame, WriteProblem, WritingError};

/// How much is read of a file on a machine of one's own.
pub const OWN_LIMITS: Limits =
    Limits { games: 100_000, nodes: 2_000_000, line_moves: MAX_LINE_MOVES, lines: 2_000_000 };
