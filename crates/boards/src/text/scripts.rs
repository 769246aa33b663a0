//! The texts of the pages' scripts: scripts name them in English, and a page in another language brings its
//! translations.

use agon_message::Locale;
use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value};

use super::catalogue::{Argument, FILES, format};
use super::spoken::locale;

/// The messages of scripts: their keys, and the English texts.
fn messages() -> impl Iterator<Item = (&'static str, &'static str)> {
    let english = FILES.iter().find(|(name, _)| *name == "scripts").map_or("", |(_, texts)| texts[0]);
    english.lines().filter(|line| line.starts_with("script-")).filter_map(|line| line.split_once(" = "))
}

/// The names of the values in a text.
fn names(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split("{ $").skip(1).filter_map(|rest| rest.split_once(" }")).map(|(name, _)| name)
}

/// A value for scripts inside a page: no text in it can end its element.
pub fn inline_json(value: &Value) -> Markup {
    PreEscaped(value.to_string().replace('<', "\\u003c"))
}

/// The texts of scripts for the head of a page in the language of the request, by the English texts in the scripts:
/// `{count} points`. Empty in English.
pub fn script_words() -> Markup {
    if locale() == Locale::English {
        return html! {};
    }
    let words: Map<String, Value> = messages()
        .map(|(key, text)| {
            let values: Vec<_> = names(text).map(|name| (name, Argument::Text(format!("{{{name}}}")))).collect();
            (text.replace("{ $", "{").replace(" }", "}"), format(key, &values).into())
        })
        .collect();
    let words = inline_json(&Value::Object(words));
    html! { script type="application/json" id="words" { (words) } }
}
