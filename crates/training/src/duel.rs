//! Games between two engines within one process, to see which is better.

use std::time::{Duration, Instant};

use agon_game::{Outcome, Position, Side};
use agon_search::analysis::{Analyst, Clock, Task};
use agon_search::limits::Limits;

/// Memory of a player's tables, in bytes, where nodes are counted.
const TABLE_BYTES: usize = 4 << 20;

/// How long an engine may think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// So many nodes for every move: the same games on every machine.
    Nodes(u64),
    /// A clock for the whole game. Who has no time left loses.
    Clock(Duration),
}

impl Pace {
    /// A clock of so many milliseconds, or else so many nodes for every move.
    pub fn new(nodes: u64, clock: Option<u64>) -> Self {
        clock.map_or(Self::Nodes(nodes), |ms| Self::Clock(Duration::from_millis(ms)))
    }

    /// Gives an engine tables of the size for its games: on a clock that which it would have in a match.
    pub fn prepare<P: Position>(self, analyst: &mut dyn Analyst<P>) {
        if let Self::Nodes(_) = self {
            analyst.set_memory(TABLE_BYTES);
        }
    }

    /// Plays two games from a position, the seats swapped, and returns the first engine's points in halves: 0 when it
    /// loses both games, 4 when it wins both.
    pub fn pair<P: Position>(self, [a, b]: [&mut dyn Analyst<P>; 2], start: P) -> usize {
        let halves = |outcome: Outcome, seat: Side| match outcome {
            Outcome::Draw => 1,
            Outcome::Win(winner) => 2 * usize::from(winner == seat),
        };
        let first = self.game([&mut *a, &mut *b], start.clone());
        let second = self.game([b, a], start);
        halves(first, Side::First) + halves(second, Side::Second)
    }

    /// Plays one game between the engines of the two seats.
    fn game<P: Position>(self, mut seats: [&mut dyn Analyst<P>; 2], mut position: P) -> Outcome {
        for analyst in &mut seats {
            analyst.forget();
        }
        let mut left = match self {
            Pace::Nodes(_) => [Duration::ZERO; 2],
            Pace::Clock(clock) => [clock; 2],
        };
        loop {
            if let Some(outcome) = position.outcome() {
                return outcome;
            }
            let turn = position.turn();
            let clock = &mut left[turn.index()];
            let task = match self {
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
            if let Pace::Clock(_) = self {
                match clock.checked_sub(start.elapsed()) {
                    Some(rest) => *clock = rest,
                    None => return Outcome::Win(turn.other()),
                }
            }
            position.play(m, &mut ());
        }
    }
}
