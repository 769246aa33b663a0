//! A searched position with its best moves: a line of the work file.

use std::fmt;
use std::str::FromStr;

use agon_engines::renju::book::notation;
use agon_engines::renju::search::{RenjuSearch, Skill};
use agon_engines::renju::{Evaluation, Tuning};
use agon_jobs::Stop;
use agon_rules::renju::{Move, Stones};
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::value::WIN;
use agon_search::{Score, SearchLimits, Task};

/// Number of best moves to search for: with up to three stones, when most moves are not much worse than the best,
const FIRST_LINES: usize = 24;

const LINES: usize = 6;

const TABLE_BYTES: usize = 8 << 20;

/// The value of a position all of whose searched moves lose, to the side that has them.
pub const LOST: i32 = -MAX_EVALUATION;

/// A position and its best moves, as a search found them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookNode {
    /// The position: whose turn it is follows from the stones.
    pub stones: Stones,
    /// Moves with their values for the side to move, in hundredths, beyond [`MAX_EVALUATION`] in decided games; the
    /// best first.
    pub moves: Vec<(u8, i32)>,
}

impl BookNode {
    /// Searches a position for its best moves with `nodes` nodes. `None` if it was stopped, or there is no legal move.
    pub fn search(stones: &Stones, nodes: u64, stop: &Stop) -> Option<Self> {
        let position = stones.position(stones.turn()?)?;
        let lines = if stones.len() <= 3 { FIRST_LINES } else { LINES };
        let task = Task { limits: SearchLimits::nodes(nodes), multipv: lines, stop: stop.clone(), ..Task::default() };
        let mut search = RenjuSearch::tuned(TABLE_BYTES, Skill::FULL, Tuning::default(), Evaluation::built_in(), 1);
        let mut found: Vec<Option<(u8, i32)>> = vec![None; lines];
        let result = search.start(&position, &task, &mut |info| {
            let value = match info.score {
                Score::Centi(centi) => centi.clamp(-MAX_EVALUATION, MAX_EVALUATION),
                Score::Win(_) => WIN,
                Score::Loss(_) => -WIN,
            };
            if let (Some(place), Some(&Move::Stone(point))) = (found.get_mut(info.multipv - 1), info.pv.first()) {
                *place = Some((point.index() as u8, value));
            }
        })?;
        let mut moves: Vec<(u8, i32)> = found.into_iter().flatten().collect();
        if let (true, Some(&Move::Stone(point))) = (moves.is_empty(), result.line.first()) {
            // It was interrupted in its first iteration.
            moves.push((point.index() as u8, result.value.clamp(-MAX_EVALUATION, MAX_EVALUATION)));
        }
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        (!stop.is_raised() && !moves.is_empty()).then_some(Self { stones: *stones, moves })
    }
}

/// Formats it as a line: the stones, then the moves with their values, decided games as `win` and `loss`.
impl fmt::Display for BookNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&notation::stones(&self.stones))?;
        for &(cell, value) in &self.moves {
            let cell = notation::cell(cell);
            match value {
                WIN.. => write!(f, " {cell}:win")?,
                value if value < LOST => write!(f, " {cell}:loss")?,
                value => write!(f, " {cell}:{value}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for BookNode {
    type Err = BookNodeError;

    fn from_str(line: &str) -> Result<Self, BookNodeError> {
        let read = || {
            let mut words = line.split(' ');
            let stones = notation::read_stones(words.next()?)?;
            let read = |word: &str| {
                let (cell, value) = word.split_once(':')?;
                let value = match value {
                    "win" => WIN,
                    "loss" => -WIN,
                    _ => value.parse().ok().filter(|value| (-MAX_EVALUATION..=MAX_EVALUATION).contains(value))?,
                };
                Some((notation::read_cell(cell).filter(|&cell| stones.empties().contains(cell))?, value))
            };
            let moves = words.map(read).collect::<Option<Vec<_>>>()?;
            stones.turn()?;
            Some(Self { stones, moves })
        };
        read().ok_or_else(|| BookNodeError { line: line.chars().take(60).collect() })
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{line}` is not a position with its best moves")]
pub struct BookNodeError {
    pub line: String,
}
