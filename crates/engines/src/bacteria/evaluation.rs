//! The evaluations available to the champion.

use std::sync::Arc;

use agon_rules::bacteria::Bacteria;
use agon_search::Engine;
use agon_search::nnue::{Evaluator, NetError, Network};

pub use super::network::{NetworkEvaluation, built_in};
use super::search::Tuning;
use super::{Champion, Classic};

#[derive(Clone, Debug)]
pub enum Evaluation {
    Classic,
    Network(Box<NetworkEvaluation>),
}

impl Evaluation {
    /// The evaluation by the network of a file.
    ///
    /// # Errors
    /// [`NetError`] when it is not a network for Bacteria War.
    pub fn read(file: &[u8]) -> Result<Self, NetError> {
        Ok(Self::Network(Box::new(Evaluator::new(Arc::new(Network::read(file)?))?)))
    }

    /// An engine that searches with it and these parameters.
    pub fn tuned(&self, tuning: Tuning) -> Box<dyn Engine<Bacteria>> {
        match self {
            Self::Classic => Box::new(Champion::new(Classic::default(), tuning)),
            Self::Network(evaluator) => Box::new(Champion::new(NetworkEvaluation::clone(evaluator), tuning)),
        }
    }
}
