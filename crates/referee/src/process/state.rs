//! What a program is doing when its time is up, as far as the kernel shows it.
//!
//! Sources: Linux, `Documentation/filesystems/proc.rst` (`stat`, `wchan`) and proc(5) (`syscall`). Anything that cannot
//! be read, in a sandbox or because it is another user's, is unknown.

use std::fs;

use nix::libc::{self, c_long};
use serde::{Deserialize, Serialize};

/// Limits of one look, so that it ends whatever the program has started.
const MAX_PROCESSES: usize = 32;
const MAX_THREADS: usize = 64;

/// What a program and its descendants are doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramState {
    /// It runs, or would if there were a processor for it.
    Runs,
    /// It waits for a line on its standard input.
    WaitsForInput,
    /// It sleeps for a time of its own choosing.
    Sleeps,
    /// It was stopped by a signal, or a debugger holds it.
    Stopped,
    /// It waits for an event on one of several files or sockets, perhaps its input.
    Polls,
    /// It reads something other than its input.
    Reads,
    /// It writes, and the reader does not read.
    Writes,
    /// It waits for a program that it has started.
    WaitsForChild,
    /// It waits for a lock, a timer or another of its threads.
    WaitsForThread,
    /// It waits for a disk.
    WaitsForDisk,
    /// The kernel does not say.
    Unknown,
}

impl ProgramState {
    /// Whether it may be waiting for input: runtimes with an event loop or threads do not wait in `read`.
    pub const fn may_wait_for_input(self) -> bool {
        matches!(self, Self::WaitsForInput | Self::Polls | Self::WaitsForThread)
    }
}

/// What the judge saw of a program whose time is up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProcessSnapshot {
    pub state: ProgramState,
    /// Bytes sent to it that are still in the pipe; `None` when that is unknown.
    pub unread: Option<u64>,
}

/// What a program is doing; `processes` are the program and its descendants, `input` the inode of the pipe that is its
/// input.
pub(super) fn of(main: u32, processes: &[u32], input: Option<u64>) -> ProgramState {
    let others = processes.iter().copied().filter(|&pid| pid != main);
    let seen: Vec<ProgramState> = std::iter::once(main)
        .chain(others)
        .take(MAX_PROCESSES)
        .flat_map(|pid| threads(pid).into_iter().filter_map(move |thread| of_thread(pid, thread, input)))
        .collect();
    // A program that only waits for others is waiting for what those wait for.
    let decisive = [ProgramState::Runs, ProgramState::WaitsForInput, ProgramState::Stopped].into_iter();
    let own = seen.first().copied().filter(|own| {
        !matches!(
            own,
            ProgramState::WaitsForChild | ProgramState::WaitsForThread | ProgramState::Polls | ProgramState::Unknown
        )
    });
    let rest = [
        ProgramState::Sleeps,
        ProgramState::Polls,
        ProgramState::Reads,
        ProgramState::Writes,
        ProgramState::WaitsForDisk,
        ProgramState::WaitsForThread,
        ProgramState::WaitsForChild,
    ];
    decisive.chain(own).chain(rest).find(|state| seen.contains(state)).unwrap_or(ProgramState::Unknown)
}

/// The name of a running process; `None` if it has ended.
pub(super) fn name_of_living(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (before, after) = stat.rsplit_once(')')?;
    let ended = after.trim_start().starts_with(['Z', 'X']);
    before.split_once('(').map(|(_, name)| name.to_owned()).filter(|_| !ended)
}

/// The threads of a process, its first one before the others.
fn threads(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let mut threads: Vec<u32> =
        tasks.filter_map(|task| task.file_name().to_str()?.parse().ok()).take(MAX_THREADS).collect();
    threads.sort_unstable_by_key(|&thread| (thread != pid, thread));
    threads
}

/// `None` of a thread that has ended.
fn of_thread(pid: u32, thread: u32, input: Option<u64>) -> Option<ProgramState> {
    let read = |file| fs::read_to_string(format!("/proc/{pid}/task/{thread}/{file}")).ok();
    let stat = read("stat")?;
    // The name before it may contain anything.
    match stat.rsplit_once(')')?.1.trim_start().chars().next()? {
        'R' => Some(ProgramState::Runs),
        'T' | 't' => Some(ProgramState::Stopped),
        'D' => Some(ProgramState::WaitsForDisk),
        'Z' | 'X' => None,
        _ => {
            let by_call =
                read("syscall").and_then(|text| of_call(&text, |descriptor| is_input(pid, descriptor, input)));
            let by_place = || read("wchan").map_or(ProgramState::Unknown, |place| of_place(&place));
            Some(by_call.unwrap_or_else(by_place))
        }
    }
}

/// Whether a descriptor of a process is the pipe that the judge writes to.
fn is_input(pid: u32, descriptor: u64, input: Option<u64>) -> bool {
    let opened = fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok();
    match (opened, input) {
        (Some(opened), Some(inode)) => opened.as_os_str() == format!("pipe:[{inode}]").as_str(),
        _ => descriptor == 0,
    }
}

/// What a thread waits for in a system call: `0 0x0 0x7f… 0x2000 …`, the number of the call and its arguments. `None`
/// if the text does not say.
fn of_call(text: &str, is_input: impl Fn(u64) -> bool) -> Option<ProgramState> {
    let mut words = text.split_ascii_whitespace();
    let call: c_long = words.next()?.parse().ok()?;
    let mut argument = || u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok();
    let first = argument();
    let second = argument();
    let polls = |watched: Option<u64>| if watched == Some(0) { ProgramState::Sleeps } else { ProgramState::Polls };
    Some(match call {
        libc::SYS_read | libc::SYS_readv | libc::SYS_recvfrom | libc::SYS_recvmsg => {
            if is_input(first?) {
                ProgramState::WaitsForInput
            } else {
                ProgramState::Reads
            }
        }
        libc::SYS_write | libc::SYS_writev | libc::SYS_sendto | libc::SYS_sendmsg => ProgramState::Writes,
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => ProgramState::Sleeps,
        libc::SYS_ppoll => polls(second),
        libc::SYS_pselect6 => polls(first),
        libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 => ProgramState::Polls,
        libc::SYS_futex => ProgramState::WaitsForThread,
        libc::SYS_wait4 | libc::SYS_waitid => ProgramState::WaitsForChild,
        other => of_old_call(other, first, second)?,
    })
}

/// The same for calls that newer architectures lack.
#[cfg(target_arch = "x86_64")]
const fn of_old_call(call: c_long, first: Option<u64>, second: Option<u64>) -> Option<ProgramState> {
    match (call, first, second) {
        (libc::SYS_poll, _, Some(0)) | (libc::SYS_select, Some(0), _) => Some(ProgramState::Sleeps),
        (libc::SYS_poll | libc::SYS_select | libc::SYS_epoll_wait, ..) => Some(ProgramState::Polls),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
const fn of_old_call(_: c_long, _: Option<u64>, _: Option<u64>) -> Option<ProgramState> {
    None
}

/// What a thread waits for, by the name of the kernel function in which it waits: `hrtimer_nanosleep`.
fn of_place(place: &str) -> ProgramState {
    let parts = [
        ("pipe_read", ProgramState::WaitsForInput),
        ("pipe_wait_readable", ProgramState::WaitsForInput),
        ("nanosleep", ProgramState::Sleeps),
        ("futex", ProgramState::WaitsForThread),
        ("do_wait", ProgramState::WaitsForChild),
        ("poll", ProgramState::Polls),
        ("select", ProgramState::Polls),
        ("signal_stop", ProgramState::Stopped),
    ];
    parts.into_iter().find(|(part, _)| place.contains(part)).map_or(ProgramState::Unknown, |(_, state)| state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_call_shows_what_is_waited_for() {
        let check = |call: c_long, arguments: &str, expected: Option<ProgramState>| {
            let text = format!("{call} {arguments} 0x0 0x7ffc 0x7f21\n");
            assert_eq!(of_call(&text, |descriptor| descriptor == 0), expected, "{text}");
        };
        check(libc::SYS_read, "0x0 0x55 0x2000", Some(ProgramState::WaitsForInput));
        check(libc::SYS_read, "0x3 0x55 0x2000", Some(ProgramState::Reads));
        check(libc::SYS_write, "0x2 0x55 0x2000", Some(ProgramState::Writes));
        check(libc::SYS_clock_nanosleep, "0x1 0x1 0x7ffe", Some(ProgramState::Sleeps));
        check(libc::SYS_ppoll, "0x7ffe 0x0 0x0", Some(ProgramState::Sleeps));
        check(libc::SYS_ppoll, "0x7ffe 0x1 0x0", Some(ProgramState::Polls));
        check(libc::SYS_pselect6, "0x0 0x0 0x0", Some(ProgramState::Sleeps));
        check(libc::SYS_futex, "0x7ffe 0x0 0x0", Some(ProgramState::WaitsForThread));
        check(libc::SYS_wait4, "0xffffffffffffffff 0x0 0x0", Some(ProgramState::WaitsForChild));
        check(libc::SYS_getpid, "0x0 0x0 0x0", None);
        for text in ["running", "", "-1 0x7ffc 0x7f21", "0"] {
            assert_eq!(of_call(text, |_| true), None, "{text}");
        }
    }

    #[test]
    fn a_place_in_the_kernel_shows_less() {
        let check = |place, expected| assert_eq!(of_place(place), expected, "{place}");
        check("anon_pipe_read", ProgramState::WaitsForInput);
        check("hrtimer_nanosleep", ProgramState::Sleeps);
        check("futex_wait_queue", ProgramState::WaitsForThread);
        check("do_sys_poll", ProgramState::Polls);
        check("0", ProgramState::Unknown);
    }

    #[test]
    fn who_looks_runs() {
        let own = std::process::id();
        assert_eq!(of(own, &[own], None), ProgramState::Runs);
        assert_eq!(of(u32::MAX, &[], None), ProgramState::Unknown);
    }
}
