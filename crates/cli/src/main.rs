//! `agon`: an arena for game-playing programs.
//!
//! Exit codes: 0 done; 1 the job ran and the answer is no; 2 usage or environment; 130 stopped by Ctrl-C. A closed pipe
//! is no error.

mod agent;
mod analyze;
mod arena;
mod args;
mod bench;
mod book;
mod convert;
mod doctor;
mod draw;
mod failure;
mod games;
mod inspect;
mod network;
mod page;
mod perft;
mod petri;
mod picture;
mod play;
mod protocols;
mod replay;
mod show;
mod signals;
mod solve;
mod tune;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command, TrainCommand};

/// What a command that ran has to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// It is done.
    Done,
    /// It ran, and the answer is no.
    No,
    /// It was stopped by a signal.
    Stopped,
}

fn main() -> ExitCode {
    let args = Args::parse();
    args.colour.write_global();
    let result = match args.command {
        Command::Play(args) => play::run(&args),
        Command::Agent(args) => agent::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Match(args) => arena::of_match(&args),
        Command::Sprt(args) => arena::sprt(&args),
        Command::Tournament(args) => arena::tournament(&args),
        Command::Results(args) => arena::results(&args),
        Command::Export(args) => arena::export(&args),
        Command::Report(args) => arena::report(&args),
        Command::Uai(args) => protocols::uai(&args),
        Command::Gomocup(args) => protocols::gomocup(&args),
        Command::Bridge(args) => protocols::bridge(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Inspect(args) => inspect::run(args.game),
        Command::Solve(args) => solve::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Datagen(args) => network::datagen(&args),
        Command::Duel(args) => network::duel(&args),
        Command::Train(TrainCommand::Bacteria(args)) => network::train_bacteria(&args),
        Command::Train(TrainCommand::Renju(args)) => network::train_renju(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Train(TrainCommand::Petri(args)) => petri::train(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Doctor(args) => doctor::run(args.format),
        Command::Petri(command) => petri::run(&command),
        Command::Games(args) => games::run(args.format),
        Command::Completions { shell } => args::completions(shell),
    };
    agon_referee::process::cgroup::remove_all();
    match result {
        Ok(Answer::Done) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Stopped) => ExitCode::from(130),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("{} {}", show::paint(show::ERROR, "error:"), in_one_line(&error));
            ExitCode::from(2)
        }
    }
}

/// The error and its causes, without those that the one before has already told.
fn in_one_line(error: &anyhow::Error) -> String {
    let mut last = String::new();
    let mut line = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !last.contains(&cause) {
            line += if line.is_empty() { "" } else { ": " };
            line += &cause;
        }
        last = cause;
    }
    line
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}
