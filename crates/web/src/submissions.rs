//! Submissions and the checks of versions: for pages and for the API.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use agon_arena::store::StoreError;
use agon_site::clock::{ago, now, until};
use agon_site::programs;
use agon_site::queue::{Estimate, about};
use agon_site::store::{
    CheckState, RecentTimes, SiteBout, SiteProgram, SiteStore, SiteVersion, Submission, SubmissionError,
};
use agon_site::submission::CheckedSubmission;
use axum::http::header;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::{mpsc, watch};

use crate::bundle::FailedVersion;
use crate::checks::CheckNews;
use crate::error::SiteError;
use crate::games::{record_text, stream};
use crate::rate::{LimitedAction, LimitedActor};
use crate::site::{CheckStage, Site, SiteResult};
use crate::storage::NO_ROOM;
use crate::text::{locale, said, within};
use crate::viewer::date;
use crate::visitor::Visitor;

/// How often the state of a check that is watched is read at most.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Takes a checked draft into the queue.
///
/// # Errors
/// [`SiteError`]; the inner one belongs above the form.
pub(crate) async fn enter(
    site: &Arc<Site>,
    visitor: &Visitor,
    checked: CheckedSubmission,
) -> SiteResult<Result<i64, String>> {
    let person = visitor.account.as_ref().ok_or(SiteError::SignIn { back: String::new() })?.id;
    site.take(LimitedAction::Submit, LimitedActor::Account(person))?;
    let Some(account) = visitor.owner_id(&checked.team) else {
        return Ok(Err(format!("you are in no team `{}`", checked.team)));
    };
    if site.storage().shortage.is_some() {
        return Ok(Err(NO_ROOM.to_owned()));
    }
    let limits = site.options.submissions;
    let entered = site.write(move |store| {
        let CheckedSubmission { competition, name, language, source, .. } = &checked;
        let submission = Submission { account, competition: *competition, name, language: *language, source };
        store.submit_by(person, &submission, &limits, now())
    });
    let entered = entered.await?;
    site.announce_change();
    Ok(entered.map_err(|refused| match refused {
        SubmissionError::Coming { opens } => {
            format!("{refused}: it opens {}, {}", date(opens.unsigned_abs()), until(opens))
        }
        SubmissionError::Closed { closes } => {
            format!("{refused}: it closed {}, {}", date(closes.unsigned_abs()), ago(closes))
        }
        refused => refused.to_string(),
    }))
}

/// A version of one's own, its program and its source; those of others are not found.
pub(crate) async fn own_version(
    site: &Arc<Site>,
    visitor: &Visitor,
    id: i64,
) -> SiteResult<(SiteVersion, SiteProgram, String)> {
    let who = visitor.who.clone();
    site.consult(move |store| programs::own_version(store, &who, id)).await
}

/// Queues the check of a version again that was given up.
pub(crate) async fn check_again(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<()> {
    let who = visitor.who.clone();
    site.change(move |store| programs::check_again(store, &who, id)).await?;
    site.announce_change();
    Ok(())
}

/// How many seconds games have been played.
pub(crate) fn ages(running: &[SiteBout]) -> Vec<f64> {
    let now = now();
    running.iter().map(|bout| (now - bout.begun).max(0) as f64).collect()
}

/// The place of a version in the queue, and what is known of how long that takes.
#[derive(Clone)]
pub(crate) struct QueuePlace {
    before: u32,
    running: Vec<f64>,
    times: RecentTimes,
}

impl QueuePlace {
    pub(crate) fn read(store: &SiteStore, version: i64) -> Result<Self, StoreError> {
        let running = ages(&store.running()?);
        Ok(Self { before: store.waiting(Some(version))?, running, times: store.recent_times()? })
    }

    fn words(self, site: &Site) -> String {
        let place = match self.before {
            0 => "next in the queue".to_owned(),
            before => format!("in the queue, behind {before}"),
        };
        match Estimate::new(self.before, &self.running, site.capacity(), site.options.workers > 0, self.times) {
            Some(found) => format!("{place}: {} until its check begins", about(found.wait)),
            None => place,
        }
    }
}

/// What the check of a version is doing, in words, and the game that it plays.
pub(crate) fn progress(site: &Site, version: &SiteVersion, place: QueuePlace) -> (String, Option<i64>) {
    match (version.state, site.stage(version.id)) {
        (CheckState::Queued, _) => (place.words(site), None),
        (CheckState::Checking, Some(CheckStage::Playing(bout))) => ("plays its check game".to_owned(), Some(bout)),
        (CheckState::Checking, Some(CheckStage::HandedOut)) => {
            ("waits for a machine of the fleet, or is compiled there".to_owned(), None)
        }
        (CheckState::Checking, _) => ("is being compiled".to_owned(), None),
        (CheckState::Failed, _) => ("has failed".to_owned(), version.bout),
        (CheckState::Passed, _) => ("has passed: it is on the ladder".to_owned(), version.bout),
    }
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
    let failed = FailedVersion { program, version, source, record };
    let name = format!("{}.tar.gz", failed.name());
    let packed = site.rooms.records.run(move |_| failed.pack()).await?;
    Ok((name, packed.map_err(SiteError::internal)?))
}

/// The archive as a file to be kept.
pub(crate) fn archive((name, packed): (String, Vec<u8>)) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [(header::CONTENT_TYPE, "application/gzip"), (header::CONTENT_DISPOSITION, disposition.as_str())];
    (headers, packed).into_response()
}

/// How the check of a version goes, as events: one for each change, the last of them `settled`.
pub(crate) async fn follow(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<Response> {
    own_version(site, visitor, id).await?;
    let places = site.watch(visitor)?;
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(4);
    let (mut news, publisher) = site.check_followers.follow(id);
    if let Some(publisher) = publisher {
        tokio::spawn(publish(Arc::clone(site), id, publisher));
    }
    let (mut stopping, language) = (site.stopping.subscribe(), locale());
    tokio::spawn(async move {
        loop {
            let known = news.borrow_and_update().clone();
            if let Some(mut known) = known {
                known.data["words"] = within(language, || said(&known.words)).into();
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

/// Reads how a check stands whenever that may have changed, for all who watch it.
async fn publish(site: Arc<Site>, id: i64, publisher: watch::Sender<Option<CheckNews>>) {
    let (mut checks, mut stopping) = (site.checks.subscribe(), site.stopping.subscribe());
    loop {
        let read = site.read(move |store| Ok((store.version(id)?, QueuePlace::read(store, id)?))).await;
        let (version, place) = match read {
            Ok((Some(version), place)) => (version, place),
            Ok((None, _)) => break,
            // A crowd at the store passes.
            Err(_) => {
                tokio::time::sleep(CHECK_INTERVAL).await;
                if site.is_stopping() || site.check_followers.end(id, &publisher, false) {
                    break;
                }
                continue;
            }
        };
        let (words, bout) = progress(&site, &version, place);
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
            () = publisher.closed() => if site.check_followers.end(id, &publisher, false) { return },
        }
        // Changes come in bursts, and one answer has them all.
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
    site.check_followers.end(id, &publisher, true);
}
