//! Many hands making one file of records.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use agon_search::Stop;

use crate::PositionRecord;
use crate::dataset::{DataError, Writer};

/// Makes blocks of records on so many threads until the file has `records` of them, and appends them in their order:
/// whatever the number of threads, the file is the same.
///
/// Each thread makes a worker; a worker makes the block of a number, or nothing when `stop` was raised meanwhile. Blocks
/// that were begun and not kept are made again when the work goes on. `progress` hears of every block that was kept.
///
/// # Errors
/// [`DataError`] when a block cannot be written; the others are then given up.
pub fn generate<R, W>(
    writer: &mut Writer,
    jobs: usize,
    records: u64,
    stop: &Stop,
    worker: impl Fn() -> W + Sync,
    mut progress: impl FnMut(&Writer),
) -> Result<(), DataError>
where
    R: PositionRecord,
    W: FnMut(usize) -> Option<Vec<R>>,
{
    if writer.records() >= records {
        return Ok(());
    }
    let next = AtomicUsize::new(writer.blocks());
    // Small, so that nobody runs far ahead of a block that takes long.
    let (sender, receiver) = mpsc::sync_channel(jobs);
    let enough = AtomicBool::new(false);
    let done = || stop.is_raised() || enough.load(Ordering::Relaxed);
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let (sender, next, worker, done) = (sender.clone(), &next, &worker, &done);
            scope.spawn(move || {
                let mut worker = worker();
                while !done() {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let Some(made) = worker(block) else { return };
                    if sender.send((block, made)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let result = receiver.iter().try_for_each(|(block, made)| {
            waiting.insert(block, made);
            while let Some(made) = waiting.remove(&writer.blocks()) {
                if enough.load(Ordering::Relaxed) {
                    break;
                }
                writer.append(&made)?;
                progress(writer);
                enough.store(writer.records() >= records, Ordering::Relaxed);
            }
            Ok(())
        });
        // Ends the others, also after an error: their blocks find no receiver.
        enough.store(true, Ordering::Relaxed);
        drop(receiver);
        result
    })
}
