//! `agon petri`: the contest of the petri dish, a series of games between two programs or among many.

pub mod args;
mod checkpoint;
mod gauntlet;
mod league;
mod score;
mod series;
mod train;

use crate::Answer;
use crate::args::PetriCommand;

pub use train::run as train;

/// Scores a pair, or plays the league.
pub fn run(command: &PetriCommand) -> anyhow::Result<Answer> {
    match command {
        PetriCommand::Score(args) => score::run(args),
        PetriCommand::Gauntlet(args) => gauntlet::run(args),
        PetriCommand::League(args) => league::run(args),
    }
}
