//! Questions about positions as JSON Lines, and formatting of the answers.

use std::io::{self, BufRead, Write};

pub(crate) use agon_analysis::lines::numbers;
use agon_game::Outcome;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::exit::Exit;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Answers every line of standard input by a line of standard output.
pub(crate) fn answer_lines(mut answer: impl FnMut(&[u8]) -> Result<Value, String>) -> anyhow::Result<Exit> {
    let mut out = io::stdout().lock();
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    let mut first = true;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(Exit::Done);
        }
        if std::mem::take(&mut first) && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let reply = answer(&line).unwrap_or_else(|error| json!({ "error": error }));
        writeln!(out, "{}", crate::output::json(reply))?;
        // A caller that asks one question at a time is waiting for this answer.
        out.flush()?;
    }
}

pub(crate) fn parse<'a, T: serde::Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| match serde_json::from_slice::<IgnoredAny>(line) {
        Ok(_) => error.to_string(),
        Err(error) => format!("the line is no JSON ({error})"),
    })
}

/// Returns `first`, `second`, `draw`, or null during the game.
pub(crate) fn outcome(outcome: Option<Outcome>) -> Value {
    outcome.map_or(Value::Null, |outcome| outcome.to_string().into())
}
