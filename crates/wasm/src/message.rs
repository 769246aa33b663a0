//! Messages between pages and engines.

use agon_analysis::board::Refusal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Response to a page.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// An event of an analysis: its name, and its data.
    Event(&'static str, Value),
    /// The answer, which is the last message.
    Answer(Value),
    /// Reason for a refusal: the last message.
    Refused(Refusal),
    /// A fault of the program, which then ends.
    Panic(String),
}

impl Message {
    pub fn json(&self) -> String {
        let message = match self {
            Self::Event(name, data) => json!({ "event": name, "data": data }),
            Self::Answer(answer) => json!({ "answer": answer }),
            Self::Refused(Refusal { reason, at: None }) => json!({ "refused": { "detail": reason.to_string() } }),
            Self::Refused(Refusal { reason, at }) => {
                json!({ "refused": { "detail": reason.to_string(), "at": at } })
            }
            Self::Panic(message) => json!({ "panic": message }),
        };
        message.to_string()
    }
}

/// A request in JSON.
pub(crate) fn read<T: DeserializeOwned>(request: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(request).map_err(|error| Refusal::new(&format!("invalid request: {error}")))
}

pub(crate) fn written(answer: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(answer).map_err(|error| Refusal::new(&error))
}
