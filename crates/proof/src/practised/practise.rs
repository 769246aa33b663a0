//! Expanding the practised book as a job that can be stopped and resumed.

use agon_engines::renju::book::PractisedBook;
use agon_jobs::{FileError, Instant, Progress, ResultFile, Stop, WorkFile, pool};
use agon_rules::renju::Stones;

use super::book_node::BookNode;
use super::expansion::DropOutExpansion;
use crate::BookJob;

/// Searches one position after another, with `nodes` nodes each, until the job's limit is reached, `stop` is raised, or
/// nothing is left to search. Returns the book; `expansion`, which may already contain games, becomes the tree behind
/// it.
///
/// # Errors
/// [`FileError`] when a file cannot be read or written.
pub fn practise(
    expansion: &mut DropOutExpansion,
    nodes: u64,
    job: &BookJob,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<PractisedBook, FileError> {
    let (mut work, known) = WorkFile::open::<BookNode>(&job.work)?;
    expansion.remember(known);
    progress.start(job.searches.unwrap_or(0), expansion.len() as u64);
    let mut result = ResultFile::new(&job.book);
    let keep = |node: &BookNode| work.append(node);
    let taken = |expansion: &DropOutExpansion| {
        progress.set_position(expansion.len() as u64);
        result.write_when_due(|| expansion.book().to_string())
    };
    let mut searches = Searches { expansion, job, start: Instant::now(), stop, keep, taken };
    pool::run(&mut searches, job.threads, stop, || {
        |stones: Stones| {
            let found = BookNode::search(&stones, nodes, stop);
            (stones, found)
        }
    })?;
    let book = expansion.book();
    result.write(book.to_string())?;
    Ok(book)
}

/// The searches of an expansion, for worker threads.
struct Searches<'a, K, T> {
    expansion: &'a mut DropOutExpansion,
    job: &'a BookJob,
    start: Instant,
    stop: &'a Stop,
    /// Writes a node down before the tree learns it.
    keep: K,
    /// Hears of every node that the tree has learnt.
    taken: T,
}

impl<K, T, E> pool::Job for Searches<'_, K, T>
where
    K: FnMut(&BookNode) -> Result<(), E>,
    T: FnMut(&DropOutExpansion) -> Result<(), E>,
{
    type Task = Stones;
    type Outcome = (Stones, Option<BookNode>);
    type Error = E;

    fn next(&mut self) -> Option<Stones> {
        let is_over = self.job.is_over(self.start, self.expansion.begun() as u64);
        if is_over { None } else { self.expansion.next_search() }
    }

    fn take(&mut self, (stones, found): Self::Outcome) -> Result<(), E> {
        match found {
            Some(node) => {
                (self.keep)(&node)?;
                self.expansion.learn(node);
                (self.taken)(self.expansion)
            }
            None => {
                if !self.stop.is_raised() {
                    self.expansion.give_up(&stones);
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// A write that fails ends the job with its error, although a later one would succeed.
    #[test]
    fn the_first_failed_write_is_the_result() {
        let (mut expansion, stop, mut writes) = (DropOutExpansion::new([]), Stop::default(), 0);
        let keep = |_: &BookNode| {
            writes += 1;
            if writes == 3 { Err(writes) } else { Ok(()) }
        };
        let job = BookJob { threads: 2, searches: Some(20), ..BookJob::new(Path::new("unused")) };
        let taken = |_: &DropOutExpansion| Ok(());
        let mut searches =
            Searches { expansion: &mut expansion, job: &job, start: Instant::now(), stop: &stop, keep, taken };
        let worker = || |stones: Stones| (stones, BookNode::search(&stones, 200, &Stop::default()));
        assert_eq!(pool::run(&mut searches, job.threads, &stop, worker), Err(3));
        assert!(stop.is_raised());
        assert_eq!((writes, expansion.len()), (3, 2), "nothing is written or learnt after it");
    }
}
