//! Games of a series, played side by side.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_engines::petri::{Match, PetriProgram, play as play_within};
use agon_engines::registry;
use agon_referee::agent::Agent;
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;
use agon_referee::process;
use agon_referee::record::Winner;
use agon_rules::catalog::{Game, Setup};
use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::options::{Format, jobs};
use crate::prepare::prepare;

/// How a series of games is played.
#[derive(Args, Debug)]
pub struct SeriesArgs {
    /// The number from which chance is drawn: game n of a pair has the seed N + n
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The time of one invocation of a program, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = GameLimits::default().invocation_ms, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub invocation: u64,
    /// Memory of each process of a program, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mb, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub memory: u64,
    /// How many games to play at once [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// `10x4`.
pub fn size(text: &str) -> Result<(u64, u64), String> {
    let sides =
        text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.ok_or_else(|| format!("`{text}`: WIDTHxHEIGHT expected, as 10x4"))
}

/// A program in a series.
pub struct Competitor {
    /// What tables call it.
    pub name: String,
    agent: PreparedAgent,
    /// The species itself, when it is one.
    species: Option<&'static dyn PetriProgram>,
}

impl Competitor {
    /// A species by its name, or whatever else names an agent.
    pub fn read(text: &str, limits: &GameLimits) -> anyhow::Result<Self> {
        let agent = agents::read(Game::Petri, text)?;
        let species = match &agent {
            Agent::Builtin(name) => registry::petri(name).ok(),
            _ => None,
        };
        let agent = prepare(Game::Petri, agent, limits)?;
        Ok(Self { name: agent.short_name(), agent, species })
    }

    /// One of the species.
    pub fn species(program: &'static dyn PetriProgram, limits: &GameLimits) -> anyhow::Result<Self> {
        let name = program.name().to_owned();
        let agent = PreparedAgent::prepare(Game::Petri, Agent::Builtin(name.clone()), limits)?;
        Ok(Self { agent, name, species: Some(program) })
    }
}

/// The dish of a series.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arena {
    /// Columns.
    pub width: u64,
    /// Rows.
    pub height: u64,
    /// Turns of each player.
    pub turns: u64,
}

impl Arena {
    /// As a set-up of the catalogue; checked, so that no game of a series can be refused.
    pub fn setup(self, seed: u64) -> anyhow::Result<Setup> {
        let named = [("width", self.width), ("height", self.height), ("turns", self.turns)];
        let parameters: BTreeMap<String, String> =
            named.into_iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
        let setup = Setup { seed, parameters };
        Game::Petri.contest(&setup)?;
        Ok(setup)
    }
}

/// How a game of a pair went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// Which of the pair has won: 0 or 1.
    pub winner: Option<usize>,
    /// What a program did to lose its game at BEGIN: which of the pair, and why.
    pub faults: Vec<(usize, String)>,
}

/// Plays game `n` of a pair: its first program has the first seat in the even ones.
pub fn game(pair: [&Competitor; 2], arena: Arena, seed: u64, n: u32, limits: &GameLimits) -> anyhow::Result<Played> {
    let swapped = n % 2 == 1;
    let seats = if swapped { [1, 0] } else { [0, 1] };
    let seed = seed.wrapping_add(n.into());
    if let [Some(first), Some(second)] = seats.map(|at| pair[at].species) {
        let programs = [first, second];
        let (width, height) = (arena.width as usize, arena.height as usize);
        let setup = Match { width, height, turns: arena.turns as u16, ..Match::contest(programs) }.setup();
        let winner = play_within(&setup, programs, seed)?.outcome.winner();
        return Ok(Played { winner: winner.map(|side| seats[side.index()]), faults: Vec::new() });
    }
    let agents = seats.map(|at| &pair[at].agent);
    let mut bout = Bout::new(Game::Petri, arena.setup(seed)?, *limits)?;
    let record = bout.play(agents, &mut bout.seats(agents)?, Afterwards::Exit, &mut ());
    let winner = match record.result.winner {
        Winner::First => Some(seats[0]),
        Winner::Second => Some(seats[1]),
        Winner::Draw | Winner::Void => None,
    };
    let faults = record.result.verdicts.iter().zip(seats).filter_map(|(judged, at)| {
        let reason = judged.reason.as_ref()?;
        Some((at, format!("{}: {reason}", judged.verdict)))
    });
    Ok(Played { winner, faults: faults.collect() })
}

/// The limits that a series is played under.
pub fn limits(args: &SeriesArgs) -> GameLimits {
    GameLimits { invocation_ms: args.invocation, memory_mb: args.memory, ..GameLimits::default() }
}

/// A bar on a terminal.
pub fn bar(length: u64, template: &str) -> anyhow::Result<ProgressBar> {
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new(length) } else { ProgressBar::hidden() };
    bar.set_style(ProgressStyle::with_template(template).context("the bar's template")?);
    Ok(bar)
}

/// Plays `count` games on as many threads as are wanted, with a bar on a terminal. `None` when it was stopped.
///
/// # Errors
/// The first error of a game; the others are then given up.
pub fn all<T: Send>(
    count: usize,
    args: &SeriesArgs,
    game: impl Fn(usize) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Option<Vec<T>>> {
    let bar = bar(count as u64, "{wide_bar} {pos}/{len} games, {eta} left")?;
    let games = tasks(count, jobs(args.jobs), &bar, game);
    bar.finish_and_clear();
    games
}

/// Does `count` tasks on so many threads and moves the bar. `None` when it was stopped.
///
/// # Errors
/// The first error of a task; the others are then given up.
pub fn tasks<T: Send>(
    count: usize,
    jobs: usize,
    bar: &ProgressBar,
    task: impl Fn(usize) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Option<Vec<T>>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    let failed = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..jobs.min(count) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= count || process::interrupted() {
                        return;
                    }
                    match task(at) {
                        Ok(result) => done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result)),
                        Err(error) => {
                            next.store(count, Ordering::Relaxed);
                            failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                            return;
                        }
                    }
                    bar.inc(1);
                }
            });
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        return Err(error);
    }
    if process::interrupted() {
        return Ok(None);
    }
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|&(at, _)| at);
    Ok(Some(done.into_iter().map(|(_, result)| result).collect()))
}
