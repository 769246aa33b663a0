//! The petri dish: two colonies are chosen or written, run here, and watched.

use std::sync::Arc;

use agon_catalog::{Game, Setup, SetupError};
use agon_game::{Side, Stateless};
use agon_message::{English, messages};
use agon_referee::agent::seat::seat_seed;
use agon_referee::agent::{Prepared, Seat};
use agon_referee::limits::GameLimits;
use agon_referee::replay;
use axum::http::StatusCode;
use axum::{Extension, Form};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;

use super::rule::{RuleError, WrittenRule};
use super::tabs::tabs;
use super::written;
use crate::layout::{Page, data, problem};
use crate::limits::{RoomError, Rooms};
use crate::text::{game_rules, game_title, localized, player_summary, rich, t};
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
pub(crate) struct DishForm {
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

pub(super) fn form() -> Page {
    page(&DishForm::default(), None, None)
}

/// Runs the dish of a form, and shows it.
pub(crate) async fn run(Extension(rooms): Extension<Arc<Rooms>>, Form(form): Form<DishForm>) -> Page {
    // A thread that computes knows no language.
    let (asked, own) = (form.clone(), t!("dish-own"));
    match rooms.dishes.run(move |_| played(&asked, &own)).await {
        Ok(Ok(game)) => page(&form, None, Some(&game)),
        Ok(Err(wrong)) => page(&form, Some(&localized(&wrong)), None).with_status(StatusCode::UNPROCESSABLE_ENTITY),
        Err(RoomError::Full) => page(&form, Some(&t!("dish-full")), None).with_status(StatusCode::SERVICE_UNAVAILABLE),
        Err(RoomError::Failed(_)) => {
            page(&form, Some(&t!("dish-failed")), None).with_status(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
}

messages! {
    /// Why a dish is not run.
    pub(crate) enum DishError {
        Rule { problem: RuleError } = "your rule: {problem}",
        Program = "choose a program for the dish",
        Seed { seed: String } = "invalid seed: `{seed}`; enter a number",
        Bounds { columns: usize, rows: usize, turns: u32 } =
            "dish is too large; the limit is {columns} columns, {rows} rows and {turns} turns",
        Unknown = "the record does not say how the dish starts",
        Setup(error: SetupError),
        Failed(error: English),
    }
}

impl DishError {
    fn failed(error: &impl ToString) -> Self {
        Self::Failed(English(error.to_string()))
    }
}

/// A colony's program, and its name in the record: `own` of a rule that was written.
fn colony(name: &str, rule: &str, own: &str) -> Result<(String, Arc<dyn Stateless>), DishError> {
    if name == WRITTEN {
        let rule: WrittenRule = rule.parse().map_err(|problem| DishError::Rule { problem })?;
        return Ok((own.to_owned(), Arc::new(rule)));
    }
    let named = Game::PETRI.find(name).map_err(|error| DishError::failed(&error))?;
    let program = named.program().ok_or(DishError::Program)?;
    Ok((name.to_owned(), program))
}

fn played(form: &DishForm, own: &str) -> Result<Value, DishError> {
    let [first, second] = [&form.first, &form.second].map(|name| colony(name, &form.rule, own));
    let colonies = [first?, second?];
    let seed = form.seed.trim();
    let seed = seed.parse().map_err(|_| DishError::Seed { seed: seed.to_owned() })?;
    let small = |text: &str, most: usize| text.trim().parse().is_ok_and(|number: usize| number <= most);
    if !(small(&form.width, MAX_DISH_SIZE)
        && small(&form.height, MAX_DISH_SIZE)
        && small(&form.turns, MAX_TURNS as usize))
    {
        return Err(DishError::Bounds { columns: MAX_DISH_SIZE, rows: MAX_DISH_SIZE, turns: MAX_TURNS });
    }
    let sizes = [("width", &form.width), ("height", &form.height), ("turns", &form.turns)];
    let parameters = sizes.map(|(name, text)| (name.to_owned(), text.trim().to_owned())).into();
    let setup = Setup { seed, parameters };
    let mut state = Game::PETRI.initial_state(&setup).map_err(DishError::Setup)?;
    let names = colonies.each_ref().map(|(name, _)| name.clone());
    let limits = GameLimits::default();
    let mut programs = colonies.map(|(_, program)| Some(program)).into_iter().flatten();
    let mut seat = |side: Side| {
        let program = std::sync::Mutex::new(programs.next());
        let take = |_: &str| program.lock().ok()?.take();
        let prepared = Prepared::Builtin(names[side.index()].clone());
        Seat::take_stateless(&prepared, &limits, seat_seed(seed, side), &take)
            .map_err(|error| DishError::failed(&error))
    };
    let mut seats = [seat(Side::First)?, seat(Side::Second)?];
    let record = written::refereed(Game::PETRI, &setup, state.as_mut(), &mut seats, &names);
    let mut again = Game::PETRI.initial_state(&setup).map_err(DishError::Setup)?;
    let moves = replay::prove(&record, again.as_mut()).map_err(|error| DishError::failed(&error))?;
    let start = transcript::start(&record).ok_or_else(|| DishError::Unknown)?;
    let failures = viewer::failures(&record, start.as_ref(), [true; 2]);
    viewer::game(&record, start.as_ref(), &moves, &failures, [true; 2]).map_err(|error| DishError::failed(&error))
}

fn species(chosen: &str) -> Markup {
    html! {
        option value=(WRITTEN) selected[chosen == WRITTEN] { (t!("dish-rule")) }
        @for entry in Game::PETRI.builtins {
            @let summary = player_summary(Game::PETRI, entry.name, entry.summary);
            option value=(entry.name) selected[chosen == entry.name] title=(summary) { (entry.name) }
        }
    }
}

fn page(form: &DishForm, wrong: Option<&str>, game: Option<&Value>) -> Page {
    let game = game.map(|game| viewer::spoken(game.clone()));
    let title = t!("dish-watch", game = game_title(Game::PETRI));
    let body = html! {
        (tabs("petri"))
        h1 { (title) }
        @if let Some(game) = &game {
            section.game id="game" tabindex="0" data-words=(viewer::words()) {
                noscript { p { (t!("shared-scripts")) " " (game["result"].as_str().unwrap_or_default()) } }
            }
            p.faint { (t!("dish-keys")) }
            (data(game))
        }
        form.stack method="post" action="/board/petri" {
            h2 { (t!("dish-run")) }
            (problem(wrong))
            div.fields {
                label { (t!("dish-colony", number = 1)) select name="first" { (species(&form.first)) } }
                label { (t!("dish-colony", number = 2)) select name="second" { (species(&form.second)) } }
                @for (name, text, value) in [
                    ("width", t!("boards-columns"), &form.width),
                    ("height", t!("boards-rows"), &form.height),
                    ("turns", t!("dish-turns"), &form.turns),
                    ("seed", t!("dish-seed"), &form.seed),
                ] {
                    label { (text) input type="text" inputmode="numeric" name=(name) value=(value) required; }
                }
            }
            label { (t!("dish-written")) textarea name="rule" rows="9" spellcheck="false" { (form.rule) } }
            details {
                summary { (t!("dish-how")) }
                (how())
                ul { @for line in game_rules(Game::PETRI) { li { (line) } } }
            }
            button.primary type="submit" { (t!("dish-start")) }
        }
    };
    let page = Page::new(title, body);
    if game.is_some() { page.with_script("viewer.js") } else { page }
}

/// How a rule is written.
fn how() -> Markup {
    let code = |word: &str| html! { code { (word) } };
    let actions = ["REST", "EXPLODE", "MOVE d", "DIVIDE d", "EAT d", "ATTACK d s"].map(code);
    let actions = html! { @for (at, action) in actions.iter().enumerate() { @if at > 0 { ", " } (action) } };
    html! {
        p { (rich!("dish-how-lines", begin = code("BEGIN HP ENERGY ACIDITY"))) }
        p {
            (rich!(
                "dish-how-actions",
                actions = actions, d = code("d"), s = code("s"), first = code("N"), last = code("NW"),
                enemy = code("enemy"), corpse = code("corpse"), room = code("room"),
            ))
        }
        p {
            (rich!(
                "dish-how-conditions",
                and = code("and"), hp = code("hp"), energy = code("energy"), enemies = code("enemies"),
                friends = code("friends"), corpses = code("corpses"), room = code("room"),
                signs = code("= < <= > >="),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_rule_plays_a_species() {
        let form = DishForm { first: WRITTEN.to_owned(), second: "coordinated".to_owned(), ..DishForm::default() };
        let game = played(&form, "your rule").unwrap();
        assert_eq!(game["names"], serde_json::json!(["your rule", "coordinated"]));
        assert!(game["steps"].as_array().unwrap().len() > 10);
        let check = |form: DishForm, wanted: &str| {
            let message = played(&form, "your rule").unwrap_err();
            assert!(message.to_string().contains(wanted), "`{wanted}` is not in: {message}");
        };
        check(DishForm { second: "unknown".to_owned(), ..form.clone() }, "no built-in player `unknown`");
        check(DishForm { rule: "BEGIN".to_owned(), ..form.clone() }, "your rule: line 1");
        check(DishForm { width: "25".to_owned(), ..form.clone() }, "the limit is 24 columns");
        check(DishForm { height: "3".to_owned(), ..form.clone() }, "height is `3`");
        check(DishForm { seed: "x".to_owned(), ..form }, "invalid seed: `x`");
    }
}
