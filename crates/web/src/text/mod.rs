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

pub(crate) use catalogue::{Argument, format, format_rich};
pub(crate) use games::{
    ParameterText, curve_meaning, game_rules, game_summary, game_title, player_summary, short_game_title,
};
pub(crate) use localized::{check_message, localized, named, stated, templates};
pub(crate) use macros::{rich, t};
pub(crate) use scripts::{inline_json, script_words};
pub(crate) use spoken::{language_cookie, locale, speak, speaking, within};
pub(crate) use times::{ago, read_time, time, typed_time, until};
pub(crate) use visible::{escape, is_unseen, visible};
