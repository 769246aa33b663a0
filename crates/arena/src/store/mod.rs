//! The store of played bouts: one `SQLite` file. The SQL of series is here; that of a site is in its own crate.
//!
//! The file is in WAL mode: readers never wait for the writer, and a bout whose [`Store::keep`] has returned survives
//! the death of the program at any later moment. (A power cut may lose the last seconds, but never the file: WAL with
//! `synchronous = NORMAL`.) There is only one writer at a time, ensured by locks that the system releases when the
//! writer dies: on a file next to the store, and on the store itself, which may have several names.

mod bouts;
mod error;
mod lock;
mod migrations;
mod packing;
mod quarantine;
pub mod reason;
mod runs;

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

pub use bouts::Filter;
pub use error::StoreError;
pub use lock::StoreLock;
pub use packing::{Packer, unpack};
pub use quarantine::Quarantine;
pub use runs::Run;

/// How long a reader waits for other programs that have locked the file.
const READ_BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// How long one attempt to write waits for them. Writers try again, and can be stopped between attempts.
const WRITE_BUSY_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Store {
    /// Closed before the lock is released.
    connection: Connection,
    /// Held while writing; `None` for a reader and in memory. The layout of the file: in a store opened for reading it
    /// may be older than this program's.
    layout: u32,
    _lock: Option<StoreLock>,
}

impl Store {
    /// Opens a store for writing, and creates it if there is none.
    ///
    /// # Errors
    /// [`StoreError::Busy`] while another run writes it, under any name; [`StoreError::Locked`] while another program
    /// has locked the database; others when the file cannot be used.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let (lock, path) = StoreLock::take(path)?;
        lock::check_names(&path)?;
        let connection = Connection::open(path)?;
        connection.busy_timeout(WRITE_BUSY_TIMEOUT)?;
        // The answer is the mode now in force; the store also works in other modes than WAL.
        connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "normal")?;
        Self::with(connection, Some(lock))
    }

    /// Opens a store for reading, even while it is being written or where nothing may be written.
    ///
    /// # Errors
    /// [`StoreError::Missing`] when there is none; [`StoreError::Unclosed`] when writing was interrupted and its folder
    /// may not be written; others when it cannot be read.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        if !path.is_file() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        lock::check_names(path)?;
        // A writer removes the files that `SQLite` creates next to it; a reader could not.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match Self::reading(Connection::open_with_flags(path, flags)?) {
            // To read a journal, `SQLite` creates a file next to it. If there is none, no program is writing.
            Err(StoreError::Sql(error)) if unwritable(&error) => {
                let real = lock::real(path).map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
                let mut journal = real.as_os_str().to_owned();
                journal.push("-wal");
                if fs::metadata(&journal).is_ok_and(|data| data.len() > 0) {
                    return Err(StoreError::Unclosed { path: path.to_owned() });
                }
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                Self::reading(Connection::open_with_flags(immutable(&real), flags | OpenFlags::SQLITE_OPEN_URI)?)
            }
            other => other,
        }
    }

    fn reading(connection: Connection) -> Result<Self, StoreError> {
        connection.busy_timeout(READ_BUSY_TIMEOUT)?;
        connection.pragma_update(None, "query_only", true)?;
        match migrations::check(&connection)? {
            0 => Err(StoreError::Foreign),
            layout => Ok(Self { connection, layout, _lock: None }),
        }
    }

    /// A store in memory, lost when it is dropped.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when there is no memory for it.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::with(Connection::open_in_memory()?, None)
    }

    fn with(mut connection: Connection, lock: Option<StoreLock>) -> Result<Self, StoreError> {
        migrations::run(&mut connection)?;
        connection.set_prepared_statement_cache_capacity(32);
        Ok(Self { connection, layout: migrations::LAYOUT, _lock: lock })
    }
}

/// Whether an error means that a file cannot be created.
fn unwritable(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// The name that makes `SQLite` treat a file as one that no program writes.
fn immutable(path: &Path) -> OsString {
    let mut name = b"file:".to_vec();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'%' | b'?' | b'#' => name.extend(format!("%{byte:02x}").bytes()),
            _ => name.push(byte),
        }
    }
    name.extend(b"?immutable=1");
    OsString::from_vec(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan;
    use crate::plan::{Kind, Plan};
    use crate::summary::{SideFault, side_faults};
    use crate::tally::tests::bout;
    use agon_referee::fault_kind::FaultKind;
    use agon_referee::record::{Termination, Winner};
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
            faults: side_faults([None, Some(SideFault { reason: "any words".into(), kind: Some(FaultKind::NoMove) })]),
            termination: Some(Termination::Adjudication),
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
            // The connection is leaked, as a killed program would leave it; its lock alone is released.
            let Store { connection, _lock, .. } = store;
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
    fn bouts_of_an_earlier_layout_keep_their_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agon.db");
        let adjudicated = crate::Summary {
            reason: "adjudicated: both agree".into(),
            termination: Some(Termination::Adjudication),
            ..bout(0, [0, 1], Winner::First)
        };
        let reason = "second failed: TLE: no answer within 300 ms".to_owned();
        let late = crate::Summary {
            reason: reason.as_str().into(),
            verdicts: [Verdict::Ok, Verdict::Tle],
            faults: side_faults([None, Some(SideFault { reason: reason.into(), kind: None })]),
            ..bout(1, [1, 0], Winner::First)
        };
        let mut store = Store::open(&path).unwrap();
        let run = store.begin(&a_plan()).unwrap();
        let packed = pack("");
        store.keep(run, [&adjudicated, &late].map(|bout| (bout, &*packed))).unwrap();
        store
            .connection
            .execute_batch(
                "ALTER TABLE bout DROP COLUMN termination; ALTER TABLE bout DROP COLUMN faults;
                 ALTER TABLE bout DROP COLUMN reason_keyed;
                 PRAGMA user_version = 2",
            )
            .unwrap();
        drop(store);
        let found = || Store::read(&path).unwrap().bouts(run, 0..2).unwrap();
        assert_eq!(found(), [adjudicated.clone(), late.clone()], "read as it is");
        drop(Store::open(&path).unwrap());
        assert_eq!(found(), [adjudicated, late], "brought to this layout");
    }

    #[test]
    fn a_store_is_locked_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        // A link may exist before its target.
        std::os::unix::fs::symlink("agon.db", at("soft.db")).unwrap();
        let mut store = Store::open(&at("soft.db")).unwrap();
        let run = store.begin(&a_plan()).unwrap();
        fs::hard_link(at("agon.db"), at("hard.db")).unwrap();
        std::os::unix::fs::symlink(at("hard.db"), at("both.db")).unwrap();
        for name in ["agon.db", "soft.db", "hard.db", "both.db"] {
            assert!(matches!(Store::open(&at(name)), Err(StoreError::Busy { .. })), "{name}");
        }
        assert!(matches!(Store::read(&at("hard.db")), Err(StoreError::Elsewhere { .. })));
        // The attempts did not remove its locks.
        store.keep(run, [(&bout(0, [0, 1], Winner::Draw), &*pack(""))]).unwrap();
        assert_eq!(Store::read(&at("soft.db")).unwrap().count(run).unwrap(), 1);
        drop(store);
        for name in ["hard.db", "soft.db"] {
            assert_eq!(Store::open(&at(name)).unwrap().count(run).unwrap(), 1, "{name}");
        }
    }

    #[test]
    fn a_damaged_page_hides_as_little_as_it_can() {
        const BOUTS: u32 = 300;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agon.db");
        let mut store = Store::open(&path).unwrap();
        let run = store.begin(&a_plan()).unwrap();
        for slot in 0..BOUTS {
            store.keep(run, [(&bout(slot, [0, 1], Winner::Draw), &*pack(&"x".repeat(slot as usize)))]).unwrap();
        }
        let sql = "SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'bout' AND type = 'index'";
        let index: i64 = store.connection.query_row(sql, [], |row| row.get(0)).unwrap();
        let last: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
        let size: i64 = store.connection.query_row("PRAGMA page_size", [], |row| row.get(0)).unwrap();
        drop(store);
        let whole = fs::read(&path).unwrap();
        let check = |page: i64| {
            let mut damaged = whole.clone();
            damaged[((page - 1) * size) as usize..(page * size) as usize].fill(0xff);
            fs::write(&path, damaged).unwrap();
            let (mut seen, store) = (0, Store::read(&path).unwrap());
            let unreadable = store
                .records::<StoreError>(run, Filter::All, |bout, text| {
                    assert_eq!(bout.slot as usize, text.len());
                    seen += 1;
                    Ok(())
                })
                .unwrap();
            (seen, unreadable)
        };
        let (seen, unreadable) = check(index);
        assert!(seen == BOUTS && unreadable.is_empty(), "{seen} {unreadable:?}");
        let store = Store::read(&path).unwrap();
        assert_eq!(store.record(run, 7).unwrap(), Some("x".repeat(7)));
        assert_eq!(store.record(run, BOUTS).unwrap(), None);
        let (seen, unreadable) = check(last);
        assert!(seen > BOUTS / 2 && seen < BOUTS && !unreadable.is_empty(), "{seen} {unreadable:?}");
        assert!(unreadable.iter().all(|error| error.to_string().contains("of run 1 is damaged: ")), "{unreadable:?}");
    }

    #[test]
    fn another_program_may_lock_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agon.db");
        let mut store = Store::open(&path).unwrap();
        let run = store.begin(&a_plan()).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let kept = bout(0, [0, 1], Winner::Draw);
        assert!(matches!(store.keep(run, [(&kept, &*pack(""))]), Err(StoreError::Locked)));
        assert!(matches!(store.begin(&a_plan()), Err(StoreError::Locked)));
        assert_eq!(Store::read(&path).unwrap().count(run).unwrap(), 0);
        other.execute_batch("COMMIT").unwrap();
        store.keep(run, [(&kept, &*pack(""))]).unwrap();
    }

    #[test]
    fn a_reader_leaves_no_files_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agon.db");
        let run = Store::open(&path).unwrap().begin(&a_plan()).unwrap();
        let before = fs::read(&path).unwrap();
        let reader = Store::read(&path).unwrap();
        assert_eq!(reader.count(run).unwrap(), 0);
        assert!(reader.connection.execute("DELETE FROM run", []).is_err());
        drop(reader);
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| !name.contains(".lock")).collect();
        names.sort();
        assert_eq!((names.as_slice(), fs::read(&path).unwrap() == before), (&["agon.db".to_owned()][..], true));
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
    fn a_run_of_other_programs_is_found_by_its_texts() {
        let mut store = Store::in_memory().unwrap();
        let plan = a_plan();
        let first = store.begin(&plan).unwrap();
        let mut rebuilt = plan.clone();
        rebuilt.agents[1].fingerprint = "rebuilt".to_owned();
        assert_eq!(store.replaced_by(&rebuilt).unwrap().map(|run| run.id), Some(first));
        assert_eq!(store.replaced_by(&Plan { games: 100, ..plan.clone() }).unwrap(), None);
        assert_eq!(store.replaced_by(&Plan { seed: 2, ..rebuilt.clone() }).unwrap(), None);
        let second = store.begin(&rebuilt).unwrap();
        assert!(second != first);
        // Both have a run now.
        assert_eq!((store.replaced_by(&rebuilt).unwrap(), store.replaced_by(&plan).unwrap()), (None, None));
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
        // The same moves with swapped seats are a different bout.
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
