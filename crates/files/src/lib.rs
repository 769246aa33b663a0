//! Games as files, as the boards read and write them: text that a visitor pastes, files that are dropped, and
//! downloads.
//!
//! This crate never reads a file or opens a socket, so all of it also runs in a browser; there it cannot read records,
//! which only a referee verifies and seals.

use agon_protocols::formats::{Limits, MAX_LINE_MOVES};

mod note;
mod reading;
mod writing;

pub use note::{PlaceMark, PlaceNote};
pub use reading::{
    GameText, ReadDetails, ReadGame, ReadGames, ReadMove, ReadPlace, ReadProblem, ReadRemark, ReadVariation,
};
pub use writing::{BINARY, CheckedGame, EndedBy, GameEnd, RECORD, UnwrittenGame, WriteProblem, WritingError};

/// How much is read of a file on a machine of one's own.
pub const OWN_LIMITS: Limits =
    Limits { games: 100_000, nodes: 2_000_000, line_moves: MAX_LINE_MOVES, lines: 2_000_000 };
