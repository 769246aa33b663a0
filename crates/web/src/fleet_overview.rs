//! The state of the fleet that plays games for the site: for its page and for the API.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_arena::store::Quarantine;
use agon_fleet::DeadJob;
use agon_fleet::notice::{AuditCount, Measured, RunStatus, WorkerStatus};
use agon_queue::fleet::FleetLink;
use agon_site::store::SiteStore;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::SiteError;
use crate::site::{Site, SiteResult};

/// Why a worker takes no games of a kind.
#[derive(Serialize, ToSchema)]
#[schema(as = FleetRefusal)]
pub(crate) struct ApiFleetRefusal {
    /// The run, as `runs` names it.
    pub run: String,
    /// The reason, with the remedy.
    pub why: String,
}

/// A worker's measurements of its machine.
#[derive(Serialize, ToSchema)]
#[schema(as = FleetMachine)]
pub(crate) struct ApiFleetMachine {
    /// Nodes a second of a search that is the same everywhere.
    pub nodes_per_second: u64,
    /// Whether its games are bound to processors of their own.
    pub bound: bool,
    /// How late a sleeping thread woke up at worst, in milliseconds.
    pub late_ms: f64,
    /// The share of the time in which a busy program was not running.
    pub lost: f64,
}

/// A worker whose games count no longer.
#[derive(Serialize, ToSchema)]
#[schema(as = FleetQuarantine)]
pub(crate) struct ApiFleetQuarantine {
    /// Its name.
    pub worker: String,
    /// The reason.
    pub why: String,
    /// Since when, in seconds since 1970 (UTC); null of a series of another coordinator.
    pub since: Option<i64>,
}

/// A worker.
#[derive(Serialize, ToSchema)]
#[schema(as = FleetWorker)]
pub(crate) struct ApiFleetWorker {
    /// Its name.
    pub name: String,
    /// Its machine.
    pub host: String,
    /// Its version of Agon.
    pub agon: String,
    /// Games that it can play at once.
    pub slots: usize,
    /// Games that it plays.
    pub busy: usize,
    /// Games that it has played since it was started.
    pub played: u64,
    /// Games per minute.
    pub games_per_minute: f64,
    /// The jail of programs; null if it takes no programs.
    pub jail: Option<String>,
    /// The languages whose programs it can run.
    pub languages: Vec<String>,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its measurements of its machine; null until it has any.
    pub machine: Option<ApiFleetMachine>,
    /// Games by the clock that it has played.
    pub timed: u64,
    /// Those in which the machine has disturbed a clock.
    pub disturbed: u64,
    /// Its games that were played again, to check its results.
    pub audited: u64,
    /// Those that went differently.
    pub differed: u64,
    /// Whether it is finishing its games and leaving.
    pub draining: bool,
    /// Why it is leaving by itself, if it is.
    pub trouble: Option<String>,
    /// What it does not take, and why.
    pub refuses: Vec<ApiFleetRefusal>,
}

/// Games of one kind that are played by the fleet: of this site, or a series of another coordinator.
#[derive(Serialize, ToSchema)]
#[schema(as = FleetRun)]
pub(crate) struct ApiFleetRun {
    /// Its name.
    pub run: String,
    /// The machine that hands the games out.
    pub host: String,
    /// The kind of run.
    pub title: String,
    /// The game.
    pub game: String,
    /// Games that have been played.
    pub played: u64,
    /// Games that are handed out.
    pub out: usize,
    /// Games in a minute.
    pub games_per_minute: f64,
    /// What went wrong last.
    pub faults: Vec<String>,
}

/// An abandoned job.
#[derive(Serialize, ToSchema)]
#[schema(as = FleetDeadJob)]
pub(crate) struct ApiFleetDeadJob {
    /// The run.
    pub run: String,
    /// The game.
    pub game: String,
    /// The numbers of its games in the run; for a site's run, the site's numbers.
    pub games: Vec<u32>,
    /// The reason.
    pub why: String,
    /// The time, in seconds since 1970 (UTC).
    pub at: u64,
}

/// The fleet.
#[derive(Serialize, ToSchema)]
#[schema(as = Fleet)]
pub(crate) struct ApiFleet {
    /// The address of its server; null while it has not been reached.
    pub server: Option<String>,
    /// Why it plays nothing for this site, if it does not.
    pub idle: Option<String>,
    /// Games that all workers can play at once.
    pub slots: usize,
    /// Games that they play.
    pub busy: usize,
    /// Games in a minute.
    pub games_per_minute: f64,
    /// Seconds until everything handed out is played at that rate; null while nothing is.
    pub seconds_left: Option<f64>,
    /// The workers, by name.
    pub workers: Vec<ApiFleetWorker>,
    /// The runs in progress, by name.
    pub runs: Vec<ApiFleetRun>,
    /// What is wrong.
    pub faults: Vec<String>,
    /// The workers whose games count no longer, by name.
    pub quarantined: Vec<ApiFleetQuarantine>,
    /// Jobs abandoned in the last week, the latest at the end.
    pub given_up: Vec<ApiFleetDeadJob>,
}

impl From<Measured> for ApiFleetMachine {
    fn from(found: Measured) -> Self {
        let late_ms = found.late_us as f64 / 1000.0;
        Self { nodes_per_second: found.nodes_per_second, bound: found.bound, late_ms, lost: found.lost }
    }
}

impl ApiFleetWorker {
    /// A worker, and how many of its games have been played again.
    fn new(worker: WorkerStatus, audits: AuditCount) -> Self {
        Self {
            machine: worker.measured.map(Into::into),
            timed: worker.timed,
            disturbed: worker.disturbed,
            audited: audits.games,
            differed: audits.differed,
            trouble: worker.trouble,
            name: worker.worker,
            host: worker.host,
            agon: worker.agon,
            slots: worker.slots,
            busy: worker.busy,
            played: worker.played,
            games_per_minute: worker.per_minute,
            jail: worker.jail,
            languages: worker.languages,
            labels: worker.labels,
            draining: worker.draining,
            refuses: worker.refused.into_iter().map(|(run, why)| ApiFleetRefusal { run, why }).collect(),
        }
    }
}

impl From<RunStatus> for ApiFleetRun {
    fn from(run: RunStatus) -> Self {
        Self {
            run: run.run,
            host: run.host,
            title: run.title,
            game: run.game,
            played: run.played,
            out: run.out,
            games_per_minute: run.per_minute,
            faults: run.faults,
        }
    }
}

impl From<DeadJob> for ApiFleetDeadJob {
    fn from(job: DeadJob) -> Self {
        Self { run: job.run, game: job.game, games: job.slots, why: job.why, at: job.now_ms / 1000 }
    }
}

impl ApiFleet {
    /// The state of a site's fleet; not found if it has none.
    ///
    /// # Errors
    /// [`SiteError::NotFound`] when it has none.
    pub(crate) async fn read(site: &Arc<Site>) -> SiteResult<Self> {
        if site.options.fleet.is_none() {
            return Err(SiteError::NotFound);
        }
        let looking = Arc::clone(site);
        // The last holder of the fleet waits for its end, so drop it where waiting is allowed.
        let look = move || looking.queue.fleet.link().map(|link: Arc<FleetLink>| (link.at.clone(), link.overview()));
        let found = site.rooms.reads.run(move |_| look()).await?;
        let known = site.read(SiteStore::quarantined).await?;
        let mut quarantined = known
            .into_iter()
            .map(|(Quarantine { worker, why }, since)| ApiFleetQuarantine { worker, why, since: Some(since) })
            .collect::<Vec<_>>();
        let idle = site.queue.fleet.idle();
        let Some((server, overview)) = found else {
            return Ok(Self {
                server: None,
                idle,
                slots: 0,
                busy: 0,
                games_per_minute: 0.0,
                seconds_left: None,
                workers: Vec::new(),
                runs: Vec::new(),
                faults: Vec::new(),
                quarantined,
                given_up: Vec::new(),
            });
        };
        let mut audits: BTreeMap<String, AuditCount> = BTreeMap::new();
        for (worker, count) in overview.runs.iter().flat_map(|run| &run.audits) {
            let sum = audits.entry(worker.clone()).or_default();
            sum.games += count.games;
            sum.differed += count.differed;
        }
        let audits = |worker: &str| audits.get(worker).copied().unwrap_or_default();
        // Series of others have workers of their own in quarantine.
        for Quarantine { worker, why } in overview.runs.iter().flat_map(|run| &run.quarantined) {
            if quarantined.iter().all(|known| known.worker != *worker) {
                quarantined.push(ApiFleetQuarantine { worker: worker.clone(), why: why.clone(), since: None });
            }
        }
        quarantined.sort_by(|a, b| a.worker.cmp(&b.worker));
        Ok(Self {
            quarantined,
            server: Some(server),
            idle,
            slots: overview.slots,
            busy: overview.busy,
            games_per_minute: overview.per_minute,
            seconds_left: overview.left_s,
            workers: overview
                .workers
                .into_iter()
                .map(|worker| {
                    let audits = audits(&worker.worker);
                    ApiFleetWorker::new(worker, audits)
                })
                .collect(),
            runs: overview.runs.into_iter().map(Into::into).collect(),
            faults: overview.faults,
            given_up: overview.dead.into_iter().map(Into::into).collect(),
        })
    }
}
