#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::sync::Arc;

mod key;
mod locale;
mod macros;
mod stated;

#[doc(hidden)]
pub use key::{kebab, kebab_length};
pub use locale::Locale;
#[cfg(feature = "serde")]
pub use stated::reason;
pub use stated::{Keyed, Stated, StatedArgument};

/// A sentence for people, or a part of one. Its [`Display`] is English.
pub trait Message: Display + Debug + Send + Sync {
    /// The key for translations: `source-error-too-large`.
    fn key(&self) -> &'static str;

    /// The named values of the sentence.
    fn arguments(&self) -> Vec<(&'static str, Argument<'_>)>;

    /// Adds the messages that this type can be, and those that can be their arguments.
    fn list(all: &mut Listing)
    where
        Self: Sized;
}

/// A message of any type.
pub type Reason = Arc<dyn Message>;

impl Message for Reason {
    fn key(&self) -> &'static str {
        (**self).key()
    }

    fn arguments(&self) -> Vec<(&'static str, Argument<'_>)> {
        (**self).arguments()
    }

    fn list(_: &mut Listing) {}
}

/// Two messages are equal if they say the same: by their keys and arguments.
impl PartialEq for dyn Message + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key() && self.arguments() == other.arguments()
    }
}

impl Eq for dyn Message + '_ {}

/// The messages of some types: the names of their arguments, by key.
pub type Listing = BTreeMap<&'static str, &'static [&'static str]>;

/// A value within a message.
#[derive(Clone, Debug)]
pub enum Argument<'a> {
    /// A name or text typed by a user: the same in every language.
    Text(Cow<'a, str>),
    /// A whole number, which may decide the form of a sentence.
    Number(i64),
    /// A message within the message.
    Message(&'a dyn Message),
    /// The text of an [`English`] message.
    English(&'a str),
    /// A message that was kept.
    Stated(&'a Stated),
}

impl PartialEq for Argument<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::English(one), Self::English(other)) => one == other,
            (Self::Number(one), Self::Number(other)) => one == other,
            (Self::Message(one), Self::Message(other)) => one == other,
            (Self::Stated(one), Self::Stated(other)) => one == other,
            _ => false,
        }
    }
}

/// A possible argument of a message.
pub trait AsArgument {
    /// The value as an argument.
    fn as_argument(&self) -> Argument<'_>;

    /// Adds the messages that such a value can be.
    fn list(_: &mut Listing) {}
}

impl<M: Message> AsArgument for M {
    fn as_argument(&self) -> Argument<'_> {
        Argument::Message(self)
    }

    fn list(all: &mut Listing) {
        M::list(all);
    }
}

/// An English sentence of code whose messages are not values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct English(pub String);

impl Display for English {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl English {
    pub(crate) const KEY: &str = "english";

    /// A text as the reason of something.
    pub fn reason(text: impl Into<String>) -> Reason {
        Arc::new(Self(text.into()))
    }
}

impl Message for English {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn arguments(&self) -> Vec<(&'static str, Argument<'_>)> {
        vec![("text", Argument::English(&self.0))]
    }

    fn list(all: &mut Listing) {
        all.insert(Self::KEY, &["text"]);
    }
}

/// A possible reason: a message, or an English sentence from code whose messages are not values.
pub trait IntoReason {
    /// Returns the value as a reason.
    fn into_reason(self) -> Reason;
}

impl<M: Message + 'static> IntoReason for M {
    fn into_reason(self) -> Reason {
        Arc::new(self)
    }
}

impl IntoReason for &str {
    fn into_reason(self) -> Reason {
        English::reason(self)
    }
}

impl IntoReason for String {
    fn into_reason(self) -> Reason {
        English::reason(self)
    }
}

impl From<&str> for English {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for English {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl AsArgument for String {
    fn as_argument(&self) -> Argument<'_> {
        Argument::Text(self.as_str().into())
    }
}

impl AsArgument for &'static str {
    fn as_argument(&self) -> Argument<'_> {
        Argument::Text((*self).into())
    }
}

impl AsArgument for Stated {
    fn as_argument(&self) -> Argument<'_> {
        Argument::Stated(self)
    }
}

impl AsArgument for char {
    fn as_argument(&self) -> Argument<'_> {
        Argument::Text(self.to_string().into())
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl AsArgument for $number {
            fn as_argument(&self) -> Argument<'_> {
                // A number too large to select a form becomes text.
                i64::try_from(*self).map_or_else(|_| Argument::Text(self.to_string().into()), Argument::Number)
            }
        }
    )*};
}

numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages;

    messages! {
        /// What is counted.
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Counted {
            Games = "games",
            Changes = "changes",
        }

        /// Why nothing is counted.
        #[derive(PartialEq)]
        enum CountError {
            TooMany { what: Counted, limit: u64 } = "too many {what}; the limit is {limit}",
            UnknownName { name: String } = "unknown name: `{name}`",
            Text(error: TextError),
        }

        #[derive(PartialEq, Eq)]
        enum TextError {
            IsNotUtf8 { byte: usize } = "not valid UTF-8 \
                 (byte {byte:03})",
        }
    }

    #[test]
    fn a_message_is_english_and_has_its_key_and_arguments() {
        let error = CountError::TooMany { what: Counted::Games, limit: 3 };
        assert_eq!(
            (error.to_string().as_str(), error.key()),
            ("too many games; the limit is 3", "count-error-too-many")
        );
        let arguments = [("what", Argument::Message(&Counted::Games)), ("limit", Argument::Number(3))];
        assert_eq!(error.arguments(), arguments);
        assert_ne!(Argument::Message(&Counted::Games), Argument::Message(&Counted::Changes));
        let error = CountError::UnknownName { name: "x".to_owned() };
        assert_eq!(error.arguments(), [("name", Argument::Text("x".into()))]);
    }

    #[test]
    fn a_message_in_parentheses_is_the_message_itself() {
        let error = CountError::Text(TextError::IsNotUtf8 { byte: 7 });
        assert_eq!((error.to_string().as_str(), error.key()), ("not valid UTF-8 (byte 007)", "text-error-is-not-utf8"));
        assert_eq!(error.arguments(), [("byte", Argument::Number(7))]);
    }

    #[test]
    fn all_messages_of_a_type_are_listed_with_those_inside() {
        let mut all = Listing::new();
        <CountError as Message>::list(&mut all);
        let wanted: Vec<(&str, &[&str])> = vec![
            ("count-error-too-many", &["what", "limit"]),
            ("count-error-unknown-name", &["name"]),
            ("counted-changes", &[]),
            ("counted-games", &[]),
            ("text-error-is-not-utf8", &["byte"]),
        ];
        assert_eq!(all.into_iter().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn what_is_kept_has_key_and_arguments() {
        messages! {
            enum Ending {
                Row { kind: Made, from: String } = "{kind} from {from}",
                Words(text: English),
            }

            enum Made {
                Five { length: u8 } = "a row of {length}",
            }
        }

        let row = Ending::Row { kind: Made::Five { length: 5 }, from: "H8".to_owned() };
        let stated = Stated::from(&row);
        assert_eq!(stated.text, row.to_string());
        let keyed = stated.keyed.as_ref().unwrap();
        assert_eq!((&*keyed.key, &keyed.arguments["from"]), ("ending-row", &StatedArgument::Text("H8".to_owned())));
        assert_eq!(stated.kind(), &Stated::from(&Made::Five { length: 5 }));
        assert_eq!(stated.kind().keyed.as_ref().unwrap().arguments["length"], StatedArgument::Number(5));
        let words = Stated::from(&Ending::Words("as it is".into()));
        assert_eq!((words.kind(), &words), (&words, &Stated::from("as it is")));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn what_is_kept_reads_back_from_json() {
        #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
        struct Result {
            winner: String,
            #[serde(flatten, with = "crate::reason")]
            reason: Stated,
        }

        let check = |reason: Stated, json: &str| {
            let result = Result { winner: "first".to_owned(), reason };
            assert_eq!(serde_json::to_string(&result).unwrap(), json);
            assert_eq!(serde_json::from_str::<Result>(json).unwrap(), result);
        };
        check("over".into(), r#"{"winner":"first","reason":"over"}"#);
        check(
            Stated::from(&CountError::TooMany { what: Counted::Games, limit: 3 }),
            &(r#"{"winner":"first","reason":"too many games; the limit is 3","reason_key":"count-error-too-many","#
                .to_owned()
                + r#""reason_arguments":{"limit":3,"what":{"text":"games","key":"counted-games"}}}"#),
        );
    }

    #[test]
    fn large_numbers_are_texts() {
        assert_eq!(u64::MAX.as_argument(), Argument::Text("18446744073709551615".into()));
    }
}
