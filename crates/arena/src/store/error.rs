//! Errors of the store.

use std::path::PathBuf;

/// Why the store cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no file to read.
    #[error("there is no store `{}`", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// Another writer has it.
    #[error("the store `{}` is being written by another run; wait for it, or name another store", path.display())]
    Busy {
        /// The path.
        path: PathBuf,
    },
    /// The file or its lock cannot be used.
    #[error("cannot use the store `{}`: {source}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Written by a later version.
    #[error("the store has layout {found}, but this program knows only up to {known}; use a newer one")]
    Newer {
        /// The layout of the file.
        found: u32,
        /// The newest one known here.
        known: u32,
    },
    /// A database of another program.
    #[error("the database is not a store of Agon")]
    Foreign,
    /// There is no such run.
    #[error("there is no run {run} in the store")]
    NoRun {
        /// Its number.
        run: i64,
    },
    /// A stored bout is not the one of the schedule.
    #[error("bout {slot} of run {run} was stored with other agents or another seed than the schedule has")]
    Diverged {
        /// The run.
        run: i64,
        /// The bout.
        slot: u32,
    },
    /// A stored value that cannot be understood.
    #[error("{what} is damaged: {problem}")]
    Damaged {
        /// What it is.
        what: String,
        /// Why it does not read.
        problem: String,
    },
    /// The database's own error.
    #[error("the store failed: {0}")]
    Sql(#[from] rusqlite::Error),
}
