//! The test that a network must pass: pairs of games against the one before it until a sequential test has decided.

use std::collections::BTreeMap;
use std::path::Path;

use agon_game::seed::Stream;
use agon_jobs::pool::{self, Job};
use agon_jobs::{FileError, Progress, Stop, WorkFile};
use agon_search::Task;
use serde::{Deserialize, Serialize};

use crate::{Contender, TrainedGame, duel};

/// Judgement of a sequential test on the pairs so far.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Judgement {
    pub llr: f64,
    /// The Elo difference, with the bounds of its 95 % interval: low, value, high.
    pub elo: [f64; 3],
    /// Whether the network is stronger, once decided.
    pub decided: Option<bool>,
}

/// Result of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateVerdict {
    Accepted,
    Rejected,
    /// All games were played before that was decided: it is not accepted.
    Undecided,
}

/// A gate: the two players, and the conditions.
#[derive(Clone, Debug)]
pub struct Gate<G: TrainedGame> {
    /// The network, and the one before it.
    pub contenders: [Contender<G>; 2],
    /// Task given to both at every move.
    pub task: Task,
    /// The most pairs of games.
    pub pairs: u64,
    pub openings: u32,
    /// Seed of the openings: pair `n` has a stream of its own.
    pub seed: u64,
}

/// The pairs played so far, and their judgement.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GateScore {
    /// Number of pairs with 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    pub judgement: Judgement,
}

/// Judges the counts of pairs.
pub type Judge<'a> = &'a (dyn Fn([u64; 5]) -> Judgement + Sync);

impl<G: TrainedGame> Gate<G> {
    /// Plays until the test has decided, all pairs are played, or `stop` is raised, in which case it returns `None`.
    /// The file stores the half points of each pair, in order; pairs in it are not played again.
    ///
    /// # Errors
    /// [`FileError`] when the file cannot be used.
    pub fn play(
        &self,
        path: &Path,
        judge: Judge<'_>,
        threads: usize,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> Result<Option<GateScore>, FileError> {
        let (file, known) = WorkFile::open::<HalfPoints>(path)?;
        let mut counts = [0; 5];
        for HalfPoints(halves) in &known {
            counts[usize::from(*halves)] += 1;
        }
        let score = GateScore { counts, judgement: judge(counts) };
        let played = known.len();
        let mut pairs =
            Pairs { file, judge, progress, score, played, next: played, waiting: BTreeMap::new(), most: self.pairs };
        progress.start(self.pairs, played as u64);
        pool::run(&mut pairs, threads, stop, || {
            let task = Task { stop: stop.clone(), ..self.task.clone() };
            let [mut a, mut b] = self.contenders.each_ref().map(|contender| duel::prepare(contender.engine(), &task));
            move |number: usize| {
                let mut stream = Stream::new(self.seed.wrapping_add(number as u64), "gate");
                let start = G::opening(&mut stream, self.openings);
                let halves = duel::pair(&task, [a.as_mut(), b.as_mut()], start);
                // A pair whose searches were interrupted does not count.
                (number, (!stop.is_raised()).then_some(halves as u8))
            }
        })?;
        Ok(pairs.is_over().then_some(pairs.score))
    }
}

/// The half points of a pair, 0 to 4, as a line of a file.
struct HalfPoints(u8);

/// A line that is none.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a number from 0 to 4")]
struct HalfPointsError(String);

impl std::str::FromStr for HalfPoints {
    type Err = HalfPointsError;

    fn from_str(text: &str) -> Result<Self, HalfPointsError> {
        let halves = text.parse().ok().filter(|halves| *halves <= 4);
        halves.map(Self).ok_or_else(|| HalfPointsError(text.to_owned()))
    }
}

/// Pairs on their way: each counts when all before it have, so that the test stops at the same one on any number of
/// cores.
struct Pairs<'a> {
    file: WorkFile,
    judge: Judge<'a>,
    progress: &'a dyn Progress,
    score: GateScore,
    played: usize,
    next: usize,
    waiting: BTreeMap<usize, u8>,
    most: u64,
}

impl Pairs<'_> {
    fn is_over(&self) -> bool {
        self.score.judgement.decided.is_some() || self.played as u64 >= self.most
    }
}

impl Job for Pairs<'_> {
    type Task = usize;
    type Outcome = (usize, Option<u8>);
    type Error = FileError;

    fn next(&mut self) -> Option<usize> {
        if self.is_over() || self.next as u64 >= self.most {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    fn take(&mut self, (number, halves): Self::Outcome) -> Result<(), FileError> {
        let Some(halves) = halves else { return Ok(()) };
        self.waiting.insert(number, halves);
        while !self.is_over()
            && let Some(halves) = self.waiting.remove(&self.played)
        {
            self.file.append(&halves)?;
            self.played += 1;
            self.score.counts[usize::from(halves)] += 1;
            self.score.judgement = (self.judge)(self.score.counts);
            let Judgement { llr, elo: [low, value, high], .. } = self.score.judgement;
            self.progress.set_message(format!("Elo {value:+.0} ({low:+.0} to {high:+.0}), LLR {llr:+.2}"));
            self.progress.set_position(self.played as u64);
        }
        Ok(())
    }
}
