//! The times of an answer: wall time, CPU time, and delay by the scheduler.

use std::fs;
use std::time::Duration;

use nix::time::ClockId;
use nix::unistd::Pid;
use rustix::event::Timespec;

/// The times of one answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Wall time, by which the agent is judged.
    pub wall: Duration,
    /// CPU time of the agent's process since its previous answer, all its threads together. Of an agent that has once
    /// taken more than a millisecond, that of its child processes is in it as far as they still run. More of it than wall
    /// time is the mark of several threads, or of thinking on the opponent's time.
    pub cpu: Duration,
    /// How long its threads were ready to run and were not let run.
    pub delay: Duration,
}

/// Below this a scheduling delay is the normal noise of a machine.
const NOTABLE_DELAY: Duration = Duration::from_millis(5);

impl Moment {
    /// Whether the machine, not the agent, made this answer slow: it waited for a processor for at least 5 ms and for
    /// at least a quarter of the answer's wall time.
    pub fn disturbed(&self) -> bool {
        self.delay >= NOTABLE_DELAY && self.delay * 4 >= self.wall
    }

    /// The same in whole microseconds, rounded up, so that the times of a record add up exactly.
    #[must_use]
    pub(crate) fn whole_micros(self) -> Self {
        let up = |time: Duration| Duration::from_micros(time.as_nanos().div_ceil(1000) as u64);
        Self { wall: up(self.wall), cpu: up(self.cpu), delay: up(self.delay) }
    }
}

/// The clock of the CPU time that a process and all its threads use; it stands at zero once the process is gone.
#[derive(Clone, Copy, Debug)]
pub struct CpuClock(Option<ClockId>);

impl CpuClock {
    /// The clock of a running process.
    pub fn of(pid: u32) -> Self {
        Self(ClockId::pid_cpu_clock_id(Pid::from_raw(pid as i32)).ok())
    }

    /// What it shows.
    pub fn now(self) -> Duration {
        self.0.and_then(|clock| clock.now().ok()).map_or(Duration::ZERO, Duration::from)
    }
}

/// How long the threads of a process have waited on a run queue so far; zero where the kernel does not say.
///
/// Source: Linux, `Documentation/scheduler/sched-stats.rst`, the second number of `schedstat`, in nanoseconds.
pub fn run_delay(pid: u32) -> Duration {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Duration::ZERO };
    let delays = tasks.flatten().filter_map(|task| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').nth(1)?.parse::<u64>().ok()
    });
    Duration::from_nanos(delays.sum())
}

/// A duration as `poll` takes it.
pub fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: i64::from(duration.subsec_nanos()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_wait_for_the_processor_disturbs() {
        let check = |wall, delay, disturbed| {
            let moment =
                Moment { wall: Duration::from_millis(wall), cpu: Duration::ZERO, delay: Duration::from_millis(delay) };
            assert_eq!(moment.disturbed(), disturbed, "{moment:?}");
        };
        check(10, 9, true);
        check(4, 4, false);
        check(1000, 100, false);
        check(1000, 250, true);
    }

    #[test]
    fn our_own_cpu_time_is_known() {
        let clock = CpuClock::of(std::process::id());
        let before = clock.now();
        let sum: u64 = (0..2_000_000_u64).map(std::hint::black_box).sum();
        assert!(sum > 0 && clock.now() > before);
    }
}
