//! The host's decisions about what a site plays.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use agon_fleet::{NatsOptions, Timing};
use agon_referee::limits::GameLimits;
use agon_referee::signing::PrivateKey;

/// The fleet that plays games for a site.
#[derive(Clone, Debug)]
pub struct FleetOptions {
    pub nats: NatsOptions,
    /// Labels that its workers must have.
    pub labels: Vec<String>,
    /// Which share of the games is played again, to detect workers that report false results.
    pub audit: f64,
    /// The key that signs the jobs, so that workers know whose they are.
    pub key: PrivateKey,
    /// The public keys of the workers whose games count; `None` for everyone whom the server admits.
    pub workers: Option<BTreeSet<String>>,
    pub timing: Timing,
}

#[derive(Clone, Debug)]
pub struct QueueOptions {
    /// The store of accounts, programs and games.
    pub store: PathBuf,
    /// The folder of sources while they are compiled.
    pub compiling: PathBuf,
    /// How many games are played here at once; 0 for a site that only shows, or whose fleet plays.
    pub workers: usize,
    /// The fleet that also plays games.
    pub fleet: Option<FleetOptions>,
    /// The limits of every game.
    pub limits: GameLimits,
    /// How long a game without a clock of its own runs before its worker checks whether something else comes first.
    pub slice: Duration,
    /// Whether everything may be read and nothing changed, whatever the host's page says.
    pub read_only: bool,
}
