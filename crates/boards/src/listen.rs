//! The connections of browsers.

use std::io::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt as _;

use crate::limits::LimitedActor;
use crate::limits::{
    Bound, CONNECTIONS, CROWDED_HEADERS_TIMEOUT, Full, HEADERS_TIMEOUT, MAX_HEAD_BYTES, NETWORK_CONNECTIONS, Place,
    Places, SEND_TIMEOUT,
};

/// How long running requests may take when the site stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

/// The answer to a client whose address has too many connections.
const CROWDED: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 30\r\ncontent-type: text/plain\r\n\
    content-length: 48\r\nconnection: close\r\n\r\nToo many connections from your address at once.\n";

/// How many connections each address and network has.
pub struct Crowd {
    addresses: Places,
    networks: Places,
    /// How many there are in all: others wait in the system's queue.
    all: usize,
    /// How long a client may leave sent bytes unread.
    send_timeout: Duration,
}

impl Default for Crowd {
    fn default() -> Self {
        Self::new(CONNECTIONS, NETWORK_CONNECTIONS, SEND_TIMEOUT)
    }
}

impl Crowd {
    pub fn new(addresses: Bound, networks: Bound, send_timeout: Duration) -> Self {
        let all = addresses.all;
        Self { addresses: Places::new(addresses), networks: Places::new(networks), all, send_timeout }
    }

    /// Behind a proxy all connections come from one address.
    pub fn of_proxy() -> Self {
        let bound = Bound { each: CONNECTIONS.all, ..CONNECTIONS };
        Self::new(bound, bound, SEND_TIMEOUT)
    }

    fn enter(&self, address: IpAddr) -> Result<[Place; 2], Full> {
        Ok([
            self.addresses.take(LimitedActor::at(address), 1)?,
            self.networks.take(LimitedActor::network_of(address), 1)?,
        ])
    }
}

/// Serves until `stopping` is true.
pub async fn serve(mut stopping: watch::Receiver<bool>, listener: TcpListener, router: Router, crowd: Crowd) {
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(crowd.all));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopping.wait_for(|stopping| *stopping) => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, as a rule: others are closed meanwhile.
                tracing::warn!("a connection was not accepted: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(places) = crowd.enter(peer.ip()) else {
            refuse(stream);
            continue;
        };
        let _ = stream.set_nodelay(true);
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, crowd.send_timeout.as_millis() as u32);
        let service = router.clone().map_request(move |mut request: Request<_>| {
            request.extensions_mut().insert(ConnectInfo::<SocketAddr>(peer));
            request.map(axum::body::Body::new)
        });
        let is_crowded = room.available_permits() < crowd.all / 2;
        let timeout = if is_crowded { CROWDED_HEADERS_TIMEOUT } else { HEADERS_TIMEOUT };
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(timeout).max_buf_size(MAX_HEAD_BYTES);
        let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that goes away is not logged.
            let _ = watched.await;
            drop((place, places));
        });
    }
    drop(listener);
    if tokio::time::timeout(SHUTDOWN_GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were cut off");
    }
}

/// Says why a connection is not served, and closes it.
fn refuse(stream: TcpStream) {
    // It fits into the empty buffer of a new connection.
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write_all(CROWDED);
    }
}

/// Why an address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {}", unheard(source))]
pub struct ListenError {
    pub address: SocketAddr,
    pub source: io::Error,
}

/// The reason, with the remedy if one is known.
fn unheard(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::AddrInUse => {
            "another program listens there; name another port, or any free one by `--listen 127.0.0.1:0`".to_owned()
        }
        io::ErrorKind::PermissionDenied => "ports below 1024 are for root; name one from there on".to_owned(),
        _ => source.to_string(),
    }
}

/// Listens at an address.
///
/// # Errors
/// [`ListenError`].
pub async fn bind(address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address).await.map_err(|source| ListenError { address, source })
}
