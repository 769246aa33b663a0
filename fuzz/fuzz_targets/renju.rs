//! The readers of positions, moves, letters, SGF and psq.
#![no_main]

use agon_game::Position;
use agon_rules::renju::{Move, Renju, psq, sgf};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = Move::from_letters(text);
    if let Ok(lines) = sgf::read_lines(text) {
        let written = sgf::write_lines(&lines, &sgf::SgfHeader::default());
        let again = sgf::read_lines(&written);
        // A line that is the beginning of another one is none of its own.
        assert_eq!(again.map(|again| sgf::write_lines(&again, &sgf::SgfHeader::default())), Ok(written));
    }
    if let Ok(moves) = sgf::read(text) {
        assert_eq!(sgf::read(&sgf::write(&moves, &sgf::SgfHeader::default())), Ok(moves.clone()));
        let _ = Renju::after(&moves);
    }
    if let Ok(moves) = psq::read(text) {
        assert_eq!(psq::read(&psq::write(&moves, ["", ""])), Ok(moves));
    }
    let (line, answer) = text.split_once('\n').unwrap_or((text, ""));
    if let Ok(position) = line.parse::<Renju>() {
        assert_eq!(position.to_string().parse().as_ref(), Ok(&position));
        if let Ok(m) = position.read_move(answer) {
            position.clone().play_unchecked(m, &mut ());
        }
    }
});
