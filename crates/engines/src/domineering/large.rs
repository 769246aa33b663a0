//! Boards with up to 10 rows and columns, for analysis: proved bounds of a position, and the estimates of a search of a
//! few plies.

use std::time::Duration;

use agon_game::Side;
use agon_rules::domineering::board::MAX_WEIGHT;
use agon_rules::domineering::{BoardError, Bonus, OutsideBoard};
use agon_search::{Instant, SearchLimits, Stop, Stopped};

use super::cell_set::CellSet;
use super::search::{NO_LIMIT, Root, Search, value_between};
use super::solution::{signed, signed_bounds};

/// The most rows, and the most columns, of a board that can be analyzed.
pub const MAX_SIDE: usize = u128::SIZE;

/// Initial number of nodes per question of the proof; doubled after every round without an answer.
const FIRST_NODES: u64 = 1_000;

/// The estimates get one part in this many of an analysis's time or nodes, the proofs the rest.
const ESTIMATES: u32 = 3;

/// Time for the estimates of an analysis without a limit.
const MAX_LOOK: Duration = Duration::from_secs(5);

/// Reason why a position of a large board is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LargeBoardError {
    #[error("a board that can be analyzed has 1 to {MAX_SIDE} rows and columns, not {rows} × {columns}")]
    Size { rows: usize, columns: usize },
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Outside(#[from] OutsideBoard),
}

/// A position on a board with up to 10 rows and columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LargePosition {
    rows: usize,
    columns: usize,
    /// Indexed by cell (see [`CellSet`]).
    weights: Vec<u8>,
    empty: u128,
    turn: Side,
    last_pass: bool,
    bonus: Bonus,
}

impl LargePosition {
    /// A position on the board with these weights, row by row; `covered` are cells as (row, column) from 1. The second
    /// side leads by the bonus.
    ///
    /// # Errors
    /// [`LargeBoardError`].
    pub fn new(
        board: &[Vec<u8>],
        covered: impl IntoIterator<Item = (usize, usize)>,
        turn: Side,
        last_pass: bool,
        bonus: Bonus,
    ) -> Result<Self, LargeBoardError> {
        let (rows, columns) = (board.len(), board.first().map_or(0, Vec::len));
        if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&columns) {
            return Err(LargeBoardError::Size { rows, columns });
        }
        let mut weights = vec![0; MAX_SIDE * MAX_SIDE];
        let mut empty = 0;
        for (row, line) in board.iter().enumerate() {
            if line.len() != columns {
                return Err(BoardError::Ragged { row: row + 1, columns: line.len(), expected: columns }.into());
            }
            for (column, &weight) in line.iter().enumerate() {
                if weight > MAX_WEIGHT {
                    let weight = weight.to_string();
                    return Err(BoardError::TooLarge { row: row + 1, column: column + 1, weight }.into());
                }
                weights[MAX_SIDE * row + column] = weight;
                empty |= u128::of(MAX_SIDE * row + column);
            }
        }
        for (row, column) in covered {
            if !(1..=rows).contains(&row) || !(1..=columns).contains(&column) {
                return Err(OutsideBoard { row, column, size: (rows, columns) }.into());
            }
            empty &= !u128::of(MAX_SIDE * (row - 1) + column - 1);
        }
        Ok(Self { rows, columns, weights, empty, turn, last_pass, bonus })
    }

    pub const fn rows(&self) -> usize {
        self.rows
    }

    pub const fn columns(&self) -> usize {
        self.columns
    }

    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// Returns the lead of the second side.
    pub const fn bonus(&self) -> Bonus {
        self.bonus
    }

    /// The weight of the cell in this row and column, both from 1; `None` if it is covered.
    pub fn weight(&self, row: usize, column: usize) -> Option<u8> {
        let cell = MAX_SIDE * (row - 1) + column - 1;
        (self.empty & u128::of(cell) != 0).then(|| self.weights[cell])
    }

    /// Returns true if neither side has a place left.
    pub fn is_over(&self) -> bool {
        Side::BOTH.iter().all(|&side| self.empty.places(side) == 0)
    }

    fn root(&self) -> Root<u128> {
        Root { empty: self.empty, turn: self.turn, last_pass: self.last_pass }
    }
}

/// Bounds and estimate of a move: the first side's future points minus the second's, including this move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LargeMove {
    /// Row and column of the domino's first cell, from 1; `None` is a PASS.
    pub anchor: Option<(usize, usize)>,
    /// Proved lower bound.
    pub low: i32,
    /// Proved upper bound.
    pub high: i32,
    /// Estimate of a search of `plies` plies, within its bounds.
    pub estimate: i32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LargeAnalysis {
    /// The best moves first.
    pub moves: Vec<LargeMove>,
    /// The bounds and the estimate of the position itself.
    pub low: i32,
    pub high: i32,
    pub estimate: i32,
    /// Number of plies beyond each move that the estimates look.
    pub plies: u32,
    pub nodes: u64,
}

/// A move in the view of its side.
#[derive(Clone, Copy)]
struct Worth {
    anchor: Option<usize>,
    low: i32,
    high: i32,
    estimate: i32,
}

/// Analyzes a position within these limits: a third goes to estimates that look one ply further each, the rest to
/// proofs, first of the position, then of each move. Without limits it ends when all is proved, which a large board may
/// never be. `progress` hears the bounds of the position in the view of the first side whenever they are better.
///
/// The bounds' tables take up to 30 MB for 8 columns or rows, 140 MB for 9 and 600 MB for 10.
///
/// ```
/// use agon_engines::domineering::large::{LargePosition, analyse};
/// use agon_game::Side;
/// use agon_rules::domineering::Bonus;
/// use agon_search::{SearchLimits, Stop};
/// let board = vec![vec![1; 9]; 3];
/// let position = LargePosition::new(&board, [], Side::First, false, Bonus::default())?;
/// let analysis = analyse(&position, 1 << 20, SearchLimits::default(), Stop::default(), &mut |_, _| {});
/// assert_eq!(analysis.low, analysis.high, "a small board is solved");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(
    position: &LargePosition,
    table_bytes: usize,
    limits: SearchLimits,
    stop: Stop,
    progress: &mut dyn FnMut(i32, i32),
) -> LargeAnalysis {
    let begun = Instant::now();
    let mut search = Search::new(position.empty, &position.weights, table_bytes);
    search.stop = stop;
    let root = position.root();
    let over = position.is_over();
    let anchors = position.empty.places(position.turn).each().map(Some).chain([None]);
    let moves = anchors.filter(|_| !over).map(|anchor| first_sight(&search, root, anchor)).collect();
    let mut analyst = Analyst { search, root, moves, nodes: 0, progress };
    analyst.report();
    // Preparing the tables has used part of the time.
    let left = |nodes: u64| SearchLimits {
        time: limits.time.map(|time| time.saturating_sub(begun.elapsed())),
        nodes: limits.nodes.map(|all| all.saturating_sub(nodes)),
        ..SearchLimits::default()
    };
    let plies = analyst.estimate(left(0));
    let rest = left(analyst.nodes);
    // Bounds proved before a limit was reached are kept.
    let _ = analyst.prove(rest);
    analyst.answer(plies)
}

/// Returns the bounds of a move by the strips.
fn first_sight(search: &Search<u128>, root: Root<u128>, anchor: Option<usize>) -> Worth {
    let (low, high) = search.first_sight(root, anchor);
    let estimate = match anchor {
        Some(anchor) => (search.seen(root, anchor).estimate() + 2).div_euclid(4),
        None => low / 2,
    };
    Worth { anchor, low, high, estimate: estimate.clamp(low, high) }
}

struct Analyst<'a> {
    search: Search<u128>,
    root: Root<u128>,
    moves: Vec<Worth>,
    /// Nodes of questions that were answered or abandoned.
    nodes: u64,
    progress: &'a mut dyn FnMut(i32, i32),
}

impl Analyst<'_> {
    /// Returns the lower and upper bound of the position for the side to move.
    fn bounds(&self) -> (i32, i32) {
        let best = |of: fn(&Worth) -> i32| self.moves.iter().map(of).max().unwrap_or(0);
        (best(|worth| worth.low), best(|worth| worth.high))
    }

    fn report(&mut self) {
        let (low, high) = self.bounds();
        let (low, high) = signed_bounds(self.root.turn, low, high);
        (self.progress)(low, high);
    }

    /// Looks one ply further after the other; how many plies beyond each move it has seen.
    fn estimate(&mut self, limits: SearchLimits) -> u32 {
        let part = SearchLimits {
            time: Some(limits.time.map_or(MAX_LOOK, |time| time / ESTIMATES)),
            nodes: limits.nodes.map(|nodes| nodes / u64::from(ESTIMATES)),
            ..SearchLimits::default()
        };
        self.search.count_anew(part);
        let mut plies = 0;
        for depth in 1..=self.root.empty.count() {
            // The best move comes first: its lines in the table help the others.
            self.moves.sort_by_key(|worth| -worth.estimate);
            let seen: Result<Vec<i32>, Stopped> = (0..self.moves.len()).map(|at| self.look(at, depth)).collect();
            let Ok(seen) = seen else { break };
            for (worth, estimate) in self.moves.iter_mut().zip(seen) {
                worth.estimate = estimate;
            }
            plies = depth;
        }
        self.nodes += self.search.meter.nodes();
        self.note();
        plies
    }

    /// Returns the estimate of a move, looking this many plies beyond it.
    fn look(&mut self, at: usize, depth: u32) -> Result<i32, Stopped> {
        let Worth { anchor, low, high, estimate } = self.moves[at];
        let ask = |points| self.search.move_reaches(self.root, anchor, points, depth);
        value_between((low, high), estimate, ask)
    }

    /// Updates the moves' bounds from the table.
    fn note(&mut self) {
        for worth in &mut self.moves {
            if let Some(anchor) = worth.anchor {
                let child = self.search.seen(self.root, anchor);
                (worth.low, worth.high) = (worth.low.max(child.low()), worth.high.min(child.high()));
            }
            worth.estimate = worth.estimate.clamp(worth.low, worth.high);
        }
    }

    /// Narrows the bounds of the position, then those of each move.
    fn prove(&mut self, limits: SearchLimits) -> Result<(), Stopped> {
        self.search.count_anew(limits);
        let mut nodes = FIRST_NODES;
        loop {
            let before = self.bounds();
            if before.0 == before.1 {
                break;
            }
            // From below and from above, each a point beyond the known bound: the nearer to the value, the longer it
            // takes.
            for from_below in [true, false] {
                let (low, high) = self.bounds();
                if low < high {
                    self.ask(if from_below { low + 1 } else { high }, nodes)?;
                }
            }
            self.report();
            if self.bounds() == before {
                nodes *= 2;
            }
        }
        let mut nodes = FIRST_NODES;
        while self.moves.iter().any(|worth| worth.low < worth.high) {
            for at in 0..self.moves.len() {
                let Worth { low, high, .. } = self.moves[at];
                for points in [low + 1, high] {
                    if self.moves[at].low < points && points <= self.moves[at].high {
                        self.ask_of(at, points, nodes)?;
                    }
                }
            }
            nodes *= 2;
        }
        Ok(())
    }

    /// Searches with a number of nodes whether the position is worth at least `points`. Returns an error if the overall
    /// limits are reached.
    fn ask(&mut self, points: i32, nodes: u64) -> Result<(), Stopped> {
        self.moves.sort_by_key(|worth| -worth.estimate);
        for at in 0..self.moves.len() {
            if self.moves[at].high >= points && self.moves[at].low < points {
                let answered = self.ask_of(at, points, nodes)?;
                if !answered || self.moves[at].low >= points {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Searches the same for a move; returns true if the nodes were sufficient.
    fn ask_of(&mut self, at: usize, points: i32, nodes: u64) -> Result<bool, Stopped> {
        let part = self.search.meter.within(nodes);
        let mut whole = std::mem::replace(&mut self.search.meter, part);
        let found = self.search.move_reaches(self.root, self.moves[at].anchor, points, NO_LIMIT);
        let spent = self.search.meter.nodes();
        whole.add(spent);
        self.nodes += spent;
        self.search.meter = whole;
        let worth = &mut self.moves[at];
        if let Ok(found) = found {
            found.narrow(points, &mut worth.low, &mut worth.high);
            worth.estimate = worth.estimate.clamp(worth.low, worth.high);
        }
        // Says when the time of the whole is up, or its nodes are spent.
        self.search.meter.node()?;
        Ok(found.is_ok())
    }

    fn answer(mut self, plies: u32) -> LargeAnalysis {
        let turn = self.root.turn;
        let (low, high) = self.bounds();
        self.moves.sort_by_key(|worth| (-worth.estimate, -worth.low, -worth.high, worth.anchor.is_none()));
        let estimate = self.moves.first().map_or(0, |worth| worth.estimate).clamp(low, high);
        let moves = self.moves.iter().map(|worth| {
            let (low, high) = signed_bounds(turn, worth.low, worth.high);
            let anchor = worth.anchor.map(|cell| (cell / MAX_SIDE + 1, cell % MAX_SIDE + 1));
            LargeMove { anchor, low, high, estimate: signed(turn, worth.estimate) }
        });
        let moves = moves.collect();
        let (low, high) = signed_bounds(turn, low, high);
        LargeAnalysis { moves, low, high, estimate: signed(turn, estimate), plies, nodes: self.nodes }
    }
}
