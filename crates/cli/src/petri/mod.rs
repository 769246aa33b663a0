//! `agon petri`: the contest of the petri dish, a series of games between two programs or among many.

mod league;
mod score;
mod series;

use crate::Answer;
use crate::args::PetriCommand;

/// Scores a pair, or plays the league.
pub fn run(command: &PetriCommand) -> anyhow::Result<Answer> {
    match command {
        PetriCommand::Score(args) => score::run(args),
        PetriCommand::League(args) => league::run(args),
    }
}
