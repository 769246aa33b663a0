//! `agon watch`: plays each new version of a program against an old one, while its author writes it.
//!
//! Whether there is a new version is found by looking at the digest of the program's files a few times a second, and
//! not by events of the file system: those differ between systems, miss what an editor renames or a network folder
//! changes, and would still have to be followed by a look at what has really changed.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::agents::PreparedAgent;
use agon_arena::bot_check::{self, CheckError, CheckPlace, CheckTerms, DebugUse};
use agon_arena::runner::{self, Finish, Roster, RunEvent, RunOptions, RunStop};
use agon_arena::trial::UnfitAgent;
use agon_arena::{Plan, Store, Tally, agents, transcript};
use agon_catalog::Game;
use agon_jobs::Progress as _;
use agon_referee::agent::{AgentError, AgentSpec};
use agon_referee::text::line;
use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};

use crate::arena::{self, TermArgs, tables};
use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::options::{Format, OutputArgs, game};
use crate::progress::Bar;
use crate::show::{ERROR, FAINT, GOOD, STRONG, WARN, counted, paint};
use crate::{completion, output, pool, signals};

/// How often the files are looked at, if that takes no longer itself.
const POLL_INTERVAL: Duration = Duration::from_millis(400);

/// How much longer than a look at the files the pause after it is, at least: large files take time.
const MIN_PAUSE_SHARE: u32 = 20;

/// Files of a folder of --source that are looked at.
const MAX_SOURCES: usize = 4096;

const MAX_FOLDER_DEPTH: usize = 12;

/// After this time the check of a version begins no further game.
const CHECK_TIME: Duration = Duration::from_secs(20);

/// Games with one result that show a difference: equal programs have them with a probability of less than 5 %.
const MIN_ONE_SIDED: u64 = 6;

/// Characters of a reason in the line of a version.
const MAX_REASON: usize = 240;

#[derive(Args, Debug)]
#[command(after_help = WATCH_HELP)]
pub(crate) struct WatchArgs {
    /// The program to watch: a source file, a folder of them, or a command in quotes
    #[arg(add = completion::agent())]
    pub agent: String,
    /// The opponent of every version: an older version, or a built-in player
    #[arg(long, value_name = "AGENT", add = completion::agent())]
    pub against: String,
    /// The game
    #[arg(long, value_parser = game())]
    pub game: Game,
    /// Number of games of each version, an even number
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    pub games: u32,
    /// A command that builds the program, run by `sh` before each version
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,
    /// A source file or folder of the program; may be given several times
    #[arg(long, value_name = "PATH")]
    pub source: Vec<PathBuf>,
    /// Save every version that passes the check in this pool (`agon pool`)
    #[arg(long, value_name = "DIR")]
    pub pool: Option<PathBuf>,
    #[command(flatten)]
    pub terms: TermArgs,
    /// The store of games and versions
    #[arg(long, value_name = "FILE", default_value = "agon.db")]
    pub db: PathBuf,
    #[command(flatten)]
    pub jail: JailArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

const WATCH_HELP: &str = "\
Each time you save the source, it is compiled, checked like `agon check`, and
plays a short match. One line shows the result: games won, drawn and lost, the
share of points, and whether the difference is clear (95 % confidence). All
versions play the same openings and seeds. If you save during a match, the match
stops and the new version begins. Ctrl-C quits.

For a command, the files beside the program are watched. A program that must be
built needs --build, and --source if its sources are in another folder.

Every version is a series in the store: `agon results --list` lists them, and
running the same command again reprints their lines.
With --format json: one line for each version.

Examples:
  agon watch bot.cpp --against old.cpp --game renju
  agon watch bot.py --against champion:3 --game bacteria --clock 2s -n 40
  agon watch ./bot --against ./old --game renju --build make --source src";

/// Watches until a signal comes.
pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<Exit> {
    let options = args.terms.options();
    options.check()?;
    for path in &args.source {
        fs::metadata(path).with_context(|| format!("--source `{}`", path.display()))?;
    }
    agents::named(args.game, &args.against).context("--against")?;
    // Later on an editor may have the file away for a moment.
    match agents::parse(args.game, &args.agent) {
        Err(error @ AgentError::NoSuchFile { .. }) if args.build.is_none() => return Err(error.into()),
        _ => {}
    }
    if let Some(folder) = &args.pool {
        pool::check_feed(folder, args.game, &args.agent)?;
    }
    let run_stop = signals::quiet_run_stop()?;
    args.jail.choose(args.game, [&*args.agent, &*args.against])?;
    output::folder_of(&args.db, "the store")?;
    let mut watch = Watch { args, options, run_stop, known: Vec::new(), last: None, shown: None, repeats_said: false };
    watch.introduce()?;
    watch.history()?;
    while !watch.run_stop.is_raised() {
        if !watch.build()? {
            break;
        }
        let files = watch.files();
        watch.version(&files)?;
        watch.wait_for_change(&files);
    }
    Ok(Exit::Done)
}

struct Watch<'a> {
    args: &'a WatchArgs,
    options: RunOptions,
    run_stop: RunStop,
    /// The fingerprints of the versions that have had a line, in their order.
    known: Vec<String>,
    /// The share of points of the version before.
    last: Option<f64>,
    /// The version of the last line, and how many games it had there.
    shown: Option<(String, u64)>,
    /// It has been said how games become different ones.
    repeats_said: bool,
}

impl Watch<'_> {
    /// Says what is about to happen.
    fn introduce(&self) -> anyhow::Result<()> {
        let WatchArgs { agent, against, game, games, .. } = self.args;
        if self.args.output.format == Format::Text {
            let words = format!(
                "{game}: each version of {} that you save plays {games} games against {} (Ctrl-C stops)",
                line(agent),
                line(against)
            );
            writeln!(anstream::stdout(), "{}", paint(FAINT, words))?;
        }
        Ok(())
    }

    /// Builds the program, if there is a command for that; false if it was stopped.
    fn build(&mut self) -> anyhow::Result<bool> {
        let Some(command) = &self.args.build else { return Ok(true) };
        loop {
            let sources = self.sources();
            let ran = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).output();
            let ran = ran.context("cannot run `sh` for --build")?;
            if self.run_stop.is_raised() {
                return Ok(false);
            }
            if ran.status.success() {
                return Ok(true);
            }
            let message = String::from_utf8_lossy(&ran.stderr);
            self.say_problem("it does not build: ", &error_line(&message, || ran.status.to_string()))?;
            while !self.run_stop.is_raised() && self.sources() == sources {
                thread::sleep(POLL_INTERVAL);
            }
        }
    }

    /// A digest of what the program and the opponent are made of.
    fn files(&self) -> String {
        let print = |text: &str| match agents::parse(self.args.game, text).and_then(|spec| agents::fingerprint(&spec)) {
            Ok(fingerprint) => fingerprint,
            Err(error) => error.to_string(),
        };
        format!("{} {} {}", print(&self.args.agent), print(&self.args.against), self.sources())
    }

    /// The files of --source, by their names, sizes and times.
    fn sources(&self) -> String {
        let mut found = Vec::new();
        for path in &self.args.source {
            collect(path, MAX_FOLDER_DEPTH, &mut found);
        }
        found.join("\n")
    }

    /// Waits until the files are no longer these, and have stayed the same between two looks: an editor may write a
    /// file in parts.
    fn wait_for_change(&self, files: &str) {
        let mut before = files.to_owned();
        loop {
            let begun = Instant::now();
            let now = self.files();
            if self.run_stop.is_raised() || now != files && now == before {
                return;
            }
            before = now;
            thread::sleep(POLL_INTERVAL.max(begun.elapsed() * MIN_PAUSE_SHARE));
        }
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let args = self.args;
        arena::plan(args.game, &[args.agent.clone(), args.against.clone()], &args.terms, |plan| {
            plan.games = args.games;
            Ok(())
        })
    }

    /// Shows the versions that are in the store.
    fn history(&mut self) -> anyhow::Result<()> {
        if !self.args.db.is_file() {
            return Ok(());
        }
        // Mistakes in the program are reported when it should play.
        let Ok(plan) = self.plan() else { return Ok(()) };
        let store = Store::read(&self.args.db)?;
        let (runs, _) = store.runs()?;
        let same = |other: &Plan| {
            other.text_digest() == plan.text_digest() && other.agents[1].fingerprint == plan.agents[1].fingerprint
        };
        for run in runs.iter().filter(|run| same(&run.plan)) {
            let (bouts, _) = store.readable(run.id)?;
            let tally = Tally::of(&run.plan, &bouts);
            if tally.bouts() > 0 {
                self.say_result(&run.plan, run.id, &tally, false)?;
            }
        }
        Ok(())
    }

    /// Tries the version that is there now, and has it play, until it is done or the files are no longer these.
    fn version(&mut self, files: &str) -> anyhow::Result<()> {
        let plan = match self.plan() {
            Ok(plan) => plan,
            Err(error) => return self.say_problem("", &error.to_string()),
        };
        let roster = match Roster::tried(&plan, &self.run_stop) {
            Ok(roster) => roster,
            Err(_) if self.run_stop.is_raised() => return Ok(()),
            Err(unfit) => {
                let of_agent = |agent: &&UnfitAgent| agent.name == plan.agents[0].name;
                let Some(problem) = unfit.0.iter().find(of_agent).map(|agent| agent.source.to_string()) else {
                    return Err(unfit.into());
                };
                return self.say_problem("", &error_line(&problem, String::new));
            }
        };
        if self.run_stop.is_raised() {
            return Ok(());
        }
        let mut store = arena::open(&self.args.db)?;
        let (ended, changed) = (AtomicBool::new(false), AtomicBool::new(false));
        let run_stop = RunStop::default();
        let played = thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(Ordering::SeqCst) {
                    let begun = Instant::now();
                    let is_changed = self.files() != files;
                    if is_changed || self.run_stop.is_raised() {
                        changed.store(is_changed, Ordering::SeqCst);
                        run_stop.finish();
                        return;
                    }
                    thread::sleep(POLL_INTERVAL.max(begun.elapsed() * MIN_PAUSE_SHARE));
                }
            });
            let found = self.check(&plan, &run_stop);
            if !matches!(found, Ok(None)) {
                ended.store(true, Ordering::SeqCst);
                return found.map(Err);
            }
            // A version that is replaced before it has begun shows what it had played when it was there before.
            let fed = if run_stop.is_raised() { Ok(()) } else { self.feed() };
            if let Err(error) = fed {
                ended.store(true, Ordering::SeqCst);
                return Err(error);
            }
            let (sender, events) = mpsc::channel();
            let shown = &plan;
            let display = scope.spawn(move || show_progress(shown, &events));
            let finish = runner::run(&plan, &roster, &mut store, &self.options, &run_stop, &sender);
            ended.store(true, Ordering::SeqCst);
            drop(sender);
            let _ = display.join();
            Ok(Ok(finish?))
        });
        let Finish { run, .. } = match played {
            Err(error) if self.run_stop.is_raised() && arena::is_locked(&error) => return Ok(()),
            Err(error) => return Err(error),
            Ok(Err(Some(problem))) => return self.say_problem("", &problem),
            Ok(Err(None)) => return Ok(()),
            Ok(Ok(finish)) => finish,
        };
        // A match that was broken off may not have come to all that an earlier one had played.
        let (bouts, _) = store.readable(run)?;
        let tally = Tally::of(&plan, &bouts);
        let same = (plan.agents[0].fingerprint.clone(), tally.bouts());
        if tally.bouts() == 0 || self.shown.as_ref() == Some(&same) {
            return Ok(());
        }
        let broken_off = changed.load(Ordering::SeqCst) && tally.bouts() < u64::from(plan.games);
        self.say_result(&plan, run, &tally, broken_off)
    }

    /// Saves a version that is ready in the pool of --pool.
    fn feed(&self) -> anyhow::Result<()> {
        let Some(folder) = &self.args.pool else { return Ok(()) };
        let saved = pool::feed(folder, self.args.game, &self.args.agent)?;
        if let (Some(name), Format::Text) = (saved, self.args.output.format) {
            let words = format!("saved as {name} in the pool `{}`", folder.display());
            writeln!(anstream::stdout(), "{}", paint(FAINT, words))?;
        }
        Ok(())
    }

    /// What a competition would find of a version that has not played yet, in a line.
    fn check(&self, plan: &Plan, run_stop: &RunStop) -> anyhow::Result<Option<String>> {
        let spec = agents::parse(plan.game, &plan.agents[0].agent)?;
        if matches!(spec, AgentSpec::Builtin { .. }) || self.known.contains(&plan.agents[0].fingerprint) {
            return Ok(None);
        }
        let (limits, parameters) = (plan.limits_for(0), plan.parameters.clone());
        let agent = PreparedAgent::prepare(plan.game, spec, &limits)?;
        let (game, seed, time, run_stop) = (plan.game, plan.seed, CHECK_TIME, run_stop.clone());
        let place = CheckPlace::CommandLine;
        let terms = CheckTerms { game, parameters, limits, seed, time, run_stop, place, debug: DebugUse::First };
        let found = match bot_check::check(&agent, &terms, &mut |_| {}) {
            Ok(found) => found.findings,
            // The machine is too busy: the match says so, too.
            Err(CheckError::Interrupted(_) | CheckError::Undecided(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let Some(first) = found.first() else { return Ok(None) };
        let place = first.steps.first().map_or_else(String::new, |step| format!("{step}: "));
        let more = match found.len() - 1 {
            0 => String::new(),
            more => format!("; agon check finds {more} more"),
        };
        // Where it crashed says more than that it did.
        let problem = match first.crash.as_ref().and_then(|crash| Some((crash, crash.calls.first()?))) {
            Some((crash, call)) => format!("{call}: {}", crash.problem),
            None => first.problem.text.clone(),
        };
        Ok(Some(format!("{place}{problem}{more}")))
    }

    /// The line of a version that has played.
    fn say_result(&mut self, plan: &Plan, run: i64, tally: &Tally, broken_off: bool) -> anyhow::Result<()> {
        let fingerprint = &plan.agents[0].fingerprint;
        let known = self.known.iter().position(|known| known == fingerprint);
        let number = known.unwrap_or(self.known.len()) + 1;
        if known.is_none() {
            self.known.push(fingerprint.clone());
        }
        self.shown = Some((fingerprint.clone(), tally.bouts()));
        let cell = tally.against(0, 1);
        // An earlier match of the two may have been longer.
        let games = u64::from(plan.games).max(tally.bouts());
        let share = 100.0 * cell.points() / cell.bouts().max(1) as f64;
        let before = self.last.replace(share);
        let failed = tables::failures(plan, tally.failures(), 1);
        let mut out = anstream::stdout();
        if self.args.output.format == Format::Json {
            let elo = tally.pairs(0, 1).elo();
            let elo = (tally.pairs(0, 1).pairs() > 0).then(|| json!([elo.low, elo.value, elo.high]));
            let value = json!({
                "version": number, "fingerprint": fingerprint, "run": run, "wins": cell.wins, "draws": cell.draws,
                "losses": cell.losses, "games": games, "elo": elo, "broken_off": broken_off,
                "failure": failed.first(), "problem": null,
            });
            writeln!(out, "{}", output::json(value))?;
            return Ok(());
        }
        let change = before.map_or(String::new(), |before| {
            let style = if share >= before { GOOD } else { WARN };
            format!(" ({})", paint(style, format!("{before:.1} % before")))
        });
        let mut text = format!(
            "{}  {} won, {} drawn, {} lost of {}: {share:.1} %{change}, {}",
            paint(STRONG, heading(Some(number))),
            cell.wins,
            cell.draws,
            cell.losses,
            counted(games, "game"),
            verdict(plan, tally)
        );
        if broken_off {
            text += &paint(FAINT, "; stopped for a newer version");
        }
        if let Some(failure) = failed.first() {
            text += &format!("\n{:11}{} {}", "", paint(ERROR, "failed"), shortened(failure));
        }
        writeln!(out, "{text}")?;
        if tally.is_one_pair(0, 1) && !self.repeats_said {
            self.repeats_said = true;
            writeln!(out, "{}", paint(FAINT, format!("{}.", tables::remedy(plan))))?;
        }
        Ok(())
    }

    /// The line of a version that cannot play.
    fn say_problem(&mut self, what: &str, problem: &str) -> anyhow::Result<()> {
        self.shown = None;
        let mut out = anstream::stdout();
        let problem = shortened(problem);
        if self.args.output.format == Format::Json {
            let value: Value = json!({ "version": null, "problem": format!("{what}{problem}") });
            writeln!(out, "{}", output::json(value))?;
        } else {
            writeln!(out, "{}  {what}{problem}", paint(ERROR, heading(None)))?;
        }
        Ok(())
    }
}

/// `version 3`, in the columns of all headings.
fn heading(number: Option<usize>) -> String {
    let text = number.map_or_else(|| "not ready".to_owned(), |number| format!("version {number}"));
    format!("{text:<9}")
}

/// What the result says about the two, as far as it is sure: `weaker than greedy`.
fn verdict(plan: &Plan, tally: &Tally) -> String {
    let rival = line(&plan.agents[1].name);
    let pairs = tally.pairs(0, 1);
    if tally.is_one_pair(0, 1) {
        return format!("{} of them copies of others", tally.repeated());
    }
    let elo = pairs.elo();
    let cell = tally.against(0, 1);
    match pairs.pairs() {
        0 => "too few games to compare".to_owned(),
        // An interval needs games that differ in their results.
        _ if cell.wins == cell.bouts() && cell.bouts() >= MIN_ONE_SIDED => format!("stronger than {rival}"),
        _ if cell.losses == cell.bouts() && cell.bouts() >= MIN_ONE_SIDED => format!("weaker than {rival}"),
        _ if elo.low > 0.0 => format!("stronger than {rival}"),
        _ if elo.high < 0.0 => format!("weaker than {rival}"),
        _ => format!("no clear difference from {rival}"),
    }
}

/// One line of at most [`MAX_REASON`] characters.
fn shortened(text: &str) -> String {
    transcript::cut(text.trim(), MAX_REASON)
}

/// The place that a syntax error of Python or Node names: `File "bot.py", line 3` or `bot.js:3`.
fn place_of_error(line: &str) -> Option<String> {
    if let Some((file, rest)) = line.strip_prefix("File \"").and_then(|rest| rest.split_once("\", line ")) {
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        return Some(format!("{file}:{number}"));
    }
    let (file, number) = line.rsplit_once(':')?;
    (file.ends_with("js") && number.parse::<u32>().is_ok()).then(|| line.to_owned())
}

/// The line of a message that names the error: the first that says so, else the last.
fn error_line(message: &str, otherwise: impl FnOnce() -> String) -> String {
    let mut lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    // `SyntaxError: invalid syntax`, which stands below the source that Python shows.
    let exception = |line: &&str| {
        let name = line.split_once(':').map_or(*line, |(name, _)| name);
        name.ends_with("Error") && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
    };
    if let Some(error) = lines.clone().find(exception)
        && let Some(place) = lines.clone().filter_map(place_of_error).next_back()
    {
        return format!("{place}: {error}");
    }
    let named = lines
        .clone()
        .find(exception)
        .or_else(|| lines.clone().find(|line| ["error", "Error"].iter().any(|word| line.contains(word))));
    named.or_else(|| lines.next_back()).map_or_else(otherwise, str::to_owned)
}

/// The running result on a terminal.
fn show_progress(plan: &Plan, events: &mpsc::Receiver<RunEvent>) {
    let Ok(bar) = Bar::new("{msg}") else { return };
    let mut tally = Tally::new(plan);
    for event in events {
        match event {
            RunEvent::Round { kept, .. } => kept.iter().for_each(|bout| tally.add(bout)),
            RunEvent::Finished { bout, .. } => tally.add(&bout),
            RunEvent::Recounted => tally = Tally::new(plan),
            _ => {}
        }
        let cell = tally.against(0, 1);
        bar.set_message(format!(
            "playing    {} won, {} drawn, {} lost of {} games",
            cell.wins, cell.draws, cell.losses, plan.games
        ));
    }
}

/// Adds the files of a folder, or a file, each with its size and the time of its last change. What a build makes,
/// hidden files and links are left out.
fn collect(path: &Path, depth: usize, found: &mut Vec<String>) {
    let Ok(data) = fs::symlink_metadata(path) else { return };
    if data.is_file() {
        found.push(format!("{} {} {}.{}", path.display(), data.len(), data.mtime(), data.mtime_nsec()));
    } else if data.is_dir() && depth > 0 && !path.join("CACHEDIR.TAG").exists() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        entries.sort_unstable();
        let made = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
            name.starts_with('.') || name == "__pycache__" || ["o", "d", "obj", "class", "db", "log"].contains(&end)
        };
        for entry in entries.iter().filter(|path| !made(path)) {
            if found.len() >= MAX_SOURCES {
                return;
            }
            collect(entry, depth - 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn the_line_that_names_the_error_is_shown() {
        let check = |message: &str, shown: &str| {
            assert_eq!(error_line(message, || "exit status: 2".to_owned()), shown, "{message}");
        };
        check(
            "  File \"bot.py\", line 3\n    a syntax error here\n      ^\nSyntaxError: invalid syntax",
            "bot.py:3: SyntaxError: invalid syntax",
        );
        check(
            "/c/bot.js:2\n  let = ;\n      ^\n\nSyntaxError: Unexpected token ';'\n    at wrap (node:internal/x:1:2)",
            "/c/bot.js:2: SyntaxError: Unexpected token ';'",
        );
        check("bot.c: In function ‘main’:\nbot.c:2:5: error: no\n    2 | x", "bot.c:2:5: error: no");
        check(
            "  File \"bot.py\", line 1\n    x=\nSyntaxError: invalid syntax\n",
            "bot.py:1: SyntaxError: invalid syntax",
        );
        check("begun\nmissing separator\n\n", "missing separator");
        check("", "exit status: 2");
    }

    #[test]
    fn a_match_that_is_broken_off_has_what_was_played_before() {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            args: WatchArgs,
        }
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("agon.db");
        let words = "watch greedy --against random --game domineering --size 4 -n 8 --force --format json --db";
        let words = words.split(' ').map(OsStr::new).chain([db.as_os_str()]);
        let args = <Line as clap::Parser>::parse_from(words).args;
        let (options, run_stop) = (args.terms.options(), RunStop::default());
        let mut watch =
            Watch { args: &args, options, run_stop, known: Vec::new(), last: None, shown: None, repeats_said: false };
        let files = watch.files();
        watch.version(&files).unwrap();
        assert_eq!(watch.shown.take().map(|(_, games)| games), Some(8));
        // The files are no longer these when it is to begin.
        watch.version("others").unwrap();
        assert_eq!(watch.shown.take().map(|(_, games)| games), Some(8));
    }

    #[test]
    fn a_changed_source_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let seen = || {
            let mut found = Vec::new();
            collect(folder.path(), MAX_FOLDER_DEPTH, &mut found);
            found
        };
        fs::create_dir(path("part")).unwrap();
        fs::write(path("part/a.h"), "1").unwrap();
        let first = seen();
        fs::write(path("b.o"), "made").unwrap();
        fs::write(path(".hidden"), "x").unwrap();
        assert_eq!((first.len(), seen()), (1, first.clone()));
        fs::write(path("part/a.h"), "12").unwrap();
        assert_ne!(seen(), first);
        assert_eq!([heading(Some(3)), heading(None)], ["version 3", "not ready"]);
    }
}
