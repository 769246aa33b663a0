//! Downloads of all that a site has, for its host, and of all that belongs to an account, for its owner.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use agon_site::export;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::auth::{Host, SignedIn};
use crate::error::SiteError;
use crate::rate::{LimitedAction, LimitedActor};
use crate::site::{Site, SiteResult};

const CHUNK_BYTES: usize = 64 << 10;

/// Chunks that wait for a client: one that reads slowly holds up its own export alone.
const MAX_QUEUED_CHUNKS: usize = 4;

/// A file whose bytes go to a client as they are written.
struct Download(mpsc::Sender<io::Result<Bytes>>);

impl Write for Download {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(Ok(Bytes::copy_from_slice(bytes)));
        sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All that the site has.
pub async fn whole(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    download(&site, host.0.account.id, None)
}

/// All that belongs to an account and to its teams.
pub async fn own(State(site): State<Arc<Site>>, member: SignedIn) -> SiteResult<Response> {
    download(&site, member.account.id, Some(member.visitor.shelves().collect()))
}

/// What belongs to these accounts, or all that the site has, for the account that asks for it.
pub fn download(site: &Arc<Site>, asks: i64, accounts: Option<Vec<i64>>) -> SiteResult<Response> {
    let name = if accounts.is_some() { "agon-my-programs" } else { "agon-site" };
    site.take(LimitedAction::Export, LimitedActor::Account(asks))?;
    let (sender, receiver) = mpsc::channel(MAX_QUEUED_CHUNKS);
    let site = Arc::clone(site);
    tokio::spawn(async move {
        let out = BufWriter::with_capacity(CHUNK_BYTES, Download(sender.clone()));
        let written = site.read(move |store| Ok(export::export(store, accounts.as_deref(), out))).await;
        let failed = match written {
            // Or the client has gone.
            Ok(Ok(()) | Err(export::SiteExportError::Io(_))) => return,
            Ok(Err(error)) => SiteError::internal(error),
            Err(error) => error,
        };
        // The client is to see that the file is not whole.
        let _ = sender.send(Err(io::Error::other(format!("{failed:?}")))).await;
    });
    let name = format!("attachment; filename=\"{name}.tar.gz\"");
    let headers = [
        (header::CONTENT_TYPE, "application/gzip"),
        (header::CONTENT_DISPOSITION, name.as_str()),
        // It is packed already.
        (header::CONTENT_ENCODING, "identity"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))).into_response())
}
