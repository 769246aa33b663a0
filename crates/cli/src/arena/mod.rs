//! `agon match`, `sprt`, `tournament`, `results`, `export` and `report`: series of games and their results.

mod args;
pub(crate) mod chart;
mod export;
mod faults;
pub(crate) mod html;
mod identity;
mod live;
mod pgn;
mod report;
mod results;
pub(crate) mod tables;
mod theory;
mod why;

pub(crate) use args::{ExportArgs, MatchArgs, ReportArgs, ResultsArgs, SprtArgs, StoredRun, TermArgs, TournamentArgs};

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::check::Problem;
use agon_arena::plan::{Entrant, Kind, usual_openings};
use agon_arena::runner::{self, Finish, Roster, RunEnd, RunError, RunEvent};
use agon_arena::stats::sprt::{Scale, Sprt, Status};
use agon_arena::store::StoreError;
use agon_arena::transcript::without_cache;
use agon_arena::{Plan, Store, Tally, config, openings, schedule};
use agon_catalog::Game;
use agon_fleet::{RunTerms, SeriesQueue, check_agents};
use agon_referee::adjudication::Adjudication;
use agon_referee::limits::GameLimits;
use agon_referee::text;
use anyhow::{Context, anyhow, bail};
use args::{Openings, PairClockArgs, RunArgs, TournamentKind};
use serde_json::json;

use crate::exit::{Exit, in_one_line};
use crate::nats::timing;
use crate::options::{self, Format};
use crate::output;
use crate::show::{self, STRONG, paint};
use crate::signals;

const DEFAULT_SWISS_ROUNDS: u32 = 5;

const DEFAULT_PAIRING_GAMES: u32 = 10;

/// Games that --dry-run lists as text; the last round among them is listed whole.
const MAX_DRY_RUN_GAMES: u64 = 40;

/// Time that another program may lock the store before a message says so.
const LOCK_MESSAGE_DELAY: Duration = Duration::from_secs(5);

pub(crate) fn of_match(args: &MatchArgs) -> anyhow::Result<Exit> {
    let plan = plan(args.game, &[args.first.clone(), args.second.clone()], &args.run.terms, |plan| {
        (plan.games, plan.stay) = (args.games, args.run.stay);
        set_clocks(plan, &args.clocks)
    })?;
    play(&plan, &args.run)
}

/// `agon sprt`: the answer is no if H0 is accepted, or if the games run out undecided.
pub(crate) fn sprt(args: &SprtArgs) -> anyhow::Result<Exit> {
    let plan = plan(args.game, &[args.new.clone(), args.old.clone()], &args.run.terms, |plan| {
        (plan.games, plan.stay) = (args.games, args.run.stay);
        set_clocks(plan, &args.clocks)?;
        plan.test = Some(Sprt {
            elo0: args.elo0,
            elo1: args.elo1,
            alpha: args.alpha,
            beta: args.beta,
            scale: if args.normalized { Scale::Normalized } else { Scale::Logistic },
        });
        Ok(())
    })?;
    play(&plan, &args.run)
}

pub(crate) fn tournament(args: &TournamentArgs) -> anyhow::Result<Exit> {
    if args.rounds.is_some() && args.kind != TournamentKind::Swiss {
        bail!("--rounds is for --kind swiss: leave it out");
    }
    let plan = match (&args.agents[..], args.game) {
        ([file, agents @ ..], None) if agents.is_empty() || Path::new(file).is_file() => {
            let beside = config::Beside { games: args.games, agents };
            config::load(Path::new(file), beside).with_context(|| format!("`{file}`"))?
        }
        (_, None) => bail!("name a tournament file, or the game with --game and at least two agents"),
        (agents, Some(game)) => plan(game, agents, &args.run.terms, |plan| {
            (plan.games, plan.stay) = (args.games.unwrap_or(DEFAULT_PAIRING_GAMES), args.run.stay);
            plan.kind = match args.kind {
                TournamentKind::RoundRobin => Kind::RoundRobin,
                TournamentKind::Gauntlet => Kind::Gauntlet,
                TournamentKind::Swiss => Kind::Swiss { rounds: args.rounds.unwrap_or(DEFAULT_SWISS_ROUNDS) },
            };
            Ok(())
        })?,
    };
    play(&plan, &args.run)
}

pub(crate) use export::{open as stored, run as export};
pub(crate) use report::run as report;
pub(crate) use results::run as results;

/// Gives the agents of a match clocks of their own.
fn set_clocks(plan: &mut Plan, clocks: &PairClockArgs) -> anyhow::Result<()> {
    for (agent, (option, clock)) in
        plan.agents.iter_mut().zip([("--first-clock", &clocks.first_clock), ("--second-clock", &clocks.second_clock)])
    {
        if clock.is_some() && agent.clock.is_some() {
            bail!("{option} and clock= of `{}` both set its clock: leave one out", agent.name);
        }
        let given = clock.as_ref().map(|clock| clock.of(plan.game, option)).transpose()?;
        agent.clock = given.or(agent.clock);
    }
    Ok(())
}

/// Creates a plan from the command line. All its problems are reported together.
pub(crate) fn plan(
    game: Game,
    agents: &[String],
    args: &TermArgs,
    shape: impl FnOnce(&mut Plan) -> anyhow::Result<()>,
) -> anyhow::Result<Plan> {
    let mut problems = Vec::new();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut entrants = Vec::new();
    for text in agents {
        let paced = args.see.agent(game, &args.pace.agent(game, text));
        let whole = args.each.iter().map(String::as_str).chain([paced.as_str()]).collect::<Vec<_>>().join(" ");
        let mut entrant = Entrant::read(&whole, game).unwrap_or_else(|error| {
            problems.push(error.to_string());
            Entrant::unread(text)
        });
        // Settings before all agents distinguish none.
        if whole != *text && entrant.name == entrant.agent {
            entrant = entrant.named(text.as_str());
        }
        // The same agent may play itself, under two names.
        let count = seen.entry(text).and_modify(|count| *count += 1).or_insert(1);
        if *count > 1 {
            let name = format!("{}#{count}", entrant.name);
            entrant = entrant.named(name);
        }
        entrant.openings |= args.openings_understood;
        entrants.push(entrant);
    }
    let texts = || agents.iter().map(String::as_str);
    for checked in [args.pace.check(game, texts()), args.see.check(game, texts())] {
        problems.extend(checked.err().map(|error| error.to_string()));
    }
    let given = [args.parameters.clone(), options::sides(args.size, game)].concat();
    let parameters = options::parameters(&given).unwrap_or_else(|error| {
        problems.push(error.to_string());
        BTreeMap::new()
    });
    let adjudication = args.adjudication.rules().unwrap_or_else(|error| {
        problems.push(in_one_line(&error));
        Adjudication::OFF
    });
    let mut plan = Plan {
        game,
        parameters,
        openings: match args.openings {
            None => usual_openings(game, &entrants),
            Some(Openings::Plies(plies)) => plies,
            Some(Openings::File(_)) => 0,
        },
        opening_file: None,
        agents: entrants,
        kind: Kind::RoundRobin,
        games: 2,
        limits: args.pace.limits(
            args.clock.of(game, "--clock")?,
            GameLimits {
                invocation_ms: args.invocation.ms(),
                memory_mib: args.memory,
                freeze: args.freeze,
                adjudication,
                ..GameLimits::default()
            },
        ),
        seed: args.seed,
        stay: false,
        test: None,
    };
    if let Err(error) = shape(&mut plan) {
        problems.push(error.to_string());
    }
    if let Some(Openings::File(path)) = &args.openings {
        if let Err(error) = plan.open_with(path, args.opening_choice()) {
            problems.push(format!("--openings: {error}"));
        }
    } else {
        let file = |option| format!("{option} is for a file of openings: name one with --openings FILE");
        problems.extend(args.opening_options().map(file));
    }
    if let Err(error) = plan.check() {
        problems.extend(error.0.iter().map(Problem::to_string));
    }
    if problems.is_empty() {
        return Ok(plan);
    }
    bail!("{}", problems.join("\n       "))
}

/// Plays the missing games of a plan, shows the progress, and prints the results.
fn play(plan: &Plan, args: &RunArgs) -> anyhow::Result<Exit> {
    if args.dry_run {
        return dry_run(plan, args.output.format);
    }
    // A series that cannot begin leaves no store behind.
    let options = args.options()?;
    if args.nats.is_none() {
        options.check()?;
        options.check_threads(plan)?;
    } else {
        check_agents(plan)?;
    }
    let run_stop = signals::run_stop()?;
    args.jail.choose(plan.game, plan.agents.iter().map(|entrant| &*entrant.agent))?;
    // Before a resumed series as well: an agent that was fine may lack its compiler by now.
    let roster = Roster::tried(plan, &run_stop);
    if run_stop.is_raised() {
        return Ok(Exit::Stopped);
    }
    let roster = roster.map_err(|unfit| anyhow!(without_cache(&unfit.to_string())))?;
    let fleet = args.nats.connect()?;
    let keys = fleet.as_ref().map(|_| anyhow::Ok((args.nats.key()?, args.nats.workers()?))).transpose()?;
    output::folder_of(&args.db, "the store")?;
    let mut store = open(&args.db)?;
    if let Some(notice) = identity::notice(&store, plan)? {
        anstream::eprintln!("{notice}");
    }
    let finish = displayed(plan, &args.db, args.output.format, |sender| {
        let (Some(fleet), Some((key, workers))) = (&fleet, keys) else {
            return Ok(runner::run(plan, &roster, &mut store, &options, &run_stop, sender)?);
        };
        let terms = RunTerms {
            processors: args.terms.processors,
            labels: args.nats.labels.clone(),
            sign: options.sign,
            audit: args.nats.audit(),
            key: Some(key),
            workers,
            timing: timing(),
        };
        let mut queue = SeriesQueue::open(fleet, plan, &args.db, terms, sender)?;
        Ok(runner::submit(plan, &mut store, &mut queue, &run_stop, sender)?)
    });
    let finish = match finish {
        Err(error) if run_stop.is_raised() && is_locked(&error) => return Ok(Exit::Stopped),
        finish => finish?,
    };
    // The store may contain more: games of a longer run, and those that a test played after its decision.
    let mut bouts = store.bouts(finish.run, 0..u32::try_from(plan.bouts())?)?;
    let tally = Tally::of(plan, &bouts);
    bouts.retain(|bout| tally.counts(bout));
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => {
            writeln!(
                out,
                "{}",
                crate::output::json(tables::json(plan, finish.run, &tally, &bouts, Some(finish.ending)))
            )?;
        }
        Format::Text => {
            write!(out, "{}", tables::text(plan, &tally, &bouts))?;
            let played = show::counted(finish.played, "game");
            writeln!(out, "run {} in {} ({played} played now)", finish.run, args.db.display())?;
            let beyond = store.count(finish.run)? - store.count_below(finish.run, plan.bouts())?;
            if let Some(text) = tables::beyond(beyond, plan) {
                writeln!(out, "{}: `agon results {} --db {}` shows all", text, finish.run, args.db.display())?;
            }
            if finish.ending == RunEnd::Stopped {
                writeln!(out, "{}: the same command plays the rest", paint(STRONG, "stopped"))?;
            }
        }
    }
    Ok(answer(&finish))
}

/// Plays a plan by `play`, which sends events, while they are displayed.
pub(crate) fn displayed(
    plan: &Plan,
    store: &Path,
    format: Format,
    play: impl FnOnce(&mpsc::Sender<RunEvent>) -> anyhow::Result<Finish>,
) -> anyhow::Result<Finish> {
    let (sender, events) = mpsc::channel();
    thread::scope(|scope| {
        let display = scope.spawn(move || live::show(plan, store, &events, format));
        let finish = play(&sender);
        drop(sender);
        // A failed display must not fail the games.
        let _ = display.join();
        finish
    })
}

/// Returns true if a run ended because another program locked the store.
pub(crate) fn is_locked(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(RunError::Store(StoreError::Locked)))
}

/// Opens a store for writing; waits while another program has locked it.
pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
    let (start, mut said) = (Instant::now(), false);
    loop {
        match Store::open(path) {
            Err(StoreError::Locked) => {}
            other => return other,
        }
        if !said && start.elapsed() >= LOCK_MESSAGE_DELAY {
            said = true;
            live::say_waiting(path);
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// A test that does not accept H1 is a no; a stopped series is neither.
fn answer(finish: &Finish) -> Exit {
    match (finish.ending, finish.tally.test().map(|decision| decision.status)) {
        (RunEnd::Stopped, _) => Exit::Stopped,
        (_, Some(Status::H0 | Status::Continue)) => Exit::No,
        _ => Exit::Done,
    }
}

/// Prints the games that would be played; for a Swiss tournament only the first round is known. As text, one page of
/// them.
fn dry_run(plan: &Plan, format: Format) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    let tally = Tally::new(plan);
    let rounds = if matches!(plan.kind, Kind::Swiss { .. }) { 1 } else { plan.rounds() };
    let name = |at: usize| plan.agents[at].name.as_str();
    if format == Format::Text {
        let most = if plan.test.is_some() { "at most " } else { "" };
        writeln!(out, "{}: {most}{} in all", paint(STRONG, plan.title()), show::counted(plan.bouts(), "game"))?;
        if let Some(test) = plan.test {
            writeln!(out, "{}", test.setting())?;
        }
        write!(out, "{}", tables::openings(plan).unwrap_or_default())?;
    }
    let mut listed = 0;
    for number in 0..rounds {
        let round = schedule::round(plan, number, &tally);
        if format == Format::Text && listed >= MAX_DRY_RUN_GAMES {
            let left = if rounds == plan.rounds() { plan.bouts() } else { plan.bouts_per_round() } - listed;
            let left = show::counted(left, "game");
            writeln!(out, "… and {left} more: --format json lists all")?;
            break;
        }
        if let Some(bye) = round.bye
            && format == Format::Text
        {
            writeln!(out, "{} has a bye in round {}", text::line(name(bye)), number + 1)?;
        }
        for slot in schedule::slots(plan, &round) {
            let [first, second] = slot.seats.map(name);
            listed += 1;
            match format {
                Format::Text => {
                    let (first, second) = (text::line(first), text::line(second));
                    let opening = openings::note(plan, &slot).map_or_else(String::new, |note| format!("  {note}"));
                    writeln!(
                        out,
                        "{:>6}  {first} – {second}  seed {}{}",
                        slot.number,
                        slot.seed,
                        text::line(&opening)
                    )?;
                }
                Format::Json => {
                    let opening = openings::note(plan, &slot);
                    let (slot, seed) = (slot.number, slot.seed);
                    let mut line =
                        json!({ "slot": slot, "round": number, "first": first, "second": second, "seed": seed });
                    if let Some(opening) = opening {
                        line["opening"] = json!(opening);
                    }
                    writeln!(out, "{line}")?;
                }
            }
        }
    }
    Ok(Exit::Done)
}
