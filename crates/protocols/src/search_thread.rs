//! An engine on a separate thread.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use agon_game::Position;
use agon_search::{Engine, Info, Stop, Task};

type Job<P> = Box<dyn FnOnce(&mut dyn Engine<P>) + Send>;

/// An engine that searches on a separate thread, so that its caller can continue to read commands. Jobs run one after
/// another.
pub struct SearchThread<P: Position> {
    /// `None` once no more jobs are accepted.
    jobs: Option<Sender<Job<P>>>,
    thread: Option<JoinHandle<()>>,
    state: Arc<State>,
    stop: Stop,
}

#[derive(Default)]
struct State {
    searching: Mutex<bool>,
    /// Signalled when it is asked to stop.
    stopped: Condvar,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.searching.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks the end of a search, also when it panics.
struct Finished(Arc<State>);

impl Drop for Finished {
    fn drop(&mut self) {
        *self.0.lock() = false;
    }
}

impl<P: Position> SearchThread<P> {
    pub fn stop(&self) {
        let _searching = self.state.lock();
        self.stop.raise();
        self.state.stopped.notify_all();
    }
}

impl<P: Position + 'static> SearchThread<P> {
    pub fn new(mut engine: Box<dyn Engine<P>>) -> Self {
        let (jobs, queue) = mpsc::channel::<Job<P>>();
        let thread = thread::spawn(move || queue.into_iter().for_each(|job| job(engine.as_mut())));
        Self { jobs: Some(jobs), thread: Some(thread), state: Arc::default(), stop: Stop::default() }
    }

    /// Runs a job on the engine, after all those before.
    pub fn then(&self, job: impl FnOnce(&mut dyn Engine<P>) + Send + 'static) {
        if let Some(jobs) = &self.jobs {
            // An engine that panicked has lost its thread; the process ends with `finish`.
            let _ = jobs.send(Box::new(job));
        }
    }

    /// Runs a long job that checks the [`Stop`] it is given; `done` is called with its result, after it no longer
    /// counts as searching. Call it only when it is not [searching](Self::is_searching).
    pub fn long<T>(
        &self,
        job: impl FnOnce(&mut dyn Engine<P>, &Stop) -> T + Send + 'static,
        done: impl FnOnce(T) + Send + 'static,
    ) {
        self.stop.lower();
        *self.state.lock() = true;
        let (finished, stop) = (Finished(Arc::clone(&self.state)), self.stop.clone());
        self.then(move |engine| {
            let result = job(engine, &stop);
            // First, since the receiver of the result may immediately ask the next question.
            drop(finished);
            done(result);
        });
    }

    /// Searches a position; `report` is called with the findings, `done` with the best move. The search ends soon after
    /// `report` fails, because its reader is gone. With `hold`, `done` is not called before [`SearchThread::stop`]. The
    /// task's own stop is ignored. Call it only when it is not [searching](Self::is_searching).
    pub fn search(
        &self,
        position: P,
        mut task: Task,
        hold: bool,
        mut report: impl FnMut(&Info<P::Move>) -> io::Result<()> + Send + 'static,
        done: impl FnOnce(Option<P::Move>) + Send + 'static,
    ) {
        let state = Arc::clone(&self.state);
        let job = move |engine: &mut dyn Engine<P>, stop: &Stop| {
            task.stop = stop.clone();
            let best = engine.search(&position, &task, &mut |info| {
                if report(info).is_err() {
                    stop.raise();
                }
            });
            let mut searching = state.lock();
            while hold && !stop.is_raised() {
                searching = state.stopped.wait(searching).unwrap_or_else(PoisonError::into_inner);
            }
            best
        };
        self.long(job, done);
    }

    /// Returns true if a search or another long job is running or waiting.
    pub fn is_searching(&self) -> bool {
        *self.state.lock()
    }

    pub fn wait(&self) {
        let (sender, done) = mpsc::channel::<()>();
        self.then(move |_| drop(sender));
        // Nothing is ever sent: it returns when the sender is dropped, with its job or with a thread that panicked.
        let _ = done.recv();
    }

    /// Waits until all jobs are done, and ends the thread.
    ///
    /// # Errors
    /// [`Panicked`] when the engine did.
    pub fn finish(mut self) -> Result<(), Panicked> {
        self.jobs = None;
        self.thread.take().map_or(Ok(()), |thread| thread.join().map_err(|_| Panicked))
    }
}

/// A dropped thread is stopped: it ends as fast as a stop takes.
impl<P: Position> Drop for SearchThread<P> {
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Returns the maximum memory for tables, in bytes: half of this machine's. A failed allocation ends the process, which
/// a wrong number in a settings file must not cause.
pub fn max_table_bytes() -> usize {
    let info = rustix::system::sysinfo();
    usize::try_from(info.totalram as u64 * u64::from(info.mem_unit) / 2).unwrap_or(usize::MAX)
}

/// The engine has a fault: it panicked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engine panicked")]
pub struct Panicked;
