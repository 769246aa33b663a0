//! A network as the static evaluation of a search.

use std::sync::Arc;

use agon_game::{Observer, Position, Side};

use super::features::{Features, List, Turnover};
use super::file::NetError;
use super::network::Network;
use super::remembered::Remembered;
use super::simd::{Kernel, Vector};
use crate::Evaluate;
use crate::evaluate::MAX_EVALUATION;
use crate::pages;

/// A network that evaluates the positions of a search.
///
/// There is an accumulator (the hidden layer before its activation) for every ply of the line being searched, computed
/// only when a value is asked for: then by the difference to the nearest ply above that has one, or afresh where more has
/// changed than is there. So a move whose position is never evaluated costs nothing. The last values are remembered by the
/// hash of their position, because a search asks for two of five values again.
#[derive(Debug)]
pub struct Evaluator<P, F: Features<P>> {
    network: Arc<Network>,
    /// The rows of the joined features, as [`Network::rows`]; none if there are no such features.
    joined: Arc<Box<[Vector]>>,
    kernel: Kernel,
    /// The plies of the line, the present one last.
    plies: Vec<Ply<F::Board>>,
    /// Which of them is the present one; those after it are kept for their memory.
    present: usize,
    /// These two are filled anew for every board; kept, because clearing is cheaper than making.
    turnover: [Turnover; 2],
    whole: [List; 2],
    remembered: Remembered,
    features: std::marker::PhantomData<fn(P) -> F>,
}

/// The accumulator of a ply.
#[derive(Clone, Debug)]
struct Ply<B> {
    /// The board that it was computed for, if it was.
    board: Option<B>,
    /// The first side's half, then the second's.
    hidden: Vec<Vector>,
}

impl<P: Position, F: Features<P>> Evaluator<P, F> {
    /// A network in registers of the widest kind here.
    ///
    /// # Errors
    /// [`NetError::Features`] when the network looks at something else than `F`.
    pub fn new(network: Arc<Network>) -> Result<Self, NetError> {
        Self::with_kernel(network, Kernel::widest())
    }

    /// A network in registers of a chosen kind, to compare them.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_kernel(network: Arc<Network>, kernel: Kernel) -> Result<Self, NetError> {
        network.check_features::<P, F>()?;
        let mut evaluator = Self {
            joined: joined::<P, F>(&network, kernel),
            network,
            kernel,
            plies: Vec::new(),
            present: 0,
            turnover: <[Turnover; 2]>::default(),
            whole: <[List; 2]>::default(),
            remembered: Remembered::default(),
            features: std::marker::PhantomData,
        };
        evaluator.plies.push(evaluator.blank());
        Ok(evaluator)
    }

    /// The network.
    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Forgets the values it has given, to measure what computing them costs.
    pub fn forget(&mut self) {
        self.remembered = Remembered::default();
    }

    fn blank(&self) -> Ply<F::Board> {
        Ply { board: None, hidden: vec![Vector::ZERO; 2 * self.network.lines()] }
    }

    /// Computes the hidden layer of the present ply for this board.
    fn refresh(&mut self, board: F::Board) {
        let (network, joined, kernel) = (&*self.network, &**self.joined, self.kernel);
        let add = |half: &mut [Vector], base: &[Vector], gained: &[u16], lost: &[u16]| {
            if F::JOINED > 0 {
                kernel.add(half, base, joined, gained, lost);
            } else {
                network.add(kernel, half, base, gained, lost);
            }
        };
        let (above, below) = self.plies.split_at_mut(self.present);
        let ply = &mut below[0];
        let lines = network.lines();
        let halves = ply.hidden.chunks_exact_mut(lines);
        if let Some(base) = above.iter().rev().find(|ply| ply.board.is_some())
            && let Some(old) = base.board
        {
            let views = &mut self.turnover;
            for view in &mut *views {
                view.gained.clear();
                view.lost.clear();
            }
            F::changed(old, board, views);
            let changes = views[0].gained.as_slice().len() + views[0].lost.as_slice().len();
            if changes < F::SUMMED {
                for ((half, base), view) in halves.zip(base.hidden.chunks_exact(lines)).zip(&*views) {
                    add(half, base, view.gained.as_slice(), view.lost.as_slice());
                }
                ply.board = Some(board);
                return;
            }
        }
        self.whole.iter_mut().for_each(List::clear);
        F::summed(board, &mut self.whole);
        for (half, view) in halves.zip(&self.whole) {
            add(half, &network.bias, view.as_slice(), &[]);
        }
        ply.board = Some(board);
    }

    /// The value of a board with this side to move.
    #[inline]
    fn value_of(&mut self, board: F::Board, turn: Side) -> i32 {
        if self.plies[self.present].board.is_none() {
            self.refresh(board);
        }
        let hidden = &self.plies[self.present].hidden;
        self.network.output(self.kernel, hidden, turn.index(), F::stage(board)).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// The rows of the joined features: of each the sum of the rows of its parts.
fn joined<P, F: Features<P>>(network: &Network, kernel: Kernel) -> Arc<Box<[Vector]>> {
    let lines = network.lines();
    let (none, mut parts) = (vec![Vector::ZERO; lines], List::default());
    let mut rows = pages::collect((0..F::JOINED * lines).map(|_| Vector::ZERO));
    for (feature, row) in rows.chunks_exact_mut(lines).enumerate() {
        parts.clear();
        F::parts(feature, &mut parts);
        network.add(kernel, row, &none, parts.as_slice(), &[]);
    }
    Arc::new(rows)
}

impl<P, F: Features<P>> Clone for Evaluator<P, F> {
    fn clone(&self) -> Self {
        Self {
            network: Arc::clone(&self.network),
            joined: Arc::clone(&self.joined),
            kernel: self.kernel,
            plies: self.plies.clone(),
            present: self.present,
            turnover: self.turnover.clone(),
            whole: self.whole.clone(),
            remembered: self.remembered.clone(),
            features: std::marker::PhantomData,
        }
    }
}

/// Ignores changes: they follow from the boards when a value is asked for.
impl<P, F: Features<P>> Observer for Evaluator<P, F> {
    #[inline(always)]
    fn change(&mut self, _: usize, _: Option<Side>, _: Option<Side>) {}
}

impl<P: Position, F: Features<P>> Evaluate<P> for Evaluator<P, F> {
    fn reset(&mut self, _: &P) {
        self.present = 0;
        self.plies[0].board = None;
    }

    #[inline]
    fn push(&mut self) {
        self.present += 1;
        match self.plies.get_mut(self.present) {
            Some(ply) => ply.board = None,
            None => self.plies.push(self.blank()),
        }
    }

    #[inline]
    fn pop(&mut self) {
        self.present = self.present.saturating_sub(1);
    }

    #[inline]
    fn prefetch(&self, position: &P) {
        self.remembered.prefetch(position.hash());
    }

    #[inline]
    fn value(&mut self, position: &P) -> i32 {
        let hash = position.hash();
        if let Some(value) = self.remembered.value(hash) {
            return value;
        }
        let value = self.value_of(F::board(position), position.turn());
        self.remembered.store(hash, value);
        value
    }
}
