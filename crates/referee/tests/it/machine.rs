//! A busy machine is no fault of a program, and no excuse: the time that it takes is given back, and no more.
//!
//! The machine's share is simulated, so that nothing here depends on the load.

use crate::court;

use std::time::Duration;

use agon_game::Side;
use agon_referee::adjudication::Adjudication;
use agon_referee::fault_kind::FaultKind;
use agon_referee::limits::GameLimits;
use agon_referee::process::simulate_delay;
use agon_referee::record::Winner;
use agon_referee::report::Report;
use agon_referee::verdict::Verdict;
use court::{ROOMY, bad, play};

/// A program that sleeps, against one that does not; the machine takes this percentage of its time. A game that the
/// real machine leaves undecided, since the judge itself had no processor, is played again, as in every series.
fn game(way: &str, percent: u32, limits: &GameLimits) -> Report {
    simulate_delay(percent);
    for _ in 1..MAX_TRIES {
        let report = play(&bad(way), "random", limits);
        if report.verdicts[0].verdict != Verdict::Interrupted {
            return report;
        }
    }
    play(&bad(way), "random", limits)
}

/// How often a series plays a game that stays undecided.
const MAX_TRIES: u32 = 4;

/// A game of four plies.
const SHORT: Adjudication = Adjudication { max_plies: Some(4), ..Adjudication::OFF };

fn kind(report: &Report) -> &FaultKind {
    report.verdicts[0].kind.as_ref().unwrap_or_else(|| panic!("{:?}", report.verdicts[0]))
}

/// How many answers to TURN the first side gave.
fn answers(report: &Report) -> usize {
    report.entries.iter().filter(|entry| entry.side == Side::First && entry.moment.is_some()).count()
}

#[test]
fn a_move_that_only_the_machine_made_late_counts() {
    // 600 ms; the machine took 480 of them.
    let limits = GameLimits { clock_ms: 500, adjudication: SHORT, ..ROOMY };
    let report = game("sleep 600 at TURN", 80, &limits);
    assert_eq!((report.verdicts[0].verdict, answers(&report)), (Verdict::Ok, 2), "{report:?}");
    // Its time is up at 556 ms, since a tenth is the machine's.
    let report = game("sleep 5000 at TURN", 10, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
    let FaultKind::NoAnswer(time) = kind(&report) else { panic!("{report:?}") };
    assert!((555_000..5_000_000).contains(&time.wall_us), "{time:?}");
    assert_eq!(report.verdicts[0].reason_text(), Some("no answer within 500 ms"));
    assert_eq!(report.time[0], Duration::from_millis(500));
}

#[test]
fn what_the_machine_took_from_earlier_moves_is_granted_once() {
    // Moves of 600 ms. If the machine takes 132 of each, 2100 ms are enough for four of them, else for three; either
    // leaves 200 ms, for a machine wakes a program late now and then.
    let limits = GameLimits { clock_ms: 2100, ..ROOMY };
    for (percent, moves) in [(0, 3), (22, 4)] {
        let report = game("sleep 600 at TURN", percent, &limits);
        assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
        assert_eq!(answers(&report), moves, "{report:?}");
        let FaultKind::NoAnswer(time) = kind(&report) else { panic!("{report:?}") };
        assert_eq!(time.granted_us > 0, percent > 0, "{time:?}");
    }
    // With a time for each move, there are no earlier moves.
    let limits = ROOMY.with_clock("250ms/move".parse().unwrap());
    let report = game("sleep 300 at TURN", 5, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
}

/// The event loop of a language waits for input and timers alike, and a sleeping thread looks like a waiting one.
#[test]
fn a_program_that_waits_in_its_moves_is_said_to_sleep() {
    let limits = GameLimits { clock_ms: 1000, ..ROOMY };
    for way in ["poll 300 at TURN", "await 300 at TURN"] {
        let report = game(way, 0, &limits);
        let FaultKind::NoAnswer(time) = kind(&report) else { panic!("{way}: {report:?}") };
        assert!(time.idle, "{way}: {time:?}");
        let cause = report.verdicts[0].cause_text().unwrap();
        assert!(cause.contains("it sleeps, or waits for a timer"), "{way}: {cause}");
    }
}

#[test]
fn ready_and_finish_have_their_time_without_what_the_machine_took() {
    let limits = GameLimits { ready_ms: 500, exit_ms: 500, adjudication: SHORT, ..ROOMY };
    for way in ["sleep 600 at READY", "sleep 600 after FINISH"] {
        let report = game(way, 80, &limits);
        assert_eq!(report.verdicts[0].verdict, Verdict::Ok, "{way}: {:?}", report.verdicts);
        assert_ne!(report.winner, Winner::Void, "{way}");
    }
    let report = game("sleep 600 after FINISH", 0, &GameLimits { exit_ms: 100, adjudication: SHORT, ..ROOMY });
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
    assert!(kind(&report).is_after_game());
    let report = game("sleep 5000 at READY", 0, &GameLimits { ready_ms: 1000, ..ROOMY });
    assert_eq!(report.verdicts[0].reason_text(), Some("no OK to READY within 1 s"));
    assert!(!kind(&report).is_after_game());
}

#[test]
fn an_answer_within_the_margin_counts() {
    let limits = GameLimits { clock_ms: 200, margin_ms: 30_000, adjudication: SHORT, ..ROOMY };
    let report = game("sleep 250 at TURN", 0, &limits);
    assert_eq!(report.verdicts[0].verdict, Verdict::Ok, "{:?}", report.verdicts);
    let sent: Vec<&str> = report
        .entries
        .iter()
        .filter(|entry| entry.side == Side::First)
        .filter_map(|entry| entry.line.strip_prefix("TURN ")?.split(' ').next())
        .collect();
    assert_eq!(sent[0], "200");
    assert_eq!(sent[1], "1");
    // Nothing is in time beyond it.
    let limits = GameLimits { margin_ms: 20, ..limits };
    let report = game("sleep 5000 at TURN", 0, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
    assert_eq!(kind(&report).time().map(|time| (time.limit_us, time.granted_us)), Some((200_000, 20_000)));
}
