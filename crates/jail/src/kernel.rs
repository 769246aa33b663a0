//! Reading the kernel's files about processes.

use std::fs::{self, File};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;

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

/// The process of a pidfd, by its number in our pid namespace; `None` when it has been reaped.
pub(crate) fn pid_of(pidfd: BorrowedFd<'_>) -> Option<u32> {
    let text = read_record(&File::open(format!("/proc/self/fdinfo/{}", pidfd.as_raw_fd())).ok()?);
    text.lines().find_map(|line| line.strip_prefix("Pid:")?.trim().parse().ok()).filter(|&pid| pid > 0)
}
