//! The connections of browsers.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt as _;

/// How long a client may take for the headers of a request; a slower one is cut off.
const HEADERS_TIMEOUT: Duration = Duration::from_secs(15);

/// How long running requests may take when the site stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

/// How long a client may leave sent bytes unread; the connection is closed then.
const SEND_TIMEOUT: Duration = Duration::from_mins(1);

/// Connections at once. Others wait in the system's queue.
const MAX_CONNECTIONS: usize = 4096;

/// Serves until `stopping` is true.
pub async fn serve(mut stopping: watch::Receiver<bool>, listener: TcpListener, router: Router) {
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
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
        let _ = stream.set_nodelay(true);
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, SEND_TIMEOUT.as_millis() as u32);
        let service = router.clone().map_request(move |mut request: Request<_>| {
            request.extensions_mut().insert(ConnectInfo::<SocketAddr>(peer));
            request.map(axum::body::Body::new)
        });
        let mut http = hyper::server::conn::http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(HEADERS_TIMEOUT);
        let connection = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that goes away is not logged.
            let _ = watched.await;
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(SHUTDOWN_GRACE, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were cut off");
    }
}

/// Listens at an address.
///
/// # Errors
/// Those of the system.
pub async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await
}
