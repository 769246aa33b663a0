//! Requirements of a run for its workers.

use std::collections::BTreeSet;

use agon_referee::signing::PrivateKey;

use crate::timing::Timing;

/// The share of games that is played again by default.
pub const DEFAULT_AUDIT: f64 = 0.02;

/// Requirements of a coordinator for its workers, and their audits.
#[derive(Clone, Debug)]
pub struct RunTerms {
    pub processors: usize,
    /// Labels that a worker must have.
    pub labels: Vec<String>,
    pub timing: Timing,
    /// The key that signs proved records, if any.
    pub sign: Option<PrivateKey>,
    /// Key that signs the run and its jobs, by which workers identify it; a new one if `None`.
    pub key: Option<PrivateKey>,
    /// The public keys of the workers whose games count; `None` for everyone whom the server admits.
    pub workers: Option<BTreeSet<String>>,
    /// Share of the games that is replayed, to detect workers that report games they did not play.
    pub audit: f64,
}

impl Default for RunTerms {
    fn default() -> Self {
        Self {
            processors: 1,
            labels: Vec::new(),
            timing: Timing::default(),
            sign: None,
            key: None,
            workers: None,
            audit: DEFAULT_AUDIT,
        }
    }
}
