//! Training networks: `agon lab datagen`, `agon lab train`, `agon lab loss`, `agon lab duel`, and `agon lab learn`,
//! which combines them.

mod datagen;
mod duel;
mod learn;
mod loss;
mod setting;
mod train;

use agon_search::Engine;
use agon_training::TrainedGame;
use agon_training::contender::{NetworkError, read_network};

pub(crate) use datagen::{DatagenCommand, run as datagen};
pub(crate) use duel::{DuelArgs, run as duel};
pub(crate) use learn::{LearnArgs, run as learn};
pub(crate) use loss::{LossArgs, run as loss};
pub(crate) use setting::Setting;
pub(crate) use train::{
    TRAIN_BACTERIA_HELP, TRAIN_RENJU_HELP, TrainArgs, bacteria as train_bacteria, renju as train_renju,
};

/// The champion's search with the network of a file, its choices drawn from the seed.
pub(crate) fn champion_with<G: TrainedGame>(net: &str, seed: u64) -> Result<Box<dyn Engine<G>>, NetworkError> {
    let mut engine = G::engine(Some(&read_network::<G>(net)?), G::Tuning::default());
    engine.set_seed(seed);
    Ok(engine)
}
