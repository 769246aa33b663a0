//! The FEN reader, and the reader of moves in every position it accepts.
#![no_main]

use agon_game::Position;
use agon_rules::bacteria::Bacteria;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, answer) = text.split_once('\n').unwrap_or((text, ""));
    let position = fen.parse().unwrap_or_else(|_| Bacteria::start());
    assert_eq!(position.to_string().parse().as_ref(), Ok(&position));
    if let Ok(m) = position.read_move(answer) {
        position.clone().play_unchecked(m, &mut ());
    }
});
