//! Engines of others under our judge.
//!
//! A bridge is a process between the two: it speaks the judge's protocol on its standard input and output and an
//! engine's own to the engine, its child. For the judge both are one agent, with one clock, one memory limit and one
//! verdict. An engine that ends, falls silent or says nonsense ends the bridge, with a line on the error stream that
//! says so; a move against the rules is passed on, for the judge to refuse.
//!
//! A forced move is played without asking: so no engine needs to know that Black must begin in the middle, and its
//! clock does not run when it can only pass.

mod player;

use std::fmt::Display;
use std::io::{BufRead, Write};
use std::str::FromStr;

use agon_catalog::Game;
use agon_game::{Player, Position};
use agon_referee::agent::BridgeProtocol;
use agon_referee::serve::{ServeError, SessionTerms, serve};

use crate::engine_process::{EngineError, EngineProcess};
use crate::protocol_client::{OptionError, ProtocolClient, Terms};
use crate::{gomocup, uai};
use player::Bridged;

/// The game that the engines of a protocol play.
pub const fn game(protocol: BridgeProtocol) -> Game {
    match protocol {
        BridgeProtocol::Uai => Game::BACTERIA,
        BridgeProtocol::Gomocup => Game::RENJU,
    }
}

/// Reason why a bridge ended before FINISH.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Judge(#[from] ServeError),
}

/// Starts an engine and speaks for it with the judge until FINISH, or until the judge's lines end. The engine's scores
/// go to `messages`.
///
/// # Errors
/// [`BridgeError`] when the engine fails, an option is not the user's to give, the judge breaks the protocol, or a
/// stream fails.
pub fn run(
    protocol: BridgeProtocol,
    engine: &[String],
    terms: Terms,
    session: SessionTerms,
    judge: impl BufRead,
    answers: impl Write,
    messages: impl Write,
) -> Result<(), BridgeError> {
    terms.check(protocol)?;
    let program = EngineProcess::start(engine)?;
    match protocol {
        BridgeProtocol::Uai => between(uai::UaiClient::new(program, terms), session, judge, answers, messages),
        BridgeProtocol::Gomocup => {
            between(gomocup::GomocupClient::new(program, terms), session, judge, answers, messages)
        }
    }
}

/// An engine of others as a player within this process, for callers that need no process between: no wall and no limit
/// of memory is around it. It starts with its first game, and is killed with the player.
///
/// # Errors
/// [`BridgeError`] when it cannot be started, or an option is not the user's to give.
pub fn player(protocol: BridgeProtocol, engine: &[String], terms: Terms) -> Result<Box<dyn Player>, BridgeError> {
    terms.check(protocol)?;
    let program = EngineProcess::start(engine)?;
    Ok(match protocol {
        BridgeProtocol::Uai => Box::new(Bridged::new(uai::UaiClient::new(program, terms))),
        BridgeProtocol::Gomocup => Box::new(Bridged::new(gomocup::GomocupClient::new(program, terms))),
    })
}

fn between<P: Position + Default + FromStr<Err: Display>>(
    client: impl ProtocolClient<P> + Send,
    session: SessionTerms,
    judge: impl BufRead,
    answers: impl Write,
    mut messages: impl Write,
) -> Result<(), BridgeError> {
    let mut player = Bridged::new(client);
    let served = serve(&mut player, session, judge, answers, &mut messages);
    // Before the error, which the judge takes for the last message.
    let _ = write!(messages, "{}", player.last_lines());
    let client = player.into_client()?;
    client.quit();
    Ok(served?)
}
