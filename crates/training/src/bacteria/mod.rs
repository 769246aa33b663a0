//! Training for Bacteria War.

pub mod record;
pub mod selfplay;

use std::sync::Arc;

use agon_catalog::Game;
use agon_engines::bacteria::evaluation::{NetworkEvaluation, built_in};
use agon_engines::bacteria::search::Tuning;
use agon_engines::bacteria::{Champion, Classic, Windows, opening};
use agon_game::seed::Stream;
use agon_rules::bacteria::Bacteria;
use agon_search::Engine;
use agon_search::nnue::Network;

use crate::TrainedGame;

pub use record::BacteriaRecord;
pub use selfplay::BacteriaGames;

impl TrainedGame for Bacteria {
    const GAME: Game = Game::BACTERIA;
    type Record = BacteriaRecord;
    type Features = Windows;
    type Tuning = Tuning;
    const TUNING_PLIES: u32 = opening::PLIES;

    fn champion() -> Arc<Network> {
        Arc::clone(built_in().network())
    }

    fn engine(network: Option<&Arc<Network>>, tuning: Tuning) -> Box<dyn Engine<Self>> {
        match network {
            None => Box::new(Champion::new(Classic::default(), tuning)),
            Some(network) => {
                let evaluation = NetworkEvaluation::new(Arc::clone(network)).expect("a network of windows");
                Box::new(Champion::new(evaluation, tuning))
            }
        }
    }

    fn opening(stream: &mut Stream, plies: u32) -> Self {
        opening::position(stream, plies, [1, 1])
    }
}
