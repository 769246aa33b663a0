//! The host's decisions when starting a site.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use agon_queue::{FleetOptions, QueueOptions};
use agon_referee::limits::GameLimits;
use agon_site::store::{Retention, SubmissionLimits};

/// The format of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LogFormat {
    #[default]
    Text,
    /// An object of JSON in each line.
    Json,
}

#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The folder of the store.
    pub data: PathBuf,
    /// The program that checks rules that a host uploads: `agon`.
    pub program: PathBuf,
    pub listen: SocketAddr,
    /// The address under which browsers reach it, if different: `https://agon.example.org`.
    pub base_url: Option<String>,
    /// Whether it is behind a reverse proxy, which gives the client's address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// How many games are played here at once; 0 for a site that only shows, or whose fleet plays.
    pub workers: usize,
    /// The fleet that also plays games.
    pub fleet: Option<FleetOptions>,
    /// The limits of every game.
    pub limits: GameLimits,
    /// How much one account may submit.
    pub submissions: SubmissionLimits,
    /// How long a game without a clock of its own runs before its worker checks whether something else comes first.
    pub slice: Duration,
    /// Games of a program that its author may request within a day.
    pub asked_daily: u32,
    pub retention: Retention,
    /// The maximum size of the data folder, in bytes.
    pub disk_quota: Option<u64>,
    /// With less than this free on its disk, in bytes, nothing new is accepted.
    pub disk_free: u64,
    /// The maximum size of all compiled programs together, in bytes.
    pub builds_size: u64,
    /// Whether everything may be read and nothing changed, whatever the host's page says.
    pub read_only: bool,
    /// Whether administrators must sign in with a code in addition to the password.
    pub require_totp: bool,
    /// The format of the log.
    pub log: LogFormat,
    /// The first messages of the log.
    pub warnings: Vec<String>,
}

impl SiteOptions {
    /// A site with its data in this folder, at this address, with the limits of ALPHANO.
    pub fn new(data: PathBuf, listen: SocketAddr) -> Self {
        Self {
            data,
            program: std::env::current_exe().unwrap_or_else(|_| "agon".into()),
            listen,
            base_url: None,
            behind_proxy: false,
            workers: 1,
            fleet: None,
            limits: GameLimits::default(),
            submissions: SubmissionLimits { daily: 50, programs: 5, waiting: 3 },
            slice: Duration::from_secs(5),
            asked_daily: 100,
            retention: Retention::default(),
            disk_quota: None,
            disk_free: 256 << 20,
            builds_size: 4 << 30,
            read_only: false,
            require_totp: false,
            log: LogFormat::default(),
            warnings: Vec::new(),
        }
    }

    /// What its queue of games needs of it.
    pub(crate) fn queue(&self) -> QueueOptions {
        QueueOptions {
            store: self.store(),
            compiling: self.data.join("compiling"),
            workers: self.workers,
            fleet: self.fleet.clone(),
            limits: self.limits,
            slice: self.slice,
            read_only: self.read_only,
        }
    }

    /// The store of accounts, programs and games.
    pub fn store(&self) -> PathBuf {
        self.data.join("site.db")
    }

    /// The folder of rules that a host has uploaded: games of the site from its next start on.
    pub fn rules_folder(&self) -> PathBuf {
        self.data.join("rules")
    }

    /// The address of a path as browsers reach it.
    pub fn address(&self, path: &str) -> String {
        let base = self.base_url.clone().unwrap_or_else(|| format!("http://{}", self.listen));
        format!("{}{path}", base.trim_end_matches('/'))
    }

    /// Whether browsers reach it through TLS.
    pub fn is_secure(&self) -> bool {
        self.base_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}
