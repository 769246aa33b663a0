//! A run that is stopped at once. Its process cannot referee afterwards, so this test has its own.

use std::fs;
use std::sync::mpsc;
use std::thread;

use agon_arena::plan::{Entrant, Plan};
use agon_arena::runner::{self, Roster, RunEnd, RunEvent, RunOptions, RunStop};
use agon_arena::{Store, Tally};
use agon_catalog::Game;

#[test]
fn a_bout_that_was_cut_off_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thinker.sh");
    // Ready at once, then thinks forever.
    fs::write(&path, "read -r ready; echo OK; while read -r line; do :; done").unwrap();
    let game = Game::BACTERIA;
    let thinker = Entrant::read(&format!("sh {}", path.display()), game).unwrap();
    let mut plan = Plan::of_match(game, [thinker, Entrant::read("random", game).unwrap()], 10);
    plan.limits.clock_ms = 3_600_000;

    let mut store = Store::in_memory().unwrap();
    let (events, heard) = mpsc::channel();
    let (roster, run_stop) = (Roster::prepare(&plan).unwrap(), RunStop::default());
    let finish = thread::scope(|scope| {
        scope.spawn(|| {
            heard.into_iter().find(|event| matches!(event, RunEvent::Started { .. }));
            run_stop.cancel();
        });
        let events = events;
        runner::run(&plan, &roster, &mut store, &RunOptions::default(), &run_stop, &events).unwrap()
    });
    assert_eq!((finish.ending, finish.played), (RunEnd::Stopped, 0));
    assert_eq!(finish.tally, Tally::new(&plan));
    assert_eq!(store.count(finish.run).unwrap(), 0);
}
