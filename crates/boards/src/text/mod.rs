//! The texts of pages, in the visitor's language.
//!
//! `t!("key", name = value)` is a message of the catalogues in `locales/`, `rich!` the same with markup among its
//! values. The language belongs to the request: [`speaking`] sets it before anything else, and an account's own choice
//! replaces it. Outside a request it is English.

mod catalogue;
mod games;
mod localized;
mod macros;
mod particles;
mod scripts;
mod spoken;
mod times;
mod visible;

#[cfg(test)]
pub(crate) use catalogue::korean;
pub use catalogue::{Argument, format, format_rich};
pub(crate) use games::player_summary;
pub use games::{
    ParameterText, curve_meaning, example_caption, game_rules, game_summary, game_title, picture_caption,
    short_game_title,
};
pub(crate) use localized::templates;
pub use localized::{localized, named, stated};
pub use macros::{rich, t};
pub use scripts::{inline_json, script_words};
pub use spoken::{language_cookie, locale, speak, speaking, within};
pub use times::{ago, moment, read_time, time, typed_time, until};
pub(crate) use visible::escape;
pub use visible::{is_unseen, visible};
