//! A player that looks one reply ahead.

use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::bacteria::board::size;
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::{Engine, Info, Task};

/// Plays the move with the largest lead in cells after the opponent's best reply. Takes a fraction of a millisecond and
/// ignores the clock.
#[derive(Clone, Debug)]
pub struct Greedy {
    stream: Stream,
}

impl Greedy {
    /// Creates a greedy player; the seed only decides between equally good moves.
    pub fn new(seed: u64) -> Self {
        Self { stream: Stream::new(seed, "greedy") }
    }
}

/// Value of a finished game for its winner, larger than any number of cells.
const WIN: i32 = 1000;

/// Returns the lead of `side`, in cells or as [`WIN`].
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
    next.play_unchecked(m, &mut ());
    next
}

impl Engine<Bacteria> for Greedy {
    fn search(&mut self, position: &Bacteria, _: &Task, _: &mut dyn FnMut(&Info<Move>)) -> Option<Move> {
        if position.outcome().is_some() {
            return None;
        }
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
        Some(best.1[self.stream.below(best.1.len())])
    }

    fn set_seed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use agon_game::TimeControl;

    use super::*;
    use crate::random::Random;

    const CLOCK: TimeControl = TimeControl::sudden_death(Duration::from_secs(10));

    /// Plays one game and returns its moves and its outcome.
    fn play(mut first: impl Engine<Bacteria>, mut second: impl Engine<Bacteria>) -> (Vec<Move>, Outcome) {
        let mut position = Bacteria::start();
        let mut moves = Vec::new();
        loop {
            if let Some(outcome) = position.outcome() {
                return (moves, outcome);
            }
            let m = match position.turn() {
                Side::First => first.best_move(&position, &Task::clock(CLOCK)).expect("not over"),
                Side::Second => second.best_move(&position, &Task::clock(CLOCK)).expect("not over"),
            };
            assert!(position.read_move(&m.to_string()).is_ok(), "{m} at {position}");
            moves.push(m);
            position.play_unchecked(m, &mut ());
        }
    }

    #[test]
    fn greedy_beats_random_from_either_seat() {
        let mut won = 0;
        for seed in 0..10 {
            won += u32::from(play(Greedy::new(seed), Random::new(seed)).1 == Outcome::Win(Side::First));
            won += u32::from(play(Random::new(seed), Greedy::new(seed)).1 == Outcome::Win(Side::Second));
        }
        assert!(won >= 19, "{won} of 20");
    }

    #[test]
    fn the_seed_decides_the_game() {
        let game = |seed| play(Greedy::new(seed), Greedy::new(seed + 1)).0;
        assert_eq!(game(1), game(1));
        assert_ne!(game(1), game(2));
    }

    /// The move chosen at `fen`, where only one is best.
    fn check(fen: &str, text: &str) {
        let position: Bacteria = fen.parse().unwrap();
        for seed in 0..5 {
            assert_eq!(
                Greedy::new(seed).best_move(&position, &Task::clock(CLOCK)).expect("not over").to_string(),
                text,
                "{fen}, seed {seed}"
            );
        }
    }

    #[test]
    fn greedy_wins_counts_the_answer_and_passes_when_it_must() {
        check("x6/7/7/2oo3/7/7/7 x 0 1", "1 1 3 3");
        check("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1", "-1 -1 -1 -1");
        // Dividing to (5,3) would take more, and give it all back.
        check("7/7/1x5/o6/3x3/x3o2/2o4 x 0 1", "5 4 7 4");
    }
}
