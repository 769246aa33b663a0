//! The way from board to board.

use agon_rules::catalog::Game;
use maud::{Markup, html};

/// Games that are played by hand.
pub const BY_HAND: [Game; 3] = [Game::Bacteria, Game::Domineering, Game::Renju];

/// Links to all boards, of which one is here.
pub fn tabs(here: &str) -> Markup {
    html! {
        nav.tabs aria-label="boards" {
            @for game in BY_HAND {
                a href={ "/board/" (game.name()) } aria-current=[(here == game.name()).then_some("page")] { (game.title()) }
            }
            a href="/board/petri" aria-current=[(here == "petri").then_some("page")] { ("Petri Dish") }
            a href="/board/puzzles" aria-current=[(here == "puzzles").then_some("page")] { "Puzzles" }
            a href="/board/analysis" aria-current=[(here == "analysis").then_some("page")] { "Analysis" }
        }
    }
}
