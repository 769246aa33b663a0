//! How large files of games may be.

use agon_files::OWN_LIMITS;
use agon_protocols::formats::{Limits, MAX_LINE_MOVES, MAX_LINES, MAX_MOVES};

use crate::limits::MAX_GAME_BYTES;

/// How much of a file is read: on a site, where strangers send it, and on the user's own machine.
#[derive(Clone, Copy, Debug)]
pub struct FileBounds {
    /// Bytes of the file.
    pub file: usize,
    /// Bytes of a request, in which the file is in base 64.
    pub request: usize,
    pub limits: Limits,
}

/// The rest of a request, besides its file.
const REST: usize = 4 << 10;

impl FileBounds {
    pub const SITE: Self = Self {
        file: (MAX_GAME_BYTES - REST) / 4 * 3,
        request: MAX_GAME_BYTES,
        limits: Limits { games: 1_000, nodes: MAX_MOVES, line_moves: MAX_LINE_MOVES, lines: MAX_LINES },
    };

    pub(crate) const LOCAL: Self = Self { file: 16 << 20, request: (16 << 20) / 3 * 4 + REST, limits: OWN_LIMITS };

    /// For a page of a site, or of `agon board`.
    pub(crate) const fn of_page(on_site: bool) -> Self {
        if on_site { Self::SITE } else { Self::LOCAL }
    }
}
