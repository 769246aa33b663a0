//! `agon tune`: the numbers of a user's program, tuned by games of the program against itself.

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::bot_check::{self, CheckPlace, CheckTerms, DebugUse};
use agon_arena::failures::Failures;
use agon_arena::pair::{self, PairError, PlayedPair};
use agon_arena::runner::{self, Roster, RunEvent, RunOptions, RunStop};
use agon_arena::stats::sprt::{Sprt, Status};
use agon_arena::{Plan, Tally};
use agon_catalog::Game;
use agon_jobs::Progress as _;
use agon_referee::text::line;
use agon_training::spsa::{Perturbed, Spsa, TunedNumber, rate_for};
use agon_training::tuning_run::{RunShape, TuningRun};
use anyhow::{Context, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::parameter::{BotParameter, PassBy, TunedBot};
use super::{plot, values};
use crate::arena::{self, TermArgs, tables};
use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::options::{Format, OutputArgs, even, game};
use crate::progress::Bar;
use crate::show::{self, FAINT, STRONG, WARN, paint};
use crate::{completion, output, signals};

/// The Elo difference of H1 in the test of the result: as many games as a run has can show that, and not 10.
const TEST_ELO1: f64 = 50.0;

/// Number of pairs with different values on the two sides after which the lack of any difference is reported.
const MAX_ALIKE_PAIRS: u64 = 10;

/// Number of pairs after which repeated games are reported.
const MIN_REPEATING_PAIRS: usize = 5;

/// Pairs in a row, each with a failure, after which a run ends: nothing can be learnt from them.
const MAX_FAILED_PAIRS: u64 = 20;

#[derive(Args, Debug)]
#[command(after_help = TUNE_BOT_HELP)]
pub(crate) struct TuneBotArgs {
    /// The program: a source file, a folder of them, or a command in quotes; {NAME} in it stands for a parameter
    #[arg(add = completion::agent())]
    pub agent: String,
    /// The game
    #[arg(long, value_parser = game())]
    pub game: Game,
    /// A number to tune with its range and start value; a whole number if these are; may be given several times
    #[arg(long = "param", value_name = "NAME=LO..HI", required = true)]
    pub tuned: Vec<BotParameter>,
    /// How to pass numbers that have no {NAME} in the program's words [default: env]
    #[arg(long, value_name = "HOW")]
    pub pass: Option<PassBy>,
    /// Number of games, an even number: the values move after each pair
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000, value_parser = even(2_000_000))]
    pub games: u64,
    /// Maximum number of games in the final test; 0 to skip it [default: as --games]
    #[arg(long, value_name = "N", value_parser = test_games)]
    pub test_games: Option<u32>,
    /// File of the run's state; an existing one is resumed
    #[arg(long, value_name = "FILE", default_value = "tune.json")]
    pub state: PathBuf,
    /// The picture of the values over the games [default: beside the state, as tune.svg]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub terms: TermArgs,
    /// The store of the final test's games, separate from that of your series
    #[arg(long, value_name = "FILE", default_value = "tune.db")]
    pub db: PathBuf,
    #[command(flatten)]
    pub jail: JailArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

const TUNE_BOT_HELP: &str = "\
SPSA: for each pair of games, every number is shifted slightly in a random
direction, and the program plays against itself with every number shifted the
opposite way; then all numbers move a little towards the winner. A final SPRT
tests the result against the start. Exit code 0: the result is stronger (H1
accepted); 1: not shown to be stronger.

A number is NAME=LO..HI, optionally followed by :START (default: the middle of
the range) and :STEP, the size of a shift (default: a tenth of the range). The
program receives its numbers as environment variables, as --NAME=VALUE with
--pass args, or in place of {NAME}.

If the program reads OPENING lines (tested first), each pair begins with its own
opening; --openings 0 starts all games from the beginning.

The state is saved after every step. After Ctrl-C or kill -9, the same command
resumes.

Examples:
  agon tune bot.py --game renju --param DEPTH=1..8:4 --param WIDTH=2..40
  agon tune \"bot.cpp --margin {m}\" --game bacteria --param m=0.0..2.0:0.5
  agon tune uai:./engine --game bacteria --pass option --param Contempt=0..100";

fn test_games(text: &str) -> Result<u32, String> {
    let games = text.parse().ok().filter(|games: &u32| games.is_multiple_of(2));
    games.ok_or_else(|| "an even number expected, or 0".to_owned())
}

/// What decides a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct BotRun {
    /// The digest of the plan of its games: the program with its files, the game, the limits, the openings.
    plan: String,
    agent: String,
    parameters: Vec<BotParameter>,
    pass: PassBy,
    steps: u64,
    jobs: u16,
}

/// Tunes until all games are played or a signal comes, tests the result, and prints both.
pub(crate) fn run(args: &TuneBotArgs) -> anyhow::Result<Exit> {
    let bot = TunedBot::new(args.game, &args.agent, args.tuned.clone(), args.pass)?;
    let steps = args.games / 2;
    let start = bot.text(&bot.start())?;
    // Each pair needs its opening.
    let games = u32::try_from(args.games).context("--games")?;
    let whole_run = |opens| self_play(args, opens, [&start, &start], |plan| plan.games = games);
    let plan = whole_run(false)?;
    let options = args.terms.options();
    options.check()?;
    let picture = args.out.clone().unwrap_or_else(|| args.state.with_extension("svg"));
    output::check(&args.state, "the state")?;
    output::check(&picture, "the picture")?;
    let run_stop = signals::run_stop()?;
    args.jail.choose(args.game, [&*args.agent])?;
    // A program that does not compile, or does not answer, would lose every game.
    let tried = Roster::tried(&plan, &run_stop);
    if run_stop.is_raised() {
        return Ok(Exit::Stopped);
    }
    tried?;
    let opens = reads_openings(args, &plan, &run_stop)?;
    let plan = if opens { whole_run(true)? } else { plan };
    let config = BotRun {
        plan: plan.digest(),
        agent: bot.agent.clone(),
        parameters: bot.parameters.clone(),
        pass: bot.pass,
        steps,
        jobs: u16::try_from(options.concurrency).unwrap_or(u16::MAX),
    };
    let numbers: Vec<TunedNumber> = bot.parameters.iter().map(|parameter| parameter.number).collect();
    let spsa = Spsa::new(numbers, bot.start(), steps, rate_for(steps));
    let mut run = TuningRun::open(&args.state, &config, spsa)?;
    if !run.is_complete() {
        if opens {
            let openings =
                "it reads OPENING lines: each pair begins with an opening of its own (--openings 0: at the start)";
            anstream::eprintln!("{}", paint(FAINT, openings));
        }
        for name in bot.unnamed(plan.agents[0].identity.as_ref()) {
            let problem =
                format!("`{name}` stands in no file of `{}`, so nothing seems to read it. {}", bot.agent, bot.way());
            anstream::eprintln!("{} {problem}", paint(WARN, "warning:"));
        }
    }
    let ended = play(&bot, &plan, &mut run, &config, args, &options, &run_stop);
    // What there is can be looked at, however it ended.
    draw(&bot, &run, &picture)?;
    ended?;
    if args.output.format == Format::Text {
        print_values(&bot, &run)?;
        writeln!(anstream::stdout(), "values over the games: {}", picture.display())?;
    }
    let mut found = report(&bot, &run);
    let tested = if run.is_complete() && !run_stop.is_raised() {
        test(args, opens, &bot, &run, &options, &run_stop)?
    } else {
        None
    };
    if let Some((plan, tally)) = &tested {
        found["test"] = tables::sprt(tally).unwrap_or(Value::Null);
        if args.output.format == Format::Text {
            write!(anstream::stdout(), "\n{}", tables::between_two(plan, tally))?;
            if tally.is_one_pair(0, 1) {
                writeln!(anstream::stdout(), "{}", tables::remedy(plan))?;
            }
            writeln!(anstream::stdout(), "report   agon report --db {}", show::pasted(&args.db))?;
        }
    }
    if args.output.format == Format::Json {
        writeln!(anstream::stdout(), "{}", output::json(found))?;
    }
    if !run.is_complete() || run_stop.is_raised() {
        anstream::eprintln!("{}: the same command resumes", paint(STRONG, "stopped"));
        return Ok(Exit::Stopped);
    }
    Ok(match tested.and_then(|(_, tally)| tally.test()) {
        Some(decision) if decision.status == Status::H1 => Exit::Done,
        None if args.test_games == Some(0) => Exit::Done,
        _ => Exit::No,
    })
}

/// A match of two versions of the program; with openings if they are known to read them.
fn self_play(args: &TuneBotArgs, opens: bool, texts: [&str; 2], shape: impl FnOnce(&mut Plan)) -> anyhow::Result<Plan> {
    arena::plan(args.game, &texts.map(str::to_owned), &args.terms, |plan| {
        if opens {
            plan.openings = args.game.openings.usual_plies;
            plan.agents.iter_mut().for_each(|agent| agent.openings = true);
        }
        shape(plan);
        Ok(())
    })
}

/// Whether the program reads OPENING lines, where that is not declared: without them a program that draws nothing from
/// its seed plays the same games again and again.
fn reads_openings(args: &TuneBotArgs, plan: &Plan, run_stop: &RunStop) -> anyhow::Result<bool> {
    let (game, entrant) = (plan.game, &plan.agents[0]);
    if game.openings.usual_plies == 0 || args.terms.openings.is_some() || entrant.openings {
        return Ok(false);
    }
    let limits = plan.limits_for(0);
    let agent = PreparedAgent::prepare(game, agents::parse(game, &entrant.agent)?, &limits)?;
    let (parameters, seed, run_stop) = (plan.parameters.clone(), plan.seed, run_stop.clone());
    let place = CheckPlace::CommandLine;
    let terms =
        CheckTerms { game, parameters, limits, seed, time: Duration::MAX, run_stop, place, debug: DebugUse::None };
    Ok(bot_check::reads_openings(&agent, &terms)?)
}

/// Plays and learns until all steps are made, or the stop is raised.
fn play(
    bot: &TunedBot,
    plan: &Plan,
    run: &mut TuningRun,
    config: &BotRun,
    args: &TuneBotArgs,
    options: &RunOptions,
    run_stop: &RunStop,
) -> anyhow::Result<()> {
    let cores = options.processors_of_workers()?;
    let shape = RunShape { seed: args.terms.seed, jobs: config.jobs };
    let bar = Bar::new("{wide_bar} {pos}/{len} pairs {eta}  {msg}")?;
    bar.start(config.steps, run.spsa.step());
    let failed = Mutex::new((Failures::default(), 0_u64));
    let courses = Mutex::new((HashSet::new(), 0));
    // Pairs with other values on both sides that were alike, until one is not.
    let alike = Mutex::new(Some(0_u64));
    while !run.is_complete() && !run_stop.is_raised() {
        let broken: Mutex<Option<anyhow::Error>> = Mutex::new(None);
        let made = run.step(&args.state, config, shape, |step, perturbed, _| {
            let at = (step % u64::from(config.jobs)) as usize;
            let played = play_pair(bot, plan, args, perturbed, step, cores.get(at).map(Vec::as_slice), options.threads);
            match played {
                Ok(Some(played)) => {
                    note_failures(&failed, bot, perturbed, &played, &bar);
                    note_alike(&alike, bot, perturbed, &played, &bar);
                    note_repeats(&courses, plan, &played, &bar);
                    Some(played.halves)
                }
                Ok(None) => None,
                Err(error) => {
                    *broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    None
                }
            }
        })?;
        if let Some(error) = broken.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        if !made {
            break;
        }
        let in_a_row = failed.lock().unwrap_or_else(PoisonError::into_inner).1;
        if in_a_row >= MAX_FAILED_PAIRS {
            bail!(
                "the last {MAX_FAILED_PAIRS} pairs of games had a failure each: mend `{}` first, for instance with \
                 `agon play`",
                bot.agent
            );
        }
        bar.set_position(run.spsa.step());
        bar.set_message(bot.shown(run.spsa.values()));
    }
    Ok(())
}

/// A pair of games of the program with these numbers on both sides.
fn play_pair(
    bot: &TunedBot,
    plan: &Plan,
    args: &TuneBotArgs,
    perturbed: &Perturbed,
    step: u64,
    cores: Option<&[usize]>,
    threads: usize,
) -> anyhow::Result<Option<PlayedPair>> {
    let mut plan = plan.clone();
    for (entrant, values) in plan.agents.iter_mut().zip([&perturbed.plus, &perturbed.minus]) {
        entrant.agent = args.terms.see.agent(args.game, &args.terms.pace.agent(args.game, &bot.text(values)?));
    }
    match pair::play(&plan, u32::try_from(step)?, cores, threads) {
        // What is not ready since a signal ended it is no problem of the program's.
        Err(PairError::Unfit(_)) if agon_referee::process::interrupted() => Ok(None),
        other => Ok(other?),
    }
}

/// Counts failures, and says each kind of them once, with the numbers under which it occurred.
fn note_failures(
    failed: &Mutex<(Failures, u64)>,
    bot: &TunedBot,
    perturbed: &Perturbed,
    played: &PlayedPair,
    bar: &Bar,
) {
    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
    let found = played.failures.most_first();
    failed.1 = if found.is_empty() { 0 } else { failed.1 + 1 };
    for failure in found {
        if failed.0.merge(failure) {
            let numbers = if failure.agent == 0 { &perturbed.plus } else { &perturbed.minus };
            let text = format!("{} with {}: {}", failure.verdict, bot.shown(numbers), line(&failure.reason.text));
            bar.suspend(|| anstream::eprintln!("{} {text}", paint(WARN, "failed")));
        }
    }
}

/// Says once that the games do not depend on the numbers, after some pairs whose games had the same moves.
fn note_alike(alike: &Mutex<Option<u64>>, bot: &TunedBot, perturbed: &Perturbed, played: &PlayedPair, bar: &Bar) {
    let mut alike = alike.lock().unwrap_or_else(PoisonError::into_inner);
    // Whole numbers are sometimes rounded to the same on both sides.
    if bot.shown(&perturbed.plus) == bot.shown(&perturbed.minus) {
        return;
    }
    *alike = alike.filter(|_| played.alike).map(|count| count + 1);
    if *alike == Some(MAX_ALIKE_PAIRS) {
        let text = format!("in each of {MAX_ALIKE_PAIRS} pairs both games have the same moves, whatever the values");
        bar.suspend(|| anstream::eprintln!("{} {text}: {}", paint(WARN, "warning:"), unread(bot)));
    }
}

/// Says once that most games repeat others: the numbers would be tuned for these alone.
fn note_repeats(courses: &Mutex<(HashSet<i64>, usize)>, plan: &Plan, played: &PlayedPair, bar: &Bar) {
    let mut courses = courses.lock().unwrap_or_else(PoisonError::into_inner);
    let (seen, pairs) = &mut *courses;
    if *pairs == usize::MAX {
        return;
    }
    seen.insert(played.course);
    *pairs += 1;
    if *pairs >= MIN_REPEATING_PAIRS && seen.len() * 2 <= *pairs {
        let text = format!("{} of {pairs} pairs repeat others, so the values will suit few games", *pairs - seen.len());
        bar.suspend(|| anstream::eprintln!("{} {text}. {}", paint(WARN, "warning:"), tables::remedy(plan)));
        *pairs = usize::MAX;
    }
}

/// What to do where the numbers make no difference.
fn unread(bot: &TunedBot) -> String {
    let names: Vec<String> = bot.parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
    format!("does the program read {}? {}", names.join(", "), bot.way())
}

/// Plays the test of the result against the start; `None` where there is nothing to test.
fn test(
    args: &TuneBotArgs,
    opens: bool,
    bot: &TunedBot,
    run: &TuningRun,
    options: &RunOptions,
    run_stop: &RunStop,
) -> anyhow::Result<Option<(Plan, Tally)>> {
    let games = args.test_games.unwrap_or_else(|| u32::try_from(args.games).unwrap_or(u32::MAX - 1));
    if games == 0 {
        return Ok(None);
    }
    let [tuned, start] = [bot.text(&run.spsa.usable())?, bot.text(&bot.start())?];
    if tuned == start {
        let same = "the values are those of the start, so there is nothing to test";
        if run.spsa.values() == bot.start() {
            let pairs = show::counted(run.spsa.step(), "pair");
            let none = format!("none of {pairs} of games was decided by the values");
            anstream::eprintln!("{same}: {none}: {}", unread(bot));
        } else {
            anstream::eprintln!("{same}");
        }
        return Ok(None);
    }
    let plan = self_play(args, opens, [&tuned, &start], |plan| {
        (plan.games, plan.test) = (games, Some(Sprt { elo1: TEST_ELO1, ..Sprt::default() }));
        for (agent, name) in plan.agents.iter_mut().zip(["tuned", "start"]) {
            name.clone_into(&mut agent.name);
        }
    })?;
    let roster = Roster::tried(&plan, run_stop)?;
    output::folder_of(&args.db, "the store")?;
    let mut store = arena::open(&args.db)?;
    let mut play = |sender: &Sender<RunEvent>| Ok(runner::run(&plan, &roster, &mut store, options, run_stop, sender)?);
    let finish = if args.output.format == Format::Text {
        anstream::println!("{}", paint(FAINT, format!("testing the result against the start, at most {games} games")));
        arena::displayed(&plan, &args.db, Format::Text, play)
    } else {
        play(&mpsc::channel().0)
    };
    match finish {
        Err(error) if run_stop.is_raised() && arena::is_locked(&error) => Ok(None),
        Err(error) => Err(error),
        Ok(finish) => Ok(Some((plan, finish.tally))),
    }
}

/// What the program started with, and what it has become.
fn print_values(bot: &TunedBot, run: &TuningRun) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let names: Vec<&str> = bot.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(9);
    let heading = format!("{:<width$} {:>10} {:>10}  range", "parameter", "start", "tuned");
    writeln!(out, "{}", paint(STRONG, heading))?;
    for (parameter, value) in bot.parameters.iter().zip(run.spsa.values()) {
        let [start, tuned] = [parameter.start, *value].map(|value| parameter.text(value));
        let range = paint(FAINT, parameter.range());
        writeln!(out, "{:<width$} {start:>10} {tuned:>10}  {range}", parameter.name)?;
    }
    writeln!(out, "after {}\n", show::counted(2 * run.spsa.step(), "game"))?;
    write!(out, "{}", values::table(&names, &run.history))?;
    Ok(())
}

fn report(bot: &TunedBot, run: &TuningRun) -> Value {
    let parameters = bot.parameters.iter().zip(run.spsa.values()).map(|(parameter, value)| {
        let number = &parameter.number;
        json!({
            "name": parameter.name, "start": parameter.start, "tuned": number.usable(*value), "mean": value,
            "range": [number.low, number.high], "step": number.step, "whole": number.whole,
        })
    });
    let parameters: Vec<Value> = parameters.collect();
    let agent = bot.text(&run.spsa.usable()).unwrap_or_default();
    json!({
        "agent": agent, "game": bot.game.name(), "games": 2 * run.spsa.step(), "of_games": 2 * run.spsa.steps(),
        "parameters": parameters, "history": run.history, "test": null,
    })
}

fn draw(bot: &TunedBot, run: &TuningRun, path: &Path) -> anyhow::Result<()> {
    let names: Vec<&str> = bot.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let svg = plot::svg(&names, run.spsa.numbers(), &run.history, run.spsa.steps());
    fs::write(path, svg).with_context(|| format!("cannot write the picture `{}`", path.display()))
}
