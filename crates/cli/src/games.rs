//! `agon games`: what can be played, and by whom.

use std::io::Write as _;

use agon_engines::registry::builtins;
use agon_rules::catalog::Game;
use serde_json::json;

use crate::exit::Exit;
use crate::options::Format;
use crate::show::{FAINT, STRONG, paint};

/// Lists the games.
pub fn run(format: Format) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    if format == Format::Json {
        let games: Vec<_> = Game::ALL.into_iter().map(as_json).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&games)?)?;
        return Ok(Exit::Done);
    }
    for game in Game::ALL {
        writeln!(out, "{}  {}", paint(STRONG, format!("{:<12}", game.name())), game.title())?;
        writeln!(out, "              {}", game.summary())?;
        for parameter in game.parameters() {
            let default = paint(FAINT, format!("[{}; default {}]", parameter.values, parameter.default));
            writeln!(out, "  --set {:<12}{} {default}", format!("{}=", parameter.name), parameter.meaning)?;
        }
        for builtin in builtins(game) {
            let levels = builtin
                .levels
                .map(|highest| paint(FAINT, format!(" [{0}:1 to {0}:{highest}; default {highest}]", builtin.name)));
            writeln!(out, "  player {:<11}{}{}", builtin.name, builtin.summary, levels.unwrap_or_default())?;
        }
    }
    Ok(Exit::Done)
}

fn as_json(game: Game) -> serde_json::Value {
    let parameters: Vec<_> = game
        .parameters()
        .iter()
        .map(|p| json!({ "name": p.name, "meaning": p.meaning, "values": p.values, "default": p.default }))
        .collect();
    let players: Vec<_> =
        builtins(game).iter().map(|b| json!({ "name": b.name, "summary": b.summary, "levels": b.levels })).collect();
    json!({
        "name": game.name(), "title": game.title(), "summary": game.summary(),
        "parameters": parameters, "players": players,
    })
}
