//! Clocks of every kind: what is sent, what is charged, and that a record proves both.

use crate::court;

use std::time::Duration;

use agon_game::Side;
use agon_referee::clock::Clock;
use agon_referee::limits::GameLimits;
use agon_referee::report::{Report, Way};
use court::{ROOMY, play};

fn clock(text: &str) -> Clock {
    text.parse().unwrap()
}

/// The own times of the TURN lines to a side.
fn sent(report: &Report, side: Side) -> Vec<u64> {
    let lines = report.entries.iter().filter(|entry| (entry.side, entry.way) == (side, Way::To));
    lines.filter_map(|entry| entry.line.strip_prefix("TURN ")?.split(' ').next()?.parse().ok()).collect()
}

/// Plays two built-in players; the record is proved.
fn game(limits: GameLimits) -> Report {
    play("random", "greedy", &limits)
}

#[test]
fn long_clocks_are_sent_as_they_are() {
    let report = game(ROOMY.with_clock(clock("1h")));
    assert!(sent(&report, Side::First).iter().all(|ms| (3_590_000..=3_600_000).contains(ms)));
}

#[test]
fn records_of_versions_that_sent_no_larger_times_still_prove() {
    // As they are written there: the limits do not say that times are true.
    let report = game(GameLimits { clock_ms: 3_600_000, ..ROOMY });
    assert!(sent(&report, Side::Second).iter().all(|ms| *ms == 10_000));
}

#[test]
fn increments_and_periods_are_credited() {
    let report = game(ROOMY.with_clock(clock("10+1")));
    let times = sent(&report, Side::First);
    assert!(times.windows(2).all(|pair| (pair[0] + 900..=pair[0] + 1000).contains(&pair[1])), "{times:?}");
    assert!(report.time.iter().all(|used| *used < Duration::from_secs(5)), "what was credited was not used");
    let report = game(ROOMY.with_clock(clock("3/20")));
    let times = sent(&report, Side::Second);
    assert!(times[2] <= 20_000 && times[3] > 38_000 && times[5] <= times[3] && times[6] > 55_000, "{times:?}");
    let report = game(ROOMY.with_clock(clock("7s/move")));
    assert!(sent(&report, Side::First).iter().all(|ms| *ms == 7_000));
}

#[test]
fn each_seat_may_have_a_clock_of_its_own() {
    let report = game(ROOMY.with_seat_clocks([Some(clock("20s/move")), Some(clock("1m+1s"))]));
    assert_eq!((sent(&report, Side::First)[1], sent(&report, Side::Second)[0]), (20_000, 60_000));
}

#[test]
fn the_time_of_a_move_runs_out() {
    let silent = court::bad("silent");
    for (limits, used) in [
        (ROOMY.with_clock(clock("300ms/move")), 300),
        (ROOMY.with_clock(clock("250ms+50ms")), 250),
        (ROOMY.with_seat_clocks([Some(clock("2/200ms")), None]), 200),
    ] {
        let report = play(&silent, "random", &limits);
        assert_eq!(report.verdicts[0].reason_text(), Some(format!("no answer within {used} ms").as_str()));
        assert_eq!(report.time[0], Duration::from_millis(used));
    }
}
