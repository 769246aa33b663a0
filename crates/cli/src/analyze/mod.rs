//! `agon analyze`: one position, looked at closely.

mod args;
mod bacteria;
mod domineering;
mod heat;
mod renju;
mod search;

use std::fs;
use std::io::Read;

use anyhow::{Context, bail};

use crate::exit::Exit;
use agon_rules::catalog::Game;
pub use args::AnalyzeArgs;

/// Analyzes the position.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    match args.game {
        Game::Bacteria => bacteria::run(args),
        Game::Domineering => domineering::run(args),
        Game::Renju => renju::run(args),
        Game::Petri => bail!("a dish cannot be analyzed"),
    }
}

/// The only line of the file that is not blank; `-` is standard input.
fn line(name: &str) -> anyhow::Result<String> {
    let text = if name == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("standard input")?;
        text
    } else {
        fs::read_to_string(name).with_context(|| format!("cannot read `{name}`"))?
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    match (lines.next(), lines.next()) {
        (Some(line), None) => Ok(line.to_owned()),
        (None, _) => bail!("`{name}` holds no position: one line of JSON expected"),
        (Some(_), Some(_)) => bail!("`{name}` holds several lines: `agon solve` answers many positions"),
    }
}
