//! What pages say, in the language of whoever asks.
//!
//! `t!("key", name = value)` is a message of the catalogues in `locales/`, `rich!` the same with markup among its
//! values. The language belongs to the request: [`speaking`] sets it before anything else, and an account's own choice
//! replaces it. Outside a request it is English.

mod catalogue;
mod macros;
mod particles;
mod said;
mod scripts;
mod spoken;
mod times;
mod visible;

pub use catalogue::{Argument, format, format_rich};
pub(crate) use macros::{rich, t};
pub use said::{said, said_lines};
pub use scripts::{inline_json, script_words};
pub use spoken::{language_cookie, locale, speak, speaking, within};
pub use times::{ago, time, until};
pub use visible::{escape, is_unseen, visible};
