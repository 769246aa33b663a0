//! Output files of long jobs, checked before the job begins.

use std::fs::{self, OpenOptions};
use std::path::Path;

use anyhow::{Context, anyhow};

/// Checks that a file can be written, and leaves it as it was. With `folders`, makes missing folders above it.
///
/// # Errors
/// If it cannot be written.
pub fn check(path: &Path, what: &str, folders: bool) -> anyhow::Result<()> {
    let refusal = || format!("cannot write {what} `{}`; name another place", path.display());
    let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = parent.filter(|_| folders) {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder `{}` for {what}; name another place", folder.display()))?;
    }
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(anyhow!("it is a folder")).with_context(refusal),
        // Opening a pipe would wait for its reader.
        Ok(found) if !found.is_file() => Ok(()),
        Ok(_) => OpenOptions::new().append(true).open(path).map(drop).with_context(refusal),
        Err(_) => {
            OpenOptions::new().append(true).create(true).open(path).with_context(refusal)?;
            fs::remove_file(path).with_context(refusal)
        }
    }
}
