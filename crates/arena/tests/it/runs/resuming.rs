//! Runs that are stopped and resumed.

use std::sync::mpsc;
use std::thread;

use agon_arena::plan::{Kind, Plan};
use agon_arena::runner::{self, Finish, Roster, RunEnd, RunEvent, RunStop};
use agon_arena::store::StoreError;
use agon_arena::{Store, Tally};

use rusqlite::Connection;

use crate::runs::{courses, options, plan, play};

/// Plays until `bouts` have finished, then stops.
fn play_some(plan: &Plan, store: &mut Store, bouts: usize) -> Finish {
    let (events, heard) = mpsc::channel();
    let (roster, run_stop) = (Roster::prepare(plan).unwrap(), RunStop::default());
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut finished = heard.into_iter().filter(|event| matches!(event, RunEvent::Finished { .. }));
            finished.nth(bouts - 1);
            run_stop.finish();
            finished.for_each(drop);
        });
        // The listener ends with the last sender.
        let events = events;
        runner::run(plan, &roster, store, &options(2), &run_stop, &events).unwrap()
    })
}

#[test]
fn a_resumed_run_is_the_run_that_was_never_stopped() {
    let check = |kind: Kind, agents: usize, games: u32| {
        let plan = plan(kind, &["greedy", "random", "random", "greedy", "random"][..agents], games);
        let mut whole = Store::in_memory().unwrap();
        let (finish, events) = play(&plan, &mut whole, 1).unwrap();
        assert_eq!(finish.ending, RunEnd::Complete);
        let all = whole.bouts(finish.run, 0..u32::MAX).unwrap();

        let mut store = Store::in_memory().unwrap();
        let mut played = 0;
        for bouts in [1, 5, 3] {
            let part = play_some(&plan, &mut store, bouts);
            played += part.played;
            assert_eq!(part.tally.bouts(), played, "{kind:?}");
        }
        let (last, _) = play(&plan, &mut store, 2).unwrap();
        assert_eq!((last.ending, last.played + played), (RunEnd::Complete, all.len() as u64), "{kind:?}");
        assert_eq!(courses(&store.bouts(last.run, 0..u32::MAX).unwrap()), courses(&all), "{kind:?}");
        assert_eq!(last.tally.against(0, 1), finish.tally.against(0, 1));

        assert_eq!(Tally::of(&plan, &all), finish.tally);

        // This time there is nothing to do.
        let (again, _) = play(&plan, &mut store, 2).unwrap();
        assert_eq!((again.ending, again.played, &again.tally.bouts()), (RunEnd::Complete, 0, &last.tally.bouts()));

        // The listener knows the same.
        let mut heard = Tally::new(&plan);
        for event in events {
            match event {
                RunEvent::Round { kept, .. } => kept.iter().for_each(|bout| heard.add(bout)),
                RunEvent::Finished { bout, .. } => heard.add(&bout),
                _ => {}
            }
        }
        assert_eq!(heard, finish.tally);
    };
    check(Kind::RoundRobin, 2, 40);
    check(Kind::Gauntlet, 3, 10);
    check(Kind::Swiss { rounds: 4 }, 5, 4);
}

#[test]
fn a_run_can_be_made_longer() {
    let mut store = Store::in_memory().unwrap();
    let short = plan(Kind::RoundRobin, &["greedy", "random"], 6);
    let (first, _) = play(&short, &mut store, 1).unwrap();
    let (second, _) = play(&Plan { games: 10, ..short }, &mut store, 1).unwrap();
    assert_eq!((first.run, first.played), (second.run, 6));
    assert_eq!((second.played, second.tally.bouts()), (4, 10));
}

#[test]
fn a_store_that_parts_from_the_schedule_is_refused() {
    let mut store = Store::in_memory().unwrap();
    let plan = plan(Kind::RoundRobin, &["greedy", "random"], 4);
    let (finish, _) = play(&plan, &mut store, 1).unwrap();
    let mut other = store.bouts(finish.run, 0..1).unwrap().remove(0);
    other.seats.reverse();
    let mut forged = Store::in_memory().unwrap();
    let run = forged.begin(&plan).unwrap();
    forged.keep(run, [(&other, &*agon_arena::store::Packer::default().pack(""))]).unwrap();
    let error = play(&plan, &mut forged, 1).unwrap_err();
    assert!(matches!(error, runner::RunError::Store(StoreError::Diverged { slot: 0, .. })), "{error}");
}

/// A run whose store another program locks, and lets go of when the run has said that it waits, or never.
fn check_locked(lets_go: bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agon.db");
    let plan = plan(Kind::RoundRobin, &["greedy", "random"], 100_000);
    let mut store = Store::open(&path).unwrap();
    let (events, heard) = mpsc::channel();
    let (roster, run_stop) = (Roster::prepare(&plan).unwrap(), RunStop::default());
    let finish = thread::scope(|scope| {
        let listener = scope.spawn(|| {
            let other = Connection::open(&path).unwrap();
            let mut heard = heard.into_iter();
            heard.find(|event| matches!(event, RunEvent::Finished { .. })).unwrap();
            other.execute_batch("BEGIN IMMEDIATE").unwrap();
            heard.find(|event| *event == RunEvent::Waiting).unwrap();
            if lets_go {
                other.execute_batch("COMMIT").unwrap();
                heard.find(|event| matches!(event, RunEvent::Finished { .. })).unwrap();
            }
            run_stop.finish();
            heard.for_each(drop);
            drop(other);
        });
        let events = events;
        let finish = runner::run(&plan, &roster, &mut store, &options(2), &run_stop, &events).unwrap();
        drop(events);
        listener.join().unwrap();
        finish
    });
    assert_eq!((finish.ending, finish.tally.bouts()), (RunEnd::Stopped, finish.played), "{lets_go}");
    assert_eq!(store.count(finish.run).unwrap(), finish.played, "{lets_go}");
}

#[test]
fn a_run_waits_while_another_program_has_locked_the_store() {
    check_locked(true);
}

#[test]
fn a_run_that_waits_can_be_stopped() {
    check_locked(false);
}
