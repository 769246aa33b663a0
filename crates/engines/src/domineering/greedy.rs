//! One ply of common sense.

use agon_game::seed::Stream;
use agon_game::{GameScore, Position, Side};
use agon_rules::domineering::cells::{SIZE, STEP, dominoes, each, places};
use agon_rules::domineering::{Domineering, Move, WeightedBoard};
use agon_search::{Engine, Info, Task};

/// Plays the place with the best pay, counting what it takes from the opponent and what it costs later. A place that
/// the opponent cannot touch takes nothing from it, so it waits while there is a better one. Among equally good places
/// it plays the one with most points; the seed decides between the rest.
///
/// Passes only when it must, and when that wins: the opponent has just passed, and it leads.
#[derive(Clone, Debug)]
pub struct Greedy {
    stream: Stream,
}

impl Greedy {
    /// A greedy player whose choices between equal places follow from the seed.
    pub fn new(seed: u64) -> Self {
        Self { stream: Stream::new(seed, "greedy") }
    }
}

impl Engine<Domineering> for Greedy {
    fn search(&mut self, position: &Domineering, _: &Task, _: &mut dyn FnMut(&Info<Move>)) -> Option<Move> {
        if position.outcome().is_some() {
            return None;
        }
        if position.last_pass() && leads(position) {
            return Some(Move::PASS);
        }
        let (board, side) = (position.board(), position.turn());
        let worth = |anchor: usize| {
            let left = position.empty() & !dominoes(1 << anchor, side);
            let pay = i32::from(board.pay(side, anchor));
            (pay + prospects(board, left, side) - prospects(board, left, side.other()), pay)
        };
        let best = each(position.places(side)).max_by_key(|&anchor| (worth(anchor), self.stream.next()));
        Some(best.map_or(Move::PASS, Move::at))
    }

    fn set_seed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}

/// Returns true if the side to move has the higher score.
fn leads(position: &Domineering) -> bool {
    match position.turn() {
        Side::First => position.lead() > GameScore::default(),
        Side::Second => position.lead() < GameScore::default(),
    }
}

/// The most points that `side` could still take if the opponent only passed from now on: in every row (of V, column) by
/// itself, the best way to cover empty cells with dominoes.
fn prospects(board: &WeightedBoard, empty: u64, side: Side) -> i32 {
    let places = places(empty, side);
    let [along, across] = [side, side.other()].map(|side| STEP[side.index()]);
    let best_of_line = |line: usize| {
        // The best of the cells up to the anchor, and of those before it.
        let (mut with, mut without) = (0, 0);
        for anchor in (0..SIZE - 1).map(|cell| line * across + cell * along) {
            let domino = if places >> anchor & 1 == 0 { 0 } else { without + i32::from(board.pay(side, anchor)) };
            (with, without) = (with.max(domino), with);
        }
        with
    };
    (0..SIZE).map(best_of_line).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact maximum, by trying everything.
    fn tried(board: &WeightedBoard, empty: u64, side: Side) -> i32 {
        each(places(empty, side))
            .map(|anchor| i32::from(board.pay(side, anchor)) + tried(board, empty & !dominoes(1 << anchor, side), side))
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn prospects_are_the_best_there_is() {
        for seed in 0..20 {
            let board = WeightedBoard::drawn(8, 8, 3, seed).expect("a board");
            let mut stream = Stream::new(seed, "cells");
            // A quarter of the cells is few enough to try everything.
            let scattered = stream.next() & stream.next();
            for empty in [scattered, 0xff, 0xff << 56, 0x0101_0101_0101_0101, 0x8080_8080_8080_8080] {
                for side in Side::BOTH {
                    let best = tried(&board, empty, side);
                    assert_eq!(prospects(&board, empty, side), best, "{board:?}, {empty:#x}, {side}");
                }
            }
        }
    }
}
