//! A site's background work: it measures its disk, drops old records, and removes unused compiled programs.

use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_arena::store::StoreError;
use agon_queue::storage::{Shortage, Storage};
use agon_referee::{builds, folders};
use agon_site::clock::{now, now_ms};

use crate::limits::IDLE_BY_HAND;
use crate::shared;
use crate::site::Site;

/// How often the disk is measured.
const MEASURED: Duration = Duration::from_secs(10);

/// How often old records and compiled programs are cleared.
const CLEARED: Duration = Duration::from_mins(10);

/// Between two steps of dropping records, so that others get their turn at the store.
const BETWEEN: Duration = Duration::from_millis(20);

/// Bytes that are free for us on the disk of a folder.
fn free(folder: &Path) -> u64 {
    // A failing query must not stop the site.
    rustix::fs::statvfs(folder).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Measures the disk.
///
/// # Errors
/// [`StoreError`] when the store fails.
pub(crate) fn measure(site: &Site) -> Result<(), StoreError> {
    let (unused, records) = {
        let store = site.writer();
        (store.unused_size()?, store.records_size()?)
    };
    let data = folders::size(&site.options.data).saturating_sub(unused);
    let free = free(&site.options.data);
    let quota = site.options.disk_quota.is_some_and(|quota| data >= quota);
    let shortage =
        if quota { Some(Shortage::Quota) } else { (free < site.options.disk_free).then_some(Shortage::Disk) };
    let before = site.queue.maintenance.set_storage(|known| Storage { data, records, free, shortage, ..known });
    if before.shortage != shortage {
        match shortage {
            Some(shortage) => tracing::warn!(data, free, "{}", shortage),
            None => tracing::info!(data, free, "there is room on the disk again"),
        }
        site.queue.announce_change();
    }
    Ok(())
}

/// Drops the records that are too old or too many, in small steps, and says how many there were.
///
/// # Errors
/// [`StoreError`] when the store fails.
pub(crate) fn drop_records(site: &Site) -> Result<u32, StoreError> {
    let retention = site.options.retention;
    let (mut after, mut dropped) = (0, 0);
    while !site.queue.is_stopping() && !site.queue.maintenance.is_read_only() {
        let step = site.writer().drop_old_records(&retention, after, now())?;
        dropped += step.dropped;
        let Some(next) = step.next else { break };
        after = next;
        thread::sleep(BETWEEN);
    }
    if dropped > 0 {
        tracing::info!(dropped, "old records are no longer kept");
    }
    Ok(dropped)
}

/// Removes the least recently used compiled programs if they take too much room.
fn evict(site: &Site) {
    match builds::evict(site.options.builds_size) {
        Ok(left) => {
            site.queue.maintenance.set_storage(|known| Storage { builds: left.bytes, ..known });
        }
        Err(error) => tracing::warn!("compiled programs are not removed: {error}"),
    }
}

/// Does all this on its own thread until the site stops.
pub(crate) fn start(site: &Arc<Site>) -> JoinHandle<()> {
    let site = Arc::clone(site);
    thread::spawn(move || {
        site.queue.processors.enter_pages();
        let mut cleared: Option<Instant> = None;
        while !site.queue.is_stopping() {
            if cleared.is_none_or(|at| at.elapsed() >= CLEARED) {
                if let Err(error) = drop_records(&site) {
                    tracing::error!("old records are not dropped: {error}");
                }
                if !site.queue.maintenance.is_read_only()
                    && let Err(error) = shared::tidy(&mut site.writer(), &site.shared, now_ms() as i64)
                {
                    tracing::error!("games of two people are not looked after: {error}");
                }
                evict(&site);
                cleared = Some(Instant::now());
            }
            site.boards.by_hand.end_idle(IDLE_BY_HAND);
            if let Err(error) = measure(&site) {
                tracing::error!("the disk is not measured: {error}");
            }
            let next = Instant::now() + MEASURED;
            while Instant::now() < next && !site.queue.is_stopping() {
                thread::sleep(Duration::from_millis(100));
            }
        }
    })
}
