//! The behaviour of every queue of games, in one process or over many machines.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use agon_arena::plan::Entrant;
use agon_arena::runner::queue::{GameJob, Lease, MAX_DELIVERIES, SlotReply, Submit, Take, Taken};
use agon_arena::runner::{LocalQueue, PlayedSlot, Roster, RunError, RunEvent, Worker};
use agon_arena::slot::Slot;
use agon_arena::{Plan, Tally, schedule};
use agon_catalog::Game;
use agon_fleet::{Fleet, RunJobs, RunTerms, SeriesQueue, Timing};

use crate::queue::hostile::Raw;
use crate::queue::server::{Server, TEST_TIMEOUT, timing};

/// A queue with the sides of two workers.
struct Bench {
    queue: Box<dyn Submit>,
    takers: [Box<dyn Take + Send>; 2],
    plan: Plan,
    roster: Roster,
    _events: Receiver<RunEvent>,
    /// The server, the times with the clock that ends leases, and the name of the run.
    network: Option<(Server, Timing, String)>,
}

/// A plan of quick games.
pub fn plan(games: u32) -> Plan {
    let game = Game::DOMINEERING;
    let agents = ["greedy", "random"].map(|name| Entrant::read(name, game).unwrap());
    let mut plan = Plan::of_match(game, agents, games);
    plan.parameters = [("rows", "4"), ("columns", "4")].map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    plan
}

fn slots(plan: &Plan) -> Vec<Slot> {
    let tally = Tally::new(plan);
    (0..plan.rounds()).flat_map(|number| schedule::slots(plan, &schedule::round(plan, number, &tally))).collect()
}

fn local() -> Bench {
    let (sender, events) = mpsc::channel();
    let queue = LocalQueue::new(2);
    let takers = [0, 1].map(|number| Box::new(queue.taker(number, sender.clone())) as Box<dyn Take + Send>);
    let plan = plan(40);
    Bench {
        queue: Box::new(queue),
        takers,
        roster: Roster::prepare(&plan).unwrap(),
        plan,
        _events: events,
        network: None,
    }
}

fn nats() -> Bench {
    let (sender, events) = mpsc::channel();
    let server = Server::start();
    let (fleet, plan) = (server.connect(), plan(40));
    let timing = timing();
    let terms = RunTerms { timing: timing.clone(), ..RunTerms::default() };
    let queue = SeriesQueue::open(&fleet, &plan, Path::new("test.db"), terms, &sender).unwrap();
    let taker = |name: &str| {
        let fleet = Fleet::clone(&fleet);
        Box::new(RunJobs::new(&fleet, queue.run(), name, plan.agents.len(), &timing)) as Box<dyn Take + Send>
    };
    let takers = [taker("one"), taker("two")];
    let (roster, run) = (Roster::prepare(&plan).unwrap(), queue.run().to_owned());
    Bench { queue: Box::new(queue), takers, roster, plan, _events: events, network: Some((server, timing, run)) }
}

/// Each law holds of both queues.
macro_rules! contract {
    ($($law:ident)*) => {
        mod in_one_process { $(#[test] fn $law() { super::$law(super::local()); })* }
        mod over_nats { $(#[test] fn $law() { super::$law(super::nats()); })* }
    };
}

contract! {
    every_job_is_taken_once
    a_job_that_is_put_back_is_handed_out_again
    the_job_of_a_worker_that_died_is_handed_out_again
    a_job_that_ends_every_worker_is_given_up
    what_can_never_be_played_is_refused_once
    a_withdrawn_queue_finishes_what_is_begun
    the_first_result_of_a_slot_counts
}

impl Bench {
    fn job(&self, numbers: &[usize]) -> GameJob {
        let slots = slots(&self.plan);
        GameJob { slots: numbers.iter().map(|&number| slots[number]).collect() }
    }

    fn submit(&mut self, numbers: &[usize]) {
        let job = self.job(numbers);
        self.queue.submit(job).unwrap();
    }

    fn played(&self, slot: &Slot) -> PlayedSlot {
        Worker::new(&self.plan, &self.roster, None, None).play(slot).unwrap().unwrap()
    }

    /// Waits for a job.
    fn take(&mut self, worker: usize) -> Box<dyn Lease> {
        let start = Instant::now();
        loop {
            if let Taken::Job(lease) = self.takers[worker].take(Duration::from_millis(500)) {
                return lease;
            }
            assert!(start.elapsed() < TEST_TIMEOUT, "no job");
            // A queue looks after its jobs while its coordinator waits for replies.
            assert!(self.queue.replies().is_empty());
        }
    }

    /// Waits for a job whose worker has died.
    fn take_lost(&mut self, worker: usize) -> Box<dyn Lease> {
        let start = Instant::now();
        loop {
            self.pass();
            if let Taken::Job(lease) = self.takers[worker].take(Duration::ZERO) {
                return lease;
            }
            assert!(start.elapsed() < TEST_TIMEOUT, "no job");
            assert!(self.queue.replies().is_empty());
        }
    }

    /// Lets more time pass than the leases of the dead last.
    fn pass(&self) {
        if let Some((_, timing, _)) = &self.network {
            timing.clock.advance(2 * timing.lease);
        }
    }

    /// Lets more time pass than the lease of a silent worker lasts, while the workers show that they are alive.
    fn outlive(&self) {
        let Some((server, timing, run)) = &self.network else { return };
        let raw = Raw::new(server);
        for _ in 0..3 {
            timing.clock.advance(timing.lease * 2 / 3);
            // A sign of life after that.
            raw.hear("*", run, || false);
        }
    }

    /// Whether there is no job.
    fn is_empty(&mut self) -> bool {
        !matches!(self.takers[0].take(Duration::ZERO), Taken::Job(_))
    }

    /// Waits for this number of replies, and for no more.
    fn replies(&mut self, count: usize) -> Vec<SlotReply> {
        let (start, mut found) = (Instant::now(), Vec::new());
        while found.len() < count {
            found.extend(self.queue.replies());
            assert!(start.elapsed() < TEST_TIMEOUT, "{} of {count} replies", found.len());
        }
        found.extend(self.queue.replies());
        assert_eq!(found.len(), count, "{found:?}");
        found
    }

    /// Plays a job as a worker does.
    fn finish(&self, mut lease: Box<dyn Lease>) {
        for slot in lease.job().slots.clone() {
            lease.began(&slot);
            lease.played(self.played(&slot));
        }
        lease.done();
    }
}

fn numbers(replies: &[SlotReply]) -> Vec<u32> {
    let mut numbers: Vec<u32> = replies.iter().map(SlotReply::slot).collect();
    numbers.sort_unstable();
    numbers
}

fn every_job_is_taken_once(mut bench: Bench) {
    let all: Vec<usize> = (0..40).collect();
    all.chunks(2).for_each(|pair| bench.submit(pair));
    let mut seen = BTreeSet::new();
    for turn in 0..20 {
        let lease = bench.take(turn % 2);
        assert_eq!((lease.deliveries(), lease.job().slots.len()), (1, 2));
        assert!(lease.job().slots.iter().all(|slot| seen.insert(slot.number)), "{:?}", lease.job());
        bench.finish(lease);
    }
    assert!(bench.is_empty());
    let replies = bench.replies(40);
    assert_eq!(numbers(&replies), (0..40).collect::<Vec<u32>>());
    for reply in &replies {
        let SlotReply::Played { game, .. } = reply else { panic!("{reply:?}") };
        let slot = bench.job(&[game.summary.slot as usize]).slots[0];
        let again = bench.played(&slot).summary;
        assert_eq!((game.summary.game_digest, game.summary.winner), (again.game_digest, again.winner));
    }
    bench.queue.stored(&numbers(&replies));
}

fn a_job_that_is_put_back_is_handed_out_again(mut bench: Bench) {
    bench.submit(&[0, 1]);
    bench.take(0).put_back(Duration::ZERO, None);
    let lease = bench.take(1);
    assert_eq!((lease.deliveries(), lease.job().slots.len()), (2, 2));
    let start = Instant::now();
    lease.put_back(Duration::from_millis(100), None);
    let lease = bench.take(0);
    assert!(start.elapsed() >= Duration::from_millis(100) && lease.deliveries() == 3, "{:?}", start.elapsed());
    bench.finish(lease);
    assert_eq!(numbers(&bench.replies(2)), [0, 1]);
}

fn the_job_of_a_worker_that_died_is_handed_out_again(mut bench: Bench) {
    bench.submit(&[0]);
    let lease = bench.take(0);
    // Longer than a job is waited for: it is alive.
    bench.outlive();
    assert!(bench.is_empty());
    drop(lease);
    let lease = bench.take_lost(1);
    assert_eq!(lease.deliveries(), 2);
    bench.finish(lease);
    assert_eq!(numbers(&bench.replies(1)), [0]);
}

fn a_job_that_ends_every_worker_is_given_up(mut bench: Bench) {
    bench.submit(&[0]);
    for delivery in 1..=MAX_DELIVERIES {
        let lease = bench.take_lost(delivery as usize % 2);
        assert_eq!(lease.deliveries(), delivery);
        drop(lease);
    }
    let (start, mut replies) = (Instant::now(), Vec::new());
    while replies.is_empty() {
        bench.pass();
        assert!(bench.is_empty() && start.elapsed() < TEST_TIMEOUT);
        replies = bench.queue.replies();
    }
    let [SlotReply::Failed { slot: 0, error: RunError::GivenUp { slot: 0, deliveries: MAX_DELIVERIES } }] =
        &replies[..]
    else {
        panic!("{replies:?}")
    };
    assert!(bench.is_empty());
}

fn what_can_never_be_played_is_refused_once(mut bench: Bench) {
    bench.submit(&[3]);
    bench.take(0).refuse(3, RunError::Broken { slot: 3 });
    let replies = bench.replies(1);
    let [SlotReply::Failed { slot: 3, error }] = &replies[..] else { panic!("{replies:?}") };
    assert!(error.to_string().contains("game 3 could not be refereed"), "{error}");
    assert!(bench.is_empty());
}

fn a_withdrawn_queue_finishes_what_is_begun(mut bench: Bench) {
    bench.submit(&[0, 1]);
    bench.submit(&[2, 3]);
    let mut lease = bench.take(0);
    let first = lease.job().slots[0];
    lease.began(&first);
    bench.queue.withdraw();
    assert!(lease.withdrawn() || lease.elsewhere());
    let begun: Vec<u32> = lease.job().slots.iter().map(|slot| slot.number).collect();
    bench.finish(lease);
    let replies = bench.replies(4);
    for reply in &replies {
        let played = matches!(reply, SlotReply::Played { .. });
        assert_eq!(played, begun.contains(&reply.slot()), "{reply:?}");
    }
    assert!(bench.is_empty());
}

fn the_first_result_of_a_slot_counts(mut bench: Bench) {
    bench.submit(&[0]);
    let mut lease = bench.take(0);
    let slot = lease.job().slots[0];
    lease.began(&slot);
    lease.played(bench.played(&slot));
    // Its worker dies before it can say that the job is done.
    drop(lease);
    let replies = bench.replies(1);
    let [SlotReply::Played { .. }] = &replies[..] else { panic!("{replies:?}") };
    bench.queue.stored(&[0]);
    for _ in 0..3 {
        bench.pass();
        assert!(bench.is_empty(), "handed out again");
        assert!(bench.queue.replies().is_empty(), "played twice");
    }
}
