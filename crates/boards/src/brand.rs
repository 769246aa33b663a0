//! The logo: the word, whose third letter is a ring of two sides, and the ring alone.

use maud::{Markup, html};

/// Strokes of the letters; they have the colour of the text.
const LETTERS: [&str; 3] = [
    "M21 9v19M21 18.5a9 9 0 1 1-18 0a9 9 0 0 1 18 0",
    "M45 9v19.5a8.5 8.5 0 0 1-16 4M45 18.5a9 9 0 1 1-18 0a9 9 0 0 1 18 0",
    "M75 9v19M75 18a8.5 8.5 0 0 1 17 0v10",
];

/// The word `agon`; its name is next to it for those who cannot see it.
pub fn wordmark() -> Markup {
    html! {
        svg.wordmark viewBox="0 0 95 40" role="img" aria-label="Agon" {
            @for letter in LETTERS { path d=(letter) {} }
            path.half0 d="M60 9.5a9 9 0 0 0 0 18" {}
            path.half1 d="M60 27.5a9 9 0 0 0 0-18" {}
        }
    }
}
