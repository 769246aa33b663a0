//! Lines from an Ataxx interface and from an Ataxx engine.
#![no_main]

use agon_protocols::line;
use agon_protocols::uai::client::best_move;
use agon_protocols::uai::{UaiCommand, notation};
use agon_rules::bacteria::Bacteria;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut input = bytes;
    while let Ok(Some(line)) = line::read(&mut input) {
        let start = Bacteria::start();
        let _ = best_move(&start, &line);
        if let Ok(m) = notation::find(&start, &line) {
            assert_eq!(notation::find(&start, &notation::write(m)).map(notation::write), Ok(notation::write(m)));
        }
        if let Ok(UaiCommand::Go(go)) = line.parse() {
            let _ = go.limits(agon_game::Side::First, std::time::Duration::from_millis(10));
        }
    }
});
