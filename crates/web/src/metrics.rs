//! Counts for Prometheus, in its text format.

use std::sync::{Mutex, PoisonError};

use agon_arena::store::StoreError;
use agon_catalog::Game;
use agon_queue::storage::Storage;
use agon_site::clock::now;
use agon_site::store::{BoutKind, SiteStore};
use axum::http::Method;
use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};
use prometheus::{TextEncoder, proto::MetricFamily};

use crate::rate::LimitedAction;

/// The limits of the histogram of requests, in seconds.
const SECONDS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// What is counted while a site runs, and what is measured at each scrape.
pub(crate) struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: Histogram,
    watchers: IntGauge,
    refused: IntCounterVec,
    games: IntCounterVec,
    scraped: Mutex<Scraped>,
}

/// The values set at each scrape.
struct Scraped {
    accounts: IntGauge,
    programs: IntGauge,
    versions: IntGauge,
    begun: IntCounter,
    running: IntGaugeVec,
    waiting: IntGaugeVec,
    oldest: IntGauge,
    storage: IntGaugeVec,
    workers: IntGauge,
    read_only: IntGauge,
}

/// A site's own values at a scrape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiteState {
    /// Games that can be played at once.
    pub workers: usize,
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// How much room there is.
    pub storage: Storage,
}

/// An open stream of events.
pub(crate) struct Watching(IntGauge);

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn entered<C: Collector + Clone + 'static>(registry: &Registry, made: prometheus::Result<C>) -> C {
    let made = made.expect("the name is valid");
    registry.register(Box::new(made.clone())).expect("the name is new");
    made
}

impl Default for Metrics {
    fn default() -> Self {
        let registry = Registry::new_custom(Some("agon".to_owned()), None).expect("the prefix is valid");
        let gauge = |name, help| entered(&registry, IntGauge::new(name, help));
        let gauges = |name, help, label| entered(&registry, IntGaugeVec::new(Opts::new(name, help), &[label]));
        let counters =
            |name, help, labels: &[&str]| entered(&registry, IntCounterVec::new(Opts::new(name, help), labels));
        let seconds = HistogramOpts::new("http_request_duration_seconds", "From a request to the head of its answer.");
        let seconds = Histogram::with_opts(seconds.buckets(SECONDS.to_vec()));
        Self {
            requests: counters("http_requests_total", "Answered requests.", &["method", "status"]),
            seconds: entered(&registry, seconds),
            watchers: gauge("watchers", "Open streams of events."),
            refused: counters("rate_limited_total", "Requests refused because there were too many.", &["action"]),
            games: counters("games_ended_total", "Games ended since the start, by how.", &["game", "kind", "end"]),
            scraped: Mutex::new(Scraped {
                accounts: gauge("accounts", "Accounts."),
                programs: gauge("programs", "Programs of users."),
                versions: gauge("versions", "Submitted versions."),
                begun: entered(&registry, IntCounter::new("games_total", "Games begun.")),
                running: gauges("games_running", "Games being played.", "kind"),
                waiting: gauges("submissions_waiting", "Versions that are not settled.", "state"),
                oldest: gauge(
                    "submission_oldest_seconds",
                    "How long the oldest version that is not settled has waited.",
                ),
                storage: gauges(
                    "storage_bytes",
                    "The data folder, its records, compiled programs, and what is free.",
                    "part",
                ),
                workers: gauge("workers", "Games that can be played at once."),
                read_only: gauge("read_only", "1 while nothing may be changed."),
            }),
            registry,
        }
    }
}

impl Metrics {
    pub(crate) fn answered(&self, method: &Method, status: u16, seconds: f64) {
        // Anybody can invent methods, and each would be a series for ever.
        let known = [Method::GET, Method::POST, Method::HEAD, Method::OPTIONS, Method::PUT, Method::DELETE];
        let method = if known.contains(method) { method.as_str() } else { "other" };
        self.requests.with_label_values(&[method, &status.to_string()]).inc();
        self.seconds.observe(seconds);
    }

    /// Counts a stream of events until the value is dropped.
    pub(crate) fn watch(&self) -> Watching {
        self.watchers.inc();
        Watching(self.watchers.clone())
    }

    /// Counts a request refused for its rate.
    pub(crate) fn refused(&self, action: LimitedAction) {
        self.refused.with_label_values(&[&format!("{action:?}")]).inc();
    }

    /// Counts a game that has ended; an aborted one does not count on the ladder.
    pub(crate) fn game_ended(&self, game: Game, kind: BoutKind, whole: bool) {
        let end = if whole { "complete" } else { "broken off" };
        self.games.with_label_values(&[game.name(), kind.name(), end]).inc();
    }

    /// All values in Prometheus's format.
    ///
    /// # Errors
    /// [`StoreError`] when the store fails.
    pub(crate) fn render(&self, site: &SiteState, store: &SiteStore) -> Result<String, StoreError> {
        let (counts, queue, running) = (store.counts()?, store.check_queue()?, store.running()?);
        let families: Vec<MetricFamily> = {
            let scraped = self.scraped.lock().unwrap_or_else(PoisonError::into_inner);
            scraped.accounts.set(counts.accounts as i64);
            scraped.programs.set(counts.programs as i64);
            scraped.versions.set(counts.versions as i64);
            scraped.begun.reset();
            scraped.begun.inc_by(counts.games);
            for kind in ["check", "ladder", "asked", "final"] {
                let playing = running.iter().filter(|bout| bout.kind.name() == kind).count();
                scraped.running.with_label_values(&[kind]).set(playing as i64);
            }
            scraped.waiting.with_label_values(&["queued"]).set(queue.queued.into());
            scraped.waiting.with_label_values(&["checking"]).set(queue.checking.into());
            scraped.oldest.set(queue.oldest.map_or(0, |oldest| (now() - oldest).max(0)));
            let storage = site.storage;
            let parts = [
                ("data", storage.data),
                ("records", storage.records),
                ("builds", storage.builds),
                ("free", storage.free),
            ];
            for (part, bytes) in parts {
                scraped.storage.with_label_values(&[part]).set(i64::try_from(bytes).unwrap_or(i64::MAX));
            }
            scraped.workers.set(site.workers as i64);
            scraped.read_only.set(site.read_only.into());
            self.registry.gather()
        };
        Ok(TextEncoder::new().encode_to_string(&families).expect("labels and values are text"))
    }
}
