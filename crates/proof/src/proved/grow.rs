//! Growing the proved book as a job that can be stopped and resumed.

use agon_engines::renju::book::{self, FourthStatus, ProvedBook};
use agon_jobs::{Instant, Progress, ResultFile, Stop, WorkFile, write_atomically};

use super::finding::{self, Finding};
use super::tree::{GrowthContext, ProofTree};
use crate::{BookJob, BookJobError, read_book};

/// Grows a book until the job's limit is reached, `stop` is raised, or nothing is left to search. Without a work file
/// it continues from the book, whose contents start a new work file for later runs. The contents of the book stay in
/// it, however early the job ends: its moves are searched again before the tree treats them as proved.
///
/// # Errors
/// [`BookJobError`] when a file cannot be read or written.
pub fn grow(job: &BookJob, stop: &Stop, progress: &dyn Progress) -> Result<ProvedBook, BookJobError> {
    // Read before the work file is created, so that a refused book leaves no file behind, and written completely or not
    // at all.
    let earlier: Option<ProvedBook> = job.book.exists().then(|| read_book(&job.book)).transpose()?;
    if let Some(book) = earlier.as_ref().filter(|_| !job.work.exists()) {
        let findings: Vec<String> = finding::of_book(book).map(|finding| finding.to_string()).collect();
        write_atomically(&job.work, findings.join("\n") + "\n")?;
    }
    let grown = |tree: &ProofTree| match &earlier {
        Some(earlier) => with_earlier(tree.book(), earlier),
        None => tree.book(),
    };
    let (mut work, known) = WorkFile::open::<Finding>(&job.work)?;
    let mut tree = ProofTree::new(&book::openings(), known).limited_to(job.opening);
    let mut result = ResultFile::new(&job.book);
    let mut kept = Ok(());
    let mut record = |found: &Finding| {
        // After a failed write, nothing more is searched or written.
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
        if result.is_due() {
            result.write(grown(&tree).to_string())?;
            tree.take_efforts().iter().for_each(&mut *growth.record);
        }
    }
    tree.take_efforts().iter().for_each(&mut *growth.record);
    kept?;
    let book = grown(&tree);
    result.write(book.to_string())?;
    Ok(book)
}

/// Combines a grown book with an earlier one: the moves of both, preferring those of the grown one where they differ,
/// with everything that follows from them, refute what either refutes.
fn with_earlier(mut book: ProvedBook, earlier: &ProvedBook) -> ProvedBook {
    let mut lacks_something = false;
    for before in &earlier.openings {
        let Some(opening) = book.openings.iter_mut().find(|opening| opening.stones == before.stones) else {
            book.openings.push(before.clone());
            lacks_something = true;
            continue;
        };
        for fourth in &mut opening.fourths {
            let Some(known) = before.fourths.iter().find(|known| known.cell == fourth.cell) else { continue };
            let lost = known.status == FourthStatus::Refuted && fourth.status != FourthStatus::Refuted;
            if lost || fourth.status == FourthStatus::Open(None) {
                fourth.status = known.status;
            }
            lacks_something |= lost;
        }
    }
    // If it refutes as much, it needs no moves of the earlier one.
    if !lacks_something {
        return book;
    }
    let moves = earlier.moves().iter().chain(book.moves().iter()).map(|(&stones, cell)| (stones, cell)).collect();
    ProvedBook::new(book.openings, moves)
}
