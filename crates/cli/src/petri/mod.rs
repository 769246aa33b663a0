//! `agon petri`: the contest of the petri dish, a series of games between two programs or among many, and what helps to
//! debug a program.

mod ask;
mod exploit;
mod gauntlet;
mod league;
mod score;
mod series;
mod train;

use crate::exit::Exit;

use clap::Subcommand;
pub use train::{PetriTrainArgs, run as train};

/// `agon petri`.
#[derive(Subcommand, Debug)]
pub enum PetriCommand {
    /// Ask a program again what a recorded game asked it: its input, its answer, its error stream, and what the judge says
    Ask(ask::AskArgs),
    /// The contest's score of two programs: wins in 100 games, each first in half of them
    Score(score::ScoreArgs),
    /// The round robin of all species, the champion and any programs given, on a small and a large dish
    League(league::LeagueArgs),
    /// What attackers trained against one program alone, the champion at first, take from it
    Exploit(exploit::ExploitArgs),
    /// One program, the champion at first, against all species and their variants on many dishes
    Gauntlet(gauntlet::GauntletArgs),
}

/// Runs the command.
pub fn run(command: &PetriCommand) -> anyhow::Result<Exit> {
    match command {
        PetriCommand::Ask(args) => ask::run(args),
        PetriCommand::Score(args) => score::run(args),
        PetriCommand::Exploit(args) => exploit::run(args),
        PetriCommand::Gauntlet(args) => gauntlet::run(args),
        PetriCommand::League(args) => league::run(args),
    }
}
