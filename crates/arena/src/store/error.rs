//! Errors of the store.

use std::path::PathBuf;

use agon_catalog::UnknownGame;
use rusqlite::{ErrorCode, ffi};

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("no such store: `{}`", path.display())]
    Missing { path: PathBuf },
    #[error("the store `{}` is being written by another run; wait for it, or name another store", path.display())]
    Busy { path: PathBuf },
    #[error("cannot use the store `{}`: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error(
        "the store `{}` was left in the midst of writing, and its folder may not be written; copy it with its `-wal` \
         file to another folder",
        path.display()
    )]
    Unclosed { path: PathBuf },
    #[error(
        "the store `{}` is being written, or was left in the midst of it, by its other name `{}`; name it so",
        path.display(),
        other.display()
    )]
    Elsewhere { path: PathBuf, other: PathBuf },
    #[error("the store has layout {found}, but this program knows only up to {known}; use a newer one")]
    Newer { found: u32, known: u32 },
    #[error("the store has layout {found}, and this program changes only layout {known}; start its site once with it")]
    Older { found: u32, known: u32 },
    #[error("the database is not a store of Agon")]
    Foreign,
    #[error("there is no run {run} in the store")]
    NoRun { run: i64 },
    #[error("game {slot} of run {run} was stored with other agents or another seed than the schedule has")]
    Diverged { run: i64, slot: u32 },
    #[error("{what} is damaged: {problem}")]
    Damaged { what: String, problem: String },
    /// The rules of its game are a program that was not given.
    #[error("run {run}: {problem}")]
    Rules { run: i64, problem: UnknownGame },
    #[error("the store is locked by another program; end that one, or wait until it is done")]
    Locked,
    #[error(
        "the store cannot be written: {problem}; the games that it has are kept, and the same command plays the rest \
         where there is room"
    )]
    Full { problem: &'static str },
    #[error("the store failed: {}", .0.to_string().split_whitespace().collect::<Vec<_>>().join(" "))]
    Sql(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DiskFull) => Self::Full { problem: "the disk is full" },
            _ if is_refused_write(&error) => {
                Self::Full { problem: "its file may not grow (a limit as of `ulimit -f`, a quota, or a failing disk)" }
            }
            _ => Self::Sql(error),
        }
    }
}

/// Whether the system refused to write.
fn is_refused_write(error: &rusqlite::Error) -> bool {
    let writes = [ffi::SQLITE_IOERR_WRITE, ffi::SQLITE_IOERR_SHMSIZE, ffi::SQLITE_IOERR_TRUNCATE];
    error.sqlite_error().is_some_and(|error| writes.contains(&error.extended_code))
}
