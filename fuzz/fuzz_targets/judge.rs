//! The protocol's lines and records.
#![no_main]

use agon_referee::protocol::{JudgeCommand, move_arguments, quote};
use agon_referee::record::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = move_arguments(bytes);
    assert!(!quote(bytes).to_string().is_empty());
    let text = String::from_utf8_lossy(bytes);
    if let Ok(command) = text.parse::<JudgeCommand>() {
        assert_eq!(command.to_string().parse().ok(), Some(command));
    }
    let _ = Record::read(&text);
});
