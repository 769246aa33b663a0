//! Time management: distributes the clock of a game over the remaining moves.

use std::time::Duration;

use agon_game::TimeControl;

use crate::{Instant, SearchLimits, Task};

/// Time reserved for delays outside the search: a busy machine occasionally takes the processor away for tens of
/// milliseconds.
const RESERVE: Duration = Duration::from_millis(90);

/// A game may have this many times the expected number of moves, and its last ones must be answered as well.
const LONGER: f64 = 6.0;

/// The remaining time must suffice for this many moves: no move takes more than its share.
const MIN_MOVES_LEFT: u32 = 5;

/// Number of moves in the mean of the overhead.
const REMEMBERED: u32 = 6;

/// Turns the clock of a game into limits of one search, and learns the move overhead: the time of a move besides the
/// search (transmission of lines, waking up, waiting for a processor).
#[derive(Clone, Debug)]
pub struct TimeManager {
    /// Time expected to be left at the next move.
    expected: Option<Duration>,
    overhead: Duration,
}

impl Default for TimeManager {
    /// Starts without knowledge of the overhead and assumes 0.3 ms.
    fn default() -> Self {
        Self { expected: None, overhead: Duration::from_micros(300) }
    }
}

impl TimeManager {
    /// Returns the limits of the search for a move: a soft and a hard time limit, both zero if the remaining time only
    /// suffices to answer immediately. `reserve` is never spent; `moves` is the expected number of further moves of the
    /// side to move. Learns the move overhead when the clock continues from [`TimeManager::moved`].
    ///
    /// ```
    /// use agon_search::TimeControl;
    /// use agon_search::time::TimeManager;
    /// use std::time::Duration;
    /// let clock = TimeControl::sudden_death(Duration::from_secs(10));
    /// let limits = TimeManager::default().limits(clock, Duration::ZERO, 40.0);
    /// assert!(limits.soft > Some(Duration::from_millis(100)) && limits.time < Some(Duration::from_secs(3)));
    /// ```
    pub fn limits(&mut self, clock: TimeControl, reserve: Duration, moves: f64) -> SearchLimits {
        if let Some(lost) = self.expected.take().and_then(|expected| expected.checked_sub(clock.left)) {
            self.overhead = (self.overhead * (REMEMBERED - 1) + lost) / REMEMBERED;
        }
        // More time is added after this number of moves; in a period of one move, unused time is lost.
        let to_go = clock.moves_to_go.map_or(u32::MAX, |moves| moves.max(1));
        let moves = moves.max(1.0).min(f64::from(to_go));
        // With no more than this left, every move is answered immediately.
        let reserve = reserve + RESERVE + self.overhead.mul_f64(LONGER * moves);
        let reserve = if to_go == 1 { reserve.min(clock.left / 5) } else { reserve };
        let free = clock.left.saturating_sub(reserve);
        let most = free / MIN_MOVES_LEFT.min(to_go);
        let soft = (free.div_f64(moves) + clock.increment * 3 / 4).min(most);
        let hard = (soft * 4).min(most);
        SearchLimits { time: Some(hard), soft: Some(soft), ..SearchLimits::default() }
    }

    /// Records the time taken for the move on this clock, and the time allowed. The excess is overhead: others had the
    /// processor.
    pub fn moved(&mut self, clock: TimeControl, taken: Duration, allowed: Duration) {
        self.expected = Some(clock.left.saturating_sub(taken.min(allowed)) + clock.increment);
    }

    /// The next clock is another game's. The overhead learnt stays.
    pub const fn new_game(&mut self) {
        self.expected = None;
    }
}

/// Time for a move of an engine that divides it between several searches.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    end: Option<Instant>,
    nodes: Option<u64>,
}

/// Time for a move without any limit.
const UNLIMITED: Duration = Duration::from_secs(1);

impl Shares {
    /// Returns the time that a task allows: the time left on its clock minus the reserve, or else its limits.
    pub fn new(task: &Task, reserve: Duration) -> Self {
        let SearchLimits { time, nodes, .. } = task.limits;
        let kept = |clock: TimeControl| match clock.moves_to_go {
            Some(0 | 1) => reserve.min(clock.left / 5),
            _ => reserve,
        };
        let left = task.clock.map(|clock| clock.left.saturating_sub(kept(clock))).or(time);
        let left = left.or_else(|| nodes.is_none().then_some(UNLIMITED));
        Self { end: left.and_then(|left| Instant::now().checked_add(left)), nodes }
    }

    /// A part of the time that is left now and of the nodes, in percent.
    pub fn share(&self, percent: u32) -> SearchLimits {
        let time = self.end.map(|end| end.saturating_duration_since(Instant::now()) * percent / 100);
        let nodes = self.nodes.map(|nodes| nodes * u64::from(percent) / 100);
        SearchLimits { time, nodes, ..SearchLimits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(limits: SearchLimits) -> [Duration; 2] {
        [limits.soft.unwrap(), limits.time.unwrap()]
    }

    /// A game of `moves` moves that take the soft or the hard limit of their time and `late` more ends in time.
    fn check(clock_ms: u64, moves: u32, spent: usize, late: Duration) {
        let mut left = Duration::from_millis(clock_ms);
        let mut time = TimeManager::default();
        for m in 0..moves {
            let clock = TimeControl::sudden_death(left);
            let to_go = f64::from(moves - m).clamp(1.0, 30.0);
            let [soft, hard] = times(time.limits(clock, Duration::ZERO, to_go));
            assert!(soft <= hard, "{soft:?} {hard:?}");
            let taken = [soft, hard][spent];
            assert!(taken + late < left, "{clock_ms} ms: move {m} of {moves} takes {taken:?} of {left:?}");
            time.moved(clock, taken, hard);
            left = left.saturating_sub(taken + late);
        }
    }

    #[test]
    fn a_game_ends_in_time() {
        let (soft, hard) = (0, 1);
        for clock in [200, 1_000, 10_000] {
            for moves in [1, 20, 50, 200] {
                check(clock, moves, soft, Duration::from_micros(400));
                check(clock, moves, hard, Duration::from_micros(400));
            }
            check(clock, 50, soft, Duration::from_millis(2));
        }
        check(1_000, 50, hard, Duration::from_millis(4));
        check(10_000, 200, soft, Duration::from_millis(2));
    }

    #[test]
    fn the_overhead_is_learnt_within_one_game() {
        let ms = Duration::from_millis;
        let clock = |left| TimeControl::with_increment(ms(left), ms(10));
        let mut time = TimeManager::default();
        time.limits(clock(1_000), Duration::ZERO, 30.0);
        time.moved(clock(1_000), ms(100), ms(200));
        // 100 ms were used and 10 added, but 112 are gone.
        time.limits(clock(888), Duration::ZERO, 30.0);
        assert!(time.overhead > ms(3), "{time:?}");
        let learnt = time.overhead;
        time.moved(clock(888), ms(100), ms(200));
        time.new_game();
        time.limits(clock(100), Duration::ZERO, 30.0);
        assert_eq!(time.overhead, learnt);
    }

    #[test]
    fn the_moves_of_a_period_are_made_in_its_time() {
        let ms = Duration::from_millis;
        for (period, late) in [(60_000, 1), (2_000, 2)] {
            let (mut left, mut time) = (ms(period), TimeManager::default());
            for made in 0..80 {
                let clock = TimeControl { moves_to_go: Some(40 - made % 40), ..TimeControl::sudden_death(left) };
                let [soft, hard] = times(time.limits(clock, ms(50), 90.0));
                assert!(hard + ms(late) < left, "move {made}: {hard:?} of {left:?}");
                time.moved(clock, soft, hard);
                left = left.saturating_sub(soft + ms(late));
                if made % 40 == 39 {
                    left += ms(period);
                }
            }
            // Only the reserves are left.
            assert!(left < ms(period) + ms(period / 5), "{left:?}");
        }
        // A time for each move is used up.
        for each in [100, 1_000] {
            let clock = TimeControl { moves_to_go: Some(1), ..TimeControl::sudden_death(ms(each)) };
            let [soft, hard] = times(TimeManager::default().limits(clock, ms(50), 90.0));
            assert!(soft == hard && hard >= ms(each * 4 / 5) && hard < ms(each), "{hard:?} of {each} ms");
        }
    }

    #[test]
    fn a_spike_is_survived() {
        // Whenever it comes, the reserve holds.
        let clock = TimeControl::sudden_death(Duration::from_millis(200));
        let mut time = TimeManager { overhead: Duration::from_millis(1), ..TimeManager::default() };
        let [_, hard] = times(time.limits(clock, Duration::ZERO, 30.0));
        assert!(hard < Duration::from_millis(20), "{hard:?}");
        assert!(clock.left.saturating_sub(hard) > RESERVE + Duration::from_millis(60));
    }

    #[test]
    fn without_time_there_is_no_search() {
        let none = TimeControl::sudden_death(Duration::ZERO);
        let limits = TimeManager::default().limits(none, Duration::ZERO, 30.0);
        assert_eq!(times(limits), [Duration::ZERO; 2]);
    }
}
