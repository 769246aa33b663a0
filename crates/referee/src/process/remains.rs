//! What a program has left behind when it ended.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, statat};

/// Names that are listed.
const MAX_LISTED: usize = 20;

/// What a program has left behind when it ended by itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remains {
    /// The names of the processes that it had started and that still ran.
    pub processes: Vec<String>,
    /// Files and folders in its own folder that are new or changed.
    pub files: Vec<String>,
}

/// The entries of a folder that differ from this folder of the machine, over which it is mounted. Hidden files and
/// interpreters' caches do not count.
///
/// # Errors
/// Any error of the system.
pub(super) fn changed(folder: &OwnedFd, before: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().to_str() else { continue };
        if name.starts_with('.') || name == "__pycache__" {
            continue;
        }
        let now = statat(folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)?;
        let same = fs::symlink_metadata(before.join(name)).is_ok_and(|before| {
            before.is_dir() || (before.size() == now.st_size as u64 && before.mtime() == now.st_mtime)
        });
        if !same && found.len() < MAX_LISTED {
            found.push(name.to_owned());
        }
    }
    found.sort();
    Ok(found)
}
