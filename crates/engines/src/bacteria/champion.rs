//! The champion: principal variation search with a network.

use agon_rules::bacteria::Bacteria;
use agon_search::Evaluate;

use super::classic::Classic;
use super::game::BacteriaGame;
use super::network::{self, NetworkEvaluation};
use super::search::{PvSearch, Tuning};
use crate::timed::TimedEngine;

/// A principal variation search with the given evaluation, by default the built-in network.
pub type Champion<E = NetworkEvaluation> = TimedEngine<PvSearch<BacteriaGame, E>>;

impl Default for Champion {
    fn default() -> Self {
        Self::new(network::built_in(), Tuning::default())
    }
}

impl Default for Champion<Classic> {
    fn default() -> Self {
        Self::new(Classic::default(), Tuning::default())
    }
}

impl<E: Evaluate<Bacteria>> Champion<E> {
    /// A champion with this evaluation and these parameters of the search.
    pub fn new(evaluation: E, tuning: Tuning) -> Self {
        Self::with_search(PvSearch::new(evaluation, tuning, 0))
    }
}
