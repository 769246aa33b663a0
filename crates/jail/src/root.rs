//! The root of a jail: a program's view of the file system.
//!
//! | path | what it is |
//! |---|---|
//! | the system's folders ([`system_paths`]), what the jail makes visible | read-only views of the machine's own |
//! | `/tmp`, `/dev/shm` | folders of the *space*, a tmpfs of limited size |
//! | the program's folder | an overlay: its writes go to the space; where it is not visible, a folder of the space |
//! | `/dev` | null, zero, full, random, urandom |
//! | `/proc` | of the jail's own processes, read-only; absent where the system allows none |
//! | `/etc/passwd`, `group`, `hosts` | made here |
//!
//! Views are created by `open_tree` and mounted by `move_mount`: no path of the machine is looked up once the new root
//! is ready. Sources: the manual pages `mount_namespaces`, `open_tree`, `mount_setattr` and `pivot_root`; Linux,
//! `Documentation/filesystems/overlayfs.rst`.

use std::fs::{self, File};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::{io, iter};

use rustix::fs::{CWD, Mode, OFlags, fstat, fstatvfs, open};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags,
    fsconfig_create, fsconfig_set_string, fsmount, fsopen, mount_change, move_mount, open_tree, unmount,
};

use super::failure::{Facility, JailError, Step};
use super::jail::Jail;
use super::system;
use super::system_paths::system_paths;

/// Folder for temporary files of the program.
const TEMPORARY: &str = "/tmp";

/// Place of the space while the jail is being built.
const SPACE: &str = "/.space";

/// Place of a folder while an overlay is mounted over it.
const LOWER: &str = "/.lower";

/// The last process number assigned in the namespace of the process that opens it.
const LAST_PROCESS: &str = "/proc/sys/kernel/ns_last_pid";

/// Files and folders that the space may hold.
const INODES: u32 = 16_384;

/// Folders of the space: for temporary files, for shared memory, for the program's folder (its contents, or the changes
/// to it), and for the overlay's additional needs.
const FOLDERS: [&str; 4] = ["tmp", "shm", "folder", "work"];

/// The parts of the machine that a jail shows, opened while the machine's paths can still be looked up.
pub(crate) struct Views {
    views: Vec<(PathBuf, Source)>,
    /// The program's folder as it is, if any of it is visible as a whole.
    folder: Option<OwnedFd>,
}

enum Source {
    /// A view of a folder or a file, and the file itself if it belongs to the system: a package may replace it before
    /// the view is mounted, which the kernel then refuses.
    View(OwnedFd, Kind, Option<File>),
    /// A symbolic link, which is recreated.
    Link(PathBuf),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Folder,
    File,
}

/// The root of a jail, and its state before a program ran.
pub(crate) struct Root {
    folder: PathBuf,
    space: OwnedFd,
    /// Free inodes of the space, and when its folders were changed last.
    fresh: (u64, Vec<(i64, i64)>),
    folders: Vec<OwnedFd>,
    /// Sets the number of the next process; `None` if it cannot be opened: then [`Root::renew`] renews nothing, and
    /// [`super::probe`] reports it.
    last_process: Option<File>,
}

impl Views {
    /// Opens views of everything visible. `same_user` is a user namespace in which root is the user that the programs
    /// run as: files in `visible` that only root may read are then readable to them, if the file system supports it.
    pub(crate) fn take(jail: &Jail, same_user: Option<&OwnedFd>) -> Result<Self, JailError> {
        let mut views: Vec<(PathBuf, Source)> = Vec::new();
        let system = system_paths().into_iter().map(|path| (path, false));
        let visible = jail.visible.iter().cloned().map(|path| (path, true));
        let mut wanted: Vec<(PathBuf, bool)> = system.chain(visible).collect();
        wanted.sort();
        for (path, own) in wanted {
            // It is included in the view of its parent.
            if path.starts_with("/proc") || views.iter().any(|(above, _)| path.starts_with(above)) {
                continue;
            }
            match Source::take(&path, own, same_user) {
                Ok(source) => views.push((path, source)),
                // Packages may remove a file after the search.
                Err(error) if error.source.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let folder = jail.folder.as_ref().filter(|folder| views.iter().any(|(path, _)| folder.starts_with(path)));
        let folder = folder.map(|path| view(path, same_user)).transpose()?;
        Ok(Self { views, folder })
    }
}

impl Source {
    /// Opens the current content of a path; `own` if only the jail makes it visible.
    fn take(path: &Path, own: bool, same_user: Option<&OwnedFd>) -> Result<Self, JailError> {
        let look = || format!("look at {}", path.display());
        if !own && fs::symlink_metadata(path).step(look)?.is_symlink() {
            return Ok(Self::Link(fs::read_link(path).step(|| format!("read the link {}", path.display()))?));
        }
        let data = fs::metadata(path).step(look)?;
        let kind = if data.is_dir() { Kind::Folder } else { Kind::File };
        let file = if data.is_file() && !own { File::open(path).ok() } else { None };
        Ok(Self::View(view(path, same_user.filter(|_| own))?, kind, file))
    }
}

/// Returns a read-only view of a folder or a file, with the mounts below it.
fn view(path: &Path, same_user: Option<&OwnedFd>) -> Result<OwnedFd, JailError> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, path, flags).step(|| format!("take a view of {}", path.display()))?;
    let mut set = MountAttrFlags::MOUNT_ATTR_RDONLY.bits() | MountAttrFlags::MOUNT_ATTR_NOSUID.bits();
    if !path.starts_with("/dev") {
        set |= MountAttrFlags::MOUNT_ATTR_NODEV.bits();
    }
    let set = u64::from(set);
    if same_user.is_none_or(|namespace| system::set_mounts(tree.as_fd(), set, Some(namespace.as_fd())).is_err()) {
        system::set_mounts(tree.as_fd(), set, None)
            .step(|| format!("make the view of {} read-only", path.display()))?;
    }
    Ok(tree)
}

impl Root {
    /// Builds the root and enters it. The calling process is alone in new namespaces, and may do anything in them.
    pub(crate) fn build(sources: Views, jail: &Jail) -> Result<Self, JailError> {
        // In the jail's own view of processes it cannot be written.
        let last_process = File::options().write(true).open(LAST_PROCESS).ok();
        let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change("/", private).step(|| "keep its mounts to itself".to_owned())?;
        // The kernel grants a view of processes only to those who see a complete one, so this comes before the old root
        // is dropped.
        let processes = processes()?;
        let root = tmpfs(4 << 20, INODES)?;
        enter(&root)?;
        let folder = jail.folder.clone().unwrap_or_else(|| TEMPORARY.into());
        make_folder(Path::new(SPACE))?;
        set_in(&tmpfs(jail.disk.max(1 << 20), INODES)?, Path::new(SPACE))?;
        for name in FOLDERS {
            make_folder(&Path::new(SPACE).join(name))?;
        }
        let mut places: Vec<(PathBuf, Place)> = sources
            .views
            .into_iter()
            .map(|(path, source)| (path, Place::Source(source)))
            .chain([(TEMPORARY.into(), Place::Space("tmp")), ("/dev/shm".into(), Place::Space("shm"))])
            .chain(
                processes.map(|mount| (PathBuf::from("/proc"), Place::Source(Source::View(mount, Kind::Folder, None)))),
            )
            .collect();
        if folder != Path::new("/") && folder != Path::new(TEMPORARY) {
            places.push((folder.clone(), sources.folder.map_or(Place::Space("folder"), Place::Overlay)));
        }
        // Parents come first; an own folder comes after the view that contains it.
        places.sort_by(|(a, x), (b, y)| (a, x.rank()).cmp(&(b, y.rank())));
        for (path, place) in places {
            place.set_in(&path)?;
        }
        make_files()?;
        let handle = |path: &str| {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            open(path, flags, Mode::empty()).step(|| format!("open {path}"))
        };
        let space = handle(SPACE)?;
        let folders = FOLDERS.iter().map(|name| handle(&format!("{SPACE}/{name}"))).collect::<Result<Vec<_>, _>>()?;
        unmount(SPACE, UnmountFlags::DETACH).step(|| "hide the space".to_owned())?;
        for path in [SPACE, LOWER] {
            let _ = fs::remove_dir(path);
        }
        let read_only = u64::from(MountAttrFlags::MOUNT_ATTR_RDONLY.bits());
        let own = open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).step(|| "open its root".to_owned())?;
        system::set_mount(own.as_fd(), read_only).step(|| "make its root read-only".to_owned())?;
        std::env::set_current_dir(&folder).step(|| format!("go to {}", folder.display()))?;
        let mut root = Self { folder, space, fresh: (0, Vec::new()), folders, last_process };
        root.fresh = root.state().step(|| "look at the space".to_owned())?;
        Ok(root)
    }

    /// Restores the state before a program ran whose processes are gone. Returns false if something is left of it: a
    /// file, a change to the initial folders, or its process numbers, which the next one would continue.
    pub(crate) fn renew(&self) -> bool {
        // The keeper is the first process.
        let numbered = self.last_process.as_ref().is_some_and(|file| file.write_at(b"1", 0).is_ok());
        numbered && self.state().is_ok_and(|state| state == self.fresh)
    }

    /// The program's folder, for reading.
    pub(crate) fn folder(&self) -> io::Result<OwnedFd> {
        Ok(File::open(&self.folder)?.into())
    }

    /// The space, for measuring.
    pub(crate) const fn space(&self) -> &OwnedFd {
        &self.space
    }

    fn state(&self) -> io::Result<(u64, Vec<(i64, i64)>)> {
        let free = fstatvfs(&self.space)?.f_ffree;
        let changed = |folder| fstat(folder).map(|data| (data.st_ctime, data.st_ctime_nsec as i64));
        Ok((free, self.folders.iter().map(changed).collect::<Result<_, _>>()?))
    }
}

/// Kinds of entries in the new root.
enum Place {
    Source(Source),
    /// A folder of the space.
    Space(&'static str),
    /// A folder of the machine over which one of the space is laid.
    Overlay(OwnedFd),
}

impl Place {
    const fn rank(&self) -> u8 {
        match self {
            Self::Source(_) => 0,
            Self::Space(_) | Self::Overlay(_) => 1,
        }
    }

    fn set_in(self, path: &Path) -> Result<(), JailError> {
        match self {
            Self::Source(Source::Link(to)) => {
                make_above(path)?;
                std::os::unix::fs::symlink(to, path).step(|| format!("make the link {}", path.display()))
            }
            Self::Source(Source::View(view, kind, file)) => {
                make_place(path, kind)?;
                match (set_in(&view, path), file) {
                    (Err(error), Some(mut file)) if error.source.kind() == io::ErrorKind::NotFound => {
                        let copied = File::create(path).and_then(|mut copy| io::copy(&mut file, &mut copy));
                        copied.map(drop).step(|| format!("copy {}", path.display()))
                    }
                    (set, _) => set,
                }
            }
            Self::Space(name) => {
                make_place(path, Kind::Folder)?;
                let from = Path::new(SPACE).join(name);
                let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
                let tree = open_tree(CWD, &from, flags).step(|| format!("take a view of {}", from.display()))?;
                set_in(&tree, path)
            }
            Self::Overlay(lower) => {
                make_place(path, Kind::Folder)?;
                make_folder(Path::new(LOWER))?;
                set_in(&lower, Path::new(LOWER))?;
                let overlay = overlay()
                    .step_needing(Facility::Overlays, || format!("lay a folder of its own over {}", path.display()))?;
                set_in(&overlay, path)?;
                unmount(LOWER, UnmountFlags::DETACH).step(|| format!("hide {}", path.display()))
            }
        }
    }
}

fn tmpfs(bytes: u64, inodes: u32) -> Result<OwnedFd, JailError> {
    let options = [("size", bytes.to_string()), ("nr_inodes", inodes.to_string()), ("mode", "0755".to_owned())];
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    new_mount("tmpfs", &options, attributes).step(|| "make a file system in memory".to_owned())
}

fn overlay() -> io::Result<OwnedFd> {
    let options = [
        ("lowerdir", LOWER.to_owned()),
        ("upperdir", format!("{SPACE}/folder")),
        ("workdir", format!("{SPACE}/work")),
        // Its metadata goes where a user without privileges may write.
        ("userxattr", String::new()),
    ];
    new_mount("overlay", &options, MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV)
}

/// The processes of the jail, without its keeper; `None` if the system does not allow such a view, as in a container
/// that hides parts of its own: [`super::probe`] reports that.
fn processes() -> Result<Option<OwnedFd>, JailError> {
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC
        // Otherwise a program could exempt itself from being killed when memory runs out.
        | MountAttrFlags::MOUNT_ATTR_RDONLY;
    match new_mount("proc", &[("hidepid", "2".to_owned())], attributes) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        made => made.map(Some).step(|| "make a view of its processes".to_owned()),
    }
}

fn new_mount(kind: &str, options: &[(&str, String)], attributes: MountAttrFlags) -> io::Result<OwnedFd> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for (name, value) in options {
        if value.is_empty() {
            rustix::mount::fsconfig_set_flag(&context, *name)?;
        } else {
            fsconfig_set_string(&context, *name, value.as_str())?;
        }
    }
    fsconfig_create(&context)?;
    Ok(fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

fn set_in(mount: &OwnedFd, path: &Path) -> Result<(), JailError> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    move_mount(mount, "", CWD, path, flags).step(|| format!("mount {}", path.display()))
}

/// Makes a file system the root, and lets the old one go.
fn enter(root: &OwnedFd) -> Result<(), JailError> {
    // Any folder is suitable to set it in.
    let place = ["/tmp", "/usr", "/dev"].into_iter().find(|path| Path::new(path).is_dir()).unwrap_or("/");
    set_in(root, Path::new(place))?;
    std::env::set_current_dir(place).step(|| "go to its root".to_owned())?;
    rustix::process::pivot_root(".", ".").step_needing(Facility::MountedRoot, || "change its root".to_owned())?;
    unmount(".", UnmountFlags::DETACH).step(|| "let the old root go".to_owned())?;
    std::env::set_current_dir("/").step(|| "go to its root".to_owned())
}

fn make_place(path: &Path, kind: Kind) -> Result<(), JailError> {
    make_above(path)?;
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    match kind {
        Kind::Folder => make_folder(path),
        Kind::File => File::create(path).map(drop).step(|| format!("make the file {}", path.display())),
    }
}

fn make_above(path: &Path) -> Result<(), JailError> {
    let above: Vec<&Path> = iter::successors(path.parent(), |path| path.parent()).collect();
    for folder in above.into_iter().rev().filter(|folder| !folder.is_dir()) {
        make_folder(folder)?;
    }
    Ok(())
}

fn make_folder(path: &Path) -> Result<(), JailError> {
    fs::create_dir(path)
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o755)))
        .or_else(|error| if path.is_dir() { Ok(()) } else { Err(error) })
        .step(|| format!("make the folder {}", path.display()))
}

/// The files that runtimes look for, without the machine's users.
fn make_files() -> Result<(), JailError> {
    let user = super::users::INSIDE;
    let files = [
        ("passwd", format!("root:x:0:0:root:/:/bin/sh\nagent:x:{user}:{user}:agent:/tmp:/bin/sh\n")),
        ("group", format!("root:x:0:\nagent:x:{user}:\n")),
        ("hosts", "127.0.0.1 localhost\n".to_owned()),
    ];
    make_folder(Path::new("/etc"))?;
    for (name, text) in files {
        let path = Path::new("/etc").join(name);
        fs::write(&path, text).step(|| format!("write {}", path.display()))?;
    }
    let links = [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")];
    for (name, to) in links {
        let path = Path::new("/dev").join(name);
        std::os::unix::fs::symlink(to, &path).step(|| format!("make the link {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rustix::thread::UnshareFlags;

    use super::*;

    #[test]
    fn vanished_source_is_not_found() {
        let gone = tempfile::tempdir().unwrap().path().join("gone");
        for own in [false, true] {
            let error = Source::take(&gone, own, None).err().unwrap();
            assert_eq!(error.source.kind(), io::ErrorKind::NotFound, "{error}");
        }
    }

    #[test]
    fn file_replaced_before_its_mount_is_copied() {
        // A thread may have its own mounts, if its user is allowed to make them.
        if system::unshare(UnshareFlags::NEWNS).is_err() {
            return;
        }
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let [file, new, place] = ["file", "new", "place"].map(|name| folder.path().join(name));
        let set = |replaced: bool| {
            fs::write(&file, "old").unwrap();
            fs::write(&new, "new").unwrap();
            let source = Source::take(&file, false, None).unwrap();
            if replaced {
                fs::rename(&new, &file).unwrap();
            }
            Place::Source(source).set_in(&place).unwrap();
            let text = fs::read_to_string(&place).unwrap();
            let mounted = unmount(&place, UnmountFlags::DETACH).is_ok();
            fs::remove_file(&place).unwrap();
            (text, mounted)
        };
        assert_eq!(set(false), ("old".to_owned(), true));
        assert_eq!(set(true), ("old".to_owned(), false));
    }
}
