//! `agon games`: the games and their built-in players.

use std::io::Write;

use agon_catalog::Game;
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{self, Format, OutputArgs};
use crate::show::{STRONG, folded, paint};
use crate::{output, rules};

const GAMES_HELP: &str = "\
Examples:
  agon games
  agon games renju";

#[derive(Args, Debug)]
#[command(after_help = GAMES_HELP)]
pub(crate) struct GamesArgs {
    /// Only this game, with a summary of its rules
    #[arg(value_parser = options::game())]
    pub game: Option<Game>,
    #[command(flatten)]
    pub output: OutputArgs,
}

pub(crate) fn run(args: &GamesArgs) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    if args.output.format == Format::Json {
        let games = match args.game {
            Some(game) => as_json(game),
            None => Game::all().into_iter().map(as_json).collect(),
        };
        writeln!(out, "{}", output::json(games))?;
        return Ok(Exit::Done);
    }
    if let Some(game) = args.game {
        head(&mut out, game)?;
        writeln!(out)?;
        for line in game.rules {
            writeln!(out, "{}", folded("  - ", line))?;
        }
        if game.is_program() {
            writeln!(out, "\n  rules: {}", game.page)?;
        } else {
            writeln!(out, "\n  all rules, with pictures and an example: {}", game.page)?;
            writeln!(out, "  the problem as it was set: {}", game.source)?;
        }
        if !game.samples.is_empty() {
            let word = rules::word(game);
            writeln!(out, "  a bot to start from: `agon new {word}`")?;
            writeln!(out, "  check yours: `agon check BOT --game {word}`")?;
        }
        writeln!(out)?;
        tail(&mut out, game)?;
        return Ok(Exit::Done);
    }
    for game in Game::all() {
        head(&mut out, game)?;
        writeln!(out, "  rules: `agon games {}`, {}", rules::word(game), game.page)?;
        tail(&mut out, game)?;
    }
    Ok(Exit::Done)
}

/// Name, title and summary.
fn head(out: &mut impl Write, game: Game) -> anyhow::Result<()> {
    writeln!(out, "{}  {}", paint(STRONG, format!("{:<12}", game.name())), game.title())?;
    writeln!(out, "  {}", game.summary)?;
    Ok(())
}

/// Parameters and players.
fn tail(out: &mut impl Write, game: Game) -> anyhow::Result<()> {
    for parameter in game.parameters {
        let text = format!("{} [{}; default {}]", parameter.meaning, parameter.values, parameter.default);
        row(out, &format!("--set {}=", parameter.name), &text)?;
    }
    for clock in game.clocks() {
        let text = [clock.meaning, clock.clock].iter().filter(|text| !text.is_empty()).copied().collect::<Vec<_>>();
        row(out, &format!("--clock {}", clock.name), &text.join(": "))?;
    }
    for builtin in game.builtins {
        let levels =
            builtin.levels().map(|highest| format!(" [{0}:1 to {0}:{highest}; default {highest}]", builtin.name));
        let text = builtin.summary.to_owned() + &levels.unwrap_or_default();
        row(out, &format!("player {}", builtin.name), &text)?;
    }
    Ok(())
}

/// A name and a text beside it, in 80 columns.
fn row(out: &mut impl Write, name: &str, text: &str) -> anyhow::Result<()> {
    writeln!(out, "{}", folded(&format!("  {name:<19}"), text))?;
    Ok(())
}

fn as_json(game: Game) -> serde_json::Value {
    let parameters: Vec<_> = game
        .parameters
        .iter()
        .map(|p| json!({ "name": p.name, "meaning": p.meaning, "values": p.values, "default": p.default }))
        .collect();
    let players: Vec<_> =
        game.builtins.iter().map(|b| json!({ "name": b.name, "summary": b.summary, "levels": b.levels() })).collect();
    let clocks: Vec<_> = game
        .clocks()
        .iter()
        .map(|known| json!({ "name": known.name, "clock": known.clock, "meaning": known.meaning }))
        .collect();
    json!({
        "name": game.name(), "title": game.title(), "summary": game.summary,
        "rules": game.rules, "page": game.page, "source": game.source,
        "parameters": parameters, "clocks": clocks, "players": players,
    })
}
