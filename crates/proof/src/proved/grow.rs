//! Growing the proved book as a job that can be stopped and resumed.

use std::time::Instant;

use agon_engines::renju::book::{self, ProvedBook};
use agon_jobs::{Progress, ResultFile, Stop, WorkFile, write_atomically};

use super::finding::{self, Finding};
use super::tree::{GrowthContext, ProofTree};
use crate::{BookJob, BookJobError, read_book};

/// Grows a book until the job's limit is reached, `stop` is raised, or nothing is left to search. Without a work file it goes
/// on from what the book says, which begins the new work file: a later run knows it, too.
///
/// # Errors
/// [`BookJobError`] when a file cannot be read or written.
pub fn grow(job: &BookJob, stop: &Stop, progress: &dyn Progress) -> Result<ProvedBook, BookJobError> {
    // Read before the work file is made, so that a refused book leaves none behind, and written whole or not at all.
    if !job.work.exists() && job.book.exists() {
        let book: ProvedBook = read_book(&job.book)?;
        let findings: Vec<String> = finding::of_book(&book).map(|finding| finding.to_string()).collect();
        write_atomically(&job.work, findings.join("\n") + "\n")?;
    }
    let (mut work, known) = WorkFile::open::<Finding>(&job.work)?;
    let mut tree = ProofTree::new(&book::openings(), known);
    let mut result = ResultFile::new(&job.book);
    let mut kept = Ok(());
    let mut record = |found: &Finding| {
        // After a write that failed nothing more is searched or written.
        if kept.is_ok() {
            kept = work.append(found).inspect_err(|_| stop.raise());
        }
    };
    let mut growth = GrowthContext { record: &mut record, threads: job.threads, stop: stop.clone() };
    let start = Instant::now();
    let mut counts = tree.counts();
    progress.start(counts.fourths as u64, counts.refuted as u64);
    while !stop.is_raised() && !job.is_over(start, counts.searched) && tree.step(&mut growth) {
        counts = tree.counts();
        progress.set_position(counts.refuted as u64);
        progress.set_message(format!("{} searches", counts.searched));
        result.write_when_due(|| tree.book().to_string())?;
    }
    kept?;
    let book = tree.book();
    result.write(book.to_string())?;
    Ok(book)
}
