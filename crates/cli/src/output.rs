//! Files that are written when a long job is done: whether they can be is found out before it.

use std::fs::{self, OpenOptions};
use std::path::Path;

use anyhow::{Context, anyhow};

/// Looks whether a file can be written, leaving everything as it was. Missing folders above it are made if `folders` says
/// that they will be.
///
/// # Errors
/// One line that says what is wrong.
pub fn check(path: &Path, what: &str, folders: bool) -> anyhow::Result<()> {
    let told = || format!("cannot write {what} `{}`; name another place", path.display());
    let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = parent.filter(|_| folders) {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder `{}` for {what}; name another place", folder.display()))?;
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(anyhow!("it is a folder")).with_context(told),
        // To open a pipe would wait for its reader.
        Ok(found) if !found.is_file() => Ok(()),
        Ok(_) => OpenOptions::new().append(true).open(path).map(drop).with_context(told),
        Err(_) => {
            OpenOptions::new().append(true).create(true).open(path).with_context(told)?;
            fs::remove_file(path).with_context(told)
        }
    }
}
