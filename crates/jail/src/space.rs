//! A folder for the temporary files of a program without a separate root.

use std::ffi::CString;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmodat, openat, renameat, unlinkat};
use rustix::io::Errno;

/// Names tried for a new folder.
const MAX_TRIES: usize = 16;

/// A folder that only its user may enter. It is removed with this value.
#[derive(Debug)]
pub struct Space {
    path: PathBuf,
}

impl Space {
    /// A new one in this folder.
    ///
    /// # Errors
    /// The errors of `mkdir`.
    pub fn new(parent: &Path) -> io::Result<Self> {
        let mut refused = io::ErrorKind::AlreadyExists.into();
        for _ in 0..MAX_TRIES {
            // No process can guess the name; a path that exists all the same is not used.
            let number = RandomState::new().hash_one(std::process::id());
            let path = parent.join(format!("agon-{number:016x}"));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => refused = error,
                Err(error) => return Err(error),
            }
        }
        Err(refused)
    }

    /// Refers to one that another process has created and will remove.
    pub const fn at(path: PathBuf) -> Self {
        Self { path }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes its content. No process may write into it meanwhile.
    ///
    /// A program's folders may be nested more deeply than a path can be long or files can be open at once, and may be
    /// closed to their owner. So nested folders are moved to the top before they are emptied.
    ///
    /// # Errors
    /// The error of the system for the first entry that cannot be removed.
    pub fn empty(&self) -> io::Result<()> {
        let mut moved = 0_u64;
        let top = open(CWD, &self.path)?;
        loop {
            let names = names(top.as_fd())?;
            if names.is_empty() {
                return Ok(());
            }
            for name in names {
                if is_removed(top.as_fd(), &name)? {
                    continue;
                }
                let folder = open(top.as_fd(), &name)?;
                for inner in self::names(folder.as_fd())? {
                    if is_removed(folder.as_fd(), &inner)? {
                        continue;
                    }
                    // It must be writable to be moved, because it contains its parent's entry.
                    chmodat(&folder, &inner, Mode::RWXU, AtFlags::empty())?;
                    loop {
                        moved += 1;
                        match renameat(&folder, &inner, &top, format!("moved{moved}")) {
                            // Another one has this name already.
                            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                            result => break result?,
                        }
                    }
                }
                unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
            }
        }
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        let _ = self.empty().and_then(|()| fs::remove_dir(&self.path));
    }
}

/// Opens a folder of unknown permissions and content.
fn open(parent: BorrowedFd<'_>, name: impl rustix::path::Arg + Copy) -> io::Result<OwnedFd> {
    chmodat(parent, name, Mode::RWXU, AtFlags::empty())?;
    Ok(openat(parent, name, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?)
}

/// Removes a file or an empty folder; false for a folder that is not empty.
fn is_removed(parent: BorrowedFd<'_>, name: &CString) -> io::Result<bool> {
    match unlinkat(parent, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) => {}
        result => return Ok(result.map(|()| true)?),
    }
    match unlinkat(parent, name, AtFlags::REMOVEDIR) {
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
        result => Ok(result.map(|()| true)?),
    }
}

fn names(folder: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        if ![c".", c".."].contains(&entry.file_name()) {
            names.push(entry.file_name().to_owned());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_space_is_its_users_alone_and_goes_with_its_value() {
        let parent = tempfile::tempdir().unwrap();
        let (first, second) = (Space::new(parent.path()).unwrap(), Space::new(parent.path()).unwrap());
        assert_ne!(first.path(), second.path());
        assert_eq!(mode(first.path()), 0o700);
        fs::write(first.path().join("file"), "text").unwrap();
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists() && second.path().exists());
        assert!(Space::new(&path).is_err());
    }

    #[test]
    fn it_is_emptied_of_whatever_a_program_has_made() {
        let parent = tempfile::tempdir().unwrap();
        let outside = parent.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "text").unwrap();
        let space = Space::new(parent.path()).unwrap();
        let at = |name: &str| space.path().join(name);
        fs::create_dir_all(at("closed/inner/innermost")).unwrap();
        fs::write(at("closed/inner/innermost/file"), "text").unwrap();
        fs::create_dir(at("moved1")).unwrap();
        fs::write(at("moved1/moved2"), "text").unwrap();
        fs::write(at("moved2"), "text").unwrap();
        symlink(&outside, at("link")).unwrap();
        symlink(&outside, at("closed/link")).unwrap();
        fs::write(at("name\n\u{7f}"), "text").unwrap();
        for closed in ["closed/inner/innermost", "closed/inner", "closed", "moved1", ""] {
            fs::set_permissions(at(closed), fs::Permissions::from_mode(0o0)).unwrap();
        }
        space.empty().unwrap();
        assert_eq!(fs::read_dir(space.path()).unwrap().count(), 0);
        assert_eq!(mode(space.path()), 0o700);
        assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "text");
    }

    /// Two chains of folders, one deeper than a path may be long and than files may be open.
    #[test]
    fn depth_is_no_defence() {
        let parent = tempfile::tempdir().unwrap();
        let space = Space::new(parent.path()).unwrap();
        for (chain, depth) in [("1", 1100), ("2", 50)] {
            let mut folder = open(CWD, space.path()).unwrap();
            for level in 0..depth {
                let name = if level == 0 { chain } else { "deeper" };
                rustix::fs::mkdirat(&folder, name, Mode::RWXU).unwrap();
                folder = open(folder.as_fd(), name).unwrap();
                openat(&folder, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
            }
        }
        space.empty().unwrap();
        assert_eq!(fs::read_dir(space.path()).unwrap().count(), 0);
    }
}
