//! HTML pages with recorded games: one self-contained file, whose embedded ES module draws the boards.

use std::fmt::Write as _;

use agon_game::{Cell, Contest, GridStyle, Mark, View};
use agon_referee::bout::Played;
use agon_referee::record::{Record, Winner};
use agon_referee::text::{line, plain};
use serde_json::{Value, json};

use crate::turn;

/// The ES module that draws a game.
pub const VIEWER: &str = include_str!("viewer.js");

/// The style sheet of every page.
pub const STYLE: &str = include_str!("style.css");

/// A page with one game.
pub fn of_game(record: &Record, start: &dyn Contest, moves: &[Played]) -> anyhow::Result<String> {
    let names = record.header.agents.each_ref().map(|agent| agent.agent.clone());
    let title = format!("{}: {} – {}", record.header.game, names[0], names[1]);
    let mut body = String::new();
    let _ = write!(body, "<h1>{}</h1>\n<p class=\"faint\">seed {}</p>\n", escaped(&title), record.header.seed);
    body += "<div class=\"game\" id=\"game\"></div>\n";
    let script =
        format!("{VIEWER}\nmount(document.getElementById('game'), {});", inline_json(&game(record, start, moves)?));
    Ok(page(&title, &body, &script))
}

/// A whole page from its parts.
pub fn page(title: &str, body: &str, script: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}<script type=\"module\">\n{script}\n</script>\n</body>\n</html>\n",
        escaped(title)
    )
}

/// A recorded game as the viewer wants it: the first position, and what each step changes; where many act in a turn, a
/// step is a turn.
pub fn game(record: &Record, start: &dyn Contest, moves: &[Played]) -> anyhow::Result<Value> {
    let mut contest = start.boxed_clone();
    let mut view = contest.view();
    let (cells, gauges): (Vec<Value>, Value) = (view.cells.iter().map(cell).collect(), gauges(&view));
    let mut steps = Vec::new();
    let mut begun = 0;
    for (at, played) in moves.iter().enumerate() {
        contest.answer(&played.arguments)?;
        // A colony can have hundreds of cells: one step for all that they do in a turn.
        if !turn::ends_turn(contest.as_ref(), played) && at + 1 < moves.len() {
            continue;
        }
        let turn = &moves[std::mem::replace(&mut begun, at + 1)..=at];
        let next = contest.view();
        let changed: Vec<Value> = (0..next.cells.len())
            .filter(|&at| next.cells[at] != view.cells[at])
            .map(|at| json!([at, cell(&next.cells[at])]))
            .collect();
        let ms = |time: std::time::Duration| (time.as_secs_f64() * 1e5).round() / 100.0;
        steps.push(json!({
            "side": played.side.index(),
            "move": match turn {
                [only] => contest.spoken().unwrap_or_else(|| only.arguments.clone()),
                many => turn::actions(many),
            },
            "ms": ms(turn.iter().map(|played| played.moment.wall).sum()),
            "cells": changed,
            "gauges": self::gauges(&next),
            "clocks": played.clocks.map(ms),
        }));
        view = next;
    }
    Ok(json!({
        "seats": view.seats, "rows": view.rows, "columns": view.columns, "origin": view.origin,
        "crossings": view.grid == GridStyle::Crossings,
        "names": record.header.agents.each_ref().map(|agent| line(&agent.agent)),
        "cells": cells, "gauges": gauges, "steps": steps,
        "result": verdict(record),
    }))
}

/// Who won, and why, in a sentence.
fn verdict(record: &Record) -> String {
    let reason = line(&record.result.reason);
    match record.result.winner {
        Winner::First | Winner::Second => format!("{} wins: {reason}", record.result.winner),
        Winner::Draw => format!("a draw: {reason}"),
        Winner::Void => format!("no result: {reason}"),
    }
}

fn cell(cell: &Cell) -> Value {
    let mark = cell.mark.map(|mark| match mark {
        Mark::Placed => "placed",
        Mark::Captured => "captured",
        Mark::Vacated => "vacated",
        Mark::Forbidden => "forbidden",
        Mark::Star => "star",
        Mark::Corpse => "corpse",
        Mark::Burst => "burst",
    });
    let owner = cell.owner.map_or(0, |side| side.index() + 1);
    json!([owner, cell.glyph, cell.weight, cell.joins.map(|(down, right)| [down, right]), mark])
}

fn gauges(view: &View) -> Value {
    let amounts = |gauge: &agon_game::Gauge| gauge.amounts.map(agon_game::GameScore::as_f64);
    view.gauges.iter().map(|gauge| json!([gauge.name, amounts(gauge)[0], amounts(gauge)[1]])).collect()
}

/// Text as HTML; what would not be seen is shown.
pub fn escaped(text: &str) -> String {
    plain(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON inside a script: no text in it can end the script.
pub fn inline_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_record_can_leave_its_place() {
        assert_eq!(escaped("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
        assert_eq!(inline_json(&json!(["</script>"])), "[\"\\u003c/script>\"]");
    }
}
