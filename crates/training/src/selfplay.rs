//! Games of an engine against itself, as positions to learn from.

use std::path::Path;

use agon_game::seed::Stream;
use agon_game::{Outcome, Position};
use agon_jobs::{Progress, Stop};
use agon_search::engine::{Engine, Info, Score, Task};
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::limits::SearchLimits;

use crate::dataset::{DataError, Writer};
use crate::generate::generate;
use crate::{Contender, PositionRecord, TrainedGame};

/// Memory of an engine's tables, in bytes: a search of some thousand nodes fills no more.
const TABLE_BYTES: usize = 1 << 20;

/// The games of self-play: the parts that differ from game to game.
pub trait SelfplayGames: Copy + Sync {
    type Game: TrainedGame;

    /// State of the filter that selects positions, created anew for each game.
    type Filter: Default;

    /// Games of a block of the file.
    const BLOCK: usize;

    /// True if only a game's first search may reject its opening; otherwise the first one that reports a score.
    const CHECKED_ONCE: bool;

    fn opening(&self, engine: &mut dyn Engine<Self::Game>, stream: &mut Stream) -> Self::Game;

    /// Returns the outcome of the game, if it has ended.
    fn outcome(position: &Self::Game) -> Option<Outcome> {
        position.outcome()
    }

    /// Returns true if a position is learnt from, given the engine's move.
    fn keeps(filter: &mut Self::Filter, position: &Self::Game, m: <Self::Game as Position>::Move) -> bool;

    /// The record of a position with this value, in hundredths; the result is not known yet.
    fn record(position: &Self::Game, value: i16) -> RecordOf<Self>;

    /// Returns whether the side to move has won (true) or lost, according to this score and the previous record.
    fn adjudicate(&self, score: Score, last: Option<&RecordOf<Self>>) -> Option<bool>;

    /// Returns the options that determine the games, as text for the file's header, given the imbalance.
    fn options(&self, imbalance: i32) -> String;
}

/// A position of these games, in a file.
pub type RecordOf<S> = <<S as SelfplayGames>::Game as TrainedGame>::Record;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selfplay<S> {
    /// Nodes of the search for a move.
    pub nodes: u64,
    /// Maximum imbalance of an opening in its first search, in hundredths of the game's unit; others are drawn again.
    pub imbalance: i32,
    /// Seed: game `n` has a stream of its own.
    pub seed: u64,
    pub games: S,
}

/// Output of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    pub positions: u64,
    /// Games that they come from.
    pub games: usize,
    /// Number of positions made by this run.
    pub made: u64,
    /// How they are made, for the header.
    pub text: String,
}

impl<S: SelfplayGames> Selfplay<S> {
    /// Plays until the file has `positions` positions, or `stop` is raised; a file that is there already is continued.
    ///
    /// # Errors
    /// [`DataError`] when the file cannot be used.
    pub fn fill(
        &self,
        path: &Path,
        contender: &Contender<S::Game>,
        positions: u64,
        threads: usize,
        stop: &Stop,
        progress: &dyn Progress,
    ) -> Result<Generated, DataError> {
        let &Self { nodes, imbalance, seed, .. } = self;
        let text = format!("net {} nodes {nodes} {} seed {seed}", contender.name, self.games.options(imbalance));
        let mut writer = Writer::open::<RecordOf<S>>(path, &text)?;
        let before = writer.records();
        let worker = || {
            let mut engine = contender.engine();
            engine.set_memory(TABLE_BYTES);
            move |block| self.block(engine.as_mut(), block, stop)
        };
        generate(&mut writer, threads, positions, stop, worker, progress)?;
        let (positions, games) = (writer.records(), writer.blocks() * S::BLOCK);
        Ok(Generated { positions, games, made: positions - before, text })
    }

    /// Plays the games of a block and returns their positions in order; `None` when `stop` was raised before the last
    /// one ended.
    pub fn block(&self, engine: &mut dyn Engine<S::Game>, block: usize, stop: &Stop) -> Option<Vec<RecordOf<S>>> {
        let mut records = Vec::new();
        for game in block * S::BLOCK..(block + 1) * S::BLOCK {
            self.game(engine, game as u64, stop, &mut records)?;
        }
        Some(records)
    }

    /// Plays one game and appends the positions that are kept.
    fn game(
        &self,
        engine: &mut dyn Engine<S::Game>,
        game: u64,
        stop: &Stop,
        records: &mut Vec<RecordOf<S>>,
    ) -> Option<()> {
        let mut stream = Stream::new(self.seed.wrapping_add(game), "datagen");
        let mut filter = S::Filter::default();
        let first = records.len();
        let task = Task { limits: SearchLimits::nodes(self.nodes), ..Task::default() };
        let mut position = self.games.opening(engine, &mut stream);
        let mut checked = false;
        engine.new_game();
        let outcome = loop {
            if let Some(outcome) = S::outcome(&position) {
                break outcome;
            }
            if stop.is_raised() {
                return None;
            }
            let mut score = None;
            let listener = &mut |info: &Info<<S::Game as Position>::Move>| score = Some(info.score);
            let Some(m) = engine.search(&position, &task, listener) else { break Outcome::Draw };
            // A move without a choice is played without a search, and a search may end before its first line.
            if let Some(score) = score {
                let value = hundredths(score);
                if !checked && value.abs() > self.imbalance {
                    position = self.games.opening(engine, &mut stream);
                    engine.new_game();
                    continue;
                }
                checked = true;
                let won = self.games.adjudicate(score, records[first..].last());
                if S::keeps(&mut filter, &position, m) {
                    records.push(S::record(&position, value as i16));
                }
                if let Some(won) = won {
                    let mover = position.turn();
                    break Outcome::Win(if won { mover } else { mover.other() });
                }
            }
            checked |= S::CHECKED_ONCE;
            position.play_unchecked(m, &mut ());
        };
        for record in &mut records[first..] {
            record.set_half_points(match outcome {
                Outcome::Draw => 1,
                Outcome::Win(winner) => 2 * u8::from(winner == record.turn()),
            });
        }
        Some(())
    }
}

/// A score in hundredths of the game's unit, decided games at the ends.
pub(crate) fn hundredths(score: Score) -> i32 {
    match score {
        Score::Centi(centi) => centi.clamp(-MAX_EVALUATION, MAX_EVALUATION),
        Score::Win(_) => MAX_EVALUATION,
        Score::Loss(_) => -MAX_EVALUATION,
    }
}
