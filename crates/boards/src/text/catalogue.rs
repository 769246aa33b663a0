//! The catalogues: one folder of Fluent files for each language, the same files with the same keys in each.

use std::borrow::Cow;
use std::sync::LazyLock;

use agon_message::Locale;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use maud::{Markup, PreEscaped, Render as _};
use unic_langid::LanguageIdentifier;

use super::particles;
use super::spoken::locale;

/// A file in each language.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, [
            include_str!(concat!("../../locales/en/", $name, ".ftl")),
            include_str!(concat!("../../locales/ko/", $name, ".ftl")),
        ])),*]
    };
}

/// Every file by its name, in the order of [`Locale::ALL`].
pub(super) const FILES: &[(&str, [&str; 2])] = files![
    "account",
    "boards",
    "competitions",
    "design",
    "desk",
    "events",
    "finals",
    "fleet",
    "following",
    "front",
    "game",
    "host",
    "ladder",
    "layout",
    "messages",
    "own-games",
    "program",
    "queue",
    "roster",
    "rules",
    "scripts",
    "shared",
    "sign-in",
    "similarity",
    "submit",
    "teams",
    "times",
    "today",
    "trial",
    "two-factor"
];

/// Messages of the crates, whose English is in their code, by their keys.
const MESSAGES: [(Locale, &str); 6] = [
    (Locale::Korean, include_str!("../../locales/messages/ko/checks.ftl")),
    (Locale::Korean, include_str!("../../locales/messages/ko/failures.ftl")),
    (Locale::Korean, include_str!("../../locales/messages/ko/files.ftl")),
    (Locale::Korean, include_str!("../../locales/messages/ko/games.ftl")),
    (Locale::Korean, include_str!("../../locales/messages/ko/site.ftl")),
    (Locale::Korean, include_str!("../../locales/messages/ko/web.ftl")),
];

/// Everything that the Korean pages say.
#[cfg(test)]
pub(crate) fn korean() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(_, [_, korean])| *korean).chain(MESSAGES.iter().map(|(_, korean)| *korean))
}

static BUNDLES: LazyLock<[FluentBundle<FluentResource>; 2]> = LazyLock::new(|| Locale::ALL.map(bundle));

fn bundle(locale: Locale) -> FluentBundle<FluentResource> {
    let language: LanguageIdentifier = locale.code().parse().expect("the codes are of BCP 47");
    let mut bundle = FluentBundle::new_concurrent(vec![language]);
    // Both are written from left to right: no marks around values.
    bundle.set_use_isolating(false);
    bundle.add_function("JOSA", particles::josa).expect("it is added once");
    let texts = FILES.iter().map(|(_, texts)| texts[locale as usize]);
    for text in texts.chain(MESSAGES.iter().filter(|(of, _)| *of == locale).map(|(_, text)| *text)) {
        // The tests find the mistakes in a file; its correct parts stay.
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(rest, errors)| {
            tracing::error!("a text in {}: {errors:?}", locale.code());
            rest
        });
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// The value of a variable of a message.
#[derive(Clone, Debug)]
pub enum Argument {
    Text(String),
    /// A number, which decides the form of a message.
    Number(i64),
    /// HTML, for [`format_rich`] only.
    Markup(String),
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Argument {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Cow<'_, str>> for Argument {
    fn from(text: Cow<str>) -> Self {
        Self::Text(text.into_owned())
    }
}

impl From<Markup> for Argument {
    fn from(markup: Markup) -> Self {
        Self::Markup(markup.into_string())
    }
}

macro_rules! numbers {
    ($number:ident => $value:expr; $($kind:ty),*) => {$(
        impl From<$kind> for Argument {
            fn from($number: $kind) -> Self {
                Self::Number($value)
            }
        }
        impl From<&$kind> for Argument {
            fn from(&$number: &$kind) -> Self {
                Self::Number($value)
            }
        }
    )*};
}

numbers!(number => number; i64);
numbers!(number => i64::from(number); u8, u16, u32, i32);
numbers!(number => i64::try_from(number).unwrap_or(i64::MAX); u64, usize);

/// The marks around markup in a message: its number and its words, which decide particles and are not shown.
const MARKS: [char; 3] = ['\u{e000}', '\u{e001}', '\u{e002}'];

/// The words of markup, without its tags.
fn words(markup: &str) -> String {
    let (mut words, mut tag) = (String::new(), false);
    for c in markup.chars() {
        match c {
            '<' => tag = true,
            '>' if tag => tag = false,
            c if !tag => words.push(c),
            _ => {}
        }
    }
    words
}

/// A message in a language, if that has it.
fn formatted(locale: Locale, key: &str, values: &FluentArgs) -> Option<String> {
    let bundle = &BUNDLES[locale as usize];
    let pattern = bundle.get_message(key)?.value()?;
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(values), &mut errors).into_owned();
    debug_assert!(errors.is_empty(), "{key} in {}: {errors:?}", locale.code());
    Some(text)
}

fn message(key: &str, values: &FluentArgs) -> String {
    // What a language lacks appears in English, which the tests detect.
    let found = [locale(), Locale::English].into_iter().find_map(|locale| formatted(locale, key, values));
    found.unwrap_or_else(|| {
        debug_assert!(false, "no message {key}");
        key.to_owned()
    })
}

fn arguments<'a>(values: &'a [(&'a str, Argument)]) -> FluentArgs<'a> {
    let values = values.iter().map(|(name, value)| {
        let value = match value {
            Argument::Text(text) => FluentValue::from(text.as_str()),
            Argument::Number(number) => FluentValue::from(*number),
            Argument::Markup(markup) => FluentValue::from(words(markup)),
        };
        (*name, value)
    });
    values.collect()
}

/// A message with its values.
pub fn format(key: &str, values: &[(&str, Argument)]) -> String {
    message(key, &arguments(values))
}

/// A message in the language of the request, if that has it.
pub(super) fn translated(key: &str, values: &[(&str, Argument)]) -> Option<String> {
    formatted(locale(), key, &arguments(values))
}

/// A message with markup among its values; everything else is escaped.
pub fn format_rich(key: &str, values: &[(&str, Argument)]) -> Markup {
    let [begin, middle, end] = MARKS;
    let plain = |text: &str| text.replace(MARKS, "");
    let args = values.iter().enumerate().map(|(at, (name, value))| {
        let value = match value {
            Argument::Text(text) => FluentValue::from(plain(text)),
            Argument::Number(number) => FluentValue::from(*number),
            Argument::Markup(markup) => FluentValue::from(format!("{begin}{at}{middle}{}{end}", plain(&words(markup)))),
        };
        (*name, value)
    });
    let text = message(key, &args.collect());
    let mut html = String::new();
    let mut parts = text.split(begin);
    html += &parts.next().unwrap_or_default().render().into_string();
    for part in parts {
        let (at, rest) = part.split_once(middle).unwrap_or_default();
        if let Some((_, Argument::Markup(markup))) = at.parse::<usize>().ok().and_then(|at| values.get(at)) {
            html += markup;
        }
        let rest = rest.split_once(end).map_or("", |(_, rest)| rest);
        html += &rest.render().into_string();
    }
    PreEscaped(html)
}
