//! What other sites and messengers show next to a link to a page (Open Graph).

use agon_boards::headers::{CachePolicy, Embeddable};
use agon_boards::picture;
use agon_catalog::Game;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use crate::site::Site;

/// A page's preview for links to it.
#[derive(Debug)]
pub(super) struct Preview<'a> {
    pub title: &'a str,
    pub text: &'a str,
    /// The path of the page.
    pub path: &'a str,
    /// The path of a picture of [`picture::WIDTH`] by [`picture::HEIGHT`].
    pub picture: &'a str,
}

impl Preview<'_> {
    /// The part of the page's head.
    pub(super) fn head(&self, site: &Site) -> Markup {
        html! {
            meta name="description" content=(self.text);
            meta property="og:type" content="website";
            meta property="og:site_name" content="Agon";
            meta property="og:title" content=(self.title);
            meta property="og:description" content=(self.text);
            meta property="og:url" content=(site.options.address(self.path));
            meta property="og:image" content=(site.options.address(self.picture));
            meta property="og:image:width" content=(picture::WIDTH);
            meta property="og:image:height" content=(picture::HEIGHT);
            meta name="twitter:card" content="summary_large_image";
        }
    }
}

/// The path of the picture of a game.
pub(super) fn game_picture(game: Game) -> String {
    format!("/rules/{}/picture.png", game.name())
}

/// The path of the picture of the site as a whole: that of its first game.
pub(super) fn site_picture() -> String {
    Game::by_hand().next().map_or_else(String::new, game_picture)
}

/// A picture, which pages of other sites may show.
pub(super) fn picture_answer(png: Vec<u8>, policy: CachePolicy) -> Response {
    let mut response = policy.on(([(header::CONTENT_TYPE, "image/png")], png).into_response());
    response.extensions_mut().insert(Embeddable);
    response
}
