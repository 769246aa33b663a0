//! Training for renju.

pub mod balanced;
pub mod opening;
pub mod record;
pub mod selfplay;

use std::sync::Arc;

use agon_catalog::Game;
use agon_engines::renju::{Champion, Evaluation, NetworkEvaluation, Pairs, Tuning, network};
use agon_game::seed::Stream;
use agon_rules::renju::Renju;
use agon_search::Engine;
use agon_search::nnue::Network;

use crate::TrainedGame;

pub use balanced::{BalancedOpening, BalancedOpenings};
pub use record::RenjuRecord;
pub use selfplay::{Openings, RenjuGames};

impl TrainedGame for Renju {
    const GAME: Game = Game::RENJU;
    type Record = RenjuRecord;
    type Features = Pairs;
    type Tuning = Tuning;
    const TUNING_PLIES: u32 = 6;

    fn champion() -> Arc<Network> {
        Arc::clone(network::built_in().network())
    }

    fn engine(network: Option<&Arc<Network>>, tuning: Tuning) -> Box<dyn Engine<Self>> {
        let evaluation = network.map_or(Evaluation::Classic, |network| {
            let evaluation = NetworkEvaluation::new(Arc::clone(network)).expect("a network of pairs of kinds");
            Evaluation::Network(Box::new(evaluation))
        });
        Box::new(Champion::new(evaluation, tuning))
    }

    fn opening(stream: &mut Stream, stones: u32) -> Self {
        opening::fair(stream, stones)
    }
}
