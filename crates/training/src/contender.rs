//! The players: a champion with a network or the hand-made evaluation.

use std::sync::Arc;
use std::{fs, io};

use agon_search::Engine;
use agon_search::nnue::{NetError, Network};

use crate::TrainedGame;

/// Digits of a network's hash that distinguish networks.
const DIGITS: usize = 16;

#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error("`{text}` is neither {names} nor a net file")]
    File { text: String, names: &'static str, source: io::Error },
    #[error("{path}")]
    Net { path: String, source: NetError },
}

/// A network by its name, `champion`, or the path of its file.
///
/// # Errors
/// [`NetworkError`] when it is neither, or the file holds no network of the game's features.
pub fn read_network<G: TrainedGame>(text: &str) -> Result<Arc<Network>, NetworkError> {
    read::<G>(text, "`champion`")
}

fn read<G: TrainedGame>(text: &str, names: &'static str) -> Result<Arc<Network>, NetworkError> {
    if text == "champion" {
        return Ok(G::champion());
    }
    let bytes = fs::read(text).map_err(|source| NetworkError::File { text: text.to_owned(), names, source })?;
    let network = Network::read(&bytes).and_then(|network| {
        network.check_features::<G, G::Features>()?;
        Ok(Arc::new(network))
    });
    network.map_err(|source| NetworkError::Net { path: text.to_owned(), source })
}

/// A champion with some evaluation and some parameters of its search.
#[derive(Clone, Debug)]
pub struct Contender<G: TrainedGame> {
    /// `classic`, or the first digits of the network's hash.
    pub name: String,
    network: Option<Arc<Network>>,
    tuning: G::Tuning,
}

impl<G: TrainedGame> Contender<G> {
    /// Reads `classic` (the evaluation written by hand), `champion` (the network that is built in), or the path of a
    /// net file.
    ///
    /// # Errors
    /// [`NetworkError`] when it is none of these.
    pub fn read(text: &str, tuning: G::Tuning) -> Result<Self, NetworkError> {
        if text == "classic" {
            return Ok(Self { name: text.to_owned(), network: None, tuning });
        }
        let network = read::<G>(text, "`champion`, `classic`")?;
        Ok(Self { name: network.hash()[..DIGITS].to_owned(), network: Some(network), tuning })
    }

    pub const fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// An engine that plays so, its tables empty.
    pub fn engine(&self) -> Box<dyn Engine<G>> {
        G::engine(self.network.as_ref(), self.tuning)
    }
}
