//! `agon play`: one refereed game.

use std::collections::BTreeMap;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_engines::catalog;
use agon_game::seed::Stream;
use agon_game::{Contest, Interaction, Side};
use agon_referee::agent::Agent;
use agon_referee::bout::{Afterwards, Played, Spectator};
use agon_referee::limits::GameLimits;
use agon_referee::process;
use agon_referee::record::{Record, Winner};
use agon_referee::report::ActionCounts;
use agon_rules::catalog::{Game, Setup};
use anyhow::Context;
use clap::Args;
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType, DisableLineWrap, EnableLineWrap};
use serde_json::json;

use crate::exit::Exit;
use crate::options::{self, DishArgs, Format, ShowHow, game, parameter};
use crate::show::{self, paint};
use crate::{draw, failure, signals};

#[derive(Args, Debug)]
#[command(after_help = PLAY_HELP)]
pub struct PlayArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: Game,

    /// Who moves first: a built-in, a source file, or a command in quotes
    /// [default: greedy; coordinated in petri]
    #[arg(long, value_name = "AGENT")]
    pub first: Option<String>,

    /// Who moves second [default: greedy; evolution in petri]
    #[arg(long, value_name = "AGENT")]
    pub second: Option<String>,

    /// Each agent's time for its whole game, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = GameLimits::default().clock_ms, value_parser = clap::value_parser!(u64).range(1..=86_400_000), help_heading = options::TAKING_TURNS)]
    pub clock: u64,

    /// Memory of each agent's process tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mb, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub memory: u64,

    /// The time of one invocation, in milliseconds; whoever has no answer then rests
    #[arg(long, value_name = "MS", default_value_t = GameLimits::default().invocation_ms, value_parser = clap::value_parser!(u64).range(1..=86_400_000), help_heading = options::PETRI)]
    pub invocation: u64,

    /// Ask this share of the invocations again in a fresh process, to see whether a program keeps a state
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, require_equals = true, default_missing_value = "5", value_parser = clap::value_parser!(u8).range(0..=100), help_heading = options::PETRI)]
    pub check_stateless: Option<u8>,

    /// Stop the agent that is not on turn, so that it cannot think on the opponent's time
    #[arg(long, help_heading = options::TAKING_TURNS)]
    pub freeze: bool,

    /// The number from which the game and the built-ins draw what is random; a new one each time by default
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Write the record of the game to this file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// How to show the game: the board after each move, a line a move, or not at all
    /// [default: board on a terminal, line in a pipe, none with --format json]
    #[arg(long, value_name = "HOW")]
    pub show: Option<ShowHow>,

    /// The least time between two moves drawn on a terminal, in milliseconds; the clocks do not see it
    #[arg(long, value_name = "MS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pub pace: u64,

    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,

    /// A parameter of the game, as `agon games` lists them; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameters: Vec<(String, String)>,

    /// Play on the board of this file, one row of weights a line
    #[arg(long, value_name = "FILE", help_heading = options::BOARD)]
    pub board: Option<PathBuf>,

    #[command(flatten, next_help_heading = options::DISH)]
    pub dish: DishArgs,
}

const PLAY_HELP: &str = "\
Agents:
  greedy             a built-in player (see `agon games`)
  champion:3         one of those that have levels, at level 3
  path/to/bot.cpp    a source file: .c .cpp .py .java .rs .js .rb,
                     compiled once with the contest's flags
  PYPY3:bot.py       a source file in a named language:
                     C20 CPP20 PYTHON3 PYPY3 JAVA RUST JAVASCRIPT RUBY
  \"./bot --depth 6\"  a command; AGON_SEED in its environment holds the seed
  uai:COMMAND        an Ataxx engine that speaks UAI, for bacteria
  gomocup:COMMAND    an engine that speaks Gomocup's protocol, for renju

Verdicts:
  OK                 a normal end
  TLE                no answer in time
  RE                 an illegal answer or a crash
  MLE                too much memory
  CE                 does not compile
  INTERRUPTED        the judge was stopped; nobody lost

A game that ends with another verdict than OK is explained, and its record is
always kept: in FILE of --record, else in the folder `records` of $AGON_STATE
(~/.local/state/agon). Compiled bots are kept in $AGON_CACHE (~/.cache/agon).

Examples:
  agon play renju --first greedy --second random --seed 7
  agon play domineering --set bonus=0 --show line
  agon play bacteria --first bot.cpp --clock 2000 --format json";

/// Referees one game.
pub fn run(args: &PlayArgs) -> anyhow::Result<Exit> {
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut given = args.parameters.clone();
    if let Some(path) = &args.board {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read the board `{}`", path.display()))?;
        given.push(("board".to_owned(), text.trim_end().replace('\n', "/")));
    }
    given.extend(args.dish.parameters());
    let limits = GameLimits {
        clock_ms: args.clock,
        memory_mb: args.memory,
        freeze: args.freeze,
        invocation_ms: args.invocation,
        recheck_percent: args.check_stateless.unwrap_or(0),
        ..GameLimits::default()
    };
    let mut bout = Bout::new(args.game, Setup { seed, parameters: options::parameters(&given)? }, limits)?;
    let defaults = catalog::defaults(args.game);
    let named = [("--first", &args.first, defaults[0]), ("--second", &args.second, defaults[1])];
    let [first, second] =
        named.map(|(flag, text, default)| agents::read(args.game, text.as_deref().unwrap_or(default)).context(flag));
    let agents = [first?, second?];

    signals::watch()?;
    let [first, second] = agents.map(|agent| prepare(args.game, agent, &limits));
    let agents = [&first?, &second?];
    // A compiler that was stopped says nothing about its source.
    if process::interrupted() {
        return Ok(Exit::Stopped);
    }
    let mut seats = bout.seats(agents)?;
    let names = agents.map(PreparedAgent::short_name);
    let mut audience = Audience::new(args, bout.contest().seats(), &names)?;
    let record = bout.play(agents, &mut seats, Afterwards::Exit, &mut audience);
    let kept = keep(&record, args.record.as_deref());
    let place = kept.as_ref().ok().and_then(Option::as_deref);

    // A record that cannot be written is no reason to keep the result back.
    let mut out = anstream::stdout();
    match args.format {
        Format::Json => writeln!(out, "{}", as_json(&record, place))?,
        Format::Text => {
            write!(out, "{}", as_text(&record, bout.contest()))?;
            if !record.is_clean() {
                write!(out, "{}", failure::explain(&record, bout.contest()))?;
            }
            if let Some(path) = place {
                writeln!(out, "replay   agon replay {}", quoted(path))?;
            }
        }
    }
    kept?;
    Ok(if process::interrupted() { Exit::Stopped } else { Exit::Done })
}

fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Stream::new(now.as_nanos() as u64, &std::process::id().to_string()).next() >> 32
}

/// Makes an agent ready, and says so on a terminal where that took long.
pub fn prepare(game: Game, agent: Agent, limits: &GameLimits) -> anyhow::Result<PreparedAgent> {
    let start = Instant::now();
    let agent = PreparedAgent::prepare(game, agent, limits)?;
    if start.elapsed() > Duration::from_millis(300) && std::io::stderr().is_terminal() {
        let text = format!("compiled {} in {}", agent.agent(), show::time(start.elapsed()));
        anstream::eprintln!("{}", paint(show::FAINT, text));
    }
    Ok(agent)
}

/// Writes the record where the user wants it; one that needs explaining is kept in any case.
fn keep(record: &Record, wanted: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let path = match wanted {
        Some(path) => path.to_owned(),
        None if record.is_clean() => return Ok(None),
        None => {
            let header = &record.header;
            let name = format!("{}-{}-{}.jsonl", header.game, header.started, header.seed);
            state_folder().join("records").join(name)
        }
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    fs::write(&path, record.write()).with_context(|| format!("cannot write the record `{}`", path.display()))?;
    Ok(Some(path))
}

fn state_folder() -> PathBuf {
    let from = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    from("AGON_STATE")
        .or_else(|| from("XDG_STATE_HOME").map(|folder| folder.join("agon")))
        .or_else(|| from("HOME").map(|folder| folder.join(".local/state/agon")))
        .unwrap_or_else(|| std::env::temp_dir().join("agon"))
}

fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    if text.contains(|c: char| c.is_whitespace() || "'\"\\$`".contains(c)) {
        format!("'{}'", text.replace('\'', "'\\''"))
    } else {
        text
    }
}

/// The result for programs.
pub fn as_json(record: &Record, kept: Option<&Path>) -> serde_json::Value {
    let (header, result) = (&record.header, &record.result);
    let all = serde_json::to_value(result).expect("a result can be written as JSON");
    let mut json = json!({
        "game": header.game,
        "winner": all["winner"],
        "reason": all["reason"],
        "score": all["score"],
        "verdicts": result.verdicts.each_ref().map(|judged| judged.verdict.name()),
        "faults": result.verdicts.each_ref().map(|judged| judged.reason.clone()),
        "plies": result.plies,
        "time_ms": result.time_ms,
        "disturbed": result.disturbed,
        "seed": header.seed,
        "agents": header.agents.each_ref().map(|agent| agent.agent.clone()),
        "record": kept.map(|path| path.display().to_string()),
    });
    if result.invocations.is_some() {
        json["invocations"] = all["invocations"].clone();
    }
    json
}

/// The result for people.
pub fn as_text(record: &Record, contest: &dyn Contest) -> String {
    let (header, result) = (&record.header, &record.result);
    let seats = contest.seats();
    // Points decide only a game that was played to its end.
    let score = result.score.filter(|_| record.is_clean());
    let score = score.map_or(String::new(), |[first, second]| format!(" {first}–{second}"));
    // Both agents may bear the same name.
    let wins = |at: usize| format!("{} {} wins{score}", seats[at], header.agents[at].agent);
    let headline = match result.winner {
        Winner::First => wins(0),
        Winner::Second => wins(1),
        Winner::Draw => format!("a draw{score}"),
        Winner::Void => "no result".to_owned(),
    };
    let mut text = format!("{}: {}\n", paint(show::STRONG, headline), result.reason);
    for side in Side::BOTH {
        let at = side.index();
        let verdict = result.verdicts[at].verdict;
        let style = if result.verdicts[at].reason.is_none() { show::GOOD } else { show::ERROR };
        let disturbed = match result.disturbed[at] {
            0 => String::new(),
            1 => paint(show::WARN, "  1 move disturbed by the machine"),
            n => paint(show::WARN, format!("  {n} moves disturbed by the machine")),
        };
        let used = show::time(Duration::from_secs_f64(result.time_ms[at] / 1000.0));
        text += &format!(
            "{}  {}  {used} used  {}{disturbed}\n",
            paint(show::side(side), format!("{:<6} {:<5}", side.to_string(), seats[at])),
            paint(style, format!("{verdict:<3}")),
            header.agents[at].agent,
        );
    }
    let unit = if result.invocations.is_some() { "actions" } else { "plies" };
    text += &paint(show::FAINT, format!("{} {unit}, seed {}", result.plies, header.seed));
    text.push('\n');
    if let Some(tally) = &result.invocations {
        text += &remarks(record, tally);
    }
    text
}

/// What became of invocations that did not go as the program wanted, and of those asked twice.
fn remarks(record: &Record, tally: &ActionCounts) -> String {
    let mut text = String::new();
    for side in Side::BOTH {
        let at = side.index();
        let mine = record.entries.iter().filter(|entry| entry.side == side);
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for remark in mine.filter(|entry| entry.moment.is_some()).filter_map(|entry| entry.remark.as_deref()) {
            *counts.entry(remark).or_default() += 1;
        }
        let mut counts: Vec<(&str, u32)> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        for (remark, count) in counts.iter().take(REMARKS) {
            text += &format!("{side:<6} {count:>5} × {}\n", paint(show::WARN, format!("rested: {remark}")));
        }
        if counts.len() > REMARKS {
            text += &paint(show::FAINT, format!("{side:<6} … and {} other reasons to rest\n", counts.len() - REMARKS));
        }
        if tally.rechecked[at] > 0 {
            let differing = format!("{} of {} answers", tally.differing[at], tally.rechecked[at]);
            text += &if tally.differing[at] > 0 {
                let why = "it keeps a state, or draws random numbers without AGON_SEED";
                format!("{side:<6} {}\n", paint(show::ERROR, format!("{differing} differ when asked again: {why}")))
            } else {
                format!("{side:<6} {differing} differ when asked again\n")
            };
        }
    }
    text
}

/// Different remarks of a side that are listed.
const REMARKS: usize = 5;

/// Draws a game as it goes.
struct Audience {
    how: ShowHow,
    live: bool,
    pace: Duration,
    heading: String,
    seats: [&'static str; 2],
    drawn: u16,
    last: Instant,
    /// The actions of the turn that is going on, where a turn has many.
    turn: Vec<Played>,
}

impl Audience {
    fn new(args: &PlayArgs, seats: [&'static str; 2], names: &[String; 2]) -> anyhow::Result<Self> {
        let terminal = std::io::stdout().is_terminal();
        let how = options::show_how(args.show, args.format, if terminal { ShowHow::Board } else { ShowHow::Line })?;
        let [first, second] =
            Side::BOTH.map(|side| paint(show::side(side), format!("{} {}", seats[side.index()], names[side.index()])));
        let heading = format!("{}: {first} – {second}", paint(show::STRONG, Game::title(args.game)));
        let live = terminal && how == ShowHow::Board;
        let pace = Duration::from_millis(args.pace);
        Ok(Self { how, live, pace, heading, seats, drawn: 0, last: Instant::now(), turn: Vec::new() })
    }

    fn frame(&mut self, contest: &dyn Contest, clocks: [Duration; 2], last: &str) {
        let [first, second] = Side::BOTH.map(|side| {
            let at = side.index();
            paint(show::side(side), format!("{} {:.3} s", self.seats[at], clocks[at].as_secs_f64()))
        });
        let what = match contest.interaction() {
            Interaction::Session => "clocks",
            Interaction::PerAction => "used",
        };
        let text = format!("{}\n{}{what} {first}  {second}\n{last}\n", self.heading, draw::board(&contest.view()));
        // Drawing must never fail a game: a closed pipe only ends the show.
        let mut out = anstream::stdout();
        // Straight to the terminal: without colour, `out` would take these for colours and drop them.
        let mut terminal = std::io::stdout();
        if self.live && self.drawn > 0 {
            let wait = self.pace.saturating_sub(self.last.elapsed());
            thread::sleep(wait);
            let _ = execute!(terminal, MoveToPreviousLine(self.drawn), Clear(ClearType::FromCursorDown));
        }
        if self.live {
            // A line that wraps would count as two, and the next frame would begin too low.
            let _ = execute!(terminal, DisableLineWrap);
        }
        let _ = write!(out, "{text}");
        if self.live {
            let _ = execute!(terminal, EnableLineWrap);
        }
        let _ = out.flush();
        self.drawn = text.lines().count() as u16;
        self.last = Instant::now();
    }
}

/// ` 12 O 1 1 2 2   0.21 ms   3–2`
fn line(contest: &dyn Contest, seats: [&str; 2], played: &Played) -> String {
    let moment = played.moment;
    let score = contest.score().map_or(String::new(), |[first, second]| format!("  {first}–{second}"));
    let disturbed = if moment.disturbed() { paint(show::WARN, "  disturbed by the machine") } else { String::new() };
    format!(
        "{:>4} {} {:<12} {:>8}{score}{disturbed}",
        contest.ply(),
        paint(show::side(played.side), seats[played.side.index()]),
        played.arguments,
        show::time(moment.wall),
    )
}

/// `120 2 9 actions: REST 6, DIVIDE 2, MOVE 1   1.2 ms   8–17`: a whole turn of many actions.
fn many(contest: &dyn Contest, turn: &[Played]) -> String {
    let Some(last) = turn.last() else { return String::new() };
    let remarked = match turn.iter().filter(|played| played.remark.is_some()).count() {
        0 => String::new(),
        n => paint(show::WARN, format!("  {n} refused")),
    };
    let score = contest.score().map_or(String::new(), |[first, second]| format!("  {first}–{second}"));
    format!(
        "{:>6} {} {:<34} {:>8}{score}{remarked}",
        contest.ply(),
        paint(show::side(last.side), contest.seats()[last.side.index()]),
        deeds(turn),
        show::time(turn.iter().map(|played| played.moment.wall).sum()),
    )
}

/// A turn in a line; in a dialogue it is one move.
pub fn turn_line(contest: &dyn Contest, turn: &[Played]) -> String {
    match (contest.interaction(), turn) {
        (Interaction::Session, [.., played]) => line(contest, contest.seats(), played),
        _ => many(contest, turn),
    }
}

/// `REST 6, DIVIDE 2, MOVE 1`: how often each thing was done in a turn of many actions.
pub fn deeds(turn: &[Played]) -> String {
    let mut verbs: Vec<(&str, u32)> = Vec::new();
    for played in turn {
        let verb = played.arguments.split(' ').next().unwrap_or_default();
        match verbs.iter_mut().find(|(known, _)| *known == verb) {
            Some((_, count)) => *count += 1,
            None => verbs.push((verb, 1)),
        }
    }
    verbs.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let verbs: Vec<String> = verbs.into_iter().map(|(verb, count)| format!("{verb} {count}")).collect();
    verbs.join(", ")
}

/// Whether a turn is over with this move: always in a dialogue; with many actors a turn when the other side is next.
pub fn ends_turn(contest: &dyn Contest, played: &Played) -> bool {
    contest.interaction() == Interaction::Session || contest.turn() != Some(played.side)
}

impl Spectator for Audience {
    fn started(&mut self, contest: &dyn Contest, clocks: [Duration; 2]) {
        match self.how {
            ShowHow::Board => self.frame(contest, clocks, ""),
            ShowHow::Line => {
                let _ = writeln!(anstream::stdout(), "{}", self.heading);
            }
            ShowHow::None => {}
        }
    }

    fn moved(&mut self, contest: &dyn Contest, played: &Played) {
        if self.how == ShowHow::None {
            return;
        }
        self.turn.push(played.clone());
        if !ends_turn(contest, played) {
            return;
        }
        let line = turn_line(contest, &std::mem::take(&mut self.turn));
        match self.how {
            ShowHow::Board => self.frame(contest, played.clocks, &line),
            _ => {
                let _ = writeln!(anstream::stdout(), "{line}");
            }
        }
    }
}
