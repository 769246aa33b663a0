//! Results as SGF's property RE writes them.

use agon_game::{Outcome, Side};

/// Reason for a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WonBy {
    #[default]
    Rules,
    Resignation,
    Time,
    /// The other side forfeited, like a program that answers with an illegal move.
    Forfeit,
}

/// Parses RE; `None` if it leaves the result open.
pub fn read(value: &str) -> Option<(Outcome, WonBy)> {
    let (winner, by) = match value.split_once('+') {
        None if value == "0" || value.eq_ignore_ascii_case("draw") => return Some((Outcome::Draw, WonBy::Rules)),
        Some(("B", by)) => (Side::First, by),
        Some(("W", by)) => (Side::Second, by),
        _ => return None,
    };
    let won_by = match by.to_ascii_lowercase().as_str() {
        "r" | "resign" => WonBy::Resignation,
        "t" | "time" => WonBy::Time,
        "f" | "forfeit" => WonBy::Forfeit,
        _ => WonBy::Rules,
    };
    Some((Outcome::Win(winner), won_by))
}

/// A result as RE says it.
pub fn write(outcome: Outcome, won_by: WonBy) -> String {
    let by = match won_by {
        WonBy::Rules => "",
        WonBy::Resignation => "R",
        WonBy::Time => "T",
        WonBy::Forfeit => "F",
    };
    match outcome {
        Outcome::Win(Side::First) => format!("B+{by}"),
        Outcome::Win(Side::Second) => format!("W+{by}"),
        Outcome::Draw => "Draw".to_owned(),
    }
}
