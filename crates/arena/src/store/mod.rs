//! The store of played bouts: one `SQLite` file. All SQL of Agon is here.
//!
//! The file is in WAL mode: readers never wait for the writer, and a bout whose [`Store::keep`] has returned survives
//! the death of the program at any later moment. (A power cut may take the last seconds, never the file: WAL with
//! `synchronous = NORMAL`.) There is one writer at a time, by a lock on a file beside the store that the system gives
//! back when the writer dies.

mod bouts;
mod error;
mod migrations;
mod packing;
mod runs;

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

pub use bouts::Filter;
pub use error::StoreError;
pub use packing::Packer;
pub use runs::Run;

/// How long a reader waits for a checkpoint, the only thing that can block it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// Held while writing; `None` for a reader and in memory.
    _lock: Option<File>,
}

impl Store {
    /// Opens a store for writing, and makes it if there is none.
    ///
    /// # Errors
    /// [`StoreError::Busy`] while another program writes it; others when the file cannot be used.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let lock = lock(path)?;
        let connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        // The answer is the mode now in force; where it is not WAL the store works all the same.
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "normal")?;
        Self::with(connection, Some(lock))
    }

    /// Opens a store for reading, also while it is being written.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none; others when it cannot be read.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        if migrations::check(&connection)? == 0 {
            return Err(StoreError::Foreign);
        }
        Ok(Self { connection, _lock: None })
    }

    /// A store in memory, lost when it is dropped.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when there is no memory for it.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::with(Connection::open_in_memory()?, None)
    }

    fn with(mut connection: Connection, lock: Option<File>) -> Result<Self, StoreError> {
        migrations::run(&mut connection)?;
        connection.set_prepared_statement_cache_capacity(32);
        Ok(Self { connection, _lock: lock })
    }
}

fn lock(path: &Path) -> Result<File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    let file = File::options().create(true).truncate(false).write(true).open(PathBuf::from(name)).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan;
    use crate::plan::{Kind, Plan};
    use crate::tally::tests::bout;
    use agon_referee::record::Winner;
    use agon_referee::verdict::Verdict;

    const PLAN_GAMES: u32 = 6;

    fn pack(text: &str) -> Vec<u8> {
        Packer::default().pack(text)
    }

    fn a_plan() -> Plan {
        plan(Kind::RoundRobin, 2, PLAN_GAMES)
    }

    #[test]
    fn what_is_kept_is_found_again_after_any_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agon.db");
        let late = crate::Summary {
            verdicts: [Verdict::Ok, Verdict::Tle],
            score: Some([12.5, 3.0]),
            game_digest: -9_000_000_000,
            ..bout(3, [1, 0], Winner::First)
        };
        {
            let mut store = Store::open(&path).unwrap();
            let run = store.begin(&a_plan()).unwrap();
            store.keep(run, [(&bout(0, [0, 1], Winner::Draw), &*pack("first record"))]).unwrap();
            store.keep(run, [(&late, &*pack("second record"))]).unwrap();
            assert!(matches!(Store::open(&path), Err(StoreError::Busy { .. })));
            // No farewell: the connection is leaked as a killed program would leave it, and only its lock is let go.
            let Store { connection, _lock } = store;
            std::mem::forget(connection);
        }
        let mut store = Store::open(&path).unwrap();
        let run = store.begin(&a_plan()).unwrap();
        assert_eq!(store.bouts(run, 0..PLAN_GAMES).unwrap(), [bout(0, [0, 1], Winner::Draw), late]);
        assert_eq!(store.record(run, 3).unwrap().as_deref(), Some("second record"));
        assert_eq!(store.record(run, 2).unwrap(), None);
        assert!(store.keep(run, [(&bout(3, [1, 0], Winner::Draw), &*pack(""))]).is_err(), "no slot is played twice");
    }

    #[test]
    fn a_reader_sees_what_the_writer_keeps() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agon.db");
        assert!(matches!(Store::read(&path), Err(StoreError::Missing { .. })));
        let mut writer = Store::open(&path).unwrap();
        let run = writer.begin(&a_plan()).unwrap();
        let reader = Store::read(&path).unwrap();
        assert_eq!(reader.count(run).unwrap(), 0);
        writer.keep(run, [(&bout(0, [0, 1], Winner::Draw), &*pack(""))]).unwrap();
        assert_eq!(reader.count(run).unwrap(), 1);
    }

    #[test]
    fn runs_are_known_by_their_plan() {
        let mut store = Store::in_memory().unwrap();
        let first = store.begin(&a_plan()).unwrap();
        let other = store.begin(&Plan { seed: 2, ..a_plan() }).unwrap();
        let longer = Plan { games: 100, ..a_plan() };
        assert_eq!((store.begin(&longer).unwrap(), first == other), (first, false));
        let (runs, _) = store.runs().unwrap();
        assert_eq!(runs.iter().map(|run| run.id).collect::<Vec<_>>(), [first, other]);
        assert_eq!(store.run(first).unwrap().plan, longer);
        assert_eq!(store.latest().unwrap(), Some(other));
        assert!(matches!(store.run(77), Err(StoreError::NoRun { run: 77 })));
    }

    #[test]
    fn bouts_that_went_alike_are_counted_once() {
        let mut store = Store::in_memory().unwrap();
        let run = store.begin(&a_plan()).unwrap();
        for (slot, seats, game_digest) in [(0, [0, 1], 5), (1, [1, 0], 5), (2, [1, 0], 5), (3, [0, 1], 6)] {
            store
                .keep(run, [(&crate::Summary { game_digest, ..bout(slot, seats, Winner::Draw) }, &*pack(""))])
                .unwrap();
        }
        // The same moves with the seats swapped is another one.
        assert_eq!((store.count(run).unwrap(), store.distinct(run).unwrap()), (4, 3));
    }

    #[test]
    fn a_newer_layout_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agon.db");
        drop(Store::open(&path).unwrap());
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::Newer { found: 99, .. })));
        assert!(matches!(Store::read(&path), Err(StoreError::Newer { found: 99, .. })));
    }

    #[test]
    fn a_foreign_database_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.db");
        Connection::open(&path).unwrap().execute_batch("CREATE TABLE mine (a)").unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::Foreign)));
        assert!(matches!(Store::read(&path), Err(StoreError::Foreign)));
    }

    #[test]
    fn records_pass_by_one_after_the_other() {
        let mut store = Store::in_memory().unwrap();
        let run = store.begin(&a_plan()).unwrap();
        let tle = crate::Summary { verdicts: [Verdict::Tle, Verdict::Ok], ..bout(1, [1, 0], Winner::Second) };
        store.keep(run, [(&bout(0, [0, 1], Winner::Draw), &*pack("a"))]).unwrap();
        store.keep(run, [(&tle, &*pack("b"))]).unwrap();
        let check = |filter: Filter, wanted: &str| {
            let mut seen = String::new();
            store
                .records::<StoreError>(run, filter, |_, text| {
                    seen += text;
                    Ok(())
                })
                .unwrap();
            assert_eq!(seen, wanted, "{filter:?}");
        };
        check(Filter::All, "ab");
        check(Filter::Failed, "b");
    }
}
