//! The times of an answer: wall time, CPU time, and delay by the scheduler.

use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::LazyLock;
use std::time::Duration;

use nix::time::ClockId;
use nix::unistd::Pid;

/// The times of one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Wall time, by which the agent is judged: from before the question was written until the answer's newline was
    /// seen, so never less than the true time.
    pub wall: Duration,
    /// CPU time of the agent's process since its previous answer, all its threads together. For an answer that took
    /// more than a millisecond, it includes the child processes that are still running. If it exceeds the wall time,
    /// there were several threads, or the program was thinking on the opponent's time.
    pub cpu: Duration,
    /// How long its threads were ready to run but not running. Unknown for an answer within a millisecond.
    pub delay: Duration,
    /// How much of the wall time the machine took from the program: it waited for a processor that it was not using
    /// itself. Never more than `delay`; known only where that is 5 ms or more.
    pub machine: Duration,
    /// How much of the wall time may be the judge's own: it was kept from a processor itself while it wrote the
    /// question or when the answer came. The true time is between `wall - judge_delay` and `wall`.
    pub judge_delay: Duration,
    /// CPU time that the opponent's process used between its own last answer and this one. Not measured for an answer
    /// within a millisecond.
    pub opponent_cpu: Duration,
}

/// Below this a scheduling delay does not disturb an answer.
const NOTABLE_DELAY: Duration = Duration::from_millis(5);

/// The latency of a machine that does nothing else: only for a slower answer is it worth asking the kernel whether the
/// machine delayed it, and the judge does not count as late by less.
pub const NORMAL_LATENCY: Duration = Duration::from_millis(1);

/// A delay of the judge, if it is more than [`NORMAL_LATENCY`].
pub(super) fn notable(delay: Duration) -> Duration {
    if SIMULATED.is_some() || delay < NORMAL_LATENCY { Duration::ZERO } else { delay }
}

impl Moment {
    /// Whether the machine, not the agent, made this answer slow: the agent or the judge, or one after the other,
    /// waited for a processor for at least 5 ms and for at least a quarter of the answer's wall time.
    pub fn disturbed(&self) -> bool {
        let delay = self.delay + self.judge_delay;
        delay >= NOTABLE_DELAY && delay * 4 >= self.wall
    }

    /// The least time that the answer can have taken on a machine that does nothing else.
    pub fn least(&self) -> Duration {
        self.wall.saturating_sub(self.judge_delay + self.machine)
    }

    /// The same in whole microseconds, rounded up, so that the times of a record add up exactly.
    #[must_use]
    pub(crate) fn whole_micros(self) -> Self {
        let up = |time: Duration| Duration::from_micros(time.as_nanos().div_ceil(1000) as u64);
        Self {
            wall: up(self.wall),
            cpu: up(self.cpu),
            delay: up(self.delay),
            machine: Duration::from_micros(self.machine.as_micros() as u64),
            judge_delay: up(self.judge_delay),
            opponent_cpu: up(self.opponent_cpu),
        }
    }
}

/// The clock of the CPU time that a process and all its threads use; zero once the process is gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuClock(Option<ClockId>);

impl CpuClock {
    /// The clock of a running process.
    pub(super) fn new(pid: u32) -> Self {
        Self(ClockId::pid_cpu_clock_id(Pid::from_raw(pid as i32)).ok())
    }

    pub(super) fn now(self) -> Duration {
        self.0.and_then(|clock| clock.now().ok()).map_or(Duration::ZERO, Duration::from)
    }
}

/// The variable that replaces the kernel's figures for delays: `off` for none, `50%` for half of each answer's time.
const DELAY_VARIABLE: &str = "AGON_DELAY";

/// The percentage of [`DELAY_VARIABLE`].
static SIMULATED: LazyLock<Option<u32>> = LazyLock::new(|| {
    let value = std::env::var(DELAY_VARIABLE).ok()?;
    if value == "off" { Some(0) } else { value.strip_suffix('%')?.parse().ok().filter(|percent| *percent < 100) }
});

thread_local! {
    static SIMULATED_HERE: Cell<Option<u32>> = const { Cell::new(None) };
}

/// From now on, counts this percentage of the time of each answer that this thread waits for as a wait for a processor,
/// whatever the kernel says. For tests, which must not depend on the load of their machine.
pub fn simulate_delay(percent: u32) {
    SIMULATED_HERE.set(Some(percent.min(99)));
}

/// The percentage of the time that counts as a wait, if it does not come from the kernel.
pub(super) fn simulated_delay() -> Option<u32> {
    SIMULATED_HERE.get().or(*SIMULATED)
}

/// How long the calling thread has waited on a run queue so far; zero if the kernel does not say, or [`DELAY_VARIABLE`]
/// replaces it.
///
/// Source: Linux, `Documentation/scheduler/sched-stats.rst`, the second number of `schedstat`, in nanoseconds.
pub(super) fn own_run_delay() -> Duration {
    thread_local! {
        static SCHEDSTAT: Option<File> =
            if SIMULATED.is_some() { None } else { File::open("/proc/thread-self/schedstat").ok() };
    }
    let read = |file: &File| {
        let mut text = [0; 64];
        let length = file.read_at(&mut text, 0).ok()?;
        str::from_utf8(&text[..length]).ok()?.split(' ').nth(1)?.parse().ok()
    };
    SCHEDSTAT.with(|file| file.as_ref().and_then(read)).map_or(Duration::ZERO, Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_wait_for_the_processor_disturbs() {
        let check = |wall, delay, judge_delay, disturbed| {
            let [wall, delay, judge_delay] = [wall, delay, judge_delay].map(Duration::from_millis);
            let moment = Moment { wall, delay, judge_delay, ..Moment::default() };
            assert_eq!(moment.disturbed(), disturbed, "{moment:?}");
        };
        check(10, 9, 0, true);
        check(4, 4, 0, false);
        check(1000, 100, 0, false);
        check(1000, 250, 0, true);
        check(10, 0, 9, true);
        check(1000, 0, 100, false);
        check(10, 3, 3, true);
    }

    #[test]
    fn our_own_wait_for_a_processor_is_known() {
        let before = own_run_delay();
        let main = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        let read: u64 = main.split(' ').nth(1).unwrap().parse().unwrap();
        assert!(before <= Duration::from_nanos(read) && Duration::from_nanos(read) <= own_run_delay());
    }

    #[test]
    fn our_own_cpu_time_is_known() {
        let clock = CpuClock::new(std::process::id());
        let before = clock.now();
        let sum: u64 = (0..2_000_000_u64).map(std::hint::black_box).sum();
        assert!(sum > 0 && clock.now() > before);
    }
}
