//! Reading the kernel's files about processes.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// The whole text of a kernel file that is kept open, since opening it costs more than reading it.
pub fn read_from_start(file: &File) -> String {
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

/// The numbers of a text.
pub fn numbers(text: &str) -> Vec<u32> {
    text.split_ascii_whitespace().filter_map(|number| number.parse().ok()).collect()
}
