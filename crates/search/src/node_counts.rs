//! Node counts of the threads of one search.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A count on its own pair of cache lines, since processors fetch two at a time: threads that update their counts do
/// not contend for a line.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Count(AtomicU64);

/// The counts of threads that search together. Each thread publishes its own from time to time, so that the sum lags
/// some hundred nodes behind per thread.
#[derive(Clone, Debug)]
pub struct NodeCounts {
    counts: Arc<[Count]>,
    own: usize,
}

impl NodeCounts {
    /// One for each of `threads` threads; the first is that of the thread that answers.
    pub fn new(threads: usize) -> Vec<Self> {
        let counts: Arc<[Count]> = (0..threads).map(|_| Count::default()).collect();
        (0..threads).map(|own| Self { counts: Arc::clone(&counts), own }).collect()
    }

    pub fn publish(&self, nodes: u64) {
        self.counts[self.own].0.store(nodes, Ordering::Relaxed);
    }

    /// Returns the sum published by the other threads.
    pub fn others(&self) -> u64 {
        let others = self.counts.iter().enumerate().filter(|&(number, _)| number != self.own);
        others.map(|(_, count)| count.0.load(Ordering::Relaxed)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_adds_to_the_sum() {
        let counts = NodeCounts::new(3);
        std::thread::scope(|scope| {
            for (own, counts) in (1..).zip(&counts) {
                scope.spawn(move || (0..=1_000).for_each(|nodes| counts.publish(own * nodes)));
            }
        });
        assert_eq!(counts.iter().map(NodeCounts::others).collect::<Vec<_>>(), [5_000, 4_000, 3_000]);
        assert_eq!(NodeCounts::new(1)[0].others(), 0);
    }
}
