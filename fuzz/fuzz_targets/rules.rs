//! The answers of a rules program: its description, a situation, a board.
#![no_main]

use agon_external::answers::{Description, Situation, board};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if let Ok(view) = board(&lines) {
        assert_eq!(view.cells.len(), view.rows * view.columns);
        assert!(view.cells.iter().all(|cell| !cell.glyph.is_control()));
    }
    if let Ok(description) = Description::read(&lines) {
        assert!(description.parameters.iter().all(|parameter| parameter.takes(&parameter.default)));
        let texts = description.rules.iter().chain([&description.title, &description.summary]);
        assert!(texts.chain(&description.seats).all(|text| !text.chars().any(char::is_control)));
    }
    if let Ok(situation) = Situation::read(&lines) {
        let texts = situation.news.iter().flatten().chain(&situation.written);
        assert!(texts.into_iter().all(|text| !text.is_empty() && !text.chars().any(char::is_control)));
    }
});
