//! The arguments of the commands for series.

use std::fs;
use std::path::{Path, PathBuf};

use agon_arena::Store;
use agon_arena::opening_file::{OpeningChoice, OpeningOrder};
use agon_arena::runner::{Affinity, RunOptions};
use agon_arena::store::StoreError;
use agon_catalog::{Capability, Game};
use agon_referee::agent::settings;
use agon_referee::limits::GameLimits;
use agon_referee::process;
use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use crate::adjudication::AdjudicationArgs;
use crate::amount::mebibytes;
use crate::completion;
use crate::jail::JailArgs;
use crate::nats::FleetArgs;
use crate::options::{self, BoardSize, OutputArgs, PaceArgs, SeeArgs, game, parameter, size};
use crate::span::{A_DAY, GivenClock, TimeSpan, a_clock, time};

/// How the games of a series are played: what decides them, and how much of the machine they take.
#[derive(Args, Debug)]
pub(crate) struct TermArgs {
    /// Each agent's clock: 10s for a whole game, 10+0.1 with an increment, 40/60 for every 40 moves, inf
    #[arg(long, value_name = "CLOCK", default_value = "10s", value_parser = a_clock,
          help_heading = options::only_for(Capability::Turns), requires = "game")]
    pub clock: GivenClock,

    #[command(flatten)]
    pub pace: PaceArgs,

    /// Words to put before every agent, in quotes: "option.Hash=64 margin=50ms" (docs/series.md)
    #[arg(long, value_name = "WORDS", requires = "game", value_parser = each)]
    pub each: Option<String>,

    #[command(flatten)]
    pub see: SeeArgs,

    /// Memory of each agent's process tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mib,
          value_parser = mebibytes::<u64>(1_048_576), requires = "game")]
    pub memory: u64,

    /// Time limit of one invocation; a cell without an answer rests
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(GameLimits::default().invocation_ms),
          value_parser = time(A_DAY), help_heading = options::only_for(Capability::Actions), requires = "game")]
    pub invocation: TimeSpan,

    /// Pause the agent that is not on turn, which prevents thinking on the opponent's time
    #[arg(long, help_heading = options::only_for(Capability::Turns), requires = "game")]
    pub freeze: bool,

    /// Number of opening moves, the same in both games of a pair, or a file of openings, one a line (docs/series.md)
    /// [default: the game's usual number if all agents understand OPENING lines, as built-ins do, else 0]
    #[arg(long, value_name = "PLIES|FILE", help_heading = options::only_for(Capability::Turns), requires = "game",
          value_parser = openings)]
    pub openings: Option<Openings>,

    /// Order in which the openings of a file are played [default: sequential]
    #[arg(long, value_name = "ORDER", help_heading = options::only_for(Capability::Turns), requires = "openings")]
    pub opening_order: Option<Order>,

    /// Start at this opening of the file, from 1 in that order; the earlier ones follow the last
    #[arg(long, value_name = "N", help_heading = options::only_for(Capability::Turns), requires = "openings",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub opening_start: Option<u32>,

    /// Cut the openings of a file after this many plies; duplicates are merged
    #[arg(long, value_name = "N", help_heading = options::only_for(Capability::Turns), requires = "openings",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub opening_plies: Option<u32>,

    /// Declare that the programs understand OPENING lines before READY, and POSITION lines if positions are given
    #[arg(long, help_heading = options::only_for(Capability::Turns), requires = "game")]
    pub openings_understood: bool,

    #[command(flatten)]
    pub adjudication: AdjudicationArgs,

    /// Random seed of boards, openings and agents
    #[arg(long, value_name = "N", default_value_t = 1, requires = "game")]
    pub seed: u64,

    /// A parameter of the game, as `agon games` lists them; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter, requires = "game")]
    pub parameters: Vec<(String, String)>,

    /// Size of the board: 10x4 is 10 wide and 4 high, 6 a square
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = options::only_for(Capability::Size),
          requires = "game")]
    pub size: Option<BoardSize>,

    /// Number of games played at once
    #[arg(long, short = 'j', short_alias = 'k', alias = "concurrency", value_name = "N", default_value_t = 1)]
    pub jobs: usize,

    /// Processors for each agent, one per thread; both agents of a game share them if there are too few
    #[arg(long, alias = "threads", value_name = "N", default_value_t = 1)]
    pub processors: usize,

    /// Pin each game to processors of its own
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub affinity: Binding,

    /// Play even if there are too few processors for these games at once
    #[arg(long)]
    pub force: bool,
}

/// What every series has.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub terms: TermArgs,

    /// Keep programs running from game to game; ALPHANO restarts them
    #[arg(long, help_heading = options::only_for(Capability::Turns), requires = "game")]
    pub stay: bool,

    /// The store of games
    #[arg(long, value_name = "FILE", default_value = "agon.db")]
    pub db: PathBuf,

    #[command(flatten)]
    pub nats: FleetArgs,

    /// Sign every record with the private key of this file (`agon key new`)
    #[arg(long, value_name = "KEY")]
    pub sign: Option<String>,

    /// Log all input, output and standard error of every agent, with times, to one file per game in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "nats", help_heading = options::only_for(Capability::Turns),
          requires = "game")]
    pub log: Option<PathBuf>,

    #[command(flatten)]
    pub jail: JailArgs,

    /// List the games without playing them
    #[arg(long)]
    pub dry_run: bool,

    #[command(flatten)]
    pub output: OutputArgs,
}

impl TermArgs {
    /// How the games are to be played; nothing is signed or logged.
    pub(crate) const fn options(&self) -> RunOptions {
        let affinity = match self.affinity {
            Binding::Auto => Affinity::Auto,
            Binding::None => Affinity::None,
        };
        let (concurrency, threads, force) = (self.jobs, self.processors, self.force);
        RunOptions { concurrency, threads, affinity, force, sign: None, log: None }
    }
}

impl RunArgs {
    /// How the plan is to be played.
    ///
    /// # Errors
    /// When the file of --sign holds no key.
    pub(crate) fn options(&self) -> anyhow::Result<RunOptions> {
        let sign = options::private_key(self.sign.as_deref())?;
        let log = self.log.as_deref().map(log_folder).transpose()?;
        Ok(RunOptions { sign, log, ..self.terms.options() })
    }
}

/// The clocks of the two agents of a match, where they differ.
#[derive(Args, Debug)]
pub(crate) struct PairClockArgs {
    /// The clock of the first agent, in both seats [default: that of --clock]
    #[arg(long, value_name = "CLOCK", value_parser = a_clock, help_heading = options::only_for(Capability::Turns))]
    pub first_clock: Option<GivenClock>,
    /// The clock of the second agent
    #[arg(long, value_name = "CLOCK", value_parser = a_clock, help_heading = options::only_for(Capability::Turns))]
    pub second_clock: Option<GivenClock>,
}

/// Reads the words before every agent.
fn each(text: &str) -> Result<String, String> {
    let set = settings::split_any(text).map_err(|error| error.to_string())?;
    if !set.agent.is_empty() {
        return Err(format!("`{}` is not a word before an agent, such as option.Hash=64 or clock=10s", set.agent));
    }
    if set.terms.name.is_some() {
        return Err("agents have different names: put name= before each of them".to_owned());
    }
    Ok(text.trim().to_owned())
}

/// Openings that are drawn, or those of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Openings {
    Plies(u32),
    File(PathBuf),
}

/// Reads a number of plies, or else the name of a file.
#[allow(clippy::unnecessary_wraps, reason = "a parser of values may fail")]
fn openings(text: &str) -> Result<Openings, String> {
    Ok(text.parse().map_or_else(|_| Openings::File(PathBuf::from(text)), Openings::Plies))
}

impl TermArgs {
    /// Which openings of a file are played.
    pub(crate) fn opening_choice(&self) -> OpeningChoice {
        let order = match self.opening_order {
            None | Some(Order::Sequential) => OpeningOrder::Sequential,
            Some(Order::Random) => OpeningOrder::Random,
        };
        OpeningChoice { order, start: self.opening_start, max_plies: self.opening_plies }
    }

    /// The given options that are for a file of openings.
    pub(crate) fn opening_options(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("--opening-order", self.opening_order.is_some()),
            ("--opening-start", self.opening_start.is_some()),
            ("--opening-plies", self.opening_plies.is_some()),
        ];
        given.into_iter().filter_map(|(option, is_given)| is_given.then_some(option))
    }
}

/// The order of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Order {
    /// As they stand in the file
    Sequential,
    /// Drawn from --seed, none twice before all were played
    Random,
}

/// Makes the folder of --log, and has all that programs write kept for it; it is used until the program ends.
fn log_folder(path: &Path) -> anyhow::Result<&'static Path> {
    let whole = std::path::absolute(path).and_then(|whole| fs::create_dir_all(&whole).map(|()| whole));
    let whole = whole.with_context(|| format!("cannot make the folder `{}` of --log", path.display()))?;
    process::keep_log();
    Ok(Box::leak(whole.into_boxed_path()))
}

/// Whether games are bound to processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Binding {
    /// If there are enough
    Auto,
    /// Not at all
    None,
}

const RESUME: &str = "\
Every game is stored the moment it ends. Ctrl-C finishes the games being played
and stops; a second Ctrl-C kills them. The same command resumes: it plays
exactly the missing games. An agent whose source or files have changed is a new
agent: a new series begins beside the old one (`agon results --agents`).
With --format json: one line for each finished game, then one for the result.

Examples:
  agon match bot.cpp greedy --game renju --games 20
  agon match new.py old.py --game domineering --size 6 --clock 2s --jobs 4";

#[derive(Args, Debug)]
#[command(after_help = RESUME)]
pub(crate) struct MatchArgs {
    /// The first agent: a built-in player, a source file, a folder of them, or a command in quotes
    #[arg(add = completion::agent())]
    pub first: String,
    /// The second agent
    #[arg(add = completion::agent())]
    pub second: String,
    /// The game
    #[arg(long, value_parser = game())]
    pub game: Game,
    /// Number of games, even: each opening is played twice, with the seats swapped
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100)]
    pub games: u32,
    #[command(flatten)]
    pub clocks: PairClockArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

const SPRT_HELP: &str = "\
H0: the new agent is elo0 stronger; H1: it is elo1 stronger. Bounds may be
negative: with -10 and 0, H1 means that it is not weaker. The test uses
pairs of games (pentanomial GSPRT) in order and stops when it has decided. Exit
code 0: H1 accepted; 1: H0 accepted, or the maximum number of games reached.

Every game is stored, and the same command resumes, even with different bounds
or a different length; games already played are kept.
With --format json: one line for each finished game, then one for the result.

Examples:
  agon sprt new.cpp old.cpp --game bacteria --elo0 0 --elo1 10
  agon sprt new.cpp old.cpp --game bacteria --elo0 -10 --elo1 0";

#[derive(Args, Debug)]
#[command(after_help = SPRT_HELP)]
pub(crate) struct SprtArgs {
    /// The new agent
    #[arg(add = completion::agent())]
    pub new: String,
    /// The old agent
    #[arg(add = completion::agent())]
    pub old: String,
    /// The game
    #[arg(long, value_parser = game())]
    pub game: Game,
    /// Elo difference of H0
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub elo0: f64,
    /// Elo difference of H1
    #[arg(long, value_name = "ELO", default_value_t = 10.0, allow_negative_numbers = true)]
    pub elo1: f64,
    /// Probability of accepting H1 when H0 holds (type I error)
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Probability of accepting H0 when H1 holds (type II error)
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// Use normalized Elo, which makes the number of games independent of the draw rate
    #[arg(long)]
    pub normalized: bool,
    /// Maximum number of games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 40_000)]
    pub games: u32,
    #[command(flatten)]
    pub clocks: PairClockArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

const TOURNAMENT_HELP: &str = "\
A tournament file is TOML; only game and the agents are needed:

  game = \"renju\"
  kind = \"round-robin\"       # or gauntlet, swiss
  games = 10                 # of each pairing; even
  clock = \"10s\"
  seed = 7

  [[agent]]
  agent = \"bots/new.cpp\"
  name = \"new\"

  [[agent]]
  agent = \"greedy\"
  rating = 1500              # an anchor

The file sets all options that describe the games. With a file, the command line
accepts further agents, --games (overriding the file), --jobs, --processors,
--affinity, --force, --nats and its options, --db, --sign, --jail, --dry-run and
--format.

Every game is stored, and the same command resumes.
With --format json: one line for each finished game, then one for the result.

Examples:
  agon tournament league.toml
  agon tournament league.toml new.cpp --games 20
  agon tournament a.py b.py c.cpp greedy --game renju --kind swiss --rounds 4";

#[derive(Args, Debug)]
#[command(after_help = TOURNAMENT_HELP)]
pub(crate) struct TournamentArgs {
    /// A tournament file and agents to add to it; or, with --game, only agents
    #[arg(required = true, value_name = "FILE|AGENT", add = completion::agent())]
    pub agents: Vec<String>,
    /// The game, when agents are named
    #[arg(long, value_parser = game())]
    pub game: Option<Game>,
    /// Pairing system
    #[arg(long, default_value = "round-robin", requires = "game")]
    pub kind: TournamentKind,
    /// Rounds of a Swiss tournament [default: 5]
    #[arg(long, value_name = "N", requires = "game")]
    pub rounds: Option<u32>,
    /// Games of each pairing (in a Swiss tournament, of each round), an even number [default: the file's, or 10]
    #[arg(long, short = 'n', value_name = "N")]
    pub games: Option<u32>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// How agents are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TournamentKind {
    /// Every agent meets every other
    RoundRobin,
    /// The first agent meets every other
    Gauntlet,
    /// Agents with similar scores that have not met yet
    Swiss,
}

/// A stored run.
#[derive(Args, Debug)]
pub(crate) struct StoredRun {
    /// The run's number, as `agon results --list` shows it [default: the latest]
    #[arg(value_parser = run_number)]
    pub run: Option<i64>,
    /// The same, as the commands about one game have it
    #[arg(long = "run", value_name = "N", hide = true, value_parser = run_number, conflicts_with = "run")]
    pub named: Option<i64>,
    /// The store of games
    #[arg(long, value_name = "FILE", default_value = "agon.db")]
    pub db: PathBuf,
}

impl StoredRun {
    /// The store, for reading.
    ///
    /// # Errors
    /// What keeps it from being read; where it is missing, what makes one.
    pub(crate) fn store(&self) -> anyhow::Result<Store> {
        match Store::read(&self.db) {
            Err(missing @ StoreError::Missing { .. }) => {
                bail!("{missing}: `agon match`, `sprt` and `tournament` create one; --db names another")
            }
            other => Ok(other?),
        }
    }
}

fn run_number(text: &str) -> Result<i64, &'static str> {
    text.parse().map_err(|_| "a run is a number, as `agon results --list` shows it; --db names a store")
}

const RESULTS_HELP: &str = "\
Examples:
  agon results
  agon results --list
  agon results --agents
  agon results --faults --db bots.db
  agon results --why --db bots.db
  agon results 3 --db bots.db --format csv --out games.csv";

#[derive(Args, Debug)]
#[command(after_help = RESULTS_HELP)]
#[allow(clippy::struct_excessive_bools, reason = "a switch of the command line is a bool")]
pub(crate) struct ResultsArgs {
    #[command(flatten)]
    pub stored: StoredRun,
    /// List the runs of the store
    #[arg(long, conflicts_with_all = ["run", "named"])]
    pub list: bool,
    /// List why agents failed, grouped by cause, with the command that shows each
    #[arg(long, conflicts_with_all = ["list", "theory", "agents"])]
    pub faults: bool,
    /// List the agents and the files that identify each of them
    #[arg(long, conflicts_with_all = ["list", "theory"])]
    pub agents: bool,
    /// Domineering: solve the start of every game and compare the results with perfect play
    #[arg(long, conflicts_with = "list")]
    pub theory: bool,
    /// Show why an agent lost its games: faults, won positions thrown away, phase, opening, seat, time
    #[arg(long, conflicts_with_all = ["list", "faults", "theory", "agents"])]
    pub why: bool,
    /// The agent of --why [default: the first of the series]
    #[arg(long, value_name = "NAME", requires = "why")]
    pub agent: Option<String>,
    /// Maximum number of lost games that the champion judges for --why
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20, requires = "why")]
    pub games: usize,
    /// How to print the results
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: ResultsFormat,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    pub out: Option<PathBuf>,
}

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ResultsFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// One line per game, for a spreadsheet
    Csv,
    /// A page without the games (see `agon report`)
    Html,
}

const EXPORT_HELP: &str = "\
Each line is one game as JSON: its summary, the agents' names and its record.

Examples:
  agon export --slot 3 --out game.jsonl && agon replay game.jsonl
  agon export --failed | jq -r .slot
  agon export 2 --format pgn --out games.pgn
  agon export --format epd --out last.epd";

#[derive(Args, Debug)]
#[command(
    after_help = EXPORT_HELP
)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub stored: StoredRun,
    /// Only games in which an agent failed
    #[arg(long, conflicts_with = "slot")]
    pub failed: bool,
    /// Include games that an SPRT does not count: those after its decision and those of incomplete pairs
    #[arg(long, conflicts_with = "slot")]
    pub extra: bool,
    /// Only the record of this game, as a record file
    #[arg(long, value_name = "N")]
    pub slot: Option<u32>,
    /// How to write the games
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", conflicts_with = "slot")]
    pub format: ExportFormat,
    /// The file to write, for psq a folder [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// How games are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One line of JSON per game, with its record
    Jsonl,
    /// PGN, for programs that rate players; White is who moves first
    Pgn,
    /// SGF, all games in one file (renju)
    Sgf,
    /// Gomocup's .psq, one file per game in the folder --out (renju)
    Psq,
    /// The last position of each game as EPD, with its number, its players and its result
    Epd,
}

const REPORT_HELP: &str = "\
Examples:
  agon report
  agon report 3 --db bots.db --out bots.html --games 50";

#[derive(Args, Debug)]
#[command(after_help = REPORT_HELP)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub stored: StoredRun,
    /// The page to write
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub out: PathBuf,
    /// Maximum number of games in the page; failed ones come first
    #[arg(long, short = 'n', value_name = "N", default_value_t = 500)]
    pub games: usize,
}
