//! Reading the kernel's files about processes.

use std::collections::HashSet;
use std::fs::{self, File};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The whole text of a kernel file that is kept open, since opening it costs more than reading it.
pub(crate) fn read_from_start(file: &File) -> String {
    let mut bytes = vec![0; 4096];
    let mut length = 0;
    while let Ok(n) = file.read_at(&mut bytes[length..], length as u64) {
        length += n;
        if n == 0 {
            break;
        }
        if length == bytes.len() {
            bytes.resize(length * 2, 0);
        }
    }
    bytes.truncate(length);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The text of a kernel file that the kernel writes in one go and that has less than 512 bytes: one call is enough.
///
/// Source: Linux, `Documentation/filesystems/seq_file.rst`, `single_open`.
pub(crate) fn read_record(file: &File) -> String {
    let mut bytes = [0; 512];
    let length = file.read_at(&mut bytes, 0).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

/// The numbers of a text.
pub(crate) fn numbers(text: &str) -> Vec<u32> {
    text.split_ascii_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// The threads of a process.
pub(crate) fn threads(pid: u32) -> Vec<u32> {
    let entries = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Sends a signal to those of these processes whose parent is `root` or one of them. The number of one reaped since
/// they were listed may already belong to a stranger: there are a few ten thousand numbers, and some programs use up
/// thousands within a second.
pub(crate) fn signal_below(root: u32, processes: &[u32], signal: Signal) {
    let listed: HashSet<u32> = processes.iter().copied().collect();
    for &number in processes {
        let Some(pid) = Pid::from_raw(number as i32) else { continue };
        // Opened first: whatever happens to the number afterwards, this is the process whose parent is checked.
        let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
        if parent(number).is_some_and(|parent| parent == root || listed.contains(&parent)) {
            let _ = pidfd_send_signal(&pidfd, signal);
        }
    }
}

/// The parent of a process; `None` when it has been reaped.
///
/// Source: Linux, `Documentation/filesystems/proc.rst`: the second number after the name, which is in brackets and may
/// have brackets in it.
fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let name_end = stat.iter().rposition(|&byte| byte == b')')?;
    let rest = std::str::from_utf8(&stat[name_end + 1..]).ok()?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The process of a pidfd, by its number in our pid namespace; `None` when it has been reaped.
pub(crate) fn pid_of(pidfd: BorrowedFd<'_>) -> Option<u32> {
    let text = read_record(&File::open(format!("/proc/self/fdinfo/{}", pidfd.as_raw_fd())).ok()?);
    text.lines().find_map(|line| line.strip_prefix("Pid:")?.trim().parse().ok()).filter(|&pid| pid > 0)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn only_processes_below_the_root_get_a_signal() {
        // `cat` runs until its input ends.
        let cat = || Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let [mut ours, mut stranger] = [cat(), cat()];
        let root = std::process::id();
        assert_eq!(parent(ours.id()), Some(root));
        // To a root that is not its parent, a child of this test is a stranger.
        signal_below(ours.id(), &[stranger.id()], Signal::KILL);
        signal_below(root, &[ours.id()], Signal::KILL);
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ours.wait().unwrap()), Some(9));
        drop(stranger.stdin.take());
        assert!(stranger.wait().unwrap().success());
        assert_eq!(parent(ours.id()), None);
    }
}
