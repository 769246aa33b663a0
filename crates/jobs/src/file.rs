//! Files that a kill leaves whole.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// A file that a job cannot use, with the failed action and its cause.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`{remedy}", path.display())]
pub struct FileError {
    action: &'static str,
    remedy: &'static str,
    path: PathBuf,
    source: Box<dyn Error + Send + Sync>,
}

impl FileError {
    /// Returns a function that converts the cause of a failure to an error, for `map_err`; `action` is a verb: `read`,
    /// `write`.
    pub fn on<E: Into<Box<dyn Error + Send + Sync>>>(action: &'static str, path: &Path) -> impl Fn(E) -> Self {
        move |source| Self { action, remedy: "", path: path.to_owned(), source: source.into() }
    }

    /// Like [`Self::on`], for the state of a job that cannot be resumed.
    pub fn on_resume<E: Into<Box<dyn Error + Send + Sync>>>(path: &Path) -> impl Fn(E) -> Self {
        let remedy = "; move it away to begin anew";
        move |source| Self { action: "go on with", remedy, path: path.to_owned(), source: source.into() }
    }
}

/// Writes a new file, named with the suffix `.new`, and renames it, so that a kill at any time leaves either the old
/// file or the new one.
///
/// # Errors
/// [`FileError`] when the system refuses either step.
pub fn write_atomically(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), FileError> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, contents).and_then(|()| fs::rename(&new, path)).map_err(FileError::on("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_goes_and_nothing_else_stays() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("a.b");
        for text in ["longer than what follows", "short"] {
            write_atomically(&path, text).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("read"), text);
        }
        let names: Vec<_> =
            fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!(names, ["a.b"]);
        assert!(write_atomically(&folder.path().join("none").join("a.b"), "").is_err());
    }
}
