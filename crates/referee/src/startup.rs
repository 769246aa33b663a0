//! How much of a program's time goes into starting it, if every action is a separate process.

use std::time::Duration;

use agon_game::Side;

use crate::record::Record;
use crate::report::Way;

/// Less time needs no advice.
const MIN_USED: Duration = Duration::from_secs(5);

/// Fewer processes are soon started.
const MIN_PROCESSES: u32 = 50;

/// No program computes longer while it starts.
const MAX_START: Duration = Duration::from_millis(500);

/// The processes that were started for the actions of one program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Startup {
    pub processes: u32,
    /// The time of all of them.
    pub used: Duration,
    /// The part that went into starting them, as far as that is known.
    pub starting: Duration,
}

impl Startup {
    /// The startup of a side in a recorded game; `None` for a built-in player, a program that stays alive, and in games
    /// that are not played per action.
    pub fn from_record(record: &Record, side: Side) -> Option<Self> {
        let begin = Duration::from_micros(record.result.invocations?.begin_us[side.index()]);
        let entries = record.entries.iter().filter(|entry| (entry.side, entry.way) == (side, Way::From));
        let times: Vec<_> = entries.filter_map(|entry| entry.moment).map(|moment| [moment.wall, moment.cpu]).collect();
        Self::of_times(begin, &times)
    }

    /// The startup of processes with these wall and processor times; `begin` is the wall time of one that only starts.
    fn of_times(begin: Duration, times: &[[Duration; 2]]) -> Option<Self> {
        let processes = u32::try_from(times.len()).ok()?;
        let [used, computed] = [0, 1].map(|at| times.iter().map(|time| time[at]).sum::<Duration>());
        let [least, least_computed] = [0, 1].map(|at| times.iter().map(|time| time[at]).min());
        // No process starts faster than it answers.
        let mut starting = least?.min(begin) * processes;
        // On a busy machine only the processor times are alike.
        if let Some(each) = least_computed.filter(|&each| !each.is_zero() && each <= begin.min(MAX_START)) {
            starting = starting.max(used.mul_f64((each * processes).as_secs_f64() / computed.as_secs_f64()));
        }
        (!starting.is_zero()).then_some(Self { processes, used, starting })
    }

    pub fn add(&mut self, other: Self) {
        self.processes += other.processes;
        self.used += other.used;
        self.starting += other.starting;
    }

    /// Whether starting takes at least half of the time.
    pub fn is_most(&self) -> bool {
        self.starting * 2 >= self.used
    }

    /// If starting takes most of a time that matters: how much, and how to avoid it.
    pub fn advice(&self, name: &str) -> Option<String> {
        let most = self.used >= MIN_USED && self.is_most() && self.processes >= MIN_PROCESSES;
        let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
        most.then(|| {
            let each = (self.starting / self.processes).as_millis();
            format!(
                "starting {name} took {} of its {} ({} processes, {each} ms each): add LOOP to its answer \
                 to BEGIN and read input after input, and one process stays alive",
                seconds(self.starting),
                seconds(self.used),
                self.processes
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_start_is_named_with_its_remedy() {
        let startup = |ms: [u64; 2]| {
            let [starting, used] = ms.map(Duration::from_millis);
            Startup { processes: 100, used, starting }
        };
        let advice = startup([7_500, 8_000]).advice("cell.js").unwrap();
        let wanted = "starting cell.js took 7.5 s of its 8.0 s (100 processes, 75 ms each): add LOOP to its answer";
        assert!(advice.starts_with(wanted) && advice.contains("LOOP"), "{advice}");
        assert_eq!(startup([1_000, 1_100]).advice("quick"), None);
        assert_eq!(startup([1_000, 8_000]).advice("thinks"), None);
        assert_eq!(Startup::default().advice("built in"), None);
    }

    #[test]
    fn a_busy_machine_hides_no_slow_start() {
        let of = |begin: u64, times: [[u64; 2]; 2]| {
            let times = [times.map(|time| time.map(Duration::from_millis)); 50].concat();
            Startup::of_times(Duration::from_millis(begin), &times)
        };
        // Each start computes for 80 ms; by the clock on the wall it takes 80 or 900.
        let busy = of(700, [[80, 80], [900, 80]]).unwrap();
        assert_eq!((busy.processes, busy.starting), (100, Duration::from_secs(49)));
        assert!(busy.advice("cell.py").is_some());
        // A program that thinks, begun in 20 ms.
        assert_eq!(of(20, [[400, 390], [500, 480]]).unwrap().starting, Duration::from_secs(2));
        // The processor time of a built-in player is not known.
        assert_eq!(of(0, [[1, 0], [2, 0]]), None);
    }
}
