//! Training of networks, policies and search parameters by games of the engines against themselves.
//!
//! The network of a [`TrainedGame`] is trained in three steps:
//!
//! 1. [`selfplay`]: the engine plays itself from random openings. Every position becomes a [`PositionRecord`]: the
//!    search's score and the result of the game. [`dataset`] keeps records in files, [`distinct`] leaves out what
//!    occurs twice and holds some boards out.
//! 2. [`network`]: [`targets`] turns scores and results into what is learnt, or a [`teacher`] says it, and a
//!    [`Trainer`] fits a [`Model`] to it, in floating point on the processor.
//! 3. [`export`] compares the model with the network of integers that is made of it; [`curve`] draws the losses.
//!
//! The network then plays the games from which the next one learns; a [`campaign`] does all of it, generation after
//! generation. [`duel`] measures which of two networks is
//! stronger, [`tune`] tunes the parameters of a search (SPSA), and [`petri`] the policy of the petri dish's champion
//! (sep-CMA-ES). Everything random follows from a seed: the same command gives the same bytes, on any number of cores.

pub mod adam;
pub mod bacteria;
mod bytes;
pub mod campaign;
pub mod cma_es;
pub mod contender;
pub mod curve;
pub mod dataset;
pub mod distinct;
pub mod duel;
pub mod export;
pub mod game;
pub mod generate;
pub mod gradient;
pub mod loss;
pub mod model;
pub mod network;
pub mod openings;
pub mod passes;
pub mod petri;
pub mod record;
pub mod renju;
pub mod selfplay;
pub mod spsa;
pub mod targets;
pub mod teacher;
pub mod trainer;
pub mod tune;
pub mod tuning_run;

pub use cma_es::CmaEs;
pub use contender::Contender;
pub use game::TrainedGame;
pub use model::Model;
pub use openings::OpeningPlies;
pub use record::PositionRecord;
pub use trainer::{Epoch, Trainer, TrainingConfig};
