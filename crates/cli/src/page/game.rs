//! A recorded game as the viewer wants it.

use std::time::Duration;

use agon_game::{Cell, Contest, GridStyle, Interaction, Mark, View};
use agon_referee::bout::Played;
use agon_referee::record::{Record, Winner};
use agon_referee::text::line;
use serde_json::{Value, json};

use super::facts::{date, limits};
use super::failure::failures;
use crate::turn;

/// Remarks of a step that are kept.
const REMARKS: usize = 3;

/// A recorded game as the viewer wants it: the first position, and what each step changes; where many act in a turn, a
/// step is a turn.
pub fn game(record: &Record, start: &dyn Contest, moves: &[Played]) -> anyhow::Result<Value> {
    let mut contest = start.boxed_clone();
    let mut view = contest.view();
    let mut places = Places::default();
    let cells: Vec<usize> = view.cells.iter().map(|cell| places.number(cell)).collect();
    let first = amounts(&view);
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
        let changed = (0..next.cells.len()).filter(|&at| next.cells[at] != view.cells[at]);
        let changed: Vec<usize> = changed.flat_map(|at| [at, places.number(&next.cells[at])]).collect();
        let refused = turn.iter().filter_map(|played| played.remark.as_deref());
        let mut step = json!({
            "side": played.side.index(),
            "ply": at + 1,
            "move": match turn {
                [only] => contest.letters().unwrap_or_else(|| only.arguments.clone()),
                many => turn::actions(many),
            },
            "ms": ms(turn.iter().map(|played| played.moment.wall).sum()),
            "cells": changed,
            "gauges": amounts(&next),
            "clocks": played.clocks.map(ms),
        });
        if refused.clone().next().is_some() {
            step["refused"] = refused.clone().count().into();
            step["remarks"] = refused.take(REMARKS).map(line).collect();
        }
        steps.push(step);
        view = next;
    }
    let header = &record.header;
    let facts = [
        date(header.started),
        limits(&header.limits, contest.interaction()),
        record.jail().map_or_else(String::new, |level| format!("jail {level}")),
        format!("seed {}", header.seed),
        format!("Agon {}", line(&header.agon)),
    ];
    Ok(json!({
        "seats": view.seats, "names": header.agents.each_ref().map(|agent| line(&agent.agent)),
        "rows": view.rows, "columns": view.columns, "origin": view.origin,
        "letter": view.first_letter, "crossings": view.grid == GridStyle::Crossings,
        "unit": if contest.interaction() == Interaction::Session { "move" } else { "turn" },
        "facts": facts.iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>(),
        "result": result(record, view.seats),
        "failures": failures(record, contest.as_ref()),
        "places": places.0.iter().map(place).collect::<Vec<_>>(), "cells": cells,
        "gauges": view.gauges.iter().map(|gauge| gauge.name).collect::<Vec<_>>(), "amounts": first,
        "steps": steps,
    }))
}

/// Who won, and why, in a sentence.
fn result(record: &Record, seats: [&str; 2]) -> String {
    let reason = line(&record.result.reason);
    let wins = |at: usize| format!("{} {} wins: {reason}", seats[at], line(&record.header.agents[at].agent));
    match record.result.winner {
        Winner::First => wins(0),
        Winner::Second => wins(1),
        Winner::Draw => format!("A draw: {reason}"),
        Winner::Void => format!("No result: {reason}"),
    }
}

/// Milliseconds with two digits.
fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// All places that look different, so that a position is a list of numbers.
#[derive(Default)]
struct Places(Vec<Cell>);

impl Places {
    fn number(&mut self, cell: &Cell) -> usize {
        self.0.iter().position(|known| known == cell).unwrap_or_else(|| {
            self.0.push(*cell);
            self.0.len() - 1
        })
    }
}

fn place(cell: &Cell) -> Value {
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

fn amounts(view: &View) -> Value {
    view.gauges.iter().map(|gauge| gauge.amounts.map(agon_game::GameScore::as_f64)).map(|pair| json!(pair)).collect()
}
