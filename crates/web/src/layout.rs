//! What all pages of a site have in common.

use agon_boards::brand::wordmark;
use agon_boards::layout::{Page, languages};
use agon_boards::text::{game_title, short_game_title, t};
use agon_site::store::Competition;
use axum::response::Response;
use maud::{Markup, html};

use crate::visitor::Visitor;

/// Competitions in the navigation.
const MAX_SHOWN: usize = 8;

/// A page of a site, as a visitor sees it.
pub(crate) trait ShowPage {
    /// The whole document.
    fn show(self, visitor: &Visitor) -> Response;

    /// The document without links elsewhere, for a projector.
    fn show_on_screen(self, visitor: &Visitor) -> Response;
}

impl ShowPage for Page {
    fn show(self, visitor: &Visitor) -> Response {
        self.show_under(&navigation(visitor), &notice(visitor), &footer())
    }

    fn show_on_screen(self, visitor: &Visitor) -> Response {
        self.show_bare(&notice(visitor))
    }
}

fn notice(visitor: &Visitor) -> Markup {
    html! {
        @if visitor.read_only {
            p.notice role="status" { (t!("layout-read-only")) }
        }
    }
}

fn footer() -> Markup {
    html! {
        "Agon " (env!("CARGO_PKG_VERSION"))
        " · " a href="/rules" { (t!("layout-rules")) }
        " · " a href="/finals" { (t!("layout-finals")) }
        " · " a href="/queue" { (t!("layout-queue")) }
        " · " a href="/api" { "API" }
        " · " a href="/design" { (t!("layout-design")) }
        (languages())
    }
}

fn navigation(visitor: &Visitor) -> Markup {
    html! {
        nav aria-label=(t!("layout-site")) {
            a.brand href="/" { (wordmark()) }
            ul.ways {
                li { a href="/games" { (t!("layout-games")) } }
                li { a href="/board" { (t!("layout-play")) } }
                li { a href="/rules" { (t!("layout-rules")) } }
                li { a.primary href="/submit" { (t!("layout-submit")) } }
            }
            form.find action="/search" role="search" {
                input type="search" name="q" placeholder=(t!("layout-find-placeholder"))
                    aria-label=(t!("layout-find")) maxlength="60";
            }
            ul.own {
                @if let Some(account) = &visitor.account {
                    @if account.host { li { a href="/host" { (t!("layout-host")) } } }
                    li { a.me href="/me" { (account.name) (badge(visitor.notices.count())) } }
                    li { form method="post" action="/signout" { button.quiet { (t!("layout-sign-out")) } } }
                } @else {
                    li { a href="/signin" { (t!("layout-sign-in")) } }
                    li { a.join href="/signup" { (t!("layout-sign-up")) } }
                }
            }
        }
        nav.competitions aria-label=(t!("layout-competitions")) {
            ul {
                @for competition in visitor.own_competitions().take(MAX_SHOWN) {
                    li.entered { a href={ "/ladder/" (competition.slug) } { (short_title(competition)) } }
                }
                // Links for which a phone has no room above.
                li.narrow { a href="/submit" { (t!("layout-submit")) } }
                li.narrow { a href="/games" { (t!("layout-games")) } }
                li.narrow { a href="/board" { (t!("layout-play")) } }
                li.narrow { a href="/rules" { (t!("layout-rules")) } }
                @let others = visitor.standing().filter(|competition| !visitor.entered.contains(&competition.id));
                @for competition in others.take(MAX_SHOWN) {
                    li { a href={ "/ladder/" (competition.slug) } { (short_title(competition)) } }
                }
                li.narrow { a href="/search" { (t!("layout-search")) } }
            }
        }
    }
}

/// The number of notices.
fn badge(notices: usize) -> Markup {
    html! {
        @if notices > 0 { " " span.badge { (notices) span.unseen { (t!("layout-notices", count = notices)) } } }
    }
}

/// A competition's title for where space is short.
pub(crate) fn short_title(competition: &Competition) -> String {
    if competition.title == competition.game.title() {
        short_game_title(competition.game)
    } else {
        competition.title.clone()
    }
}

/// A competition's title; that of a game's own competition is the game's, which every language has.
pub(crate) fn competition_title(competition: &Competition) -> String {
    if competition.title == competition.game.title() { game_title(competition.game) } else { competition.title.clone() }
}
