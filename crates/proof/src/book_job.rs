//! Shared by the jobs that grow the proved book and expand the practised one: files, limits, threads.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{error, fs, io};

use agon_jobs::{FileError, Instant};

/// Files and limits of a job that makes a book.
#[derive(Clone, Debug)]
pub struct BookJob {
    /// The book, written once a minute and at the end.
    pub book: PathBuf,
    /// Work file with every search, one per line, from which a stopped job resumes.
    pub work: PathBuf,
    /// Maximum duration of the job.
    pub time: Option<Duration>,
    /// After how many searches it ends, including those of earlier runs.
    pub searches: Option<u64>,
    pub threads: usize,
    /// The number of the opening that alone is searched.
    pub opening: Option<usize>,
}

impl BookJob {
    /// Creates a job without limits on one thread; its work file is beside the book, with the suffix `.work`.
    pub fn new(book: &Path) -> Self {
        let mut work = book.as_os_str().to_owned();
        work.push(".work");
        Self { book: book.to_owned(), work: work.into(), time: None, searches: None, threads: 1, opening: None }
    }

    /// Returns true if a job that started at `start` and has done `searches` searches must end.
    pub(crate) fn is_over(&self, start: Instant, searches: u64) -> bool {
        self.time.is_some_and(|time| start.elapsed() >= time) || self.searches.is_some_and(|most| searches >= most)
    }
}

/// Reads a book, proved or practised.
///
/// # Errors
/// [`BookJobError::Read`] if the file cannot be read, [`BookJobError::NoBook`] if it is not such a book.
pub fn read_book<T: FromStr>(path: &Path) -> Result<T, BookJobError>
where
    T::Err: error::Error + Send + Sync + 'static,
{
    let text = fs::read_to_string(path).map_err(|source| BookJobError::Read { path: path.to_owned(), source })?;
    text.parse().map_err(|error: T::Err| BookJobError::NoBook { path: path.to_owned(), source: error.into() })
}

#[derive(Debug, thiserror::Error)]
pub enum BookJobError {
    #[error("cannot read `{path}`")]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot read `{path}`")]
    NoBook { path: PathBuf, source: Box<dyn error::Error + Send + Sync> },
    #[error(transparent)]
    File(#[from] FileError),
}
