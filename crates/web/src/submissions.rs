//! Submissions and the checks of versions: for pages and for the API.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use agon_arena::transcript::date;
use agon_boards::limits::LimitedActor;
use agon_boards::text::{locale, localized, within};
use agon_message::messages;
use agon_queue::bundle::FailedVersion;
use agon_queue::checks::CheckNews;
use agon_queue::progress::{QueuePlace, progress};
use agon_site::clock::{TimeDistance, distance, now};
use agon_site::error::Reason;
use agon_site::programs;
use agon_site::store::{CheckState, SiteProgram, SiteVersion, Submission, SubmissionError};
use agon_site::submission::CheckedSubmission;
use axum::http::header;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::{mpsc, watch};

use crate::error::SiteError;
use crate::games::{record_text, stream};
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The minimum time between two reads of a followed check's state.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

messages! {
    /// Why a checked draft is not accepted, apart from the store's reasons.
    pub(crate) enum EntryError {
        NotMember { team: String } = "you are not a member of team `{team}`",
        NoRoom = "this site has no disk space left; submissions are closed until its host frees some",
        Coming { opens: String, left: TimeDistance } = "this competition opens {opens}, {left}",
        Closed { closed: String, since: TimeDistance } = "this competition closed {closed}, {since}",
    }
}

/// Takes a checked draft into the queue.
///
/// # Errors
/// [`SiteError`]; the inner one belongs above the form.
pub(crate) async fn enter(
    site: &Arc<Site>,
    visitor: &Visitor,
    checked: CheckedSubmission,
) -> SiteResult<Result<i64, Reason>> {
    let person = visitor.account.as_ref().ok_or(SiteError::SignIn { back: String::new() })?.id;
    site.take(LimitedAction::Submit, LimitedActor::Account(person))?;
    let Some(account) = visitor.owner_id(&checked.team) else {
        return Ok(Err(Arc::new(EntryError::NotMember { team: checked.team })));
    };
    if site.queue.maintenance.storage().shortage.is_some() {
        return Ok(Err(Arc::new(EntryError::NoRoom)));
    }
    let limits = site.options.submissions;
    let entered = site.write(move |store| {
        let CheckedSubmission { competition, name, language, source, .. } = &checked;
        let submission = Submission { account, competition: *competition, name, language: *language, source };
        store.submit_by(person, &submission, &limits, now())
    });
    let entered = entered.await?;
    site.queue.announce_change();
    Ok(entered.map_err(|refused| match refused {
        SubmissionError::Coming { opens } => {
            Arc::new(EntryError::Coming { opens: date(opens.unsigned_abs()), left: distance(opens) }) as Reason
        }
        SubmissionError::Closed { closes } => {
            Arc::new(EntryError::Closed { closed: date(closes.unsigned_abs()), since: distance(closes) })
        }
        refused => Arc::new(refused),
    }))
}

/// One of the user's own versions, with its program and its source; those of others are not found.
pub(crate) async fn own_version(
    site: &Arc<Site>,
    visitor: &Visitor,
    id: i64,
) -> SiteResult<(SiteVersion, SiteProgram, String)> {
    let who = visitor.who.clone();
    site.consult(move |store| programs::own_version(store, &who, id)).await
}

/// Returns an abandoned check of a version to the queue.
pub(crate) async fn check_again(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<()> {
    let who = visitor.who.clone();
    site.change(move |store| programs::check_again(store, &who, id)).await?;
    site.queue.announce_change();
    Ok(())
}

/// The failure bundle of an own version: its name, and the archive.
pub(crate) async fn bundle(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<(String, Vec<u8>)> {
    let (version, program, source) = own_version(site, visitor, id).await?;
    if version.state != CheckState::Failed {
        return Err(SiteError::NotFound);
    }
    let record = match version.bout {
        None => None,
        Some(bout) => match record_text(site, visitor, bout).await {
            Ok(record) => Some(record),
            Err(SiteError::Gone(_) | SiteError::NotFound) => None,
            Err(other) => return Err(other),
        },
    };
    let failed = FailedVersion { program, version, source, record, site: site.options.address("") };
    let name = format!("{}.tar.gz", failed.name());
    let packed = site.rooms.records.run(move |_| failed.pack()).await?;
    Ok((name, packed.map_err(SiteError::internal)?))
}

/// The archive as a file to download.
pub(crate) fn archive((name, packed): (String, Vec<u8>)) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [(header::CONTENT_TYPE, "application/gzip"), (header::CONTENT_DISPOSITION, disposition.as_str())];
    (headers, packed).into_response()
}

/// The progress of a version's check, as events: one for each change, the last of them `settled`.
pub(crate) async fn follow(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<Response> {
    own_version(site, visitor, id).await?;
    let places = site.watch(visitor)?;
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(4);
    let (mut news, publisher) = site.queue.check_followers.follow(id);
    if let Some(publisher) = publisher {
        tokio::spawn(publish(Arc::clone(site), id, publisher));
    }
    let (mut stopping, language) = (site.queue.signals.stopping.subscribe(), locale());
    tokio::spawn(async move {
        loop {
            let known = news.borrow_and_update().clone();
            if let Some(mut known) = known {
                known.data["words"] = within(language, || localized(&known.words)).into();
                let name = if known.settled { "settled" } else { "progress" };
                let sent = sender.send(Ok(Event::default().event(name).data(known.data.to_string()))).await;
                if sent.is_err() || known.settled {
                    return;
                }
            }
            tokio::select! {
                changed = news.changed() => if changed.is_err() { return },
                _ = stopping.wait_for(|stopping| *stopping) => return,
                () = sender.closed() => return,
            }
        }
    });
    Ok(stream(receiver, places))
}

/// Reads the state of a check whenever it may have changed, for all its followers.
async fn publish(site: Arc<Site>, id: i64, publisher: watch::Sender<Option<CheckNews>>) {
    let (mut checks, mut stopping) = (site.queue.signals.checks.subscribe(), site.queue.signals.stopping.subscribe());
    loop {
        let read = site.read(move |store| Ok((store.version(id)?, QueuePlace::read(store, id)?))).await;
        let (version, place) = match read {
            Ok((Some(version), place)) => (version, place),
            Ok((None, _)) => break,
            // A crowd at the store passes.
            Err(_) => {
                tokio::time::sleep(CHECK_INTERVAL).await;
                if site.queue.is_stopping() || site.queue.check_followers.end(id, &publisher, false) {
                    break;
                }
                continue;
            }
        };
        let (words, bout) = progress(&site.queue, &version, place);
        let data = json!({ "words": "", "bout": bout, "state": version.state.name() });
        let news = CheckNews { words, data, settled: version.state.is_settled() };
        publisher.send_if_modified(|known| {
            let newer = known.as_ref() != Some(&news);
            *known = Some(news);
            newer
        });
        if version.state.is_settled() {
            break;
        }
        tokio::select! {
            changed = checks.changed() => if changed.is_err() { break },
            _ = stopping.wait_for(|stopping| *stopping) => break,
            () = publisher.closed() => if site.queue.check_followers.end(id, &publisher, false) { return },
        }
        // Changes come in bursts, and one answer has them all.
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
    site.queue.check_followers.end(id, &publisher, true);
}
