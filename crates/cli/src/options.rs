//! Options that several commands share.

use std::collections::BTreeMap;

use agon_rules::catalog::Game;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

/// How to print a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// How to show a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ShowHow {
    /// The board after each move
    Board,
    /// A line a move
    Line,
    /// Only the result
    None,
}

/// How a game is shown when the user leaves it open.
///
/// # Errors
/// When a game is to be shown where the user wants nothing but JSON.
pub fn show_how(wanted: Option<ShowHow>, format: Format, otherwise: ShowHow) -> anyhow::Result<ShowHow> {
    match (wanted, format) {
        (None | Some(ShowHow::None), Format::Json) => Ok(ShowHow::None),
        (Some(_), Format::Json) => anyhow::bail!("--format json prints the result and nothing else: leave out --show"),
        (how, Format::Text) => Ok(how.unwrap_or(otherwise)),
    }
}

/// The parameters of a dish by names of their own.
#[derive(Args, Clone, Debug, Default)]
pub struct DishArgs {
    /// Petri: columns of the dish; short for --set width=N
    #[arg(long, value_name = "N")]
    pub width: Option<u64>,
    /// Petri: rows of the dish; short for --set height=N
    #[arg(long, value_name = "N")]
    pub height: Option<u64>,
    /// Petri: turns of each player; short for --set turns=N
    #[arg(long, value_name = "N")]
    pub turns: Option<u64>,
}

impl DishArgs {
    /// As --set has them.
    pub fn parameters(&self) -> impl Iterator<Item = (String, String)> {
        let named = [("width", self.width), ("height", self.height), ("turns", self.turns)];
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_string())))
    }
}

/// Reads the name of a game.
pub fn game() -> impl TypedValueParser<Value = Game> {
    game_of(Game::ALL)
}

/// Reads the name of one of these games.
pub fn game_of<const N: usize>(games: [Game; N]) -> impl TypedValueParser<Value = Game> {
    PossibleValuesParser::new(games.map(Game::name)).map(|name| Game::by_name(&name).expect("a listed name"))
}

pub fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE expected")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The parameters as a set-up wants them.
pub fn parameters(given: &[(String, String)]) -> anyhow::Result<BTreeMap<String, String>> {
    let mut parameters = BTreeMap::new();
    for (name, value) in given {
        if parameters.insert(name.clone(), value.clone()).is_some() {
            anyhow::bail!("parameter `{name}` is given twice");
        }
    }
    Ok(parameters)
}

/// How many threads are wanted: one on every core unless somebody says otherwise.
pub fn jobs(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from)
}

/// How a command prints what it found.
#[derive(Args, Debug)]
pub struct OutputArgs {
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}
