//! The petri dish: a whole game replayed from its programs' outputs.

use agon_game::hash::fnv1a;
use agon_game::{Outcome, Side};
use agon_rules::petri::{Dish, DishSetup, Rules, Species};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::json_lines;

/// Dishes with more squares are given by their hash: the boards of one game would be megabytes.
const SHOWN: usize = 100;

/// Other fields of a recorded game are ignored, so that one can be pasted as a question.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Question {
    width: usize,
    height: usize,
    max_turns: u16,
    species: [[u8; 3]; 2],
    actions: Vec<(u8, String)>,
    #[serde(default)]
    rules: Option<String>,
}

pub(super) fn answer(line: &[u8]) -> Result<Value, String> {
    let question: Question = json_lines::parse(line)?;
    let species = |[hp, energy, acidity]: [u8; 3]| Species::new(hp, energy, acidity).map_err(|error| error.to_string());
    let [first, second] = question.species.map(species);
    let rules = match &question.rules {
        None => Rules::default(),
        Some(name) => Rules::by_name(name).ok_or_else(|| format!("`{name}`: contest or published expected"))?,
    };
    let (width, height, turns) = (question.width, question.height, question.max_turns);
    let setup = DishSetup { width, height, turns, species: [first?, second?], rules };
    let mut dish = Dish::cramped(&setup).map_err(|error| error.to_string())?;
    let (mut boards, mut states) = (Vec::new(), Vec::new());
    let mut keep = |dish: &Dish| {
        boards.push(if width * height > SHOWN { format!("{:016x}", fnv1a(&dish.board())) } else { dish.board() });
        states.push(format!("{:016x}", dish.state_hash()));
    };
    for (at, (seat, output)) in question.actions.iter().enumerate() {
        let actor = dish.actor().ok_or_else(|| format!("action {}: the game is over", at + 1))?;
        let turn = actor.side.index() + 1;
        if usize::from(*seat) != turn {
            return Err(format!("action {}: seat {seat}, but seat {turn} is to act", at + 1));
        }
        if dish.answer(output.as_bytes()).is_some_and(|applied| applied.turn_over) {
            keep(&dish);
        }
    }
    // A species without hit points has lost in a turn without an action.
    if dish.actions() == 0 && dish.outcome().is_some() {
        keep(&dish);
    }
    let winner = dish.outcome().map(|outcome| match outcome {
        Outcome::Draw => 0,
        Outcome::Win(side) => side.index() + 1,
    });
    let last = json!({ "winner": winner, "cells": Side::BOTH.map(|side| dish.cells(side)), "turns": dish.turns() });
    Ok(json!({ "final": last, "boards": boards, "states": states }))
}
