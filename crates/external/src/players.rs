//! Built-in players of games whose rules list their moves: `random`, `greedy` and, on rules that save states and play
//! games to their ends, `mcts`.

use std::any::Any;
use std::time::{Duration, Instant};

use agon_catalog::{TextEngine, TextMove};
use agon_game::seed::Stream;
use agon_game::{Evaluation, GameState, Outcome, Player, Score, Side, TimeControl};
use agon_search::time::TimeManager;
use agon_search::{Info, Task};

use crate::rules::Rules;
use crate::search::{Budget, Found, search};
use crate::state::ExternalState;

/// Playouts of the levels of `mcts` below the highest, which thinks as long as its clock allows.
const PLAYOUTS: [u64; 4] = [30, 120, 500, 2_000];

/// With less time left than these leaves take, `mcts` plays any legal move.
const LEAVES_IN_RESERVE: u32 = 20;

/// Memory of a tree where no other limit is set, and at least.
const TREE_BYTES: usize = 512 << 20;
const MIN_TREE_BYTES: usize = 32 << 20;

/// Playouts of a search of depth 0; each further ply doubles them.
const PLAYOUTS_OF_DEPTH: u64 = 32;

/// How many moves a side probably still has to make, unless the limit on those of a game leaves fewer.
const MOVES_TO_GO: u32 = 30;

/// Estimated Elo differences between the levels of `mcts`, for four times the playouts each: in an unknown game they
/// cannot be measured.
pub(crate) const LEVEL_STEPS: &[f64] = &[150.0, 150.0, 150.0, 100.0];

/// How a built-in player chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Random,
    Greedy,
    Mcts(u8),
}

impl Kind {
    pub(crate) fn by_name(name: &str, level: u8) -> Self {
        match name {
            "greedy" => Self::Greedy,
            "mcts" => Self::Mcts(level),
            _ => Self::Random,
        }
    }
}

/// A built-in player.
pub(crate) struct ExternalPlayer {
    rules: &'static Rules,
    kind: Kind,
    seed: u64,
    stream: Stream,
    nodes: Option<u64>,
    /// Memory of a tree, in bytes.
    memory: usize,
    /// How long a leaf of its last search took.
    leaf: Option<Duration>,
    time: TimeManager,
    seen: Option<Box<dyn GameState>>,
    evaluation: Option<Evaluation>,
}

impl ExternalPlayer {
    pub(crate) fn new(rules: &'static Rules, kind: Kind) -> Self {
        let stream = Stream::new(0, "random");
        let time = TimeManager::default();
        let (nodes, memory) = (None, TREE_BYTES);
        Self { rules, kind, seed: 0, stream, nodes, memory, leaf: None, time, seen: None, evaluation: None }
    }

    /// Chooses a move of this state, and reports the best lines while it searches; `None` when the game is over.
    fn pick(
        &mut self,
        state: &dyn GameState,
        task: &Task,
        report: &mut dyn FnMut(&[Found]),
    ) -> Result<Option<Found>, String> {
        if state.turn().is_none() {
            return Ok(None);
        }
        if let Kind::Mcts(level) = self.kind
            && !is_short(task.clock.as_ref(), self.leaf)
        {
            return self.searched(state, level, task, report);
        }
        let moves = state.legal();
        if moves.is_empty() {
            return Err(state.failure().unwrap_or_else(|| "the rules list no moves".to_owned()));
        }
        let text = match self.kind {
            Kind::Greedy => self.best_by_score(state, &moves)?,
            _ => moves[self.stream.below(moves.len())].clone(),
        };
        Ok(Some(Found { line: vec![text.clone()], text, expected: 0.5, playouts: 0, leaf: None }))
    }

    /// The move after which the score is best, drawn among equals.
    fn best_by_score(&mut self, state: &dyn GameState, moves: &[String]) -> Result<String, String> {
        let side = state.turn().unwrap_or(Side::First);
        let imagined = state.with_chance(self.stream.next());
        let (mut best, mut equals) = (i64::MIN, Vec::new());
        for text in moves {
            let mut next = imagined.boxed_clone();
            next.answer(text).map_err(|error| format!("`{text}`, which the rules list: {error}"))?;
            let value = value_for(&*next, side);
            if value > best {
                (best, equals) = (value, Vec::new());
            }
            if value == best {
                equals.push(text);
            }
        }
        Ok(equals[self.stream.below(equals.len())].clone())
    }

    /// Searches within the limits of the task; without any, until it is stopped or its tree is full.
    fn searched(
        &mut self,
        state: &dyn GameState,
        level: u8,
        task: &Task,
        report: &mut dyn FnMut(&[Found]),
    ) -> Result<Option<Found>, String> {
        let started = Instant::now();
        let fixed = PLAYOUTS.get(usize::from(level).wrapping_sub(1)).copied();
        let by_depth = task.limits.depth.map(|depth| PLAYOUTS_OF_DEPTH << depth.min(20));
        let playouts = [self.nodes, task.limits.nodes, fixed, by_depth].into_iter().flatten().min().unwrap_or(u64::MAX);
        let plies = self.rules.description.plies.saturating_sub(state.ply());
        let by_clock = task.clock.and_then(|clock| share_of(&mut self.time, clock, self.leaf, plies));
        let time = task.limits.time.into_iter().chain(by_clock).min();
        let until = time.into_iter().chain(task.limits.soft).min().map(|time| started + time);
        let (memory, lines) = (self.memory, task.multipv.max(1));
        let budget = Budget { playouts, until, leaf: self.leaf, memory, lines, stopped: &|| task.stop.is_raised() };
        let found = search(self.rules, &state.position(), self.stream.next() ^ self.seed, &budget, report)?;
        self.leaf = found.as_ref().and_then(|found| found.leaf).or(self.leaf);
        if let Some((clock, allowed)) = task.clock.zip(by_clock) {
            self.time.moved(clock, started.elapsed(), allowed);
        }
        Ok(found)
    }
}

/// Returns the time for a move on this clock, in a game with at most `plies` left.
fn share_of(time: &mut TimeManager, clock: TimeControl, leaf: Option<Duration>, plies: u32) -> Option<Duration> {
    let moves = plies.div_ceil(2).clamp(1, MOVES_TO_GO);
    let reserve = leaf.map_or(Duration::ZERO, |leaf| leaf * LEAVES_IN_RESERVE);
    time.limits(clock, reserve, f64::from(moves)).soft
}

/// Returns true if the clock has only a few leaves left, so that any legal move is better than a late one.
fn is_short(clock: Option<&TimeControl>, leaf: Option<Duration>) -> bool {
    clock.zip(leaf).is_some_and(|(clock, leaf)| clock.left < leaf * LEAVES_IN_RESERVE)
}

/// Returns the value of a state for a side: an end outweighs any score.
fn value_for(state: &dyn GameState, side: Side) -> i64 {
    let [first, second] = state.score().unwrap_or_default().map(|score| i64::from(score.halves()));
    let lead = if side == Side::First { first - second } else { second - first };
    match state.ending().map(|ending| ending.outcome) {
        Some(Outcome::Win(winner)) if winner == side => i64::MAX / 2 + lead,
        Some(Outcome::Win(_)) => i64::MIN / 2 + lead,
        _ => lead,
    }
}

/// The expected share of the points as a score: between −10 and 10.
fn score_of(expected: f64) -> Score {
    Score::Centi(((expected * 2.0 - 1.0) * 1000.0) as i32)
}

impl Player for ExternalPlayer {
    fn ready(&mut self, _side: Side, _preamble: &str) -> Result<(), String> {
        self.seen = None;
        self.time.new_game();
        Ok(())
    }

    fn see(&mut self, state: &dyn GameState) {
        self.seen = Some(state.boxed_clone());
    }

    fn choose(&mut self, own: TimeControl, _opponent: TimeControl) -> Result<String, String> {
        let state = self.seen.take().ok_or("asked for a move before it has seen the game")?;
        let started = Instant::now();
        let found =
            self.pick(&*state, &Task::clock(own), &mut |_| {})?.ok_or("asked for a move after the end of the game")?;
        self.evaluation = (found.playouts > 0).then(|| Evaluation {
            nodes: Some(found.playouts),
            time: Some(started.elapsed()),
            ..Evaluation::new(score_of(found.expected))
        });
        Ok(found.text)
    }

    fn opponent(&mut self, _arguments: &str) -> Result<(), String> {
        Ok(())
    }

    fn evaluation(&self) -> Option<Evaluation> {
        self.evaluation
    }
}

impl TextEngine for ExternalPlayer {
    fn search(
        &mut self,
        position: &str,
        task: &Task,
        listener: &mut dyn FnMut(&Info<TextMove>),
    ) -> Result<Option<TextMove>, String> {
        let state = ExternalState::read(self.rules, position)?;
        let started = Instant::now();
        let text_move = |text: &String| TextMove { judged: text.clone(), letters: text.clone() };
        let mut report = |lines: &[Found]| {
            for (at, found) in lines.iter().enumerate().rev() {
                listener(&Info {
                    depth: found.line.len() as u32,
                    seldepth: found.line.len() as u32,
                    multipv: at + 1,
                    score: score_of(found.expected),
                    nodes: found.playouts,
                    hashfull: None,
                    elapsed: started.elapsed(),
                    pv: found.line.iter().map(text_move).collect(),
                });
            }
        };
        let Some(found) = self.pick(&state, task, &mut report)? else { return Ok(None) };
        Ok(Some(text_move(&found.text)))
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.stream = Stream::new(seed, "random");
    }

    fn set_memory(&mut self, bytes: usize) {
        self.memory = bytes.max(MIN_TREE_BYTES);
    }

    fn set_threads(&mut self, _threads: usize) {}

    fn player(self: Box<Self>, nodes: Option<u64>) -> Box<dyn Player> {
        Box::new(Self { nodes, ..*self })
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_clock_ends_the_search() {
        let clock = |left| TimeControl::sudden_death(Duration::from_millis(left));
        let leaf = Some(Duration::from_millis(10));
        assert!(is_short(Some(&clock(199)), leaf) && !is_short(Some(&clock(200)), leaf));
        assert!(!is_short(None, leaf) && !is_short(Some(&clock(1)), None), "not known yet");
    }

    #[test]
    fn a_move_has_its_share_of_the_clock() {
        let share = |clock, plies| share_of(&mut TimeManager::default(), clock, Some(Duration::from_millis(1)), plies);
        let check = |clock, plies, [least, most]: [u64; 2]| {
            let share = share(clock, plies).unwrap().as_millis();
            assert!((u128::from(least)..=most.into()).contains(&share), "{share} ms of {clock:?}");
        };
        let clock = TimeControl::sudden_death(Duration::from_secs(10));
        check(clock, 1_000, [300, 333]);
        // In tic-tac-toe each side makes at most five moves.
        check(clock, 9, [1_900, 2_000]);
        // In a period of one move, unused time is lost.
        check(TimeControl { moves_to_go: Some(1), ..clock }, 1_000, [9_800, 10_000]);
        check(TimeControl::sudden_death(Duration::from_millis(100)), 1_000, [0, 0]);
    }
}
