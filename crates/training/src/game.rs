//! What training needs to know of a game.

use std::sync::Arc;

use agon_catalog::Game;
use agon_game::Position;
use agon_game::seed::Stream;
use agon_search::Engine;
use agon_search::nnue::{Features, Network};
use agon_search::parameters::Tunable;

use crate::PositionRecord;

/// A game whose champion searches with a network: what it learns from and how it is set up.
pub trait TrainedGame: Position + Send + Sync {
    const GAME: Game;

    type Record: PositionRecord<Position = Self>;

    /// What the champion's network sees.
    type Features: Features<Self, Board = <Self::Record as PositionRecord>::Board>;

    type Tuning: Tunable + Copy + std::fmt::Debug + Send + Sync;

    fn champion() -> Arc<Network>;

    /// The champion with this network, or with the evaluation written by hand.
    ///
    /// # Panics
    /// When the network is of other features than [`Self::Features`].
    fn engine(network: Option<&Arc<Network>>, tuning: Self::Tuning) -> Box<dyn Engine<Self>>;

    /// Plies of an opening when parameters are tuned.
    const TUNING_PLIES: u32;

    /// A random position `plies` plies from the start, its game not over.
    fn opening(stream: &mut Stream, plies: u32) -> Self;
}
