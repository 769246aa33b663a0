//! `agon uai`, `agon gomocup` and `agon bridge`: the protocols of other arenas.

use std::io;
use std::time::Duration;

use agon_engines::{analysts, catalog, renju};
use agon_protocols::bridge::{self, BridgeError, Terms};
use agon_protocols::{ConversationError, gomocup, uai};
use agon_referee::serve::ServeError;
use agon_rules::catalog::Game;
use agon_search::Analyst;
use anyhow::Context;

use crate::Answer;
use crate::args::{BridgeArgs, GomocupArgs, SpeakArgs};
use crate::book::read_book;

/// Speaks UAI for one of our engines of Bacteria War.
pub fn uai(args: &SpeakArgs) -> anyhow::Result<Answer> {
    let name = args.engine.as_deref().unwrap_or(strongest(Game::Bacteria));
    catalog::find(Game::Bacteria, name)?;
    let engine = analysts::bacteria(name, args.seed).context("it cannot be asked about positions")?;
    done(uai::serve(engine, &title(name), io::stdin().lock(), io::stdout()))
}

/// Speaks Gomocup's protocol for one of our engines of renju.
pub fn gomocup(args: &GomocupArgs) -> anyhow::Result<Answer> {
    let name = args.speak.engine.as_deref().unwrap_or(strongest(Game::Renju));
    catalog::find(Game::Renju, name)?;
    let engine: Box<dyn Analyst<_>> = match &args.practised {
        Some(path) => Box::new(renju::Champion::default().practised(read_book(path)?)),
        None => analysts::renju(name, args.speak.seed).context("it cannot be asked about positions")?,
    };
    done(gomocup::serve(engine, &title(name), io::stdin().lock(), io::stdout()))
}

/// Speaks for an engine of others with the judge.
pub fn bridge(args: &BridgeArgs) -> anyhow::Result<Answer> {
    let terms = Terms { options: args.options.clone(), margin: Duration::from_millis(args.margin) };
    match bridge::run(args.protocol, &args.engine, terms, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => Ok(Answer::Done),
        // As what it is, so that a closed pipe is known for one.
        Err(BridgeError::Judge(ServeError::Io(error))) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// As what it is, so that a closed pipe is known for one.
fn done(conversation: Result<(), ConversationError>) -> anyhow::Result<Answer> {
    match conversation {
        Ok(()) => Ok(Answer::Done),
        Err(ConversationError::Io(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

/// The built-in that a game lists last.
fn strongest(game: Game) -> &'static str {
    catalog::builtins(game).last().map_or("random", |builtin| builtin.name)
}

fn title(name: &str) -> String {
    format!("Agon {} {name}", env!("CARGO_PKG_VERSION"))
}
