//! The state of the search: learnt data, one search of a position, and a node.

use agon_game::{Position as _, Side};
use agon_rules::renju::{Move, POINTS, Point, Renju};
use agon_search::Meter;
use agon_search::correction::Correction;
use agon_search::nnue::EvalCache;
use agon_search::transposition::{TableEntry, TranspositionTable};
use agon_search::value::WIN;

use super::stack::Stack;
use crate::renju::{Evaluation, Fours, PatternBoard, Threats, Tuning};

pub(super) const MAX_PLY: i32 = 120;

pub(super) const MAX_DEPTH: i32 = 60;

/// The strength of a search, which weaker levels reduce.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill {
    /// True if it looks for wins by threats.
    pub threats: bool,
    /// The maximum nodes of one search for fours.
    pub fours: u64,
    /// The largest error added to the static evaluation, in its hundredths.
    pub noise: i32,
    /// Source of the errors.
    pub seed: u64,
}

impl Skill {
    pub const FULL: Self = Self { threats: true, fours: u64::MAX, noise: 0, seed: 0 };
}

/// A search with its learnt data. Several threads may search at once and share the transposition table.
#[derive(Debug)]
pub struct RenjuSearch {
    pub(super) tt: TranspositionTable,
    pub(super) skill: Skill,
    pub(super) tuning: Tuning,
    /// State of the main thread.
    pub(super) state: ThreadState,
    pub(super) helpers: Vec<ThreadState>,
}

/// Data that a thread keeps between searches.
#[derive(Clone, Debug)]
pub(super) struct ThreadState {
    pub(super) fours: Fours,
    pub(super) threats: Threats,
    /// Main history: by side and point.
    pub(super) history: [[i32; POINTS]; 2],
    /// Continuation history: by side, last stone and point.
    pub(super) cont_hist: [Vec<[i16; POINTS]>; 2],
    /// Correction history.
    pub(super) correction: Correction<PARTS>,
    pub(super) eval_cache: EvalCache,
    pub(super) evaluation: Evaluation,
    pub(super) stats: SearchStats,
}

/// Statistics of searches.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchStats {
    /// Nodes of searches for fours and threats at the root.
    pub root_nodes: u64,
    /// Nodes of searches for fours in the tree,
    pub fours_nodes: u64,
    /// these searches, and how many of them found a win.
    pub fours_searches: u64,
    pub fours_wins: u64,
    /// Nodes at the end of the depth or behind it.
    pub leaves: u64,
    /// Nodes above them whose moves were tried, those among them that answered a threat, and the moves.
    pub expanded: u64,
    pub answering: u64,
    pub moves: u64,
    /// Nodes that failed high, and those that did so on the first move.
    pub cutoffs: u64,
    pub first_cutoffs: u64,
}

impl std::ops::AddAssign for SearchStats {
    fn add_assign(&mut self, other: Self) {
        self.root_nodes += other.root_nodes;
        self.fours_nodes += other.fours_nodes;
        self.fours_searches += other.fours_searches;
        self.fours_wins += other.fours_wins;
        self.leaves += other.leaves;
        self.expanded += other.expanded;
        self.answering += other.answering;
        self.moves += other.moves;
        self.cutoffs += other.cutoffs;
        self.first_cutoffs += other.first_cutoffs;
    }
}

impl ThreadState {
    /// One whose tables take at most this many bytes.
    fn new(bytes: usize, evaluation: Evaluation) -> Self {
        Self {
            fours: Fours::new(bytes / 4),
            threats: Threats::new(bytes / 4 * 3),
            history: [[0; POINTS]; 2],
            cont_hist: std::array::from_fn(|_| vec![[0; POINTS]; POINTS]),
            correction: Correction::default(),
            eval_cache: EvalCache::default(),
            evaluation,
            stats: SearchStats::default(),
        }
    }

    /// Starts the search of another position: learnt data loses weight.
    pub(super) fn age(&mut self) {
        for count in self.history.as_flattened_mut() {
            *count /= 8;
        }
        for count in self.cont_hist.iter_mut().flatten().flatten() {
            *count /= 2;
        }
    }
}

impl RenjuSearch {
    /// A search on one thread whose tables take at most this many bytes together.
    pub fn new(bytes: usize, skill: Skill) -> Self {
        Self::tuned(bytes, skill, Tuning::default(), Evaluation::Classic, 1)
    }

    /// With other parameters and another static evaluation, on this many threads: half of the bytes are for the
    /// table that they share, the rest is divided among them.
    pub fn tuned(bytes: usize, skill: Skill, tuning: Tuning, evaluation: Evaluation, threads: usize) -> Self {
        let threads = threads.max(1);
        let state = ThreadState::new(bytes / 2 / threads, evaluation);
        let helpers = vec![state.clone(); threads - 1];
        Self { tt: TranspositionTable::new(bytes / 2), skill, tuning, state, helpers }
    }

    /// Returns the statistics of the main thread over all searches.
    pub const fn stats(&self) -> SearchStats {
        self.state.stats
    }
}

pub(super) struct RenjuSearcher<'a> {
    pub(super) tt: &'a TranspositionTable,
    pub(super) skill: Skill,
    pub(super) search: &'a mut ThreadState,
    pub(super) tuning: Tuning,
    pub(super) board: PatternBoard,
    pub(super) meter: Meter,
    /// The side to move at the root, and whether the last move was a PASS.
    pub(super) side: Side,
    pub(super) passed: bool,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) seldepth: i32,
    pub(super) stack: Stack,
}

impl<'a> RenjuSearcher<'a> {
    /// Creates the search of a position.
    pub(super) fn new(
        position: &Renju,
        (tt, skill, tuning): (&'a TranspositionTable, Skill, Tuning),
        search: &'a mut ThreadState,
        meter: Meter,
    ) -> Self {
        Self {
            tt,
            skill,
            search,
            tuning,
            board: PatternBoard::new(position.board()),
            meter,
            side: position.turn(),
            passed: position.passes() == 1,
            root_moves: Vec::new(),
            seldepth: 0,
            stack: Stack::default(),
        }
    }
}

/// The value of a win this many plies from the root.
pub(super) const fn win_in(plies: i32) -> i32 {
    WIN - plies
}

/// Converts a point to a move; anything else is a PASS.
pub(super) fn as_move(cell: u8) -> Move {
    Point::from_index(cell.into()).map_or(Move::Pass, Move::Stone)
}

/// The parts of a position that corrections of the static evaluation are learnt for.
pub(super) const PARTS: usize = 4;

#[derive(Clone, Copy)]
pub(super) enum Last {
    /// A stone; `calm` if the side to move would not have won by fours without it. Then it does not with it either,
    /// because an opposing stone is no help (but see [`RenjuSearcher::fours_win`]).
    Stone {
        cell: u8,
        calm: bool,
    },
    Pass,
    /// No move, to evaluate the position without one; not a PASS, which the other side could answer with a PASS.
    NullMove,
}

impl Last {
    /// The stone, if it was one.
    pub(super) const fn cell(self) -> Option<u8> {
        match self {
            Self::Stone { cell, .. } => Some(cell),
            Self::Pass | Self::NullMove => None,
        }
    }

    pub(super) const fn is_calm(self) -> bool {
        matches!(self, Self::Stone { calm: true, .. })
    }
}

#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) cell: Option<u8>,
    pub(super) value: i32,
}

impl RootMove {
    pub(super) fn as_move(&self) -> Move {
        self.cell.map_or(Move::Pass, as_move)
    }
}

/// A node, as its parts are handed on.
#[derive(Clone, Copy)]
pub(super) struct NodeWindow {
    pub side: Side,
    pub alpha: i32,
    pub beta: i32,
    /// The plies left.
    pub depth: i32,
    pub ply: i32,
    pub last: Last,
    /// Key in the table, and the entry found there.
    pub key: u64,
    pub tt_entry: Option<TableEntry>,
    /// Static evaluation, if it is known already.
    pub static_eval: Option<i32>,
    /// The same after correction.
    pub eval: Option<i32>,
    /// The move that a search for others leaves out.
    pub excluded: Option<u8>,
}

impl NodeWindow {
    /// Returns true if the node is searched with an open window.
    pub(super) const fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The move of the table.
    pub(super) fn tt_move(&self) -> Option<u8> {
        self.tt_entry.and_then(|entry| entry.best_move.checked_sub(1)).map(|cell| cell as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_share_the_same_memory() {
        for threads in [0, 1, 2, 3, 64] {
            let bytes = 64 << 20;
            let search = RenjuSearch::tuned(bytes, Skill::FULL, Tuning::default(), Evaluation::Classic, threads);
            assert_eq!(search.helpers.len(), threads.max(1) - 1);
            let of = |state: &ThreadState| state.fours.max_bytes() + state.threats.max_bytes();
            let all = search.tt.bytes() + of(&search.state) + search.helpers.iter().map(of).sum::<usize>();
            assert!((bytes / 4..=bytes).contains(&all), "{threads} threads: {all}");
        }
    }
}
