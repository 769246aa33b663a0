//! A network as the static evaluation of a search.

use std::sync::Arc;

use agon_game::{Observer, Position, Side};

use super::features::{Features, List, Turnover};
use super::file::NetError;
use super::network::Network;
use super::simd::{Kernel, Vector, prefetch};
use crate::Evaluate;
use crate::evaluate::MAX_EVALUATION;

/// A network that evaluates the positions of a search.
///
/// There is an accumulator (the hidden layer before its activation) for every ply of the line being searched, computed
/// only when a value is asked for: then by the difference to the nearest ply above that has one, or afresh where more has
/// changed than is there. So a move whose position is never evaluated costs nothing. The last values are remembered by the
/// hash of their position, because a search asks for two of five values again.
#[derive(Debug)]
pub struct Evaluator<P, F: Features<P>> {
    network: Arc<Network>,
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

/// Values by the hash of their position, each in the slot of the hash's low bits until another takes it.
#[derive(Clone, Debug)]
struct Remembered {
    /// The hash with the value in place of the low bits, which the slot tells.
    slots: Box<[u64; Self::SLOTS]>,
}

impl Remembered {
    /// As many as the second cache of a processor holds beside the weights. A hash loses 16 bits to its value, which is
    /// why there cannot be fewer.
    const SLOTS: usize = 1 << 16;

    /// Nothing: each slot has the hash of another.
    fn new() -> Self {
        let slots: Vec<u64> = (0..Self::SLOTS as u64).map(|slot| !slot << 16).collect();
        Self { slots: slots.try_into().expect("as many slots as there are") }
    }

    /// The value of the position with this hash, if it is there.
    #[inline]
    fn value(&self, hash: u64) -> Option<i32> {
        let slot = self.slots[hash as usize % Self::SLOTS];
        (slot >> 16 == hash >> 16).then_some(i32::from(slot as i16))
    }

    /// Asks for the slot of a hash, for [`Self::value`] soon.
    #[inline]
    fn prefetch(&self, hash: u64) {
        prefetch(&self.slots[hash as usize % Self::SLOTS]);
    }

    /// Stores a value within ±[`MAX_EVALUATION`].
    #[inline]
    fn store(&mut self, hash: u64, value: i32) {
        self.slots[hash as usize % Self::SLOTS] = hash & !0xffff | u64::from(value as i16 as u16);
    }
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
            network,
            kernel,
            plies: Vec::new(),
            present: 0,
            turnover: <[Turnover; 2]>::default(),
            whole: <[List; 2]>::default(),
            remembered: Remembered::new(),
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
        self.remembered = Remembered::new();
    }

    fn blank(&self) -> Ply<F::Board> {
        Ply { board: None, hidden: vec![Vector::ZERO; 2 * self.network.lines()] }
    }

    /// Computes the hidden layer of the present ply for this board.
    fn refresh(&mut self, board: F::Board) {
        let (network, kernel) = (&*self.network, self.kernel);
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
            if changes < F::ACTIVE {
                for ((half, base), view) in halves.zip(base.hidden.chunks_exact(lines)).zip(&*views) {
                    network.add(kernel, half, base, view.gained.as_slice(), view.lost.as_slice());
                }
                ply.board = Some(board);
                return;
            }
        }
        self.whole.iter_mut().for_each(List::clear);
        F::present(board, &mut self.whole);
        for (half, view) in halves.zip(&self.whole) {
            network.add(kernel, half, &network.bias, view.as_slice(), &[]);
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

impl<P, F: Features<P>> Clone for Evaluator<P, F> {
    fn clone(&self) -> Self {
        Self {
            network: Arc::clone(&self.network),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_remembered_until_another_takes_their_slot() {
        let mut remembered = Remembered::new();
        let (hash, other) = (0x1234_5678_9abc_def0, 0x1234_5678_9abd_def0);
        assert!((0..Remembered::SLOTS as u64).all(|hash| remembered.value(hash).is_none()));
        for value in [0, -1, MAX_EVALUATION, -MAX_EVALUATION] {
            remembered.store(hash, value);
            assert_eq!((remembered.value(hash), remembered.value(other)), (Some(value), None));
        }
        remembered.store(other, 7);
        assert_eq!((remembered.value(hash), remembered.value(other)), (None, Some(7)));
    }
}
