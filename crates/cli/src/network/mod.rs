//! How networks are made: `agon datagen`, `agon train`, `agon duel`, and `agon learn`, which does all of it.

mod datagen;
mod duel;
mod learn;
mod setting;
mod train;

pub use datagen::{DatagenCommand, run as datagen};
pub use duel::{DuelArgs, run as duel};
pub use learn::{LearnArgs, run as learn};
pub use setting::Setting;
pub use train::{TRAIN_BACTERIA_HELP, TRAIN_RENJU_HELP, TrainArgs, bacteria as train_bacteria, renju as train_renju};
