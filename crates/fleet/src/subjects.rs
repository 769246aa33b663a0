//! What the server holds for a fleet, and the subjects of its messages.
//!
//! | subject | message | kept in |
//! |---|---|---|
//! | `agon.jobs.RUN` | a job | stream `AGON_JOBS`, until it is done |
//! | `agon.dead.RUN` | a job that was given up, and why | stream `AGON_DEAD`, for a week |
//! | `agon.run.RUN` | every second: the status of a run | |
//! | `agon.drain.NAME` | has the worker finish its games and stop | |
//! | `agon.ask` | asks every worker and run for its status | |
//! | `agon.by.USER.results.RUN` | the record of a slot | stream `AGON_RESULTS`, until its coordinator has stored it |
//! | `agon.by.USER.record.TOKEN.PART` | a part of a record that is too long for a message | stream `AGON_RECORDS` |
//! | `agon.by.USER.began.RUN` | which slot a worker begins | |
//! | `agon.by.USER.move.RUN` | a move of a site's game, for its spectators | |
//! | `agon.by.USER.status.NAME` | every second: the status of a worker | |
//!
//! All that a worker publishes stands below `agon.by.USER`, so that a server can see to it that no one publishes as
//! another user.
//!
//! The object store `agon` has the notice of each run (`run.RUN`) and programs by the digest of their sources
//! (`program.SHA256`); only those who hand out games write to it.

use std::time::Duration;

use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{Context, object_store};

pub const JOBS: &str = "AGON_JOBS";
pub const RESULTS: &str = "AGON_RESULTS";
/// The stream of jobs that were given up.
pub const DEAD: &str = "AGON_DEAD";
/// The stream of records that are too long for a message.
pub const RECORDS: &str = "AGON_RECORDS";
pub const OBJECTS: &str = "agon";
/// Asks every worker and run for its status.
pub const ASK: &str = "agon.ask";
pub const RUNS: &str = "agon.run.*";
pub const WORKERS: &str = "agon.by.*.status.*";
/// Where workers of agon 0.2 and older publish their status.
pub const OLD_WORKERS: &str = "agon.worker.*";

const A_DAY: Duration = Duration::from_hours(24);

/// How long jobs and results of runs without a coordinator are kept.
const MAX_QUEUE_AGE: Duration = A_DAY.saturating_mul(7);

const MAX_OBJECT_AGE: Duration = A_DAY.saturating_mul(30);

/// Sent twice within this time, a message is kept once.
const DUPLICATE_WINDOW: Duration = Duration::from_mins(2);

/// The bytes of long records that are kept; the oldest ones go first.
const MAX_RECORDS_BYTES: i64 = 2 << 30;

/// The bytes of results that are kept, of runs without a coordinator and of those that never were; the oldest ones go
/// first, and their games are played again.
const MAX_RESULTS_BYTES: i64 = 2 << 30;

/// The number of results that are kept.
const MAX_RESULTS: i64 = 2_000_000;

/// The number of given up jobs that are kept.
const MAX_DEAD: i64 = 10_000;

pub fn jobs(run: &str) -> String {
    format!("agon.jobs.{run}")
}

/// The results of a run, of one user or, with `*`, of all.
pub fn results(user: &str, run: &str) -> String {
    format!("agon.by.{user}.results.{run}")
}

/// A part of a long record, or with `*` all parts.
pub fn record(user: &str, token: &str, part: &str) -> String {
    format!("agon.by.{user}.record.{token}.{part}")
}

pub fn dead(run: &str) -> String {
    format!("agon.dead.{run}")
}

pub fn run(run: &str) -> String {
    format!("agon.run.{run}")
}

pub fn began(user: &str, run: &str) -> String {
    format!("agon.by.{user}.began.{run}")
}

pub fn moves(user: &str, run: &str) -> String {
    format!("agon.by.{user}.move.{run}")
}

pub fn worker(user: &str, name: &str) -> String {
    format!("agon.by.{user}.status.{name}")
}

/// The user who has published a message; its server has checked that.
pub fn user(subject: &str) -> Option<&str> {
    subject.strip_prefix("agon.by.")?.split('.').next()
}

pub fn drain(name: &str) -> String {
    format!("agon.drain.{name}")
}

/// The subject on which the server reports that a job was delivered too often.
pub(crate) fn given_up(run: &str) -> String {
    format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{JOBS}.{run}")
}

/// The object with the notice of a run.
pub(crate) fn notice(run: &str) -> String {
    format!("run.{run}")
}

/// Makes the streams and the object store that are not there, one after another: servers of version 2.9 have hung over
/// streams made at once. An error says what the server did not do, and why.
pub(crate) async fn ensure(context: &Context) -> Result<(), (&'static str, String)> {
    let queue = |name: &str, subject: &str| Config {
        name: name.to_owned(),
        subjects: vec![subject.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age: MAX_QUEUE_AGE,
        duplicate_window: DUPLICATE_WINDOW,
        num_replicas: 1,
        ..Config::default()
    };
    let dead = Config {
        retention: RetentionPolicy::Limits,
        discard: DiscardPolicy::Old,
        max_messages: MAX_DEAD,
        ..queue(DEAD, "agon.dead.*")
    };
    let results = Config {
        discard: DiscardPolicy::Old,
        max_bytes: MAX_RESULTS_BYTES,
        max_messages: MAX_RESULTS,
        ..queue(RESULTS, &results("*", "*"))
    };
    let records = Config {
        retention: RetentionPolicy::Limits,
        discard: DiscardPolicy::Old,
        max_bytes: MAX_RECORDS_BYTES,
        ..queue(RECORDS, &record("*", "*", "*"))
    };
    for mut config in [queue(JOBS, "agon.jobs.*"), results, records, dead] {
        let made = context.get_or_create_stream(config.clone()).await;
        let made = made.map_err(|error| ("make a stream", error.to_string()))?;
        // Earlier versions had other subjects, whose results stay, and other limits.
        let before = &made.cached_info().config;
        // What is not limited is −1 on the server.
        let limits = |config: &Config| (config.max_bytes.max(0), config.max_messages.max(0));
        if limits(before) != limits(&config) || !config.subjects.iter().all(|subject| before.subjects.contains(subject))
        {
            let earlier = before.subjects.iter().filter(|subject| !config.subjects.contains(subject)).cloned();
            config.subjects.extend(earlier.collect::<Vec<_>>());
            let updated = context.update_stream(&config).await;
            updated.map_err(|error| ("change a stream", error.to_string()))?;
        }
    }
    if context.get_object_store(OBJECTS).await.is_err() {
        let config = object_store::Config {
            bucket: OBJECTS.to_owned(),
            max_age: MAX_OBJECT_AGE,
            num_replicas: 1,
            ..Default::default()
        };
        let made = context.create_object_store(config).await;
        made.map_err(|error| ("make an object store", error.to_string()))?;
    }
    Ok(())
}
