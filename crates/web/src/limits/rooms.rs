//! The threads of requests: those of boards, and those of the site's own kinds of jobs.

use std::sync::Arc;
use std::thread;

use agon_boards::limits::{MAX_WAITING_JOBS, MAX_WAITING_READS, Room, Rooms};

use super::bounds::MAX_WAITING_PASSWORDS;

/// All rooms of a site.
#[derive(Debug)]
pub(crate) struct SiteRooms {
    /// Reading the store.
    pub reads: Room,
    /// Changing it: one connection writes.
    pub writes: Room,
    pub passwords: Room,
    /// Records of games: drawing, redacting, compressing.
    pub records: Room,
    /// Files that are sent: exports.
    pub files: Room,
    pub boards: Arc<Rooms>,
}

/// Threads that wait for the store, for each processor of the pages, and at least [`MIN_READERS`].
const READERS: usize = 2;
const MIN_READERS: usize = 4;

impl SiteRooms {
    /// What the jobs of the room of files are.
    pub(crate) const FILES: &'static str = "exports being sent";

    /// The rooms of a server whose pages have this many processors.
    pub(crate) fn new(processors: usize) -> Self {
        let readers = (READERS * processors).max(MIN_READERS);
        Self {
            reads: Room::new("reads of the store", readers, MAX_WAITING_READS),
            writes: Room::new("changes of the store", 1, MAX_WAITING_READS),
            passwords: Room::new("passwords to be hashed", 2, MAX_WAITING_PASSWORDS),
            records: Room::new("records to be drawn", processors.max(2), MAX_WAITING_JOBS),
            files: Room::new(Self::FILES, 2, MAX_WAITING_JOBS),
            boards: Arc::new(Rooms::new(processors)),
        }
    }

    pub(crate) fn all(&self) -> [&Room; 8] {
        let Self { reads, writes, passwords, records, files, boards } = self;
        let Rooms { texts, positions, dishes } = &**boards;
        [reads, writes, passwords, texts, positions, records, dishes, files]
    }

    /// How many threads all of them have.
    pub(crate) fn threads(&self) -> usize {
        self.all().iter().map(|room| room.threads).sum()
    }
}

impl Default for SiteRooms {
    fn default() -> Self {
        Self::new(thread::available_parallelism().map_or(1, usize::from))
    }
}
