//! How long to search for a move: the clock of a game, shared out over the moves that are left.

use std::time::Duration;

use agon_game::TimeControl;

use crate::{Instant, SearchLimits, Task};

/// Kept from the clock for what happens outside the search: a busy machine takes the processor away for tens of
/// milliseconds now and then.
const RESERVE: Duration = Duration::from_millis(90);

/// A game may take this many times the moves that are expected, and its last ones must be answered, too.
const LONGER: f64 = 6.0;

/// At least this many moves can be made with what is left: no move takes more than its share.
const MIN_MOVES_LEFT: u32 = 5;

/// How many moves the mean of the overhead goes back.
const REMEMBERED: u32 = 6;

/// Turns the clock of a game into limits of one search, and learns the move overhead: what a move costs besides the
/// search (lines on their way, waking up, waiting for a processor).
#[derive(Clone, Debug)]
pub struct TimeManager {
    /// What should be left when the next move is asked for.
    expected: Option<Duration>,
    overhead: Duration,
}

impl Default for TimeManager {
    /// Knows nothing of the overhead yet, and takes it to be 0.3 ms.
    fn default() -> Self {
        Self { expected: None, overhead: Duration::from_micros(300) }
    }
}

impl TimeManager {
    /// The limits of the search for a move: a soft and a hard limit of time, both zero when what is left must be kept
    /// to answer at once. `reserve` is not spent whatever happens, `moves` is how many moves of its own the side to
    /// move probably still has to make. Learns the move overhead when the clock goes on from [`TimeManager::moved`].
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
        // More time comes after this number of moves; what is left of a move's own time is lost.
        let to_go = clock.moves_to_go.map_or(u32::MAX, |moves| moves.max(1));
        let moves = moves.max(1.0).min(f64::from(to_go));
        // When no more than this is left every move is answered at once.
        let reserve = reserve + RESERVE + self.overhead.mul_f64(LONGER * moves);
        let reserve = if to_go == 1 { reserve.min(clock.left / 5) } else { reserve };
        let free = clock.left.saturating_sub(reserve);
        let most = free / MIN_MOVES_LEFT.min(to_go);
        let soft = (free.div_f64(moves) + clock.increment * 3 / 4).min(most);
        let hard = (soft * 4).min(most);
        SearchLimits { time: Some(hard), soft: Some(soft), ..SearchLimits::default() }
    }

    /// The move asked for on this clock took so long, and was allowed so much. What it took beyond that is overhead:
    /// others had the processor.
    pub fn moved(&mut self, clock: TimeControl, taken: Duration, allowed: Duration) {
        self.expected = Some(clock.left.saturating_sub(taken.min(allowed)) + clock.increment);
    }

    /// The next clock is another game's. The overhead learnt stays.
    pub const fn new_game(&mut self) {
        self.expected = None;
    }
}

/// What a move may use, for an engine that shares it out over several searches.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    end: Option<Instant>,
    nodes: Option<u64>,
}

/// For a move, where nothing limits it.
const UNLIMITED: Duration = Duration::from_secs(1);

impl Shares {
    /// What a task allows: all that is left on its clock but the reserve, or else its limits.
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
        // 100 ms were used and 10 given back, 112 are gone.
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
            // Nothing but the reserves is left over.
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
