//! The interface between training and a game.

use std::sync::Arc;

use agon_catalog::Game;
use agon_game::Position;
use agon_game::seed::Stream;
use agon_search::Engine;
use agon_search::nnue::{Features, Network};
use agon_search::parameters::Tunable;

use crate::PositionRecord;

/// A game whose champion searches with a network: its features and settings.
pub trait TrainedGame: Position + Send + Sync {
    const GAME: Game;

    type Record: PositionRecord<Position = Self>;

    /// Features of the champion's network.
    type Features: Features<Self, Board = <Self::Record as PositionRecord>::Board>;

    type Tuning: Tunable + Copy + std::fmt::Debug + Send + Sync;

    fn champion() -> Arc<Network>;

    /// The champion with this network, or with the evaluation written by hand.
    ///
    /// # Panics
    /// If the network's features are not [`Self::Features`].
    fn engine(network: Option<&Arc<Network>>, tuning: Self::Tuning) -> Box<dyn Engine<Self>>;

    /// Plies of an opening when parameters are tuned.
    const TUNING_PLIES: u32;

    /// A random position `plies` plies from the start, its game not over.
    fn opening(stream: &mut Stream, plies: u32) -> Self;
}
