//! `agon petri`: scores of programs of the petri dish, and tools to debug one.

mod ask;
mod exploit;
mod gauntlet;
mod league;
mod score;
mod series;
mod train;

use crate::exit::Exit;

use clap::Subcommand;
pub(crate) use train::{PetriTrainArgs, run as train};

#[derive(Subcommand, Debug)]
pub(crate) enum PetriCommand {
    /// Give a program a recorded input again, and show its answer, its error stream and the verdict
    Ask(ask::AskArgs),
    /// Score two programs as ALPHANO does: wins in 100 games, each program first in half of them
    Score(score::ScoreArgs),
    /// Play a round robin of all species, the champion and any programs given, on a small and a large dish
    League(league::LeagueArgs),
    /// Train attackers against one program, by default the champion, and measure what they win
    Exploit(exploit::ExploitArgs),
    /// Play one program, by default the champion, against all species and their variants on many dishes
    Gauntlet(gauntlet::GauntletArgs),
}

pub(crate) fn run(command: &PetriCommand) -> anyhow::Result<Exit> {
    match command {
        PetriCommand::Ask(args) => ask::run(args),
        PetriCommand::Score(args) => score::run(args),
        PetriCommand::Exploit(args) => exploit::run(args),
        PetriCommand::Gauntlet(args) => gauntlet::run(args),
        PetriCommand::League(args) => league::run(args),
    }
}
