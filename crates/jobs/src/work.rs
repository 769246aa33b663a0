//! Files of a job that can be stopped and resumed: one for its finished tasks, one for its result.

use std::error::Error;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use crate::{FileError, Instant, write_atomically};

/// Interval between writes of the result while a job runs.
const WRITE_EVERY: Duration = Duration::from_mins(1);

/// The finished tasks of a job, one line each, appended when a task is finished. A kill at any moment loses at most the
/// line being written.
#[derive(Debug)]
pub struct WorkFile {
    path: PathBuf,
    file: File,
}

impl WorkFile {
    /// Opens a file for appending, or creates it, and returns its records. A line truncated by a kill is removed.
    ///
    /// # Errors
    /// [`FileError`] when the file cannot be read or written, or holds something else.
    pub fn open<T: FromStr>(path: &Path) -> Result<(Self, Vec<T>), FileError>
    where
        T::Err: Error + Send + Sync + 'static,
    {
        let mut records = Vec::new();
        match fs::read(path) {
            Ok(bytes) => {
                let whole = whole_lines(&bytes);
                records = parse(path, whole)?;
                let file = OpenOptions::new().write(true).open(path);
                file.and_then(|file| file.set_len(whole.len() as u64)).map_err(FileError::on("write", path))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(FileError::on("read", path)(error)),
        }
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(FileError::on("write", path))?;
        Ok((Self { path: path.to_owned(), file }, records))
    }

    /// Returns the records of a file that a job may be writing to; changes nothing.
    ///
    /// # Errors
    /// [`FileError`] when the file cannot be read, or holds something else.
    pub fn read<T: FromStr>(path: &Path) -> Result<Vec<T>, FileError>
    where
        T::Err: Error + Send + Sync + 'static,
    {
        let bytes = fs::read(path).map_err(FileError::on("read", path))?;
        parse(path, whole_lines(&bytes))
    }

    /// Appends a record, whose text must be one line, in one write.
    ///
    /// # Errors
    /// [`FileError`] when the system refuses.
    pub fn append(&mut self, record: &impl Display) -> Result<(), FileError> {
        let line = format!("{record}\n");
        self.file.write_all(line.as_bytes()).map_err(FileError::on("write", &self.path))
    }
}

/// Returns everything but an unfinished last line.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)]
}

/// A record of each line.
fn parse<T: FromStr>(path: &Path, lines: &[u8]) -> Result<Vec<T>, FileError>
where
    T::Err: Error + Send + Sync + 'static,
{
    let text = std::str::from_utf8(lines).map_err(FileError::on("read", path))?;
    text.lines().map(|line| line.parse().map_err(FileError::on::<T::Err>("go on with", path))).collect()
}

/// The result of a job, written every minute while it runs and once at its end.
#[derive(Debug)]
pub struct ResultFile {
    path: PathBuf,
    every: Duration,
    written: Instant,
}

impl ResultFile {
    /// A result for this file, which is not touched before the first write.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), every: WRITE_EVERY, written: Instant::now() }
    }

    /// Returns true if the last write is long enough ago.
    pub fn is_due(&self) -> bool {
        self.written.elapsed() >= self.every
    }

    /// Writes the result if the last write is long enough ago.
    ///
    /// # Errors
    /// [`FileError`] when the system refuses.
    pub fn write_when_due<C: AsRef<[u8]>>(&mut self, result: impl FnOnce() -> C) -> Result<(), FileError> {
        if self.is_due() { self.write(result()) } else { Ok(()) }
    }

    /// Writes the result, replacing the last one.
    ///
    /// # Errors
    /// [`FileError`] when the system refuses.
    pub fn write(&mut self, result: impl AsRef<[u8]>) -> Result<(), FileError> {
        write_atomically(&self.path, result)?;
        self.written = Instant::now();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kill_at_any_byte_loses_no_whole_line() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("work");
        let all = [5_u32, 17, 1234];
        let (mut file, none) = WorkFile::open::<u32>(&path).expect("a new file");
        assert_eq!(none, []);
        for number in all {
            file.append(&number).expect("appended");
        }
        let whole = fs::read(&path).expect("read");
        assert_eq!(whole, b"5\n17\n1234\n");
        // A reader leaves an unfinished line in place.
        fs::write(&path, &whole[..whole.len() - 1]).expect("written");
        assert_eq!(WorkFile::read::<u32>(&path).expect("read"), all[..2]);
        assert_eq!(fs::read(&path).expect("read").len(), whole.len() - 1);
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("cut");
            let (mut file, known) = WorkFile::open::<u32>(&path).expect("resumed");
            let lines = String::from_utf8_lossy(&whole[..cut]).matches('\n').count();
            assert_eq!(known, all[..lines], "cut at {cut}");
            for number in &all[lines..] {
                file.append(number).expect("appended");
            }
            assert_eq!(fs::read(&path).expect("read"), whole, "cut at {cut}");
        }
    }

    #[test]
    fn what_is_no_work_file_is_refused_and_left() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("work");
        let check = |contents: &[u8], expected: &str| {
            fs::write(&path, contents).expect("written");
            let error = WorkFile::open::<u32>(&path).expect_err("refused");
            assert!(error.to_string().starts_with(expected), "{error}");
            assert_eq!(fs::read(&path).expect("read"), contents);
        };
        check(b"12\nnotes\n34", "cannot go on with");
        check(b"\xFF\n", "cannot read");
        assert!(WorkFile::open::<u32>(folder.path()).is_err());
    }

    #[test]
    fn a_result_is_written_when_it_is_due() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("result");
        let mut result = ResultFile::new(&path);
        result.write_when_due(|| "early").expect("not due");
        assert!(!path.exists());
        result.every = Duration::ZERO;
        result.write_when_due(|| "due").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "due");
        result.write("last").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "last");
    }
}
