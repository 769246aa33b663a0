//! Beginnings of games of the champion against itself.

use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::bacteria::board::size;
use agon_rules::bacteria::{Bacteria, Move};

/// The fewest and the most plies of an opening, the latter excluded.
const OPENING: std::ops::Range<usize> = 4..10;

/// An opening that puts a side further ahead than this, in cells, is drawn again.
const UNFAIR: u32 = 3;

/// An opening at random, three of four moves a division where there is one: most leaps are mistakes.
pub fn opening(stream: &mut Stream) -> Bacteria {
    loop {
        let mut position = Bacteria::start();
        for _ in 0..OPENING.start + stream.below(OPENING.len()) {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let divisions: Vec<Move> = moves.iter().copied().filter(|m| !m.is_leap()).collect();
            let moves = if !divisions.is_empty() && stream.below(4) > 0 { divisions } else { moves };
            if moves.is_empty() {
                break;
            }
            position.play(moves[stream.below(moves.len())], &mut ());
        }
        let [first, second] = Side::BOTH.map(|side| size(position.cells(side)));
        if position.outcome().is_none() && first.abs_diff(second) <= UNFAIR {
            return position;
        }
    }
}
