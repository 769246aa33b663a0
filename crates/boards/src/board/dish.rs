//! The petri dish: two colonies are chosen or written, run, and watched. They run on a server, or in the browser if
//! there is none.

use std::sync::Arc;

use agon_analysis::dish::{DishQuestion, WRITTEN};
use agon_catalog::Game;
use axum::http::StatusCode;
use axum::{Extension, Form};
use maud::{Markup, html};
use serde_json::Value;

use super::host::BoardHost;
use super::tabs::tabs;
use crate::layout::{Page, data, problem};
use crate::limits::{RoomError, Rooms};
use crate::text::{game_rules, game_title, localized, player_summary, rich, t};
use crate::viewer;

pub(super) fn form(host: BoardHost) -> Page {
    page(host, &DishQuestion::default(), None, None)
}

/// Runs the dish of a form, and shows it.
pub async fn run(Extension(rooms): Extension<Arc<Rooms>>, Form(form): Form<DishQuestion>) -> Page {
    // A thread that computes knows no language.
    let (asked, own) = (form.clone(), t!("dish-own"));
    let shown = |wrong: Option<&str>, game: Option<&Value>| page(BoardHost::Machine, &form, wrong, game);
    match rooms.dishes.run(move |_| asked.run(&own)).await {
        Ok(Ok(game)) => shown(None, Some(&game)),
        Ok(Err(wrong)) => shown(Some(&localized(&wrong.reason)), None).with_status(StatusCode::UNPROCESSABLE_ENTITY),
        Err(RoomError::Full) => shown(Some(&t!("dish-full")), None).with_status(StatusCode::SERVICE_UNAVAILABLE),
        Err(RoomError::Failed(_)) => {
            shown(Some(&t!("dish-failed")), None).with_status(StatusCode::INTERNAL_SERVER_ERROR)
        }
    }
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

fn page(host: BoardHost, form: &DishQuestion, wrong: Option<&str>, game: Option<&Value>) -> Page {
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
        @if host == BoardHost::Folder {
            div id="shown" hidden {
                section.game id="game" tabindex="0" data-words=(viewer::words()) {}
                p.faint { (t!("dish-keys")) }
            }
        }
        form.stack id="dish" method="post" action="/board/petri" data-own=(t!("dish-own")) {
            h2 { (t!("dish-run")) }
            (problem(wrong))
            @if host == BoardHost::Folder { p.problem id="problem" role="alert" hidden {} }
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
    let page = Page::new(title, body).with_head(html! { @if host == BoardHost::Folder { (host.head()) } });
    match host {
        BoardHost::Folder => page.with_script("dish.js"),
        _ if game.is_some() => page.with_script("viewer.js"),
        _ => page,
    }
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
    use agon_arena::transcript;
    use agon_catalog::Setup;
    use agon_game::Side;
    use agon_game::seed::seat_seed;
    use agon_referee::agent::{Prepared, Seat};
    use agon_referee::limits::GameLimits;
    use agon_referee::replay;

    use super::super::written;
    use super::*;

    /// The appearance of a game, without its times.
    fn drawn(game: &Value) -> Vec<[&Value; 5]> {
        let steps = game["steps"].as_array().unwrap();
        steps.iter().map(|step| ["side", "ply", "move", "cells", "gauges"].map(|part| &step[part])).collect()
    }

    #[test]
    fn a_dish_is_the_game_that_the_referee_plays() {
        let names = ["champion", "coordinated"].map(str::to_owned);
        let asked = DishQuestion { seed: "7".to_owned(), ..DishQuestion::default() };
        let parameters = [("width", "10"), ("height", "4"), ("turns", "150")];
        let parameters = parameters.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let setup = Setup { seed: 7, parameters };
        let start = || Game::PETRI.initial_state(&setup).unwrap();
        let mut seats = Side::BOTH.map(|side| {
            let name = &names[side.index()];
            let take = |name: &str| Game::PETRI.find(name).ok()?.program();
            let prepared = Prepared::Builtin(name.clone());
            Seat::take_stateless(&prepared, &GameLimits::default(), seat_seed(7, side), &take).unwrap()
        });
        let record = written::refereed(Game::PETRI, &setup, start().as_mut(), &mut seats, &names);
        let moves = replay::prove(&record, start().as_mut()).unwrap();
        let begun = transcript::start(&record).unwrap();
        let refereed = transcript::game(&record, begun.as_ref(), &moves, &[], [true; 2]).unwrap();
        let run = asked.run("your rule").unwrap();
        assert!(drawn(&run).len() > 10);
        assert_eq!(drawn(&run), drawn(&refereed));
        for part in ["seats", "names", "cells", "places", "result", "gauges", "amounts"] {
            assert_eq!(run[part], refereed[part], "{part}");
        }
    }
}
