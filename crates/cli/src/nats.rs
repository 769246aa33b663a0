//! The server of a fleet: `--nats`.

use std::path::PathBuf;

use agon_fleet::{DEFAULT_AUDIT, Fleet, NatsOptions};
use clap::Args;

/// Access to a NATS server.
#[derive(Args, Clone, Debug)]
pub struct NatsAccess {
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

pub const FLEET: &str = "Options for a fleet";

impl NatsAccess {
    /// Connects to a server under a name that it shows among its connections.
    ///
    /// # Errors
    /// If it cannot be reached, with the remedy.
    pub fn connect(&self, url: &str, name: &str) -> anyhow::Result<Fleet> {
        Ok(Fleet::connect(&self.options(url), name)?)
    }

    pub fn options(&self, url: &str) -> NatsOptions {
        NatsOptions { url: url.to_owned(), key: self.nats_key.clone(), authority: self.nats_ca.clone() }
    }
}

/// The fleet that plays the games of a series.
#[derive(Args, Clone, Debug)]
pub struct FleetArgs {
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
}

/// A share in percent.
pub fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    percent
        .filter(|number| (0.0..=100.0).contains(number))
        .map(|number| number / 100.0)
        .ok_or_else(|| "a share from `0%` to `100%` expected".to_owned())
}

impl FleetArgs {
    /// The share of the games that is played again.
    pub fn audit(&self) -> f64 {
        self.audit.unwrap_or(DEFAULT_AUDIT)
    }

    /// Whether the games are played here.
    pub const fn is_none(&self) -> bool {
        self.nats.is_none()
    }

    /// Connects, if a server is named.
    ///
    /// # Errors
    /// As [`NatsAccess::connect`].
    pub fn connect(&self) -> anyhow::Result<Option<Fleet>> {
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
