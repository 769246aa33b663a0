//! The server of a fleet: `--nats`.

use std::collections::BTreeSet;
use std::env;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use agon_fleet::{DEFAULT_AUDIT, Fleet, NatsOptions, Timing, worker_keys};
use agon_referee::folders;
use agon_referee::signing::PrivateKey;
use anyhow::Context;
use clap::Args;

/// Access to a NATS server.
#[derive(Args, Clone, Debug)]
pub(crate) struct NatsAccess {
    #[arg(
        help = "File with the seed of the NKey that identifies you to the NATS server",
        long,
        value_name = "FILE",
        help_heading = FLEET,
        requires = "nats"
    )]
    nats_key: Option<PathBuf>,

    /// File with certificates of authorities to trust besides the system's
    #[arg(long, value_name = "FILE", help_heading = FLEET, requires = "nats")]
    nats_ca: Option<PathBuf>,
}

pub(crate) const FLEET: &str = "Options for a fleet";

impl NatsAccess {
    /// Connects to a server as one who hands out games, under a name that it shows among its connections.
    ///
    /// # Errors
    /// If it cannot be reached, with the remedy.
    pub(crate) fn connect(&self, url: &str, name: &str) -> anyhow::Result<Fleet> {
        Ok(Fleet::connect(&self.options(url), name)?)
    }

    /// The same as a worker, whose own key is in this file unless the server knows it by another one, or to look.
    ///
    /// # Errors
    /// As [`Self::connect`].
    pub(crate) fn join(&self, url: &str, name: &str, own_key: Option<&Path>) -> anyhow::Result<Fleet> {
        Ok(Fleet::join(&self.options(url), name, own_key)?)
    }

    pub(crate) fn options(&self, url: &str) -> NatsOptions {
        NatsOptions {
            url: url.to_owned(),
            key: self.nats_key.clone(),
            authority: self.nats_ca.clone(),
            ping: timing().ping,
        }
    }
}

/// The keys of those who hand out games.
#[derive(Args, Clone, Debug)]
pub(crate) struct SigningArgs {
    #[arg(
        help = "File with the private key that signs the jobs; workers are started with its public half (--trust) \
                [default: fleet.key among your state files, made if missing]",
        long,
        value_name = "FILE",
        help_heading = FLEET,
        requires = "nats"
    )]
    fleet_key: Option<PathBuf>,

    /// Take games only from workers whose public keys this file lists [default: any worker on the server]
    #[arg(long, value_name = "FILE", help_heading = FLEET, requires = "nats")]
    worker_keys: Option<PathBuf>,
}

impl SigningArgs {
    /// The key that signs jobs, else that in the file `default`, which is made if it is not there.
    ///
    /// # Errors
    /// If the file holds none, or cannot be made.
    pub(crate) fn key(&self, default: &Path) -> anyhow::Result<PrivateKey> {
        fleet_key(self.fleet_key.as_deref(), default)
    }

    /// The public keys of the workers whose games count; `None` for all.
    ///
    /// # Errors
    /// If the file cannot be read, or a line of it is no key.
    pub(crate) fn workers(&self) -> anyhow::Result<Option<BTreeSet<String>>> {
        Ok(self.worker_keys.as_deref().map(worker_keys).transpose()?)
    }
}

/// The key of a file that the user named, which must be there, else that in the file `default`.
///
/// # Errors
/// As [`SigningArgs::key`].
pub(crate) fn fleet_key(named: Option<&Path>, default: &Path) -> anyhow::Result<PrivateKey> {
    match named {
        Some(path) => Ok(PrivateKey::read(&path.to_string_lossy())?),
        None => Ok(PrivateKey::read_or_new(default)?),
    }
}

/// A file among the user's state files, in a folder that is made if it is not there.
///
/// # Errors
/// If the folder cannot be made.
pub(crate) fn state_file(name: &str) -> anyhow::Result<PathBuf> {
    let folder = folders::state()?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.with_context(|| format!("cannot make the folder `{}`; name another one in AGON_STATE", folder.display()))?;
    Ok(folder.join(name))
}

/// By which number all times of a fleet are divided. For tests alone: workers and coordinators with different numbers
/// take each other to be gone.
const TIMING_DIVISOR: &str = "AGON_TIMING_DIVISOR";

/// How long workers and coordinators wait for each other.
pub(crate) fn timing() -> Timing {
    let divisor = env::var(TIMING_DIVISOR).ok().and_then(|text| text.parse().ok());
    divisor.map_or_else(Timing::default, Timing::scaled)
}

/// The fleet that plays the games of a series.
#[derive(Args, Clone, Debug)]
pub(crate) struct FleetArgs {
    /// Let the workers of this NATS server play the games (see `agon worker`)
    #[arg(long, value_name = "URL", help_heading = FLEET, conflicts_with_all = ["jobs", "affinity", "force"])]
    nats: Option<String>,

    /// Use only workers with all of these labels
    #[arg(long, value_name = "LABELS", value_delimiter = ',', help_heading = FLEET, requires = "nats")]
    pub labels: Vec<String>,

    /// Play this share of the games again, to detect workers that report games they did not play [default: 2%]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = FLEET, requires = "nats")]
    audit: Option<f64>,

    #[command(flatten)]
    access: NatsAccess,

    #[command(flatten)]
    signing: SigningArgs,
}

/// The name of the file with the key that signs jobs.
pub(crate) const FLEET_KEY: &str = "fleet.key";

/// A share in percent.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    percent
        .filter(|number| (0.0..=100.0).contains(number))
        .map(|number| number / 100.0)
        .ok_or_else(|| "a share from `0%` to `100%` expected".to_owned())
}

impl FleetArgs {
    /// The share of the games that is played again.
    pub(crate) fn audit(&self) -> f64 {
        self.audit.unwrap_or(DEFAULT_AUDIT)
    }

    /// The key that signs the jobs.
    ///
    /// # Errors
    /// As [`SigningArgs::key`].
    pub(crate) fn key(&self) -> anyhow::Result<PrivateKey> {
        self.signing.key(&state_file(FLEET_KEY)?)
    }

    /// As [`SigningArgs::workers`].
    ///
    /// # Errors
    /// As [`SigningArgs::workers`].
    pub(crate) fn workers(&self) -> anyhow::Result<Option<BTreeSet<String>>> {
        self.signing.workers()
    }

    /// Whether the games are played here.
    pub(crate) const fn is_none(&self) -> bool {
        self.nats.is_none()
    }

    /// Connects, if a server is named.
    ///
    /// # Errors
    /// As [`NatsAccess::connect`].
    pub(crate) fn connect(&self) -> anyhow::Result<Option<Fleet>> {
        self.nats.as_ref().map(|url| self.access.connect(url, "agon")).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_in_percent() {
        for (text, wanted) in [("2%", 0.02), ("0%", 0.0), ("100%", 1.0), ("0.5 %", 0.005)] {
            assert!((share(text).unwrap() - wanted).abs() < 1e-9, "{text}");
        }
        for text in ["", "2", "%", "-1%", "101%", "NaN%", "inf%", "two%"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
