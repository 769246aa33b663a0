//! The readers of positions, moves, letters and psq.
#![no_main]

use agon_game::Position;
use agon_rules::renju::{Move, Renju, psq};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Move::from_letters(text);
    if let Ok(moves) = psq::read(text) {
        assert_eq!(psq::read(&psq::write(&moves, ["", ""])), Ok(moves.clone()));
        let _ = Renju::after(&moves);
    }
    let (line, answer) = text.split_once('\n').unwrap_or((text, ""));
    if let Ok(position) = line.parse::<Renju>() {
        assert_eq!(position.to_string().parse().as_ref(), Ok(&position));
        if let Ok(m) = position.read_move(answer) {
            position.clone().play_unchecked(m, &mut ());
        }
    }
});
