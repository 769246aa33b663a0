//! The user's folders: where compiled programs and records are kept.
//!
//! A program found in the cache is run, so no other user may put one there.

use std::fs::{self, DirBuilder, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::paths;

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the folder `{}`: {source}; name another one in {variable}", path.display())]
pub struct FolderError {
    pub path: PathBuf,
    /// The variable of the environment that names another one.
    pub variable: &'static str,
    /// What is wrong with it.
    pub source: io::Error,
}

/// Where compiled programs are kept: `$AGON_CACHE`, else `agon` in the user's cache folder, else a private folder among
/// the temporary files.
///
/// # Errors
/// [`FolderError`] when others may write there.
pub fn cache() -> Result<PathBuf, FolderError> {
    find("AGON_CACHE", "XDG_CACHE_HOME", ".cache/agon")
}

/// Where records without a named file are kept: `$AGON_STATE`, else `agon` in the user's state folder, else a
/// private folder among the temporary files.
///
/// # Errors
/// [`FolderError`] when others may write there.
pub fn state() -> Result<PathBuf, FolderError> {
    find("AGON_STATE", "XDG_STATE_HOME", ".local/state/agon")
}

/// The user's home, a whole path.
pub fn home() -> Option<PathBuf> {
    named("HOME")
}

/// The folder that a variable names, as a whole path: programs start in other folders than the judge.
pub fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(|value| paths::whole(Path::new(&value)))
}

/// The total size of all files in a folder; links are not followed, and unreadable files count as nothing.
pub fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => size(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    });
    bytes.sum()
}

fn find(variable: &'static str, base: &str, home: &str) -> Result<PathBuf, FolderError> {
    let own = named(variable)
        .or_else(|| named(base).map(|folder| folder.join("agon")))
        .or_else(|| self::home().map(|folder| folder.join(home)));
    let (path, checked) = match own {
        Some(path) => (path.clone(), closed(&path)),
        None => {
            let path = std::env::temp_dir().join(format!("agon-{}", rustix::process::geteuid().as_raw()));
            (path.clone(), private(&path))
        }
    };
    checked.map_err(|source| FolderError { path: path.clone(), variable, source })?;
    Ok(path)
}

/// A folder that the user chose: other users of the machine must not be able to write there.
fn closed(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() && found.mode() & 0o002 != 0 => {
            Err(io::Error::other("every user of this machine may write there (chmod o-w mends that)"))
        }
        // Anything else that is wrong shows when it is used.
        _ => Ok(()),
    }
}

/// A folder that anybody could have created before: it must belong to this user alone.
fn private(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found: Metadata = fs::symlink_metadata(path)?;
    if !found.is_dir() {
        return Err(io::Error::other("not a folder"));
    }
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("it belongs to another user"));
    }
    if found.mode() & 0o077 != 0 {
        return Err(io::Error::other("it is open to other users (chmod 700 mends that)"));
    }
    Ok(())
}
