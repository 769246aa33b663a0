//! Who plays, as the command line names it.

use std::fs;
use std::sync::Arc;

use agon_engines::bacteria::{Evaluation, evaluation};
use agon_engines::renju;
use agon_rules::catalog::Game;
use agon_search::nnue::Network;
use anyhow::Context;

/// An evaluation and its name.
pub struct BacteriaPlayer {
    /// What the engine believes.
    pub evaluation: Evaluation,
    /// `classic`, or what the network is called where it must be exact: the beginning of its hash.
    pub name: String,
}

/// Evaluations that need no file.
const NAMES: &str = "`champion`, `classic`";

/// Digits of a hash that tell networks apart.
const DIGITS: usize = 16;

impl BacteriaPlayer {
    /// Reads `classic`, `champion` or the path of a net file.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let evaluation = match text {
            "classic" => Evaluation::Classic,
            "champion" => Evaluation::Network(Box::new(evaluation::built_in())),
            path => Evaluation::read(&read(path, NAMES)?).with_context(|| path.to_owned())?,
        };
        let name = match &evaluation {
            Evaluation::Classic => "classic".to_owned(),
            Evaluation::Network(evaluator) => name(evaluator.network()),
        };
        Ok(Self { evaluation, name })
    }
}

/// A player of renju: an evaluation and its name.
pub struct RenjuPlayer {
    /// What the engine believes.
    pub evaluation: renju::Evaluation,
    /// `classic`, or the beginning of a network's hash.
    pub name: String,
}

impl RenjuPlayer {
    /// Reads `classic`, `champion` or the path of a net file.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let evaluation = match text {
            "classic" => renju::Evaluation::Classic,
            "champion" => renju::Evaluation::built_in(),
            path => renju::Evaluation::read(&read(path, NAMES)?).with_context(|| path.to_owned())?,
        };
        let name = match &evaluation {
            renju::Evaluation::Classic => "classic".to_owned(),
            renju::Evaluation::Network(network) => name(network.network()),
        };
        Ok(Self { evaluation, name })
    }
}

/// Reads `champion` or the path of a net file, as a network to learn further.
pub fn network(game: Game, text: &str) -> anyhow::Result<Arc<Network>> {
    match (text, game) {
        ("champion", Game::Renju) => Ok(Arc::clone(renju::network::built_in().network())),
        ("champion", _) => Ok(Arc::clone(evaluation::built_in().network())),
        (path, _) => Network::read(&read(path, "`champion`")?).map(Arc::new).with_context(|| path.to_owned()),
    }
}

/// The bytes of a net file; `names` are those that would have been understood, too.
fn read(path: &str, names: &str) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("`{path}` is neither {names} nor a net file"))
}

/// What a network is called where it must be exact.
fn name(network: &Network) -> String {
    network.hash()[..DIGITS].to_owned()
}
