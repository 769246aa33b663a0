//! Games between two engines within one process, to see which is better.

use std::time::{Duration, Instant};

use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_search::analysis::{Analyst, Clock, Task};
use agon_search::limits::Limits;

use super::opening::opening;

/// How long an engine may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// So many nodes for every move: the same games on every machine.
    Nodes(u64),
    /// A clock for the whole game. Who has no time left loses.
    Clock(Duration),
}

/// Pairs of games, both of a pair from one random opening with the seats swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duel {
    /// How long a move may take.
    pub pace: Pace,
    /// Random plies before the game.
    pub opening: u32,
    /// From which openings are drawn: pair `n` has a stream of its own.
    pub seed: u64,
}

impl Duel {
    /// Plays a pair and returns the first engine's points in halves: 0 when it loses both games, 4 when it wins both.
    pub fn pair(&self, [a, b]: [&mut dyn Analyst<Bacteria>; 2], number: u64) -> usize {
        let mut stream = Stream::new(self.seed.wrapping_add(number), "duel");
        let start = opening(&mut stream, self.opening, [1, 1]);
        let halves = |outcome: Outcome, seat: Side| match outcome {
            Outcome::Draw => 1,
            Outcome::Win(winner) => 2 * usize::from(winner == seat),
        };
        let first = self.game([&mut *a, &mut *b], start.clone());
        let second = self.game([b, a], start);
        halves(first, Side::First) + halves(second, Side::Second)
    }

    /// Plays one game between the engines of the two seats.
    fn game(&self, mut seats: [&mut dyn Analyst<Bacteria>; 2], mut position: Bacteria) -> Outcome {
        for analyst in &mut seats {
            analyst.forget();
        }
        let mut left = match self.pace {
            Pace::Nodes(_) => [Duration::ZERO; 2],
            Pace::Clock(clock) => [clock; 2],
        };
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome;
            }
            let turn = position.turn();
            let clock = &mut left[turn.index()];
            let task = match self.pace {
                Pace::Nodes(nodes) => Task { limits: Limits::nodes(nodes), ..Task::default() },
                Pace::Clock(_) => {
                    let clock = Clock { left: *clock, increment: Duration::ZERO };
                    Task { clock: Some(clock), ..Task::default() }
                }
            };
            let start = Instant::now();
            let Some(m) = seats[turn.index()].analyze(&position, &task, &mut |_| {}) else {
                return Outcome::Draw;
            };
            if let Pace::Clock(_) = self.pace {
                match clock.checked_sub(start.elapsed()) {
                    Some(rest) => *clock = rest,
                    None => return Outcome::Win(turn.other()),
                }
            }
            position.play(m, &mut ());
        }
    }
}
