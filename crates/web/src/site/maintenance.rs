//! What a host does while nothing, or little, is played.

use std::sync::Arc;
use std::time::Duration;

use agon_queue::READ_ONLY;
use agon_site::clock::{now, now_ms};
use agon_site::similarity::{self};
use agon_site::store::{EventDetail, EventKind, Origin, SiteStore};

use super::{Site, SiteResult};
use crate::error::{RequestError, SiteError};

/// How long the answer to a request for a report waits for it.
const REPORT_WAIT: Duration = Duration::from_secs(10);

impl Site {
    /// Makes the site read-only, or ends that.
    ///
    /// # Errors
    /// [`SiteError::Conflict`] when it was started read-only; [`SiteError::Internal`] when the store fails.
    pub(crate) async fn set_read_only(self: &Arc<Self>, yes: bool, origin: Origin) -> SiteResult<()> {
        if self.options.read_only {
            return Err(SiteError::Conflict(Arc::new(RequestError::StartedReadOnly)));
        }
        let change = move |store: &mut SiteStore| {
            if !yes {
                store.resume_shared_games(now_ms() as i64)?;
            }
            store.set_setting(READ_ONLY, if yes { "yes" } else { "no" })?;
            let detail = if yes { EventDetail::ReadOnly } else { EventDetail::NotReadOnly };
            store.note_event(EventKind::SettingChanged, None, &origin, &detail, now())
        };
        self.write(change).await?;
        self.queue.maintenance.set_read_only(yes);
        self.queue.announce_change();
        Ok(())
    }

    /// Removes the games by link that wait for the other player; how many there were.
    pub(crate) async fn clear_unjoined_games(self: &Arc<Self>) -> SiteResult<usize> {
        let removed = self.write(|store| store.drop_unjoined_games(i64::MAX)).await?;
        tracing::info!(removed, "games that waited for another player are removed");
        Ok(removed)
    }

    /// Compares all sources, unless that is being done, and waits a while for the report.
    pub(crate) async fn compare_sources(self: &Arc<Self>) {
        if self.similarity.begin() {
            let site = Arc::clone(self);
            let compared = tokio::spawn(async move {
                let made = site.read(similarity::report).await;
                site.similarity.finish(made.ok());
            });
            // A class is compared before one looks; a thousand programs take seconds.
            let _ = tokio::time::timeout(REPORT_WAIT, compared).await;
        }
    }
}
