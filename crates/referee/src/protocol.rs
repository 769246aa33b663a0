//! The judge's line protocol, both ways.
//!
//! | command | judge → agent | agent → judge |
//! |---|---|---|
//! | READY | `READY FIRST` or `READY SECOND` | `OK` |
//! | TURN | `TURN my_time opp_time` | `MOVE arguments` |
//! | OPP | `OPP arguments time` | nothing |
//! | INFO | `INFO text` | nothing |
//! | FINISH | `FINISH` | nothing |
//!
//! Source: the table of commands in ALPHANO's problems, which has no INFO: only other games send it
//! ([`agon_game::GameState::news`]). Times are whole milliseconds from 1; ALPHANO's judge sends none above 10 000.

use std::fmt::{self, Write as _};
use std::time::Duration;

use agon_game::Side;
use agon_message::messages;

use crate::text;

/// The longest answer line, in bytes without its newline.
pub const MAX_ANSWER_BYTES: usize = 4096;

/// The longest answer to a prompt that a record keeps whole, in bytes: of a longer one it keeps what decides the
/// action.
pub const MAX_KEPT_BYTES: usize = 64;

/// The first question to a program that is asked per action.
pub const BEGIN: &str = "BEGIN";

/// The line that ends a program which is asked per action and kept alive.
pub const END: &str = "END";

/// A line from the judge to an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JudgeCommand {
    /// Which side the agent plays.
    Ready(Side),
    /// Choose a move; both remaining clocks, in milliseconds.
    Turn {
        /// The agent's own time left.
        mine: u32,
        theirs: u32,
    },
    /// The opponent's last move and the milliseconds it used.
    Opp {
        /// The arguments of the opponent's MOVE.
        arguments: String,
        time: u32,
    },
    /// Other news about the game.
    Info(String),
    Finish,
}

impl fmt::Display for JudgeCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(Side::First) => f.write_str("READY FIRST"),
            Self::Ready(Side::Second) => f.write_str("READY SECOND"),
            Self::Turn { mine, theirs } => write!(f, "TURN {mine} {theirs}"),
            Self::Opp { arguments, time } => write!(f, "OPP {arguments} {time}"),
            Self::Info(text) => write!(f, "INFO {text}"),
            Self::Finish => f.write_str("FINISH"),
        }
    }
}

/// A line that is not one of the judge's commands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{line}` is not a command of the judge")]
pub struct JudgeCommandError {
    pub line: String,
}

impl std::str::FromStr for JudgeCommand {
    type Err = JudgeCommandError;

    fn from_str(line: &str) -> Result<Self, JudgeCommandError> {
        let refused = || JudgeCommandError { line: line.to_owned() };
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match (word, rest) {
            ("READY", "FIRST") => Ok(Self::Ready(Side::First)),
            ("READY", "SECOND") => Ok(Self::Ready(Side::Second)),
            ("FINISH", "") => Ok(Self::Finish),
            ("TURN", times) => {
                let (mine, theirs) = times.split_once(' ').ok_or_else(refused)?;
                let read = |time: &str| time.parse().map_err(|_| refused());
                Ok(Self::Turn { mine: read(mine)?, theirs: read(theirs)? })
            }
            ("OPP", rest) => {
                let (arguments, time) = rest.rsplit_once(' ').ok_or_else(refused)?;
                Ok(Self::Opp { arguments: arguments.to_owned(), time: time.parse().map_err(|_| refused())? })
            }
            ("INFO", _) => Ok(Self::Info(line.trim()["INFO".len()..].trim_start().to_owned())),
            _ => Err(refused()),
        }
    }
}

/// Time left, as it is sent to agents: whole milliseconds, rounded down, from 1 to `max`
/// ([`GameLimits::max_time_ms`](crate::limits::GameLimits::max_time_ms)).
///
/// ```
/// use agon_referee::protocol::time_left;
/// use std::time::Duration;
/// assert_eq!(time_left(Duration::from_micros(9_999_800), 10_000), 9999);
/// assert_eq!(time_left(Duration::ZERO, 10_000), 1);
/// assert_eq!(time_left(Duration::from_secs(60), u32::MAX), 60_000);
/// assert_eq!(time_left(Duration::from_secs(60), 10_000), 10_000);
/// ```
pub fn time_left(left: Duration, max: u32) -> u32 {
    left.as_millis().clamp(1, max.into()) as u32
}

/// Time used, as it is sent to agents: whole milliseconds, rounded up, from 1 to `max`.
///
/// ```
/// use agon_referee::protocol::time_used;
/// use std::time::Duration;
/// assert_eq!(time_used(Duration::from_micros(200), 10_000), 1);
/// assert_eq!(time_used(Duration::from_micros(50_001), 10_000), 51);
/// ```
pub fn time_used(used: Duration, max: u32) -> u32 {
    used.as_micros().div_ceil(1000).clamp(1, max.into()) as u32
}

/// Whether an answer to READY is in the format.
pub fn is_ok(answer: &[u8]) -> bool {
    answer.trim_ascii() == b"OK"
}

/// Whether an answer to READY is `OK` except for capitals.
pub fn is_ok_in_small_letters(answer: &[u8]) -> bool {
    !is_ok(answer) && answer.trim_ascii().eq_ignore_ascii_case(b"OK")
}

/// The arguments of an answer to TURN, when it is a MOVE in printable text; blanks at the ends of the line, a carriage
/// return among them, are forgiven.
///
/// ```
/// use agon_referee::protocol::move_arguments;
/// assert_eq!(move_arguments(b"MOVE 1 1 2 2\r"), Some("1 1 2 2"));
/// assert_eq!(move_arguments(b"move 1 1 2 2"), None);
/// assert_eq!(move_arguments(b"MOVE1 1 2 2"), None);
/// ```
pub fn move_arguments(answer: &[u8]) -> Option<&str> {
    let text = str::from_utf8(answer).ok()?.trim_ascii();
    let arguments = text.strip_prefix("MOVE")?;
    arguments.starts_with([' ', '\t']).then(|| arguments.trim_ascii())
}

/// An agent's answer as a record stores it: bytes that are not UTF-8 are replaced.
pub(crate) fn text_of(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).into_owned()
}

/// An agent's bytes as text for people: printable, and at most some 80 characters. Invisible characters appear as their
/// codes.
///
/// ```
/// use agon_referee::protocol::quote;
/// let quoted = |text: &str| quote(text.as_bytes()).to_string();
/// assert_eq!(quoted("MOVE 1"), "`MOVE 1`");
/// assert_eq!(quote(b"\x00\xff").to_string(), "`\\x00\\xff`");
/// assert_eq!(["a\nb", ""].map(quoted), ["`a\\nb`", "an empty line"]);
/// assert_eq!(quoted("\u{feff}OK\u{202e}"), "`\\u{feff}OK\\u{202e}`");
/// ```
pub fn quote(bytes: &[u8]) -> Quoted {
    const SHOWN: usize = 80;
    if bytes.is_empty() {
        return Quoted::EmptyLine;
    }
    let text = shown(&bytes[..bytes.len().min(SHOWN)]);
    if bytes.len() <= SHOWN { Quoted::Whole { text } } else { Quoted::Cut { text, bytes: bytes.len() } }
}

messages! {
    /// Bytes of an agent, for people: see [`quote`].
    #[derive(Clone, PartialEq, Eq)]
    pub enum Quoted {
        EmptyLine = "an empty line",
        Whole { text: String } = "`{text}`",
        Cut { text: String, bytes: usize } = "`{text}…` ({bytes} bytes)",
    }
}

/// Bytes as printable text; invisible characters appear as their codes.
fn shown(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if text::is_hidden(c) {
                let _ = write!(shown, "\\u{{{:x}}}", c as u32);
            } else if c == ' ' || !(c.is_control() || c.is_whitespace()) {
                shown.push(c);
            } else if let '\n' | '\r' | '\t' = c {
                shown.extend(c.escape_default());
            } else {
                escape(&mut shown, c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        escape(&mut shown, chunk.invalid());
    }
    shown
}

/// The same for a text whose end says most, such as messages of programs and compilers: of a long one both ends are
/// shown.
///
/// ```
/// use agon_referee::protocol::quote_ends;
/// assert_eq!(quote_ends(b"short"), "`short`");
/// let long = format!("FileNotFoundError: no such file: {}/weights.bin", "folder/".repeat(40));
/// let shown = quote_ends(long.as_bytes());
/// assert!(shown.starts_with("`FileNotFoundError: no such file: ") && shown.ends_with("/weights.bin`"), "{shown}");
/// ```
pub fn quote_ends(bytes: &[u8]) -> String {
    const BEGINNING: usize = 60;
    const END: usize = 120;
    let text = String::from_utf8_lossy(bytes);
    let length = text.chars().count();
    if length <= BEGINNING + END {
        return format!("`{}`", shown(bytes));
    }
    let beginning: String = text.chars().take(BEGINNING).collect();
    let end: String = text.chars().skip(length - END).collect();
    format!("`{} … {}`", shown(beginning.as_bytes()), shown(end.as_bytes()))
}

fn escape(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "\\x{byte:02x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_read_back() {
        for line in [
            "READY FIRST",
            "READY SECOND",
            "TURN 10000 9950",
            "OPP 1 1 2 2 50",
            "OPP -1 -1 -1 -1 1",
            "OPP 8 8 3",
            "INFO both dice: 3 4",
            "FINISH",
        ] {
            assert_eq!(line.parse::<JudgeCommand>().unwrap().to_string(), line);
        }
        for line in ["", "READY", "READY THIRD", "TURN 1", "TURN a b", "OPP 5", "FINISH NOW", "MOVE 1 1"] {
            assert!(line.parse::<JudgeCommand>().is_err(), "{line}");
        }
    }
}
