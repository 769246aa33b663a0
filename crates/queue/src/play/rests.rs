//! Requested games that could not be begun.

use std::time::{Duration, Instant};

/// How long a requested game rests that could not be begun; twice as long after each further failure.
const ASKED_REST: Duration = Duration::from_mins(1);

/// How often that doubles.
const MAX_DOUBLINGS: u32 = 6;

/// A game that could not be begun, and is tried again later: others are played meanwhile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    failures: u32,
    pub until: Instant,
}

impl Rest {
    pub(super) fn after(before: Option<Self>, now: Instant) -> Self {
        let failures = before.map_or(0, |rest| rest.failures) + 1;
        Self { failures, until: now + ASKED_REST * (1 << (failures - 1).min(MAX_DOUBLINGS)) }
    }
}
