//! Worker threads.
//!
//! The calling thread hands out tasks, one to each idle worker, and collects the outcomes; workers only compute. So a
//! job's state needs no lock, and writing files and drawing progress stay on one thread.

use std::any::Any;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use crate::Stop;

/// A source of tasks and a sink for their outcomes. Both methods are called on the thread that called [`run`].
pub trait Job {
    /// Input of a worker.
    type Task: Send;

    /// Output of a worker.
    type Outcome: Send;

    /// Error that ends the job.
    type Error;

    /// Returns the next task, or `None` if there is none at the moment. It is called again after every outcome; the job
    /// is done when it has no task and none is running.
    fn next(&mut self) -> Option<Self::Task>;

    /// Takes the outcome of a task; outcomes arrive in the order in which workers finish.
    ///
    /// # Errors
    /// Any error ends the job.
    fn take(&mut self, outcome: Self::Outcome) -> Result<(), Self::Error>;
}

/// Runs a job on `threads` threads, at least one, until it has no more tasks or `stop` is raised. Running tasks are
/// then finished and their outcomes taken; long tasks should check `stop` themselves.
///
/// `worker` creates a worker on its own thread, such as an engine with its tables, which serves all tasks of that
/// thread.
///
/// # Errors
/// The first error of [`Job::take`]. It raises `stop`, and outcomes that come after it are dropped.
///
/// # Panics
/// If a worker panics.
pub fn run<J: Job, W: FnMut(J::Task) -> J::Outcome>(
    job: &mut J,
    threads: usize,
    stop: &Stop,
    worker: impl Fn() -> W + Sync,
) -> Result<(), J::Error> {
    let (give, tasks) = mpsc::channel::<J::Task>();
    let (send, outcomes) = mpsc::channel::<Result<J::Outcome, Box<dyn Any + Send>>>();
    let tasks = Mutex::new(tasks);
    let threads = threads.max(1);
    thread::scope(|scope| {
        // Dropped on every way out of here, a panic included, which ends the workers.
        let (give, outcomes) = (give, outcomes);
        let (mut started, mut busy, mut result) = (0, 0, Ok(()));
        loop {
            while busy < threads && !stop.is_raised() {
                let Some(task) = job.next() else { break };
                if started == busy {
                    started += 1;
                    let (tasks, worker, send) = (&tasks, &worker, send.clone());
                    scope.spawn(move || {
                        // Created by the first task, so that a panic there ends the job like any other.
                        let mut made = None;
                        loop {
                            let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                            let Ok(task) = task else { return };
                            let outcome = catch_unwind(AssertUnwindSafe(|| made.get_or_insert_with(worker)(task)));
                            if send.send(outcome).is_err() {
                                return;
                            }
                        }
                    });
                }
                busy += 1;
                let _ = give.send(task);
            }
            if busy == 0 {
                return result;
            }
            let Ok(outcome) = outcomes.recv() else { return result };
            busy -= 1;
            let outcome = outcome.unwrap_or_else(|panic| resume_unwind(panic));
            if result.is_ok() {
                result = job.take(outcome).inspect_err(|_| stop.raise());
            }
        }
    })
}

/// Does the tasks 0 to `count` on `threads` threads and returns their results in order; `None` when `stop` was raised
/// before the last one. `done` is called with every result when it comes.
///
/// # Errors
/// The first error of a task; the other tasks are then abandoned and `stop` is raised.
pub fn map<R: Send, E: Send, W: FnMut(usize) -> Result<R, E>>(
    count: usize,
    threads: usize,
    stop: &Stop,
    worker: impl Fn() -> W + Sync,
    done: impl FnMut(&R),
) -> Result<Option<Vec<R>>, E> {
    let mut job = Map { next: 0, results: (0..count).map(|_| None).collect(), done, error: std::marker::PhantomData };
    run(&mut job, threads, stop, || {
        let mut worker = worker();
        move |at| (at, worker(at))
    })?;
    Ok(job.results.into_iter().collect())
}

/// Like [`map`], for tasks that cannot fail or be stopped.
pub fn map_all<R: Send>(count: usize, threads: usize, task: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let worker = || |at| Ok::<R, Infallible>(task(at));
    let Ok(results) = map(count, threads, &Stop::default(), worker, |_| {});
    results.unwrap_or_default()
}

/// Returns the number of threads that the machine can run at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

struct Map<R, E, F> {
    next: usize,
    results: Vec<Option<R>>,
    done: F,
    error: std::marker::PhantomData<E>,
}

impl<R: Send, E: Send, F: FnMut(&R)> Job for Map<R, E, F> {
    type Task = usize;
    type Outcome = (usize, Result<R, E>);
    type Error = E;

    fn next(&mut self) -> Option<usize> {
        let at = self.next;
        self.next += 1;
        (at < self.results.len()).then_some(at)
    }

    fn take(&mut self, (at, result): Self::Outcome) -> Result<(), E> {
        let result = result?;
        (self.done)(&result);
        self.results[at] = Some(result);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        let check = |count: usize, threads: usize| {
            let mut received = 0;
            let worker = || |at: usize| Ok::<_, String>(at * at);
            let results = map(count, threads, &Stop::default(), worker, |_| received += 1).expect("no error");
            assert_eq!(
                (results, received),
                (Some((0..count).map(|at| at * at).collect()), count),
                "{count} on {threads}"
            );
        };
        check(0, 4);
        check(1, 4);
        check(100, 1);
        check(100, 7);
        check(3, 0);
        assert_eq!(map_all(5, 2, |at| at + 1), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn no_more_workers_than_threads_or_tasks_are_made() {
        let check = |count: usize, threads: usize| {
            let made = AtomicUsize::new(0);
            let worker = || {
                made.fetch_add(1, Ordering::Relaxed);
                |at: usize| Ok::<_, String>(at)
            };
            map(count, threads, &Stop::default(), worker, |_| {}).expect("no error");
            let made = made.into_inner();
            assert!((1..=threads.min(count)).contains(&made), "{made} workers for {count} tasks on {threads} threads");
        };
        check(2, 8);
        check(50, 3);
    }

    #[test]
    fn the_first_error_ends_the_job() {
        let (stop, begun) = (Stop::default(), AtomicUsize::new(0));
        let worker = || {
            |at: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                if at == 5 { Err(at) } else { Ok(at) }
            }
        };
        assert_eq!(map(1_000, 1, &stop, worker, |_| {}), Err(5));
        assert!(stop.is_raised());
        assert_eq!(begun.into_inner(), 6);
    }

    #[test]
    fn a_raised_stop_gives_no_results_and_hands_out_nothing_more() {
        let (stop, mut received) = (Stop::default(), 0);
        let raise = stop.clone();
        let results = map(
            1_000,
            2,
            &stop,
            || Ok::<usize, String>,
            |_| {
                received += 1;
                if received == 10 {
                    raise.raise();
                }
            },
        );
        assert_eq!(results, Ok(None));
        assert!((10..=12).contains(&received), "{received}");
    }

    /// Counts down a tree: every outcome above 1 is two tasks more.
    #[derive(Default)]
    struct Halves {
        waiting: Vec<u32>,
        taken: BTreeSet<u32>,
    }

    impl Job for Halves {
        type Task = u32;
        type Outcome = u32;
        type Error = Infallible;

        fn next(&mut self) -> Option<u32> {
            self.waiting.pop()
        }

        fn take(&mut self, outcome: u32) -> Result<(), Infallible> {
            self.taken.insert(outcome);
            if outcome > 1 {
                self.waiting.extend([outcome / 2, outcome - outcome / 2]);
            }
            Ok(())
        }
    }

    #[test]
    fn outcomes_may_make_tasks() {
        let mut job = Halves { waiting: vec![40], ..Halves::default() };
        let Ok(()) = run(&mut job, 4, &Stop::default(), || |task| task);
        assert_eq!(job.taken, BTreeSet::from([1, 2, 3, 5, 10, 20, 40]));
    }

    #[test]
    fn a_worker_that_panics_ends_the_job_with_its_panic() {
        for threads in [1, 3] {
            let job = || map_all(20, threads, |at| assert_ne!(at, 7, "seven"));
            let panic = catch_unwind(job).expect_err("it panicked");
            assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("seven")));
        }
    }
}
