//! All limits in one table, as `agon serve --limits` prints it and the page for hosts has it.

use std::time::Duration;

use agon_protocols::formats;
use agon_site::accounts::{MAX_ROSTER, MAX_TOKENS};
use agon_site::store::{MAX_EVENTS_OF_KIND, MAX_KEPT_MESSAGES};

use super::bounds::{
    ACCOUNT_STREAMS, ANSWER_BYTES, ANSWER_TIMEOUT, BODY_BYTES, BODY_GRACE, BY_HAND, BY_HAND_TURNS, CHECK_TIME,
    CONNECTIONS, CROWDED_HEADERS_TIMEOUT, EXPORT_TIMEOUT, EXPORTS, FETCH_TIMEOUT, HEADERS_TIMEOUT, JOB_TIMEOUT,
    JOIN_TIMEOUT, MAX_ANALYSIS_TIME, MAX_ANSWER, MAX_EXPORT_BYTES, MAX_GAME_BYTES, MAX_HEAD_BYTES, MAX_LARGE_BYTES,
    MAX_SITE_EXPORT_BYTES, MAX_SMALL_BYTES, MIN_BODY_RATE, NETWORK_CONNECTIONS, NETWORK_STREAMS, OPEN_GAMES, SEARCHES,
    SEND_TIMEOUT, STREAMS,
};
use super::rooms::Rooms;
use crate::failures::{FREE_FAILURES, MAX_DELAY};
use crate::options::SiteOptions;
use crate::pending::{CODE_TIMEOUT, MAX_CODE_TRIES, MAX_PENDING};
use crate::rate::LimitedAction;
use crate::trials::{MAX_KEPT_TRIALS, MAX_WAITING_TRIALS};

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
const OWN: &str = "429";

/// The answer to everyone if the site has too much.
const ALL: &str = "503";

fn row(what: impl Into<String>, bound: impl Into<String>, whose: impl Into<String>, answer: &'static str) -> LimitRow {
    LimitRow { what: what.into(), bound: bound.into(), whose: whose.into(), answer }
}

/// A size as people read it.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        0..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", bytes >> 30),
    }
}

fn time(time: Duration) -> String {
    match time.as_millis() {
        ..1000 => format!("{} ms", time.as_millis()),
        1000..60_000 => format!("{} s", time.as_secs()),
        60_000..3_600_000 => format!("{} min", time.as_secs() / 60),
        _ => format!("{} h", time.as_secs() / 3600),
    }
}

/// All limits of a site.
pub fn table(options: &SiteOptions) -> Vec<LimitRow> {
    let mut rows = sizes();
    rows.extend(open_at_once());
    rows.extend(Rooms::default().all().map(|room| {
        // The head of an export has been sent when its parts are read.
        let answer = if room.name == Rooms::FILES { "closed" } else { ALL };
        row(format!("waiting: {}", room.name), room.max_waiting.to_string(), "site", answer)
    }));
    rows.push(row("a job of a request", time(JOB_TIMEOUT), "request", "broken off"));
    rows.extend(LimitedAction::ALL.map(|action| {
        let (burst, every) = action.allowance();
        row(action.to_string(), format!("{burst}, then one each {}", time(every)), action.whose(), OWN)
    }));
    let delay = format!("{FREE_FAILURES}, then 1 s, 2 s … {}", time(MAX_DELAY));
    rows.push(row("wrong passwords for a name", delay, "address and name", OWN));
    rows.push(row("wrong codes before the password is asked for", MAX_CODE_TRIES.to_string(), "sign-in", "422"));
    rows.push(row("sign-ins that wait for a code", MAX_PENDING.to_string(), "site", "ends the oldest"));
    rows.push(row("a sign-in that waits for a code", time(CODE_TIMEOUT), "sign-in", "422"));
    rows.push(row("security events that are kept", MAX_EVENTS_OF_KIND.to_string(), "kind", "drops the oldest"));
    let submissions = options.submissions;
    rows.push(row("submissions within a day", submissions.daily.to_string(), "account", "409"));
    rows.push(row("programs in a competition", submissions.programs.to_string(), "account", "409"));
    rows.push(row("versions that wait for their check", submissions.waiting.to_string(), "account", "409"));
    rows.push(row("a check that begins games", time(CHECK_TIME), "version", "ends"));
    rows.push(row("tokens", MAX_TOKENS.to_string(), "account", "409"));
    rows.push(row("sources that are tried", "1", "account", "422"));
    rows.push(row("sources that are tried", MAX_WAITING_TRIALS.to_string(), "site", "422"));
    rows.push(row("results of trials that are kept", MAX_KEPT_TRIALS.to_string(), "site", "drops the oldest"));
    rows.push(row("programs that play against people", BY_HAND.each.to_string(), "account", OWN));
    rows.push(row("programs that play against people", BY_HAND.all.to_string(), "site", ALL));
    rows.push(row("such programs that are asked at once", BY_HAND_TURNS.account.to_string(), "account", "waits"));
    rows.push(row(
        "such programs that are asked at once",
        BY_HAND_TURNS.network.to_string(),
        "network (/24, /48)",
        "waits",
    ));
    rows.push(row("such programs that are asked at once", BY_HAND_TURNS.all.to_string(), "site", "waits"));
    rows.push(row("waiting: moves of such programs", BY_HAND_TURNS.waiting_account.to_string(), "account", OWN));
    rows.push(row(
        "waiting: moves of such programs",
        BY_HAND_TURNS.waiting_network.to_string(),
        "network (/24, /48)",
        OWN,
    ));
    rows.push(row("waiting: moves of such programs", BY_HAND_TURNS.waiting.to_string(), "site", ALL));
    rows.push(row("waiting for a move of such a program", time(BY_HAND_TURNS.max_wait), "request", ALL));
    rows.push(row("a move of such a program", time(MAX_ANSWER), "request", "loses"));
    rows.push(row("names in a list", MAX_ROSTER.to_string(), "list", "422"));
    rows.push(row("messages that are kept", MAX_KEPT_MESSAGES.to_string(), "account", "drops the oldest"));
    rows
}

/// Sizes and times of a request.
fn sizes() -> Vec<LimitRow> {
    let moves = format!("{} in a line, {} in all", formats::MAX_LINE_MOVES, formats::MAX_MOVES);
    vec![
        row("a form or JSON", bytes(MAX_SMALL_BYTES as u64), "request", "413"),
        row("the same with a source", bytes(MAX_LARGE_BYTES as u64), "request", "413"),
        row("a game that a board reads or writes", bytes(MAX_GAME_BYTES as u64), "request", "413"),
        row("its moves", moves, "request", "400"),
        row("its lines", formats::MAX_LINES.to_string(), "request", "400"),
        row("the head of a request", bytes(MAX_HEAD_BYTES as u64), "request", "431"),
        row("headers that arrive", time(HEADERS_TIMEOUT), "connection", "closed"),
        row("the same while half of all are open", time(CROWDED_HEADERS_TIMEOUT), "connection", "closed"),
        row("a body that arrives", format!("{}/s after {}", bytes(MIN_BODY_RATE), time(BODY_GRACE)), "request", "408"),
        row("an answer until it begins", time(ANSWER_TIMEOUT), "request", "408"),
        row("an answer that is not read", time(SEND_TIMEOUT), "connection", "closed"),
        row("an export as a file", bytes(MAX_EXPORT_BYTES), "account", "500"),
        row("an export of the site as a file", bytes(MAX_SITE_EXPORT_BYTES), "site", "500"),
        row("an export that is written", time(EXPORT_TIMEOUT), "request", "500"),
        row("an export that is fetched", time(FETCH_TIMEOUT), "request", "closed"),
        row("a game by link until both are there", time(JOIN_TIMEOUT), "game", "removed"),
    ]
}

/// The limits of what is open at once.
fn open_at_once() -> Vec<LimitRow> {
    vec![
        row("bodies that arrive", bytes(BODY_BYTES.each as u64), "address", OWN),
        row("bodies that arrive", bytes(BODY_BYTES.all as u64), "site", ALL),
        row("large answers that are sent", bytes(ANSWER_BYTES.each as u64), "address", OWN),
        row("large answers that are sent", bytes(ANSWER_BYTES.all as u64), "site", ALL),
        row("connections", CONNECTIONS.each.to_string(), "address", OWN),
        row("connections", NETWORK_CONNECTIONS.each.to_string(), "network (/24, /48)", OWN),
        row("connections", CONNECTIONS.all.to_string(), "site", "waits"),
        row("streams of events", STREAMS.each.to_string(), "address", OWN),
        row("streams of events", NETWORK_STREAMS.each.to_string(), "network (/24, /48)", OWN),
        row("streams of events", ACCOUNT_STREAMS.each.to_string(), "account", OWN),
        row("streams of events", STREAMS.all.to_string(), "site", ALL),
        row("searches of engines", SEARCHES.each.to_string(), "address", "ends its oldest"),
        row("searches of engines", SEARCHES.all.to_string(), "site", "ends the oldest"),
        row("an analysis of a position", time(MAX_ANALYSIS_TIME), "search", "ends; can be asked for again"),
        row("exports", EXPORTS.each.to_string(), "account", OWN),
        row("exports", EXPORTS.all.to_string(), "site", ALL),
        row("games by link that are not over", OPEN_GAMES.each.to_string(), "account or network", "ends its idlest"),
        row("games by link that are not over", OPEN_GAMES.all.to_string(), "site", "ends one of who has most"),
    ]
}
