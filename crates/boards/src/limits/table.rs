//! The rows of boards in the table of limits, and how rows are written.

use std::time::Duration;

use agon_protocols::formats;

use super::bounds::{
    CONNECTIONS, CROWDED_HEADERS_TIMEOUT, HEADERS_TIMEOUT, MAX_ANALYSIS_TIME, MAX_GAME_BYTES, MAX_HEAD_BYTES,
    NETWORK_CONNECTIONS, SEARCHES,
};

/// A limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LimitRow {
    /// What is limited.
    pub what: String,
    /// How much of it there may be.
    pub bound: String,
    /// For whom.
    pub whose: String,
    /// The answer to those who exceed it.
    pub answer: &'static str,
}

/// The answer to an address or an account with too much.
pub const OWN: &str = "429";

/// The answer to everyone if the site has too much.
pub const ALL: &str = "503";

/// A row of the table.
pub fn row(
    what: impl Into<String>,
    bound: impl Into<String>,
    whose: impl Into<String>,
    answer: &'static str,
) -> LimitRow {
    LimitRow { what: what.into(), bound: bound.into(), whose: whose.into(), answer }
}

/// A size as people read it.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", bytes >> 30),
    }
}

/// A time as people read it.
pub fn time(time: Duration) -> String {
    match time.as_millis() {
        ..1000 => format!("{} ms", time.as_millis()),
        1000..60_000 => format!("{} s", time.as_secs()),
        60_000..3_600_000 => format!("{} min", time.as_secs() / 60),
        _ => format!("{} h", time.as_secs() / 3600),
    }
}

/// Games as files.
pub fn games() -> Vec<LimitRow> {
    let moves = format!("{} in a line, {} in all", formats::MAX_LINE_MOVES, formats::MAX_MOVES);
    vec![
        row("a game that a board reads or writes", bytes(MAX_GAME_BYTES as u64), "request", "413"),
        row("its moves", moves, "request", "400"),
        row("its lines", formats::MAX_LINES.to_string(), "request", "400"),
    ]
}

/// The heads of requests.
pub fn heads() -> Vec<LimitRow> {
    vec![
        row("the head of a request", bytes(MAX_HEAD_BYTES as u64), "request", "431"),
        row("headers that arrive", time(HEADERS_TIMEOUT), "connection", "closed"),
        row("the same while half of all are open", time(CROWDED_HEADERS_TIMEOUT), "connection", "closed"),
    ]
}

pub fn connections() -> Vec<LimitRow> {
    vec![
        row("connections", CONNECTIONS.each.to_string(), "address", OWN),
        row("connections", NETWORK_CONNECTIONS.each.to_string(), "network (/24, /48)", OWN),
        row("connections", CONNECTIONS.all.to_string(), "site", "waits"),
    ]
}

/// Searches for visitors.
pub fn searches() -> Vec<LimitRow> {
    vec![
        row("searches of engines", SEARCHES.each.to_string(), "address", "ends its oldest"),
        row("searches of engines", SEARCHES.all.to_string(), "site", "ends the oldest"),
        row("an analysis of a position", time(MAX_ANALYSIS_TIME), "search", "ends; can be asked for again"),
    ]
}
