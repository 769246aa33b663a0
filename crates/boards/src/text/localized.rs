//! Messages of the crates in the language of the request: English is their own, the others are found by their keys.

use agon_message::{Argument as Value, Listing, Locale, Message, Stated, StatedArgument};

use super::catalogue::{Argument, translated};
use super::spoken::locale;

/// A message in the language of the request.
pub fn localized(message: &dyn Message) -> String {
    if locale() == Locale::English {
        return in_english(&Stated::from(message));
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
        Value::English(text) => Argument::Text(text.to_owned()),
        Value::Stated(message) => Argument::Text(stated(message)),
    }
}

/// The texts of all messages of a type in the language of the request, by their keys, with `{name}` for values.
pub(crate) fn templates<M: Message>() -> Vec<(&'static str, String)> {
    let mut all = Listing::new();
    M::list(&mut all);
    let template = |(key, names): (&'static str, &'static [&'static str])| {
        let values: Vec<(&str, Argument)> =
            names.iter().map(|name| (*name, Argument::Text(format!("{{{name}}}")))).collect();
        Some((key, translated(key, &values)?))
    };
    all.into_iter().filter_map(template).collect()
}

/// A message that was kept, in the language of the request; one without a key, from before there were keys, in English.
pub fn stated(message: &Stated) -> String {
    if locale() == Locale::English {
        return in_english(message);
    }
    let Some(keyed) = &message.keyed else { return message.text.clone() };
    let argument = |value: &StatedArgument| match value {
        StatedArgument::Number(number) => Argument::Number(*number),
        StatedArgument::Text(text) => Argument::Text(text.clone()),
        StatedArgument::Stated(inner) => Argument::Text(stated(inner)),
    };
    let values = keyed.arguments.iter().map(|(name, value)| (name.as_str(), argument(value)));
    let values: Vec<(&str, Argument)> = values.collect();
    // A newer version may have written something that this one does not know.
    translated(&keyed.key, &values).unwrap_or_else(|| message.text.clone())
}

/// A failure: on pages without its verdict in front, `TLE` or `RE`, which the reason says in words.
const HEADLINE: &str = "headline-fault";

/// The English of a message on pages.
fn in_english(message: &Stated) -> String {
    let Some(keyed) = &message.keyed else { return message.text.clone() };
    let mut text = message.text.clone();
    for (name, argument) in &keyed.arguments {
        let StatedArgument::Stated(inner) = argument else { continue };
        let said = in_english(inner);
        if keyed.key == HEADLINE && name == "reason" {
            return said;
        }
        if said != inner.text {
            text = text.replacen(&inner.text, &said, 1);
        }
    }
    text
}

/// The text of this key in the language of the request, if that is not English and has it.
pub(super) fn translation(key: &str) -> Option<String> {
    if locale() == Locale::English { None } else { translated(key, &[]) }
}

/// The text of this key in the language of the request; unchanged if that has none, or in English.
pub fn named(key: &str, english: &str) -> String {
    translation(key).unwrap_or_else(|| english.to_owned())
}

#[cfg(test)]
mod tests {
    use agon_referee::fault_reason::FaultReason;
    use agon_referee::report::BoutReason;
    use agon_referee::verdict::{Headline, Verdict};
    use agon_rules::renju::{Axis, RenjuEnding, RenjuWin};

    use super::*;
    use crate::text::within;

    /// Also of a store that has kept the verdict's code in its English.
    #[test]
    fn a_failure_does_not_begin_with_the_code_of_its_verdict() {
        let reason = || Stated::from(&FaultReason::TurnTimeout { ms: 736 });
        let fault = || Headline::Fault { verdict: Verdict::Tle, reason: reason() };
        let ending = BoutReason::SecondFailed { fault: fault() };
        assert_eq!(ending.to_string(), "second failed: TLE: no answer within 736 ms");
        for said in [localized(&ending), stated(&Stated::from(&ending))] {
            assert_eq!(said, "second failed: no answer within 736 ms");
        }
        assert_eq!(localized(&fault()), "no answer within 736 ms");
        let korean = within(Locale::Korean, || stated(&Stated::from(&ending)));
        assert_eq!(korean, "후공 실패: 736 ms 안에 응답하지 않았습니다");
    }

    #[test]
    fn what_is_kept_is_translated_by_its_key() {
        let (from, to) = ("D8 (8,4)".to_owned(), "H8 (8,8)".to_owned());
        let row = Stated::from(&RenjuEnding::Row { kind: RenjuWin::BlackFive, line: Axis::Row, from, to });
        let mut reworded = Stated { text: "other words".to_owned(), ..row.clone() };
        for argument in reworded.keyed.as_mut().unwrap().arguments.values_mut() {
            if let StatedArgument::Stated(inner) = argument {
                inner.text = "other words".to_owned();
            }
        }
        let korean = |reason: &Stated| within(Locale::Korean, || stated(reason));
        assert_eq!([&row, &reworded].map(korean), ["흑이 다섯을 완성 (가로, D8 (8,4)–H8 (8,8))"; 2]);
        // From a store older than the keys of reasons, and from a newer version.
        assert_eq!(korean(&"O has vanished".into()), "O has vanished");
        reworded.keyed.as_mut().unwrap().key = "renju-ending-to-come".to_owned();
        assert_eq!(korean(&reworded), "other words");
    }
}
