//! A network as the static evaluation of a search.

use std::sync::Arc;

use agon_game::{Observer, Position, Side};

use super::eval_cache::EvalCache;
use super::features::{Features, Joined, List};
use super::file::NetError;
use super::network::Network;
use super::simd::{Kernel, Vector};
use crate::Evaluate;
use crate::evaluate::MAX_EVALUATION;
use crate::pages;

/// Network that evaluates each position of a search from scratch: a position has so few joined features that adding up
/// all their rows costs less than tracking the changes of each move. The last values are cached by position hash,
/// because a search asks for two in five of them again.
#[derive(Debug)]
pub struct Evaluator<P, F> {
    network: Arc<Network>,
    /// The row of each joined feature, as long as a part of the hidden layer.
    rows: Arc<Box<[Vector]>>,
    kernel: Kernel,
    /// Hidden layer, first side's half before the second's, the part shared by all sections of a half, and the features
    /// of both views: refilled for every board, and kept because clearing is cheaper than allocating.
    hidden: Vec<Vector>,
    base: Vec<Vector>,
    views: [Joined; 2],
    eval_cache: EvalCache,
    features: std::marker::PhantomData<fn(P) -> F>,
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
    /// See [`Self::new`].
    pub fn with_kernel(network: Arc<Network>, kernel: Kernel) -> Result<Self, NetError> {
        const { assert!(F::JOINED > 0, "a search adds up joined features") };
        network.check_features::<P, F>()?;
        Ok(Self {
            rows: joined_rows::<P, F>(&network, kernel),
            hidden: vec![Vector::ZERO; 2 * network.lines()],
            base: network.bias.clone(),
            views: <[Joined; 2]>::default(),
            network,
            kernel,
            eval_cache: EvalCache::default(),
            features: std::marker::PhantomData,
        })
    }

    pub const fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Clears the cache, to measure the cost of computing values.
    pub fn clear_cache(&mut self) {
        self.eval_cache = EvalCache::default();
    }

    /// The value of a board with this side to move.
    #[inline]
    fn value_of(&mut self, board: F::Board, turn: Side) -> i32 {
        let (network, rows, kernel) = (&*self.network, &**self.rows, self.kernel);
        self.views.iter_mut().for_each(Joined::clear);
        F::joined(board, &mut self.views);
        for (half, view) in self.hidden.chunks_exact_mut(network.lines()).zip(&mut self.views) {
            if network.shape().images > 1 {
                kernel.add(&mut self.base, &network.bias, rows, view.fixed.as_slice(), &[]);
                kernel.add_images(half, &self.base, rows, &view.turning);
            } else {
                view.turning.iter().for_each(|images| view.fixed.push(images[0] as usize));
                kernel.add(half, &network.bias, rows, view.fixed.as_slice(), &[]);
            }
        }
        let value = network.output(kernel, &self.hidden, turn.index(), F::stage(board));
        value.clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }
}

/// The rows of the joined features: of each the sum of the rows of its parts.
fn joined_rows<P, F: Features<P>>(network: &Network, kernel: Kernel) -> Arc<Box<[Vector]>> {
    let (none, mut parts) = (vec![Vector::ZERO; network.bias.len()], List::default());
    let mut rows = pages::collect((0..F::JOINED * none.len()).map(|_| Vector::ZERO));
    for (feature, row) in rows.chunks_exact_mut(none.len()).enumerate() {
        parts.clear();
        F::parts(feature, &mut parts);
        network.add(kernel, row, &none, parts.as_slice(), &[]);
    }
    Arc::new(rows)
}

impl<P, F> Clone for Evaluator<P, F> {
    fn clone(&self) -> Self {
        Self {
            network: Arc::clone(&self.network),
            rows: Arc::clone(&self.rows),
            kernel: self.kernel,
            hidden: self.hidden.clone(),
            base: self.base.clone(),
            views: self.views.clone(),
            eval_cache: self.eval_cache.clone(),
            features: std::marker::PhantomData,
        }
    }
}

/// Ignores changes: a value depends only on the position.
impl<P, F: Features<P>> Observer for Evaluator<P, F> {
    #[inline(always)]
    fn change(&mut self, _: usize, _: Option<Side>, _: Option<Side>) {}
}

impl<P: Position, F: Features<P>> Evaluate<P> for Evaluator<P, F> {
    fn reset(&mut self, _: &P) {}

    #[inline(always)]
    fn push(&mut self) {}

    #[inline(always)]
    fn pop(&mut self) {}

    #[inline]
    fn prefetch(&self, position: &P) {
        self.eval_cache.prefetch(position.hash());
    }

    #[inline]
    fn value(&mut self, position: &P) -> i32 {
        let hash = position.hash();
        if let Some(value) = self.eval_cache.value(hash) {
            return value;
        }
        let value = self.value_of(F::board(position), position.turn());
        self.eval_cache.store(hash, value);
        value
    }
}
