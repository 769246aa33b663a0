//! The champion's network.

use std::sync::{Arc, LazyLock};

use agon_rules::bacteria::Bacteria;
use agon_search::nnue::{Evaluator, Network};

use super::Windows;
use crate::data::{DataFile, data_file};

pub type NetworkEvaluation = Evaluator<Bacteria, Windows>;

/// The built-in network. `nets/bacteria/champion.txt` says how it was trained.
pub(crate) static CHAMPION: DataFile = data_file!("nets/bacteria/champion.net");

/// Returns the built-in network. It is read once; all users share the weights.
///
/// # Panics
/// Never in a program whose tests have passed: the file is part of the program.
pub fn built_in() -> NetworkEvaluation {
    static EVALUATION: LazyLock<NetworkEvaluation> = LazyLock::new(|| {
        let network = Network::read(CHAMPION.bytes()).expect("the network that is built in");
        Evaluator::new(Arc::new(network)).expect("a network of windows")
    });
    EVALUATION.clone()
}
