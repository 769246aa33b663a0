//! Measuring the memory of a process tree without a control group that counts it.
//!
//! It counts anonymous pages, shared ones once; files in memory (memfd, tmpfs) that a process has open, or had open at
//! an earlier scan; segments of System V; and data in the buffers of sockets and pipes. It misses the descriptors of a
//! process that has made itself undumpable, if the judge is an ordinary user, and descriptors on their way through a
//! socket. A control group counts all of these.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::process::{ForeignRawFd, Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::{kernel, system};

/// A program has the three standard streams and a few files; the buffers of this few are not looked at.
const FEW_DESCRIPTORS: usize = 16;

/// The types of file systems whose files are memory.
///
/// Source: Linux, `include/uapi/linux/magic.h`: `TMPFS_MAGIC`, `RAMFS_MAGIC`, `HUGETLBFS_MAGIC`.
const IN_MEMORY: [u64; 3] = [0x0102_1994, 0x8584_58f6, 0x9584_58f6];

/// The names of files in memory that no file system shows, as `/proc/PID/smaps` has them.
const KERNEL_FILES: [&str; 4] = ["/memfd:", "/dev/zero", "/SYSV", "/anon_hugepage"];

/// Files in memory that a program has had open, and where they were.
#[derive(Debug, Default)]
pub struct Files {
    seen: HashMap<(u64, u64), PathBuf>,
    /// Whether the file systems of these devices are in memory.
    devices: HashMap<u64, bool>,
}

/// A living process: itself, or one of its threads if the first one has ended and the kernel reports nothing more about
/// it.
#[derive(Debug)]
struct Living {
    pid: u32,
    folder: PathBuf,
    anonymous: u64,
    shared: u64,
}

/// Users of the memory of a program and its descendants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryUsers {
    /// Number of processes.
    pub processes: usize,
    /// The few programs that use most of the memory, the largest first.
    pub largest: Vec<MemoryUser>,
}

/// The processes of one name and their memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryUser {
    /// The name of its program, as the kernel cuts it, to 15 bytes.
    pub name: String,
    /// Number of processes with this name.
    pub processes: usize,
    /// The largest process.
    pub pid: u32,
    /// Bytes of memory of all of them; each has its share of pages used by several processes.
    pub bytes: u64,
}

const NAMED: usize = 3;

/// Returns the memory use of each of these processes. A zombie uses none.
pub fn users(processes: &[u32]) -> MemoryUsers {
    let living = processes.iter().filter_map(|&pid| Living::read(pid));
    let name = |pid| fs::read(format!("/proc/{pid}/comm")).unwrap_or_default();
    let named = |process: Living| {
        let name = String::from_utf8_lossy(name(process.pid).trim_ascii_end()).into_owned();
        let whole = process.anonymous + process.shared;
        (name, process.pid, share_of(&process).map_or(whole, |share| share.min(whole)))
    };
    by_name(living.map(named).collect())
}

/// Returns the bytes of memory of a process, with shared pages divided among their users; `None` if the kernel does not
/// say. Otherwise, memory shared with children would be counted once for each of them.
///
/// Source: Linux, `Documentation/filesystems/proc.rst`: `smaps_rollup`.
fn share_of(process: &Living) -> Option<u64> {
    let text = fs::read_to_string(process.folder.join("smaps_rollup")).ok()?;
    let [anonymous, shared] = ["Pss_Anon:", "Pss_Shmem:"].map(|key| kilobytes(&text, key));
    Some((anonymous? + shared?) << 10)
}

/// Processes by name, number and bytes, grouped by name.
fn by_name(mut sizes: Vec<(String, u32, u64)>) -> MemoryUsers {
    sizes.sort_unstable_by_key(|&(_, pid, bytes)| (std::cmp::Reverse(bytes), pid));
    let mut users: Vec<MemoryUser> = Vec::new();
    let processes = sizes.len();
    for (name, pid, bytes) in sizes {
        match users.iter_mut().find(|user| user.name == name) {
            Some(user) => {
                user.processes += 1;
                user.bytes += bytes;
            }
            None => users.push(MemoryUser { name, processes: 1, pid, bytes }),
        }
    }
    users.sort_by_key(|user| std::cmp::Reverse(user.bytes));
    users.truncate(NAMED);
    MemoryUsers { processes, largest: users }
}

/// All descendants of a process, as far as they are its descendants still.
pub fn descendants(pid: u32) -> Vec<u32> {
    with_descendants(children(pid))
}

/// Processes and all their descendants.
pub fn with_descendants(mut tree: Vec<u32>) -> Vec<u32> {
    let mut at = 0;
    while at < tree.len() {
        tree.extend(children(tree[at]));
        at += 1;
    }
    tree
}

/// Returns the children of a process, including those of all its threads. Empty if it is gone.
pub fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let texts = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    texts.flat_map(|text| kernel::numbers(&text)).collect()
}

/// Returns the number of threads of processes, at least one each. A zombie has none.
pub fn tasks(processes: &[u32]) -> u32 {
    let threads =
        |pid: &u32| fs::read_dir(format!("/proc/{pid}/task")).map_or(0, |tasks| tasks.flatten().count() as u32);
    processes.iter().map(threads).sum()
}

/// Bytes of memory that a set of processes uses. `files` remembers from one measurement to the next.
///
/// A sum counts pages that processes share for each of them, so above `limit` they are counted again with each shared
/// page divided among its users. That is slow, and so is done only when it matters.
pub fn used(processes: &[u32], limit: u64, files: &mut Files) -> u64 {
    let living: Vec<Living> = processes.iter().filter_map(|&pid| Living::read(pid)).collect();
    let mut buffers = Buffers::default();
    for process in &living {
        look(process, files, &mut buffers);
    }
    let files = files.sizes(processes);
    let apart = files.values().sum::<u64>() + buffers.bytes;
    let sum: u64 = living.iter().map(|process| process.anonymous + process.shared).sum();
    if sum + apart <= limit { sum + apart } else { apart + counted_once(&living, &files) }
}

impl Living {
    fn read(pid: u32) -> Option<Self> {
        let at = |folder: PathBuf| {
            let text = fs::read_to_string(folder.join("status")).ok()?;
            let [anonymous, shared] = ["RssAnon:", "RssShmem:"].map(|key| kilobytes(&text, key));
            Some(Self { pid, folder, anonymous: anonymous? << 10, shared: shared? << 10 })
        };
        at(format!("/proc/{pid}").into()).or_else(|| {
            let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
            tasks.flatten().find_map(|task| at(task.path()))
        })
    }
}

fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

impl Files {
    /// Returns the sizes of the files that still exist, by device and inode, and of the segments of System V that these
    /// processes created.
    fn sizes(&mut self, processes: &[u32]) -> BTreeMap<(u64, u64), u64> {
        self.seen.retain(|&key, path| fs::metadata(path).is_ok_and(|data| (data.dev(), data.ino()) == key));
        let size = |path: &PathBuf| fs::metadata(path).map_or(0, |data| data.blocks() * 512);
        let mut sizes: BTreeMap<(u64, u64), u64> = self.seen.iter().map(|(&key, path)| (key, size(path))).collect();
        // key shmid perms size cpid lpid nattch uid gid cuid cgid atime dtime ctime rss swap
        let segments = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
        for line in segments.lines().skip(1) {
            let fields: Vec<u64> = line.split_ascii_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
            if let [_, id, _, _, creator, .., resident, _] = fields.as_slice()
                && processes.iter().any(|&pid| u64::from(pid) == *creator)
            {
                sizes.insert((0, *id), *resident);
            }
        }
        sizes
    }

    fn is_memory(&mut self, device: u64, path: &Path) -> bool {
        *self.devices.entry(device).or_insert_with(|| is_memory(path))
    }
}

/// Returns true if a file is on a file system in memory.
fn is_memory(path: &Path) -> bool {
    rustix::fs::statfs(path).is_ok_and(|data| IN_MEMORY.contains(&(data.f_type as u64)))
}

/// Data in sockets and pipes, each counted once.
#[derive(Default)]
struct Buffers {
    seen: HashSet<(u64, u64)>,
    bytes: u64,
}

/// Scans the open files of a process.
fn look(process: &Living, files: &mut Files, buffers: &mut Buffers) {
    let Ok(open) = fs::read_dir(process.folder.join("fd")) else { return };
    let open: Vec<_> = open.flatten().map(|entry| entry.path()).collect();
    let mut pidfd = None;
    for path in &open {
        let Ok(data) = fs::metadata(path) else { continue };
        let key = (data.dev(), data.ino());
        if data.is_file() {
            if files.is_memory(data.dev(), path) {
                // A file without a name is reached only through the descriptor.
                let name = fs::read_link(path).ok().filter(|name| name.is_absolute() && name.exists());
                files.seen.insert(key, name.unwrap_or_else(|| path.clone()));
            }
        } else if open.len() > FEW_DESCRIPTORS
            && (data.file_type().is_fifo() || data.file_type().is_socket())
            && buffers.seen.insert(key)
        {
            let pidfd = pidfd.get_or_insert_with(|| {
                Pid::from_raw(process.pid as i32).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
            });
            let number = path.file_name().and_then(|name| name.to_str()?.parse::<ForeignRawFd>().ok());
            if let (Some(pidfd), Some(number)) = (pidfd, number)
                && let Ok(fd) = pidfd_getfd(&*pidfd, number, PidfdGetfdFlags::empty())
            {
                let waiting = || rustix::io::ioctl_fionread(&fd).unwrap_or(0);
                buffers.bytes += system::socket_memory(fd.as_fd()).unwrap_or_else(waiting);
            }
        }
    }
}

/// Memory of processes with shared pages divided among their users, without the files that are counted apart.
fn counted_once(living: &[Living], files: &BTreeMap<(u64, u64), u64>) -> u64 {
    let inodes: HashSet<u64> = files.keys().map(|&(_, inode)| inode).collect();
    let mut sum = 0;
    for (at, process) in living.iter().enumerate() {
        // A process and its child after `vfork` are two users of one memory.
        if living[..at].iter().any(|other| system::same_memory(other.pid, process.pid)) {
            continue;
        }
        // An undumpable process cannot be examined; one that has ended meanwhile has nothing any more.
        let whole = || Living::read(process.pid).map_or(0, |process| process.anonymous + process.shared);
        sum += shares(&process.folder, &inodes).unwrap_or_else(whole);
    }
    sum
}

/// A process's shares of anonymous memory and of files in memory, without those that are counted apart.
fn shares(folder: &Path, apart: &HashSet<u64>) -> Option<u64> {
    let text = fs::read_to_string(folder.join("smaps")).ok().filter(|text| !text.is_empty())?;
    let mut devices: HashMap<String, bool> = HashMap::new();
    let (mut sum, mut in_memory, mut skipped, mut share) = (0, false, false, 0);
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        let value = |words: &mut dyn Iterator<Item = &str>| words.next().and_then(|word| word.parse::<u64>().ok());
        match first {
            "Pss:" => share = value(&mut words).unwrap_or(0),
            // For a file on disk, only written pages are memory of the process.
            "Anonymous:" => {
                let anonymous = value(&mut words).unwrap_or(0);
                sum += if in_memory && !skipped { share } else { share.min(anonymous) };
            }
            _ if !first.ends_with(':') => {
                // address permissions offset device inode path
                let device = words.nth(2).unwrap_or_default();
                let inode = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
                let path = words.collect::<Vec<_>>().join(" ");
                in_memory = inode == 0
                    || KERNEL_FILES.iter().any(|name| path.starts_with(name))
                    || *devices.entry(device.to_owned()).or_insert_with(|| is_memory(Path::new(&path)));
                skipped = inode != 0 && apart.contains(&inode);
            }
            _ => {}
        }
    }
    Some(sum << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::fs::File;
    use std::io::Write;
    use std::sync::{Mutex, PoisonError};

    /// The tests look at one process, so they take turns.
    static TURN: Mutex<()> = Mutex::new(());

    #[test]
    fn processes_of_one_name_are_one_user() {
        let of = |name: &str, pid, bytes| (name.to_owned(), pid, bytes);
        let mut bomb: Vec<_> = (10..60).map(|pid| of("python3", pid, 5)).collect();
        bomb.extend([of("sh", 3, 40), of("awk", 4, 7), of("cat", 5, 6), of("python3", 9, 90)]);
        let user = |name: &str, processes, pid, bytes| MemoryUser { name: name.to_owned(), processes, pid, bytes };
        let expected = vec![user("python3", 51, 9, 340), user("sh", 1, 3, 40), user("awk", 1, 4, 7)];
        assert_eq!(by_name(bomb), MemoryUsers { processes: 54, largest: expected });
    }

    #[test]
    fn what_processes_share_is_named_once() {
        use std::io::BufRead;
        use std::process::{Command, Stdio};

        let script = "import os, sys\nblock = bytearray(b'x' * (48 << 20))\nfor _ in range(4):\n    if os.fork() == 0: \
                      break\nprint(flush=True)\nsys.stdin.read()\n";
        let mut command = Command::new("python3");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut parent = command.spawn().unwrap();
        let ready = std::io::BufReader::new(parent.stdout.take().unwrap()).lines().take(5).count();
        let all = [vec![parent.id()], descendants(parent.id())].concat();
        let (found, once) = (users(&all), used(&all, 0, &mut Files::default()));
        // The end of their input ends them.
        drop(parent.stdin.take());
        parent.wait().unwrap();
        assert_eq!((ready, found.processes, found.largest.len()), (5, 5, 1), "{found:?}");
        let (named, mib) = (found.largest[0].bytes, 1 << 20);
        assert!((48 * mib..96 * mib).contains(&named) && named <= once + mib, "{found:?}, of {once}");
    }

    fn own(limit: u64) -> u64 {
        used(&[std::process::id()], limit, &mut Files::default())
    }

    #[test]
    fn our_own_memory_is_seen() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let pid = std::process::id();
        let before = own(u64::MAX);
        let block = std::hint::black_box(vec![1_u8; 64 << 20]);
        let after = own(u64::MAX);
        assert!(after >= before + (60 << 20), "{before} then {after}");
        let (once, twice) = (own(1 << 20), used(&[pid, pid], 1 << 20, &mut Files::default()));
        assert!(once > 60 << 20, "counted by shares: {once}");
        assert!(twice < once + (30 << 20), "one memory counts once: {once}, {twice}");
        drop(block);
    }

    #[test]
    fn files_in_memory_are_seen_open_or_closed() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir_in("/dev/shm").unwrap();
        let path = folder.path().join("file");
        let mut files = Files::default();
        let pid = [std::process::id()];
        let before = used(&pid, u64::MAX, &mut files);
        let mut file = File::create(&path).unwrap();
        file.write_all(&vec![1; 16 << 20]).unwrap();
        let open = used(&pid, u64::MAX, &mut files);
        drop(file);
        let closed = used(&pid, u64::MAX, &mut files);
        std::fs::remove_file(&path).unwrap();
        let gone = used(&pid, u64::MAX, &mut files);
        assert!(open >= before + (15 << 20) && closed >= before + (15 << 20), "{before}, {open}, {closed}");
        assert!(gone < closed, "{gone}");
    }
}
