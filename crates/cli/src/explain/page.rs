//! A page to step through a game, with the losses of each move.

use std::fmt::Write as _;

use agon_arena::losses::MoveLoss;
use agon_game::{Side, View};
use agon_search::SearchLimits;
use serde_json::{Value, json};

use crate::move_loss::{loss_text, none_better};
use crate::page::{self, escaped};
use crate::position_link;
use crate::recorded::RecordedGame;

/// The page; it opens at the worst move, with the better ones drawn.
pub(super) fn page(
    recorded: &RecordedGame,
    limits: SearchLimits,
    found: &[MoveLoss],
    worst: &[&MoveLoss],
) -> anyhow::Result<String> {
    let mut game = page::game(&recorded.record, recorded.begun.as_ref(), &recorded.moves)?;
    let scale = recorded.game.curve.scale;
    let view = recorded.start.view();
    for (at, loss) in found.iter().enumerate() {
        let step = &mut game["steps"][at];
        step["judged"] = ((loss.after.share(Side::First, scale) * 1000.0).round() / 1000.0).into();
        if loss.kind().is_some() {
            step["loss"] = words(loss, limits).into();
            step["better"] = loss.better.iter().filter_map(|better| shape(&view, &better.judged)).collect();
        }
    }
    if let Some(first) = worst.first() {
        game["opens"] = (first.ply - recorded.opening()).into();
    }
    let seats = recorded.start.seats();
    let names = recorded.record.header.agents.each_ref().map(|agent| agent.agent.as_str());
    let heading = format!("{}: {} ({}) – {} ({})", recorded.game.title(), names[0], seats[0], names[1], seats[1]);
    let mut body = format!("<h1>{}</h1>\n<h2>Where it was lost</h2>\n", escaped(&heading));
    if worst.is_empty() {
        body += "<p>No move lost anything that this analysis sees.</p>\n";
    } else {
        body += "<ol>\n";
        for loss in worst {
            let text = format!("move {}: {} {}", loss.ply, seats[loss.side.index()], loss.played.letters);
            let _ = writeln!(
                body,
                "<li><a href=\"#ply={}\">{}</a>: {}. <a href=\"{}\">On the board</a></li>",
                loss.ply - recorded.opening(),
                escaped(&text),
                escaped(&words(loss, limits)),
                escaped(&position_link::address(recorded, loss.ply)?),
            );
        }
        body += "</ol>\n<p class=\"faint\">The links to the board work while <code>agon board</code> runs.</p>\n";
    }
    body += &page::viewer(1);
    body += &page::data(0, &game);
    Ok(page::page(&heading, &body))
}

/// A better move as the viewer draws it: a ring where it is played, or an arrow from its origin.
fn shape(view: &View, judged: &str) -> Option<Value> {
    let numbers: Vec<usize> = judged.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    match *numbers.as_slice() {
        [row, column] => Some(json!({ "kind": "ring", "tone": "better", "width": 4, "at": view.place(row, column)? })),
        [row, column, down, right] => {
            let (from, to) = (view.place(row, column)?, view.place(down, right)?);
            Some(json!({ "kind": "arrow", "tone": "better", "width": 4, "from": from, "to": to }))
        }
        _ => None,
    }
}

fn words(loss: &MoveLoss, limits: SearchLimits) -> String {
    let better: Vec<&str> = loss.better.iter().map(|m| m.letters.as_str()).collect();
    let better = if better.is_empty() { none_better(limits) } else { better.join(", ") };
    format!("{}; better {better}", loss_text(loss))
}
