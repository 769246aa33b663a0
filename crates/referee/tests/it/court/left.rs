//! Processes that programs say they have left behind.

use std::fs;

/// A process by its number and the time of its start, as in `/proc/NUMBER/stat`: the number alone may soon belong to
/// another process after it was reaped, beside programs that start thousands.
#[derive(Debug)]
pub struct Left {
    number: u32,
    start: u64,
}

impl Left {
    /// The processes of a program that reports `left NUMBER START` for each.
    pub fn of(said: &str) -> Vec<Self> {
        let read = |rest: &str| {
            let (number, start) = rest.split_once(' ')?;
            Some(Self { number: number.parse().ok()?, start: start.parse().ok()? })
        };
        let lines = said.lines().filter_map(|line| line.strip_prefix("left "));
        lines.map(|line| read(line).unwrap_or_else(|| panic!("`left {line}`: {said}"))).collect()
    }

    /// Whether it exists, even as a zombie.
    pub fn exists(&self) -> bool {
        start_of(self.number) == Some(self.start)
    }
}

/// Source: Linux, `Documentation/filesystems/proc.rst`: the twentieth number or letter after the name.
fn start_of(number: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    stat[stat.rfind(')')? + 1..].split_whitespace().nth(19)?.parse().ok()
}

#[test]
fn a_number_alone_is_not_a_process() {
    let number = std::process::id();
    let start = start_of(number).unwrap();
    let [own, other] = [start, start + 1].map(|start| Left::of(&format!("a line\nleft {number} {start}\n")));
    assert!(own[0].exists() && !other[0].exists() && own.len() == 1);
}
