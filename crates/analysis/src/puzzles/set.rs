//! The puzzles that come with the program.
//!
//! # The file
//! Each is a line of text with fields separated by tabs, as written by `agon lab puzzles`:
//!
//! ```text
//! agon puzzles 1 renju
//! fours   9   1288    13  15/15/…/15 B 0 42   10 10/12 12/9 10
//! sum 0123456789abcdef       FNV-1a, 64 bits, of all that is above
//! ```
//! Kind, plies, nodes of the proof, difficulty, position, and the moves of the solution as the judge writes them.

use std::fmt;
use std::sync::LazyLock;

use agon_catalog::Game;
use agon_game::hash::fnv1a;

use super::puzzle::Puzzle;

const HEADER: &str = "agon puzzles 1 ";

static RENJU: LazyLock<Result<PuzzleSet, SetError>> =
    LazyLock::new(|| PuzzleSet::read(include_str!("../../../../books/puzzles/renju.puzzles")));
static DOMINEERING: LazyLock<Result<PuzzleSet, SetError>> =
    LazyLock::new(|| PuzzleSet::read(include_str!("../../../../books/puzzles/domineering.puzzles")));
static BACTERIA: LazyLock<Result<PuzzleSet, SetError>> =
    LazyLock::new(|| PuzzleSet::read(include_str!("../../../../books/puzzles/bacteria.puzzles")));

/// Step between the puzzles of two days: prime, so that all have had their day before one repeats.
const DAILY_STEP: u64 = 7_919;

/// Puzzles of one game, numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleSet {
    pub game: Game,
    pub puzzles: Vec<Puzzle>,
}

/// Error in the text of a set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetError {
    #[error("the first line is `{0}`; `agon puzzles 1` and the name of a game expected")]
    Header(String),
    #[error("the sum at the end is not {0:016x}: the file was changed or cut off")]
    Sum(u64),
    #[error("line {0} is no puzzle")]
    Line(usize),
}

impl PuzzleSet {
    /// The set of a game that comes with the program; `None` if there is none.
    ///
    /// # Errors
    /// [`SetError`] if it was spoilt before the program was built.
    pub fn own(game: Game) -> Result<Option<&'static Self>, &'static SetError> {
        let sets = [(Game::RENJU, &RENJU), (Game::DOMINEERING, &DOMINEERING), (Game::BACTERIA, &BACTERIA)];
        let set = sets.into_iter().find(|&(of, _)| of == game).map(|(_, set)| set);
        set.map(|set| LazyLock::force(set).as_ref()).transpose()
    }

    /// # Errors
    /// [`SetError`] with the first line that is wrong.
    pub fn read(text: &str) -> Result<Self, SetError> {
        let first = text.lines().next().unwrap_or_default();
        let game = first.strip_prefix(HEADER).and_then(Game::by_name);
        let game = game.ok_or_else(|| SetError::Header(first.chars().take(60).collect()))?;
        let body = text.rfind("sum ").map_or(text, |at| &text[..at]);
        if text[body.len()..] != format!("sum {:016x}\n", fnv1a(body)) {
            return Err(SetError::Sum(fnv1a(body)));
        }
        let lines = body.lines().enumerate().skip(1);
        let puzzles = lines.map(|(at, line)| Puzzle::of_line(game, line).ok_or(SetError::Line(at + 1)));
        Ok(Self { game, puzzles: puzzles.collect::<Result<_, _>>()? })
    }

    /// The puzzle of this number.
    pub fn get(&self, number: usize) -> Option<&Puzzle> {
        self.puzzles.get(number.checked_sub(1)?)
    }

    /// The number of the puzzle of a day, which is counted from any other day.
    pub fn of_day(&self, day: u64) -> usize {
        let count = self.puzzles.len().max(1) as u64;
        1 + (day % count * (DAILY_STEP % count) % count) as usize
    }
}

impl fmt::Display for PuzzleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("{HEADER}{}\n", self.game);
        for puzzle in &self.puzzles {
            text += &puzzle.line();
            text.push('\n');
        }
        writeln!(f, "{text}sum {:016x}", fnv1a(&text))
    }
}
