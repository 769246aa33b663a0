//! `agon uai`, `agon gomocup` and `agon bridge`: built-in players and engines in the UAI and Gomocup protocols.

use std::io;
use std::path::PathBuf;

use agon_catalog::Game;
use agon_engines::renju;
use agon_proof::read_book;
use agon_protocols::bridge::{self, BridgeError};
use agon_protocols::protocol_client::Terms;
use agon_protocols::{ConversationError, gomocup, uai};
use agon_referee::agent::BridgeProtocol;
use agon_referee::serve::{ServeError, SessionTerms};
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;
use agon_search::Engine;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::exit::Exit;
use crate::network::champion_with;
use crate::options::{parameter, up_to};
use crate::span::{A_DAY, TimeSpan, time};

/// `agon uai`, and what it shares with `agon gomocup`.
#[derive(Args, Debug)]
pub(crate) struct SpeakArgs {
    /// The built-in player that answers, with its level if it has any (champion:3)
    /// [default: the strongest]
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// The champion's search with the network of this file instead (`agon lab train`, `agon lab learn`)
    #[arg(long, value_name = "FILE", conflicts_with = "engine")]
    pub net: Option<String>,
    /// Random seed of the player
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

pub(crate) const UAI_HELP: &str = "\
Commands of the Universal Ataxx Interface (UAI), as in cuteataxx:
  uai, isready, uainewgame, setoption (Hash, Threads, MultiPV, MoveOverhead),
  position startpos|fen FEN [moves M …], go depth|nodes|movetime|btime|wtime|
  binc|winc|movestogo|infinite|perft, stop, quit; and perft, bench, moves, print
x moves first: btime and binc are the clock of x.

Examples:
  agon uai
  printf 'position startpos\\ngo depth 3\\n' | agon uai --engine champion:3";

#[derive(Args, Debug)]
#[command(after_help = GOMOCUP_HELP)]
pub(crate) struct GomocupArgs {
    #[command(flatten)]
    pub speak: SpeakArgs,
    /// Play by this practised book (`agon lab book renju --practise`) instead of the built-in one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "net", "seed"])]
    pub practised: Option<PathBuf>,
}

const GOMOCUP_HELP: &str = "\
Commands of the Gomocup protocol: START 15, RESTART, BEGIN, TURN, BOARD,
TAKEBACK, INFO, ABOUT, END; and YXBOARD, YXSTOP, YXSHOWFORBID. Only renju
(INFO rule 4) on 15 x 15 is played.

Examples:
  printf 'START 15\\nINFO rule 4\\nBEGIN\\n' | agon gomocup
  agon play renju --second \"gomocup:agon gomocup --practised mine.book\"";

#[derive(Args, Debug)]
#[command(after_help = BRIDGE_HELP)]
pub(crate) struct BridgeArgs {
    /// The protocol that the engine speaks
    #[arg(value_parser = protocol())]
    pub protocol: BridgeProtocol,
    /// An option for the engine: setoption in uai, INFO in gomocup; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parameter)]
    pub options: Vec<(String, String)>,
    /// Limit the engine to this number of nodes per move instead of sending it the clocks; for results that do not
    /// depend on the speed of the machine
    #[arg(long, value_name = "N", conflicts_with = "margin", value_parser = up_to::<u64>(1_000_000_000_000))]
    pub nodes: Option<u64>,
    /// Limit the engine to this depth per move, in plies, instead of sending it the clocks
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["margin", "nodes"], value_parser = up_to::<u32>(1_000))]
    pub depth: Option<u32>,
    /// Give the engine this time for every move instead of sending it the clocks; for engines that know nothing else
    #[arg(long, value_name = "TIME", conflicts_with_all = ["margin", "nodes", "depth"], value_parser = time(A_DAY))]
    pub movetime: Option<TimeSpan>,
    /// Move overhead: time withheld from the engine's clock
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(Terms::default().margin.as_millis() as u64),
          value_parser = time(0..=3_600_000))]
    pub margin: TimeSpan,
    /// The engine and its arguments
    #[arg(value_name = "ENGINE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub engine: Vec<String>,
}

const BRIDGE_HELP: &str = "\
The protocol uai is for Bacteria War, gomocup for renju. An agent named
`uai:COMMAND` or `gomocup:COMMAND` is bridged in the same way; its options are
words before it:
  agon play bacteria --second \"option.Hash=64 margin=50ms uai:./engine\"

A forced move is played without asking the engine. After a PASS in renju the
engine sees two stones of one colour in a row; it cannot pass itself. The bridge
exits when the engine exits or sends an invalid line.

Examples:
  agon bridge uai --option Hash=64 -- ./engine
  agon play renju --second \"agon bridge gomocup --nodes 9999 -- ./bot\"";

fn protocol() -> impl TypedValueParser<Value = BridgeProtocol> {
    PossibleValuesParser::new(BridgeProtocol::ALL.map(BridgeProtocol::name))
        .map(|name| BridgeProtocol::by_name(&name).expect("a listed name"))
}

/// Serves UAI with a built-in player of Bacteria War.
pub(crate) fn uai(args: &SpeakArgs) -> anyhow::Result<Exit> {
    let name = args.name(Game::BACTERIA);
    let engine = match &args.net {
        Some(net) => champion_with::<Bacteria>(net, args.seed)?,
        None => agon_catalog::engine::<Bacteria>(name, args.seed)?,
    };
    done(uai::serve(engine, &title(name), io::stdin().lock(), io::stdout()))
}

/// Serves Gomocup's protocol with a built-in player of renju.
pub(crate) fn gomocup(args: &GomocupArgs) -> anyhow::Result<Exit> {
    let (name, seed) = (args.speak.name(Game::RENJU), args.speak.seed);
    let engine: Box<dyn Engine<_>> = match (&args.practised, &args.speak.net) {
        (Some(path), _) => Box::new(renju::Champion::default().practised(read_book(path)?)),
        (None, Some(net)) => champion_with::<Renju>(net, seed)?,
        (None, None) => agon_catalog::engine::<Renju>(name, seed)?,
    };
    done(gomocup::serve(engine, &title(name), io::BufReader::new(io::stdin()), io::stdout()))
}

/// Connects an engine of UAI or Gomocup to the judge.
pub(crate) fn bridge(args: &BridgeArgs) -> anyhow::Result<Exit> {
    let session = SessionTerms::from_environment();
    let terms = Terms {
        ready: session.ready,
        options: args.options.clone(),
        margin: args.margin.into(),
        nodes: args.nodes,
        depth: args.depth,
        movetime: args.movetime.map(Into::into),
    };
    let (judge, answers) = (io::stdin().lock(), io::stdout().lock());
    match bridge::run(args.protocol, &args.engine, terms, session, judge, answers, io::stderr()) {
        Ok(()) => Ok(Exit::Done),
        // The bare I/O error, so that a closed pipe is recognised.
        Err(BridgeError::Judge(ServeError::Io(error))) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// The exit of a conversation; an I/O error stays bare, so that a closed pipe is recognised.
fn done(conversation: Result<(), ConversationError>) -> anyhow::Result<Exit> {
    match conversation {
        Ok(()) => Ok(Exit::Done),
        Err(ConversationError::Io(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

impl SpeakArgs {
    /// What answers: a net file, a built-in player, else the strongest one.
    fn name(&self, game: Game) -> &str {
        self.net.as_deref().or(self.engine.as_deref()).unwrap_or(strongest(game))
    }
}

fn strongest(game: Game) -> &'static str {
    game.builtins.last().map_or("random", |builtin| builtin.name)
}

fn title(name: &str) -> String {
    format!("Agon {} {name}", env!("CARGO_PKG_VERSION"))
}
