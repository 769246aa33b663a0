//! Whole runs by workers of the same process.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use agon_arena::runner::queue::{Take, Taken};
use agon_arena::runner::{self, Affinity, Finish, Roster, RunEnd, RunEvent, RunOptions, RunStop, Worker};
use agon_arena::stats::sprt::Sprt;
use agon_arena::store::{Packer, unpack};
use agon_arena::{Plan, Store, Summary};
use agon_fleet::{Fleet, RunJobs, RunTerms, SeriesQueue, Timing, Trust, WorkerEvent, WorkerOptions, work};
use agon_referee::record::{Record, Winner};

use crate::queue::Ends;
use crate::queue::contract::plan;
use crate::queue::server::{Server, TEST_TIMEOUT, holder_timing, timing};

/// A worker with this number of slots.
pub fn worker(name: &str, slots: usize) -> WorkerOptions {
    let options = RunOptions { concurrency: slots, affinity: Affinity::None, force: true, ..RunOptions::default() };
    let (games, labels) = (Vec::new(), Vec::new());
    let (trust, jail) = (Arc::new(Trust::first()), Err("not here".to_owned()));
    WorkerOptions {
        name: name.to_owned(),
        options,
        games,
        labels,
        jail,
        trust,
        max_memory_mib: 1024,
        measures: false,
        max_disturbed: 1.0,
        timing: timing(),
    }
}

/// The usual terms, with the times of tests.
fn terms() -> RunTerms {
    RunTerms { timing: timing(), ..RunTerms::default() }
}

/// The same; the user soon sees why nothing happens.
fn impatient() -> RunTerms {
    RunTerms { timing: Timing { idle: Duration::from_millis(100), ..timing() }, ..RunTerms::default() }
}

/// Plays a plan by these workers, until it ends or a remark to the user is the `last` one. Its end, the remarks and the
/// events of the workers.
fn play(
    fleet: &Fleet,
    plan: &Plan,
    store: &mut Store,
    terms: RunTerms,
    workers: &[WorkerOptions],
    last: impl Fn(&str) -> bool + Send,
) -> (Finish, Vec<String>, Vec<WorkerEvent>) {
    let (events, heard) = mpsc::channel();
    let (sender, reported) = mpsc::channel();
    let (stop, run_stop) = (RunStop::default(), RunStop::default());
    let (finish, remarks) = thread::scope(|scope| {
        let _ends = Ends(|| stop.finish());
        for worker in workers {
            let (stop, sender) = (&stop, sender.clone());
            scope.spawn(move || work(fleet, worker, stop, &sender).unwrap());
        }
        let mut queue = SeriesQueue::open(fleet, plan, Path::new("runs.db"), terms, &events).unwrap();
        // Does not wait forever for a worker that takes nothing.
        let timed_out = run_stop.clone();
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(TEST_TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout) {
                timed_out.finish();
            }
        });
        let stopped = run_stop.clone();
        let remarks = scope.spawn(move || {
            let remarks = heard.iter().filter_map(|event| match event {
                RunEvent::Remark(text) => Some(text),
                _ => None,
            });
            let is_last = |text: &String| {
                if last(text) {
                    stopped.finish();
                }
            };
            remarks.inspect(is_last).collect::<Vec<String>>()
        });
        let finish = runner::submit(plan, store, &mut queue, &run_stop, &events).unwrap();
        drop((queue, done, events));
        stop.finish();
        (finish, remarks.join().unwrap())
    });
    drop(sender);
    (finish, remarks, reported.iter().collect())
}

/// What decides bouts, by slot: everything except times.
pub fn courses(store: &Store, run: i64) -> Vec<(u32, i64, [usize; 2], String, String)> {
    let bouts: Vec<Summary> = store.bouts(run, 0..u32::MAX).unwrap();
    let course = |bout: Summary| {
        let record = Record::read(&store.record(run, bout.slot).unwrap().unwrap()).unwrap();
        let lines: Vec<String> = record.entries.iter().map(|entry| entry.line.clone()).collect();
        // Times, which OPP has besides the move, are not part of the game.
        let moves = lines.into_iter().filter(|line| line.starts_with("MOVE"));
        (bout.slot, bout.game_digest, bout.seats, bout.winner.to_string(), moves.collect())
    };
    bouts.into_iter().map(course).collect()
}

/// The same plan played in one process.
pub fn alone(plan: &Plan) -> (Finish, Store) {
    let mut store = Store::in_memory().unwrap();
    let (events, _) = mpsc::channel();
    let roster = Roster::prepare(plan).unwrap();
    let finish = runner::run(plan, &roster, &mut store, &RunOptions::default(), &RunStop::default(), &events).unwrap();
    (finish, store)
}

#[test]
fn many_machines_play_the_same_games_as_one() {
    let server = Server::start();
    let fleet = server.connect();
    let plan = plan(200);
    let mut store = Store::in_memory().unwrap();
    let workers = [worker("one", 2), worker("two", 1)];
    let (finish, remarks, _) = play(&fleet, &plan, &mut store, terms(), &workers, |_| false);
    let (single, other) = alone(&plan);
    assert_eq!((finish.ending, finish.played), (RunEnd::Complete, 200), "{remarks:?}");
    assert_eq!(courses(&store, finish.run), courses(&other, single.run));
    assert_eq!(remarks, [] as [String; 0]);
}

#[test]
fn a_test_is_decided_as_in_one_process() {
    let server = Server::start();
    let fleet = server.connect();
    let mut plan = plan(2000);
    plan.test = Some(Sprt { elo1: 30.0, ..Sprt::default() });
    let mut store = Store::in_memory().unwrap();
    let (finish, remarks, _) = play(&fleet, &plan, &mut store, terms(), &[worker("one", 3)], |_| false);
    let (single, _) = alone(&plan);
    assert_eq!((finish.ending, single.ending), (RunEnd::Decided, RunEnd::Decided), "{remarks:?}");
    assert_eq!(finish.tally.test(), single.tally.test());
}

#[test]
fn a_worker_that_is_not_meant_says_why() {
    let server = Server::start();
    let fleet = server.connect();
    let plan = plan(4);
    let terms = RunTerms { labels: vec!["fast".to_owned()], ..impatient() };
    let mut store = Store::in_memory().unwrap();
    let refused = |remark: &str| remark.starts_with("no worker can play");
    let (finish, mut remarks, events) = play(&fleet, &plan, &mut store, terms, &[worker("one", 1)], refused);
    assert_eq!((finish.ending, finish.played), (RunEnd::Stopped, 0));
    // It may have arrived late.
    remarks.retain(|remark| !remark.starts_with("no worker is there"));
    assert_eq!(remarks, ["no worker can play domineering (match): one: it has no label fast"]);
    let [WorkerEvent::Trusts(_), WorkerEvent::Refused { why, .. }] = &events[..] else { panic!("{events:?}") };
    assert_eq!(why, "it has no label fast");
}

#[test]
fn without_workers_the_user_sees_why_nothing_happens() {
    let server = Server::start();
    let fleet = server.connect();
    let mut store = Store::in_memory().unwrap();
    let (finish, remarks, _) = play(&fleet, &plan(2), &mut store, impatient(), &[], |_| true);
    assert_eq!(finish.ending, RunEnd::Stopped);
    let [remark] = &remarks[..] else { panic!("{remarks:?}") };
    assert!(remark.starts_with("no worker is there; start some with `agon worker --nats 127.0.0.1:"), "{remark}");
}

/// A lying worker: how it changes a record before sending it.
type Lie = fn(Record) -> Record;

/// The loser has won, in a record that is sealed again.
fn flipped(mut record: Record) -> Record {
    record.result.winner = match record.result.winner {
        Winner::First => Winner::Second,
        _ => Winner::First,
    };
    record
}

/// A line less.
fn shortened(mut record: Record) -> Record {
    record.entries.truncate(record.entries.len() / 2);
    record
}

/// With another start.
fn of_another_start(mut record: Record) -> Record {
    record.header.seed += 1;
    record
}

#[test]
fn a_worker_that_lies_is_found_out_and_shut_out() {
    let lies: [Lie; 3] = [flipped, shortened, of_another_start];
    let server = Server::start();
    let (fleet, other) = (server.connect(), server.connect());
    let plan = plan(60);
    let mut store = Store::in_memory().unwrap();
    let (events, heard) = mpsc::channel();
    let (run_stop, stop) = (RunStop::default(), RunStop::default());
    let mut queue = SeriesQueue::open(&fleet, &plan, Path::new("lies.db"), terms(), &events).unwrap();
    let run = queue.run().to_owned();
    let finish = thread::scope(|scope| {
        let (fleet, other, plan, stop) = (&fleet, &other, &plan, &stop);
        let _ends = Ends(|| stop.finish());
        scope.spawn(move || {
            let roster = Roster::prepare(plan).unwrap();
            let mut honest = Worker::new(plan, &roster, None, None);
            let mut jobs = RunJobs::new(other, &run, "liar", plan.agents.len(), &holder_timing());
            let mut lied = 0;
            // Until it is detected: then it is given nothing. Whatever it sends until then does not count either.
            while lied < 5 && !stop.is_raised() {
                let mut lease = match jobs.take(Duration::from_millis(100)) {
                    Taken::Job(lease) => lease,
                    _ if lied >= 3 => break,
                    _ => continue,
                };
                for slot in lease.job().slots.clone() {
                    let mut game = honest.play(&slot).unwrap().unwrap();
                    let record = Record::read(&unpack(&game.record).unwrap()).unwrap();
                    game.record = Packer::default().pack(&lies[lied % lies.len()](record).write());
                    lease.played(game);
                    lied += 1;
                }
                lease.done();
            }
            // Only now an honest worker comes.
            let (sender, _) = mpsc::channel();
            work(fleet, &worker("honest", 2), stop, &sender).unwrap();
        });
        let finish = runner::submit(plan, &mut store, &mut queue, &run_stop, &events).unwrap();
        drop(queue);
        stop.finish();
        finish
    });
    drop(events);
    let (single, whole) = alone(&plan);
    assert_eq!((finish.ending, finish.played), (RunEnd::Complete, 60));
    assert_eq!(courses(&store, finish.run), courses(&whole, single.run));
    let remarks: Vec<String> = heard
        .iter()
        .filter_map(|event| match event {
            RunEvent::Remark(text) => Some(text),
            _ => None,
        })
        .collect();
    let refusals = remarks.iter().filter(|text| text.contains("from worker liar is refused: ")).count();
    assert_eq!(refusals, 3, "{remarks:?}");
    let quarantines = remarks.iter().filter(|text| text.starts_with("worker liar is in quarantine: ")).count();
    assert_eq!((quarantines, remarks.len()), (1, 4), "{remarks:?}");
    let user = other.public_key();
    let [its_key, found] = &store.quarantined(finish.run).unwrap()[..] else { panic!("{remarks:?}") };
    assert_eq!((&*found.worker, &*found.why), ("liar", "3 of its records were refused"));
    assert_eq!((&*its_key.worker, &*its_key.why), (&*user, "it is the user of worker liar"));
}
