//! Threads of searches in a browser: workers of the page that have instantiated the same file over the same memory,
//! each with its own stack, and wait in `agon_help` for a search's work.

#![allow(unsafe_code, reason = "a helper borrows from the search that waits for it, longer than a compiler can see")]

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use agon_search::Stop;

/// A helper's work: `help(number)`.
struct Job {
    help: &'static (dyn Fn(usize) + Sync),
    number: usize,
}

struct Jobs {
    waiting: VecDeque<Job>,
    running: usize,
    /// A helper has trapped: whatever it borrowed is never returned.
    failed: bool,
}

static JOBS: Mutex<Jobs> = Mutex::new(Jobs { waiting: VecDeque::new(), running: 0, failed: false });
static CHANGED: Condvar = Condvar::new();
/// Number of workers that wait for jobs, or will soon.
static HELPERS: AtomicUsize = AtomicUsize::new(0);

fn jobs() -> MutexGuard<'static, Jobs> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait(jobs: MutexGuard<'static, Jobs>) -> MutexGuard<'static, Jobs> {
    CHANGED.wait(jobs).unwrap_or_else(PoisonError::into_inner)
}

/// Number of threads that a search can have.
pub(crate) fn max_threads() -> usize {
    1 + HELPERS.load(Ordering::Relaxed)
}

/// Sets the number of helpers.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn agon_helpers(count: usize) {
    HELPERS.store(count, Ordering::Relaxed);
}

/// Helps searches forever. The caller has set the stack pointer of its instance to a separate stack, and has allocated
/// its thread-local memory.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn agon_help() {
    let mut jobs = jobs();
    loop {
        let Some(Job { help, number }) = jobs.waiting.pop_front() else {
            jobs = wait(jobs);
            continue;
        };
        jobs.running += 1;
        drop(jobs);
        help(number);
        jobs = self::jobs();
        jobs.running -= 1;
        CHANGED.notify_all();
    }
}

/// Says that a helper has trapped.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn agon_help_failed() {
    jobs().failed = true;
    CHANGED.notify_all();
}

/// Runs helpers beside an answer: see [`agon_search::iterate::Spawner`].
pub(crate) fn spawn(count: usize, stop: &Stop, help: &(dyn Fn(usize) + Sync), answer: &mut dyn FnMut()) {
    // SAFETY: no job outlives this call, which removes those that wait and waits for those that run. It does not unwind
    // before that: a panic aborts.
    let help: &'static (dyn Fn(usize) + Sync) = unsafe { mem::transmute(help) };
    let count = count.min(max_threads() - 1);
    jobs().waiting.extend((0..count).map(|number| Job { help, number }));
    CHANGED.notify_all();
    answer();
    stop.raise();
    let mut jobs = jobs();
    jobs.waiting.clear();
    while jobs.running > 0 {
        assert!(!jobs.failed, "a helper of the search has failed");
        jobs = wait(jobs);
    }
}
