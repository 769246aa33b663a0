//! Commands of an interface to an engine.

use std::str::FromStr;
use std::time::Duration;

use agon_game::Side;
use agon_search::{SearchLimits, TimeControl};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UaiCommand {
    /// `uai`: requests the engine's identity.
    Uai,
    /// `isready`: say so when you are.
    IsReady,
    /// `uainewgame`: the next position is of another game.
    NewGame,
    /// `setoption name NAME value VALUE`.
    SetOption {
        name: String,
        /// Value; empty if there is none.
        value: String,
    },
    /// `position startpos|fen FEN [moves M …]`.
    Position {
        /// The FEN; `None` for the start of the game.
        fen: Option<String>,
        moves: Vec<String>,
    },
    /// `moves M …`: moves from the current position, an extension.
    Moves(Vec<String>),
    Go(Go),
    /// `perft N` or `go perft N`: count the lines of that many plies.
    Perft(u32),
    /// `bench [DEPTH]`: think about some positions, and say how many nodes it took.
    Bench(Option<u32>),
    /// `stop`: requests the best move found so far.
    Stop,
    /// `print` or `d`: draw the board.
    Print,
    Quit,
    /// A command without effect or answer: `debug`, `ponderhit`, `register`.
    Nothing,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub movetime: Option<Duration>,
    /// Time left on the clocks of [`Side::First`], `btime`, and of [`Side::Second`], `wtime`.
    pub left: [Option<Duration>; 2],
    /// Increments per move, `binc` and `winc`.
    pub increment: [Duration; 2],
    /// Moves until time is added to the clocks.
    pub movestogo: Option<u32>,
    pub infinite: bool,
    /// Words that are not understood and do no harm.
    pub ignored: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UaiCommandError {
    #[error("unknown command `{word}`")]
    Unknown { word: String },
    #[error("`{command}` needs {what}")]
    Missing { command: &'static str, what: &'static str },
    #[error("`{name}` needs a whole number, not `{text}`")]
    Number { name: String, text: String },
    #[error("`position` needs startpos or fen, not `{text}`")]
    Start { text: String },
}

impl FromStr for UaiCommand {
    type Err = UaiCommandError;

    fn from_str(line: &str) -> Result<Self, UaiCommandError> {
        let mut words = line.split_ascii_whitespace();
        let word = words.next().unwrap_or_default();
        Ok(match word {
            "uai" => Self::Uai,
            "isready" => Self::IsReady,
            "uainewgame" => Self::NewGame,
            "setoption" => read_option(words)?,
            "position" => read_position(words)?,
            "moves" => Self::Moves(words.map(str::to_owned).collect()),
            "go" => read_go(words)?,
            "perft" => Self::Perft(number("perft", words.next())?),
            "bench" => Self::Bench(words.next().map(|text| number("bench", Some(text))).transpose()?),
            "stop" => Self::Stop,
            "print" | "d" => Self::Print,
            "quit" => Self::Quit,
            "debug" | "ponderhit" | "register" => Self::Nothing,
            _ => return Err(UaiCommandError::Unknown { word: word.to_owned() }),
        })
    }
}

fn number<T: FromStr>(name: &str, text: Option<&str>) -> Result<T, UaiCommandError> {
    let text = text.unwrap_or_default();
    text.parse().map_err(|_| UaiCommandError::Number { name: name.to_owned(), text: text.to_owned() })
}

/// A time in milliseconds. One that has run out may be negative.
fn time(name: &str, text: Option<&str>) -> Result<Duration, UaiCommandError> {
    let ms: i64 = number(name, text)?;
    Ok(Duration::from_millis(ms.max(0).unsigned_abs()))
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn read_option<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<UaiCommand, UaiCommandError> {
    let missing = UaiCommandError::Missing { command: "setoption", what: "name NAME value VALUE" };
    if words.next() != Some("name") {
        return Err(missing);
    }
    let words: Vec<&str> = words.collect();
    let at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
    let name = joined(words[..at].iter().copied());
    if name.is_empty() {
        return Err(missing);
    }
    Ok(UaiCommand::SetOption { name, value: joined(words[at..].iter().skip(1).copied()) })
}

fn read_position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<UaiCommand, UaiCommandError> {
    let start = words.next().unwrap_or_default();
    let words: Vec<&str> = words.collect();
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let fen = match start {
        "startpos" => None,
        "fen" => Some(joined(words[..at].iter().copied())),
        _ => return Err(UaiCommandError::Start { text: start.to_owned() }),
    };
    Ok(UaiCommand::Position { fen, moves: words[at..].iter().skip(1).map(|&word| word.to_owned()).collect() })
}

fn read_go<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<UaiCommand, UaiCommandError> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "perft" => return Ok(UaiCommand::Perft(number(word, words.next())?)),
            "depth" => go.depth = Some(number(word, words.next())?),
            "nodes" => go.nodes = Some(number(word, words.next())?),
            "movetime" => go.movetime = Some(time(word, words.next())?),
            "btime" => go.left[Side::First.index()] = Some(time(word, words.next())?),
            "wtime" => go.left[Side::Second.index()] = Some(time(word, words.next())?),
            "binc" => go.increment[Side::First.index()] = time(word, words.next())?,
            "winc" => go.increment[Side::Second.index()] = time(word, words.next())?,
            "movestogo" => go.movestogo = Some(number(word, words.next())?),
            "infinite" => go.infinite = true,
            _ => go.ignored.push(word.to_owned()),
        }
    }
    Ok(UaiCommand::Go(go))
}

impl Go {
    /// Returns true if only `stop` ends it.
    pub fn is_endless(&self) -> bool {
        self.infinite || (self.depth, self.nodes, self.movetime) == (None, None, None) && self.left == [None; 2]
    }

    /// Returns the limits and the clock of a search for `side`, with `overhead` lost between the engine and the clock
    /// at every move. If a number of moves to go is given, each gets an equal share of the time.
    pub fn limits(&self, side: Side, overhead: Duration) -> (SearchLimits, Option<TimeControl>) {
        let kept = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
        let mut limits =
            SearchLimits { time: self.movetime.map(kept), soft: None, nodes: self.nodes, depth: self.depth };
        if self.infinite {
            return (SearchLimits::default(), None);
        }
        // An interface that sends one clock alone means that of the side to move.
        let left = self.left[side.index()].or(self.left[side.other().index()]).map(kept);
        let increment = self.increment[side.index()];
        let clock = left.map(|left| TimeControl::with_increment(left, increment));
        if let (Some(left), Some(moves)) = (left, self.movestogo) {
            let share = (left / moves.max(1) + increment).min(left);
            limits.time = Some(limits.time.map_or(share, |time| time.min(share)));
            return (limits, None);
        }
        (limits, clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn commands_are_understood() {
        let check = |line: &str, command: UaiCommand| assert_eq!(line.parse::<UaiCommand>(), Ok(command), "{line}");
        let texts = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        check("uai", UaiCommand::Uai);
        check(" isready\t", UaiCommand::IsReady);
        check("ponderhit", UaiCommand::Nothing);
        check(
            "setoption name Hash value 64",
            UaiCommand::SetOption { name: "Hash".to_owned(), value: "64".to_owned() },
        );
        check(
            "setoption name Clear Hash",
            UaiCommand::SetOption { name: "Clear Hash".to_owned(), value: String::new() },
        );
        check("position startpos moves g1f3 b7", UaiCommand::Position { fen: None, moves: texts(&["g1f3", "b7"]) });
        let fen = "x5o/7/7/7/7/7/o5x x 0 1";
        check(&format!("position fen {fen}"), UaiCommand::Position { fen: Some(fen.to_owned()), moves: Vec::new() });
        check("go perft 4", UaiCommand::Perft(4));
        check("bench", UaiCommand::Bench(None));
        check("bench 3", UaiCommand::Bench(Some(3)));
        check(
            "go btime 10000 wtime -5 binc 10 movestogo 7 depth 3 nodes 9 ponder",
            UaiCommand::Go(Go {
                depth: Some(3),
                nodes: Some(9),
                left: [Some(MS(10_000)), Some(Duration::ZERO)],
                increment: [MS(10), Duration::ZERO],
                movestogo: Some(7),
                ignored: texts(&["ponder"]),
                ..Go::default()
            }),
        );
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let check =
            |line: &str, expected: &str| assert_eq!(line.parse::<UaiCommand>().unwrap_err().to_string(), expected);
        check("ucinewgame x", "unknown command `ucinewgame`");
        check("go depth", "`depth` needs a whole number, not ``");
        check("go nodes 1e6", "`nodes` needs a whole number, not `1e6`");
        check("perft -1", "`perft` needs a whole number, not `-1`");
        check("setoption Hash 64", "`setoption` needs name NAME value VALUE");
        check("setoption name value 3", "`setoption` needs name NAME value VALUE");
        check("position x5o/7/7/7/7/7/o5x", "`position` needs startpos or fen, not `x5o/7/7/7/7/7/o5x`");
        check("position", "`position` needs startpos or fen, not ``");
    }

    #[test]
    fn clocks_become_limits() {
        let check = |line: &str, side, time: Option<u64>, left: Option<(u64, u64)>| {
            let Ok(UaiCommand::Go(go)) = line.parse() else { panic!("{line}") };
            let (limits, clock) = go.limits(side, MS(10));
            let clock = clock.map(|clock| (clock.left, clock.increment));
            assert_eq!((limits.time, clock), (time.map(MS), left.map(|(a, b)| (MS(a), MS(b)))), "{line}");
        };
        check("go btime 1000 wtime 500 binc 7", Side::First, None, Some((990, 7)));
        check("go btime 1000 wtime 500 binc 7", Side::Second, None, Some((490, 0)));
        check("go btime 1000", Side::Second, None, Some((990, 0)));
        check("go wtime 3 btime 3", Side::Second, None, Some((1, 0)));
        check("go movetime 100", Side::First, Some(90), None);
        check("go movetime 1", Side::First, Some(1), None);
        check("go btime 1010 movestogo 10", Side::First, Some(100), None);
        check("go btime 1010 movestogo 0 movetime 50", Side::First, Some(40), None);
        check("go depth 3", Side::First, None, None);
        check("go infinite btime 5 movetime 3", Side::First, None, None);
    }
}
