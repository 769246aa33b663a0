//! `agon train`: engines learn, from positions or by games.

use clap::Subcommand;

use crate::exit::Exit;
use crate::{network, petri};

/// `agon train`: for which game.
#[derive(Subcommand, Debug)]
pub enum TrainCommand {
    /// Learn a network for Bacteria War from positions
    #[command(after_help = network::TRAIN_BACTERIA_HELP)]
    Bacteria(network::TrainArgs),
    /// Learn a network for renju from positions
    #[command(after_help = network::TRAIN_RENJU_HELP)]
    Renju(network::TrainArgs),
    /// Tune the policy of the petri dish's champion against a pool of opponents
    Petri(petri::PetriTrainArgs),
}

/// Learns for the game.
pub fn run(command: &TrainCommand) -> anyhow::Result<Exit> {
    match command {
        TrainCommand::Bacteria(args) => network::train_bacteria(args),
        TrainCommand::Renju(args) => network::train_renju(args),
        TrainCommand::Petri(args) => petri::train(args),
    }
}
