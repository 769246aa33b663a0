//! Limits that end a search.

use std::time::Duration;

use crate::node_counts::NodeCounts;
use crate::{Instant, Stop};

/// Resources that a search may use; unlimited by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchLimits {
    pub time: Option<Duration>,
    /// Time after which it should end if it is confident of its move.
    pub soft: Option<Duration>,
    /// Maximum number of nodes. Unlike a time limit, it ends every single-threaded search at the same node; several
    /// threads share it, and may exceed it by a few hundred.
    pub nodes: Option<u64>,
    /// Maximum depth in plies; ignored by searches that do not deepen iteratively.
    pub depth: Option<u32>,
}

impl SearchLimits {
    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), soft: None, nodes: None, depth: None }
    }

    pub const fn nodes(nodes: u64) -> Self {
        Self { time: None, soft: None, nodes: Some(nodes), depth: None }
    }

    /// The stricter of both limits in everything.
    pub fn and(self, other: Self) -> Self {
        fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        Self {
            time: least(self.time, other.time),
            soft: least(self.soft, other.soft),
            nodes: least(self.nodes, other.nodes),
            depth: least(self.depth, other.depth),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search reached a limit")]
pub struct Stopped;

/// Counts the nodes of a search, and says when it must end.
#[derive(Clone, Debug)]
pub struct Meter {
    nodes: u64,
    /// The count at which the limits are next checked.
    next: u64,
    last: u64,
    start: Instant,
    deadline: Option<Instant>,
    depth: u32,
    stop: Stop,
    /// Counts of a multi-threaded search, whose nodes are added up.
    counts: Option<NodeCounts>,
}

/// Reading a clock costs as much as some nodes, so it is read once for this many: often enough that a search of
/// 100 000 nodes a second ends within some milliseconds.
const NODES_PER_LOOK: u64 = 256;

impl Meter {
    /// Starts counting, and the clock.
    pub fn new(limits: SearchLimits) -> Self {
        let start = Instant::now();
        let last = limits.nodes.unwrap_or(u64::MAX);
        // A time too long for the clock counts as unlimited.
        let deadline = limits.time.and_then(|time| start.checked_add(time));
        let depth = limits.depth.unwrap_or(u32::MAX);
        Self { nodes: 0, next: 0, last, start, deadline, depth, stop: Stop::default(), counts: None }
    }

    /// Adds a flag that ends the search when raised.
    pub fn stopped_by(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Shares the count with the other threads of the search.
    pub fn counted_with(mut self, counts: NodeCounts) -> Self {
        self.counts = Some(counts);
        self
    }

    /// Returns a meter for a part of this search, limited to `nodes` nodes and the same deadline.
    pub fn within(&self, nodes: u64) -> Self {
        Self {
            nodes: 0,
            next: 0,
            last: nodes,
            start: self.start,
            deadline: self.deadline,
            depth: u32::MAX,
            stop: self.stop.clone(),
            counts: None,
        }
    }

    /// Returns true if the time is up or the search was stopped from outside, as opposed to having visited all its
    /// nodes.
    pub fn is_late(&self) -> bool {
        self.stop.is_raised() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Returns true if the limits allow a search of this depth, in plies.
    pub const fn allows_depth(&self, depth: u32) -> bool {
        depth <= self.depth
    }

    /// Counts a node.
    ///
    /// # Errors
    /// [`Stopped`] when it is one too many, or the time is up.
    ///
    /// ```
    /// use agon_search::{SearchLimits, Meter};
    /// let mut meter = Meter::new(SearchLimits::nodes(2));
    /// assert!(meter.node().is_ok() && meter.node().is_ok());
    /// assert!(meter.node().is_err());
    /// assert_eq!(meter.nodes(), 2);
    /// ```
    #[inline]
    pub fn node(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Counts nodes that another search has visited on behalf of this one. Whether they were too many is seen at the
    /// next [`Meter::node`].
    #[inline]
    pub const fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        let others = match &self.counts {
            Some(counts) => {
                counts.publish(self.nodes);
                counts.others()
            }
            None => 0,
        };
        let last = self.last.saturating_sub(others);
        if self.nodes >= last || self.is_late() {
            return Err(Stopped);
        }
        self.next = (self.nodes + NODES_PER_LOOK).min(last);
        Ok(())
    }

    /// The nodes of all threads that search together: all nodes of this one, and those that the others have published.
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.counts.as_ref().map_or(0, NodeCounts::others)
    }

    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_end_a_search() {
        let check = |limits: SearchLimits, expected: u64| {
            let mut meter = Meter::new(limits);
            let counted = (0..1_000).take_while(|_| meter.node().is_ok()).count() as u64;
            assert_eq!((counted, meter.nodes()), (expected, expected), "{limits:?}");
        };
        check(SearchLimits::nodes(0), 0);
        check(SearchLimits::nodes(1), 1);
        check(SearchLimits::nodes(NODES_PER_LOOK), NODES_PER_LOOK);
        check(SearchLimits::nodes(NODES_PER_LOOK + 1), NODES_PER_LOOK + 1);
        check(SearchLimits::default(), 1_000);
        check(SearchLimits::time(Duration::MAX), 1_000);
        check(SearchLimits::time(Duration::ZERO), 0);
        check(SearchLimits { depth: Some(1), ..SearchLimits::default() }, 1_000);
    }

    #[test]
    fn a_raised_stop_ends_a_search() {
        let stop = Stop::default();
        let mut meter = Meter::new(SearchLimits::default()).stopped_by(stop.clone());
        assert!(meter.node().is_ok());
        stop.raise();
        assert_eq!((0..1_000).take_while(|_| meter.node().is_ok()).count() as u64, NODES_PER_LOOK - 1);
        stop.lower();
        assert!(meter.node().is_ok());
    }

    #[test]
    fn threads_share_a_limit_of_nodes() {
        let meters =
            NodeCounts::new(2).into_iter().map(|counts| Meter::new(SearchLimits::nodes(1_000)).counted_with(counts));
        let [mut first, mut second] = meters.collect::<Vec<_>>().try_into().expect("two meters");
        for _ in 0..NODES_PER_LOOK {
            assert!(second.node().is_ok());
        }
        // Published at a look, which is the next node's.
        assert!(second.node().is_ok());
        let counted = (0..2_000).take_while(|_| first.node().is_ok()).count() as u64;
        assert_eq!(counted, 1_000 - NODES_PER_LOOK);
        assert_eq!((first.all_nodes(), first.nodes()), (1_000, counted));
        assert_eq!(first.within(3).all_nodes(), 0, "a part counts for itself");
    }

    #[test]
    fn parts_of_a_search_share_its_deadline() {
        let meter = Meter::new(SearchLimits { time: Some(Duration::MAX), soft: None, nodes: Some(3), depth: Some(1) });
        let mut part = meter.within(5);
        assert_eq!((0..10).take_while(|_| part.node().is_ok()).count(), 5);
        assert!(!part.is_late() && part.allows_depth(9));
        let late = Meter::new(SearchLimits::time(Duration::ZERO));
        assert!(late.is_late() && late.within(5).node().is_err());
        let stop = Stop::default();
        let mut part = Meter::new(SearchLimits::default()).stopped_by(stop.clone()).within(5);
        stop.raise();
        assert!(part.is_late() && part.node().is_err());
    }

    #[test]
    fn nodes_of_others_count() {
        let mut meter = Meter::new(SearchLimits::nodes(10));
        assert!(meter.node().is_ok());
        meter.add(8);
        assert!(meter.node().is_ok() && meter.node().is_err());
        meter.add(5);
        assert_eq!((meter.nodes(), meter.node().is_err()), (15, true));
    }

    #[test]
    fn depths_are_limited() {
        let meter = Meter::new(SearchLimits { depth: Some(3), ..SearchLimits::default() });
        assert!(meter.allows_depth(3) && !meter.allows_depth(4));
        assert!(Meter::new(SearchLimits::default()).allows_depth(u32::MAX));
    }
}
