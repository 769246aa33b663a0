//! Messages as they are kept: in records, stores and answers of an interface.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use crate::{Argument, English, Message};

/// A message in stored form: its English text and the key and arguments for translations.
///
/// With the feature `serde` it is an object with `text`, `key` and `arguments`; `reason` has it as fields of another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stated {
    /// The English sentence.
    pub text: String,
    /// `None` of a text that was kept without, or comes from outside.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub keyed: Option<Box<Keyed>>,
}

/// A message without its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Keyed {
    /// [`Message::key`].
    pub key: String,
    /// [`Message::arguments`].
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub arguments: BTreeMap<String, StatedArgument>,
}

/// A value within a message that is kept.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(untagged))]
pub enum StatedArgument {
    /// A whole number.
    Number(i64),
    /// A name or text typed by a user: the same in every language.
    Text(String),
    /// A message within the message.
    Stated(Stated),
}

impl Stated {
    /// What messages of this kind have in common: the message in their argument `kind`, or else the whole message. Many
    /// games end with a row of five, each on different points.
    pub fn kind(&self) -> &Self {
        match self.keyed.as_ref().and_then(|keyed| keyed.arguments.get("kind")) {
            Some(StatedArgument::Stated(kind)) => kind,
            _ => self,
        }
    }
}

impl Stated {
    /// Returns the message with this done to its text and to the texts in its arguments.
    #[must_use]
    pub fn map_texts(&self, change: &impl Fn(&str) -> String) -> Self {
        let changed = |argument: &StatedArgument| match argument {
            StatedArgument::Number(number) => StatedArgument::Number(*number),
            StatedArgument::Text(text) => StatedArgument::Text(change(text)),
            StatedArgument::Stated(stated) => StatedArgument::Stated(stated.map_texts(change)),
        };
        let keyed = self.keyed.as_ref().map(|keyed| {
            let arguments = keyed.arguments.iter().map(|(name, argument)| (name.clone(), changed(argument)));
            Box::new(Keyed { key: keyed.key.clone(), arguments: arguments.collect() })
        });
        Self { text: change(&self.text), keyed }
    }
}

impl Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// A text without a key.
impl From<String> for Stated {
    fn from(text: String) -> Self {
        Self { text, keyed: None }
    }
}

/// A text without a key.
impl From<&str> for Stated {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&dyn Message> for Stated {
    fn from(message: &dyn Message) -> Self {
        if message.key() == English::KEY {
            return message.to_string().into();
        }
        let argument = |(name, value): (&str, Argument<'_>)| {
            let value = match value {
                Argument::Number(number) => StatedArgument::Number(number),
                Argument::Text(text) => StatedArgument::Text(text.into_owned()),
                Argument::English(text) => StatedArgument::Stated(text.into()),
                Argument::Message(message) => StatedArgument::Stated(message.into()),
                Argument::Stated(stated) => StatedArgument::Stated(stated.clone()),
            };
            (name.to_owned(), value)
        };
        let arguments = message.arguments().into_iter().map(argument).collect();
        Self { text: message.to_string(), keyed: Some(Box::new(Keyed { key: message.key().to_owned(), arguments })) }
    }
}

impl<M: Message> From<&M> for Stated {
    fn from(message: &M) -> Self {
        (message as &dyn Message).into()
    }
}

/// A [`Stated`] as the fields `reason`, `reason_key` and `reason_arguments` of a structure:
/// `#[serde(flatten, with = "agon_message::reason")]`.
#[cfg(feature = "serde")]
pub mod reason {
    use std::borrow::Cow;

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::{BTreeMap, Keyed, Stated, StatedArgument};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename = "Reason")]
    struct Fields<'a> {
        #[serde(rename = "reason")]
        text: Cow<'a, str>,
        #[serde(rename = "reason_key", skip_serializing_if = "Option::is_none", default)]
        key: Option<Cow<'a, str>>,
        #[serde(rename = "reason_arguments", skip_serializing_if = "is_empty", default)]
        arguments: Cow<'a, BTreeMap<String, StatedArgument>>,
    }

    fn is_empty(arguments: &BTreeMap<String, StatedArgument>) -> bool {
        arguments.is_empty()
    }

    /// Writes the fields.
    ///
    /// # Errors
    /// Any error of the serializer.
    pub fn serialize<S: Serializer>(stated: &Stated, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, arguments) = match stated.keyed.as_deref() {
            Some(Keyed { key, arguments }) => (Some(key.into()), Cow::Borrowed(arguments)),
            None => (None, Cow::default()),
        };
        Fields { text: (&stated.text).into(), key, arguments }.serialize(serializer)
    }

    /// Reads the fields.
    ///
    /// # Errors
    /// Any error of the deserializer.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Stated, D::Error> {
        let Fields { text, key, arguments } = Fields::deserialize(deserializer)?;
        let arguments = arguments.into_owned();
        let keyed = key.map(|key| Box::new(Keyed { key: key.into_owned(), arguments }));
        Ok(Stated { text: text.into_owned(), keyed })
    }
}
