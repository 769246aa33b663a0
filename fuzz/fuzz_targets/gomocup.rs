//! Lines from a manager of Gomocup and from an engine.
#![no_main]

use agon_protocols::gomocup::board::{BoardEntry, moves_before_own, position};
use agon_protocols::gomocup::client::answer;
use agon_protocols::gomocup::times::Times;
use agon_protocols::gomocup::{GomocupCommand, place};
use agon_protocols::line;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (mut input, mut entries, mut times) = (bytes, Vec::new(), Times::default());
    while let Ok(Some(line)) = line::read(&mut input) {
        let _ = answer(&line);
        if let Ok(point) = place::read(&line) {
            assert_eq!(place::read(&place::write(point)), Ok(point));
        }
        if let Ok(entry) = BoardEntry::read(&line) {
            assert_eq!(BoardEntry::read(&entry.write()), Ok(entry));
            entries.push(entry);
        }
        if let Ok(GomocupCommand::Info(info)) = line.parse() {
            times.note(&info);
        }
    }
    let _ = times.limits();
    let _ = position(&moves_before_own(&entries));
});
