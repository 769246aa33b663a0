//! A network as the static evaluation of renju's search.
//!
//! The search places and takes back far more stones than it requests values, most of them in searches for fours. So
//! nothing is kept per ply. The hidden layer belongs to the last evaluated position, wherever in the tree that was;
//! when a value is requested, it is updated for the points whose kind has changed since. The board knows which these
//! may be, if it was the one evaluated last.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use agon_game::Side;
use agon_rules::renju::{POINTS, Renju};
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::nnue::simd::{Kernel, Vector};
use agon_search::nnue::{List, NetError, Network, PointRows};

use super::PatternBoard;
use super::evaluation::worth;
use super::kinds::{GONE, PAIRS, Pairs, matters, pair, point_rows};
use crate::data::{DataFile, data_file};

/// The built-in network. `nets/renju/champion.txt` says how it was trained.
pub(crate) static CHAMPION: DataFile = data_file!("nets/renju/champion.net");

/// The built-in network. It is read once; all evaluators share its weights.
///
/// # Panics
/// Never in a program whose tests have passed: the file is part of the program.
pub fn built_in() -> NetworkEvaluation {
    static NETWORK: OnceLock<NetworkEvaluation> = OnceLock::new();
    let read = || {
        let network = Network::read(CHAMPION.bytes()).expect("the network that is built in");
        NetworkEvaluation::new(Arc::new(network)).expect("a network of pairs of kinds")
    };
    NETWORK.get_or_init(read).clone()
}

/// A network that evaluates the positions of a search.
#[derive(Clone, Debug)]
pub struct NetworkEvaluation {
    network: Arc<Network>,
    /// For each pair of kinds the rows of both views, one after the other, because a change affects both.
    rows: Arc<[Vector]>,
    kernel: Kernel,
    /// The pairs of the position that was valued last, and its hidden layer.
    pairs: [u16; POINTS],
    hidden: Vec<Vector>,
    /// Buffers for the next hidden layer and for changes, kept because clearing is cheaper than allocating.
    next: Vec<Vector>,
    gained: List,
    lost: List,
    points: Points,
    /// The number of the last value.
    last: ValueNumber,
}

/// A unique number of a value: each evaluation, including copies, counts in a range of its own.
#[derive(Debug)]
struct ValueNumber(u64);

impl ValueNumber {
    /// The first of a new range.
    fn new() -> Self {
        static RANGES: AtomicU64 = AtomicU64::new(1);
        Self(RANGES.fetch_add(1, Ordering::Relaxed) << 40)
    }
}

impl Clone for ValueNumber {
    fn clone(&self) -> Self {
        Self::new()
    }
}

/// Points of the last evaluated position, for a network that sees them.
#[derive(Clone, Debug)]
struct Points {
    keys: [[u16; 4]; POINTS],
    /// Contribution of each point, and their sum.
    kept: [Vector; POINTS],
    pool: Vector,
    /// Room for the points that have changed.
    changes: Vec<(u8, Option<PointRows>)>,
}

impl NetworkEvaluation {
    /// A network in registers of the widest kind here.
    ///
    /// # Errors
    /// [`NetError::Features`] when the network looks at something else than [`Pairs`].
    pub fn new(network: Arc<Network>) -> Result<Self, NetError> {
        Self::with_kernel(network, Kernel::widest())
    }

    /// A network in registers of a chosen kind, to compare them.
    ///
    /// # Errors
    /// See [`Self::new`].
    pub fn with_kernel(network: Arc<Network>, kernel: Kernel) -> Result<Self, NetError> {
        network.check_features::<Renju, Pairs>()?;
        let bias = network.bias();
        let (first, second) = network.rows().split_at(PAIRS * bias.len());
        let rows = first.chunks_exact(bias.len()).zip(second.chunks_exact(bias.len()));
        let hidden = [bias, bias].concat();
        Ok(Self {
            rows: rows.flat_map(|(first, second)| [first, second]).flatten().copied().collect(),
            kernel,
            pairs: [GONE; POINTS],
            next: hidden.clone(),
            hidden,
            gained: List::default(),
            lost: List::default(),
            points: Points {
                keys: [[u16::MAX; 4]; POINTS],
                kept: [Vector::ZERO; POINTS],
                pool: Vector::ZERO,
                changes: Vec::with_capacity(POINTS),
            },
            last: ValueNumber::new(),
            network,
        })
    }

    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The static evaluation for the side to move, in hundredths; [`Network::scale`] of them mean odds of
    /// e : 1.
    pub fn value(&mut self, board: &mut PatternBoard, turn: Side) -> i32 {
        let ValueNumber(last) = self.last;
        self.last.0 += 1;
        let sees_points = self.network.sees_points();
        self.gained.clear();
        self.lost.clear();
        self.points.changes.clear();
        for cell in board.changed_since(last, self.last.0).iter() {
            let (old, old_keys) = (&mut self.pairs[usize::from(cell)], &mut self.points.keys[usize::from(cell)]);
            let (new, keys) = (pair(board, cell), board.keys(cell));
            if sees_points && (new != *old || keys != *old_keys) {
                self.points.changes.push((cell, point_rows(new, board.line_codes(cell))));
                *old_keys = keys;
            }
            if new != *old {
                self.lost.push_if(matters(*old), (*old).into());
                self.gained.push_if(matters(new), new.into());
                *old = new;
            }
        }
        let (gained, lost) = (self.gained.as_slice(), self.lost.as_slice());
        self.kernel.add(&mut self.next, &self.hidden, &self.rows, gained, lost);
        std::mem::swap(&mut self.hidden, &mut self.next);
        if sees_points {
            let Points { kept, pool, changes, .. } = &mut self.points;
            self.network.pool(self.kernel, pool, kept, changes);
            self.network.add_pool(self.kernel, &mut self.next, &self.hidden, pool, turn.index());
        }
        let hidden = if sees_points { &self.next } else { &self.hidden };
        // The views are never swapped: each side to move has its own output.
        self.network.output(self.kernel, hidden, 0, turn.index()).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// The static evaluation of the champion.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// A weight for every kind of point: [`super::evaluation`].
    Classic,
    Network(Box<NetworkEvaluation>),
}

impl Evaluation {
    /// The evaluation by the network that is built in.
    pub fn built_in() -> Self {
        Self::Network(Box::new(built_in()))
    }

    /// The evaluation by the network of a file.
    ///
    /// # Errors
    /// [`NetError`] when it is not a network for renju.
    pub fn read(file: &[u8]) -> Result<Self, NetError> {
        Ok(Self::Network(Box::new(NetworkEvaluation::new(Arc::new(Network::read(file)?))?)))
    }

    /// The static evaluation for the side to move, in hundredths. Networks are trained on renju; the rows that they see
    /// mean the same in gomoku, where the built-in one won 46 of 60 games of standard and 47.5 of 60 games of freestyle
    /// against the hand-made evaluation, at 3 000 nodes a move.
    #[inline]
    pub fn value(&mut self, board: &mut PatternBoard, turn: Side) -> i32 {
        match self {
            Self::Classic => worth(board, turn),
            Self::Network(network) => network.value(board, turn),
        }
    }
}
