//! Random beginnings of games.

use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::bacteria::board::size;
use agon_rules::bacteria::{Bacteria, Move};

/// A position after `plies` random moves, the game not over. Each side takes the greediest of as many moves drawn as
/// `tries` says, so that one may get ahead of the other.
///
/// # Panics
/// When a side is to draw no move at all.
pub fn opening(stream: &mut Stream, plies: u32, tries: [usize; 2]) -> Bacteria {
    loop {
        let mut position = Bacteria::start();
        let mut moves = Vec::new();
        for _ in 0..plies {
            moves.clear();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            let draws = (0..tries[position.turn().index()]).map(|_| moves[stream.below(moves.len())]);
            let m = draws.max_by_key(|&m| lead(&position, m)).expect("at least one try");
            position.play(m, &mut ());
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// The fewest and the most plies of a fair opening, the latter excluded.
const FAIR_PLIES: std::ops::Range<usize> = 4..10;

/// A fair opening puts no side further ahead than this, in cells.
const UNFAIR: u32 = 3;

/// A fair position after some random moves, three of four a division where there is one: most leaps are mistakes.
pub fn fair(stream: &mut Stream) -> Bacteria {
    loop {
        let mut position = Bacteria::start();
        for _ in 0..FAIR_PLIES.start + stream.below(FAIR_PLIES.len()) {
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

/// The mover's cells after a move, less the opponent's.
fn lead(position: &Bacteria, m: Move) -> i32 {
    let mover = position.turn();
    let mut next = position.clone();
    next.play(m, &mut ());
    size(next.cells(mover)) as i32 - size(next.cells(mover.other())) as i32
}
