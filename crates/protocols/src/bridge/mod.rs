//! Engines of others under our judge.
//!
//! A bridge is a process between the two: it speaks the judge's protocol on its standard input and output and an engine's
//! own to the engine, its child. For the judge both are one agent, with one clock, one memory limit and one verdict. An
//! engine that ends, falls silent or says nonsense ends the bridge, with a line on the error stream that says so; a move
//! against the rules is passed on, for the judge to refuse.
//!
//! A forced move is played without asking: so no engine needs to know that Black must begin in the middle, and its clock
//! is spared where it could only pass.

mod player;

use std::env;
use std::io::{BufRead, Write};

use agon_game::Position;
use agon_referee::agent::Bridge;
use agon_referee::serve::{ServeError, serve};
use agon_rules::catalog::Game;

use crate::engine_process::{EngineError, EngineProcess};
use crate::protocol_client::{ProtocolClient, Terms};
use crate::{gomocup, uai};
use player::Bridged;

/// A protocol of other arenas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    Uai,
    Gomocup,
}

impl Protocol {
    pub const ALL: [Self; 2] = [Self::Uai, Self::Gomocup];

    /// The word that names it, as in `uai:./engine`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uai => "uai",
            Self::Gomocup => "gomocup",
        }
    }

    /// The game that its engines play.
    pub const fn game(self) -> Game {
        match self {
            Self::Uai => Game::Bacteria,
            Self::Gomocup => Game::Renju,
        }
    }
}

/// Why a bridge has ended before FINISH.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Judge(#[from] ServeError),
}

/// Starts an engine and speaks for it with the judge until FINISH, or until the judge's lines end.
///
/// # Errors
/// [`BridgeError`] when the engine fails, the judge breaks the protocol, or a stream fails.
pub fn run(
    protocol: Protocol,
    engine: &[String],
    terms: Terms,
    judge: impl BufRead,
    answers: impl Write,
) -> Result<(), BridgeError> {
    let program = EngineProcess::start(engine)?;
    match protocol {
        Protocol::Uai => between(uai::UaiClient::new(program, terms), judge, answers),
        Protocol::Gomocup => between(gomocup::GomocupClient::new(program, terms), judge, answers),
    }
}

fn between<P: Position + Default>(
    client: impl ProtocolClient<P> + Send,
    judge: impl BufRead,
    answers: impl Write,
) -> Result<(), BridgeError> {
    let mut player = Bridged::new(client);
    let served = serve(&mut player, judge, answers);
    let client = player.into_client()?;
    client.quit();
    Ok(served?)
}

/// Finds the bridge that a word before a colon names, for agents of this game: this very program, called as
/// `bridge PROTOCOL --`. `None` when the word names none.
///
/// # Errors
/// A text that says why it is no bridge for this game, or that this program cannot find itself.
pub fn find(game: Game, name: &str) -> Option<Result<Bridge, String>> {
    let protocol = Protocol::ALL.into_iter().find(|protocol| protocol.name() == name)?;
    if protocol.game() != game {
        return Some(Err(format!("{name} is spoken by engines of {}, not of {game}", protocol.game())));
    }
    let program = env::current_exe().map_err(|error| format!("this program cannot find itself: {error}"));
    Some(program.map(|program| Bridge {
        name: protocol.name(),
        words: [&program.display().to_string(), "bridge", name, "--"].map(str::to_owned).into(),
    }))
}
