//! A manager's times and nodes, as limits of a search.

use std::time::Duration;

use agon_search::{SearchLimits, TimeControl};

use super::command::ManagerInfo;

/// Time for a move without a limit of its own.
const USUAL: Duration = Duration::from_secs(5);

/// Maximum time lost between an engine and its manager's clock per move.
const OVERHEAD: Duration = Duration::from_millis(50);

/// Time for a move that must be made as fast as possible.
const INSTANT: Duration = Duration::from_millis(20);

/// The times, and the number of nodes, that a manager has sent so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    turn: Option<Duration>,
    of_match: Option<Duration>,
    /// Time left, once it has been sent.
    left: Option<Duration>,
    spent: Duration,
    /// The most nodes of a search.
    nodes: Option<u64>,
}

impl Times {
    /// Records a time, or a number of nodes; ignores everything else.
    pub const fn note(&mut self, info: &ManagerInfo) {
        match *info {
            ManagerInfo::TurnTime(time) => self.turn = Some(time),
            ManagerInfo::MatchTime(time) => self.of_match = time,
            ManagerInfo::TimeLeft(Some(time)) => self.left = Some(time),
            ManagerInfo::TimeLeft(None) => (self.left, self.of_match) = (None, None),
            ManagerInfo::Nodes(nodes) => self.nodes = nodes,
            ManagerInfo::Memory(_) | ManagerInfo::Rule(_) | ManagerInfo::Threads(_) | ManagerInfo::Other => {}
        }
    }

    /// So much was used for a move.
    pub fn spend(&mut self, time: Duration) {
        self.spent = self.spent.saturating_add(time);
    }

    /// Starts another match; the limits stay.
    pub const fn begin(&mut self) {
        self.spent = Duration::ZERO;
        self.left = None;
    }

    /// Returns the limits and the clock of the next search. Managers must send the time left in a limited match; if one
    /// does not, it is computed from the time used.
    pub fn limits(&self) -> (SearchLimits, Option<TimeControl>) {
        let kept = |time: Duration| time.saturating_sub(OVERHEAD.min(time / 4)).max(Duration::from_millis(1));
        let left = self.left.or_else(|| self.of_match.map(|whole| whole.saturating_sub(self.spent)));
        let clock = left.map(|left| TimeControl::sudden_death(kept(left)));
        let limits = match self.turn {
            Some(Duration::ZERO) => SearchLimits { depth: Some(1), ..SearchLimits::time(INSTANT) },
            Some(turn) => SearchLimits::time(kept(turn)),
            None if clock.is_some() => SearchLimits::default(),
            None => SearchLimits::time(USUAL),
        };
        (SearchLimits { nodes: self.nodes, ..limits }, clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_become_limits() {
        let ms = Duration::from_millis;
        let check = |expected: &[ManagerInfo], time: Option<u64>, left: Option<u64>| {
            let mut times = Times::default();
            for info in expected {
                times.note(info);
            }
            times.spend(ms(500));
            let (limits, clock) = times.limits();
            assert_eq!((limits.time, clock.map(|clock| clock.left)), (time.map(ms), left.map(ms)), "{expected:?}");
        };
        check(&[], Some(5000), None);
        check(&[ManagerInfo::TurnTime(ms(1000))], Some(950), None);
        check(&[ManagerInfo::TurnTime(ms(8))], Some(6), None);
        check(&[ManagerInfo::TurnTime(Duration::ZERO)], Some(20), None);
        check(&[ManagerInfo::MatchTime(Some(ms(10_000)))], None, Some(9_450));
        check(&[ManagerInfo::MatchTime(Some(ms(10_000))), ManagerInfo::TimeLeft(Some(ms(3000)))], None, Some(2950));
        check(
            &[ManagerInfo::MatchTime(None), ManagerInfo::TimeLeft(None), ManagerInfo::TurnTime(ms(80))],
            Some(60),
            None,
        );
        check(&[ManagerInfo::TimeLeft(Some(Duration::ZERO)), ManagerInfo::TurnTime(ms(1000))], Some(950), Some(1));
    }

    #[test]
    fn nodes_are_a_limit_beside_the_times() {
        let mut times = Times::default();
        times.note(&ManagerInfo::Nodes(Some(700)));
        assert_eq!((times.limits().0.nodes, times.limits().0.time), (Some(700), Some(USUAL)));
        times.note(&ManagerInfo::Nodes(None));
        assert_eq!(times.limits().0.nodes, None);
    }
}
