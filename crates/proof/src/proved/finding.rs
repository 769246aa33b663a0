//! Search results for a position of the growing book: a line of the work file.

use std::fmt;
use std::str::FromStr;

use agon_engines::renju::book::{ProvedBook, notation};
use agon_rules::renju::{PointSet, Stones};

use crate::threat_win::NoWin;

/// Search result for a position with Black to move. As text it is one line: `won`, `open`, `quiet` with the stones and
/// the nodes of the search; `rely` or `try` with the stones and points; `spent` with the stones, searches,
/// milliseconds, and proof number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The result of a search for threats with at most `nodes` nodes: a win, or why none.
    Leaf(Stones, u64, Result<(), NoWin>),
    /// The points of rank 1 of the relevance zone of the win by threats.
    Zone(Stones, PointSet),
    /// Black's moves to try, the best first.
    Moves(Stones, Vec<u8>),
    /// Effort spent so far on one of White's fourth moves.
    Spent(Stones, Effort),
}

/// Effort spent on a position, and the progress made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    pub searches: u64,
    pub time: u64,
    /// The proof number then; 0: it is won.
    pub proof: u32,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(stones, nodes, verdict) => {
                let word = match verdict {
                    Ok(()) => "won",
                    Err(NoWin::Limit) => "open",
                    Err(NoWin::NoThreats) => "quiet",
                };
                write!(f, "{word} {} {nodes}", notation::stones(stones))
            }
            Self::Zone(stones, cells) => {
                write!(f, "rely {} {}", notation::stones(stones), notation::cells(*cells))
            }
            Self::Moves(stones, moves) => {
                let moves: String = moves.iter().map(|&cell| notation::cell(cell)).collect();
                write!(f, "try {} {moves}", notation::stones(stones))
            }
            Self::Spent(stones, Effort { searches, time, proof }) => {
                write!(f, "spent {} {searches},{time},{proof}", notation::stones(stones))
            }
        }
    }
}

impl FromStr for Finding {
    type Err = FindingError;

    fn from_str(line: &str) -> Result<Self, FindingError> {
        let read = || {
            let mut words = line.split(' ');
            let (word, stones, last) = (words.next()?, notation::read_stones(words.next()?)?, words.next()?);
            if words.next().is_some() {
                return None;
            }
            let leaf = |verdict| Some(Self::Leaf(stones, last.parse().ok()?, verdict));
            match word {
                "won" => leaf(Ok(())),
                "open" => leaf(Err(NoWin::Limit)),
                "quiet" => leaf(Err(NoWin::NoThreats)),
                "rely" => Some(Self::Zone(stones, notation::read_cells(last)?.into_iter().collect())),
                "try" => Some(Self::Moves(stones, notation::read_cells(last)?)),
                "spent" => {
                    let mut numbers = last.split(',');
                    let mut next = || numbers.next()?.parse::<u64>().ok();
                    let effort = Effort { searches: next()?, time: next()?, proof: u32::try_from(next()?).ok()? };
                    numbers.next().is_none().then_some(Self::Spent(stones, effort))
                }
                _ => None,
            }
        };
        read().ok_or_else(|| FindingError { line: line.to_owned() })
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{line}` is nothing that the growing of a book found out")]
pub struct FindingError {
    pub line: String,
}

/// Black's moves of a book as findings, so that a book can be grown on without the work file that it was grown with.
pub fn of_book(book: &ProvedBook) -> impl Iterator<Item = Finding> {
    book.moves().iter().map(|(&stones, cell)| Finding::Moves(stones, vec![cell]))
}
