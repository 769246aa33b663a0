//! The petri dish: two colonies are chosen or written, run here, and watched.

use std::sync::Arc;

use agon_catalog::{Game, Setup};
use agon_game::{Side, Stateless};
use agon_referee::agent::seat::seat_seed;
use agon_referee::agent::{Prepared, Seat};
use agon_referee::limits::GameLimits;
use agon_referee::replay;
use axum::http::StatusCode;
use axum::{Extension, Form};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;

use super::rule::WrittenRule;
use super::tabs::tabs;
use super::written;
use crate::layout::{Page, data, problem};
use crate::limits::{RoomError, Rooms};
use crate::viewer::{self, transcript};

/// The name of a colony whose rule is written in the form.
const WRITTEN: &str = "rule";

/// Columns and rows of a dish that is run for a visitor.
const MAX_DISH_SIZE: usize = 24;

const MAX_TURNS: u32 = 300;

/// The rule that stands in the form at first.
const EXAMPLE: &str = "BEGIN 4 8 0\nenemies >= 2 and hp <= 2: EXPLODE\nATTACK enemy 3\nenergy >= 5: DIVIDE enemy\n\
    EAT corpse\nenergy >= 3: MOVE enemy\nREST";

#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct DishForm {
    first: String,
    second: String,
    rule: String,
    width: String,
    height: String,
    turns: String,
    seed: String,
}

impl Default for DishForm {
    fn default() -> Self {
        let text = str::to_owned;
        Self {
            first: text("champion"),
            second: text("coordinated"),
            rule: text(EXAMPLE),
            width: text("10"),
            height: text("4"),
            turns: text("150"),
            seed: text("1"),
        }
    }
}

pub fn form() -> Page {
    page(&DishForm::default(), None, None)
}

/// Runs the dish of a form, and shows it.
pub async fn run(Extension(rooms): Extension<Arc<Rooms>>, Form(form): Form<DishForm>) -> Page {
    let asked = form.clone();
    match rooms.dishes.run(move |_| played(&asked)).await {
        Ok(Ok(game)) => page(&form, None, Some(&game)),
        Ok(Err(wrong)) => page(&form, Some(&wrong), None).with_status(StatusCode::UNPROCESSABLE_ENTITY),
        Err(RoomError::Full) => {
            let wrong = "too many dishes are run at the moment: try again in a few seconds";
            page(&form, Some(wrong), None).with_status(StatusCode::SERVICE_UNAVAILABLE)
        }
        Err(RoomError::Failed(_)) => {
            page(&form, Some("the dish could not be run"), None).with_status(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}

/// A colony's program, and its name in the record.
fn colony(name: &str, rule: &str) -> Result<(String, Arc<dyn Stateless>), String> {
    if name == WRITTEN {
        let rule: WrittenRule = rule.parse().map_err(|error| format!("your rule: {error}"))?;
        return Ok(("your rule".to_owned(), Arc::new(rule)));
    }
    let named = Game::PETRI.find(name).map_err(|error| error.to_string())?;
    let program = named.program().ok_or("a program of the dish expected")?;
    Ok((name.to_owned(), program))
}

fn played(form: &DishForm) -> Result<Value, String> {
    let [first, second] = [&form.first, &form.second].map(|name| colony(name, &form.rule));
    let colonies = [first?, second?];
    let seed =
        form.seed.trim().parse().map_err(|_| format!("the seed is `{}`: a number expected", form.seed.trim()))?;
    let small = |text: &str, most: usize| text.trim().parse().is_ok_and(|number: usize| number <= most);
    if !(small(&form.width, MAX_DISH_SIZE)
        && small(&form.height, MAX_DISH_SIZE)
        && small(&form.turns, MAX_TURNS as usize))
    {
        return Err(format!(
            "at most {MAX_DISH_SIZE} columns, {MAX_DISH_SIZE} rows and {MAX_TURNS} turns are run here"
        ));
    }
    let sizes = [("width", &form.width), ("height", &form.height), ("turns", &form.turns)];
    let parameters = sizes.map(|(name, text)| (name.to_owned(), text.trim().to_owned())).into();
    let setup = Setup { seed, parameters };
    let mut state = Game::PETRI.initial_state(&setup).map_err(|error| error.to_string())?;
    let names = colonies.each_ref().map(|(name, _)| name.clone());
    let limits = GameLimits::default();
    let mut programs = colonies.map(|(_, program)| Some(program)).into_iter().flatten();
    let mut seat = |side: Side| {
        let program = std::sync::Mutex::new(programs.next());
        let take = |_: &str| program.lock().ok()?.take();
        let prepared = Prepared::Builtin(names[side.index()].clone());
        Seat::take_stateless(&prepared, &limits, seat_seed(seed, side), &take).map_err(|error| error.to_string())
    };
    let mut seats = [seat(Side::First)?, seat(Side::Second)?];
    let record = written::refereed(Game::PETRI, &setup, state.as_mut(), &mut seats, &names);
    let mut again = Game::PETRI.initial_state(&setup).map_err(|error| error.to_string())?;
    let moves = replay::prove(&record, again.as_mut()).map_err(|error| error.to_string())?;
    let start = transcript::start(&record).ok_or("the dish is not known")?;
    let failures = viewer::failures(&record, start.as_ref(), [true; 2]);
    viewer::game(&record, start.as_ref(), &moves, &failures, [true; 2]).map_err(|error| error.to_string())
}

fn species(chosen: &str) -> Markup {
    html! {
        option value=(WRITTEN) selected[chosen == WRITTEN] { "the rule below" }
        @for entry in Game::PETRI.builtins {
            option value=(entry.name) selected[chosen == entry.name] title=(entry.summary) { (entry.name) }
        }
    }
}

fn page(form: &DishForm, wrong: Option<&str>, game: Option<&Value>) -> Page {
    let body = html! {
        (tabs("petri"))
        h1 { "Watch " (Game::PETRI.title()) }
        @if let Some(game) = game {
            section.game id="game" tabindex="0" {
                noscript { p { "The board needs scripts. " (game["result"].as_str().unwrap_or_default()) } }
            }
            p.faint {
                "Keys: → or Space goes on, ← back, Page Up and Page Down ten at a time, Home and End to the ends."
            }
            (data(game))
        }
        form.stack method="post" action="/board/petri" {
            h2 { "Run a dish" }
            (problem(wrong))
            div.fields {
                label { "Colony 1" select name="first" { (species(&form.first)) } }
                label { "Colony 2" select name="second" { (species(&form.second)) } }
                @for (name, text, value) in [
                    ("width", "Columns", &form.width),
                    ("height", "Rows", &form.height),
                    ("turns", "Turns", &form.turns),
                    ("seed", "Seed", &form.seed),
                ] {
                    label { (text) input type="text" inputmode="numeric" name=(name) value=(value) required; }
                }
            }
            label { "A rule" textarea name="rule" rows="9" spellcheck="false" { (form.rule) } }
            details {
                summary { "How a rule is written" }
                p {
                    "The first line spends 12 points: " code { "BEGIN HP ENERGY ACIDITY" }
                    ". Each other line is an action, perhaps behind conditions and a colon; "
                    "a cell does the first that holds and can be carried out, else it rests."
                }
                p {
                    "Actions: " code { "REST" } ", " code { "EXPLODE" } ", " code { "MOVE d" } ", "
                    code { "DIVIDE d" } ", " code { "EAT d" } ", " code { "ATTACK d s" } ". "
                    code { "d" } " is a direction, " code { "N" } " to " code { "NW" } ", or "
                    code { "enemy" } ", " code { "corpse" } ", " code { "room" } ": towards the nearest. "
                    code { "s" } " is 1, 2 or 3."
                }
                p {
                    "Conditions, joined by " code { "and" } ": " code { "hp" } " and " code { "energy" }
                    " of the cell, " code { "enemies" } ", " code { "friends" } ", " code { "corpses" } " and "
                    code { "room" } " on the eight places around it, perhaps with " code { "= < <= > >=" }
                    " and a number; without one, at least 1."
                }
                ul { @for line in Game::PETRI.rules { li { (line) } } }
            }
            button.primary type="submit" { "Run" }
        }
    };
    let page = Page::new(format!("Watch {}", Game::PETRI.title()), body);
    if game.is_some() { page.with_script("viewer.js") } else { page }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_rule_plays_a_species() {
        let form = DishForm { first: WRITTEN.to_owned(), second: "coordinated".to_owned(), ..DishForm::default() };
        let game = played(&form).unwrap();
        assert_eq!(game["names"], serde_json::json!(["your rule", "coordinated"]));
        assert!(game["steps"].as_array().unwrap().len() > 10);
        let check = |form: DishForm, wanted: &str| {
            let message = played(&form).unwrap_err();
            assert!(message.contains(wanted), "`{wanted}` is not in: {message}");
        };
        check(DishForm { second: "unknown".to_owned(), ..form.clone() }, "no built-in player `unknown`");
        check(DishForm { rule: "BEGIN".to_owned(), ..form.clone() }, "your rule: line 1");
        check(DishForm { width: "25".to_owned(), ..form.clone() }, "at most 24 columns");
        check(DishForm { height: "3".to_owned(), ..form.clone() }, "height is `3`");
        check(DishForm { seed: "x".to_owned(), ..form }, "the seed is `x`");
    }
}
