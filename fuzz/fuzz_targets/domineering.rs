//! The readers of boards, positions and moves.
#![no_main]

use agon_game::Position;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(board) = WeightedBoard::from_rows(text) {
        assert_eq!(WeightedBoard::from_rows(&board.to_string()), Ok(board));
        let _ = Domineering::new(board, Bonus::default());
    }
    let (line, answer) = text.split_once('\n').unwrap_or((text, ""));
    if let Ok(position) = line.parse::<Domineering>() {
        assert_eq!(position.to_string().parse().as_ref(), Ok(&position));
        if let Ok(m) = position.read_move(answer) {
            position.clone().play_unchecked(m, &mut ());
        }
    }
});
