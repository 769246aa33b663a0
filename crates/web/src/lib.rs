//! An arena on the web: people sign up, submit programs, and watch them climb a ladder that plays by itself.
//!
//! ```text
//! browser ── agon_boards::listen ── router ── auth ── pages, api ── site ── agon_site::store
//!                                                                    │           │
//!                            live ── server-sent events ── agon_queue (threads) ─┘
//! ```
//!
//! A request never waits for a game: checks are queued in the store, and worker threads of [`agon_queue`] take them
//! from there. A game in progress is a log of events ([`agon_boards::viewer`] draws it), which any number of browsers
//! follow. All SQL is in [`agon_site::store`]; everything about one site is in one folder.

pub mod api;
mod archive;
mod auth;
mod bodies;
mod by_hand;
mod cache;
mod changes;
mod download;
mod error;
mod evaluation;
mod failures;
mod featured;
mod fleet_overview;
mod games;
mod layout;
mod limits;
mod live;
mod log;
mod metrics;
mod once;
mod options;
mod own_rules;
mod pages;
mod passwords;
mod pending;
mod privacy;
pub mod problem;
mod rate;
mod refusals;
mod requests;
mod router;
mod routes;
mod shared;
mod site;
mod submissions;
#[cfg(test)]
mod tests;
mod upkeep;
mod visitor;

use std::io;
use std::sync::Arc;

use agon_arena::store::StoreError;
use agon_boards::board::FolderError;
use agon_boards::limits::outside;
use agon_boards::listen::{self, Crowd, ListenError};
use agon_fleet::FleetError;
use agon_queue::play;
use agon_queue::processors::Division;
use agon_site::accounts::set_address;
use agon_site::clock;
use agon_site::secret;
use agon_site::store::SiteInvitation;
use tokio::signal::unix::{SignalKind, signal};

pub use agon_queue::FleetOptions;
pub use archive::export_static;
use limits::SiteRooms;
pub use limits::table as limits_table;
pub use options::{LogFormat, SiteOptions};
pub use own_rules::{kept_files as rules_files, kept_versions as rules_versions, restore_rules};
use site::Site;

/// The log's filter unless the environment sets another one; the site itself logs the state of the fleet's server.
const FILTER: &str = "info,async_nats=off";

/// How long the link for the first administrator is valid, in seconds: a day.
const FIRST_LINK: i64 = 86_400;

/// Why a site does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Listen(#[from] ListenError),
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
    #[error(transparent)]
    Fleet(#[from] FleetError),
    #[error(transparent)]
    Boards(#[from] FolderError),
    #[error("no private competition has the address `{slug}`; {known}")]
    NotPrivate { slug: String, known: String },
}

/// Runs a site until SIGINT, SIGTERM or SIGHUP; a second signal aborts the games in progress. `started` gets the
/// address of the site and, while it has no administrator, a link that creates one.
///
/// # Errors
/// [`ServeError`] when it cannot start.
pub fn serve(options: SiteOptions, started: impl FnOnce(&str, Option<&str>)) -> Result<(), ServeError> {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| FILTER.into());
    // One that is set already stays.
    let _ = tracing::subscriber::set_global_default(log::subscriber(options.log, filter, io::stderr));
    for warning in &options.warnings {
        tracing::warn!("{warning}");
    }
    let mut fleet = match &options.fleet {
        Some(terms) => play::connect(terms)?,
        None => None,
    };
    // This thread renders no pages: it starts the threads that play, which must be free to take their processors.
    let division = Division::of_thread(options.workers);
    let rooms = SiteRooms::new(division.pages.len()).threads();
    let runtime = division.runtime(rooms)?;
    runtime.block_on(async {
        let address = options.listen;
        let listener = listen::bind(address).await?;
        // Port 0 is any free one.
        let options = SiteOptions { listen: listener.local_addr()?, ..options };
        let site = Site::open(options)?;
        let link = first_link(&site)?;
        // For the command line, which creates links.
        set_address(&mut site.writer(), &site.options.address(""))?;
        upkeep::measure(&site)?;
        let (workers, upkeep) = (play::start(&site.queue, fleet.take()), upkeep::start(&site));
        watch_signals(&site)?;
        started(&site.options.address("/"), link.as_deref());
        let router = router::router(&site);
        let stopping = site.queue.signals.stopping.subscribe();
        let crowd = if site.options.behind_proxy { Crowd::of_proxy() } else { Crowd::default() };
        let served = tokio::spawn(async move { listen::serve(stopping, listener, router, crowd).await });
        served.await.map_err(io::Error::other)?;
        let joined = move || {
            workers.join();
            // Its panic is already in the log.
            let _ = upkeep.join();
        };
        outside(joined).await.map_err(io::Error::other)?;
        Ok(())
    })
}

/// A link that creates an administrator, while there is none. The one of an earlier start is withdrawn.
fn first_link(site: &Site) -> Result<Option<String>, StoreError> {
    let mut store = site.writer();
    if store.has_host()? {
        return Ok(None);
    }
    store.delete_host_invitations()?;
    let (word, now) = (secret::word(), clock::now());
    let note = "the first administrator".to_owned();
    let invitation = SiteInvitation { id: 0, note, host: true, uses: 1, expires: now + FIRST_LINK, competition: None };
    store.add_invitation(&secret::digest(&word), &invitation, now)?;
    Ok(Some(site.options.address(&format!("/join/{word}"))))
}

fn watch_signals(site: &Arc<Site>) -> io::Result<()> {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [mut interrupt, mut terminate, mut hangup] = [signal(kinds[0])?, signal(kinds[1])?, signal(kinds[2])?];
    let site = Arc::clone(site);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            if site.queue.is_stopping() {
                agon_referee::process::interrupt();
            } else {
                tracing::info!("stopping: the games that are being played may end");
                site.stop();
            }
        }
    });
    Ok(())
}
