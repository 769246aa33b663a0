//! `agon lab`: what makes and measures engines.

use std::ffi::OsString;

use agon_catalog::Game;
use clap::Subcommand;

use crate::exit::Exit;
use crate::{bench, book, exploit, games_made, network, opening_rules, openings, perft, petri, puzzles, tune};

#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// Measure how fast engines search or solve
    Bench(bench::BenchArgs),
    /// Count lines of play (perft), to test a move generator
    Perft(perft::PerftArgs),
    /// Generate training positions by self-play
    #[command(subcommand)]
    Datagen(network::DatagenCommand),
    /// Train a network, or the policy of the petri dish
    #[command(subcommand)]
    Train(TrainCommand),
    /// Measure how well networks predict results
    Loss(network::LossArgs),
    /// Play two networks or settings of an engine against each other
    Duel(network::DuelArgs),
    /// Make networks by generations of self-play and training
    Learn(Box<network::LearnArgs>),
    /// Tune the search parameters of an engine by self-play (SPSA)
    Tune(tune::TuneArgs),
    /// Find balanced openings, from which engines can be measured
    Openings(openings::OpeningsArgs),
    /// Measure the champion's decisions in openings with swaps
    OpeningRules(opening_rules::OpeningRulesArgs),
    /// Measure what can be won against an agent by whoever knows it
    Exploit(exploit::ExploitArgs),
    /// Play the games between levels that the boards look up
    Games(games_made::GamesArgs),
    /// Grow the opening books of renju
    Book(book::GrowArgs),
    /// Make the set of puzzles that the boards serve at once, or prove it again
    Puzzles(puzzles::SetArgs),
}

/// `agon lab train`: for which game.
#[derive(Subcommand, Debug)]
pub(crate) enum TrainCommand {
    /// Train a network for Bacteria War on positions
    #[command(after_help = network::TRAIN_BACTERIA_HELP)]
    Bacteria(network::TrainArgs),
    /// Train a network for renju on positions
    #[command(after_help = network::TRAIN_RENJU_HELP)]
    Renju(network::TrainArgs),
    /// Train the policy of the petri dish's champion against a pool of opponents
    Petri(petri::PetriTrainArgs),
}

pub(crate) fn run(command: &LabCommand) -> anyhow::Result<Exit> {
    match command {
        LabCommand::Bench(args) => bench::run(args),
        LabCommand::Perft(args) => perft::run(args),
        LabCommand::Datagen(args) => network::datagen(args),
        LabCommand::Train(TrainCommand::Bacteria(args)) => network::train_bacteria(args),
        LabCommand::Train(TrainCommand::Renju(args)) => network::train_renju(args),
        LabCommand::Train(TrainCommand::Petri(args)) => petri::train(args),
        LabCommand::Loss(args) => network::loss(args),
        LabCommand::Duel(args) => network::duel(args),
        LabCommand::Learn(args) => network::learn(args),
        LabCommand::Tune(args) => tune::lab(args),
        LabCommand::Openings(args) => openings::run(args),
        LabCommand::OpeningRules(args) => opening_rules::run(args),
        LabCommand::Exploit(args) => exploit::run(args),
        LabCommand::Games(args) => games_made::run(args),
        LabCommand::Book(args) => book::grow(args),
        LabCommand::Puzzles(args) => puzzles::lab(args),
    }
}

/// Commands that stood beside the others before there was `agon lab`.
const MOVED: [&str; 8] = ["bench", "perft", "datagen", "train", "loss", "duel", "learn", "tune"];

/// Options of `agon book` that are now options of `agon lab book`.
const MOVED_OPTIONS: [&str; 9] =
    ["--grow", "--practise", "--status", "--work", "--time", "--searches", "--nodes", "--follow", "--games"];

/// A command line in today's spelling: `agon bench` is `agon lab bench`.
pub(crate) fn respell(mut words: Vec<OsString>) -> Vec<OsString> {
    let mut at = 1;
    let name = loop {
        match words.get(at).and_then(|word| word.to_str()) {
            Some("--color") => at += 2,
            Some(word) if word == "help" || word.starts_with("--color=") => at += 1,
            Some(name) => break name,
            None => return words,
        }
    };
    let is_moved = |word: &OsString| {
        let option = word.to_str().and_then(|word| word.split('=').next());
        option.is_some_and(|option| MOVED_OPTIONS.contains(&option))
    };
    // The numbers of an engine were tuned by `agon tune GAME`; `agon tune` of today names a program and its numbers.
    let is_engine =
        || words.get(at + 1).and_then(|word| word.to_str()).is_some_and(|word| Game::by_name(word).is_some());
    let is_old = MOVED.contains(&name) && (name != "tune" || is_engine());
    if is_old || name == "book" && words.iter().any(is_moved) {
        words.insert(at, "lab".into());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_spellings_are_read_as_new_ones() {
        let check = |old: &str, new: &str| {
            let words = respell(old.split(' ').map(OsString::from).collect());
            assert_eq!(words.join(&OsString::from(" ")), new);
        };
        check("agon bench renju", "agon lab bench renju");
        check("agon --color never tune renju", "agon --color never lab tune renju");
        check("agon tune bacteria --steps 3", "agon lab tune bacteria --steps 3");
        check("agon --color=never help perft", "agon --color=never help lab perft");
        check("agon book renju --grow --book b", "agon lab book renju --grow --book b");
        check("agon book --time=1s", "agon lab book --time=1s");
        for new in ["agon tune bot.py --game renju --param x=1..2", "agon tune", "agon tune --help"] {
            check(new, new);
        }
        for new in ["agon", "agon lab bench renju", "agon book renju --verify", "agon play bench", "agon --color"] {
            check(new, new);
        }
    }
}
