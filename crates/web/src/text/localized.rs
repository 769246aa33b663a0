//! Messages of the crates in the language of the request: English is their own, the others are found by their keys.

use agon_message::{Argument as Value, Message};
use agon_site::locale::Locale;

use super::catalogue::{Argument, translated};
use super::said::said;
use super::spoken::locale;

/// A message in the language of the request.
pub(crate) fn localized(message: &dyn Message) -> String {
    if locale() == Locale::English {
        return message.to_string();
    }
    let values: Vec<(&'static str, Argument)> =
        message.arguments().into_iter().map(|(name, value)| (name, argument(value))).collect();
    translated(message.key(), &values).unwrap_or_else(|| {
        debug_assert!(false, "no translation of {}", message.key());
        message.to_string()
    })
}

fn argument(value: Value<'_>) -> Argument {
    match value {
        Value::Text(text) => Argument::Text(text.into_owned()),
        Value::Number(number) => Argument::Number(number),
        Value::Message(message) => Argument::Text(localized(message)),
        Value::English(text) => Argument::Text(said(text)),
    }
}

/// The text of this key in the language of the request, if that is not English and has it.
pub(super) fn translation(key: &str) -> Option<String> {
    if locale() == Locale::English { None } else { translated(key, &[]) }
}

/// The text of this key in the language of the request; as it is where that has none, or in English.
pub(crate) fn named(key: &str, english: &str) -> String {
    translation(key).unwrap_or_else(|| english.to_owned())
}
