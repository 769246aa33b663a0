//! Games of the champion against itself, without a referee: how settings are compared.

use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::bacteria::board::size;
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::Evaluate;
use agon_search::pvs::Request;

use super::Champion;

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

/// Plays a pair of games from a position, the seats swapped, each search ended by the request: the half points of the
/// first player, 0 to 4. Both players forget everything before each game.
pub fn pair<A: Evaluate<Bacteria>, B: Evaluate<Bacteria>>(
    start: &Bacteria,
    first: &mut Champion<A>,
    second: &mut Champion<B>,
    request: &Request,
) -> usize {
    let mut halves = 0;
    for seat in Side::BOTH {
        first.forget();
        second.forget();
        let mut position = start.clone();
        let outcome = loop {
            if let Some(outcome) = position.outcome() {
                break outcome;
            }
            let found = if position.turn() == seat {
                first.search(&position, request, &mut |_| {})
            } else {
                second.search(&position, request, &mut |_| {})
            };
            position.play(found.map_or(Move::PASS, |found| found.line[0]), &mut ());
        };
        halves += match outcome {
            Outcome::Draw => 1,
            Outcome::Win(side) if side == seat => 2,
            Outcome::Win(_) => 0,
        };
    }
    halves
}
