//! The threads of a site that plays: workers, each bound to processors of its own as in a series, one for checks beside
//! long games and finals, and one that rates.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_arena::runner::cores;
use agon_fleet::Fleet;
use agon_referee::process::{self, ProcessorSet};
use agon_site::queue::is_relief_due;

use super::rating::rate;
use super::supervisor::supervise;
use super::worker::{MAX_DEPTH, Table, Worker};
use crate::progress::ages;
use crate::site_queue::SiteQueue;

/// How long a worker without work waits before it checks again: programs become due as time passes.
const IDLE: Duration = Duration::from_secs(5);

/// How long games may continue when the site stops, before they are aborted.
const LAST_GAMES: Duration = Duration::from_secs(20);

pub struct Workers {
    site: Arc<SiteQueue>,
    threads: Vec<JoinHandle<()>>,
}

/// Starts the threads of a site, including those that wait for a fleet if it has one.
pub fn start(site: &Arc<SiteQueue>, fleet: Option<Fleet>) -> Workers {
    let mut threads = Vec::new();
    for number in 0..site.options.workers {
        let site = Arc::clone(site);
        let share = site.processors.games.as_ref().map(|shares| shares[number].clone());
        threads.push(thread::spawn(move || {
            let apart = share.as_ref().and_then(|share| {
                ProcessorSet::from_numbers(share).bind();
                cores::halves(share)
            });
            Worker::new(site, Table::Here(apart)).work(|| true);
        }));
    }
    if let Some(terms) = site.options.fleet.clone() {
        let site = Arc::clone(site);
        threads.push(thread::spawn(move || {
            site.processors.enter_pages();
            supervise(&site, &terms, fleet);
        }));
    }
    if site.options.workers > 0 {
        let site = Arc::clone(site);
        threads.push(thread::spawn(move || {
            site.processors.enter_pages();
            // Submissions are announced: until then nothing waits, and the store is not queried.
            let mut quiet = None;
            while !site.is_stopping() {
                let announced = *site.signals.checks.borrow();
                if quiet != Some(announced) || site.trials.is_waiting() {
                    match relief(&site) {
                        Relief::Made => continue,
                        Relief::NoneWaits => quiet = Some(announced),
                        Relief::NotDue => {}
                    }
                }
                site.rest(IDLE);
            }
        }));
    }
    let rated = Arc::clone(site);
    threads.push(thread::spawn(move || {
        rated.processors.enter_pages();
        rate(&rated);
    }));
    Workers { site: Arc::clone(site), threads }
}

/// The result of looking for a check to make beside the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relief {
    Made,
    NoneWaits,
    /// Something waits, and a worker will soon be free, or nothing may be played.
    NotDue,
}

/// Makes a check beside the games, if one is due. Returns whether there was one.
pub fn relieve(site: &Arc<SiteQueue>) -> bool {
    relief(site) == Relief::Made
}

/// Makes a check, or tries a source, on the processors of pages, if all workers are playing long games or a final: its
/// author is waiting for it.
fn relief(site: &Arc<SiteQueue>) -> Relief {
    let tried = site.trials.is_waiting();
    // The games in progress matter only when something waits for them.
    let found = site.look(|store| {
        let queue = store.check_queue()?;
        let waits = tried || queue.queued > 0;
        let running = if waits { store.running()? } else { Vec::new() };
        Ok((waits, queue.checking, running))
    });
    let Ok((waits, checking, running)) = found else { return Relief::NotDue };
    if !waits {
        return Relief::NoneWaits;
    }
    let is_due = is_relief_due(&ages(&running), site.options.workers) || site.is_final_near().unwrap_or_default();
    if checking > 0 || !is_due || !site.may_play() {
        return Relief::NotDue;
    }
    // It has no processors for other games.
    let worker = Worker { depth: MAX_DEPTH, ..Worker::new(Arc::clone(site), Table::Here(None)) };
    let made = match catch_unwind(AssertUnwindSafe(|| worker.before_games())) {
        Ok(Ok(done)) => done,
        Ok(Err(error)) => {
            tracing::error!("a check was not made: {error}");
            false
        }
        Err(_) => false,
    };
    if made { Relief::Made } else { Relief::NotDue }
}

impl Workers {
    /// Waits for the threads of a site that stops. Games that take too long are broken off, and played again after the
    /// next start.
    pub fn join(self) {
        let deadline = Instant::now() + LAST_GAMES;
        while Instant::now() < deadline && self.threads.iter().any(|thread| !thread.is_finished()) {
            thread::sleep(Duration::from_millis(50));
        }
        if self.site.live.count() > 0 {
            process::interrupt();
        }
        for thread in self.threads {
            // The panic of a thread is already in the log.
            let _ = thread.join();
        }
    }
}
