//! The store of a site: accounts, programs, their versions and games, in one `SQLite` file.
//!
//! A process has one [`SiteStore`] that writes and any number that read. Everything that a request or a worker does to
//! it is one method here and one transaction, so a kill at any moment leaves either all of it or nothing. Writers begin
//! IMMEDIATE: a reader that becomes a writer in the middle of its transaction would fail at once where it should wait.
//!
//! Times are seconds since 1970 (UTC).

mod accounts;
mod asked;
mod competitions;
mod connections;
mod desk;
mod ends;
mod evaluations;
mod events;
mod export;
mod filter;
mod finals;
mod follows;
mod games;
mod ladder;
mod league;
mod messages;
mod migrations;
mod programs;
mod quarantine;
mod ratings;
mod repeats;
mod shared;
mod sources;
mod teams;
mod today;
mod tokens;
mod totp;
mod upkeep;
mod withdrawals;

use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

pub use accounts::{RosterBefore, SEEN_INTERVAL, SiteAccount, SiteInvitation, SiteSession};
use agon_arena::store::StoreError;
use agon_arena::store::StoreLock;
pub use asked::{AskedBout, AskedGames};
pub use competitions::{
    Competition, CompetitionPart, CompetitionPhase, EntryRule, ReplayRule, SiteEntrant, SiteRemoval,
};
pub use connections::Connections;
pub use desk::{DeskEntrant, DeskVersion, EntrantStage, IDLE_SECONDS};
pub use events::{COMMAND_LINE, EventDetail, EventFilter, EventKind, MAX_EVENTS_OF_KIND, Origin, SiteEvent};
pub use export::ExportTable;
pub use filter::BoutFilter;
pub use finals::{DELETED, FinalBout, FinalState, FinalToCome, SiteFinal};
pub use follows::{Followed, MAX_FOLLOWED};
pub use games::{BoutKind, Forfeit, MAX_FAILURES, Meeting, NewBout, OwnResult, PlayedBout, SiteBout, SiteSeat};
pub use ladder::{BegunGames, Candidate, FIRST_GAMES, LadderPlayer, LadderRow, SiteCounts, VersionRow};
pub use league::LeagueScore;
pub use messages::{MAX_KEPT_MESSAGES, Recipients, SiteMessage};
pub use programs::{
    CheckState, PlacedProgram, SiteProgram, SiteVersion, Submission, SubmissionError, SubmissionLimits,
};
pub use shared::{OpenOffer, SharedBound, SharedChange, SharedClock, SharedEnd, SharedGame, SharedOffer, SharedSeat};
pub use sources::SubmittedSource;
pub use teams::{SiteTeam, TeamError, TeamLimits, TeamMember};
pub use today::TroubledVersion;
pub use tokens::{SiteToken, TokenBearer, TokenScope, TokenScopes};
pub use totp::SiteTotp;
pub use upkeep::{CheckQueue, RECORDS_OF_EACH, RecentTimes, Retention, RetentionStep};

/// How long one connection waits for another.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// A connection to the store of a site.
#[derive(Debug)]
pub struct SiteStore {
    /// Closed before the lock is released.
    connection: Connection,
    /// The layout of the file: one opened for reading may be of an earlier release.
    layout: u32,
    /// Held by the writer.
    _lock: Option<StoreLock>,
}

impl SiteStore {
    /// Opens the store for writing, and creates it if there is none.
    ///
    /// # Errors
    /// [`StoreError::Busy`] while another process has it open for writing; others when the file cannot be used.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let (lock, path) = StoreLock::take(path)?;
        keep_private(&path);
        let mut connection = Connection::open(path)?;
        // Before anything that may have to wait, including the change to WAL.
        connection.busy_timeout(LOCK_TIMEOUT)?;
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "normal")?;
        migrations::run(&mut connection)?;
        Self::with(connection, migrations::STEPS.len() as u32, Some(lock))
    }

    /// Opens it for reading while another connection may be writing.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none; others when it cannot be read.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(LOCK_TIMEOUT)?;
        let layout = migrations::check(&connection)?;
        if layout == 0 {
            return Err(StoreError::Foreign);
        }
        migrations::show_as_now(&connection, layout)?;
        Self::with(connection, layout, None)
    }

    /// Opens it for a change while another process may have it open. Its layout does not change.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none, [`StoreError::Older`] of an earlier layout; others when it cannot be
    /// used.
    pub fn beside(path: &Path) -> Result<Self, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(LOCK_TIMEOUT)?;
        match (migrations::check(&connection)?, migrations::STEPS.len() as u32) {
            (0, _) => Err(StoreError::Foreign),
            (found, known) if found < known => Err(StoreError::Older { found, known }),
            (found, _) => Self::with(connection, found, None),
        }
    }

    fn with(connection: Connection, layout: u32, lock: Option<StoreLock>) -> Result<Self, StoreError> {
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Self { connection, layout, _lock: lock })
    }

    /// Copies the whole store to a new file while it is in use, by `SQLite`'s backup API.
    ///
    /// # Errors
    /// [`StoreError`] when the file is there already, or cannot be written.
    pub fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        let io = |source| StoreError::Io { path: to.to_owned(), source };
        if to.exists() {
            return Err(io(std::io::ErrorKind::AlreadyExists.into()));
        }
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(to).map_err(io)?;
        let mut copy = Connection::open(to)?;
        {
            let backup = rusqlite::backup::Backup::new(&self.connection, &mut copy)?;
            // Some pages at a time, so that the writer gets its turn.
            backup.run_to_completion(256, Duration::from_millis(5), None)?;
        }
        copy.pragma_update_and_check(None, "journal_mode", "delete", |_| Ok(()))?;
        Ok(())
    }

    /// Moves everything in the journal into the store's file, and empties the journal; fails while a reader needs it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn checkpoint(&self) -> Result<bool, StoreError> {
        let busy: i64 = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        Ok(busy == 0)
    }

    fn begin(&mut self) -> Result<Transaction<'_>, StoreError> {
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }
}

/// Makes a store unreadable for other users of the machine. Files that `SQLite` creates next to it get the same
/// permissions. The file is not opened for that: closing it would release the locks that `SQLite` has on it in this
/// process.
fn keep_private(path: &Path) {
    // Another user's file stays as it is.
    if let Ok(mode) = fs::metadata(path).map(|data| data.permissions().mode())
        && mode & 0o077 != 0
    {
        let _ = fs::set_permissions(path, Permissions::from_mode(mode & 0o700));
    }
}

/// The competition of renju that every store has, for tests.
#[cfg(test)]
const RENJU: i64 = 3;

/// A new store in its own folder, for tests.
#[cfg(test)]
fn new_store() -> (tempfile::TempDir, SiteStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = SiteStore::open(&folder.path().join("site.db")).unwrap();
    (folder, store)
}

/// How `SQLite` would answer, in its own words.
#[cfg(test)]
fn query_plan(store: &SiteStore, sql: &str) -> String {
    let mut statement = store.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let none = vec![rusqlite::types::Null; statement.parameter_count()];
    let steps = statement.query_map(rusqlite::params_from_iter(none), |row| row.get::<_, String>(3)).unwrap();
    steps.map(|step| step.unwrap() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_writes_and_others_read() {
        let (folder, mut store) = new_store();
        let path = folder.path().join("site.db");
        assert!(matches!(SiteStore::open(&path), Err(StoreError::Busy { .. })));
        let reader = SiteStore::read(&path).unwrap();
        assert_eq!(reader.accounts().unwrap(), []);
        store.create_account("ada", "hash", false, 7).unwrap().unwrap();
        assert_eq!(reader.accounts().unwrap()[0].name, "ada");
        assert!(matches!(SiteStore::read(&folder.path().join("none.db")), Err(StoreError::Missing { .. })));
    }

    #[test]
    fn a_store_is_changed_beside_the_process_that_has_it_open() {
        let (folder, mut store) = new_store();
        let path = folder.path().join("site.db");
        let ada = store.create_account("ada", "hash", true, 7).unwrap().unwrap();
        let mut beside = SiteStore::beside(&path).unwrap();
        beside.add_recovery(ada, b"word", 50).unwrap();
        assert_eq!(store.recovered(b"word", 8).unwrap().map(|account| account.id), Some(ada));
        drop((beside, store));
        assert!(SiteStore::beside(&path).is_ok(), "while it is not open, too");
        let connection = Connection::open(&path).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        drop(connection);
        assert!(matches!(SiteStore::beside(&path), Err(StoreError::Older { found: 1, .. })));
        let none = folder.path().join("none.db");
        assert!(matches!(SiteStore::beside(&none), Err(StoreError::Missing { .. })) && !none.exists());
    }

    #[test]
    fn a_backup_is_a_store() {
        let (folder, mut store) = new_store();
        store.create_account("ada", "hash", false, 7).unwrap().unwrap();
        let copy = folder.path().join("copy.db");
        store.back_up(&copy).unwrap();
        assert!(store.back_up(&copy).is_err(), "nothing is overwritten");
        assert_eq!(SiteStore::open(&copy).unwrap().accounts().unwrap()[0].name, "ada");
    }

    #[test]
    fn other_users_of_the_machine_read_nothing() {
        let (folder, mut store) = new_store();
        store.create_account("ada", "hash", false, 7).unwrap().unwrap();
        store.back_up(&folder.path().join("copy.db")).unwrap();
        for name in ["site.db", "site.db-wal", "site.db-shm", "copy.db"] {
            let mode = std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{name}");
        }
        // One of an earlier version is closed to them.
        drop(store);
        let path = folder.path().join("site.db");
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        SiteStore::open(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o077, 0);
    }
}
