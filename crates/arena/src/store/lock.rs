//! The lock of a store: one program writes it at a time, by whichever of its names.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::fstatfs;

use super::StoreError;

/// The stores that this process has locked, by device and inode.
static LOCKED: Mutex<BTreeSet<(u64, u64)>> = Mutex::new(BTreeSet::new());

/// File systems that turn a lock of a whole file into a lock of its bytes, which would then lock out `SQLite` itself:
/// NFS, and two versions of SMB.
const BYTES_ALONE: [u64; 3] = [0x6969, 0xff53_4d42, 0xfe53_4d42];

/// Held while a store is written; the system gives the locks back when the program dies.
#[derive(Debug)]
pub struct StoreLock {
    /// The store's file, which hard links name too, and the lock file next to it.
    _files: [File; 2],
    id: (u64, u64),
}

impl StoreLock {
    /// Locks a store, creating an empty file if there is none. Also returns the path without symbolic links, which must
    /// be used for the store: its journal is next to it under that name.
    ///
    /// # Errors
    /// [`StoreError::Busy`] while another program writes it, [`StoreError::Io`] if it cannot be created or locked.
    pub fn take(path: &Path) -> Result<(Self, PathBuf), StoreError> {
        let io = |source| StoreError::Io { path: path.to_owned(), source };
        let locked = |file: &File| match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => Err(io(source)),
        };
        let real = real(path).map_err(io)?;
        let mut name = real.as_os_str().to_owned();
        name.push(".lock");
        let open = |path: &Path| File::options().create(true).truncate(false).write(true).open(path).map_err(io);
        let beside = open(Path::new(&name))?;
        locked(&beside)?;
        // Closing the file would release all locks that `SQLite` has on it in this process, so a file that is in use
        // here is not opened at all.
        let mut all = LOCKED.lock().unwrap_or_else(PoisonError::into_inner);
        if fs::metadata(&real).is_ok_and(|data| all.contains(&(data.dev(), data.ino()))) {
            return Err(StoreError::Busy { path: path.to_owned() });
        }
        let itself = open(&real)?;
        if !fstatfs(&itself).is_ok_and(|system| BYTES_ALONE.contains(&(system.f_type as u64 & 0xffff_ffff))) {
            locked(&itself)?;
        }
        let data = itself.metadata().map_err(io)?;
        let id = (data.dev(), data.ino());
        all.insert(id);
        Ok((Self { _files: [itself, beside], id }, real))
    }
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        LOCKED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// Refuses one name of a store if its journal is next to another of its names in the same folder: the games in the
/// journal would be missing, and it would later be replayed over newer ones.
pub(super) fn check_names(path: &Path) -> Result<(), StoreError> {
    let Ok(data) = fs::metadata(path) else { return Ok(()) };
    let journaled = |path: &Path| {
        let mut name = path.as_os_str().to_owned();
        name.push("-wal");
        fs::metadata(name).is_ok_and(|data| data.len() > 0)
    };
    let Ok(real) = real(path) else { return Ok(()) };
    if data.nlink() < 2 || journaled(&real) {
        return Ok(());
    }
    let others = real.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let same = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|m| (m.dev(), m.ino()) == (data.dev(), data.ino()));
    match others.filter(same).map(|entry| entry.path()).find(|other| journaled(other)) {
        Some(other) => Err(StoreError::Elsewhere { path: path.to_owned(), other }),
        None => Ok(()),
    }
}

/// The path without symbolic links. The file need not exist, nor the target of a link.
pub(super) fn real(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found,
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(target) = fs::read_link(path) {
        return real(&folder.join(target));
    }
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    Ok(folder.canonicalize()?.join(name))
}
