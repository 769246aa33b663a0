//! What courts of hostile programs, here and in the referee's tests, ask about processes.

use std::fs;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// Whether a child ends in this time.
pub fn ends_within(pid: Pid, time: Duration) -> bool {
    let pidfd = pidfd_open(pid, PidfdFlags::empty()).unwrap();
    let deadline = Instant::now() + time;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        if poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&timeout)).is_ok_and(|ready| ready > 0) {
            return true;
        }
        if left.is_zero() {
            return false;
        }
    }
}

/// The children of this process, those that it has inherited among them.
pub fn children() -> Vec<u32> {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    let texts = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    texts.flat_map(|text| text.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>()).collect()
}

/// The processes of this name, including zombies.
pub fn processes_of(name: &str) -> Vec<u32> {
    let pids = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| command_of(*pid).as_deref() == Some(name)).collect()
}

/// The name of a process, if it exists.
pub fn command_of(pid: u32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text[text.find('(')? + 1..text.rfind(')')?].to_owned())
}
