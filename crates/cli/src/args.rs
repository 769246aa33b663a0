//! The command line.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use agon_protocols::bridge::Protocol;
use agon_referee::limits::GameLimits;
use agon_rules::catalog::Game;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::{Answer, arena, network, petri};

/// An arena for game-playing programs.
///
/// Agon referees bots written in any language under exactly the judge of the contest: the READY / TURN / OPP / FINISH
/// protocol over pipes, one clock for the whole game, a memory limit, and a verdict for each agent.
#[derive(Parser, Debug)]
#[command(name = "agon", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,

    #[arg(
        help = "When to use colour; NO_COLOR is respected too",
        long = "color",
        value_name = "WHEN",
        global = true,
        display_order = 900,
        default_value = "auto"
    )]
    pub colour: Colour,
}

const EXAMPLES: &str = "\
Examples:
  agon play bacteria                                   two built-in players, drawn live
  agon play bacteria --first bot.cpp --second greedy   your bot against a built-in
  agon play bacteria --first \"python3 bot.py\" --second PYPY3:bot.py --record game.jsonl
  agon replay game.jsonl                               step through it and prove it legal
  agon play petri --first agents/petri/sample.py       your cell against a species of the petri dish
  agon games                                           what can be played, and by whom

Agents are built-in players (`random`, `greedy`), source files (.c .cpp .py .java .rs .js .rb,
compiled with the contest's flags; `PYPY3:bot.py` names the language), commands in quotes, or
engines of other arenas (`uai:./engine`, `gomocup:./engine`).

Exit codes: 0 done, 1 the answer is no, 2 usage or environment, 130 stopped by Ctrl-C.";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    pub fn write_global(self) {
        match self {
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Referee one game between two agents
    Play(PlayArgs),
    /// Play many games between two agents, and say how much stronger one is
    Match(arena::MatchArgs),
    /// Test whether today's version is better than yesterday's; stops by itself
    Sprt(arena::SprtArgs),
    /// Play a round robin, a gauntlet or a Swiss tournament
    Tournament(arena::TournamentArgs),
    /// Print what a stored series has come to
    Results(arena::ResultsArgs),
    /// Write the records of a stored series
    Export(arena::ExportArgs),
    /// Write a page with a series' tables and every game on its board
    Report(arena::ReportArgs),
    /// Run a built-in player as a program that speaks the judge's protocol on stdin and stdout
    Agent(AgentArgs),
    /// Run an engine of Bacteria War that speaks UAI, for Ataxx programs
    #[command(after_help = UAI_HELP)]
    Uai(SpeakArgs),
    /// Run an engine of renju that speaks Gomocup's protocol, for Piskvork and its like
    #[command(after_help = GOMOCUP_HELP)]
    Gomocup(GomocupArgs),
    /// Run an engine of another arena as a program that speaks the judge's protocol
    Bridge(BridgeArgs),
    /// Show a recorded game and prove it legal
    Replay(ReplayArgs),
    /// Count the lines of play from a position: the test of a move generator
    Perft(PerftArgs),
    /// Answer questions about positions: JSON lines in, JSON lines out
    Inspect(InspectArgs),
    /// Solve positions, with proof: JSON lines in, JSON lines out
    Solve(SolveArgs),
    /// Show what the moves of a position are worth
    Analyze(AnalyzeArgs),
    /// Show, prove or grow the opening book of renju
    Book(BookArgs),
    /// Measure how fast engines search or solve
    Bench(BenchArgs),
    /// Let an engine play itself, and keep the positions to learn from
    #[command(subcommand)]
    Datagen(network::DatagenCommand),
    /// Play two evaluations of one engine against each other
    Duel(network::DuelArgs),
    /// Let an engine learn: from data, or by games
    #[command(subcommand)]
    Train(TrainCommand),
    /// Tune the parameters of an engine by games against itself
    Tune(TuneArgs),
    /// Convert a game of renju between records, SGF and Gomocup's .psq
    Convert(ConvertArgs),
    /// The contest of the petri dish: scores, and the league of all species
    #[command(subcommand)]
    Petri(PetriCommand),
    /// List the games, their parameters and built-in players
    Games(GamesArgs),
    /// Look at what this machine can enforce and measure, with the remedy for each lack
    Doctor(GamesArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example, for bash:\n  agon completions bash > ~/.local/share/bash-completion/completions/agon"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(ClapArgs, Debug)]
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
    #[arg(long, value_name = "MS", default_value_t = GameLimits::default().clock_ms, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub clock: u64,

    /// Memory of each agent's process tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mb, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub memory: u64,

    /// Petri: the time of one invocation, in milliseconds; whoever has no answer then rests
    #[arg(long, value_name = "MS", default_value_t = GameLimits::default().invocation_ms, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub invocation: u64,

    /// Petri: ask this share of the invocations again in a fresh process, to see whether a program keeps a state
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, require_equals = true, default_missing_value = "5", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub check_stateless: Option<u8>,

    /// Stop the agent that is not on turn, so that it cannot think on the opponent's time
    #[arg(long)]
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

    /// Domineering: play on the board of this file, one row of weights a line
    #[arg(long, value_name = "FILE")]
    pub board: Option<PathBuf>,

    #[command(flatten)]
    pub dish: DishArgs,
}

/// The parameters of a dish by names of their own.
#[derive(ClapArgs, Clone, Debug, Default)]
pub struct DishArgs {
    /// Petri: columns of the dish; short for --set width=N
    #[arg(long, value_name = "N")]
    pub width: Option<u64>,
    /// Petri: rows of the dish; short for --set height=N
    #[arg(long, value_name = "N")]
    pub height: Option<u64>,
    /// Petri: turns of each player; short for --set turns=N
    #[arg(long, value_name = "N")]
    pub turns: Option<u64>,
}

impl DishArgs {
    /// As --set has them.
    pub fn parameters(&self) -> impl Iterator<Item = (String, String)> {
        let named = [("width", self.width), ("height", self.height), ("turns", self.turns)];
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_string())))
    }
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

#[derive(ClapArgs, Debug)]
#[command(after_help = AGENT_HELP)]
pub struct AgentArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: Game,
    /// The built-in player, with its level if it has any (champion:3)
    pub name: String,
    #[arg(
        help = "The number from which it draws what is random [default: AGON_SEED in the environment, else 0]",
        long,
        value_name = "N",
        env = "AGON_SEED",
        hide_env = true
    )]
    pub seed: Option<u64>,
    /// Petri: stay alive and answer one input after another, until a line END
    #[arg(long = "loop")]
    pub stays: bool,
}

/// `agon uai`, and what it shares with `agon gomocup`.
#[derive(ClapArgs, Debug)]
pub struct SpeakArgs {
    /// The built-in player that answers, with its level if it has any (champion:3)
    /// [default: the strongest]
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// The number from which it draws what is random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// `agon gomocup`.
#[derive(ClapArgs, Debug)]
pub struct GomocupArgs {
    #[command(flatten)]
    pub speak: SpeakArgs,
    /// Let the champion play by this book of `agon book renju --practise` instead of the program's own
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub practised: Option<PathBuf>,
}

const UAI_HELP: &str = "\
The Universal Ataxx Interface, as cuteataxx and other Ataxx programs speak it:
  uai, isready, uainewgame, setoption (Hash, Threads, MultiPV, MoveOverhead),
  position startpos|fen FEN [moves M …], go depth|nodes|movetime|btime|wtime|
  binc|winc|movestogo|infinite|perft, stop, quit; and perft, bench, moves, print
x moves first; its clock is btime.

Examples:
  agon uai
  printf 'position startpos\\ngo depth 3\\n' | agon uai --engine champion:3";

const GOMOCUP_HELP: &str = "\
A brain for the managers of Gomocup: START 15, RESTART, BEGIN, TURN, BOARD,
TAKEBACK, INFO, ABOUT, END; and YXBOARD, YXSTOP, YXSHOWFORBID. It plays renju,
INFO rule 4, on 15 x 15 and nothing else.

Examples:
  printf 'START 15\\nINFO rule 4\\nBEGIN\\n' | agon gomocup
  agon match champion \"gomocup:agon gomocup --practised mine.practised\" --game renju";

#[derive(ClapArgs, Debug)]
#[command(after_help = BRIDGE_HELP)]
pub struct BridgeArgs {
    /// The protocol that the engine speaks
    #[arg(value_parser = protocol())]
    pub protocol: Protocol,
    /// An option for the engine: setoption in uai, INFO in gomocup; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parameter)]
    pub options: Vec<(String, String)>,
    /// How much less time the engine is told than it has, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = agon_protocols::bridge::MARGIN.as_millis() as u64, value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    pub margin: u64,
    /// The engine and its arguments
    #[arg(value_name = "ENGINE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub engine: Vec<String>,
}

const BRIDGE_HELP: &str = "\
Engines of Bacteria War speak uai, those of renju gomocup. Wherever an agent is
named, `uai:COMMAND` and `gomocup:COMMAND` do the same without options:
  agon play bacteria --first greedy --second \"uai:./engine --threads 1\"

A move that is forced is played without asking the engine. Where a renju player
has passed, the engine sees two stones of one colour in a row; it cannot pass
itself. An engine that ends, or says what means nothing, ends the bridge.

Examples:
  agon bridge uai --option Hash=64 -- ./engine
  agon play renju --second \"agon bridge gomocup --option max_node=10000 -- ./pbrain\"";

/// `agon petri`.
#[derive(Subcommand, Debug)]
pub enum PetriCommand {
    /// The contest's score of two programs: wins in 100 games, each first in half of them
    Score(ScoreArgs),
    /// The round robin of all species, the champion and any programs given, on a small and a large dish
    League(LeagueArgs),
    /// One program, the champion at first, against all species and their variants on many dishes
    Gauntlet(petri::args::GauntletArgs),
}

/// `agon train`: for which game.
#[derive(Subcommand, Debug)]
pub enum TrainCommand {
    /// Learn a network for Bacteria War from positions
    #[command(after_help = network::TRAIN_BACTERIA_HELP)]
    Bacteria(network::TrainArgs),
    /// Learn a network for renju from positions
    #[command(after_help = network::TRAIN_RENJU_HELP)]
    Renju(network::TrainArgs),
    /// Tune the policy of the petri dish's champion against a pool of opponents
    Petri(petri::args::TrainArgs),
}

#[derive(ClapArgs, Debug)]
#[command(after_help = SCORE_HELP)]
pub struct ScoreArgs {
    /// The first program: a species (see `agon games`), a source file, or a command in quotes
    pub a: String,
    /// The second program
    pub b: String,
    /// How many games; the first program moves first in the first, third, …
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    #[command(flatten)]
    pub dish: DishArgs,
    #[command(flatten)]
    pub series: SeriesArgs,
}

const SCORE_HELP: &str = "\
Draws count for nobody. With --format json:
  {\"wins\": [a, b], \"draws\": d, \"games\": n, \"width\": w, \"height\": h, …}

Example:
  agon petri score agents/petri/sample.py amoeba --games 20";

#[derive(ClapArgs, Debug)]
#[command(after_help = LEAGUE_HELP)]
pub struct LeagueArgs {
    /// Programs that join the ten species and the champion: source files, or commands in quotes
    pub programs: Vec<String>,
    /// Games of every pair on every dish
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// A dish; may be given several times
    #[arg(long = "dish", value_name = "WIDTHxHEIGHT", value_parser = size, default_values = ["10x4", "20x20"])]
    pub dishes: Vec<(u64, u64)>,
    /// Turns of each player
    #[arg(long, value_name = "N", default_value_t = 150)]
    pub turns: u64,
    #[command(flatten)]
    pub series: SeriesArgs,
}

const LEAGUE_HELP: &str = "\
The score of a program is its wins in percent of its games; draws count for
nobody.

Example:
  agon petri league \"python3 cell.py\" --games 10";

/// How a series of games is played.
#[derive(ClapArgs, Debug)]
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

const AGENT_HELP: &str = "\
It reads READY, TURN, OPP and FINISH and answers OK and MOVE, so that another
referee, or a person, can play against it:
  agon agent renju greedy
  READY SECOND
  OK

In petri a run answers one input, BEGIN or a dish, and ends; with --loop each
input is followed by one more newline, each answer is a line, and the line END
ends it. The same seed and input always get the same answer:
  printf BEGIN | agon agent petri amoeba";

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "On a terminal: right or space goes on, left goes back, Home and End jump, q quits.\n\nExit code 1: the record is not the account of a game under the rules, or was\nchanged after it was written."
)]
pub struct ReplayArgs {
    /// The record
    pub file: PathBuf,
    /// Draw the board, after --ply moves, to this SVG file
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Write a page for a browser to this file, with the game to go through
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// Of --picture: after how many moves [default: all of them]
    #[arg(long, value_name = "N", requires = "picture")]
    pub ply: Option<usize>,
    /// How to show the game [default: step by step on a terminal, a line a move in a pipe]
    #[arg(long, value_name = "HOW")]
    pub show: Option<ShowHow>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

#[derive(ClapArgs, Debug)]
#[command(after_help = PERFT_HELP)]
pub struct PerftArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: Game,
    /// How many plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// Where to start, in the game's notation [default: the start of the game]
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["seed", "parameters"])]
    pub position: Option<String>,
    /// The number from which the game's start is drawn, where it is
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// A parameter of the game, as `agon games` lists them; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameters: Vec<(String, String)>,
    /// Count below each move of the position
    #[arg(long)]
    pub divide: bool,
    /// How to print the counts
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

const PERFT_HELP: &str = "\
Every line of moves of that many plies is counted; a forced pass is a move, and
a finished game has none.

Examples:
  agon perft bacteria 6
  agon perft bacteria 4 --divide --position \"7/7/7/2x1o2/7/7/7 x 0 1\"
  agon perft domineering 5 --set rows=4 --set columns=4 --seed 7";

#[derive(ClapArgs, Debug)]
#[command(after_help = INSPECT_HELP)]
pub struct InspectArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: Game,
}

const INSPECT_HELP: &str = "\
One question a line, one answer a line. The outcome is first, second, draw, or
null while the game goes on. Rows and columns count from 1; PASS is all -1.

bacteria: every MOVE that the judge accepts, all sources of a division among them
  in   {\"position\": \"x5o/7/7/7/7/7/o5x x 0 1\"}
  out  {\"turn\": \"first\", \"moves\": [[1,1,1,2], …], \"outcome\": null}

domineering: every MOVE; `last_pass` and `lead` may be left out
  in   {\"board\": [[0,3,1],[2,2,0]], \"occupied\": [[1,1],[1,2]], \"to_move\": \"V\",
        \"last_pass\": false, \"lead\": -2.5}   (on one line)
  out  {\"moves\": [[1,3],[-1,-1]], \"outcome\": null}
       lead: first minus second so far, bonus included, in steps of one half;
       without it -2.5, as at the start of a game

renju: the number of legal stones, Black's forbidden points, and the points that
win at once for the side to move
  in   {\"black\": [[8,8]], \"white\": [[7,7]], \"turn\": \"black\"}
  out  {\"legal\": 23, \"forbidden\": [], \"outcome\": null, \"wins\": []}

petri: a game replayed; `actions` are seats and raw outputs in the order in which
the cells are asked; `\"rules\": \"published\"` takes the first driver's
  in   {\"width\": 10, \"height\": 4, \"maxTurns\": 150,
        \"species\": [[5,7,0],[6,6,0]], \"actions\": [[1,\"DIVIDE SE\\n\"], …]}
  out  {\"final\": {\"winner\": 2, \"cells\": [0,9], \"turns\": 61},
        \"boards\": […], \"states\": […]}
       boards: the dish after every player turn, rows joined by `/`; above 100
       squares its FNV-1a-64 in hex. states: the FNV-1a-64 of
       `board|x,y,hp,energy;…|…`. winner: 0 a draw, null while the game goes on

A bad line is answered by {\"error\": …} and the run goes on.";

#[derive(ClapArgs, Debug)]
#[command(after_help = SOLVE_HELP)]
pub struct SolveArgs {
    /// The game
    #[arg(value_parser = solvable())]
    pub game: Game,
    /// Domineering: what to prove
    #[arg(long, value_name = "GOAL", default_value = "score")]
    pub goal: Goal,
    /// Renju: which wins to look for
    #[arg(long, value_name = "MODE", default_value = "any")]
    pub mode: Threat,
    /// The most time for one position, in milliseconds [default: no limit]
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
}

const SOLVE_HELP: &str = "\
domineering:
  in   {\"board\": [[1,2,0],[3,1,1]], \"occupied\": [[1,1],[1,2]], \"to_move\": \"V\", \"last_pass\": false, \"lead\": -2.5}
       lead is first minus second so far, bonus included; without it -2.5, as at the start of a game
  out  {\"value\": -1, \"winner\": \"second\", \"best\": [[1,3]], \"nodes\": 2, \"ms\": 0.1, \"proved\": true}
       value is what first gets more than second from here on (null with --goal win); best lists every move
       that achieves the goal; winner is first, second or draw. Out of time, proved is false, value and
       winner are null and best is empty

renju: does the side to move win by continuous fours (vcf), or by fours and threes (vct)?
  in   {\"black\": [[8,8]], \"white\": [[7,7]], \"turn\": \"black\"}
  out  {\"win\": true, \"line\": [[8,9],[8,4],[8,10]], \"nodes\": 3, \"ms\": 0.1}
       line ends with the winning stone and was checked by the rules; PASS is [-1,-1]. false: every order of
       such threats was tried and none wins. null: not decided; with --mode any, also when neither wins

A bad line is answered by {\"error\": …} and the run goes on.";

#[derive(ClapArgs, Debug)]
#[command(
    after_help = "bacteria: the nodes of a fixed set of positions, always the same until the search changes, and nodes a second.\n\nrenju: the same, and how fast stones are placed and taken back and fours and threats are searched.\n\ndomineering: without --goal, three series: win and score of the empty board, and score after four random plies.\nEach position is solved afresh, tables and all, on one core.\n\nTimes are those of the processor, so that other programs do not count."
)]
pub struct BenchArgs {
    /// The game
    #[arg(value_parser = benched())]
    pub game: Game,
    /// Bacteria and renju: how many plies deep [default: 14 and 4]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=30))]
    pub depth: Option<u32>,
    /// Bacteria: MiB of the table [default: 16]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub memory: Option<u32>,
    /// Bacteria: a parameter of the search, `late_slope=60`; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = network::Setting::read)]
    pub settings: Vec<network::Setting>,
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub boards: u64,
    /// The seed of the first board; the others follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Only this goal
    #[arg(long, value_name = "GOAL")]
    pub goal: Option<Goal>,
    /// Dominoes placed at random before
    #[arg(long, value_name = "N", default_value_t = 0, requires = "goal")]
    pub plies: u32,
    /// The most time for one board, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    pub time: u64,
    /// The most nodes for one board: the same on every machine
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// How to print the distribution
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// By which threats a win is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Threat {
    /// Continuous fours
    Vcf,
    /// Fours and threes
    Vct,
    /// Fours, else threes too
    Any,
}

impl From<Threat> for agon_proof::solution::Mode {
    fn from(threat: Threat) -> Self {
        match threat {
            Threat::Vcf => Self::Fours,
            Threat::Vct => Self::Threats,
            Threat::Any => Self::Any,
        }
    }
}

#[derive(ClapArgs, Debug)]
#[command(after_help = ANALYZE_HELP)]
pub struct AnalyzeArgs {
    /// The game
    #[arg(value_parser = benched())]
    pub game: Game,
    /// Bacteria: a FEN; renju: moves ("H8 H9 I9"), a position on one line, or a file .sgf, .psq, .txt or .jsonl
    /// [default: the start of the game]; domineering: a file with a line of JSON, - is standard input
    pub position: Option<String>,
    /// How long to think at most, in milliseconds [default: 5000 in bacteria and renju, if nothing else ends it]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=86_400_000))]
    pub time: Option<u64>,
    /// Bacteria and renju: how many nodes to visit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Bacteria and renju: how many plies deep to look
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=120))]
    pub depth: Option<u32>,
    /// Bacteria and renju: how many of the best moves to show
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub lines: u16,
    /// Bacteria: on how many threads to think
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Bacteria and renju: memory of the tables, in MiB [default: 128]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub memory: Option<u64>,
    /// Domineering: draw the board, with every move and its value, to this SVG file; renju: the forced win, move by move
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// How to print what is found
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

const ANALYZE_HELP: &str = "\
bacteria: a FEN as other Ataxx programs write it, `x` to move first. Values are in cells, for the side to move.
On a terminal the lines change as the search gets deeper; Ctrl-C ends it. With --format json a line of JSON for
every line of play and depth, then {\"best\": \"x1 y1 x2 y2\"}.

domineering: a position as `agon solve` reads it; optional are `last_pass` and `lead`
  {\"board\": [[1,2,0],[3,1,1]], \"occupied\": [], \"to_move\": \"H\"}
Between every two cells that a domino could cover stands what the side to move
ends ahead by after it, the second player's 2.5 included, if both then play
perfectly; the colour says who wins, brackets mark the best moves.
With --format json: \"value\", and that of every move, is what first gets more
than second from here on (null when it is only known to be from \"low\" to
\"high\"); \"line\" is a perfect game from here; \"proved\" says whether all is
exact.

renju: the best lines, the points that are forbidden to Black, and, if the side to move wins by fours and threes, that win
with its moves numbered on the board. With --format json the last line is
  {\"forbidden\": [[r,c], …], \"win\": [[r,c], …]}   (win is null if none is found)

Examples:
  agon analyze renju \"H8 H9 I9 G9\" --time 2000 --picture win.svg
  agon analyze bacteria --lines 5 --time 2000
  agon analyze bacteria \"7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10\" --nodes 1000000 --format json
  echo '{\"board\": [[1,2,0],[3,1,1]], \"occupied\": [], \"to_move\": \"H\"}' |
    agon analyze domineering - --picture board.svg";

#[derive(ClapArgs, Debug)]
#[command(after_help = TUNE_HELP)]
pub struct TuneArgs {
    /// The game
    #[arg(value_parser = tunable())]
    pub game: Game,
    /// How many pairs of games to play
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub steps: u64,
    /// How many nodes to search for each move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Instead of nodes, how long each player has for a game, in ms
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub clock: Option<u64>,
    /// Tune only these parameters, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// The number from which openings and changes are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many pairs to play at once [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Where the run is kept; if the file is there, the run goes on from it
    #[arg(long, value_name = "FILE", default_value = "tune.json")]
    pub state: PathBuf,
    /// How to print the parameters
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

const TUNE_HELP: &str = "\
In every pair of games all parameters are moved a little, each to a random side, and the engine plays itself with
all of them moved the opposite way; then all go a little towards the winner (SPSA). Ctrl-C keeps what was learnt;
the same command goes on from there. Prove what comes out with `agon sprt` before believing it.

Example:
  agon tune bacteria --only late_base,late_slope --steps 5000
  agon tune renju --clock 500 --steps 2000 --state renju.tune.json";

#[derive(ClapArgs, Debug)]
#[command(after_help = BOOK_HELP)]
pub struct BookArgs {
    /// The game
    #[arg(value_parser = with_book())]
    pub game: Game,
    /// Prove by the rules every win that the book claims
    #[arg(long, conflicts_with_all = ["grow", "practise", "picture"])]
    pub verify: bool,
    /// Search for more wins, and write the book to the file of --book
    #[arg(long, group = "searching", requires = "book", conflicts_with_all = ["picture", "opening"])]
    pub grow: bool,
    /// Play the openings through by searches, and write the moves that hold to the file of --book
    #[arg(long, group = "searching", requires = "book", conflicts_with_all = ["picture", "opening"])]
    pub practise: bool,
    /// The book [default: the one that the champion plays by]
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Of --grow and --practise: where all that was found out is kept, so that it can go on [default: the book's name with
    /// .work]
    #[arg(long, value_name = "FILE", requires = "searching")]
    pub work: Option<PathBuf>,
    /// Of --grow and --practise: how long, in seconds [default: until everything is decided, or Ctrl-C]
    #[arg(long, value_name = "S", requires = "searching", value_parser = clap::value_parser!(u64).range(..=31_536_000))]
    pub time: Option<u64>,
    /// Of --grow and --practise: end after so many searches, those that are known from before among them
    #[arg(long, value_name = "N", requires = "searching")]
    pub searches: Option<u64>,
    /// Of --practise: nodes of a search
    #[arg(long, value_name = "N", requires = "practise", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Of --practise: search these games through first: a store, or a game in .jsonl, .sgf, .psq or .txt
    #[arg(long, value_name = "FILE", requires = "practise", num_args = 1..)]
    pub games: Vec<PathBuf>,
    /// Of --grow, --practise and --verify: how many threads [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Only this opening
    #[arg(long, value_name = "NAME")]
    pub opening: Option<BookOpening>,
    /// Draw the fourth moves of the opening named by --opening to this SVG file
    #[arg(long, value_name = "FILE", requires = "opening")]
    pub picture: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

const BOOK_HELP: &str = "\
After three stones, Hogetsu (H8 I9 I7) or Kagetsu (H8 H9 I9), the book has
Black's answers to White's fourth moves, and to everything that follows, up to
positions that a search for threats wins within a second. On the board a cross
is a fourth move that loses; a number says how many positions Black must win yet,
at least, to refute it; a dot was not looked at.

--verify trusts neither the book nor the searches: every move of every proof is
checked by the rules, and every answer that could matter is tried. Exit code 1:
a claim is wrong; it is named.

--grow may be stopped at any moment, by Ctrl-C or kill -9, and goes on where it
was. Without the file of --work it begins with what the book says.

Examples:
  agon book renju --opening hogetsu --picture hogetsu.svg
  agon book renju --verify
  agon book renju --grow --book books/renju.book --time 3600
  agon book renju --practise --book books/renju.practised --time 3600
  agon book renju --practise --book books/renju.practised --time 3600 --games agon.db lost.sgf";

/// An opening of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BookOpening {
    /// H8 I9 I7, after a second move on a corner of the first
    Hogetsu,
    /// H8 H9 I9, after a second move beside the first
    Kagetsu,
}

/// What to prove of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Goal {
    /// Who wins
    Win,
    /// The best score
    Score,
}

impl From<Goal> for agon_engines::domineering::Goal {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::Win => Self::Win,
            Goal::Score => Self::Score,
        }
    }
}

#[derive(ClapArgs, Debug)]
#[command(after_help = CONVERT_HELP)]
pub struct ConvertArgs {
    /// The game to read: .jsonl (a record), .sgf, .psq or .txt
    pub from: PathBuf,
    /// The file to write: .sgf, .psq or .txt
    pub to: PathBuf,
}

const CONVERT_HELP: &str = "\
The extensions name the formats:
  .jsonl  a record of Agon's
  .sgf    SGF (GM[4])
  .psq    Gomocup's
  .txt    a move a line (H8)
The game must be legal under the contest's rules.

Example:
  agon play renju --record game.jsonl && agon convert game.jsonl game.sgf";

#[derive(ClapArgs, Debug)]
pub struct GamesArgs {
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// How to show a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ShowHow {
    /// The board after each move
    Board,
    /// A line a move
    Line,
    /// Only the result
    None,
}

/// How to print a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

pub fn game() -> impl TypedValueParser<Value = Game> {
    PossibleValuesParser::new(Game::ALL.map(Game::name)).map(|name| Game::by_name(&name).expect("a listed name"))
}

fn protocol() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::ALL.map(Protocol::name))
        .map(|name| Protocol::ALL.into_iter().find(|protocol| protocol.name() == name).expect("a listed name"))
}

/// `10x4`.
pub fn size(text: &str) -> Result<(u64, u64), String> {
    let sides =
        text.split_once(['x', 'X', '×']).and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.ok_or_else(|| format!("`{text}`: WIDTHxHEIGHT expected, as 10x4"))
}

/// Games whose positions are solved.
fn solvable() -> impl TypedValueParser<Value = Game> {
    PossibleValuesParser::new([Game::Domineering, Game::Renju].map(Game::name))
        .map(|name| Game::by_name(&name).expect("a listed name"))
}

/// Games whose engines can be measured and asked about positions.
fn benched() -> impl TypedValueParser<Value = Game> {
    PossibleValuesParser::new([Game::Bacteria, Game::Domineering, Game::Renju].map(Game::name))
        .map(|name| Game::by_name(&name).expect("a listed name"))
}

/// Games with an opening book.
fn with_book() -> impl TypedValueParser<Value = Game> {
    PossibleValuesParser::new([Game::Renju.name()]).map(|_| Game::Renju)
}

/// Games whose engines have parameters.
fn tunable() -> impl TypedValueParser<Value = Game> {
    PossibleValuesParser::new([Game::Bacteria, Game::Renju].map(Game::name))
        .map(|name| Game::by_name(&name).expect("a listed name"))
}

pub fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE expected")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The parameters as a set-up wants them.
pub fn parameters(given: &[(String, String)]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut parameters = BTreeMap::new();
    for (name, value) in given {
        if parameters.insert(name.clone(), value.clone()).is_some() {
            anyhow::bail!("parameter `{name}` is given twice");
        }
    }
    Ok(parameters)
}

/// How a game is shown when the user leaves it open.
///
/// # Errors
/// When a game is to be shown where the user wants nothing but JSON.
pub fn show_how(wanted: Option<ShowHow>, format: Format, otherwise: ShowHow) -> anyhow::Result<ShowHow> {
    match (wanted, format) {
        (None | Some(ShowHow::None), Format::Json) => Ok(ShowHow::None),
        (Some(_), Format::Json) => anyhow::bail!("--format json prints the result and nothing else: leave out --show"),
        (how, Format::Text) => Ok(how.unwrap_or(otherwise)),
    }
}

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell) -> anyhow::Result<Answer> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "agon", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Answer::Done)
}

/// How many threads are wanted: one on every core unless somebody says otherwise.
pub fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
