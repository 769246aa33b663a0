//! The compiled programs in the cache: which are in use, and which go first when there are too many.
//!
//! Next to each folder `NAME` is a file `NAME.lock`. Users of the program hold a shared lock on it, and its date is the
//! time of the last use; removing the program requires an exclusive lock. The system releases locks when their process
//! ends.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};

use crate::folders;

/// No compiler runs this long: anything unfinished after that was left by a killed process.
const MAX_BUILD_AGE: Duration = Duration::from_hours(1);

/// A compiled program in use. While this value lives no process removes it from the cache.
#[derive(Debug)]
pub struct BuildLease {
    folder: PathBuf,
    _lock: File,
}

impl BuildLease {
    /// Its folder in the cache.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl PartialEq for BuildLease {
    fn eq(&self, other: &Self) -> bool {
        self.folder == other.folder
    }
}

impl Eq for BuildLease {}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildCache {
    pub programs: usize,
    /// Their files together, in bytes.
    pub bytes: u64,
}

fn lock_of(folder: &Path) -> PathBuf {
    folder.with_extension("lock")
}

/// Opens the lock of a program, and returns whether it is still the one that others see.
fn opened(lock: &Path, how: FlockOperation) -> io::Result<Option<File>> {
    let file = File::options().read(true).write(true).create(true).truncate(false).open(lock)?;
    flock(&file, how)?;
    let own = file.metadata()?;
    // Removing a program removes its lock, too.
    Ok(fs::metadata(lock).is_ok_and(|seen| (seen.dev(), seen.ino()) == (own.dev(), own.ino())).then_some(file))
}

/// Keeps a program in the cache, whether or not it is already there, and records its use.
pub(crate) fn lease(folder: &Path) -> io::Result<BuildLease> {
    let lock = lock_of(folder);
    if let Some(above) = lock.parent() {
        fs::create_dir_all(above)?;
    }
    loop {
        if let Some(file) = opened(&lock, FlockOperation::LockShared)? {
            file.set_modified(SystemTime::now())?;
            return Ok(BuildLease { folder: folder.to_owned(), _lock: file });
        }
    }
}

/// Removes the least recently used programs from the cache until at most `most` bytes are left, and returns what is
/// left. Programs in use stay, even if that exceeds the limit.
///
/// # Errors
/// When the cache folder cannot be used.
pub fn evict(most: u64) -> io::Result<BuildCache> {
    evict_from(&folders::cache().map_err(io::Error::other)?, most)
}

fn evict_from(cache: &Path, most: u64) -> io::Result<BuildCache> {
    let entries = match fs::read_dir(cache) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BuildCache::default()),
        entries => entries?,
    };
    let mut programs = Vec::new();
    for entry in entries {
        let path = entry?.path();
        // Another process may have removed it.
        let Ok(data) = fs::symlink_metadata(&path) else { continue };
        match path.extension() {
            None if data.is_dir() => {
                let used = fs::metadata(lock_of(&path)).unwrap_or(data).modified()?;
                programs.push((used, folders::size(&path), path));
            }
            Some(end) if end == "lock" && !path.with_extension("").is_dir() => remove(&path.with_extension(""))?,
            Some(_) if data.is_dir() && data.modified()?.elapsed().is_ok_and(|age| age > MAX_BUILD_AGE) => {
                fs::remove_dir_all(&path)?;
            }
            _ => {}
        }
    }
    programs.sort();
    let mut left = BuildCache { programs: programs.len(), bytes: programs.iter().map(|(_, size, _)| size).sum() };
    for (_, size, folder) in programs {
        if left.bytes <= most {
            break;
        }
        remove(&folder)?;
        if !folder.exists() {
            left = BuildCache { programs: left.programs - 1, bytes: left.bytes - size };
        }
    }
    Ok(left)
}

/// Removes a program and its lock, unless it is in use.
fn remove(folder: &Path) -> io::Result<()> {
    let lock = lock_of(folder);
    let held = match opened(&lock, FlockOperation::NonBlockingLockExclusive) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
        held => held?,
    };
    if held.is_none() {
        return Ok(());
    }
    // So no process finds a partial one.
    let aside = folder.with_extension(format!("removed-{}", std::process::id()));
    if folder.is_dir() {
        fs::rename(folder, &aside)?;
        fs::remove_dir_all(&aside)?;
    }
    fs::remove_file(&lock)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cache with programs of 1000 bytes, the first used longest ago.
    fn cache(names: &[&str]) -> tempfile::TempDir {
        let cache = tempfile::tempdir().unwrap();
        for (at, name) in names.iter().enumerate() {
            let folder = cache.path().join(name);
            fs::create_dir_all(folder.join("part")).unwrap();
            fs::write(folder.join("part/program"), [0; 1000]).unwrap();
            drop(lease(&folder).unwrap());
            let lock = File::options().write(true).open(lock_of(&folder)).unwrap();
            lock.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(at as u64)).unwrap();
        }
        cache
    }

    fn left(cache: &Path) -> Vec<String> {
        let names = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let cache = cache(&["c20-a", "c20-b", "c20-c"]);
        let found = evict_from(cache.path(), 3000).unwrap();
        assert_eq!(found, BuildCache { programs: 3, bytes: 3000 });
        drop(lease(&cache.path().join("c20-a")).unwrap());
        assert_eq!(evict_from(cache.path(), 2999).unwrap(), BuildCache { programs: 2, bytes: 2000 });
        assert_eq!(left(cache.path()), ["c20-a", "c20-a.lock", "c20-c", "c20-c.lock"], "it was used again");
    }

    #[test]
    fn what_is_in_use_stays() {
        let cache = cache(&["c20-a", "c20-b"]);
        let used = lease(&cache.path().join("c20-a")).unwrap();
        assert_eq!(evict_from(cache.path(), 0).unwrap(), BuildCache { programs: 1, bytes: 1000 });
        assert_eq!(left(cache.path()), ["c20-a", "c20-a.lock"]);
        drop(used);
        assert_eq!(evict_from(cache.path(), 0).unwrap(), BuildCache::default());
        assert_eq!(left(cache.path()), [""; 0]);
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let cache = cache(&["c20-a"]);
        // A program that did not compile has a lock and no folder.
        drop(lease(&cache.path().join("c20-b")).unwrap());
        for (name, hours) in [("c20-c.building-7", 2), ("c20-d.building-8", 0)] {
            fs::create_dir(cache.path().join(name)).unwrap();
            let date = SystemTime::now() - Duration::from_hours(hours);
            File::open(cache.path().join(name)).unwrap().set_modified(date).unwrap();
        }
        evict_from(cache.path(), u64::MAX).unwrap();
        assert_eq!(left(cache.path()), ["c20-a", "c20-a.lock", "c20-d.building-8"]);
        assert_eq!(evict_from(&cache.path().join("none"), 0).unwrap(), BuildCache::default());
    }
}
