//! What the server holds for a fleet, and the subjects of its messages.
//!
//! | subject | message | kept in |
//! |---|---|---|
//! | `agon.jobs.RUN` | a job | stream `AGON_JOBS`, until it is done |
//! | `agon.results.RUN` | the record of a slot | stream `AGON_RESULTS`, until its coordinator has stored it |
//! | `agon.dead.RUN` | a job that was given up, and why | stream `AGON_DEAD`, for a week |
//! | `agon.run.RUN` | every second: how a run stands | |
//! | `agon.began.RUN` | which slot a worker begins | |
//! | `agon.move.RUN` | a move of a game of a site, for those who watch it | |
//! | `agon.worker.NAME` | every second: how a worker stands | |
//! | `agon.ask` | whoever hears it tells at once how it stands | |
//! | `agon.drain.NAME` | the worker finishes its games and goes | |
//!
//! The object store `agon` has the notice of each run (`run.RUN`), programs by the digest of their sources
//! (`program.SHA256`) and records that are too long for a message (`record.…`).

use std::time::Duration;

use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{Context, object_store};

pub const JOBS: &str = "AGON_JOBS";
pub const RESULTS: &str = "AGON_RESULTS";
/// The stream of jobs that were given up.
pub const DEAD: &str = "AGON_DEAD";
pub const OBJECTS: &str = "agon";
/// Whoever hears it tells at once how it stands.
pub const ASK: &str = "agon.ask";
pub const RUNS: &str = "agon.run.*";
pub const WORKERS: &str = "agon.worker.*";

const A_DAY: Duration = Duration::from_hours(24);

/// How long jobs and results are kept of runs that nobody goes on with.
const LEFT: Duration = A_DAY.saturating_mul(7);

/// How long objects are kept.
const OBJECTS_KEPT: Duration = A_DAY.saturating_mul(30);

/// Sent twice within this time, a message is kept once.
const DUPLICATES: Duration = Duration::from_mins(2);

/// The most jobs that were given up which are kept.
const MOST_DEAD: i64 = 10_000;

/// The subject of a run's jobs.
pub fn jobs(run: &str) -> String {
    format!("agon.jobs.{run}")
}

/// The subject of a run's results.
pub fn results(run: &str) -> String {
    format!("agon.results.{run}")
}

/// The subject of a run's jobs that were given up.
pub fn dead(run: &str) -> String {
    format!("agon.dead.{run}")
}

/// The subject on which a run says how it stands.
pub fn run(run: &str) -> String {
    format!("agon.run.{run}")
}

/// The subject on which workers say what they begin.
pub fn began(run: &str) -> String {
    format!("agon.began.{run}")
}

/// The subject on which workers tell the moves of a site's games.
pub fn moves(run: &str) -> String {
    format!("agon.move.{run}")
}

/// The subject on which a worker says how it stands.
pub fn worker(name: &str) -> String {
    format!("agon.worker.{name}")
}

/// The subject on which a worker is told to finish and go.
pub fn drain(name: &str) -> String {
    format!("agon.drain.{name}")
}

/// The subject on which the server says that a job has been handed out too often.
pub(crate) fn given_up(run: &str) -> String {
    format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{JOBS}.{run}")
}

/// The object with the notice of a run.
pub(crate) fn notice(run: &str) -> String {
    format!("run.{run}")
}

/// Makes what is not there. One after the other: servers of version 2.9 have hung over streams made at once.
///
/// # Errors
/// What the server did not do, and why.
pub(crate) async fn ensure(context: &Context) -> Result<(), (&'static str, String)> {
    let queue = |name: &str, subject: &str| Config {
        name: name.to_owned(),
        subjects: vec![subject.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age: LEFT,
        duplicate_window: DUPLICATES,
        num_replicas: 1,
        ..Config::default()
    };
    let dead = Config {
        retention: RetentionPolicy::Limits,
        discard: DiscardPolicy::Old,
        max_messages: MOST_DEAD,
        ..queue(DEAD, "agon.dead.*")
    };
    for config in [queue(JOBS, "agon.jobs.*"), queue(RESULTS, "agon.results.*"), dead] {
        let made = context.get_or_create_stream(config).await;
        made.map_err(|error| ("make a stream", error.to_string()))?;
    }
    if context.get_object_store(OBJECTS).await.is_err() {
        let config = object_store::Config {
            bucket: OBJECTS.to_owned(),
            max_age: OBJECTS_KEPT,
            num_replicas: 1,
            ..Default::default()
        };
        let made = context.create_object_store(config).await;
        made.map_err(|error| ("make an object store", error.to_string()))?;
    }
    Ok(())
}
