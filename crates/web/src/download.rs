//! Downloads of everything on a site, for its host, and of everything that belongs to an account, for its owner.
//!
//! An export is written to a file on its own thread and connection, and sent from there. So a client that reads slowly
//! holds up neither the store nor a thread: only its one file, for a time.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::store::StoreError;
use agon_boards::limits::{LimitedActor, Place};
use agon_site::clock::now;
use agon_site::export::{self, SiteExportError};
use agon_site::store::{EventDetail, EventKind, Origin, SiteStore};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::watch;

use crate::auth::{Host, SignedIn};
use crate::error::{Scarce, SiteError};
use crate::limits::{EXPORT_TIMEOUT, FETCH_TIMEOUT, MAX_EXPORT_BYTES, MAX_SITE_EXPORT_BYTES};
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};

const CHUNK_BYTES: usize = 64 << 10;

/// How long the answer waits for the whole file, to state its length. Of a larger file it sends what there is while the
/// rest is written.
const WHOLE_WAIT: Duration = Duration::from_secs(15);

/// Below the data folder: files that are being sent. A file loses its name as soon as it is open.
const FOLDER: &str = "exports";

/// Numbers of the files of this process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The progress of a file.
#[derive(Clone, Default, Debug)]
struct Progress {
    written: u64,
    /// Whether it is complete, or why it will not be.
    end: Option<Result<(), String>>,
}

/// The file of an export while it is written, with its size, its time limit, and its waiting client.
struct ExportFile {
    file: Arc<File>,
    site: Arc<Site>,
    progress: watch::Sender<Progress>,
    dropped: Arc<AtomicBool>,
    max_bytes: u64,
    deadline: Instant,
}

impl Write for ExportFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.progress.borrow().written;
        let why = if self.dropped.load(Ordering::Relaxed) || self.site.queue.is_stopping() {
            "it is not wanted any more".to_owned()
        } else if Instant::now() >= self.deadline {
            format!("it takes longer than {} min", EXPORT_TIMEOUT.as_secs() / 60)
        } else if written + bytes.len() as u64 > self.max_bytes {
            format!("it is larger than {} GiB", self.max_bytes >> 30)
        } else if self.site.queue.maintenance.storage().shortage.is_some() {
            "the disk space of this site is used up".to_owned()
        } else {
            self.file.write_all_at(bytes, written)?;
            self.progress.send_modify(|progress| progress.written += bytes.len() as u64);
            return Ok(bytes.len());
        };
        Err(io::Error::other(why))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An export that is sent.
struct Sending {
    site: Arc<Site>,
    file: Arc<File>,
    progress: watch::Receiver<Progress>,
    dropped: Arc<AtomicBool>,
    sent: u64,
    deadline: tokio::time::Instant,
    _place: Place,
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::Relaxed);
    }
}

impl Sending {
    /// Begins to write an export of these accounts, or of the whole site, on its own thread.
    fn begin(site: &Arc<Site>, accounts: Option<Vec<i64>>, place: Place) -> io::Result<Self> {
        let folder = site.options.data.join(FOLDER);
        fs::create_dir_all(&folder)?;
        let name = format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let path = folder.join(name);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).mode(0o600).open(&path)?;
        // It disappears with the last holder, even when the site is killed.
        fs::remove_file(&path)?;
        let (file, dropped) = (Arc::new(file), Arc::<AtomicBool>::default());
        let (sender, progress) = watch::channel(Progress::default());
        let out = ExportFile {
            file: Arc::clone(&file),
            site: Arc::clone(site),
            progress: sender.clone(),
            dropped: Arc::clone(&dropped),
            max_bytes: if accounts.is_some() { MAX_EXPORT_BYTES } else { MAX_SITE_EXPORT_BYTES },
            deadline: Instant::now() + EXPORT_TIMEOUT,
        };
        let exporter = Arc::clone(site);
        thread::Builder::new().name("export".to_owned()).spawn(move || {
            exporter.queue.processors.enter_pages();
            let out = BufWriter::with_capacity(CHUNK_BYTES, out);
            let written = write(&exporter, accounts.as_deref(), out).map_err(|error| error.to_string());
            sender.send_modify(|progress| progress.end = Some(written));
        })?;
        let deadline = tokio::time::Instant::now() + FETCH_TIMEOUT;
        Ok(Self { site: Arc::clone(site), file, progress, dropped, sent: 0, deadline, _place: place })
    }

    /// The whole file's length, as soon as it is known; `None` if that takes too long.
    ///
    /// # Errors
    /// Why there is no file.
    async fn length(&mut self) -> Result<Option<u64>, String> {
        let whole = self.progress.wait_for(|progress| progress.end.is_some());
        let Ok(found) = tokio::time::timeout(WHOLE_WAIT, whole).await else { return Ok(None) };
        match found.map(|progress| progress.clone()) {
            Ok(Progress { written, end: Some(Ok(())) }) => Ok(Some(written)),
            Ok(Progress { end: Some(Err(why)), .. }) => Err(why),
            Ok(Progress { end: None, .. }) | Err(_) => Err("its thread has ended".to_owned()),
        }
    }

    /// The next bytes.
    async fn next(mut self) -> Option<(io::Result<Bytes>, Self)> {
        let part = tokio::time::timeout_at(self.deadline, self.part()).await;
        let part = part.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        // The client must notice that a file is incomplete.
        if let Err(error) = &part {
            tracing::warn!("an export was not sent to its end: {error}");
        }
        part.transpose().map(|part| (part, self))
    }

    async fn part(&mut self) -> io::Result<Option<Bytes>> {
        loop {
            let Progress { written, end } = self.progress.borrow_and_update().clone();
            if self.sent < written {
                let (file, from) = (Arc::clone(&self.file), self.sent);
                let size = usize::try_from(written - from).map_or(CHUNK_BYTES, |left| left.min(CHUNK_BYTES));
                let read = self.site.rooms.files.run(move |_| {
                    let mut bytes = vec![0; size];
                    file.read_exact_at(&mut bytes, from).map(|()| Bytes::from(bytes))
                });
                let bytes = read.await.map_err(io::Error::other)??;
                self.sent += bytes.len() as u64;
                return Ok(Some(bytes));
            }
            match end {
                Some(Ok(())) => return Ok(None),
                Some(Err(why)) => return Err(io::Error::other(why)),
                None => self.progress.changed().await.map_err(io::Error::other)?,
            }
        }
    }
}

fn write(site: &Site, accounts: Option<&[i64]>, out: impl Write) -> Result<(), SiteExportError> {
    let store: Result<SiteStore, StoreError> = SiteStore::read(&site.options.store());
    export::export(&store?, accounts, out)
}

/// Everything on the site.
pub(crate) async fn whole(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    download(&site, host.0.account.id, None, host.origin()).await
}

/// Everything that belongs to an account and to its teams.
pub(crate) async fn own(State(site): State<Arc<Site>>, member: SignedIn) -> SiteResult<Response> {
    let own = Some(member.visitor.owners().collect());
    download(&site, member.account.id, own, member.visitor.origin()).await
}

/// Everything of these accounts, or of the whole site, for the requesting account: one export at a time.
pub(crate) async fn download(
    site: &Arc<Site>,
    asks: i64,
    accounts: Option<Vec<i64>>,
    origin: Origin,
) -> SiteResult<Response> {
    let (name, what) = if accounts.is_some() {
        ("agon-my-programs", EventDetail::OwnPrograms)
    } else {
        ("agon-site", EventDetail::WholeSite)
    };
    let place = site
        .traffic
        .exports
        .take(LimitedActor::Account(asks), 1)
        .map_err(|full| SiteError::full(full, Scarce::Exports))?;
    site.take(LimitedAction::Export, LimitedActor::Account(asks))?;
    if !site.queue.maintenance.is_read_only() {
        let note =
            move |store: &mut SiteStore| store.note_event(EventKind::Exported, Some(asks), &origin, &what, now());
        // A failure to record it, for example on a full disk, is logged and refuses nothing.
        let _ = site.write(note).await;
    }
    let mut sending = Sending::begin(site, accounts, place).map_err(SiteError::internal)?;
    let length = sending.length().await.map_err(|why| SiteError::internal(format!("an export: {why}")))?;
    let name = format!("attachment; filename=\"{name}.tar.gz\"");
    let headers = [
        (header::CONTENT_TYPE, "application/gzip"),
        (header::CONTENT_DISPOSITION, name.as_str()),
        // It is already compressed.
        (header::CONTENT_ENCODING, "identity"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let mut response = (headers, Body::from_stream(stream::unfold(sending, Sending::next))).into_response();
    if let Some(length) = length {
        response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    }
    Ok(response)
}

/// Comma-separated values as a file. The mark at its beginning shows a spreadsheet that the text is UTF-8, without
/// which Hangul and accents are garbled.
pub(crate) fn as_csv(name: &str, text: &str) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, disposition.as_str()),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, format!("\u{feff}{text}")).into_response()
}

#[cfg(test)]
mod tests {
    use agon_boards::limits::Places;

    use crate::tests::TestSite;

    use super::*;

    /// A file of an export with this bound of bytes and of time.
    fn file(site: &TestSite, max_bytes: u64, deadline: Instant) -> (ExportFile, watch::Receiver<Progress>) {
        let (progress, seen) = watch::channel(Progress::default());
        let file = tempfile::tempfile_in(&site.site.options.data).unwrap();
        let out = ExportFile {
            file: Arc::new(file),
            site: Arc::clone(&site.site),
            progress,
            dropped: Arc::default(),
            max_bytes,
            deadline,
        };
        (out, seen)
    }

    #[test]
    fn a_file_of_an_export_has_a_size_a_time_and_a_client() {
        let site = TestSite::new();
        let later = Instant::now() + Duration::from_hours(1);
        let why = |out: &mut ExportFile, bytes: &[u8]| out.write(bytes).unwrap_err().to_string();
        let (mut out, seen) = file(&site, 1 << 30, later);
        out.write_all(b"12345678").unwrap();
        out.max_bytes = 9;
        assert_eq!(why(&mut out, b"90"), "it is larger than 0 GiB");
        assert_eq!(seen.borrow().written, 8, "what is too much is not written");
        out.deadline = Instant::now();
        assert_eq!(why(&mut out, b"9"), "it takes longer than 10 min");
        let (mut out, _seen) = file(&site, 1 << 30, later);
        out.dropped.store(true, Ordering::Relaxed);
        assert_eq!(why(&mut out, b"9"), "it is not wanted any more");
    }

    #[tokio::test(start_paused = true)]
    async fn an_export_that_is_fetched_slowly_ends() {
        let site = TestSite::new();
        let (out, progress) = file(&site, 1 << 30, Instant::now());
        let places = Places::new(crate::limits::EXPORTS);
        let place = places.take(LimitedActor::Account(1), 1).unwrap();
        let sending = Sending {
            site: Arc::clone(&site.site),
            file: Arc::clone(&out.file),
            progress,
            dropped: Arc::default(),
            sent: 0,
            deadline: tokio::time::Instant::now() + FETCH_TIMEOUT,
            _place: place,
        };
        // Writing of its file has stopped.
        let begun = tokio::time::Instant::now();
        let (part, sending) = sending.next().await.unwrap();
        assert_eq!(part.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(begun.elapsed() >= FETCH_TIMEOUT);
        assert_eq!(places.count(), 1);
        drop(sending);
        assert_eq!(places.count(), 0, "its place is free");
    }
}
