//! Takes what it can, and looks once at what that gives away.

use agon_game::seed::Stream;
use agon_game::{Budget, Outcome, Position, Side};
use agon_rules::bacteria::board::size;
use agon_rules::bacteria::{Bacteria, Move};

use crate::Chooser;

/// Plays the move after which, when the opponent has given its best answer, it is ahead by the most cells. Takes a
/// fraction of a millisecond and looks at no clock.
#[derive(Clone, Debug)]
pub struct Greedy {
    stream: Stream,
}

impl Greedy {
    /// A greedy player; the seed decides between equally good moves, and nothing else.
    pub fn new(seed: u64) -> Self {
        Self { stream: Stream::new(seed, "greedy") }
    }
}

/// More than any number of cells: what a game that is over is worth to its winner.
const WIN: i32 = 1000;

/// How far `side` is ahead: in cells, or by [`WIN`].
fn lead(position: &Bacteria, side: Side) -> i32 {
    match position.outcome() {
        Some(Outcome::Win(winner)) if winner == side => WIN,
        Some(Outcome::Win(_)) => -WIN,
        Some(Outcome::Draw) => 0,
        None => size(position.cells(side)) as i32 - size(position.cells(side.other())) as i32,
    }
}

fn after(position: &Bacteria, m: Move) -> Bacteria {
    let mut next = position.clone();
    next.play(m, &mut ());
    next
}

impl Chooser<Bacteria> for Greedy {
    fn choose(&mut self, position: &Bacteria, _: Budget) -> Move {
        let side = position.turn();
        let (mut moves, mut answers) = (Vec::new(), Vec::new());
        position.legal_moves(&mut moves);
        let mut best = (i32::MIN, Vec::new());
        for m in moves {
            let next = after(position, m);
            answers.clear();
            next.legal_moves(&mut answers);
            let worst = answers.iter().map(|&answer| lead(&after(&next, answer), side)).min();
            // Without an answer the game is over.
            let value = worst.unwrap_or_else(|| lead(&next, side));
            if value > best.0 {
                best = (value, Vec::new());
            }
            if value == best.0 {
                best.1.push(m);
            }
        }
        best.1[self.stream.below(best.1.len())]
    }
}
