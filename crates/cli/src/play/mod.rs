//! `agon play`: one refereed game.

mod audience;
mod human;
mod io;
mod opening;
pub(crate) mod record;

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use agon_arena::agents::{self, NamedAgent, PreparedAgent};
use agon_arena::debug::{DebugRun, Debugging};
use agon_arena::game::{Bout, MAX_TRIES, retry_while};
use agon_arena::game_log::Logged;
use agon_arena::runner::cores;
use agon_catalog::{Capability, Game, OPENING, Setup};
use agon_game::seed::Stream;
use agon_game::{GameState, Player, Side};
use agon_referee::agent::{AgentSpec, Seat, quoted};
use agon_referee::bout::{Afterwards, Spectator};
use agon_referee::clock::Clock;
use agon_referee::limits::GameLimits;
use agon_referee::process;
use agon_referee::record::Record;
use agon_referee::text::plain;
use agon_referee::verdict::{AgentVerdict, Verdict};
use agon_rules::renju::opening_rules::OpeningRule;
use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use crate::adjudication::AdjudicationArgs;
use crate::amount::mebibytes;
use crate::exit::{Exit, in_one_line};
use crate::failure::Extent;
use crate::jail::JailArgs;
use crate::options::{
    self, BoardSize, DishArgs, Format, OutputArgs, PaceArgs, SeeArgs, ShowHow, game, parameter, size,
};
use crate::prepare::prepare;
use crate::show::{self, paint};
use crate::site_rules::ServerArgs;
use crate::span::{A_DAY, GivenClock, TimeSpan, a_clock, time};
use crate::{completion, debug, failure, input, output, result, signals};
use audience::Audience;
use human::{HumanPlayer, Hurried, TakenBack};
use io::{IoSeats, LineShow};

#[derive(Args, Debug)]
#[command(after_help = PLAY_HELP)]
pub(crate) struct PlayArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: Game,

    /// The agent that moves first: a built-in player, a source file, a folder of them, a command in quotes, or human
    /// [default: greedy; coordinated in petri]
    #[arg(long, value_name = "AGENT", add = completion::agent())]
    pub first: Option<String>,

    /// The agent that moves second [default: greedy; evolution in petri]
    #[arg(long, value_name = "AGENT", add = completion::agent())]
    pub second: Option<String>,

    /// Each agent's clock: 10s for the whole game, 10+0.1 with an increment, 40/60 for every 40 moves, inf
    /// [default: 10s; an hour with a person]
    #[arg(long, value_name = "CLOCK", value_parser = a_clock, help_heading = options::only_for(Capability::Turns))]
    pub clock: Option<GivenClock>,

    /// The clock of the agent that moves first [default: that of --clock]
    #[arg(long, value_name = "CLOCK", value_parser = a_clock, help_heading = options::only_for(Capability::Turns))]
    pub first_clock: Option<GivenClock>,

    /// The clock of the agent that moves second
    #[arg(long, value_name = "CLOCK", value_parser = a_clock, help_heading = options::only_for(Capability::Turns))]
    pub second_clock: Option<GivenClock>,

    /// Agents as other commands take them, to say where they stand here.
    #[arg(hide = true, value_name = "AGENT")]
    pub misplaced: Vec<String>,

    #[command(flatten)]
    pub timing: PaceArgs,

    /// Memory of each agent's process tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mib,
          value_parser = mebibytes::<u64>(1_048_576))]
    pub memory: u64,

    /// Time limit of one invocation; a cell without an answer rests
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(GameLimits::default().invocation_ms),
          value_parser = time(A_DAY), help_heading = options::only_for(Capability::Actions))]
    pub invocation: TimeSpan,

    /// Repeat this share of the invocations in a fresh process, to detect programs that keep state
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, require_equals = true, default_missing_value = "5",
          value_parser = clap::value_parser!(u8).range(0..=100), help_heading = options::only_for(Capability::Actions))]
    pub check_stateless: Option<u8>,

    /// Pause the agent that is not on turn, which prevents thinking on the opponent's time
    #[arg(long, help_heading = options::only_for(Capability::Turns))]
    pub freeze: bool,

    #[command(flatten)]
    pub adjudication: AdjudicationArgs,

    /// Random seed of the game and the built-in players [default: a new one each time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Write the record of the game to this file
    #[arg(long, alias = "record", value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Sign the record with the private key of this file (`agon key new`)
    #[arg(long, value_name = "KEY", requires = "out")]
    pub sign: Option<String>,

    /// Log all input, output and standard error of both agents, with times, to this file
    #[arg(long, value_name = "FILE", help_heading = options::only_for(Capability::Turns))]
    pub log: Option<PathBuf>,

    /// Print all input, output and standard error of both agents, or of one, as it happens
    #[arg(long, value_name = "SEAT", num_args = 0..=1, default_missing_value = "both",
          conflicts_with_all = ["show", "pace"], help_heading = options::only_for(Capability::Turns))]
    pub io: Option<IoSeats>,

    /// How to show the game: the board after each move, one line per move, or not at all
    /// [default: board on a terminal, line in a pipe, none with --format json]
    #[arg(long, value_name = "HOW")]
    pub show: Option<ShowHow>,

    /// Minimum time between two moves drawn on a terminal; the clocks do not count it
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(120), value_parser = time(0..=60_000))]
    pub pace: TimeSpan,

    /// Repeat the game with all runtime checks of the compiler, and show the line of each fault found
    #[arg(long)]
    pub debug: bool,

    #[command(flatten)]
    pub jail: JailArgs,

    #[command(flatten)]
    pub see: SeeArgs,

    #[command(flatten)]
    pub server: ServerArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    /// A parameter of the game, as `agon games` lists them; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameters: Vec<(String, String)>,

    /// Open the game by an opening rule: rif, yamaguchi, soosyrv-8, taraguchi-10 or swap2. The first agent begins; who
    /// holds Black then follows from swaps [agents by default: human and champion]
    #[arg(long, value_name = "RULE", value_parser = opening::rule,
          help_heading = options::only_for(Capability::ForbiddenPoints))]
    pub opening_rule: Option<OpeningRule>,

    /// Size of the board: 10x4 is 10 wide and 4 high, 6 a square
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = options::only_for(Capability::Size))]
    pub size: Option<BoardSize>,

    /// Play on the board of this file, one row of weights a line
    #[arg(long, value_name = "FILE", conflicts_with = "size", help_heading = options::BOARD)]
    pub board: Option<PathBuf>,

    #[command(flatten, next_help_heading = options::DISH)]
    pub dish: DishArgs,
}

const PLAY_HELP: &str = "\
Agents:
  greedy             a built-in player (see `agon games`)
  human              you: moves are read from the terminal, `?` lists them,
                     `hint` shows what the strongest player would play,
                     `undo` takes your last move back
  champion:3         a built-in player at level 3
  path/to/bot.cpp    a source file: .c .cpp .py .java .rs .js .rb,
                     compiled once, with ALPHANO's options
  PYPY3:bot.py       a source file in a named language:
                     C20 CPP20 PYTHON3 PYPY3 JAVA RUST JAVASCRIPT RUBY
  path/to/my_bot/    a folder of sources: its main.cpp, main.py, … and the
                     files beside it
  \"./bot --depth 6\"  a command; AGON_SEED in its environment holds the seed
  uai:COMMAND        an Ataxx engine that speaks UAI, for bacteria
  gomocup:COMMAND    an engine that speaks Gomocup's protocol, for renju

Verdicts:
  OK                 a normal end
  TLE                no answer in time
  RE                 an illegal answer or a crash
  MLE                too much memory
  CE                 does not compile
  INTERRUPTED        the judge was stopped; neither side lost

A verdict other than OK is explained, and the record of the game is saved: in
the FILE of --out, else in the folder `records` of $AGON_STATE
(~/.local/state/agon). Compiled bots are cached in $AGON_CACHE (~/.cache/agon).

Examples:
  agon play renju --first greedy --second random --seed 7
  agon play renju --first human --second champion:3
  agon play renju --opening-rule taraguchi-10
  agon play domineering --size 6 --set bonus=0 --show line
  agon play bacteria --first bot.cpp --clock 2s --format json
  agon play renju --first bot.py --io            every line, as it comes";

/// Refuses a seat without a player, and people in a game that is not played by hand.
fn check_seats(game: Game, texts: [&str; 2], people: bool) -> anyhow::Result<()> {
    if texts.contains(&"") && game.builtins.is_empty() {
        bail!("{game} has no built-in players, since its rules list no moves: name --first and --second");
    }
    match (people && !game.has_moves(), game.has_sessions()) {
        (false, _) => Ok(()),
        (true, true) => bail!("{game} is not played by hand: its rules list no moves"),
        (true, false) => bail!("{game} is not played by hand: every cell of a colony acts in every turn"),
    }
}

pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<Exit> {
    refuse_misplaced(args)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let key = options::private_key(args.sign.as_deref())?;
    let mut given = args.parameters.clone();
    if let Some(path) = &args.board {
        let text = input::text(path).context("the board")?;
        let rows: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
        given.push(("board".to_owned(), rows.join("/")));
    }
    given.extend(options::sides(args.size, args.game));
    given.extend(args.dish.parameters());
    let defaults = if args.opening_rule.is_some() { [human::NAME, "champion"] } else { args.game.defaults };
    let texts = [(&args.first, defaults[0]), (&args.second, defaults[1])];
    let texts = texts.map(|(text, default)| text.as_deref().unwrap_or(default));
    let people = texts.contains(&human::NAME);
    check_seats(args.game, texts, people)?;
    if people && args.output.format == Format::Json {
        bail!("--format json does not work with a person, who must be asked for moves; write the record with --out");
    }
    if args.io.is_some() && args.output.format == Format::Json {
        bail!("--format json prints the result and nothing else: leave out --io, or write the lines with --log FILE");
    }
    // A person is shown the board when asked for a move.
    let otherwise = if std::io::stdout().is_terminal() && !people { ShowHow::Board } else { ShowHow::Line };
    let how = options::show_how(args.show, args.output.format, otherwise)?;
    let read = |flag: &'static str, text: &str| match text {
        human::NAME => Ok(None),
        _ => {
            let text = args.see.agent(args.game, &args.timing.agent(args.game, text));
            agents::named(args.game, &text).context(flag).map(Some)
        }
    };
    args.see.check(args.game, texts.into_iter().filter(|text| *text != human::NAME))?;
    args.timing.check(args.game, texts.into_iter().filter(|text| *text != human::NAME))?;
    let agents = [read("--first", texts[0])?, read("--second", texts[1])?];
    let processors = cores::allowed().len();
    if let Some(agent) = agents.iter().flatten().find(|agent| agent.spec.threads() > processors) {
        let count = if processors == 1 { "1 processor".to_owned() } else { format!("{processors} processors") };
        bail!("`{}`: this machine has {count}: name {processors} threads at most", agent.text);
    }
    let clocks = clocks(args, agents.each_ref().map(Option::as_ref), texts)?;
    if args.opening_rule.is_some() {
        opening::check(args.game, &args.parameters, texts, !has_program(&agents))?;
    }
    signals::watch()?;
    let Some((opened, agents, clocks)) = opened(args, how, seed, agents, clocks)? else { return Ok(Exit::Stopped) };
    given.extend(opened);
    let limits = limits(args, clocks, people)?;
    let setup = Setup { seed, parameters: options::parameters(&given)? };
    let mut bout = Bout::new(args.game, setup.clone(), limits)?;

    if let Some(path) = &args.out {
        output::check(path, "the record")?;
    }

    // Only programs fail.
    let fails = has_program(&agents);
    let unkept = if args.out.is_none() && fails { record::check().err() } else { None };
    if let Some(problem) = &unkept {
        let problem = in_one_line(problem);
        warn(&format!("the record of a failed game will not be kept: {problem}; name a file with --out"));
    }

    if let Some(path) = &args.log {
        output::check(path, "the log")?;
        process::keep_log();
    }
    args.jail.choose(args.game, texts.into_iter().filter(|text| *text != human::NAME))?;
    let Some((mut record, log)) = play_to_end(args, how, &agents, limits, setup, &mut bout)? else {
        return Ok(Exit::Stopped);
    };
    if let Some(key) = &key {
        record.sign(key);
    }
    let kept = record::keep(&record, args.out.as_deref());
    let place = kept.as_ref().ok().and_then(Option::as_deref);

    // The result is printed even if the record cannot be written.
    print(args.output.format, &record, bout.state(), place, &located(args, &agents, &record)?)?;
    if let Some((path, text)) = log {
        fs::write(path, text).with_context(|| format!("cannot write the log `{}`", path.display()))?;
    }
    match kept {
        // The file was asked for.
        Err(error) if args.out.is_some() => return Err(error),
        Err(error) if unkept.is_none() => warn(&format!("the record is not kept: {}", in_one_line(&error))),
        _ => {}
    }
    if process::interrupted() {
        return Ok(Exit::Stopped);
    }
    ending(&record)
}

/// Agents and clocks by seat.
type Seated = (Option<(String, String)>, [Option<NamedAgent>; 2], [Option<Clock>; 2]);

/// Opens the game by its opening rule, if it has one: a parameter of the game, and the agents in their seats. `None` if
/// a person broke it off.
fn opened(
    args: &PlayArgs,
    how: ShowHow,
    seed: u64,
    agents: [Option<NamedAgent>; 2],
    clocks: [Option<Clock>; 2],
) -> anyhow::Result<Option<Seated>> {
    let Some(rule) = args.opening_rule else { return Ok(Some((None, agents, clocks))) };
    let deciders = agents.each_ref().map(|agent| match agent {
        Some(agent) => opening::Decider::Engine(agent.text.clone()),
        None => opening::Decider::Person,
    });
    let shown = how != ShowHow::None && args.io.is_none();
    let rules = args.parameters.iter().find(|(name, _)| name == agon_catalog::renju::RULES.name);
    let rules = rules.map(|(_, text)| text.parse()).transpose()?;
    let Some(game) = opening::open(rule, rules, &deciders, seed, shown)? else { return Ok(None) };
    let parameter = (agon_catalog::renju::OPENING_RULE.name.to_owned(), opening::parameter(&game));
    Ok(Some((Some(parameter), opening::seats(&game, agents), opening::seats(&game, clocks))))
}

/// A game that was not played is an error, as in a series, whose games with such an agent are not begun.
fn ending(record: &Record) -> anyhow::Result<Exit> {
    let unplayed = |judged: &&AgentVerdict| matches!(judged.verdict, Verdict::Ce | Verdict::Interrupted);
    match record.result.verdicts.iter().find(unplayed) {
        Some(judged) if judged.verdict == Verdict::Ce => bail!("no game was played: a source does not compile"),
        Some(judged) => {
            bail!("the game was not played to its end: {}", judged.reason_text().unwrap_or_default())
        }
        None => Ok(Exit::Done),
    }
}

/// Agents are named by options.
fn refuse_misplaced(args: &PlayArgs) -> anyhow::Result<()> {
    if args.misplaced.is_empty() {
        return Ok(());
    }
    let options = ["--first", "--second"].into_iter().zip(&args.misplaced);
    let options: Vec<String> = options.map(|(option, agent)| format!("{option} {}", quoted(agent))).collect();
    bail!("agents are named by options here: `agon play {} {}`", args.game, options.join(" "));
}

/// Whether one of the players is a program of a user, neither a person nor built in.
fn has_program(agents: &[Option<NamedAgent>; 2]) -> bool {
    agents.iter().flatten().any(|agent| !matches!(agent.spec, AgentSpec::Builtin { .. }))
}

/// The record of a game, and the text of its log with the file that it is for.
type Refereed<'a> = (Record, Option<(&'a PathBuf, String)>);

/// Plays the game, and again from where a person takes moves back to; `None` where a compiler was stopped, which is no
/// verdict on its source.
fn play_to_end<'a>(
    args: &'a PlayArgs,
    how: ShowHow,
    agents: &[Option<NamedAgent>; 2],
    limits: GameLimits,
    mut setup: Setup,
    bout: &mut Bout,
) -> anyhow::Result<Option<Refereed<'a>>> {
    let people = agents.iter().any(Option::is_none);
    let taken_back = if has_program(agents) {
        TakenBack::refused("moves are taken back against built-in players alone: a program has no way back")
    } else if bout.state().has_secrets() {
        TakenBack::refused("what has been seen cannot be taken back")
    } else if args.game.has_openings() {
        TakenBack::default()
    } else {
        TakenBack::refused("this game can begin nowhere but at its start")
    };
    let opening: Vec<String> = setup.opening().map(str::to_owned).collect();
    // Each agent to its own processors, so that one which thinks on the other's time does not slow it.
    let apart = cores::halves(&cores::allowed());
    loop {
        let ready = |side: Side| {
            let limits = limits.with_clock(limits.clock_of(side));
            let Some(NamedAgent { terms, spec, .. }) = &agents[side.index()] else {
                return Ok(person(args.game, bout.state(), &limits, &taken_back));
            };
            let ready = match spec {
                AgentSpec::Builtin { nodes: None, .. } if people => hurried(args.game, spec, &limits),
                spec => prepare(args.game, spec.clone(), &limits),
            };
            ready.map(|agent| agent.titled(terms.name.clone()))
        };
        let (first, second) = (ready(Side::First), ready(Side::Second));
        let ready = [&first?, &second?];
        if process::interrupted() {
            return Ok(None);
        }
        let mut is_first = true;
        // A person is not asked to make all moves again.
        let played = until_judged(people, || {
            if !std::mem::take(&mut is_first) {
                *bout = Bout::new(args.game, setup.clone(), limits)?;
            }
            let mut seats = bout.seats(ready, apart.as_ref())?;
            Ok(watched(args, how, bout, ready, &mut seats, agents.each_ref().map(Option::is_none)))
        })?;
        let Some(moves) = taken_back.take() else { return Ok(Some(played)) };
        let moves = [&opening[..], &moves].concat();
        let text = if moves.is_empty() { OPENING.default.to_owned() } else { moves.join("/") };
        setup.parameters.insert(OPENING.name.to_owned(), text);
        *bout = Bout::new(args.game, setup.clone(), limits)?;
    }
}

/// Plays a game, and again while the machine is too busy to judge it, as a series does; once with people in it.
fn until_judged<'a>(people: bool, play: impl FnMut() -> anyhow::Result<Refereed<'a>>) -> anyhow::Result<Refereed<'a>> {
    let mut tries = 1;
    let spoilt = |played: &anyhow::Result<Refereed>| {
        let Some((record, _)) = played.as_ref().ok().filter(|(record, _)| !people && record.result.is_of_machine())
        else {
            return false;
        };
        tries += 1;
        if !process::interrupted() {
            warn(&format!("{}: playing it again ({tries} of {MAX_TRIES})", record.result.reason));
        }
        true
    };
    retry_while(play, spoilt)
}

/// Plays the game while it is shown.
fn watched<'a>(
    args: &'a PlayArgs,
    how: ShowHow,
    bout: &mut Bout,
    players: [&PreparedAgent; 2],
    seats: &mut [Seat; 2],
    people: [bool; 2],
) -> Refereed<'a> {
    let names = bout.state().seats();
    let shown = agents::distinct_names(&players);
    let titles = Side::BOTH.map(|side| format!("{} {}", names[side.index()], shown[side.index()]));
    let [first, second] = Side::BOTH.map(|side| paint(show::side(side), &titles[side.index()]));
    let heading = format!("{}: {first} – {second}", paint(show::STRONG, args.game.title()));
    let mut lines = args.io.map(|seats| LineShow::begin(seats, heading.clone(), titles));
    let mut audience = Audience::new(how, args.pace.into(), heading, names, people);
    let spectator: &mut dyn Spectator = match &mut lines {
        Some(lines) => lines,
        None => &mut audience,
    };
    let mut logged = Logged::new(spectator);
    let record = bout.play(players, seats, Afterwards::Exit, &mut logged);
    let log = args.log.as_ref().map(|path| (path, logged.text(&record)));
    if let Some(lines) = lines {
        lines.end();
    }
    (record, log)
}

/// The game once more for each program, with builds that have all checks; nothing without --debug.
fn located(
    args: &PlayArgs,
    agents: &[Option<NamedAgent>; 2],
    record: &Record,
) -> anyhow::Result<[Option<DebugRun>; 2]> {
    let located = |side: Side| match &agents[side.index()] {
        Some(agent) if args.debug && debug::can_repeat(record, side) => {
            Debugging::of_record(args.game, record, side, &agent.spec).run(Some(record)).map(Some)
        }
        _ => Ok(None),
    };
    Ok([located(Side::First)?, located(Side::Second)?])
}

/// Prints the result, and the command that replays the game if its record has a place.
fn print(
    format: Format,
    record: &Record,
    state: &dyn GameState,
    place: Option<&Path>,
    located: &[Option<DebugRun>; 2],
) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    match format {
        Format::Json => {
            let mut json = result::json(record, place);
            if located.iter().any(Option::is_some) {
                json["crashes"] = json!(located);
            }
            writeln!(out, "{}", crate::output::json(json))?;
        }
        Format::Text => {
            write!(out, "{}", result::text(record, state))?;
            if !record.is_clean() {
                write!(out, "{}", failure::explain(record, state, Extent::Screen))?;
            }
            for (side, run) in Side::BOTH.into_iter().zip(located) {
                run.iter().try_for_each(|run| write!(out, "{}", debug::text(record, side, run)))?;
            }
            if let Some(path) = place {
                write!(out, "{}", record::what_next(record, path))?;
            }
        }
    }
    Ok(())
}

/// The limits of the game; a person has more time than a program, where no clock is given.
fn limits(args: &PlayArgs, clocks: [Option<Clock>; 2], people: bool) -> anyhow::Result<GameLimits> {
    let usual = if people { Clock::for_game(PERSON_CLOCK_MS) } else { GameLimits::ALPHANO.common_clock() };
    let limits = GameLimits {
        memory_mib: args.memory,
        freeze: args.freeze,
        invocation_ms: args.invocation.ms(),
        recheck_percent: args.check_stateless.unwrap_or(0),
        adjudication: args.adjudication.rules()?,
        ..GameLimits::default()
    };
    let clock = args.clock.as_ref().map(|clock| clock.of(args.game, "--clock")).transpose()?;
    Ok(args.timing.limits(clock.unwrap_or(usual), limits).with_seat_clocks(clocks))
}

/// The seats' own clocks: by an option, or by the words before the agent.
fn clocks(args: &PlayArgs, agents: [Option<&NamedAgent>; 2], texts: [&str; 2]) -> anyhow::Result<[Option<Clock>; 2]> {
    let given = [("--first-clock", &args.first_clock), ("--second-clock", &args.second_clock)];
    let mut clocks = [None; 2];
    for (at, (flag, clock)) in given.into_iter().enumerate() {
        let own = agents[at].and_then(|agent| agent.terms.clock);
        if clock.is_some() && own.is_some() {
            bail!("{flag} and clock= of `{}` both set its clock: leave one out", texts[at]);
        }
        clocks[at] = clock.as_ref().map(|clock| clock.of(args.game, flag)).transpose()?.or(own);
    }
    Ok(clocks)
}

fn warn(text: &str) {
    anstream::eprintln!("{} {}", paint(show::WARN, "warning:"), plain(text));
}

const PERSON_CLOCK_MS: u64 = 3_600_000;

fn person(game: Game, state: &dyn GameState, limits: &GameLimits, taken_back: &TakenBack) -> PreparedAgent {
    let (start, taken_back) = (Mutex::new(state.boxed_clone()), taken_back.clone());
    let make = move |_| -> Box<dyn Player> {
        let start = start.lock().unwrap_or_else(PoisonError::into_inner);
        Box::new(HumanPlayer::new(game, start.boxed_clone(), taken_back.clone()))
    };
    PreparedAgent::of_person(human::NAME, Box::new(make), limits)
}

fn hurried(game: Game, spec: &AgentSpec, limits: &GameLimits) -> anyhow::Result<PreparedAgent> {
    let (named, threads) = (game.find(&agents::builtin_name(spec))?, spec.threads());
    let Some(_) = named.player(0) else { bail!("{spec} plays no session") };
    let player = move |seed| named.player_at(seed, None, threads).expect("it was made once");
    let make = move |seed| -> Box<dyn Player> { Box::new(Hurried(player(seed))) };
    Ok(PreparedAgent::of_player(&spec.to_string(), Box::new(make), limits))
}

fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Stream::new(now.as_nanos() as u64, &std::process::id().to_string()).next() >> 32
}

#[cfg(test)]
mod tests {
    use agon_referee::fault_kind::{FaultKind, TimeSpent};

    use super::*;

    #[test]
    fn a_game_that_the_machine_left_undecided_is_played_again_without_people() {
        let (game, limits) = (Game::DOMINEERING, GameLimits::default());
        let agents = ["greedy", "random"]
            .map(|name| PreparedAgent::prepare(game, agents::parse(game, name).unwrap(), &limits).unwrap());
        let games = |people: bool, void: u32| {
            let mut games = 0;
            let played = until_judged(people, || {
                games += 1;
                let mut bout = Bout::new(game, Setup::default(), limits)?;
                let mut seats = bout.seats(agents.each_ref(), None)?;
                let mut record = bout.play(agents.each_ref(), &mut seats, Afterwards::Exit, &mut ());
                if games <= void {
                    let judged = &mut record.result.verdicts[0];
                    judged.verdict = Verdict::Interrupted;
                    judged.kind = Some(FaultKind::LateAnswer(TimeSpent::default()));
                }
                Ok((record, None))
            });
            (games, played.unwrap().0.result.is_of_machine())
        };
        assert_eq!([games(false, 0), games(false, 2)], [(1, false), (3, false)]);
        assert_eq!([games(false, 9), games(true, 9)], [(MAX_TRIES, true), (1, true)]);
    }
}
