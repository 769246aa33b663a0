//! `agon agent`: a built-in player as a program.

use agon_catalog::{Capability, Game};
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;
use std::io::{self, BufRead, Read, Write};

use agon_engines::Seated;
use agon_engines::seated::no_board;
use agon_game::{Player, Stateless};
use agon_referee::serve::{ServeError, SessionTerms, serve};
use anyhow::{Context, bail};
use clap::Args;

use crate::exit::Exit;
use crate::network::champion_with;
use crate::options::{self, game};

#[derive(Args, Debug)]
#[command(after_help = AGENT_HELP)]
pub(crate) struct AgentArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: Game,
    /// The built-in player, with its level if it has any (champion:3)
    #[arg(required_unless_present = "net", conflicts_with = "net")]
    pub name: Option<String>,
    /// In bacteria and renju: the champion's search with the network of this file (`agon lab train`, `agon lab learn`)
    #[arg(long, value_name = "FILE")]
    pub net: Option<String>,
    #[arg(
        help = "Random seed of the player [default: AGON_SEED in the environment, else 1]",
        long,
        value_name = "N",
        env = "AGON_SEED",
        hide_env = true
    )]
    pub seed: Option<u64>,
    /// Stay alive and answer one input after another, until the line END
    #[arg(long = "loop", help_heading = options::only_for(Capability::Actions))]
    pub stays: bool,
}

const AGENT_HELP: &str = "\
A network of your own against the champion, under the judge's clock:
  agon match \"agon agent bacteria --net mine.net\" champion --game bacteria

The program reads READY, TURN, OPP and FINISH and answers OK and MOVE, so that
another referee, or a person, can play against it:
  agon agent renju greedy
  READY SECOND
  OK

In petri the program answers one input, BEGIN or a dish, and exits; with --loop
each input ends with an empty line, each answer is a line, and the line END ends
the program. The same seed and input always give the same answer:
  printf BEGIN | agon agent petri amoeba";

/// Speaks the judge's protocol until FINISH; where programs are run anew for every action, answers one input.
pub(crate) fn run(args: &AgentArgs) -> anyhow::Result<Exit> {
    let seed = args.seed.unwrap_or(1);
    let mut player = match (&args.net, &args.name) {
        (Some(net), _) => with_network(args.game, net, seed)?,
        (None, name) => {
            let named = args.game.find(name.as_deref().unwrap_or_default())?;
            if let Some(program) = named.program() {
                return if args.stays { stay(&*program, seed) } else { respond(&*program, seed) };
            }
            named.player(seed).context("it is asked for every action")?
        }
    };
    let terms = SessionTerms::from_environment();
    match serve(player.as_mut(), terms, io::stdin().lock(), io::stdout().lock(), io::stderr()) {
        Ok(()) => Ok(Exit::Done),
        // The bare I/O error, so that a closed pipe is recognised.
        Err(ServeError::Io(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// The champion of a game with another network.
fn with_network(game: Game, net: &str, seed: u64) -> anyhow::Result<Box<dyn Player>> {
    Ok(match game.name() {
        "bacteria" => Box::new(Seated::new(no_board, champion_with::<Bacteria>(net, seed)?)),
        "renju" => Box::new(Seated::new(no_board, champion_with::<Renju>(net, seed)?)),
        _ => bail!("--net: the champion of {game} has no network; name a player"),
    })
}

fn respond(program: &dyn Stateless, seed: u64) -> anyhow::Result<Exit> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    let answer = answer(program, &input, seed, false).context("BEGIN or a dish expected")?;
    writeln!(io::stdout(), "{answer}")?;
    Ok(Exit::Done)
}

/// A species announces whether its own program stayed alive; here the command line decides it.
fn answer(program: &dyn Stateless, input: &[u8], seed: u64, stays: bool) -> anyhow::Result<String> {
    let answer = program.respond(input, seed).map_err(anyhow::Error::msg)?;
    if input.trim_ascii_end() != b"BEGIN" {
        return Ok(answer);
    }
    let species = answer.trim_end_matches(" LOOP");
    Ok(if stays { format!("{species} LOOP") } else { species.to_owned() })
}

/// Answers one input after another, a line each, until END.
fn stay(program: &dyn Stateless, seed: u64) -> anyhow::Result<Exit> {
    let (mut inputs, mut answers) = (io::stdin().lock(), io::stdout().lock());
    let mut input = String::new();
    loop {
        input.clear();
        inputs.read_line(&mut input)?;
        match input.trim_end() {
            "" | "END" => return Ok(Exit::Done),
            "BEGIN" => {}
            // A dish is over with the line after its only empty one.
            _ => {
                let mut gap = false;
                loop {
                    let start = input.len();
                    let ended = inputs.read_line(&mut input)? == 0;
                    if ended || std::mem::replace(&mut gap, input[start..].trim_end().is_empty()) {
                        break;
                    }
                }
            }
        }
        let answer = answer(program, input.as_bytes(), seed, true).context("BEGIN, a dish or END expected")?;
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
}
