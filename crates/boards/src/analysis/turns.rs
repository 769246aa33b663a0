//! Turns for searches on a few processors. A thread that runs only when no other wants to still gets a small share of
//! the processor, and fifty such threads get fifty small shares: they would take a game's time. So no more of them
//! compute at once than there are processors, each for a moment, in the order in which they asked; the others sleep.
//!
//! A turn is measured in the thread's own processor time: when games take the processors, clock time may pass without
//! any of it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::Duration;

use agon_jobs::Pause;
use rustix::time::{ClockId, clock_gettime};

use crate::lock::locked;

/// How much processor time a search takes before another one gets its turn. Beside two games on two processors, which
/// leave little, each of fifty searches then gets a turn within seconds.
const TURN: Duration = Duration::from_millis(5);

/// The processor time of the calling thread.
fn computed() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap_or_default()
}

/// A search that waits for a turn.
struct Waiting {
    thread: Thread,
    granted: AtomicBool,
}

#[derive(Default)]
struct Queue {
    computing: usize,
    waiting: VecDeque<Arc<Waiting>>,
}

/// The turns of all searches.
pub(super) struct Turns {
    most: usize,
    queue: Mutex<Queue>,
}

impl Turns {
    /// Turns for this many at once.
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), queue: Mutex::default() })
    }

    /// Gives free turns to those who have waited longest.
    fn grant(&self, queue: &mut Queue) {
        while queue.computing < self.most
            && let Some(next) = queue.waiting.pop_front()
        {
            queue.computing += 1;
            next.granted.store(true, Ordering::Release);
            next.thread.unpark();
        }
    }

    /// The turns of one search.
    pub(super) fn of_a_search(self: &Arc<Self>) -> SearchTurns {
        SearchTurns(Arc::new(Own { turns: Arc::clone(self), since: Mutex::default(), waiting: Mutex::default() }))
    }
}

struct Own {
    turns: Arc<Turns>,
    /// The processor time of the search's thread when its turn began; `None` if it has no turn.
    since: Mutex<Option<Duration>>,
    waiting: Mutex<Option<Arc<Waiting>>>,
}

/// The turns of one search. Dropping the last one gives its turn to another.
#[derive(Clone)]
pub(super) struct SearchTurns(Arc<Own>);

impl SearchTurns {
    /// Ends the search's turn; it gets another one only by asking.
    pub(super) fn leave(&self) {
        if locked(&self.0.since).take().is_some() {
            let turns = &self.0.turns;
            let mut queue = locked(&turns.queue);
            queue.computing -= 1;
            turns.grant(&mut queue);
        }
    }
}

impl Pause for SearchTurns {
    fn pause(&self, is_raised: &dyn Fn() -> bool) {
        let Own { turns, since, waiting } = &*self.0;
        // Only the search itself asks, so that no other thread waits for this lock.
        let mut since = locked(since);
        if since.is_some_and(|since| computed().saturating_sub(since) < TURN) {
            return;
        }
        let own = Arc::new(Waiting { thread: thread::current(), granted: AtomicBool::new(false) });
        {
            let mut queue = locked(&turns.queue);
            if since.is_some() {
                if queue.waiting.is_empty() {
                    *since = Some(computed());
                    return;
                }
                queue.computing -= 1;
            }
            queue.waiting.push_back(Arc::clone(&own));
            turns.grant(&mut queue);
        }
        *locked(waiting) = Some(Arc::clone(&own));
        let granted = || own.granted.load(Ordering::Acquire);
        while !granted() && !is_raised() {
            thread::park();
        }
        *locked(waiting) = None;
        // A search that must end continues without a turn, unless it has just got one.
        let mut queue = locked(&turns.queue);
        queue.waiting.retain(|other| !Arc::ptr_eq(other, &own));
        *since = granted().then(computed);
    }

    fn wake(&self) {
        if let Some(waiting) = &*locked(&self.0.waiting) {
            waiting.thread.unpark();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc;
    use std::time::Instant;

    use agon_search::Stop;

    use super::*;

    /// The state of all searches: how many compute, the most that did at once, and how often each has been checked.
    struct Counts {
        now: AtomicUsize,
        most: AtomicUsize,
        looks: Vec<AtomicUsize>,
    }

    fn compute(time: Duration) {
        let end = computed() + time;
        while computed() < end {}
    }

    /// Searches that look at their flags until they are stopped, and their flags.
    fn run(searches: usize, most: usize, lasting: Duration) -> Counts {
        let (turns, counts) = (
            Turns::new(most),
            Counts {
                now: AtomicUsize::new(0),
                most: AtomicUsize::new(0),
                looks: (0..searches).map(|_| AtomicUsize::new(0)).collect(),
            },
        );
        thread::scope(|scope| {
            let mut stops = Vec::new();
            for looks in &counts.looks {
                let own = turns.of_a_search();
                let stop = Stop::with_pause(own.clone());
                stops.push(stop.clone());
                let counts = &counts;
                scope.spawn(move || {
                    while !stop.is_raised() {
                        // Between two looks it computes.
                        let now = counts.now.fetch_add(1, Ordering::SeqCst) + 1;
                        counts.most.fetch_max(now, Ordering::SeqCst);
                        compute(Duration::from_millis(1));
                        looks.fetch_add(1, Ordering::SeqCst);
                        counts.now.fetch_sub(1, Ordering::SeqCst);
                    }
                    own.leave();
                });
            }
            thread::sleep(lasting);
            stops.iter().for_each(Stop::raise);
        });
        counts
    }

    #[test]
    fn no_more_compute_at_once_than_may_and_all_get_on() {
        for (searches, most) in [(6, 1), (5, 2)] {
            let counts = run(searches, most, 40 * TURN * searches as u32 / most as u32);
            assert_eq!(counts.most.into_inner(), most);
            let looks: Vec<usize> = counts.looks.into_iter().map(AtomicUsize::into_inner).collect();
            let (least, greatest) = (looks.iter().min().unwrap(), looks.iter().max().unwrap());
            assert!(*least > 0 && greatest < &(4 * least), "{looks:?}");
        }
    }

    #[test]
    fn one_alone_is_never_held_up() {
        let turns = Turns::new(1);
        let stop = Stop::with_pause(turns.of_a_search());
        let end = computed() + 3 * TURN;
        while computed() < end {
            let look = Instant::now();
            assert!(!stop.is_raised());
            assert!(look.elapsed() < Duration::from_secs(20));
        }
    }

    /// When games take the processors, a search computes little in a long time: that must not cost it its turn.
    #[test]
    fn a_turn_is_processor_time() {
        let turns = Turns::new(1);
        let own = turns.of_a_search();
        let first = Stop::with_pause(own.clone());
        assert!(!first.is_raised(), "it has the turn");
        let other = turns.of_a_search();
        let second = Stop::with_pause(other.clone());
        let (send, heard) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                assert!(!second.is_raised());
                send.send(()).unwrap();
                other.leave();
            });
            // Without computing, which would use its turn up.
            while locked(&turns.queue).waiting.is_empty() {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(200));
            assert!(!first.is_raised());
            assert_eq!(
                heard.try_recv(),
                Err(mpsc::TryRecvError::Empty),
                "the other one has waited, the first not computed"
            );
            compute(TURN);
            assert!(!first.is_raised());
            assert_eq!(heard.recv_timeout(Duration::from_secs(20)), Ok(()));
        });
    }

    #[test]
    fn who_waits_is_stopped_at_once_and_who_ends_leaves_its_turn() {
        let turns = Turns::new(1);
        let first = turns.of_a_search();
        assert!(!Stop::with_pause(first.clone()).is_raised(), "it has the turn, and keeps it");
        let (send, heard) = mpsc::channel();
        let second = turns.of_a_search();
        let stop = Stop::with_pause(second.clone());
        thread::scope(|scope| {
            scope.spawn(|| send.send(stop.is_raised()).unwrap());
            thread::sleep(2 * TURN);
            assert_eq!(heard.try_recv(), Err(mpsc::TryRecvError::Empty), "it waits");
            stop.raise();
            assert_eq!(heard.recv_timeout(Duration::from_secs(20)), Ok(true));
        });
        // It has no turn that it could leave.
        second.leave();
        let third = Stop::with_pause(turns.of_a_search());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| third.is_raised());
            first.leave();
            assert!(!waiting.join().unwrap());
        });
    }
}
