//! `agon game`: a game of one's own, its rules as a program.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_catalog::{Game, OPENING, Setup};
use agon_external::{CheckReport, STARTERS, check, check_all};
use agon_referee::text::{line, nearest};
use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::exit::Exit;
use crate::options::{Format, OutputArgs, game, parameter, parameters, up_to};
use crate::show::{self, paint};

#[derive(Subcommand, Debug)]
pub(crate) enum GameCommand {
    /// Start a game of your own: a folder with small whole rules, a sample and a page
    New(NewGameArgs),
    /// Check the rules of a game: laws, speed, random games
    Check(CheckGameArgs),
}

const NEW_GAME_HELP: &str = "\
The folder has `rules.*`, a whole small game to change into yours, `sample.py`,
a player of it, and README.md, its page. Nothing is overwritten.
docs/own-game.md lists every question that rules must answer.

Languages: python, cpp, rust, js.

Examples:
  agon game new last-stone
  agon game new last-stone cpp games/stones";

#[derive(Args, Debug)]
#[command(after_help = NEW_GAME_HELP)]
pub(crate) struct NewGameArgs {
    /// The name of the game: small letters, digits and hyphens
    name: String,
    /// The language of the rules [default: python]
    language: Option<String>,
    /// The folder, which is made [default: the name of the game]
    folder: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

const CHECK_GAME_HELP: &str = "\
Plays random games and checks the promises of docs/own-game.md in their
positions: listed moves are accepted, others and nonsense are refused, the same
seed and moves give the same game in a fresh process, saved states load, boards
can be read and show no secrets, and games end. It ends with statistics of the
random games.

Exit code 1: a promise is broken.

Examples:
  agon game check ./rules.py
  agon game check examples/games/othello --games 50
  agon game check examples/games/breakthrough --all-parameters";

#[derive(Args, Debug)]
#[command(after_help = CHECK_GAME_HELP)]
pub(crate) struct CheckGameArgs {
    /// The file of the rules, or a folder with a file `rules`
    #[arg(value_name = "FILE", value_parser = game())]
    game: Game,
    /// Random games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20, value_parser = up_to::<u32>(100_000))]
    games: u32,
    /// Seed of the first of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A parameter of the game; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter)]
    parameters: Vec<(String, String)>,
    /// Check each parameter at its smallest and largest value too, or at each of its words
    #[arg(long)]
    all_parameters: bool,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(command: &GameCommand) -> anyhow::Result<Exit> {
    match command {
        GameCommand::New(args) => make(args),
        GameCommand::Check(args) => check_rules(args),
    }
}

fn make(args: &NewGameArgs) -> anyhow::Result<Exit> {
    let name = args.name.as_str();
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(letters) || name.len() > 32 {
        bail!("`{}` is not a name of a game: small letters, digits and hyphens expected, at most 32", line(name));
    }
    if Game::by_name(name).is_some_and(|game| !game.is_program()) {
        bail!("`{name}` is a built-in game: choose another name");
    }
    let language = args.language.as_deref().unwrap_or("python");
    let Some(starter) = STARTERS.iter().find(|starter| starter.language == language) else {
        let known: Vec<&str> = STARTERS.iter().map(|starter| starter.language).collect();
        let meant = nearest(language, known.iter().copied());
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        bail!("there are no rules in `{}` to start from: {}{meant}", line(language), known.join(", "));
    };
    let folder = args.folder.clone().unwrap_or_else(|| Path::new(name).to_owned());
    if folder.exists() {
        bail!("`{}` is there already: name another folder", folder.display());
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    let files = agon_external::starter_files(starter, name);
    for (file, text) in &files {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    if args.output.format == Format::Json {
        let names: Vec<&str> = files.iter().map(|(file, _)| *file).collect();
        writeln!(out, "{}", json!({ "folder": folder.display().to_string(), "language": language, "files": names }))?;
        return Ok(Exit::Done);
    }
    // A word without a slash would be the name of a game.
    let path =
        if folder.components().count() > 1 { folder.display().to_string() } else { format!("./{}", folder.display()) };
    writeln!(out, "{path}: {name} in {language}: {}, sample.py, README.md", starter.file)?;
    writeln!(out, "\nnext:\n  agon game check {path}\n  agon play {path} --first {path}/sample.py --second random")?;
    Ok(Exit::Done)
}

fn check_rules(args: &CheckGameArgs) -> anyhow::Result<Exit> {
    let (game, parameters) = (args.game, parameters(&args.parameters)?);
    if game.is_program() {
        // Names and values are refused as in a game.
        game.initial_state(&Setup { seed: args.seed, parameters: parameters.clone() })?;
    }
    let check = if args.all_parameters { check_all } else { check };
    let report = check(game, args.games, args.seed, &parameters).map_err(anyhow::Error::msg)?;
    let mut out = anstream::stdout();
    if args.output.format == Format::Json {
        writeln!(out, "{}", as_json(game, &report))?;
    } else {
        print(&mut out, game, &report)?;
        let own = game.parameters.iter().any(|parameter| parameter.name != OPENING.name);
        if own && !args.all_parameters && args.parameters.is_empty() {
            writeln!(out, "\n  parameters    at their defaults; --all-parameters tries their other values")?;
        }
    }
    Ok(if report.passes() { Exit::Done } else { Exit::No })
}

fn print(out: &mut impl std::io::Write, game: Game, report: &CheckReport) -> anyhow::Result<()> {
    writeln!(out, "{}  {}", paint(show::STRONG, game.name()), game.title())?;
    for finding in &report.findings {
        match &finding.problem {
            None => writeln!(out, "  ok    {}", finding.law)?,
            Some(problem) => {
                writeln!(out, "  {} {}\n        {}", paint(show::ERROR, "FAIL "), finding.law, line(problem))?;
            }
        }
    }
    if report.games == 0 {
        writeln!(out, "\n  no random games: the rules list no moves")?;
        return Ok(());
    }
    let [shortest, mean, longest] = report.plies;
    let share = |number: u32| 100.0 * f64::from(number) / f64::from(report.games);
    let [first, second] = game.seats;
    writeln!(out, "\n  random games  {}", report.games)?;
    writeln!(out, "  length        {mean:.1} moves, {shortest} to {longest}")?;
    writeln!(out, "  legal moves   {:.1}", report.choices)?;
    let [won, lost, drawn] = report.results.map(share);
    writeln!(out, "  results       {first} {won:.0} %, {second} {lost:.0} %, drawn {drawn:.0} %")?;
    if let Some([one, other]) = report.scores {
        writeln!(out, "  points        {first} {one:.1}, {second} {other:.1}")?;
    }
    let [start, step] = [report.start_time, report.move_time].map(micros);
    writeln!(out, "  time          {start:.0} µs to begin, {step:.0} µs a move")?;
    Ok(())
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn as_json(game: Game, report: &CheckReport) -> serde_json::Value {
    let laws: Vec<_> =
        report.findings.iter().map(|finding| json!({ "law": finding.law, "problem": finding.problem })).collect();
    let [first, second, drawn] = report.results;
    let played = report.games > 0;
    json!({
        "game": game.name(), "passes": report.passes(), "laws": laws, "games": report.games,
        "results": { "first": first, "second": second, "draw": drawn },
        "plies": played.then_some(report.plies), "points": report.scores, "choices": report.choices,
        "start_us": micros(report.start_time), "move_us": micros(report.move_time),
    })
}
