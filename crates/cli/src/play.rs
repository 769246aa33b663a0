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
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType, DisableLineWrap, EnableLineWrap};
use serde_json::json;

use crate::args::{self, Format, PlayArgs, ShowHow};
use crate::show::{self, paint};
use crate::{Answer, draw, failure, signals};

/// Referees one game.
pub fn run(args: &PlayArgs) -> anyhow::Result<Answer> {
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
    let mut bout = Bout::new(args.game, Setup { seed, parameters: args::parameters(&given)? }, limits)?;
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
        return Ok(Answer::Stopped);
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
    Ok(if process::interrupted() { Answer::Stopped } else { Answer::Done })
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
        let how = args::show_how(args.show, args.format, if terminal { ShowHow::Board } else { ShowHow::Line })?;
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
