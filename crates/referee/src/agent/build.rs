//! The build folders of compilers: sources go in, and the results are taken out.
//!
//! A program may trick its compiler into leaving anything there, so no link is followed out of the folder, and
//! everything is limited.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use super::language::Language;
use rustix::fs::{Dir, Mode, OFlags, openat};
use rustix::io::Errno;

/// Files and folders.
const MAX_ENTRIES: usize = 10_000;

const MAX_FOLDER_DEPTH: usize = 20;

/// Why a compiler's output cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum TakeError {
    /// It is too large, has too many files, or nests folders too deeply.
    #[error("too large, too many files, or too many folders in one another")]
    TooMuch,
    /// The system refuses to read or to write it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The mark with which editors of Windows begin texts in UTF-8. javac takes it for a character of the program.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Writes sources, whose names may have folders in them, into a new folder, without their byte order marks.
///
/// # Errors
/// Any error of the system.
pub(super) fn write(folder: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    make(folder)?;
    for (name, text) in files {
        let path = folder.join(name);
        let above: Vec<&Path> = path.ancestors().skip(1).take_while(|above| *above != folder).collect();
        above.into_iter().rev().try_for_each(make)?;
        let is_source = Language::by_extension(Path::new(name)).is_some();
        let text = text.strip_prefix(BYTE_ORDER_MARK).filter(|_| is_source).unwrap_or(text);
        fs::write(&path, text)?;
        open_to_all(&path, false)?;
    }
    Ok(())
}

/// Copies the files and folders of an opened folder, at most `limit` bytes, to a new one. Everything else is left out.
///
/// # Errors
/// [`TakeError`].
pub(super) fn take(from: &OwnedFd, to: &Path, limit: u64) -> Result<(), TakeError> {
    take_folder(from.as_fd(), to, MAX_FOLDER_DEPTH, &mut Room { bytes: limit, entries: MAX_ENTRIES })
}

/// What may still be copied.
struct Room {
    bytes: u64,
    entries: usize,
}

fn take_folder(from: BorrowedFd<'_>, to: &Path, depth: usize, room: &mut Room) -> Result<(), TakeError> {
    if depth == 0 {
        return Err(TakeError::TooMuch);
    }
    make(to)?;
    for entry in Dir::read_from(from).map_err(io::Error::from)? {
        let entry = entry.map_err(io::Error::from)?;
        let name = entry.file_name();
        if [c".", c".."].contains(&name) {
            continue;
        }
        room.entries = room.entries.checked_sub(1).ok_or(TakeError::TooMuch)?;
        // A pipe without a writer is not waited for.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = match openat(from, name, flags, Mode::empty()) {
            Ok(opened) => File::from(opened),
            // A link, a socket, or something unreadable.
            Err(Errno::LOOP | Errno::NXIO | Errno::ACCESS) => continue,
            Err(error) => return Err(io::Error::from(error).into()),
        };
        let data = opened.metadata()?;
        let to = to.join(std::ffi::OsStr::from_bytes(name.to_bytes()));
        if data.is_dir() {
            take_folder(opened.as_fd(), &to, depth - 1, room)?;
        } else if data.is_file() {
            let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&to)?;
            let copied = io::copy(&mut (&opened).take(room.bytes + 1), &mut copy)?;
            room.bytes = room.bytes.checked_sub(copied).ok_or(TakeError::TooMuch)?;
            // Python believes its compiled files by the date of their source.
            copy.set_modified(data.modified()?)?;
            open_to_all(&to, data.permissions().mode() & 0o111 != 0)?;
        }
    }
    Ok(())
}

/// Creates a folder, if it does not exist, whose files everybody can read who can reach it: programs run as another
/// user in their jails.
fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    open_to_all(folder, true)
}

fn open_to_all(path: &Path, runs: bool) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(if runs { 0o755 } else { 0o644 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::os::unix::fs::symlink;
    use std::time::{Duration, SystemTime};

    fn taken(from: &Path, to: &Path, limit: u64) -> Result<(), TakeError> {
        take(&OwnedFd::from(File::open(from).unwrap()), to, limit)
    }

    #[test]
    fn sources_are_written_without_a_byte_order_mark() {
        let folder = tempfile::tempdir().unwrap();
        let marked = |text: &str| [BYTE_ORDER_MARK, text.as_bytes()].concat();
        let names = ["Bot.java", "bot.py", "bot.js", "bot.rb", "bot.rs", "bot.c", "bot.cpp", "book.csv"];
        let files = names.map(|name| (name.to_owned(), marked(name)));
        write(folder.path(), &files).unwrap();
        for name in names {
            let text = fs::read(folder.path().join(name)).unwrap();
            // Files that are not sources are the program's own business.
            assert_eq!(text, if name == "book.csv" { marked(name) } else { name.as_bytes().to_vec() }, "{name}");
        }
    }

    #[test]
    fn files_and_folders_are_taken_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("from"), place.path().join("to"));
        let files = ["main.c", "part/deep/x.h"].map(|name| (name.to_owned(), name.as_bytes().to_vec()));
        write(&from, &files).unwrap();
        fs::write(from.join("program"), "run").unwrap();
        fs::set_permissions(from.join("program"), Permissions::from_mode(0o4700)).unwrap();
        let date = SystemTime::now() - Duration::from_hours(5);
        File::options().write(true).open(from.join("main.c")).unwrap().set_modified(date).unwrap();
        symlink("/etc/passwd", from.join("link")).unwrap();
        symlink("/etc", from.join("part/folder")).unwrap();
        let fifo = from.join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        drop(std::os::unix::net::UnixListener::bind(from.join("socket")).unwrap());
        taken(&from, &to, 1000).unwrap();
        let names = |folder: &Path| {
            let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        };
        assert_eq!(
            (names(&to), names(&to.join("part"))),
            (["main.c", "part", "program"].map(str::to_owned).into(), ["deep".to_owned()].into())
        );
        assert_eq!(fs::read_to_string(to.join("part/deep/x.h")).unwrap(), "part/deep/x.h");
        let data = |name: &str| fs::metadata(to.join(name)).unwrap();
        let modes = ["program", "main.c", "part"].map(|name| data(name).permissions().mode() & 0o7777);
        assert_eq!(modes, [0o755, 0o644, 0o755]);
        assert_eq!(data("main.c").modified().unwrap(), date);
    }

    #[test]
    fn what_is_taken_is_bounded() {
        let check = |make: &dyn Fn(&Path), whole: bool| {
            let place = tempfile::tempdir().unwrap();
            let from = place.path().join("from");
            fs::create_dir(&from).unwrap();
            make(&from);
            let found = taken(&from, &place.path().join("to"), 1000);
            match found {
                Ok(()) => assert!(whole),
                Err(error) => assert!(matches!(error, TakeError::TooMuch) && !whole, "{error}"),
            }
        };
        let hole = |from: &Path, name: &str, length| File::create(from.join(name)).unwrap().set_len(length).unwrap();
        check(&|from| hole(from, "a", 1000), true);
        check(&|from| hole(from, "a", 1001), false);
        check(&|from| hole(from, "a", 1 << 40), false);
        check(&|from| ["a", "b"].into_iter().for_each(|name| hole(from, name, 501)), false);
        check(&|from| fs::create_dir_all(from.join("d/".repeat(MAX_FOLDER_DEPTH - 1))).unwrap(), true);
        check(&|from| fs::create_dir_all(from.join("d/".repeat(MAX_FOLDER_DEPTH))).unwrap(), false);
        check(&|from| (0..=MAX_ENTRIES).for_each(|at| hole(from, &at.to_string(), 0)), false);
    }
}
