//! The evaluations that the champion can be given.

use std::sync::{Arc, OnceLock};

use agon_rules::bacteria::Bacteria;
use agon_search::Engine;
use agon_search::nnue::{Evaluator, NetError, Network};
use agon_search::pvs::Tuning;

use super::{Champion, Classic, Windows};

/// A network in a search of Bacteria War.
pub type NetworkEvaluation = Evaluator<Bacteria, Windows>;

/// The network that is built in. `nets/bacteria/champion.txt` says how it was made.
static CHAMPION: &[u8] = include_bytes!("../../../../nets/bacteria/champion.net");

/// The network that is built in. It is read once; all that value by it share the weights.
///
/// # Panics
/// Never in a program whose tests have passed: the file is part of it.
pub fn built_in() -> NetworkEvaluation {
    static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
    let network = NETWORK.get_or_init(|| Arc::new(Network::read(CHAMPION).expect("the network that is built in")));
    Evaluator::new(Arc::clone(network)).expect("a network of windows")
}

/// The static evaluation of the champion.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// Rules of thumb.
    Classic,
    /// A network.
    Network(Box<NetworkEvaluation>),
}

impl Evaluation {
    /// The evaluation by the network of a file.
    ///
    /// # Errors
    /// [`NetError`] when it is none of Bacteria War's.
    pub fn read(file: &[u8]) -> Result<Self, NetError> {
        Ok(Self::Network(Box::new(Evaluator::new(Arc::new(Network::read(file)?))?)))
    }

    /// An engine that searches with it.
    pub fn analyst(&self) -> Box<dyn Engine<Bacteria>> {
        self.tuned(Tuning::default())
    }

    /// The same with other parameters of the search.
    pub fn tuned(&self, tuning: Tuning) -> Box<dyn Engine<Bacteria>> {
        match self {
            Self::Classic => Box::new(Champion::new(Classic::default(), tuning)),
            Self::Network(evaluator) => Box::new(Champion::new(NetworkEvaluation::clone(evaluator), tuning)),
        }
    }
}
