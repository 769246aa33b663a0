//! `agon agent`: a built-in player as a program.

use std::io::{self, BufRead, Read, Write};

use agon_engines::catalog;
use agon_game::Stateless;
use agon_referee::serve::{ServeError, serve};
use anyhow::Context;

use crate::Answer;
use crate::args::AgentArgs;

/// Speaks the judge's protocol until FINISH; where programs are run anew for every action, answers one input.
pub fn run(args: &AgentArgs) -> anyhow::Result<Answer> {
    let seed = args.seed.unwrap_or(0);
    if let Some(program) = catalog::stateless(args.game, &args.name) {
        return if args.stays { stay(program.as_ref(), seed) } else { respond(program.as_ref(), seed) };
    }
    catalog::find(args.game, &args.name)?;
    let mut player = catalog::player(args.game, &args.name, seed).context("it plays by invocations alone")?;
    if args.stays {
        anyhow::bail!("--loop is for petri: a player of {} always stays", args.game);
    }
    match serve(player.as_mut(), io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => Ok(Answer::Done),
        // As what it is, so that a closed pipe is known for one.
        Err(ServeError::Io(error)) => Err(error.into()),
        Err(error) => Err(error.into()),
    }
}

fn respond(program: &dyn Stateless, seed: u64) -> anyhow::Result<Answer> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    let answer = answer(program, &input, seed, false).context("BEGIN or a dish expected")?;
    writeln!(io::stdout(), "{answer}")?;
    Ok(Answer::Done)
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
fn stay(program: &dyn Stateless, seed: u64) -> anyhow::Result<Answer> {
    let (mut inputs, mut answers) = (io::stdin().lock(), io::stdout().lock());
    let mut input = String::new();
    loop {
        input.clear();
        inputs.read_line(&mut input)?;
        match input.trim_end() {
            "" | "END" => return Ok(Answer::Done),
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
