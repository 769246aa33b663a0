//! The fleet of a site: reaching it, and as many threads as games that it can play.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use agon_arena::store::Quarantine;
use agon_fleet::{Fleet, FleetError};
use agon_site::clock::now;
use agon_site::store::SiteStore;

use super::worker::{Table, Worker};
use crate::options::FleetOptions;
use crate::site_queue::SiteQueue;

/// The name of this program for the fleet's server.
const NAME: &str = "agon serve";

/// The most games that wait for the fleet at once: each has a thread.
const MAX_AWAY: usize = 4096;

/// Connects to the fleet; `None` if no server answers at present; it is tried again.
///
/// # Errors
/// [`FleetError`] when a server answers and the set-up is wrong.
pub fn connect(terms: &FleetOptions) -> Result<Option<Fleet>, FleetError> {
    match Fleet::connect(&terms.nats, NAME) {
        Ok(fleet) => Ok(Some(fleet)),
        Err(FleetError::Unreachable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Keeps as many threads waiting for games of the fleet as it can play, until the site stops.
pub(super) fn supervise(site: &Arc<SiteQueue>, terms: &FleetOptions, mut reached: Option<Fleet>) {
    let set_idle = |why: Option<String>| {
        if site.fleet.set_idle(why.clone()) {
            match why {
                Some(why) => tracing::warn!("the fleet plays nothing: {why}; games wait"),
                None => tracing::info!("the fleet plays"),
            }
        }
    };
    let fleet = loop {
        if site.is_stopping() {
            return;
        }
        match reached.take().map_or_else(|| Fleet::connect(&terms.nats, NAME), Ok) {
            Ok(fleet) => break fleet,
            Err(error) => set_idle(Some(error.to_string())),
        }
        thread::sleep(terms.timing.heartbeat * 2);
    };
    let known = site.look(SiteStore::quarantined).unwrap_or_else(|error| {
        tracing::error!("it is not known who is in quarantine: {error}");
        Vec::new()
    });
    let known: Vec<Quarantine> = known.into_iter().map(|(quarantine, _)| quarantine).collect();
    let link = match site.fleet.reached(&fleet, &site.options.store, terms, &site.left(), &known) {
        Ok(link) => link,
        Err(error) => return tracing::error!("the fleet plays nothing: {error}"),
    };
    drop(fleet);
    tracing::info!(key = %link.queue.public_key(), "workers of the fleet are started with --trust and this key");
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    let mut found_out: Vec<Quarantine> = Vec::new();
    let start = Instant::now();
    while !site.is_stopping() {
        let slots = link.queue.slots();
        site.fleet.note_languages(link.queue.languages());
        if start.elapsed() > terms.timing.all_heard {
            set_idle(link.queue.why_idle());
        }
        for fault in link.queue.faults() {
            tracing::warn!("{fault}");
        }
        found_out.extend(link.queue.found_out());
        // One that cannot be recorded now is tried again.
        found_out.retain(|worker| !shut_out(site, worker));
        // A spare game is ready when a worker has finished another. Games that wait for a suitable machine hold up
        // nothing.
        let busy = slots + slots / 4 + 1 + link.queue.stuck();
        link.want(if slots > 0 && link.queue.is_connected() { busy.min(MAX_AWAY) } else { 0 });
        threads.retain(|thread| !thread.is_finished());
        for number in threads.len()..link.wanted.load(Ordering::Relaxed) {
            let (site, link) = (Arc::clone(site), Arc::clone(&link));
            threads.push(thread::spawn(move || {
                site.processors.enter_pages();
                let wanted = Arc::clone(&link);
                Worker::new(site, Table::Fleet(link)).work(|| wanted.wants(number));
            }));
        }
        thread::sleep(terms.timing.heartbeat / 2);
    }
    for thread in threads {
        // The panic of a thread is already in the log.
        let _ = thread.join();
    }
    site.fleet.leave();
}

/// Removes the games of a worker from the store, to be played again. Returns whether that is done.
fn shut_out(site: &SiteQueue, worker: &Quarantine) -> bool {
    let again = site.writer().quarantine(worker, now());
    match again {
        Ok(again) => {
            tracing::warn!(worker = worker.worker, games = again.len(), "games of ladders are played again");
            site.leave(again);
            true
        }
        Err(error) => {
            tracing::error!("the games of worker {} are not taken out: {error}", worker.worker);
            false
        }
    }
}
