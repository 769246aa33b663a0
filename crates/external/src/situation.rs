//! The situation of a game, as its rules report it after a set-up or a move.

use std::fmt;

use agon_game::{Ending, GameScore, Outcome, Side};
use agon_message::English;
use agon_referee::protocol::quote;

use crate::limits::{MAX_MOVE_BYTES, MAX_NEWS_BYTES, MAX_NEWS_LINES};

/// The side to answer, or how the game has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    Turn(Side),
    Over(Ending),
}

/// Situation of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Situation {
    pub stage: Stage,
    pub score: Option<[GameScore; 2]>,
    /// Additional lines sent to each side.
    pub news: [Vec<String>; 2],
    /// The last move in the notation of the rules, if it differs from the agent's.
    pub written: Option<String>,
}

/// The lines of the answer, separated by `; `.
impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stage {
            Stage::Turn(side) => write!(f, "turn {side}")?,
            Stage::Over(Ending { outcome, reason }) => match outcome {
                Outcome::Win(side) => write!(f, "end {side} {reason}")?,
                Outcome::Draw => write!(f, "end draw {reason}")?,
            },
        }
        if let Some([first, second]) = self.score {
            write!(f, "; score {first} {second}")?;
        }
        if let Some(written) = &self.written {
            write!(f, "; move {written}")?;
        }
        for side in Side::BOTH {
            self.news[side.index()].iter().try_for_each(|line| write!(f, "; info {side} {line}"))?;
        }
        Ok(())
    }
}

/// Reads a word that names a side.
pub(crate) fn side(word: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| side.to_string() == word)
}

/// The first word of a line, and the rest.
pub(crate) fn split(line: &str) -> (&str, &str) {
    line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

/// Refuses text that would control a terminal, or is not a single line.
pub(crate) fn checked(text: &str, most: usize, what: &str) -> Result<String, String> {
    if text.is_empty() {
        return Err(format!("{what} is empty"));
    }
    if text.len() > most {
        return Err(format!("{what}, {}, is longer than {most} bytes", quote(text.as_bytes())));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("{what}, {}, has characters that are not printed", quote(text.as_bytes())));
    }
    Ok(text.to_owned())
}

impl Situation {
    /// Reads the lines of an answer.
    ///
    /// # Errors
    /// The line that is invalid, or the missing part.
    pub fn read(lines: &[String]) -> Result<Self, String> {
        let (mut stage, mut score, mut news, mut written) = (None, None, [Vec::new(), Vec::new()], None);
        for line in lines {
            let refused = |expected: &str| format!("{}, where {expected} is expected", quote(line.as_bytes()));
            let twice = || format!("{} is a second answer to whose turn it is", quote(line.as_bytes()));
            match split(line) {
                ("turn" | "end", _) if stage.is_some() => return Err(twice()),
                ("turn", rest) => {
                    stage = Some(Stage::Turn(side(rest).ok_or_else(|| refused("`turn first` or `turn second`"))?));
                }
                ("end", rest) => {
                    let (winner, reason) = split(rest);
                    let outcome = match (side(winner), winner) {
                        (Some(side), _) => Outcome::Win(side),
                        (None, "draw") => Outcome::Draw,
                        _ => return Err(refused("`end first`, `end second` or `end draw`, and a reason")),
                    };
                    let reason = checked(reason, MAX_NEWS_BYTES, "the reason of the end")?;
                    stage = Some(Stage::Over(Ending { outcome, reason: English::reason(reason) }));
                }
                ("score", rest) => score = Some(points(rest).ok_or_else(|| refused("`score` and two numbers"))?),
                ("move", rest) => written = Some(checked(rest, MAX_MOVE_BYTES, "the move")?),
                ("info", rest) => {
                    let (whom, text) = split(rest);
                    let text = checked(text, MAX_NEWS_BYTES, "the information")?;
                    match (side(whom), whom) {
                        (Some(side), _) => news[side.index()].push(text),
                        (None, "both") => news.iter_mut().for_each(|news| news.push(text.clone())),
                        _ => return Err(refused("`info first`, `info second` or `info both`, and a text")),
                    }
                }
                _ => return Err(refused("`turn`, `end`, `score`, `move` or `info`")),
            }
        }
        if news.iter().any(|news| news.len() > MAX_NEWS_LINES) {
            return Err(format!("more than {MAX_NEWS_LINES} lines for one side"));
        }
        let stage = stage.ok_or("neither `turn` nor `end`")?;
        Ok(Self { stage, score, news, written })
    }
}

/// Two numbers of points, in steps of one half.
fn points(text: &str) -> Option<[GameScore; 2]> {
    let point = |word: &str| {
        let halves = word.parse::<f64>().ok()? * 2.0;
        (halves.fract() == 0.0 && halves.abs() < 2e9).then(|| GameScore::from_halves(halves as i32))
    };
    let (first, second) = text.split_once(' ')?;
    Some([point(first.trim())?, point(second.trim())?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Situation, String> {
        let lines: Vec<String> = text.split('/').map(str::to_owned).collect();
        Situation::read(&lines)
    }

    #[test]
    fn a_situation_says_who_is_next_and_what_each_side_learns() {
        let read = read("move 3 4/turn second/score 2.5 1/info both dice 3 4/info first your hand: 5").unwrap();
        assert_eq!(read.stage, Stage::Turn(Side::Second));
        assert_eq!(read.score, Some([GameScore::from_halves(5), GameScore::from(1)]));
        assert_eq!(
            read.news,
            [vec!["dice 3 4", "your hand: 5"], vec!["dice 3 4"]]
                .map(|news| { news.into_iter().map(str::to_owned).collect::<Vec<_>>() })
        );
        assert_eq!(read.written.as_deref(), Some("3 4"));
    }

    #[test]
    fn nonsense_is_quoted() {
        let check = |text: &str, expected: &str| {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("score 1 2", "neither `turn` nor `end`");
        check("turn third", "`turn third`, where `turn first`");
        check("turn first/end draw because", "a second answer");
        check("end none because", "`end first`");
        check("end first", "the reason of the end is empty");
        check("turn first/score 1", "two numbers");
        check("turn first/score 1 0.3", "two numbers");
        check("turn first/score nan 1", "two numbers");
        check("turn first/info me something", "`info first`");
        check("turn first/move", "the move is empty");
        check("hello", "`hello`, where `turn`");
        check(&format!("turn first/move {}", "1".repeat(1001)), "longer than 1000 bytes");
        check("turn first/info both a\u{7}b", "not printed");
    }
}
