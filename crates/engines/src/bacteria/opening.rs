//! Random openings, the same for matches, tuning, duels and self-play.

use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::bacteria::board::size;
use agon_rules::bacteria::{Bacteria, Move};

pub const PLIES: u32 = 4;

/// Plays `plies` moves from the start. Each side plays the greediest of `tries` random legal moves, drawn by `below`,
/// which receives the side and a number n and returns a number below n; with one try, all legal moves are equally
/// likely, and with more on one side, that side may get ahead. `None` if the game ends before that.
///
/// # Panics
/// If a side has zero tries.
pub fn draw(
    plies: u32,
    tries: [usize; 2],
    mut below: impl FnMut(Side, usize) -> usize,
) -> Option<(Vec<Move>, Bacteria)> {
    let mut position = Bacteria::start();
    let (mut played, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        moves.clear();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return None;
        }
        let mover = position.turn();
        let draws = (0..tries[mover.index()]).map(|_| moves[below(mover, moves.len())]);
        let m = draws.max_by_key(|&m| lead(&position, m)).expect("at least one try");
        position.play_unchecked(m, &mut ());
        played.push(m);
    }
    position.outcome().is_none().then_some((played, position))
}

/// A position after `plies` moves drawn from the stream, as [`draw`] draws them; the game is not over.
///
/// # Panics
/// If a side has zero tries.
pub fn position(stream: &mut Stream, plies: u32, tries: [usize; 2]) -> Bacteria {
    loop {
        if let Some((_, position)) = draw(plies, tries, |_, n| stream.below(n)) {
            return position;
        }
    }
}

/// The mover's cells after a move, less the opponent's.
fn lead(position: &Bacteria, m: Move) -> i32 {
    let mover = position.turn();
    let mut next = position.clone();
    next.play_unchecked(m, &mut ());
    size(next.cells(mover)) as i32 - size(next.cells(mover.other())) as i32
}
