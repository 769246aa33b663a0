//! `agon agent`: a built-in player as a program.

use std::io;

use agon_engines::catalog;
use agon_referee::serve::{ServeError, serve};
use anyhow::Context;

use crate::Answer;
use crate::args::AgentArgs;

/// Speaks the judge's protocol until FINISH.
pub fn run(args: &AgentArgs) -> anyhow::Result<Answer> {
    let mut player = catalog::player(args.game, &args.name, args.seed.unwrap_or(0)).with_context(|| {
        let names: Vec<&str> = catalog::builtins(args.game).iter().map(|builtin| builtin.name).collect();
        format!("{} has no built-in player `{}`; it has {}", args.game, args.name, names.join(", "))
    })?;
    match serve(player.as_mut(), io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => Ok(Answer::Done),
        // As what it is, so that a closed pipe is known for one.
        Err(ServeError::Io(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}
