//! The way from board to board.

use agon_catalog::Game;
use maud::{Markup, html};

use crate::text::{game_title, t};

/// Links to all boards, with this one marked.
pub fn tabs(here: &str) -> Markup {
    html! {
        nav.tabs aria-label=(t!("boards-label")) {
            @for game in Game::by_hand() {
                @let current = (here == game.name()).then_some("page");
                a href={ "/board/" (game.name()) } aria-current=[current] { (game_title(game)) }
            }
            a href="/board/petri" aria-current=[(here == "petri").then_some("page")] { (t!("boards-petri")) }
            a href="/board/puzzles" aria-current=[(here == "puzzles").then_some("page")] { (t!("boards-puzzles")) }
            a href="/board/analysis" aria-current=[(here == "analysis").then_some("page")] { (t!("boards-analysis")) }
        }
    }
}
