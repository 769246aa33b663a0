//! An engine on a thread of its own.

use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use agon_game::Position;
use agon_search::{Engine, Info, Stop, Task};

type Job<P> = Box<dyn FnOnce(&mut dyn Engine<P>) + Send>;

/// An engine that thinks on a thread of its own, so that whoever asked it can go on listening. What it is asked it does
/// one thing after the other.
pub struct Thinker<P: Position> {
    /// Nothing more is asked once it is `None`.
    jobs: Option<Sender<Job<P>>>,
    thread: Option<JoinHandle<()>>,
    state: Arc<State>,
    stop: Stop,
}

#[derive(Default)]
struct State {
    thinking: Mutex<bool>,
    /// It was told to stop.
    stopped: Condvar,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.thinking.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the thinking, whether it came to an end or panicked.
struct Finished(Arc<State>);

impl Drop for Finished {
    fn drop(&mut self) {
        *self.0.lock() = false;
    }
}

impl<P: Position> Thinker<P> {
    /// Ends it soon.
    pub fn stop(&self) {
        let _thinking = self.state.lock();
        self.stop.raise();
        self.state.stopped.notify_all();
    }
}

impl<P: Position + 'static> Thinker<P> {
    /// Gives an engine a thread.
    pub fn new(mut analyst: Box<dyn Engine<P>>) -> Self {
        let (jobs, queue) = mpsc::channel::<Job<P>>();
        let thread = thread::spawn(move || queue.into_iter().for_each(|job| job(analyst.as_mut())));
        Self { jobs: Some(jobs), thread: Some(thread), state: Arc::default(), stop: Stop::default() }
    }

    /// Has something else done with the engine, after all that was asked before.
    pub fn then(&self, job: impl FnOnce(&mut dyn Engine<P>) + Send + 'static) {
        if let Some(jobs) = &self.jobs {
            // An engine that panicked has no thread any more; the process ends with `finish`.
            let _ = jobs.send(Box::new(job));
        }
    }

    /// Has the engine do something long that looks at the [`Stop`] it is given; `done` is called with what came of it,
    /// when it no longer counts as thinking. Call it only when it is not [thinking](Self::is_thinking).
    pub fn long<T>(
        &self,
        job: impl FnOnce(&mut dyn Engine<P>, &Stop) -> T + Send + 'static,
        done: impl FnOnce(T) + Send + 'static,
    ) {
        self.stop.lower();
        *self.state.lock() = true;
        let (finished, stop) = (Finished(Arc::clone(&self.state)), self.stop.clone());
        self.then(move |analyst| {
            let result = job(analyst, &stop);
            // First, since whoever hears of the result may ask the next thing at once.
            drop(finished);
            done(result);
        });
    }

    /// Asks the engine about a position; `tell` hears what it finds, `done` its move. With `hold`, `done` is not called
    /// before [`Thinker::stop`] is. The task's own stop is not looked at. Call it only when it is not
    /// [thinking](Self::is_thinking).
    pub fn ask(
        &self,
        position: P,
        mut task: Task,
        hold: bool,
        mut tell: impl FnMut(&Info<P::Move>) + Send + 'static,
        done: impl FnOnce(Option<P::Move>) + Send + 'static,
    ) {
        let state = Arc::clone(&self.state);
        let job = move |analyst: &mut dyn Engine<P>, stop: &Stop| {
            task.stop = stop.clone();
            let best = analyst.search(&position, &task, &mut tell);
            let mut thinking = state.lock();
            while hold && !stop.is_raised() {
                thinking = state.stopped.wait(thinking).unwrap_or_else(PoisonError::into_inner);
            }
            best
        };
        self.long(job, done);
    }

    /// Whether something long is being done, or waits to be.
    pub fn is_thinking(&self) -> bool {
        *self.state.lock()
    }

    /// Waits until all that was asked has been done.
    pub fn wait(&self) {
        let (sender, done) = mpsc::channel::<()>();
        self.then(move |_| drop(sender));
        // Nothing is ever sent: it is heard when the sender goes, with its job or with a thread that panicked.
        let _ = done.recv();
    }

    /// Waits until all that was asked has been done, and takes the thread away.
    ///
    /// # Errors
    /// [`Panicked`] when the engine did.
    pub fn finish(mut self) -> Result<(), Panicked> {
        self.jobs = None;
        self.thread.take().map_or(Ok(()), |thread| thread.join().map_err(|_| Panicked))
    }
}

/// Who goes without a word is not waited for longer than a stop takes.
impl<P: Position> Drop for Thinker<P> {
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The most memory that tables may be given, in bytes: half of what this machine has. An allocation that fails ends the
/// process, and a wrong number in a settings file must not.
pub fn most_memory() -> usize {
    let info = rustix::system::sysinfo();
    usize::try_from(info.totalram as u64 * u64::from(info.mem_unit) / 2).unwrap_or(usize::MAX)
}

/// The engine has a fault: it panicked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engine panicked")]
pub struct Panicked;
