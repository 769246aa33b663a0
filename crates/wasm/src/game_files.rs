//! Requests to read and write game files, and their handling.

use agon_analysis::board::Refusal;
use agon_files::{BINARY, GameText, OWN_LIMITS, UnwrittenGame, WritingError};
use serde::Deserialize;
use serde_json::Value;

use crate::message::{Message, read, written};

/// Request of a page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum FileRequest {
    /// The games of a file.
    Read { file: GameText },
    /// A game as the text of a file; one that is no text has a character for each byte.
    Write { game: Box<UnwrittenGame> },
}

/// Answers a request in JSON.
pub fn answer_file(request: &[u8], send: &mut dyn FnMut(Message)) {
    send(read(request).and_then(answered).map_or_else(Message::Refused, Message::Answer));
}

fn answered(request: FileRequest) -> Result<Value, Refusal> {
    match request {
        FileRequest::Read { file } => written(&file.read(&OWN_LIMITS)?),
        FileRequest::Write { game } => match game.write(&|| false) {
            Ok((BINARY, bytes)) => written(&bytes.into_iter().map(char::from).collect::<String>()),
            Ok((_, bytes)) => written(&String::from_utf8(bytes).map_err(|error| Refusal::new(&error))?),
            Err(WritingError::Refused(refusal)) => Err(refusal),
            Err(WritingError::TooLong) => unreachable!("nothing ends it"),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_file_that_is_no_text_has_a_character_for_each_byte() {
        let question = json!({ "game": "renju", "moves": ["H8", "H9"] });
        let game = json!({ "question": question, "names": ["", ""], "format": "lib" });
        let mut found = None;
        let request = json!({ "do": "write", "game": game }).to_string();
        answer_file(request.as_bytes(), &mut |message| found = Some(message));
        let Some(Message::Answer(Value::String(text))) = found else { panic!("{found:?}") };
        assert!(text.starts_with("\u{ff}RenLib\u{ff}"), "{text:?}");
        assert!(text.chars().all(|byte| u32::from(byte) < 256), "{text:?}");
    }
}
