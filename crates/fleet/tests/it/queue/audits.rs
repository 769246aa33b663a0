//! Workers whose games are legal, and others than they should be.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use agon_arena::plan::Entrant;
use agon_arena::runner::queue::{Take as _, Taken};
use agon_arena::runner::{self, Finish, Here, PlayedSlot, Roster, RunEnd, RunEvent, RunStop, Worker};
use agon_arena::store::{Packer, Quarantine, unpack};
use agon_arena::{Plan, Store};
use agon_catalog::Game;
use agon_fleet::{Fleet, FleetWatch, RunJobs, RunTerms, SeriesQueue, work};
use agon_game::Side;
use agon_referee::agent::AgentSpec;
use agon_referee::record::Record;

use crate::queue::Ends;
use crate::queue::contract::plan;
use crate::queue::runs::{alone, courses, worker};
use crate::queue::server::{Server, TEST_TIMEOUT, holder_timing, timing, until};

/// When an honest worker plays, too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Honest {
    Never,
    Beside,
    TwoBeside,
    After,
}

/// Plays a plan with a worker that sends `make`'s version of a slot, `games` times, over the second connection, and
/// perhaps honest ones over the others. Returns the result, and the remarks to the user.
fn play_with(
    [fleet, other, third]: [&Fleet; 3],
    plan: &Plan,
    store: &mut Store,
    games: usize,
    (honest, audit): (Honest, f64),
    mut make: impl FnMut(usize, &agon_arena::slot::Slot) -> PlayedSlot + Send,
) -> (Finish, Vec<String>) {
    let (events, heard) = mpsc::channel();
    let (run_stop, stop) = (RunStop::default(), RunStop::default());
    let terms = RunTerms { timing: timing(), audit, ..RunTerms::default() };
    let mut queue = SeriesQueue::open(fleet, plan, Path::new("audits.db"), terms, &events).unwrap();
    let run = queue.run().to_owned();
    let caught = RunStop::default();
    let known = store.latest().unwrap().map(|run| store.quarantined(run).unwrap());
    let is_known = known.is_some_and(|known| !known.is_empty());
    let (finish, heard) = thread::scope(|scope| {
        let (stop, caught) = (&stop, &caught);
        let _ends = Ends(|| stop.finish());
        let stopped = run_stop.clone();
        let heard = scope.spawn(move || {
            let found = |event: &RunEvent| matches!(event, RunEvent::Remark(text) if text.contains("in quarantine"));
            let stop = |event: &RunEvent| {
                if found(event) {
                    caught.finish();
                    if honest == Honest::TwoBeside {
                        stopped.finish();
                    }
                }
            };
            heard.iter().inspect(stop).collect::<Vec<RunEvent>>()
        });
        let work = move |name: &str| {
            let (sender, _) = mpsc::channel();
            let fleet = if name == "upright" { third } else { fleet };
            work(fleet, &worker(name, 1), stop, &sender).unwrap();
        };
        let beside = match honest {
            Honest::Never | Honest::After => &[][..],
            Honest::Beside => &["honest"],
            Honest::TwoBeside => &["honest", "upright"],
        };
        for name in beside {
            scope.spawn(move || work(name));
        }
        let timed_out = run_stop.clone();
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(2 * TEST_TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout) {
                timed_out.finish();
            }
        });
        scope.spawn(move || {
            let mut jobs = RunJobs::new(other, &run, "other", plan.agents.len(), &holder_timing());
            let mut sent = 0;
            let mut refused = 0;
            // A worker in quarantine is given nothing.
            while sent < games && !stop.is_raised() && !caught.is_raised() && refused < 3 {
                let Taken::Job(mut lease) = jobs.take(Duration::from_millis(100)) else {
                    refused += usize::from(is_known);
                    continue;
                };
                assert!(!is_known, "it is given a job");
                for slot in lease.job().slots.clone() {
                    lease.played(make(sent, &slot));
                    sent += 1;
                }
                lease.done();
            }
            if honest == Honest::After {
                work("honest");
            }
        });
        let finish = runner::submit(plan, store, &mut queue, &run_stop, &events).unwrap();
        drop((queue, done, events));
        stop.finish();
        (finish, heard.join().unwrap())
    });
    let remarks = heard.into_iter().filter_map(|event| match event {
        // A busy machine may take its time.
        RunEvent::Remark(text) if !text.starts_with("no worker is there") => Some(text),
        _ => None,
    });
    (finish, remarks.collect())
}

/// The named one of the workers in quarantine; the other entry is the key of its connection.
fn named(found: &[Quarantine], other: &Fleet) -> Quarantine {
    let [key, named] = found else { panic!("{found:?}") };
    assert_eq!(key.worker, other.public_key());
    named.clone()
}

/// A plan whose players have numbers of nodes.
fn plan_of_levels(games: u32) -> Plan {
    let mut plan = plan(games);
    plan.agents = ["champion:5", "champion:1"].map(|name| Entrant::read(name, Game::DOMINEERING).unwrap()).into();
    plan
}

#[test]
fn a_worker_that_searches_less_than_it_says_is_found_out() {
    let server = Server::start();
    let [fleet, other, third] = [0; 3].map(|_| server.connect());
    let plan = plan_of_levels(120);
    let mut store = Store::in_memory().unwrap();
    let weaker = ["champion:1", "champion:1"].iter().zip(&plan.agents);
    let weaker: Vec<Here> = weaker
        .map(|(text, entrant)| Here { spec: AgentSpec::builtin(text), known_as: entrant.agent.clone() })
        .collect();
    let rosters = [Roster::prepare(&plan).unwrap(), Roster::from_elsewhere(&plan, &weaker).unwrap()];
    // Some games are as they should be, so that the store has them when it is found out.
    let make = |sent: usize, slot: &_| {
        Worker::new(&plan, &rosters[usize::from(sent >= 10)], None, None).play(slot).unwrap().unwrap()
    };
    let (finish, remarks) = play_with([&fleet, &other, &third], &plan, &mut store, 60, (Honest::After, 0.2), make);
    assert_eq!(finish.ending, RunEnd::Complete);
    let Quarantine { worker, why } = named(&store.quarantined(finish.run).unwrap(), &other);
    assert!(worker == "other" && why.contains("played again with the same numbers of nodes"), "{why}");
    let (single, whole) = alone(&plan);
    assert_eq!(courses(&store, finish.run), courses(&whole, single.run), "{remarks:?}");
    assert_eq!((finish.tally.bouts(), finish.tally.against(0, 1)), (120, single.tally.against(0, 1)));
    let [remark] = &remarks[..] else { panic!("{remarks:?}") };
    assert!(remark.starts_with("worker other is in quarantine: game "), "{remark}");

    // Resuming the run remembers it: an honest game of that worker no longer counts.
    let longer = Plan { games: 122, ..plan.clone() };
    let make = |_: usize, slot: &_| Worker::new(&longer, &rosters[0], None, None).play(slot).unwrap().unwrap();
    let (finish, remarks) = play_with([&fleet, &other, &third], &longer, &mut store, 1, (Honest::After, 0.2), make);
    assert_eq!((finish.ending, finish.played), (RunEnd::Complete, 2), "{remarks:?}");
    assert_eq!(remarks, [] as [String; 0]);
}

#[test]
fn a_worker_whose_games_by_the_clock_end_otherwise_is_found_out() {
    let server = Server::start();
    let [fleet, other, third] = [0; 3].map(|_| server.connect());
    // More than needed: comparisons wait behind what has been handed out. It ends when a worker is detected.
    let plan = plan_by_the_clock(20_000);
    let mut store = Store::in_memory().unwrap();
    // Each sits in the other's seat.
    let swapped: Vec<Here> = [(0, 1), (1, 0)]
        .map(|(at, other)| Here {
            spec: AgentSpec::builtin(&plan.agents[other].agent),
            known_as: plan.agents[at].agent.clone(),
        })
        .into();
    let roster = Roster::from_elsewhere(&plan, &swapped).unwrap();
    let make = |_: usize, slot: &_| Worker::new(&plan, &roster, None, None).play(slot).unwrap().unwrap();
    let (finish, _) = play_with([&fleet, &other, &third], &plan, &mut store, 20_000, (Honest::TwoBeside, 1.0), make);
    let Quarantine { worker, why } = named(&store.quarantined(finish.run).unwrap(), &other);
    assert!(worker == "other" && why.contains("its results differ from those of the rest of the fleet"), "{why}");
    let games: usize = why.split(' ').find_map(|word| word.parse().ok()).unwrap();
    assert!(games <= 50, "{why}");
}

/// The same game, in which every move of the first side was disturbed.
pub fn disturbed(mut game: PlayedSlot) -> PlayedSlot {
    let mut record = Record::read(&unpack(&game.record).unwrap()).unwrap();
    let mut moves = 0;
    for entry in record.entries.iter_mut().filter(|entry| entry.side == Side::First) {
        if let Some(moment) = &mut entry.moment {
            moment.delay = Duration::from_secs(1);
            moves += 1;
        }
    }
    record.result.disturbed[0] = moves;
    game.record = Packer::default().pack(&record.write());
    game
}

/// A plan whose first player looks at its clock.
pub fn plan_by_the_clock(games: u32) -> Plan {
    let mut plan = plan(games);
    plan.agents[0] = Entrant::read("champion", Game::DOMINEERING).unwrap();
    plan
}

/// The bouts of a store in which every move of the first side was disturbed.
fn fully_disturbed(store: &Store, run: i64) -> usize {
    let bouts = store.bouts(run, 0..u32::MAX).unwrap();
    bouts.iter().filter(|bout| u64::from(bout.disturbed[0]) * 2 >= u64::from(bout.plies)).count()
}

#[test]
fn a_disturbed_game_is_played_again_elsewhere() {
    let server = Server::start();
    let [fleet, other, third] = [0; 3].map(|_| server.connect());
    let plan = plan_by_the_clock(12);
    let mut store = Store::in_memory().unwrap();
    let roster = Roster::prepare(&plan).unwrap();
    let watch = FleetWatch::new(&fleet, timing().max_silence);
    let make = |sent: usize, slot: &_| {
        if sent == 0 {
            // The other one has been heard of, and so has the coordinator heard of it.
            let status = || watch.overview().workers.into_iter().find(|worker| worker.worker == "honest");
            until("the other one is there", || status().is_some());
            let first = status().unwrap().now_ms;
            until("it is there still", || status().is_some_and(|status| status.now_ms != first));
        }
        disturbed(Worker::new(&plan, &roster, None, None).play(slot).unwrap().unwrap())
    };
    let (finish, remarks) = play_with([&fleet, &other, &third], &plan, &mut store, 4, (Honest::Beside, 0.2), make);
    assert_eq!((finish.ending, finish.played), (RunEnd::Complete, 12), "{remarks:?}");
    assert_eq!(fully_disturbed(&store, finish.run), 0, "{remarks:?}");
}

#[test]
fn without_other_workers_a_disturbed_game_is_kept() {
    let server = Server::start();
    let [fleet, other, third] = [0; 3].map(|_| server.connect());
    let plan = plan_by_the_clock(4);
    let mut store = Store::in_memory().unwrap();
    let roster = Roster::prepare(&plan).unwrap();
    let make = |_: usize, slot: &_| disturbed(Worker::new(&plan, &roster, None, None).play(slot).unwrap().unwrap());
    let (finish, remarks) = play_with([&fleet, &other, &third], &plan, &mut store, 4, (Honest::Never, 0.2), make);
    assert_eq!((finish.ending, finish.played), (RunEnd::Complete, 4), "{remarks:?}");
    assert_eq!(fully_disturbed(&store, finish.run), 4, "{remarks:?}");
}
