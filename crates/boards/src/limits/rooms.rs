//! Rooms: how many jobs of a kind compute at once, on threads that may take their time. Nothing else on a site starts
//! such threads, so no kind can take the threads of another.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::bounds::{JOB_TIMEOUT, MAX_WAITING_JOBS, MAX_WAITING_READS};

/// Why a job was not done.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RoomError {
    #[error("too many requests of this kind wait already")]
    Full,
    #[error("the job failed: {0}")]
    Failed(String),
}

/// Whether a job is still wanted: its request may have ended, or it takes too long.
#[derive(Clone, Debug)]
pub struct Effort {
    dropped: Arc<AtomicBool>,
    deadline: Instant,
}

impl Effort {
    fn new(time: Duration) -> Self {
        Self { dropped: Arc::default(), deadline: Instant::now() + time }
    }

    /// Whether the job should end; loops check this.
    pub fn is_over(&self) -> bool {
        self.dropped.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self::new(JOB_TIMEOUT)
    }
}

/// Ends the job of a request with it.
struct EndsWithRequest(Arc<AtomicBool>);

impl Drop for EndsWithRequest {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A job that waits for a place.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn enter(waiting: &'a AtomicUsize, most: usize) -> Option<Self> {
        let entered =
            waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| (count < most).then_some(count + 1));
        entered.ok().map(|_| Self(waiting))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A future of any kind.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The threads of one kind of jobs.
#[derive(Debug)]
pub struct Room {
    /// What its jobs are, in words.
    pub name: &'static str,
    /// How many jobs compute at once.
    pub threads: usize,
    /// Jobs that wait for that.
    pub max_waiting: usize,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Room {
    pub fn new(name: &'static str, threads: usize, max_waiting: usize) -> Self {
        Self { name, threads, max_waiting, places: Arc::new(Semaphore::new(threads)), waiting: AtomicUsize::new(0) }
    }

    /// Runs a job when its turn comes. It keeps its place until it has ended, even if its request has gone: then
    /// [`Effort`] says so.
    ///
    /// # Errors
    /// [`RoomError`].
    pub async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Effort) -> T + Send + 'static,
    ) -> Result<T, RoomError> {
        let answer = Arc::new(Mutex::new(None));
        let place = Arc::clone(&answer);
        self.run_boxed(Box::new(move |effort| {
            let done = job(effort);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }))
        .await?;
        let done = answer.lock().unwrap_or_else(PoisonError::into_inner).take();
        done.ok_or_else(|| RoomError::Failed("the job gave no answer".to_owned()))
    }

    /// One type for all jobs: Tokio's code for a task is compiled again for each type of job, some 5 KB of machine code
    /// for each of 200 jobs.
    fn run_boxed(&self, job: Box<dyn FnOnce(&Effort) + Send>) -> Boxed<'_, Result<(), RoomError>> {
        Box::pin(async move {
            let failed = |error: &dyn ToString| RoomError::Failed(error.to_string());
            let waiting = Waiting::enter(&self.waiting, self.max_waiting).ok_or(RoomError::Full)?;
            let place = Arc::clone(&self.places).acquire_owned().await.map_err(|error| failed(&error))?;
            drop(waiting);
            let effort = Effort::default();
            let _request = EndsWithRequest(Arc::clone(&effort.dropped));
            let done = spawn_blocking(move || {
                let _place = place;
                job(&effort);
            });
            done.await.map_err(|error| failed(&error))
        })
    }

    /// Jobs that wait for a place.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Jobs that compute.
    pub fn running(&self) -> usize {
        self.threads - self.places.available_permits()
    }
}

/// The rooms of boards.
#[derive(Debug)]
pub struct Rooms {
    /// Games as texts: reading and writing files of boards.
    pub texts: Room,
    /// Positions of boards, and moves of games by link.
    pub positions: Room,
    /// Dishes that visitors run.
    pub dishes: Room,
}

impl Rooms {
    /// The rooms of a server whose pages have this many processors.
    pub fn new(processors: usize) -> Self {
        Self {
            texts: Room::new("files of games on boards", 2, MAX_WAITING_JOBS),
            positions: Room::new("positions and moves on boards", processors.max(2), MAX_WAITING_READS),
            dishes: Room::new("dishes run by visitors", 2, MAX_WAITING_JOBS),
        }
    }
}

impl Default for Rooms {
    fn default() -> Self {
        Self::new(thread::available_parallelism().map_or(1, usize::from))
    }
}

/// Waits on its own thread for something that ends by itself, such as the site.
///
/// # Errors
/// [`RoomError::Failed`] if it has panicked.
pub async fn outside<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Result<T, RoomError> {
    let (send, receive) = tokio::sync::oneshot::channel();
    thread::spawn(move || {
        let _ = send.send(job());
    });
    receive.await.map_err(|error| RoomError::Failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// How long a test waits for what must come.
    const TEST_TIMEOUT: Duration = Duration::from_secs(20);

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_room_has_as_many_jobs_as_it_says() {
        let room = Arc::new(Room::new("tests", 1, 1));
        let (begun, begins) = mpsc::channel();
        let start = || {
            let (room, begun) = (Arc::clone(&room), begun.clone());
            tokio::spawn(async move {
                let job = move |effort: &Effort| {
                    begun.send(()).unwrap();
                    while !effort.is_over() {
                        thread::sleep(Duration::from_millis(1));
                    }
                };
                room.run(job).await
            })
        };
        let first = start();
        begins.recv_timeout(TEST_TIMEOUT).unwrap();
        let second = start();
        let until = Instant::now() + TEST_TIMEOUT;
        while room.waiting.load(Ordering::Relaxed) < 1 {
            assert!(Instant::now() < until, "the second waits");
            tokio::task::yield_now().await;
        }
        assert_eq!(room.run(|_| ()).await, Err(RoomError::Full));
        // The job ends with its request, and then only its place is free.
        first.abort();
        begins.recv_timeout(TEST_TIMEOUT).unwrap();
        assert_eq!(room.running(), 1);
        second.abort();
        while room.running() > 0 {
            assert!(Instant::now() < until, "the place becomes free");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(room.run(Effort::is_over).await, Ok(false));
    }

    #[tokio::test]
    async fn a_job_that_panics_is_named() {
        let room = Room::new("tests", 1, 1);
        let failed = room.run(|_| assert!(room_is_never(), "it breaks")).await;
        assert!(matches!(failed, Err(RoomError::Failed(_))), "{failed:?}");
        assert_eq!(room.run(|_| 7).await, Ok(7), "its place is free again");
    }

    fn room_is_never() -> bool {
        false
    }
}
