//! The host's decisions when starting a site.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
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

    /// The address of a path as browsers reach it: without a `base_url` at the address where it listens, or, if it
    /// listens at all addresses, at that of this machine in its network.
    pub fn address(&self, path: &str) -> String {
        let own = || {
            let ip = self.listen.ip();
            let ip = if ip.is_unspecified() { outward().unwrap_or(ip) } else { ip };
            format!("http://{}", SocketAddr::new(ip, self.listen.port()))
        };
        format!("{}{path}", self.base_url.clone().unwrap_or_else(own).trim_end_matches('/'))
    }

    /// The address of a path for a link that someone passes on: without a `base_url`, under the name by which that
    /// person's browser reached the site, unless that is a name for this machine alone.
    pub fn address_from(&self, host: Option<&str>, path: &str) -> String {
        match host.filter(|host| self.base_url.is_none() && !is_loopback(host)) {
            Some(host) => format!("http://{host}{path}"),
            None => self.address(path),
        }
    }

    /// Whether a link of this address leads other machines to the site.
    pub fn reaches_others(address: &str) -> bool {
        let host = address.split_once("://").map_or(address, |(_, rest)| rest);
        !is_loopback(host.split('/').next().unwrap_or_default())
    }

    /// Whether browsers reach it through TLS.
    pub fn is_secure(&self) -> bool {
        self.base_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}

/// This machine's address in its network, by the route to an address that is reserved for examples; nothing is sent.
fn outward() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(("192.0.2.1", 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}

/// Whether a host, with or without a port, is a name for this machine alone.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let ip = name.parse::<IpAddr>();
    name == "localhost" || name.ends_with(".localhost") || ip.is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_where_others_reach_the_site() {
        let at = |listen: &str| SiteOptions::new(PathBuf::new(), listen.parse().unwrap());
        let own = at("127.0.0.1:8080");
        assert_eq!(own.address("/x"), "http://127.0.0.1:8080/x");
        assert_eq!(own.address_from(Some("localhost:8080"), "/x"), "http://127.0.0.1:8080/x");
        let open = at("0.0.0.0:8080");
        assert!(!open.address("/").contains("0.0.0.0") || outward().is_none(), "{}", open.address("/"));
        assert_eq!(open.address_from(Some("10.1.2.3:8080"), "/x"), "http://10.1.2.3:8080/x");
        assert_eq!(open.address_from(Some("class.example"), "/x"), "http://class.example/x");
        for host in ["localhost", "127.0.0.1:8080", "[::1]:8080", "0.0.0.0:8080"] {
            assert_eq!(open.address_from(Some(host), "/x"), open.address("/x"), "{host}");
        }
        let named = SiteOptions { base_url: Some("https://agon.example.org/".into()), ..open };
        assert_eq!(named.address_from(Some("10.1.2.3:8080"), "/x"), "https://agon.example.org/x");
        for (address, wanted) in [
            ("http://127.0.0.1:8080/recover/x", false),
            ("http://[::1]:8080", false),
            ("http://10.1.2.3:8080", true),
            ("https://agon.example.org/join/x", true),
        ] {
            assert_eq!(SiteOptions::reaches_others(address), wanted, "{address}");
        }
    }
}
