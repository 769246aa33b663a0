//! `agon check`: what the first minute of a competition would find of a bot.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::bot_check::{
    self, BotCheck, CheckError, CheckPlace, CheckTerms, DebugUse, MAX_CHECK_TIME, Step, StepOutcome,
};
use agon_arena::runner::RunStop;
use agon_arena::transcript::by_own_names;
use agon_catalog::{Capability, Game};
use agon_referee::agent::AgentSpec;
use agon_referee::limits::GameLimits;
use agon_referee::process;
use agon_referee::text::line;
use anyhow::bail;
use clap::Args;
use serde_json::json;

use crate::amount::mebibytes;
use crate::exit::{Exit, in_one_line};
use crate::failure::{as_written, fold};
use crate::jail::JailArgs;
use crate::options::{self, Format, OutputArgs, SeeArgs, game, parameter};
use crate::play::record;
use crate::show::{self, paint};
use crate::signals;
use crate::site_rules::ServerArgs;
use crate::span::{A_DAY, GivenClock, TimeSpan, a_clock, time};

const CHECK_HELP: &str = "\
The bot is compiled, answers READY, and plays both seats: against the two
weakest built-in players, against a script that passes and makes unusual legal
moves, and in rare situations (`agon new` writes them to files). Every failure
is listed with a remedy. A cell for petri answers on three dishes. A site checks
submissions in the same way.

With --debug the first game in which it crashes is repeated with a build that
shows the file, the line and the calls: C and C++ with sanitizers, which get
more memory, Rust with overflow checks and a backtrace, Python and Ruby with
the values of local variables. A bot in C, C++, Python or Ruby that does not
answer is stopped, and shows where it was. If it does not fail, bots in C, C++
and Rust repeat all games this way: reading outside an array often goes
unnoticed.

docs/failing.md shows what to run for each symptom of a bot that fails.

Exit codes: 0 ready to submit; 1 problems found; 2 the bot does not exist or
cannot be checked here.

Examples:
  agon check bot.cpp --game renju
  agon check bot.cpp --game renju --debug        where it crashed
  agon check PYPY3:bot.py --game bacteria --format json
  agon check \"./bot --depth 4\" --game domineering --clock 10+0.1
  agon check cell.py --game petri";

#[derive(Args, Debug)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckArgs {
    /// The bot: a source file, a folder of them, or a command in quotes
    #[arg(value_name = "BOT")]
    bot: String,

    /// The game
    #[arg(long, value_parser = game())]
    game: Game,

    /// The bot's clock in every game
    #[arg(long, value_name = "CLOCK", default_value = "10s", value_parser = a_clock,
          help_heading = options::only_for(Capability::Turns))]
    clock: GivenClock,

    /// Time to answer READY, for bots that take long to load
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(GameLimits::default().ready_ms),
          value_parser = time(A_DAY), help_heading = options::only_for(Capability::Turns))]
    ready: TimeSpan,

    /// Memory of its process tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mib,
          value_parser = mebibytes::<u64>(1_048_576))]
    memory: u64,

    /// Random seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// A parameter of the game, as `agon games` lists them; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter)]
    parameters: Vec<(String, String)>,

    /// Repeat the games with all runtime checks of the compiler, and show the line of each fault found
    #[arg(long)]
    debug: bool,

    #[command(flatten)]
    server: ServerArgs,

    #[command(flatten)]
    jail: JailArgs,

    #[command(flatten)]
    see: SeeArgs,

    #[command(flatten)]
    output: OutputArgs,
}

/// Columns of the names of steps.
const NAME_WIDTH: usize = 46;

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let text = args.see.agent(args.game, &args.bot);
    let spec = agents::parse(args.game, &text)?;
    if matches!(spec, AgentSpec::Builtin { .. }) {
        bail!("`{}` is a built-in player, which needs no check; name a bot of your own", args.bot);
    }
    let limits = GameLimits { memory_mib: args.memory, ready_ms: args.ready.ms(), ..GameLimits::default() }
        .with_clock(args.clock.of(args.game, "--clock")?);
    let parameters = options::parameters(&args.parameters)?;
    let (game, seed, run_stop) = (args.game, args.seed, RunStop::default());
    let place = CheckPlace::CommandLine;
    let debug = if args.debug { DebugUse::All } else { DebugUse::None };
    let terms = CheckTerms { game, parameters, limits, seed, time: MAX_CHECK_TIME, run_stop, place, debug };
    signals::watch()?;
    args.jail.choose(args.game, [&*args.bot])?;
    let text_wanted = args.output.format == Format::Text;
    if text_wanted {
        anstream::println!("{} {} for {}", paint(show::STRONG, "check of"), line(&args.bot), args.game);
    }
    let agent = PreparedAgent::prepare(args.game, spec, &limits)?;
    let mut hear = |step: &Step| {
        if text_wanted {
            // A closed pipe ends the check at its result.
            let _ = writeln!(anstream::stdout(), "{}", step_line(step));
        }
    };
    let mut found = match bot_check::check(&agent, &terms, &mut hear) {
        Ok(found) => found,
        Err(CheckError::Interrupted(_)) if process::interrupted() => return Ok(Exit::Stopped),
        Err(error) => return Err(error.into()),
    };
    for detail in found.findings.iter_mut().flat_map(|finding| &mut finding.details) {
        *detail = detail.map_texts(&|text| by_own_names(text, &agent.note()));
    }
    let kept = keep(&found);
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => {
            let BotCheck { steps, findings, notes, measures, failed_game: _ } = &found;
            let value = json!({
                "game": args.game.name(), "agent": args.bot, "ready": found.is_ready(), "findings": findings,
                "notes": notes, "steps": steps, "measures": measures, "record": kept,
            });
            writeln!(out, "{value}")?;
        }
        Format::Text => {
            write!(out, "{}", result(&found, &terms))?;
            if let (Some(path), Some(record)) = (&kept, &found.failed_game) {
                write!(out, "{}", record::what_next(record, path))?;
            }
        }
    }
    Ok(if found.is_ready() { Exit::Done } else { Exit::No })
}

/// Keeps the record of the game in which the bot failed first. A check does not fail because that cannot be written.
fn keep(found: &BotCheck) -> Option<PathBuf> {
    match record::keep(found.failed_game.as_deref()?, None) {
        Ok(path) => path,
        Err(error) => {
            anstream::eprintln!("{} {}", paint(show::WARN, "warning:"), in_one_line(&error));
            None
        }
    }
}

fn step_line(step: &Step) -> String {
    let (style, mark) = match step.outcome {
        StepOutcome::Passed => (show::GOOD, "ok   "),
        StepOutcome::Failed => (show::ERROR, "FAIL "),
        StepOutcome::Skipped => (show::FAINT, "-    "),
    };
    let detail = line(&step.detail.text);
    let beside = format!("  {mark} {:<NAME_WIDTH$} ", step.name);
    let text = match show::columns() {
        Some(columns) if beside.len() + detail.len() > columns && !detail.is_empty() => {
            format!("  {mark} {}\n{}", step.name, show::folded_to(columns, "        ", &detail))
        }
        _ => format!("{beside}{detail}"),
    };
    text.trim_end().replacen(mark, &paint(style, mark), 1)
}

/// What was measured and found, and whether the bot is ready.
fn result(found: &BotCheck, terms: &CheckTerms) -> String {
    let mut text = String::new();
    let measures = found.measures;
    if measures.games > 0 {
        let unit = if terms.game.has_sessions() { "plies" } else { "actions" };
        let clock = match terms.limits.common_clock() {
            clock if clock.is_sudden_death() && terms.game.has_sessions() => format!(" of {} ms", clock.base_ms),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "\n{}, the longest of {} {unit}; slowest move {} ms, most time in a game {} ms{clock}; memory {} of {} MiB",
            show::counted(measures.games.into(), "game"),
            measures.longest_game_plies,
            measures.slowest_move_ms,
            measures.game_ms,
            measures.peak_memory_mib,
            terms.limits.memory_mib
        );
    }
    for (number, finding) in (1..).zip(&found.findings) {
        let _ = writeln!(text, "\n{}", paint(show::ERROR, format!("{number}. {}", finding.place())));
        for line in fold(&finding.problem.text, 3) {
            let _ = writeln!(text, "{line}");
        }
        for detail in &finding.details {
            // What a program read and wrote keeps its lines.
            let lines =
                if detail.text.starts_with(' ') { vec![as_written(&detail.text, 5)] } else { fold(&detail.text, 5) };
            for line in lines {
                let _ = writeln!(text, "{line}");
            }
        }
        for line in fold(&format!("→ {}", finding.remedy), 3) {
            let _ = writeln!(text, "{line}");
        }
    }
    if !found.notes.is_empty() {
        text.push('\n');
    }
    for note in &found.notes {
        for line in fold(&format!("note: {note}"), 0) {
            let _ = writeln!(text, "{line}");
        }
    }
    let _ = match found.findings.len() as u64 {
        0 => writeln!(text, "\n{}", paint(show::GOOD, "ready to submit")),
        count => writeln!(text, "\n{}", paint(show::ERROR, format!("not ready: {}", show::counted(count, "finding")))),
    };
    text
}
