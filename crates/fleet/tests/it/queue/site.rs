//! The queue of a site's games, and workers whose results are others than they should be.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::runner::queue::{Take as _, Taken};
use agon_arena::runner::{Here, PlayedSlot, Roster, RunStop, Worker};
use agon_arena::slot::Slot;
use agon_arena::store::Quarantine;
use agon_catalog::{Game, Setup};
use agon_fleet::{Fleet, FleetGame, FleetPlayer, FleetWatch, GameQueue, RunJobs, RunTerms, work};
use agon_referee::agent::AgentSpec;
use agon_referee::record::{Record, Winner};

use crate::queue::Ends;
use crate::queue::audits::{disturbed, plan_by_the_clock};
use crate::queue::contract::plan;
use crate::queue::runs::worker;
use crate::queue::server::{Server, TEST_TIMEOUT, holder_timing, timing, until};

fn open(fleet: &Fleet, audit: f64, quarantined: &[Quarantine]) -> GameQueue {
    let terms = RunTerms { timing: timing(), audit, ..RunTerms::default() };
    GameQueue::open(fleet, Path::new("site.db"), terms, &[], quarantined).unwrap()
}

/// A game between the players of a plan.
fn game(plan: &Plan, id: u32) -> FleetGame {
    FleetGame {
        id,
        game: Game::DOMINEERING,
        setup: Setup { seed: u64::from(id), parameters: plan.parameters.clone() },
        limits: plan.limits,
        players: [0, 1].map(|at| FleetPlayer::Builtin(plan.agents[at].agent.clone())),
        check: false,
    }
}

/// Has a game played and stored: its worker, and its record. `None` if it takes too long.
fn play(queue: &GameQueue, plan: &Plan, id: u32) -> Option<(String, Record)> {
    let start = Instant::now();
    let played = queue.play(&game(plan, id), &mut |_| {}, &|| start.elapsed() > TEST_TIMEOUT).ok()?;
    let (record, receipt) = played;
    let worker = receipt.worker().to_owned();
    queue.stored(receipt);
    Some((worker, record))
}

/// The name of the only run, as soon as it is announced.
pub fn run(fleet: &Fleet) -> String {
    let (watch, mut found) = (FleetWatch::new(fleet, timing().max_silence), None);
    until("a run is announced", || {
        found = watch.overview().runs.first().map(|run| run.run.clone());
        found.is_some()
    });
    found.unwrap()
}

/// Plays `make`'s version of whatever it takes of the only run, until it is stopped.
fn take(fleet: &Fleet, name: &str, stop: &AtomicBool, make: impl Fn(&Slot) -> PlayedSlot) {
    let mut jobs = RunJobs::new(fleet, &run(fleet), name, 2, &holder_timing());
    while !stop.load(Ordering::Relaxed) {
        let Taken::Job(mut lease) = jobs.take(Duration::from_millis(100)) else { continue };
        for slot in lease.job().slots.clone() {
            lease.played(make(&slot));
        }
        lease.done();
    }
}

#[test]
fn a_liar_is_found_out_and_its_games_are_played_again() {
    const GAMES: u32 = 400;
    let server = Server::start();
    let (fleet, other) = (&server.connect(), &server.connect());
    // Each worker is of another user.
    let fleets = [0; 3].map(|_| server.connect());
    let plan = &plan(2);
    // Each sits in the other's seat: legal games with another end.
    let swapped = [(0, 1), (1, 0)].map(|(at, other)| Here {
        spec: AgentSpec::builtin(&plan.agents[other].agent),
        known_as: plan.agents[at].agent.clone(),
    });
    let roster = &Roster::from_elsewhere(plan, &swapped).unwrap();
    let queue = &open(fleet, 1.0, &[]);
    let run_stop = &RunStop::default();
    let stop = &AtomicBool::new(false);
    let todo = &Mutex::new((1..=GAMES).collect::<Vec<u32>>());
    let stored: &Mutex<BTreeMap<u32, (String, Option<Winner>)>> = &Mutex::default();
    let mut found = Vec::new();
    let mut audited = None;
    thread::scope(|scope| {
        let _ends = Ends(|| {
            stop.store(true, Ordering::Relaxed);
            run_stop.finish();
        });
        for (name, fleet) in ["one", "two", "three"].into_iter().zip(&fleets) {
            scope.spawn(move || {
                let (sender, _events) = mpsc::channel();
                work(fleet, &worker(name, 1), run_stop, &sender).unwrap();
            });
        }
        scope.spawn(move || {
            take(other, "liar", stop, |slot| Worker::new(plan, roster, None, None).play(slot).unwrap().unwrap());
        });
        let players: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let next = todo.lock().unwrap().pop();
                        let Some(id) = next else {
                            thread::sleep(Duration::from_millis(10));
                            continue;
                        };
                        let Some((worker, record)) = play(queue, plan, id) else { return };
                        stored.lock().unwrap().insert(id, (worker, Some(record.result.winner)));
                    }
                })
            })
            .collect();
        let watch = FleetWatch::new(fleet, timing().max_silence);
        let start = Instant::now();
        // Until all games are stored and the liar is detected; then its games have been played again.
        while start.elapsed() < 3 * TEST_TIMEOUT {
            for Quarantine { worker, .. } in queue.found_out().into_iter().inspect(|one| found.push(one.clone())) {
                let mut stored = stored.lock().unwrap();
                let lies: Vec<u32> = stored.iter().filter(|(_, (by, _))| *by == worker).map(|(id, _)| *id).collect();
                stored.retain(|id, _| !lies.contains(id));
                todo.lock().unwrap().extend(lies);
            }
            let whole = stored.lock().unwrap().len() == GAMES as usize;
            // It is published once a second.
            audited = watch.overview().runs.first().and_then(|run| run.audits.get("liar").copied()).or(audited);
            let known = audited.is_some_and(|audited| audited.differed > 0);
            if whole && known && !found.is_empty() || players.iter().all(thread::ScopedJoinHandle::is_finished) {
                break;
            }
            if whole && found.is_empty() {
                // More of them: its audits wait behind what is handed out.
                let id = 1000 + start.elapsed().as_millis() as u32;
                todo.lock().unwrap().push(id);
                stored.lock().unwrap().remove(&1);
                todo.lock().unwrap().push(1);
            }
            thread::sleep(Duration::from_millis(20));
        }
    });
    let mut names: Vec<&str> = found.iter().map(|one| one.worker.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, [&*other.public_key(), "liar"], "{found:?}");
    assert!(found[0].why.contains("its results differ from those of the rest of the fleet"), "{found:?}");
    let audited = audited.unwrap();
    assert!(audited.games <= 50 && audited.differed > 0, "{audited:?}");
    // The games are those of honest machines.
    let roster = Roster::prepare(plan).unwrap();
    let mut honest = Worker::new(plan, &roster, None, None);
    for (id, (by, winner)) in stored.lock().unwrap().iter() {
        let slot = Slot { number: *id, seats: [0, 1], seed: u64::from(*id) };
        let wanted = honest.play(&slot).unwrap().unwrap().summary.winner;
        assert!(by != "liar" && *winner == Some(wanted), "game {id} by {by}");
    }
}

#[test]
fn a_disturbed_game_of_a_site_is_played_again_elsewhere() {
    let server = Server::start();
    let fleet = &server.connect();
    let plan = &plan_by_the_clock(2);
    let roster = &Roster::prepare(plan).unwrap();
    let queue = &open(fleet, 0.0, &[]);
    let (run_stop, stop) = (&RunStop::default(), &AtomicBool::new(false));
    thread::scope(|scope| {
        let _ends = Ends(|| {
            stop.store(true, Ordering::Relaxed);
            run_stop.finish();
        });
        let busy = move |name: &'static str| {
            take(fleet, name, stop, |slot| {
                disturbed(Worker::new(plan, roster, None, None).play(slot).unwrap().unwrap())
            });
        };
        scope.spawn(move || busy("busy"));
        // No other worker is there: it is kept as it is.
        let (by, record) = play(queue, plan, 1).unwrap();
        assert!(by == "busy" && record.result.disturbed[0] > 0, "{by}");
        scope.spawn(move || {
            let (sender, _events) = mpsc::channel();
            work(fleet, &worker("calm", 1), run_stop, &sender).unwrap();
        });
        until("it is there", || queue.slots() > 0);
        for id in 2..6 {
            let (by, record) = play(queue, plan, id).unwrap();
            assert!(by == "calm", "{by} {:?}", record.result.disturbed);
        }
    });
}

#[test]
fn nothing_counts_of_a_worker_that_comes_back_under_its_name() {
    let server = Server::start();
    let fleet = &server.connect();
    let plan = &plan(2);
    let known = Quarantine { worker: "liar".to_owned(), why: "it lies".to_owned() };
    let queue = &open(fleet, 0.0, std::slice::from_ref(&known));
    let run_stop = &RunStop::default();
    thread::scope(|scope| {
        let _ends = Ends(|| run_stop.finish());
        // It is asked to stop, and does; the other one plays.
        let liar = scope.spawn(move || {
            let (sender, _events) = mpsc::channel();
            work(fleet, &worker("liar", 1), &RunStop::default(), &sender).unwrap();
        });
        scope.spawn(move || {
            let (sender, _events) = mpsc::channel();
            work(fleet, &worker("one", 1), run_stop, &sender).unwrap();
        });
        let (by, _) = play(queue, plan, 1).unwrap();
        assert_eq!(by, "one");
        liar.join().unwrap();
        let watch = FleetWatch::new(fleet, timing().max_silence);
        until("the quarantine is published", || {
            watch.overview().runs.first().is_some_and(|run| !run.quarantined.is_empty())
        });
        assert_eq!(watch.overview().runs[0].quarantined, [known]);
    });
}
