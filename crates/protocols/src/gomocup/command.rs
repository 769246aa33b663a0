//! Commands of a manager to an engine.

use std::str::FromStr;
use std::time::Duration;

use agon_rules::renju::Point;

use super::place::{self, PlaceError};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GomocupCommand {
    /// `START SIZE`: an empty board of this size.
    Start(u32),
    /// `RECTSTART WIDTH,HEIGHT`: a board that is not square.
    RectStart,
    /// `RESTART`: the same board, empty.
    Restart,
    /// `BEGIN`: make the first move.
    Begin,
    /// `TURN X,Y`: the opponent's move; answer it.
    Turn(Point),
    /// `BOARD`: lines up to `DONE` are the whole board; move.
    Board,
    /// `YXBOARD`: the same, but do not move. An extension of Yixin's.
    YxBoard,
    /// `SWAP2BOARD`: an opening of gomoku.
    Swap2Board,
    /// `TAKEBACK X,Y`: the last stone is taken back.
    TakeBack(Point),
    Info(ManagerInfo),
    /// `YXSTOP`: move now. An extension of Yixin's.
    YxStop,
    /// `YXSHOWFORBID`: which points are forbidden? An extension of Yixin's.
    YxShowForbid,
    /// `ABOUT`: requests the engine's name and version.
    About,
    End,
}

/// Information from a manager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ManagerInfo {
    /// The time for a move; zero asks for the fastest possible.
    TurnTime(Duration),
    /// Time for the whole match; `None` if unlimited.
    MatchTime(Option<Duration>),
    /// Time left in the match; `None` if unlimited.
    TimeLeft(Option<Duration>),
    /// Memory in bytes; `None` if unlimited.
    Memory(Option<u64>),
    /// Nodes per search; `None` if unlimited.
    Nodes(Option<u64>),
    Rule(u32),
    /// Number of threads for a search; 0, like none, means one.
    Threads(usize),
    /// Irrelevant information: the kind of opponent, a folder, the position of a mouse, and unknown keys.
    Other,
}

/// Number that means unlimited time.
const UNLIMITED: Duration = Duration::from_millis(2_147_483_647);

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GomocupCommandError {
    #[error("unknown command `{word}`")]
    Unknown { word: String },
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error("`START` needs a whole number, not `{text}`")]
    Size { text: String },
    #[error("INFO `{key}` needs a whole number, not `{text}`")]
    Info { key: String, text: String },
}

impl FromStr for GomocupCommand {
    type Err = GomocupCommandError;

    fn from_str(line: &str) -> Result<Self, GomocupCommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(match word.to_ascii_uppercase().as_str() {
            "START" => Self::Start(rest.parse().map_err(|_| GomocupCommandError::Size { text: rest.to_owned() })?),
            "RECTSTART" => Self::RectStart,
            "RESTART" => Self::Restart,
            "BEGIN" => Self::Begin,
            "TURN" => Self::Turn(place::read(rest)?),
            "BOARD" => Self::Board,
            "YXBOARD" => Self::YxBoard,
            "SWAP2BOARD" => Self::Swap2Board,
            "TAKEBACK" => Self::TakeBack(place::read(rest)?),
            "INFO" => Self::Info(read_info(rest)?),
            "YXSTOP" => Self::YxStop,
            "YXSHOWFORBID" => Self::YxShowForbid,
            "ABOUT" => Self::About,
            "END" => Self::End,
            _ => return Err(GomocupCommandError::Unknown { word: word.to_owned() }),
        })
    }
}

fn read_info(rest: &str) -> Result<ManagerInfo, GomocupCommandError> {
    let (key, value) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
    let value = value.trim();
    let refused = || GomocupCommandError::Info { key: key.to_owned(), text: value.to_owned() };
    // Milliseconds. A time that has run out is negative.
    let time = || value.parse().map(|ms: i64| Duration::from_millis(ms.max(0).unsigned_abs())).map_err(|_| refused());
    Ok(match key.to_ascii_lowercase().as_str() {
        "timeout_turn" => ManagerInfo::TurnTime(time()?),
        "timeout_match" => ManagerInfo::MatchTime(Some(time()?).filter(|time| !time.is_zero())),
        "time_left" => ManagerInfo::TimeLeft(Some(time()?).filter(|&time| time < UNLIMITED)),
        "max_memory" => ManagerInfo::Memory(Some(value.parse().map_err(|_| refused())?).filter(|&bytes| bytes > 0)),
        "max_node" => ManagerInfo::Nodes(Some(value.parse().map_err(|_| refused())?).filter(|&nodes| nodes > 0)),
        "thread_num" => ManagerInfo::Threads(value.parse().map_err(|_| refused())?),
        "rule" => ManagerInfo::Rule(value.parse().map_err(|_| refused())?),
        _ => ManagerInfo::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_understood() {
        let check =
            |line: &str, command: GomocupCommand| assert_eq!(line.parse::<GomocupCommand>(), Ok(command), "{line}");
        let ms = Duration::from_millis;
        check("START 15", GomocupCommand::Start(15));
        check("begin", GomocupCommand::Begin);
        check("TURN 7, 8", GomocupCommand::Turn(Point::new(9, 8).unwrap()));
        check("TAKEBACK 0,0", GomocupCommand::TakeBack(Point::new(1, 1).unwrap()));
        check("RECTSTART 30,20", GomocupCommand::RectStart);
        check("INFO timeout_turn 0", GomocupCommand::Info(ManagerInfo::TurnTime(Duration::ZERO)));
        check("INFO timeout_match 0", GomocupCommand::Info(ManagerInfo::MatchTime(None)));
        check("INFO timeout_match 5000", GomocupCommand::Info(ManagerInfo::MatchTime(Some(ms(5000)))));
        check("INFO time_left 2147483647", GomocupCommand::Info(ManagerInfo::TimeLeft(None)));
        check("INFO time_left -20", GomocupCommand::Info(ManagerInfo::TimeLeft(Some(Duration::ZERO))));
        check("INFO max_memory 0", GomocupCommand::Info(ManagerInfo::Memory(None)));
        check("INFO max_memory 83886080", GomocupCommand::Info(ManagerInfo::Memory(Some(83_886_080))));
        check("INFO max_node 0", GomocupCommand::Info(ManagerInfo::Nodes(None)));
        check("INFO max_node 20000", GomocupCommand::Info(ManagerInfo::Nodes(Some(20_000))));
        check("INFO THREAD_NUM 2", GomocupCommand::Info(ManagerInfo::Threads(2)));
        check("INFO rule 4", GomocupCommand::Info(ManagerInfo::Rule(4)));
        check("INFO folder C:\\My Data", GomocupCommand::Info(ManagerInfo::Other));
        check("INFO evaluate 3,4", GomocupCommand::Info(ManagerInfo::Other));
        check("INFO", GomocupCommand::Info(ManagerInfo::Other));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let check =
            |line: &str, expected: &str| assert_eq!(line.parse::<GomocupCommand>().unwrap_err().to_string(), expected);
        check("HELLO there", "unknown command `HELLO`");
        check("7,7", "unknown command `7,7`");
        check("START", "`START` needs a whole number, not ``");
        check("START -15", "`START` needs a whole number, not `-15`");
        check("TURN 15,3", "`15,3` is not a place: X,Y expected, each 0 to 14");
        check("TAKEBACK", "`` is not a place: X,Y expected, each 0 to 14");
        check("INFO thread_num two", "INFO `thread_num` needs a whole number, not `two`");
        check("INFO rule renju", "INFO `rule` needs a whole number, not `renju`");
        check("INFO time_left soon", "INFO `time_left` needs a whole number, not `soon`");
    }
}
