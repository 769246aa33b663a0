//! Lines from a manager of Gomocup and from a brain.
#![no_main]

use agon_protocols::gomocup::board::{Entry, moves_before_own, position};
use agon_protocols::gomocup::client::answer;
use agon_protocols::gomocup::clock::Times;
use agon_protocols::gomocup::{Command, place};
use agon_protocols::line;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (mut input, mut entries, mut times) = (bytes, Vec::new(), Times::default());
    while let Ok(Some(line)) = line::read(&mut input) {
        let _ = answer(&line);
        if let Ok(point) = place::read(&line) {
            assert_eq!(place::read(&place::write(point)), Ok(point));
        }
        if let Ok(entry) = Entry::read(&line) {
            assert_eq!(Entry::read(&entry.write()), Ok(entry));
            entries.push(entry);
        }
        if let Ok(Command::Info(info)) = line.parse() {
            times.note(&info);
        }
    }
    let _ = times.limits();
    let _ = position(&moves_before_own(&entries));
});
