//! Games between two engines within one process, to see which is better.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_jobs::{Stop, pool};
use agon_search::{Engine, SearchLimits, Task, TimeControl};

use crate::{Contender, TrainedGame};

/// Memory of an engine's tables, in bytes, where nodes are counted.
const TABLE_BYTES: usize = 4 << 20;

/// Returns the task of an engine at every move: play by a clock for the whole game, in milliseconds, or search a number
/// of nodes, which gives the same games on every machine.
pub fn task(nodes: u64, clock: Option<u64>) -> Task {
    match clock {
        Some(ms) => {
            let clock = TimeControl::sudden_death(Duration::from_millis(ms));
            Task { clock: Some(clock), ..Task::default() }
        }
        None => SearchLimits::nodes(nodes).into(),
    }
}

/// Gives an engine tables of the size for its games: on a clock that which it would have in a match.
pub fn prepare<P: Position>(mut engine: Box<dyn Engine<P>>, task: &Task) -> Box<dyn Engine<P>> {
    if task.clock.is_none() {
        engine.set_memory(TABLE_BYTES);
    }
    engine
}

/// Plays two games from a position, with the seats swapped, and returns the first engine's points in halves: 0 if it
/// loses both games, 4 if it wins both. Each engine has the task's clock for a whole game; an engine without time left
/// loses.
pub fn pair<P: Position>(task: &Task, [a, b]: [&mut dyn Engine<P>; 2], start: P) -> usize {
    let halves = |outcome: Outcome, seat: Side| match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) => 2 * usize::from(winner == seat),
    };
    let first = game(task, [&mut *a, &mut *b], start.clone());
    let second = game(task, [b, a], start);
    halves(first, Side::First) + halves(second, Side::Second)
}

/// Plays one game between the engines of the two seats.
fn game<P: Position>(task: &Task, mut seats: [&mut dyn Engine<P>; 2], mut position: P) -> Outcome {
    for engine in &mut seats {
        engine.new_game();
    }
    let mut tasks = [task.clone(), task.clone()];
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let turn = position.turn();
        let task = &mut tasks[turn.index()];
        let start = Instant::now();
        let Some(m) = seats[turn.index()].search(&position, task, &mut |_| {}) else {
            return Outcome::Draw;
        };
        if let Some(clock) = &mut task.clock {
            match clock.left.checked_sub(start.elapsed()) {
                Some(left) => clock.left = left,
                None => return Outcome::Win(turn.other()),
            }
        }
        position.play_unchecked(m, &mut ());
    }
}

#[derive(Clone, Debug)]
pub struct Duel<G: TrainedGame> {
    pub contenders: [Contender<G>; 2],
    /// Task of both at every move, see [`task`].
    pub task: Task,
    pub pairs: u64,
    pub opening: u32,
    /// Seed of the openings: pair `n` has a stream of its own.
    pub seed: u64,
}

impl<G: TrainedGame> Duel<G> {
    /// Plays the pairs on `threads` threads until `stop` is raised; `ended` is called with the first contender's points
    /// of each pair, in halves.
    pub fn play(&self, threads: usize, stop: &Stop, mut ended: impl FnMut(usize)) {
        let worker = || {
            let [mut a, mut b] = self.contenders.each_ref().map(|contender| prepare(contender.engine(), &self.task));
            move |number: usize| {
                let mut stream = Stream::new(self.seed.wrapping_add(number as u64), "duel");
                let start = G::opening(&mut stream, self.opening);
                Ok::<usize, Infallible>(pair(&self.task, [a.as_mut(), b.as_mut()], start))
            }
        };
        let Ok(_) = pool::map(self.pairs as usize, threads, stop, worker, |&halves| ended(halves));
    }
}
