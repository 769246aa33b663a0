//! The commands of `agon`, an arena for game-playing programs: [`run`] is the whole program.
//!
//! Exit codes: 0 done; 1 the job ran and the answer is no; 2 not done, by usage or environment; 130 stopped by Ctrl-C.
//! A closed pipe is no error.

mod adjudication;
mod agent;
mod amount;
mod analyze;
mod arena;
mod ask;
mod bench;
mod board;
mod book;
mod check;
mod completion;
#[cfg(test)]
#[path = "../tests/unit/contrast.rs"]
mod contrast;
mod convert;
mod debug;
mod demo;
mod doctor;
mod draw;
mod exit;
mod explain;
mod exploit;
mod failed;
mod failure;
mod fleet;
mod game;
mod games;
mod games_made;
mod help;
mod input;
mod inspect;
mod jail;
mod json_lines;
mod key;
mod lab;
mod left_out;
mod manual;
mod move_loss;
mod moves;
mod nats;
mod network;
mod new;
mod next;
mod opening_rules;
mod openings;
mod options;
mod output;
mod page;
mod perft;
mod petri;
mod play;
mod pool;
mod position_link;
mod prepare;
mod program;
mod progress;
mod protocols;
mod puzzles;
mod recorded;
mod replay;
mod result;
mod rules;
mod serve;
mod show;
mod signals;
mod site_rules;
mod solve;
mod span;
mod stored_game;
mod submit;
mod table;
mod tune;
mod turn;
mod watch;
mod worker;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use agon_catalog::{Game, GameEntry, register};
use agon_referee::text::plain;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

pub use agon_arena::picture::svg;
use exit::Exit;
use options::OutputArgs;

/// An arena for game-playing programs.
///
/// Agon referees bots written in any language as the judge of ALPHANO does: the READY / TURN / OPP / FINISH protocol
/// over pipes, one clock for the whole game, a memory limit, and a verdict for each agent.
#[derive(Parser, Debug)]
#[command(name = "agon", version, after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    #[arg(
        help = "When to use colour; NO_COLOR is respected",
        long = "color",
        value_name = "WHEN",
        global = true,
        display_order = 900,
        default_value = "auto"
    )]
    colour: Colour,

    #[arg(
        help = "Rules of a game of your own: a file, or a folder with a file `rules`; may be given several times",
        long = "rules",
        value_name = "FILE",
        global = true,
        display_order = 901
    )]
    rules: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  agon new bacteria                                a bot to start from
  agon check bacteria_bot/bot.py --game bacteria   problems a site would find
  agon play bacteria                               two built-in players, live
  agon play bacteria --first bot.cpp               your bot against a built-in
  agon play bacteria --first bot.cpp --second PYPY3:bot.py --out game.jsonl
  agon replay game.jsonl                           step through it, verify it
  agon play petri --first agents/petri/sample.py   your cell against a species
  agon games                                       the games and their players
  agon games renju                                 the rules of a game in short
  agon                                             what to do next here

Agents are built-in players (`random`, `greedy`), source files (.c .cpp .py
.java .rs .js .rb, compiled as on ALPHANO; `PYPY3:bot.py` names the
language), commands in quotes, or UAI and Gomocup engines (`uai:./engine`,
`gomocup:./engine`).

Exit codes: 0 done, for example a game was played; 1 it ran, and the answer
is no; 2 not done: wrong usage, a bot that does not compile, an unusable file or
machine; 130 stopped by Ctrl-C.";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    fn write_global(self) {
        match self {
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Start a bot: a folder with a sample, test inputs and a README
    New(new::NewArgs),
    /// Check a bot for faults, as a site does before its first game
    Check(check::CheckArgs),
    /// Referee one game between two agents
    Play(play::PlayArgs),
    /// Play and analyse in the browser, against the built-in players
    Board(board::BoardArgs),
    /// Show a recorded game and verify it by the rules
    Replay(replay::ReplayArgs),
    /// Give a program the recorded input of a game again and compare its answers
    Ask(ask::AskArgs),
    /// Find the moves that lost a game, and better ones
    Explain(explain::ExplainArgs),
    /// Score programs of the petri dish, and debug them
    #[command(subcommand)]
    Petri(petri::PetriCommand),
    /// List the games: rules, parameters, players
    Games(games::GamesArgs),
    /// Make your own game and check its rules
    #[command(subcommand)]
    Game(game::GameCommand),
    /// Play many games of two agents and measure the Elo difference
    Match(arena::MatchArgs),
    /// Test whether a new version is stronger than an old one (SPRT)
    Sprt(arena::SprtArgs),
    /// Play a round robin, a gauntlet or a Swiss tournament
    Tournament(arena::TournamentArgs),
    /// Play each version of a program against an opponent as you save it
    Watch(watch::WatchArgs),
    /// Keep every version of a program and rate them on one scale
    Pool(pool::PoolArgs),
    /// Tune a program's numbers by playing games (SPSA)
    Tune(Box<tune::TuneBotArgs>),
    /// Print the results of a stored series
    Results(arena::ResultsArgs),
    /// Write an HTML page of a stored series, with its games
    Report(arena::ReportArgs),
    /// Write the records of a stored series
    Export(arena::ExportArgs),
    /// Analyse a position: the best moves and their scores
    Analyze(analyze::AnalyzeArgs),
    /// Solve positions with proof: JSON lines in, JSON lines out
    Solve(solve::SolveArgs),
    /// Answer questions about positions: JSON lines in, JSON lines out
    Inspect(inspect::InspectArgs),
    /// Make puzzles: positions with only one right move
    Puzzles(puzzles::PuzzlesArgs),
    /// Show or verify the opening books of renju
    Book(book::BookArgs),
    /// Convert games between the formats of other programs
    Convert(convert::ConvertArgs),
    /// Serve a site where people submit programs and a ladder ranks them
    Serve(serve::ServeArgs),
    /// Submit a program to a site, and follow its check
    Submit(submit::SubmitArgs),
    /// Withdraw, rename or delete your programs on a site
    #[command(subcommand)]
    Program(program::ProgramCommand),
    /// Play games of a fleet on this machine
    Worker(worker::WorkerArgs),
    /// Show the machines of a fleet and their games
    Fleet(fleet::FleetCommand),
    /// Run a built-in player as a program that speaks the protocol
    Agent(agent::AgentArgs),
    /// Run a built-in player of Bacteria War as a UAI engine
    #[command(after_help = protocols::UAI_HELP)]
    Uai(protocols::SpeakArgs),
    /// Run a built-in player of renju as a Gomocup engine
    Gomocup(protocols::GomocupArgs),
    /// Run a UAI or Gomocup engine as a program for the judge
    Bridge(protocols::BridgeArgs),
    /// Make and measure engines: bench, self-play, training, tuning, books
    #[command(subcommand)]
    Lab(lab::LabCommand),
    /// Check what this machine can enforce and measure
    Doctor(OutputArgs),
    /// Make a key for signing records, or show its public key
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Print a completion script for a shell
    Completions(manual::CompletionsArgs),
    /// Write the manual pages to a folder
    #[command(hide = true)]
    Man(manual::ManArgs),
}

/// The whole program with these games beside the built-in ones: for a crate with a game of its own.
pub fn main_with(games: impl IntoIterator<Item = &'static GameEntry>) -> ExitCode {
    for entry in games {
        if let Err(problem) = register(entry) {
            anstream::eprintln!("{} {}", show::paint(show::ERROR, "error:"), plain(&problem));
            return ExitCode::from(2);
        }
    }
    run(std::env::args_os())
}

/// Runs a command line, whose first word is the name of the program, and prints the results.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = words.into_iter().collect();
    match completion::answer(&words, command_line) {
        Ok(true) => return Exit::Done.into(),
        Ok(false) => {}
        Err(error) => {
            anstream::eprintln!("{} {}", show::paint(show::ERROR, "error:"), plain(&exit::in_one_line(&error)));
            return ExitCode::from(2);
        }
    }
    // Before the command line is made: its games are among what it takes.
    let loaded = signals::survive_file_limit().and_then(|()| rules::load_named(&words));
    let words = loaded.and_then(|()| site_rules::fetched(words));
    let result = match words.and_then(|words| read(&command_line(), words)) {
        Ok(args) => {
            args.colour.write_global();
            args.command.map_or_else(next::run, perform)
        }
        Err(error) => Err(error),
    };
    agon_jail::retire_all();
    match result {
        Ok(exit) => exit.into(),
        Err(error) if is_closed_pipe(&error) => Exit::Done.into(),
        Err(error) => match error.downcast::<clap::Error>() {
            // Help and versions that were asked for.
            Ok(usage) if !usage.use_stderr() => {
                // Where nothing can be printed, the exit code alone says what happened.
                let _ = usage.print();
                Exit::Done.into()
            }
            // A command of commands, without one.
            Ok(usage) if usage.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                let _ = usage.print();
                ExitCode::from(2)
            }
            Ok(usage) => {
                anstream::eprintln!("{} {}", show::paint(show::ERROR, "error:"), plain(&wrong_usage(&usage)));
                ExitCode::from(2)
            }
            Err(error) => {
                anstream::eprintln!("{} {}", show::paint(show::ERROR, "error:"), plain(&exit::in_one_line(&error)));
                ExitCode::from(2)
            }
        },
    }
}

/// The whole command line.
pub fn command_line() -> clap::Command {
    help::grouped(Args::command())
}

/// Whether the command line takes these words; files of rules in them are not looked at.
///
/// # Errors
/// If not: clap's error, or one that names the option that is not for this game.
pub fn check(words: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    rules::only_read();
    read(&command_line(), site_rules::unfetched(words.into_iter().collect())).map(drop)
}

fn read(command: &clap::Command, words: impl IntoIterator<Item = OsString>) -> anyhow::Result<Args> {
    let words = help::as_option(help::with_two_dashes(lab::respell(words.into_iter().collect())));
    let name = words.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    let matches = command.clone().try_get_matches_from(words).map_err(|error| with_tip(error, &name))?;
    options::refuse_foreign(command, &matches)?;
    Ok(Args::from_arg_matches(&matches)?)
}

/// What is wrong with a command line, in one line: clap's error, its tips, and where the usage stands.
fn wrong_usage(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut line = String::new();
    for paragraph in text.trim_start_matches("error: ").split("\n\n") {
        let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            line = words;
        } else if let Some(usage) = words.strip_prefix("Usage: ") {
            let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
            let command: Vec<&str> = usage.split(' ').take_while(is_name).collect();
            let _ = write!(line, "; see `{} --help`", command.join(" "));
        } else {
            // A number below 0 is no value of ours that `--` would help to pass.
            let tips = words.split("tip: ").skip(1).filter(|tip| !tip.starts_with("to pass "));
            tips.for_each(|tip| _ = write!(line, "; {}", tip.trim()));
        }
    }
    for (words, ours) in NOT_A_NUMBER {
        line = line.replace(words, ours);
    }
    with_bounds(&line).unwrap_or(line)
}

/// A refused number with its range in words: clap writes `-4 is not in 0..=4294967295`.
fn with_bounds(line: &str) -> Option<String> {
    let (before, range) = line.split_once(" is not in ")?;
    let (low, rest) = range.split_once("..=")?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    let (high, after) = rest.split_at(end);
    let is_of_type = [u64::from(u32::MAX), u64::MAX, i64::MAX as u64].iter().any(|most| most.to_string() == high);
    let bounds = if is_of_type { format!("at least {low}") } else { format!("from {low} to {high}") };
    Some(format!("{before} is not {bounds}{after}"))
}

/// Where the game is missing, says which there are; where the second agent is, what one is; of more than two agents,
/// which command plays them.
fn with_tip(mut error: clap::Error, command: &str) -> clap::Error {
    if error.kind() == ErrorKind::UnknownArgument
        && let ("match" | "sprt", Some(ContextValue::String(word))) = (command, error.get(ContextKind::InvalidArg))
        && !word.starts_with('-')
    {
        let tip = format!("`agon {command}` is between two agents; `agon tournament` plays more");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    if matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation)
        && matches!(command, "submit" | "program")
        && let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && option == "--game <GAME>"
        && let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
    {
        let tip = format!("a competition is named as `--competition {value}`, a game as `--game renju`");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    if error.kind() == ErrorKind::MissingRequiredArgument
        && let Some(ContextValue::Strings(names)) = error.get(ContextKind::InvalidArg)
    {
        let lacks = |argument: &str| names.iter().any(|name| name == argument);
        let tip = if lacks("<GAME>") || lacks("--game <GAME>") {
            format!("the games are {}", Game::names().join(", "))
        } else if lacks("<SECOND>") {
            "name a second agent: another bot, or a built-in player such as `greedy`".to_owned()
        } else {
            return error;
        };
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// What the standard library says of text that is no number of a type, in the words of a user.
const NOT_A_NUMBER: [(&str, &str); 5] = [
    ("invalid float literal", "enter a number"),
    ("invalid digit found in string", "enter a whole number"),
    ("cannot parse integer from empty string", "enter a whole number"),
    ("number too large to fit in target type", "the number is too large"),
    ("number too small to fit in target type", "the number is too small"),
];

fn perform(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::New(args) => new::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Board(args) => board::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Ask(args) => ask::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Petri(command) => petri::run(&command),
        Command::Games(args) => games::run(&args),
        Command::Game(command) => game::run(&command),
        Command::Match(args) => arena::of_match(&args),
        Command::Sprt(args) => arena::sprt(&args),
        Command::Tournament(args) => arena::tournament(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Pool(args) => pool::run(&args),
        Command::Tune(args) => tune::bot(&args),
        Command::Results(args) => arena::results(&args),
        Command::Report(args) => arena::report(&args),
        Command::Export(args) => arena::export(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Submit(args) => submit::run(&args),
        Command::Program(command) => program::run(&command),
        Command::Worker(args) => worker::run(&args),
        Command::Fleet(args) => fleet::run(&args),
        Command::Agent(args) => agent::run(&args),
        Command::Uai(args) => protocols::uai(&args),
        Command::Gomocup(args) => protocols::gomocup(&args),
        Command::Bridge(args) => protocols::bridge(&args),
        Command::Lab(command) => lab::run(&command),
        Command::Doctor(args) => doctor::run(args.format),
        Command::Key(command) => key::run(&command),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args, command_line()),
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command_line().debug_assert();
    }
}
