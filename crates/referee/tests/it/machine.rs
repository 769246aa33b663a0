//! A busy machine is no fault of a program, and no excuse: the time that it takes is given back, and no more.
//!
//! What it takes is simulated, so that nothing here depends on the load.

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

/// A program that sleeps, against one that does not; the machine takes this percentage of its time.
fn game(way: &str, percent: u32, limits: &GameLimits) -> Report {
    simulate_delay(percent);
    play(&bad(way), "random", limits)
}

/// A game of four plies.
const SHORT: Adjudication = Adjudication { max_plies: Some(4), ..Adjudication::OFF };

fn kind(report: &Report) -> &FaultKind {
    report.verdicts[0].kind.as_ref().unwrap_or_else(|| panic!("{:?}", report.verdicts[0]))
}

#[test]
fn a_move_that_only_the_machine_made_late_is_no_loss() {
    let limits = GameLimits { clock_ms: 500, ..ROOMY };
    // 600 ms; the machine took 300 of them.
    let report = game("sleep 600 at TURN", 50, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Void, Verdict::Interrupted), "{report:?}");
    assert!(report.verdicts[0].is_of_machine());
    let FaultKind::LateAnswer(time) = kind(&report) else { panic!("{report:?}") };
    assert_eq!(time.limit_us, 500_000);
    assert!(time.wall_us >= 600_000 && time.machine_us >= 200_000 && time.machine_us < time.wall_us, "{time:?}");
    let reason = report.verdicts[0].reason.as_deref().unwrap();
    assert!(
        reason.contains("it waited for a processor for ") && reason.ends_with("the machine is too busy"),
        "{reason}"
    );
    // Its time is up at 556 ms, since a tenth is the machine's.
    let report = game("sleep 5000 at TURN", 10, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
    let FaultKind::NoAnswer(time) = kind(&report) else { panic!("{report:?}") };
    assert!((555_000..5_000_000).contains(&time.wall_us), "{time:?}");
    assert_eq!(report.verdicts[0].reason.as_deref(), Some("no answer within 500 ms"));
    assert_eq!(report.time[0], Duration::from_millis(500));
}

#[test]
fn what_the_machine_took_from_earlier_moves_is_given_back_too() {
    // Moves of 150 ms: with 500 ms the fourth is late, and 45 ms of each before were the machine's.
    let limits = GameLimits { clock_ms: 500, ..ROOMY };
    let report = game("sleep 150 at TURN", 30, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Void, Verdict::Interrupted), "{report:?}");
    assert!(kind(&report).time().is_some_and(|time| time.granted_us >= 45_000), "{report:?}");
    let report = game("sleep 150 at TURN", 0, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
    // A time for each move has no moves before.
    let limits = ROOMY.with_clock("250ms/move".parse().unwrap());
    let report = game("sleep 300 at TURN", 5, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
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
    assert_eq!(report.verdicts[0].reason.as_deref(), Some("no OK to READY within 1 s"));
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
    // Beyond it nothing does.
    let limits = GameLimits { margin_ms: 20, ..limits };
    let report = game("sleep 5000 at TURN", 0, &limits);
    assert_eq!((report.winner, report.verdicts[0].verdict), (Winner::Second, Verdict::Tle), "{report:?}");
    assert_eq!(kind(&report).time().map(|time| (time.limit_us, time.granted_us)), Some((200_000, 20_000)));
}
