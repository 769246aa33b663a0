//! `agon pool`: every saved version of a program, rated on one scale.

mod page;
mod show;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::bot_check::{self, CheckPlace, CheckTerms, DebugUse};
use agon_arena::pool::{Pool, PoolError};
use agon_arena::runner::{self, Affinity, Roster, RunOptions, RunStop};
use agon_arena::trial::UnfitAgents;
use agon_catalog::Game;
use agon_jobs::Progress as _;
use agon_referee::agent::AgentSpec;
use agon_referee::text::line;
use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};

use crate::arena::{self, TermArgs};
use crate::exit::{Exit, in_one_line};
use crate::jail::JailArgs;
use crate::options::{OutputArgs, game, up_to};
use crate::progress::Bar;
use crate::show::{WARN, counted, paint};
use crate::{completion, input, output, signals};

const POOL_HELP: &str = "\
A pool keeps every saved version of your program with its source, and rates all
versions on one scale against fixed opponents: built-in players, other bots and
earlier versions. `add` saves the current program. `play` gives games to the
members whose order is least certain, so new versions play most and old ones
keep their ratings. Every game is stored when it ends: after Ctrl-C or a kill,
the same command resumes. Without a subcommand, the list is printed.

Examples:
  agon pool add bot.cpp --game renju --against greedy --against champion:3
  agon pool add bot.cpp --note \"null move\"
  agon pool play -n 200
  agon pool
  agon watch bot.cpp --against greedy --game renju --pool pool";

const ADD_HELP: &str = "\
The source is copied into the pool's folder. A new pool needs --game and sets
the clock, limits and parameters for all versions.

Examples:
  agon pool add bot.cpp --game renju --against greedy --clock 2s
  agon pool add bot.cpp --note \"null move\"";

const AGAINST_HELP: &str = "\
The program's source is copied into the pool's folder.

Example:
  agon pool against champion:3 \"name=rival bots/rival.cpp\"";

const PLAY_HELP: &str = "\
Every game is stored when it ends. Ctrl-C abandons the games in progress and
prints the list.

Example:
  agon pool play -n 200 -j 4";

const LIST_HELP: &str = "\
Ratings are Elo points with their 95 % intervals; the first opponent has 1500.

Examples:
  agon pool list --format json
  agon pool list --out pool.html";

#[derive(Args, Debug)]
#[command(after_help = POOL_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct PoolArgs {
    #[command(subcommand)]
    command: Option<PoolCommand>,
    #[command(flatten)]
    list: ListArgs,
}

#[derive(Subcommand, Debug)]
enum PoolCommand {
    /// Save the current program as a new version
    #[command(after_help = ADD_HELP)]
    Add(Box<AddArgs>),
    /// Add opponents for all versions
    #[command(after_help = AGAINST_HELP)]
    Against(AgainstArgs),
    /// Play the most informative games
    #[command(after_help = PLAY_HELP)]
    Play(PlayPoolArgs),
    /// List versions and opponents with their ratings
    #[command(after_help = LIST_HELP)]
    List(ListArgs),
}

/// Which pool.
#[derive(Args, Clone, Debug)]
struct FolderArgs {
    /// The folder of the pool
    #[arg(long, value_name = "DIR", default_value = "pool")]
    pool: PathBuf,
}

#[derive(Args, Debug)]
struct AddArgs {
    /// The program: a source file, or a folder of them
    #[arg(value_name = "BOT", add = completion::agent())]
    bot: String,
    /// Note about this version
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// The game of a new pool
    #[arg(long, value_parser = game())]
    game: Option<Game>,
    /// An opponent of a new pool; may be given several times
    #[arg(long, value_name = "AGENT", requires = "game", add = completion::agent())]
    against: Vec<String>,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    jail: JailArgs,
    #[command(flatten)]
    terms: TermArgs,
}

#[derive(Args, Debug)]
struct AgainstArgs {
    /// Built-in players, source files, folders, or commands in quotes
    #[arg(value_name = "AGENT", required = true, add = completion::agent())]
    agents: Vec<String>,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    jail: JailArgs,
}

#[derive(Args, Debug)]
struct PlayPoolArgs {
    /// Number of games to play now
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100, value_parser = up_to::<u64>(1_000_000))]
    games: u64,
    /// Number of games played at once
    #[arg(long, short = 'j', short_alias = 'k', value_name = "N", default_value_t = 1,
          value_parser = up_to::<u64>(1024))]
    jobs: u64,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    jail: JailArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Args, Debug)]
struct ListArgs {
    /// A page to write, with a plot of the ratings by version
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &PoolArgs) -> anyhow::Result<Exit> {
    match &args.command {
        Some(PoolCommand::Add(args)) => add(args),
        Some(PoolCommand::Against(args)) => against(args),
        Some(PoolCommand::Play(args)) => play(args),
        Some(PoolCommand::List(args)) => list(args),
        None => list(&args.list),
    }
}

fn list(args: &ListArgs) -> anyhow::Result<Exit> {
    let pool = Pool::open(&args.folder.pool)?;
    let standing = pool.standing()?;
    let Some(path) = &args.out else {
        show::print(&pool, &standing, args.output.format)?;
        return Ok(Exit::Done);
    };
    if !matches!(&*input::extension(path), "html" | "htm") {
        bail!("--out `{}`: a file that ends in .html expected", path.display());
    }
    output::check(path, "the page")?;
    fs::write(path, page::html(&pool, &standing)).with_context(|| format!("cannot write `{}`", path.display()))?;
    anstream::println!("{}: {}", path.display(), show::heading(&pool, &standing));
    Ok(Exit::Done)
}

fn add(args: &AddArgs) -> anyhow::Result<Exit> {
    let folder = &args.folder.pool;
    let begins = !Pool::is_in(folder);
    let game = match (args.game, begins) {
        (Some(game), true) => game,
        (None, false) => Pool::open(folder)?.game(),
        (None, true) => return Err(PoolError::Missing(folder.clone()).into()),
        (Some(_), false) => bail!("--game: the pool `{}` has its game and terms: leave it out", folder.display()),
    };
    signals::watch()?;
    let agents: Vec<&str> = args.against.iter().map(String::as_str).chain([args.bot.as_str()]).collect();
    args.jail.choose(game, agents)?;
    if begins {
        // Mistakes in any of them are reported before anything is written.
        let texts: Vec<String> = [args.bot.clone()].into_iter().chain(args.against.iter().cloned()).collect();
        let mut plan = arena::plan(game, &texts, &args.terms, |plan| {
            plan.games = 2;
            Ok(())
        })?;
        if args.terms.openings.is_none() {
            plan.openings = 0;
        }
        ready(game, &args.bot, &plan)?;
        let mut pool = Pool::begin(folder, &plan)?;
        for agent in &args.against {
            oppose(&mut pool, agent)?;
        }
    }
    let mut pool = Pool::open(folder)?;
    let openings = args.terms.openings_understood || ready(game, &args.bot, pool.terms())?;
    let version = pool.add(&args.bot, args.note.as_deref(), openings)?;
    anstream::println!("saved as {}", version.name());
    if pool.opponents().is_empty() && pool.versions().len() == 1 {
        anstream::println!("next: `agon pool against AGENT`, then `agon pool play`");
    }
    Ok(Exit::Done)
}

fn against(args: &AgainstArgs) -> anyhow::Result<Exit> {
    let mut pool = Pool::open(&args.folder.pool)?;
    signals::watch()?;
    args.jail.choose(pool.game(), args.agents.iter().map(String::as_str))?;
    for agent in &args.agents {
        oppose(&mut pool, agent)?;
    }
    anstream::println!("the pool has {}", counted(pool.opponents().len() as u64, "opponent"));
    Ok(Exit::Done)
}

fn oppose(pool: &mut Pool, agent: &str) -> anyhow::Result<()> {
    let named = agents::named(pool.game(), agent)?;
    let openings = ready(pool.game(), &named.text, pool.terms())?;
    pool.add_opponent(agent, openings)?;
    Ok(())
}

/// Checks that a program compiles and answers READY; returns whether it reads OPENING lines.
fn ready(game: Game, text: &str, terms: &agon_arena::Plan) -> anyhow::Result<bool> {
    let spec = agents::parse(game, text)?;
    if matches!(spec, AgentSpec::Builtin { .. }) {
        return Ok(true);
    }
    let agent = PreparedAgent::prepare(game, spec, &terms.limits)?;
    if let Some(fault) = agent.fault() {
        bail!("`{}`: {}", line(text), fault.reason);
    }
    if !game.has_openings() {
        return Ok(false);
    }
    let (parameters, limits, seed) = (terms.parameters.clone(), terms.limits, terms.seed);
    let (time, run_stop) = (Duration::MAX, RunStop::default());
    let terms = CheckTerms {
        game,
        parameters,
        limits,
        seed,
        time,
        run_stop,
        place: CheckPlace::CommandLine,
        debug: DebugUse::None,
    };
    bot_check::reads_openings(&agent, &terms).with_context(|| format!("`{}`", line(text)))
}

fn play(args: &PlayPoolArgs) -> anyhow::Result<Exit> {
    let pool = Pool::open(&args.folder.pool)?;
    if pool.opponents().is_empty() && pool.versions().len() < 2 {
        return Err(PoolError::NoOpponents.into());
    }
    let run_stop = signals::quiet_run_stop()?;
    let sources = pool.versions().iter().map(|version| args.folder.pool.join(&version.source).display().to_string());
    let texts: Vec<String> = pool.opponents().iter().map(|opponent| opponent.agent.clone()).chain(sources).collect();
    args.jail.choose(pool.game(), texts.iter().map(String::as_str))?;
    let bar = Bar::new("{wide_bar} game {pos} of {len}, {eta} left")?;
    bar.start(args.games, 0);
    let stopped = play_games(&pool, args, &run_stop, &bar)?;
    drop(bar);
    show::print(&pool, &pool.standing()?, args.output.format)?;
    Ok(if stopped { Exit::Stopped } else { Exit::Done })
}

/// Plays game after game; true if it was stopped.
fn play_games(pool: &Pool, args: &PlayPoolArgs, run_stop: &RunStop, bar: &Bar) -> anyhow::Result<bool> {
    let jobs = args.jobs as usize;
    let options =
        RunOptions { concurrency: jobs, threads: 1, affinity: Affinity::Auto, force: false, sign: None, log: None };
    options.check()?;
    // Both games of a pair at once, and as many pairs as there are workers for.
    let step = jobs.div_ceil(2) as u32 * 2;
    let mut rosters: HashMap<[usize; 2], Roster> = HashMap::new();
    let mut unfit: BTreeMap<usize, String> = BTreeMap::new();
    let begun = pool.standing()?.games();
    while !run_stop.is_raised() {
        let standing = pool.standing()?;
        let played = standing.games() - begun;
        bar.set_position(played.min(args.games));
        if played >= args.games {
            return Ok(false);
        }
        let Some(pair) = standing.next(&|member| !unfit.contains_key(&member)) else {
            bar.suspend(|| anstream::eprintln!("{}", no_more(&unfit)));
            return Ok(false);
        };
        let plan = pool.plan(pair, standing.games_between(pair) / 2 * 2 + step)?;
        let roster = match rosters.entry(pair) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => match Roster::tried(&plan, run_stop) {
                Ok(roster) => entry.insert(roster),
                Err(_) if run_stop.is_raised() => break,
                Err(UnfitAgents(problems)) => {
                    for problem in problems {
                        let Some(at) = plan.agents.iter().position(|agent| agent.name == problem.name) else {
                            continue;
                        };
                        let said = problem.source.to_string();
                        let words =
                            format!("{} does not play: {}", problem.name, said.lines().next().unwrap_or_default());
                        bar.suspend(|| anstream::eprintln!("{} {}", paint(WARN, "warning:"), line(&words)));
                        unfit.insert(pair[at], said);
                    }
                    continue;
                }
            },
        };
        let mut store = arena::open(&pool.store())?;
        let (sender, _events) = mpsc::channel();
        match runner::run(&plan, roster, &mut store, &options, run_stop, &sender).map_err(anyhow::Error::from) {
            Err(error) if run_stop.is_raised() && arena::is_locked(&error) => break,
            finish => finish?,
        };
    }
    Ok(true)
}

/// Why no game is left that would say anything.
fn no_more(unfit: &BTreeMap<usize, String>) -> &'static str {
    if unfit.is_empty() {
        "no game left: all members repeat the same games; \
         bots that read OPENING lines, or draw numbers from AGON_SEED, play different ones"
    } else {
        "no game left between members that can play"
    }
}

/// Saves a version for `agon watch`; one that is there already is passed over.
///
/// # Errors
/// When the pool cannot be written.
pub(crate) fn feed(folder: &Path, game: Game, agent: &str) -> anyhow::Result<Option<String>> {
    let mut pool = Pool::open(folder)?;
    if pool.game() != game {
        bail!("the pool `{}` is one of {}, not of {game}", folder.display(), pool.game());
    }
    let openings = ready(game, agent, pool.terms())?;
    match pool.add(agent, None, openings) {
        Ok(version) => Ok(Some(version.name())),
        Err(PoolError::Known(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Checks that a pool can be fed by `agon watch`.
///
/// # Errors
/// When there is none, or the agent is a command.
pub(crate) fn check_feed(folder: &Path, game: Game, agent: &str) -> anyhow::Result<()> {
    let pool = Pool::open(folder).map_err(|error| anyhow::anyhow!("--pool: {}", in_one_line(&error.into())))?;
    if pool.game() != game {
        bail!("--pool: `{}` is a pool of {}, not of {game}", folder.display(), pool.game());
    }
    if !matches!(agents::parse(game, agent)?, AgentSpec::Source { .. }) {
        return Err(PoolError::NoSource { agent: agent.to_owned() }.into());
    }
    Ok(())
}
