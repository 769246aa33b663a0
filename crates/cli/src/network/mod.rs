//! How networks are made: `agon datagen`, `agon train` and `agon duel`.

mod args;
mod datagen;
mod duel;
mod player;
mod setting;
mod train;

pub use args::{DatagenArgs, DuelArgs, TrainArgs};
pub use datagen::run as datagen;
pub use duel::run as duel;
pub use train::run as train;
