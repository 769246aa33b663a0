//! The jobs of a run: which wait, which a worker holds, and which workers wait for one. No message is sent here.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::{Duration, Instant};

use agon_arena::runner::queue::MAX_DELIVERIES;
use agon_arena::slot::Slot;

use crate::roll::Address;
use crate::wire::{JobBody, is_excluded};

/// Maximum number of slots of one user that can wait for a job at once.
const MAX_TAKERS: usize = 10_000;

/// Maximum number of jobs that one worker can hold at once.
const MAX_HELD: usize = 1024;

/// Workers excluded from a job, see [`is_excluded`].
#[derive(Clone, Default, Debug)]
pub(crate) struct NotBy {
    pub whom: Vec<String>,
    /// True if they must not play it even if no other worker could.
    pub ever: bool,
}

impl NotBy {
    fn excludes(&self, by: &Address) -> bool {
        is_excluded(&self.whom, &by.name, &by.user)
    }
}

/// A slot of a worker that waits for a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Taker {
    pub by: Address,
    /// The subject on which it is answered.
    pub reply: String,
    pub until: Instant,
}

/// A job that is handed to a worker.
#[derive(Debug)]
pub(crate) struct Grant {
    pub job: String,
    pub body: JobBody,
    /// Number of times that the job has been handed out, this time included.
    pub deliveries: u32,
    pub to: Taker,
}

/// A slot whose job was handed out too often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GivenUp {
    pub slot: u32,
    /// True if its job had no other slot.
    pub alone: bool,
}

/// Status of a slot that was handed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Waits,
    Held {
        by: Address,
        since: Instant,
    },
    /// No job has it.
    Nowhere,
}

/// Events that have become due.
#[derive(Default, Debug)]
pub(crate) struct Due {
    pub grants: Vec<Grant>,
    pub given_up: Vec<GivenUp>,
    /// Takers without a job.
    pub empty: Vec<Taker>,
}

struct Job {
    body: JobBody,
    not_by: NotBy,
    deliveries: u32,
    /// Slots without a result.
    left: BTreeSet<u32>,
    /// Earliest time to hand it out.
    ready: Instant,
    /// Workers that have returned it or fallen silent.
    had: Vec<Address>,
    /// Until when it waits for others than those.
    others_until: Instant,
}

/// A lease of a job.
struct Held {
    by: Address,
    since: Instant,
    /// End of the lease.
    until: Instant,
}

/// The jobs of a run.
pub(crate) struct JobQueue {
    lease: Duration,
    prefer_others: Duration,
    jobs: HashMap<String, Job>,
    /// Waiting jobs, in the order in which they are handed out.
    waiting: VecDeque<String>,
    held: HashMap<String, Held>,
    /// Number of jobs that each worker holds.
    holders: HashMap<Address, usize>,
    takers: VecDeque<Taker>,
    /// No lease and no request ends before this.
    calm_until: Option<Instant>,
    /// True if returned jobs are dropped.
    closed: bool,
}

impl JobQueue {
    /// `lease` is the time after the holder's last sign of life at which a job is handed out again; for `prefer_others`
    /// a returned job waits for another worker.
    pub(crate) fn new(lease: Duration, prefer_others: Duration) -> Self {
        Self {
            lease,
            prefer_others,
            jobs: HashMap::new(),
            waiting: VecDeque::new(),
            held: HashMap::new(),
            holders: HashMap::new(),
            takers: VecDeque::new(),
            calm_until: None,
            closed: false,
        }
    }

    /// Adds a job.
    pub(crate) fn push(&mut self, name: String, body: JobBody, not_by: NotBy, now: Instant) {
        let left = body.slots.iter().map(|slot| slot.number).collect();
        let job = Job { body, not_by, deliveries: 0, left, ready: now, had: Vec::new(), others_until: now };
        self.jobs.insert(name.clone(), job);
        self.waiting.push_back(name);
    }

    /// Adds a taker; false if its user has too many.
    pub(crate) fn ask(&mut self, taker: Taker) -> bool {
        let is_full = self.takers.len() >= MAX_TAKERS
            && self.takers.iter().filter(|other| other.by.user == taker.by.user).count() >= MAX_TAKERS;
        if !is_full {
            self.ends_at(taker.until);
            self.takers.push_back(taker);
        }
        !is_full
    }

    /// Returns true if a worker was handed this job and still holds it.
    pub(crate) fn is_held(&self, job: &str, by: &Address) -> bool {
        self.held.get(job).is_some_and(|held| held.by == *by)
    }

    /// Returns the holder of a job.
    pub(crate) fn holder(&self, job: &str) -> Option<&Address> {
        self.held.get(job).map(|held| &held.by)
    }

    /// Records a sign of life of the holder of a job.
    pub(crate) fn keep(&mut self, job: &str, by: &Address, now: Instant) {
        if let Some(held) = self.held.get_mut(job).filter(|held| held.by == *by) {
            held.until = now + self.lease;
        }
    }

    /// Records that a slot of a job has its result, or is no longer needed. A job ends with its last slot.
    pub(crate) fn settle(&mut self, job: &str, slot: u32) {
        let Some(found) = self.jobs.get_mut(job) else { return };
        found.left.remove(&slot);
        if found.left.is_empty() {
            self.remove(job);
        }
    }

    /// Returns a job from its holder, to be handed out again after a delay.
    pub(crate) fn give_back(&mut self, job: &str, by: &Address, delay: Duration, now: Instant) -> Vec<GivenUp> {
        if self.is_held(job, by) { self.again(job, delay, now) } else { Vec::new() }
    }

    /// Hands out no job that waits or comes back.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        for job in std::mem::take(&mut self.waiting) {
            self.jobs.remove(&job);
        }
    }

    /// Removes all takers.
    pub(crate) fn take_takers(&mut self) -> Vec<Taker> {
        std::mem::take(&mut self.takers).into()
    }

    /// Returns the status of a slot in a job.
    pub(crate) fn place(&self, job: &str, slot: u32) -> Place {
        match (self.jobs.get(job).filter(|job| job.left.contains(&slot)), self.held.get(job)) {
            (None, _) => Place::Nowhere,
            (Some(_), None) => Place::Waits,
            (Some(_), Some(held)) => Place::Held { by: held.by.clone(), since: held.since },
        }
    }

    /// Ends expired leases and requests, and hands out jobs. `may_play` says whether a worker may get anything;
    /// `is_there` whether a matching worker is present and could play a job.
    pub(crate) fn tick(
        &mut self,
        now: Instant,
        may_play: impl Fn(&Address) -> bool,
        is_there: impl Fn(&dyn Fn(&Address) -> bool) -> bool,
    ) -> Due {
        let mut due = Due::default();
        let is_calm = self.calm_until.is_none_or(|calm_until| calm_until > now);
        if !is_calm {
            let ended = self.held.iter().filter(|(_, held)| held.until <= now);
            for job in ended.map(|(name, _)| name.clone()).collect::<Vec<_>>() {
                due.given_up.extend(self.again(&job, Duration::ZERO, now));
            }
        }
        let mut at = 0;
        while let Some(taker) = self.takers.get(at)
            && !self.waiting.is_empty()
        {
            let has_room = self.holders.get(&taker.by).is_none_or(|&held| held < MAX_HELD);
            let suits = |job: &String| self.suits(job, &taker.by, now, &is_there);
            match self.waiting.iter().position(suits).filter(|_| has_room && may_play(&taker.by)) {
                Some(job) => {
                    let taker = self.takers.remove(at).expect("it is there");
                    due.grants.extend(self.grant(job, taker, now));
                }
                None => at += 1,
            }
        }
        if !is_calm {
            // A taker that has not waited at all has already been served.
            let is_over = |taker: &Taker| taker.until <= now;
            due.empty.extend(self.takers.iter().filter(|taker| is_over(taker)).cloned());
            self.takers.retain(|taker| !is_over(taker));
            let takers = self.takers.iter().map(|taker| taker.until);
            self.calm_until = self.held.values().map(|held| held.until).chain(takers).min();
        }
        due
    }

    /// Returns the next time at which [`JobQueue::tick`] has something to do, if nothing happens before.
    pub(crate) fn next(&self, now: Instant) -> Option<Instant> {
        let takes = !self.takers.is_empty();
        let waiting = self.waiting.iter().filter(|_| takes).map(|job| &self.jobs[job]);
        let later = waiting.flat_map(|job| [job.ready, job.others_until]).filter(|at| *at > now);
        later.chain(self.calm_until).min()
    }

    fn suits(
        &self,
        job: &str,
        by: &Address,
        now: Instant,
        is_there: &impl Fn(&dyn Fn(&Address) -> bool) -> bool,
    ) -> bool {
        let job = &self.jobs[job];
        let is_excluded =
            || job.not_by.excludes(by) && (job.not_by.ever || is_there(&|other| !job.not_by.excludes(other)));
        let is_for_others =
            || job.others_until > now && job.had.contains(by) && is_there(&|other| !job.had.contains(other));
        job.ready <= now && !is_excluded() && !is_for_others()
    }

    fn grant(&mut self, at: usize, to: Taker, now: Instant) -> Option<Grant> {
        let name = self.waiting.remove(at)?;
        let job = self.jobs.get_mut(&name)?;
        job.deliveries += 1;
        let deliveries = job.deliveries;
        let left = |slot: &&Slot| job.left.contains(&slot.number);
        let slots = job.body.slots.iter().filter(left).copied().collect();
        let body = JobBody { slots, ..job.body.clone() };
        let until = now + self.lease;
        self.held.insert(name.clone(), Held { by: to.by.clone(), since: now, until });
        *self.holders.entry(to.by.clone()).or_insert(0) += 1;
        self.ends_at(until);
        Some(Grant { job: name, body, deliveries, to })
    }

    /// Puts a job that was held at the head of the queue, unless it has been handed out too often.
    fn again(&mut self, name: &str, delay: Duration, now: Instant) -> Vec<GivenUp> {
        let by = self.let_go(name);
        let Some(job) = self.jobs.get_mut(name) else { return Vec::new() };
        job.had.extend(by.filter(|by| !job.had.contains(by)));
        (job.ready, job.others_until) = (now + delay, now + self.prefer_others);
        if self.closed || job.deliveries >= MAX_DELIVERIES {
            let alone = job.body.slots.len() == 1;
            let given_up = if self.closed { BTreeSet::new() } else { job.left.clone() };
            self.remove(name);
            return given_up.into_iter().map(|slot| GivenUp { slot, alone }).collect();
        }
        self.waiting.push_front(name.to_owned());
        Vec::new()
    }

    /// Ends the lease of a job; returns its holder.
    fn let_go(&mut self, job: &str) -> Option<Address> {
        let by = self.held.remove(job)?.by;
        if let Some(held) = self.holders.get_mut(&by) {
            *held -= 1;
            if *held == 0 {
                self.holders.remove(&by);
            }
        }
        Some(by)
    }

    fn remove(&mut self, job: &str) {
        self.jobs.remove(job);
        if self.let_go(job).is_none() {
            self.waiting.retain(|name| name != job);
        }
    }

    /// Records the end of a lease or a request.
    fn ends_at(&mut self, until: Instant) {
        self.calm_until = Some(self.calm_until.map_or(until, |calm_until| calm_until.min(until)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(15);

    fn address(name: &str) -> Address {
        Address { name: name.to_owned(), user: format!("user-{name}"), key: name.to_owned() }
    }

    fn slot(number: u32) -> Slot {
        Slot { number, seats: [0, 1], seed: 1 }
    }

    /// A queue with a simulated clock.
    struct Bench {
        queue: JobQueue,
        now: Instant,
    }

    impl Bench {
        fn new() -> Self {
            Self { queue: JobQueue::new(LEASE, Duration::from_secs(10)), now: Instant::now() }
        }

        fn push(&mut self, name: &str, slots: &[u32], not_by: &[&str]) {
            let body = JobBody::of_slots(slots.iter().map(|&number| slot(number)).collect());
            let whom = not_by.iter().map(ToString::to_string).collect();
            self.queue.push(name.to_owned(), body, NotBy { whom, ever: false }, self.now);
        }

        fn ask(&mut self, name: &str) {
            let until = self.now + Duration::from_secs(1);
            assert!(self.queue.ask(Taker { by: address(name), reply: format!("to-{name}"), until }));
        }

        /// Returns the due events while these workers are present: `JOB>WORKER:DELIVERIES:SLOTS` for each grant, then
        /// abandoned slots, then subjects without a job.
        fn due(&mut self, present: &[&str]) -> String {
            let is_there = |one: &dyn Fn(&Address) -> bool| present.iter().any(|name| one(&address(name)));
            let due = self.queue.tick(self.now, |by| by.name != "shut-out", is_there);
            let grants = due.grants.iter().map(|grant| {
                let slots: Vec<String> = grant.body.slots.iter().map(|slot| slot.number.to_string()).collect();
                format!("{}>{}:{}:{}", grant.job, grant.to.by.name, grant.deliveries, slots.join(","))
            });
            let given_up = due.given_up.iter().map(|up| format!("-{}{}", up.slot, if up.alone { "!" } else { "" }));
            let empty = due.empty.into_iter().map(|taker| taker.reply);
            grants.chain(given_up).chain(empty).collect::<Vec<_>>().join(" ")
        }

        fn pass(&mut self, time: Duration) {
            self.now += time;
        }
    }

    #[test]
    fn jobs_are_handed_out_once_and_in_order() {
        let mut bench = Bench::new();
        bench.ask("one");
        assert_eq!(bench.due(&[]), "");
        bench.push("a", &[0, 1], &[]);
        bench.push("b", &[2, 3], &[]);
        assert_eq!(bench.due(&[]), "a>one:1:0,1");
        bench.ask("two");
        bench.ask("one");
        assert_eq!(bench.due(&[]), "b>two:1:2,3");
        assert_eq!(bench.queue.place("a", 0), Place::Held { by: address("one"), since: bench.now });
        // A slot that asks without success gets an empty answer.
        bench.pass(Duration::from_secs(1));
        assert_eq!(bench.due(&[]), "to-one");
        bench.queue.settle("a", 0);
        assert_eq!(bench.queue.place("a", 0), Place::Nowhere);
        bench.queue.settle("a", 1);
        bench.pass(2 * LEASE);
        bench.ask("one");
        assert_eq!(bench.due(&[]), "b>one:2:2,3", "a has ended");
    }

    #[test]
    fn a_lease_ends_when_its_holder_is_silent() {
        let mut bench = Bench::new();
        bench.push("a", &[0, 1], &[]);
        bench.ask("one");
        assert_eq!(bench.due(&[]), "a>one:1:0,1");
        for _ in 0..5 {
            bench.pass(LEASE * 2 / 3);
            // Others' signs of life do not count.
            bench.queue.keep("a", &address("two"), bench.now + LEASE);
            bench.queue.keep("a", &address("one"), bench.now);
            bench.ask("two");
            assert_eq!(bench.due(&[]), "");
            bench.pass(Duration::from_secs(1));
            assert_eq!(bench.due(&[]), "to-two");
        }
        // A taker that does not wait gets what is available.
        let now = bench.now;
        assert!(bench.queue.ask(Taker { by: address("two"), reply: "at-once".to_owned(), until: now }));
        assert_eq!(bench.due(&[]), "at-once");
        bench.queue.settle("a", 0);
        bench.pass(LEASE);
        bench.ask("two");
        assert_eq!(bench.due(&[]), "a>two:2:1", "what is left of it");
        assert!(!bench.queue.is_held("a", &address("one")) && bench.queue.is_held("a", &address("two")));
    }

    #[test]
    fn a_job_that_comes_back_waits_for_others() {
        let mut bench = Bench::new();
        bench.push("a", &[0], &[]);
        bench.ask("one");
        assert_eq!(bench.due(&["one", "two"]), "a>one:1:0");
        // Only its holder gives it back.
        assert_eq!(bench.queue.give_back("a", &address("two"), Duration::ZERO, bench.now), []);
        assert!(bench.queue.is_held("a", &address("one")));
        bench.queue.give_back("a", &address("one"), Duration::from_millis(300), bench.now);
        bench.ask("one");
        bench.ask("two");
        assert_eq!(bench.due(&["one", "two"]), "", "it rests");
        bench.pass(Duration::from_millis(300));
        assert_eq!(bench.due(&["one", "two"]), "a>two:2:0");
        // If no other worker is there, or after a while, the same one gets it.
        bench.queue.give_back("a", &address("two"), Duration::ZERO, bench.now);
        assert_eq!(bench.due(&["one", "two", "three"]), "");
        assert_eq!(bench.due(&["one", "two"]), "a>one:3:0");
        bench.queue.give_back("a", &address("one"), Duration::ZERO, bench.now);
        bench.pass(Duration::from_secs(10));
        bench.ask("one");
        assert_eq!(bench.due(&["one", "two", "three"]), "a>one:4:0");
    }

    #[test]
    fn a_job_that_ends_every_worker_is_given_up() {
        let mut bench = Bench::new();
        bench.push("a", &[0], &[]);
        bench.push("b", &[1, 2], &[]);
        for delivery in 1..=MAX_DELIVERIES {
            bench.ask("one");
            bench.ask("one");
            let found = bench.due(&[]);
            assert!(found.contains(&format!("a>one:{delivery}:0")), "{found}");
            assert!(found.contains(&format!("b>one:{delivery}:1,2")), "{found}");
            bench.pass(LEASE);
        }
        let found = bench.due(&[]);
        assert_eq!(found.split(' ').collect::<BTreeSet<_>>(), ["-0!", "-1", "-2"].into());
        bench.ask("one");
        assert_eq!(
            (bench.due(&[]), bench.queue.next(bench.now)),
            (String::new(), Some(bench.now + Duration::from_secs(1)))
        );
    }

    #[test]
    fn who_is_left_out_is_given_nothing() {
        let mut bench = Bench::new();
        bench.push("a", &[0], &["user-one"]);
        bench.push("b", &[1], &["two user-two"]);
        for name in ["shut-out", "one", "two"] {
            bench.ask(name);
        }
        assert_eq!(bench.due(&["one", "two"]), "b>one:1:1 a>two:1:0");
        // Unless no other worker is there.
        bench.push("c", &[2], &["user-one"]);
        let whom = vec!["user-one".to_owned()];
        bench.queue.push("d".to_owned(), JobBody::of_slots(vec![slot(3)]), NotBy { whom, ever: true }, bench.now);
        bench.ask("one");
        assert_eq!(bench.due(&["one", "two"]), "");
        assert_eq!(bench.due(&["one"]), "c>one:1:2");
        bench.ask("one");
        assert_eq!(bench.due(&["one"]), "");
    }

    #[test]
    fn a_closed_queue_hands_out_nothing() {
        let mut bench = Bench::new();
        bench.push("a", &[0], &[]);
        bench.push("b", &[1], &[]);
        bench.ask("one");
        assert_eq!(bench.due(&[]), "a>one:1:0");
        bench.queue.close();
        assert_eq!((bench.queue.place("a", 0) == Place::Nowhere, bench.queue.place("b", 1)), (false, Place::Nowhere));
        bench.pass(LEASE);
        bench.ask("one");
        assert_eq!(bench.due(&[]), "", "nothing is given up either");
        assert_eq!(bench.queue.place("a", 0), Place::Nowhere);
    }

    #[test]
    fn a_slot_that_counts_is_handed_out_no_more() {
        let mut bench = Bench::new();
        bench.push("a", &[0, 1], &[]);
        bench.push("b", &[0], &[]);
        bench.queue.settle("a", 0);
        bench.queue.settle("b", 0);
        bench.ask("one");
        bench.ask("one");
        assert_eq!(bench.due(&[]), "a>one:1:1");
        assert_eq!(bench.queue.place("b", 0), Place::Nowhere);
    }
}
