//! How networks are made: games of an engine against itself, and learning from them.
//!
//! 1. An engine plays itself from random openings ([`bacteria::selfplay`]). Every position becomes a [`PositionRecord`]: what a
//!    search thought of it, and how the game ended. [`dataset`] keeps records in files.
//! 2. A [`Trainer`] fits a [`Model`] to them, in floating point on the processor.
//! 3. [`export`] makes a network of 16-bit numbers of it and holds the two against each other; [`curve`] draws how the
//!    losses fell.
//!
//! The network then plays the games from which the next one learns. Everything random follows from a seed: the same
//! command gives the same bytes, on any number of cores.

pub mod adam;
pub mod bacteria;
pub mod cma_es;
pub mod contender;
pub mod curve;
pub mod dataset;
pub mod duel;
pub mod export;
pub mod game;
pub mod generate;
pub mod model;
pub mod network;
pub mod petri;
pub mod record;
pub mod renju;
pub mod selfplay;
pub mod spsa;
pub mod trainer;
pub mod tune;

pub use cma_es::CmaEs;
pub use contender::Contender;
pub use game::TrainedGame;
pub use model::Model;
pub use record::PositionRecord;
pub use trainer::{Epoch, Trainer, TrainingConfig};
