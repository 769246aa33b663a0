//! Threads that fill one file with records.

use std::collections::BTreeMap;

use agon_jobs::pool::{self, Job};
use agon_jobs::{Progress, Stop};

use crate::PositionRecord;
use crate::dataset::{DataError, Writer};

/// Makes blocks of records on `threads` threads until the file has `records` of them, and appends them in order: the
/// file is the same for any number of threads.
///
/// Each thread creates a worker; a worker makes the block with a given number, or nothing if `stop` was raised
/// meanwhile. Unfinished blocks are made again when the work resumes.
///
/// # Errors
/// [`DataError`] if a block cannot be written; the others are then abandoned.
pub fn generate<R, W>(
    writer: &mut Writer,
    threads: usize,
    records: u64,
    stop: &Stop,
    worker: impl Fn() -> W + Sync,
    progress: &dyn Progress,
) -> Result<(), DataError>
where
    R: PositionRecord,
    W: FnMut(usize) -> Option<Vec<R>>,
{
    progress.start(records, writer.records());
    let mut blocks = Blocks { next: writer.blocks(), writer, waiting: BTreeMap::new(), records, progress };
    pool::run(&mut blocks, threads, stop, || {
        let mut worker = worker();
        move |block| (block, worker(block))
    })
}

/// The blocks of a file with `records` records.
struct Blocks<'a, R> {
    writer: &'a mut Writer,
    next: usize,
    /// Blocks finished before the next one of the file.
    waiting: BTreeMap<usize, Vec<R>>,
    records: u64,
    progress: &'a dyn Progress,
}

impl<R: PositionRecord> Job for Blocks<'_, R> {
    type Task = usize;
    type Outcome = (usize, Option<Vec<R>>);
    type Error = DataError;

    fn next(&mut self) -> Option<usize> {
        if self.writer.records() >= self.records {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    fn take(&mut self, (block, made): Self::Outcome) -> Result<(), DataError> {
        let Some(made) = made else { return Ok(()) };
        self.waiting.insert(block, made);
        while self.writer.records() < self.records
            && let Some(made) = self.waiting.remove(&self.writer.blocks())
        {
            self.writer.append(&made)?;
            self.progress.set_position(self.writer.records());
        }
        Ok(())
    }
}
