//! The clock on a busy machine: thinking time is always counted, and what the machine adds to it is reported.

use crate::table;

use std::panic::{catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use agon_game::Side;
use agon_referee::bout::Report;
use agon_referee::limits::GameLimits;
use agon_referee::process::Moment;
use agon_referee::verdict::Verdict;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use table::{ROOMY, Table, moments, spun};

/// The number of games on all processors, and on a single one, about seventy moves each; more of them with `AGON_SLOW`.
fn games() -> usize {
    if std::env::var_os("AGON_SLOW").is_some() { 5 } else { 2 }
}

#[test]
fn no_thinking_time_is_forgotten_on_a_busy_machine() {
    let (table, games) = (Table::build(), games());
    let done = AtomicBool::new(false);
    let busy = 2 * thread::available_parallelism().map_or(1, usize::from);
    let moves: Vec<(Duration, Moment)> = thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let play = || timed(&table.play(["10000", "1000"], &ROOMY, &mut ()));
        let played = catch_unwind(|| {
            let mut moves: Vec<_> = (0..games).flat_map(|_| play()).collect();
            // Two on one processor, as a series has them: there the judge is often put off by the bot that it wakes.
            let own = sched_getaffinity(None).unwrap();
            let mut one = CpuSet::new();
            one.set((0..CpuSet::MAX_CPU).find(|&core| own.is_set(core)).unwrap());
            sched_setaffinity(None, &one).unwrap();
            moves.extend((0..games).flat_map(|_| play()));
            sched_setaffinity(None, &own).unwrap();
            moves
        });
        done.store(true, Ordering::Relaxed);
        played.unwrap_or_else(|failed| resume_unwind(failed))
    });
    assert!(moves.len() >= 2 * games * 60, "{} moves", moves.len());
    let forgotten: Vec<_> = moves.iter().filter(|(spun, moment)| moment.wall < *spun).collect();
    assert!(forgotten.is_empty(), "{} of {} are charged too little: {forgotten:?}", forgotten.len(), moves.len());
    // The bot is let run only some time after its question, and the judge some time after the answer.
    let slowed = |(spun, moment): &&(Duration, Moment)| {
        let more = moment.wall.saturating_sub(*spun);
        more >= Duration::from_millis(6) && more * 10 >= moment.wall * 3
    };
    let hidden: Vec<_> = moves.iter().filter(slowed).filter(|(_, moment)| !moment.disturbed()).collect();
    assert!(hidden.is_empty(), "{} of {} are not marked: {hidden:?}", hidden.len(), moves.len());
}

#[test]
fn a_crowd_on_its_processor_delays_no_agent() {
    if agon_jail::probe().level != agon_jail::Level::Full {
        eprintln!("not tested: this machine has no jail of level full");
        return;
    }
    let table = Table::build();
    let own = sched_getaffinity(None).unwrap();
    let mut one = CpuSet::new();
    one.set((0..CpuSet::MAX_CPU).find(|&core| own.is_set(core)).unwrap());
    sched_setaffinity(None, &one).unwrap();
    let delay = |opponent| {
        let report = table.play_in(&table.jail(), ["20000 work", opponent], &ROOMY, &mut ());
        assert_eq!(verdicts(&report), [Verdict::Ok; 2], "{report:?}");
        let moves = moments(&report, Side::First);
        let sum = |of: fn(&Moment) -> Duration| moves.iter().map(of).sum::<Duration>().as_secs_f64();
        sum(|moment| moment.wall) / sum(|moment| moment.cpu)
    };
    // Anything else on this processor delays both games.
    let (alone, crowded) = (delay("0"), delay("0 crowd"));
    sched_setaffinity(None, &own).unwrap();
    // Among thirty-three equals it would take thirty-three times as long.
    assert!(crowded < alone * 8.0, "{crowded} times the work with a crowd, {alone} without");
}

#[test]
fn a_flooded_error_stream_delays_no_agent() {
    let table = Table::build();
    // An answer is seen while the opponent floods: 70 moves of 1 ms.
    let start = Instant::now();
    let report = table.play(["1000", "1000 flood"], &ROOMY, &mut ());
    assert_eq!(verdicts(&report), [Verdict::Ok; 2], "{report:?}");
    assert!(start.elapsed() < Duration::from_mins(3), "{:?}", start.elapsed());
    // And a missed deadline passes.
    let limits = GameLimits { clock_ms: 500, exit_ms: 5000, ..ROOMY };
    let report = table.play(["0", "0 flood silent"], &limits, &mut ());
    assert_eq!(verdicts(&report), [Verdict::Ok, Verdict::Tle], "{report:?}");
}

#[test]
fn what_an_opponent_computes_on_ones_turn_is_recorded() {
    let table = Table::build();
    let share = |bots| {
        let report = table.play(bots, &ROOMY, &mut ());
        let mine = moments(&report, Side::First);
        let sum = |of: fn(&Moment) -> Duration| mine.iter().map(of).sum::<Duration>().as_secs_f64();
        sum(|moment| moment.opponent_cpu) / sum(|moment| moment.wall)
    };
    let idle = share(["5000", "0"]);
    let pondering = share(["5000", "0 ponder"]);
    assert!(pondering > 0.02 && idle < pondering / 4.0, "{idle} and {pondering}");
}

/// The judge's work between an answer and its recording is not taken for part of the answer.
#[test]
fn answers_stand_where_they_were_seen() {
    let report = Table::build().play(["2000", "2000"], &ROOMY, &mut ());
    assert_eq!(verdicts(&report), [Verdict::Ok; 2], "{report:?}");
    let late: Vec<_> = report
        .entries
        .windows(2)
        .filter(|pair| pair[0].line.starts_with("TURN "))
        .map(|pair| (pair[1].at.saturating_sub(pair[0].at), pair[1].moment.expect("an answer to TURN").wall))
        .filter(|(passed, wall)| passed > wall)
        .collect();
    assert!(late.is_empty(), "{late:?}");
}

fn verdicts(report: &Report) -> [Verdict; 2] {
    report.verdicts.each_ref().map(|judged| judged.verdict)
}

/// The moves of a game: how long each bot says that it thought, and what the judge says.
fn timed(report: &Report) -> Vec<(Duration, Moment)> {
    assert_eq!(verdicts(report), [Verdict::Ok; 2], "{report:?}");
    let of = |side| spun(report, side).into_iter().zip(moments(report, side));
    of(Side::First).chain(of(Side::Second)).collect()
}
