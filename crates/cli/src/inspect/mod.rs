//! `agon inspect`: questions about positions, one JSON line each, answered by one JSON line each.

mod bacteria;
pub mod domineering;
mod petri;
pub mod renju;

use std::io::{self, BufRead, Write};

use agon_game::Outcome;
use agon_rules::catalog::Game;
use serde_json::{Value, json};

use crate::Answer;

/// Answers every line of standard input. A bad line is answered by its error.
pub fn run(game: Game) -> anyhow::Result<Answer> {
    let answer = match game {
        Game::Bacteria => bacteria::answer,
        Game::Domineering => domineering::answer,
        Game::Renju => renju::answer,
        Game::Petri => petri::answer,
    };
    answer_lines(answer)
}

/// Answers every line of standard input by a line of standard output.
pub fn answer_lines(mut answer: impl FnMut(&[u8]) -> Result<Value, String>) -> anyhow::Result<Answer> {
    let mut out = io::stdout().lock();
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(Answer::Done);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let reply = answer(&line).unwrap_or_else(|error| json!({ "error": error }));
        writeln!(out, "{reply}")?;
        // Whoever asks one question at a time waits for this answer.
        out.flush()?;
    }
}

fn parse<'a, T: serde::Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

fn outcome(outcome: Option<Outcome>) -> Value {
    outcome.map_or(Value::Null, |outcome| outcome.to_string().into())
}

/// The numbers of a move's judge notation.
pub fn numbers(m: &impl ToString) -> Vec<i32> {
    m.to_string().split(' ').map(|word| word.parse().expect("moves are written in numbers")).collect()
}
