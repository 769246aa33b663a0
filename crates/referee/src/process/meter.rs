//! How much of the time of an answer the machine took from a program.
//!
//! A thread that is ready to run and waits for a processor is kept waiting by the machine, unless another thread of the
//! same program holds the processor. The kernel reports how long each thread has waited, but not for whom. So no more
//! is given back than the time in which the program cannot have used its processors itself: with `n` of them and `c` of
//! CPU time in a time `t`, that is `t - c / n`. A program that fills its processors gets nothing back, whatever it
//! starts; one that sleeps has not waited.

use std::collections::HashMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, getpriority_process};
use rustix::thread::sched_getaffinity;

use super::times::{self, CpuClock};

/// How far beyond its time the judge waits at most for a program that is kept from its processors.
pub(super) const MAX_EXTENSION: Duration = Duration::from_mins(1);

/// How often the judge looks at the threads of a program while it waits.
pub(super) const SAMPLE_PERIOD: Duration = Duration::from_millis(25);

/// How soon the judge looks again at a program that is ready to run at its deadline: its current wait is only known
/// once it has run.
const SETTLE_PERIOD: Duration = Duration::from_millis(5);

/// How much CPU time of ended processes may be missing from every account before it counts as hidden: the kernel counts
/// that of children in hundredths of a second.
const MAX_MISSING: Duration = Duration::from_millis(40);

/// The threads and processes of a program at one moment. Times are since each of them began.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sample {
    /// The moment, since the first sample.
    pub at: Duration,
    /// Keyed by thread id.
    pub threads: HashMap<u32, ThreadTimes>,
    /// Keyed by process id.
    pub processes: HashMap<u32, ProcessTimes>,
    /// CPU time of ended processes that the judge's keeper has waited for.
    pub adopted: Duration,
    /// The fewest processors that a thread may use, in this sample or an earlier one.
    pub processors: u32,
    /// Whether any thread is runnable or running.
    pub is_runnable: bool,
    /// Whether any thread has lowered its own priority below its judge's.
    pub is_nice: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ThreadTimes {
    /// CPU time.
    pub ran: Duration,
    /// Time on a run queue.
    pub waited: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ProcessTimes {
    /// CPU time of all its threads, ended ones included.
    pub cpu: Duration,
    /// CPU time of its children that have ended and that it has waited for.
    pub children: Duration,
}

/// How long the threads of a program waited for a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Delays {
    /// All threads together.
    pub all: Duration,
    /// The part of the wall time that the machine took: see the module.
    pub machine: Duration,
}

/// Measures a program from a question on.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    base: Instant,
    /// When the program was asked.
    asked: Instant,
    /// Replaces the kernel's figures: this percentage of the time.
    simulated: Option<u32>,
    /// Delay from before the first sample.
    early: Duration,
    first: Sample,
    last: Sample,
    /// Delay of threads that have ended.
    ended_waited: Duration,
    /// CPU time of processes that have ended, minus what others have accounted for.
    missing_us: i64,
    /// When the program was last seen to make progress or to need no processor.
    progress: Duration,
    /// The CPU time at the deadline.
    at_deadline: Option<Duration>,
    /// The judge no longer waits for the program: its further waiting means nothing.
    closed: bool,
}

impl Meter {
    /// Begins with a first sample, of `base`. `early` is how long the program had waited by then since it was asked.
    pub(super) fn new(asked: Instant, base: Instant, first: Sample, early: Duration) -> Self {
        let last = first.clone();
        Self {
            base,
            asked,
            simulated: times::simulated_delay(),
            early,
            first,
            last,
            ended_waited: Duration::ZERO,
            missing_us: 0,
            progress: Duration::ZERO,
            at_deadline: None,
            closed: false,
        }
    }

    /// When the first sample was taken.
    pub(super) const fn base(&self) -> Instant {
        self.base
    }

    /// The last sample.
    pub(super) const fn last(&self) -> &Sample {
        &self.last
    }

    /// Adds a later sample.
    pub(super) fn add(&mut self, mut sample: Sample) {
        sample.processors = sample.processors.min(self.last.processors);
        sample.is_nice |= self.last.is_nice;
        let mut progressed = !sample.is_runnable;
        for (thread, times) in &self.last.threads {
            if !sample.threads.contains_key(thread) {
                let before = self.first.threads.get(thread).copied().unwrap_or_default();
                self.ended_waited += times.waited.saturating_sub(before.waited);
                // If the number is reused, it belongs to another thread.
                self.first.threads.remove(thread);
            }
        }
        let mut missing = -micros(sample.adopted.saturating_sub(self.last.adopted));
        for (process, times) in &self.last.processes {
            match sample.processes.get(process) {
                Some(now) => missing -= micros(now.children.saturating_sub(times.children)),
                None => missing += micros(times.cpu + times.children),
            }
        }
        self.missing_us += missing;
        progressed |= sample.cpu() != self.last.cpu() || sample.waited() != self.last.waited();
        if progressed {
            self.progress = sample.at;
        }
        self.last = sample;
    }

    /// How long it has waited so far.
    pub(super) fn delays(&self) -> Delays {
        if let Some(percent) = self.simulated {
            let part = (self.base + self.last.at).saturating_duration_since(self.asked) * percent / 100;
            return Delays { all: part, machine: part };
        }
        let of = |thread: &u32| self.first.threads.get(thread).copied().unwrap_or_default();
        let now = |(thread, times): (&u32, &ThreadTimes)| times.waited.saturating_sub(of(thread).waited);
        // A wait that has not ended is not in the kernel's numbers yet.
        let pending = self.last.at.saturating_sub(self.progress);
        let since = self.last.threads.iter().map(now).sum::<Duration>() + self.ended_waited + pending;
        Delays { all: self.early + since, machine: self.early + since.min(self.unused()) }
    }

    /// How long it had waited when its answer was seen, after a last sample taken now. Its waiting since then may be
    /// the machine's, and is not part of the answer.
    pub(super) fn delays_until(&self, seen: Instant, now: Instant) -> Delays {
        let delays = self.delays();
        let since = if self.closed { Duration::ZERO } else { now.saturating_duration_since(seen) };
        let wall = seen.saturating_duration_since(self.asked);
        Delays { machine: delays.machine.saturating_sub(since).min(wall), ..delays }
    }

    /// How long the program may have been without its processors since the first sample.
    fn unused(&self) -> Duration {
        // It hides what it uses, or lets others go first of its own accord.
        if self.missing_us > micros(MAX_MISSING) || self.last.is_nice {
            return Duration::ZERO;
        }
        let used = self.cpu();
        let ran = |(thread, times): (&u32, &ThreadTimes)| {
            times.ran.saturating_sub(self.first.threads.get(thread).copied().unwrap_or_default().ran)
        };
        let longest = self.last.threads.iter().map(ran).max().unwrap_or_default();
        self.last.at.saturating_sub(longest.max(used / self.last.processors.max(1)))
    }

    /// CPU time since the first sample.
    fn cpu(&self) -> Duration {
        self.last.cpu().saturating_sub(self.first.cpu())
    }

    /// Until when to wait for a program that has no answer at its deadline, or `None` if its time is up however long it
    /// has waited. The last sample is from now.
    pub(super) fn extension(&mut self, now: Instant, deadline: Instant) -> Option<Instant> {
        let until = deadline + self.delays().machine;
        let cpu = self.cpu();
        let settled = !self.last.is_runnable || *self.at_deadline.get_or_insert(cpu) < cpu;
        let next = match (now < until, settled) {
            _ if now >= deadline + MAX_EXTENSION => None,
            (true, _) => Some(until.min(now + SAMPLE_PERIOD)),
            (false, false) => Some(now + SETTLE_PERIOD),
            (false, true) => None,
        };
        self.closed = next.is_none();
        next
    }

    /// Whether the judge has stopped waiting for the program.
    pub(super) const fn is_closed(&self) -> bool {
        self.closed
    }
}

impl Sample {
    /// What these processes have used and waited; `keeper` is the process that reaps what they leave behind. Whether a
    /// thread is runnable is checked only if its CPU time has not changed since the last sample; in the first sample
    /// nothing depends on it.
    pub(super) fn take(at: Duration, processes: &[u32], keeper: Option<u32>, before: Option<&Self>) -> Self {
        let mut sample = Self { at, processors: processors_here(), ..Self::default() };
        let nice = |thread| getpriority_process(thread).unwrap_or_default();
        let usual = nice(None);
        for &pid in processes {
            let children = waited_for(pid).unwrap_or_default();
            sample.processes.insert(pid, ProcessTimes { cpu: CpuClock::new(pid).now(), children });
            for thread in threads(pid) {
                if let Some(times) = ThreadTimes::read(pid, thread) {
                    sample.threads.insert(thread, times);
                }
                let Some(thread) = Pid::from_raw(thread as i32) else { continue };
                sample.is_nice |= nice(Some(thread)) > usual;
                if let Ok(allowed) = sched_getaffinity(Some(thread)) {
                    sample.processors = sample.processors.min(allowed.count());
                }
            }
        }
        sample.adopted = keeper.and_then(waited_for).unwrap_or_default();
        // One that gets on does run.
        sample.is_runnable = before.is_some_and(|before| {
            sample.cpu() > before.cpu()
                || processes.iter().any(|&pid| threads(pid).into_iter().any(|thread| is_runnable(pid, thread)))
        });
        sample
    }

    fn cpu(&self) -> Duration {
        self.processes.values().map(|times| times.cpu + times.children).sum::<Duration>() + self.adopted
    }

    /// How long its threads have waited for processors.
    pub(super) fn waited(&self) -> Duration {
        self.threads.values().map(|times| times.waited).sum()
    }
}

impl ThreadTimes {
    /// Source: Linux, `Documentation/scheduler/sched-stats.rst`: CPU time and time on a run queue, in nanoseconds.
    fn read(pid: u32, thread: u32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/task/{thread}/schedstat")).ok()?;
        let mut numbers = text.split_ascii_whitespace().map(|number| number.parse().map(Duration::from_nanos));
        Some(Self { ran: numbers.next()?.ok()?, waited: numbers.next()?.ok()? })
    }
}

fn threads(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks.filter_map(|task| task.file_name().to_str()?.parse().ok()).collect()
}

fn is_runnable(pid: u32, thread: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/task/{thread}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('R'))
}

/// CPU time of the ended children that a process has waited for.
///
/// Source: proc(5), `cutime` and `cstime` of `stat`.
fn waited_for(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    children_in(&stat)
}

fn children_in(stat: &str) -> Option<Duration> {
    const TICKS_A_SECOND: u64 = 100;
    // The name may contain anything. After it, `state` is the first field, and `cutime` the fourteenth.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(13);
    let [user, system]: [u64; 2] = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
    Some(Duration::from_millis((user + system) * (1000 / TICKS_A_SECOND)))
}

/// How long the threads of a process have waited for processors since they began.
pub(super) fn waited_by(pid: u32) -> Duration {
    threads(pid).into_iter().filter_map(|thread| ThreadTimes::read(pid, thread)).map(|times| times.waited).sum()
}

/// How many processors the calling thread may use at once, including a quota of its control group. Queried once per
/// thread: finding out takes longer than a quick answer.
pub(super) fn processors_here() -> u32 {
    thread_local! {
        static PROCESSORS: u32 = thread::available_parallelism().map_or(1, |most| most.get() as u32);
    }
    PROCESSORS.with(|processors| *processors)
}

/// The process that started a process, or has adopted it.
pub(super) fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

const fn micros(time: Duration) -> i64 {
    time.as_micros() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// A sample at `at` of one process with these threads (ran, waited), all on `processors`.
    fn sample(at: u64, processors: u32, threads: &[(u64, u64)]) -> Sample {
        let times = |&(ran, waited): &(u64, u64)| ThreadTimes { ran: ms(ran), waited: ms(waited) };
        let threads: HashMap<u32, ThreadTimes> = (10..).zip(threads.iter().map(times)).collect();
        let cpu = threads.values().map(|times| times.ran).sum();
        let processes = HashMap::from([(10, ProcessTimes { cpu, children: Duration::ZERO })]);
        Sample { at: ms(at), threads, processes, processors, is_runnable: true, ..Sample::default() }
    }

    fn measured(base: Instant, first: Sample) -> Meter {
        Meter { simulated: None, ..Meter::new(base, base, first, Duration::ZERO) }
    }

    fn meter(samples: &[Sample]) -> Meter {
        let mut meter = measured(Instant::now(), samples[0].clone());
        for sample in &samples[1..] {
            meter.add(sample.clone());
        }
        meter
    }

    #[test]
    fn the_machine_took_what_the_program_did_not_use_itself() {
        #[track_caller]
        fn check(what: &str, processors: u32, threads: &[(u64, u64)], all: u64, machine: u64) {
            let start = sample(0, processors, &vec![(0, 0); threads.len()]);
            let delays = meter(&[start, sample(1000, processors, threads)]).delays();
            assert_eq!([delays.all, delays.machine], [ms(all), ms(machine)], "{what}");
        }
        check("one thread, beside two others of the machine", 1, &[(333, 667)], 667, 667);
        check("it slept", 2, &[(1, 0)], 0, 0);
        check("it computed", 2, &[(1000, 0)], 0, 0);
        check("its own threads kept each other waiting", 1, &[(250, 750); 4], 3000, 0);
        check("so they did on two processors", 2, &[(500, 500); 4], 2000, 0);
        check("half of that by the machine", 2, &[(250, 750); 4], 3000, 500);
        check("a helper hogs the only processor, and the other one waits", 1, &[(100, 900), (900, 100)], 1000, 0);
        check("a helper hogs all but what the machine has", 1, &[(50, 950), (450, 550)], 1500, 500);
        check("two threads in turn", 2, &[(250, 250), (250, 250)], 500, 500);
    }

    #[test]
    fn processes_that_vanish_give_nothing_back() {
        let child = |at: u64, cpu: u64| {
            let mut sample = sample(at, 1, &[(at / 10, at - at / 10)]);
            sample.processes.insert(20 + at as u32, ProcessTimes { cpu: ms(cpu), children: Duration::ZERO });
            sample
        };
        // Each lives for 25 ms and uses 20 ms; no process has waited for it.
        let hidden: Vec<Sample> = (0..10).map(|n| child(n * 25, 20)).collect();
        assert_eq!(meter(&hidden).delays().machine, Duration::ZERO);
        // The same, when the first waits for it: what is known of them is subtracted.
        let mut known = hidden;
        for (n, sample) in known.iter_mut().enumerate() {
            sample.processes.get_mut(&10).unwrap().children = ms(20 * n as u64);
        }
        let machine = meter(&known).delays().machine;
        assert!(machine <= ms(25) && !machine.is_zero(), "{machine:?}");
    }

    #[test]
    fn who_steps_back_by_its_own_will_gets_nothing_back() {
        let nice = |nice: bool| {
            let samples = [0, 500, 1000].map(|at| sample(at, 1, &[(at / 10, at - at / 10)]));
            let [start, between, end] = samples;
            meter(&[start, Sample { is_nice: nice, ..between }, end]).delays().machine
        };
        assert_eq!([nice(false), nice(true)], [ms(900), Duration::ZERO]);
    }

    #[test]
    fn a_wait_that_has_not_ended_counts() {
        let starved = [sample(0, 1, &[(0, 0)]), sample(25, 1, &[(20, 0)]), sample(400, 1, &[(20, 0)])];
        assert_eq!(meter(&starved).delays().machine, ms(375));
        let asleep = starved.map(|sample| Sample { is_runnable: false, ..sample });
        assert_eq!(meter(&asleep).delays().machine, Duration::ZERO);
    }

    #[test]
    fn a_deadline_waits_for_the_time_that_the_machine_took() {
        let base = Instant::now();
        let deadline = base + ms(1000);
        let mut meter = measured(base, sample(0, 1, &[(0, 0)]));
        let mut check = |at: u64, threads: (u64, u64), runnable: bool, expected: Option<u64>| {
            meter.add(Sample { is_runnable: runnable, ..sample(at, 1, &[threads]) });
            let until = meter.extension(base + ms(at), deadline);
            assert_eq!(until.map(|until| until - base), expected.map(ms), "at {at}");
        };
        check(1000, (400, 600), true, Some(1025));
        check(1600, (400, 600), true, Some(1625));
        check(1800, (700, 1100), true, Some(1825));
        check(2100, (1000, 1100), true, None);
        let mut idle = measured(base, sample(0, 1, &[(0, 0)]));
        idle.add(Sample { is_runnable: false, ..sample(1000, 1, &[(1, 0)]) });
        assert_eq!(idle.extension(base + ms(1000), deadline), None, "it sleeps");
        let mut busy = measured(base, sample(0, 1, &[(0, 0)]));
        busy.add(sample(1000, 1, &[(1000, 0)]));
        assert_eq!(busy.extension(base + ms(1000), deadline), Some(base + ms(1005)), "it may wait just now");
        busy.add(sample(1005, 1, &[(1005, 0)]));
        assert_eq!(busy.extension(base + ms(1005), deadline), None, "it runs");
        let mut starved = measured(base, sample(0, 1, &[(0, 0)]));
        starved.add(sample(61_000, 1, &[(0, 0)]));
        assert_eq!(starved.extension(base + ms(61_000), deadline), None, "not without end");
    }

    #[test]
    fn the_time_of_children_is_read_behind_any_name() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 100 200 0 0 11 12 13 14 20 0 1 0 100 1000 10";
        assert_eq!(children_in(stat), Some(ms(270)));
        assert_eq!(children_in("7 (x) S 1"), None);
        assert_eq!(parent_of(std::process::id()).map(|parent| parent > 0), Some(true));
    }

    #[test]
    fn a_sample_of_ourselves_runs() {
        let own = std::process::id();
        let before = Sample::take(Duration::ZERO, &[own], None, None);
        let sum: u64 = (0..2_000_000_u64).map(std::hint::black_box).sum();
        let after = Sample::take(ms(1), &[own], parent_of(own), Some(&before));
        assert!(sum > 0 && after.is_runnable && after.cpu() > before.cpu());
        assert!(after.processors >= 1 && after.threads.contains_key(&own));
    }
}
