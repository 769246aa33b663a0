//! All limits in one table, as `agon serve --limits` prints it and the page for hosts has it.

use agon_boards::limits::table::{self, ALL, LimitRow, OWN, bytes, row, time};
use agon_boards::limits::{ANSWER_TIMEOUT, JOB_TIMEOUT, SEND_TIMEOUT};
use agon_queue::play::CHECK_TIME;
use agon_queue::trials::{MAX_KEPT_TRIALS, MAX_WAITING_TRIALS};
use agon_site::accounts::{MAX_ROSTER, MAX_TOKENS};
use agon_site::store::{MAX_EVENTS_OF_KIND, MAX_KEPT_MESSAGES};

use super::bounds::{
    ACCOUNT_STREAMS, ANSWER_BYTES, BODY_BYTES, BODY_GRACE, BY_HAND, BY_HAND_TURNS, EXPORT_TIMEOUT, EXPORTS,
    FETCH_TIMEOUT, JOIN_TIMEOUT, MAX_ANSWER, MAX_EXPORT_BYTES, MAX_LARGE_BYTES, MAX_SITE_EXPORT_BYTES, MAX_SMALL_BYTES,
    MIN_BODY_RATE, NETWORK_STREAMS, OPEN_GAMES, STREAMS,
};
use super::rooms::SiteRooms;
use crate::failures::{FREE_FAILURES, MAX_DELAY};
use crate::options::SiteOptions;
use crate::pending::{CODE_TIMEOUT, MAX_CODE_TRIES, MAX_PENDING};
use crate::rate::LimitedAction;

/// All limits of a site.
pub fn table(options: &SiteOptions) -> Vec<LimitRow> {
    let mut rows = sizes();
    rows.extend(open_at_once());
    rows.extend(SiteRooms::default().all().map(|room| {
        // The head of an export has been sent when its parts are read.
        let answer = if room.name == SiteRooms::FILES { "closed" } else { ALL };
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
    let mut rows = vec![
        row("a form or JSON", bytes(MAX_SMALL_BYTES as u64), "request", "413"),
        row("the same with a source", bytes(MAX_LARGE_BYTES as u64), "request", "413"),
    ];
    rows.extend(table::games());
    rows.extend(table::heads());
    rows.extend([
        row("a body that arrives", format!("{}/s after {}", bytes(MIN_BODY_RATE), time(BODY_GRACE)), "request", "408"),
        row("an answer until it begins", time(ANSWER_TIMEOUT), "request", "408"),
        row("an answer that is not read", time(SEND_TIMEOUT), "connection", "closed"),
        row("an export as a file", bytes(MAX_EXPORT_BYTES), "account", "500"),
        row("an export of the site as a file", bytes(MAX_SITE_EXPORT_BYTES), "site", "500"),
        row("an export that is written", time(EXPORT_TIMEOUT), "request", "500"),
        row("an export that is fetched", time(FETCH_TIMEOUT), "request", "closed"),
        row("a game by link until both are there", time(JOIN_TIMEOUT), "game", "removed"),
    ]);
    rows
}

/// The limits of what is open at once.
fn open_at_once() -> Vec<LimitRow> {
    let mut rows = vec![
        row("bodies that arrive", bytes(BODY_BYTES.each as u64), "address", OWN),
        row("bodies that arrive", bytes(BODY_BYTES.all as u64), "site", ALL),
        row("large answers that are sent", bytes(ANSWER_BYTES.each as u64), "address", OWN),
        row("large answers that are sent", bytes(ANSWER_BYTES.all as u64), "site", ALL),
    ];
    rows.extend(table::connections());
    rows.extend([
        row("streams of events", STREAMS.each.to_string(), "address", OWN),
        row("streams of events", NETWORK_STREAMS.each.to_string(), "network (/24, /48)", OWN),
        row("streams of events", ACCOUNT_STREAMS.each.to_string(), "account", OWN),
        row("streams of events", STREAMS.all.to_string(), "site", ALL),
    ]);
    rows.extend(table::searches());
    rows.extend([
        row("exports", EXPORTS.each.to_string(), "account", OWN),
        row("exports", EXPORTS.all.to_string(), "site", ALL),
        row("games by link that are not over", OPEN_GAMES.each.to_string(), "account or network", "ends its idlest"),
        row("games by link that are not over", OPEN_GAMES.all.to_string(), "site", "ends one of who has most"),
    ]);
    rows
}
