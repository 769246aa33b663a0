//! The design of the site on one page: every colour, size and part that pages consist of.

use agon_boards::assets;
use agon_boards::brand::wordmark;
use agon_boards::layout::Page;
use agon_boards::picture::illustration;
use agon_boards::text::t;
use agon_catalog::Game;
use axum::response::Response;
use maud::{Markup, html};

use super::parts;
use crate::layout::ShowPage as _;
use crate::visitor::Visitor;

/// Names of colours in the style sheet, and their purposes.
fn colours() -> [(&'static str, String); 13] {
    [
        ("ink", t!("design-ink")),
        ("faint", t!("design-faint")),
        ("link", t!("design-link")),
        ("bad", t!("design-bad")),
        ("good", t!("design-good")),
        ("page", t!("design-page")),
        ("card", t!("design-card")),
        ("head", t!("design-head")),
        ("line", t!("design-line")),
        ("own", t!("design-own")),
        ("side0", t!("design-first")),
        ("side1", t!("design-second")),
        ("bar", t!("design-bar")),
    ]
}

/// The steps of the scale of type, from the smallest.
fn sizes() -> [(&'static str, String); 6] {
    [
        ("t-small", t!("design-small")),
        ("t-base", t!("design-base")),
        ("t-lead", t!("design-large")),
        ("t-h3", t!("design-h3")),
        ("t-h2", t!("design-h2")),
        ("t-h1", t!("design-h1")),
    ]
}

pub(crate) async fn show(visitor: Visitor) -> Response {
    let body = html! {
        h1 { (t!("design-title")) }
        p.lead { (t!("design-lead")) }
        section { h2 { (t!("design-mark")) } div.swatches {
            span.mark-on-bar { (wordmark()) } span.mark-on-card { (wordmark()) }
            img src=(assets::address("icon.svg")) alt=(t!("design-icon")) width="64" height="64";
        } }
        section { h2 { (t!("design-colours")) } p.faint { (t!("design-contrast")) }
            ul.swatches { @for (name, purpose) in colours() {
                li { span class={ "swatch s-" (name) } {} strong { code { (name) } } span.faint { (purpose) } }
            } }
        }
        section { h2 { (t!("design-type")) } @for (class, text) in sizes() { p class=(class) { (text) } } }
        section { h2 { (t!("design-space")) }
            div.spaces { @for step in 1..=6 { span class={ "space space-" (step) } { (step) } } }
        }
        section { h2 { (t!("design-games")) }
            div.illustrations { @for game in Game::all() {
                figure { (illustration(game)) figcaption { (agon_boards::text::game_title(game)) } }
            } }
        }
        section { h2 { (t!("design-cards")) } div.tops {
            section.card { h3 { (t!("design-a-card")) } p { (t!("design-card-holds")) } }
            a.card.way href="/board" {
                span.thumb { @for game in Game::all().into_iter().take(1) { (illustration(game)) } }
                span { strong { (t!("design-card-link")) } span.faint { (t!("design-card-leads")) } }
            }
            p.empty { (t!("design-empty")) }
        } }
        section { h2 { (t!("design-badges")) }
            p.badges {
                span.live-mark { (t!("front-live")) } " " span.tag { (t!("front-final")) } " " span.badge { "3" } " "
                span.verdict { "TLE" } " " (parts::form("WWDLW")) " " (parts::change(12)) " " (parts::change(-7))
            }
            (parts::share_bar(0.62))
        }
        section { h2 { (t!("design-buttons")) } p.actions {
            button.primary type="button" { (t!("design-primary")) } button type="button" { (t!("design-another")) }
            button.small type="button" { (t!("design-little")) } button.danger type="button" { (t!("design-danger")) }
            button.quiet type="button" { (t!("design-quiet")) }
            button type="button" disabled { (t!("design-disabled")) }
        } }
        section { h2 { (t!("design-notices")) }
            p.notice { (t!("design-notice")) } p.notice.good { (t!("design-saved")) }
            p.notice.bad { (t!("design-fault")) } p.problem { (t!("design-problem")) }
        }
        section { h2 { (t!("design-forms")) } form.stack.narrow {
            label { (t!("design-name")) input type="text" value="brisk-heron"; span.hint { (t!("design-hint")) } }
            label { (t!("design-choice")) select { option { "1" } option { "2" } } }
            label.check { input type="checkbox" checked; (t!("design-switch")) }
            p.actions { button.primary type="button" { (t!("design-save")) } }
        } }
        section { h2 { (t!("design-tables")) } p.faint { (t!("design-phone")) } (table()) }
    };
    Page::new(t!("design-title"), body).show(&visitor)
}

fn table() -> Markup {
    let rows =
        [("1", "brisk-heron", "1894", "64 %"), ("2", "푸른고래", "1850", "58 %"), ("3", "lucid-wren", "1790", "49 %")];
    html! {
        div.scroll { table.wide.cards {
            thead { tr {
                th scope="col" { "#" } th.name scope="col" { (t!("column-program")) } th scope="col" { "Elo" }
                th scope="col" { (t!("column-won")) }
            } }
            tbody { @for (place, name, rating, won) in rows { tr {
                td.place { (place) } th.name scope="row" { (name) }
                td.strong.elo { (rating) } td data-label=(t!("column-won")) { (won) }
            } } }
        } }
    }
}
