//! How networks are made: `agon datagen`, `agon train` and `agon duel`.

mod args;
mod datagen;
mod duel;
mod player;
mod setting;
mod train;

pub use args::{DatagenCommand, DuelArgs, TRAIN_BACTERIA_HELP, TRAIN_RENJU_HELP, TrainArgs};
pub use datagen::run as datagen;
pub use duel::run as duel;
pub use setting::Setting;
pub use train::{bacteria as train_bacteria, renju as train_renju};
