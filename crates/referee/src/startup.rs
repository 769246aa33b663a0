//! How much of a program's time goes into starting it, where every action is a process of its own.

use std::time::Duration;

use agon_game::Side;

use crate::record::Record;
use crate::report::Way;

/// Less time needs no advice.
const MIN_USED: Duration = Duration::from_secs(5);

/// Fewer processes are soon started.
const MIN_PROCESSES: u32 = 50;

/// The processes that were started for the actions of one program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Startup {
    pub processes: u32,
    /// The time of all of them.
    pub used: Duration,
    /// The part of it that went into starting them, as far as that is known.
    pub starting: Duration,
}

impl Startup {
    /// That of a side in a recorded game; `None` of a built-in player, a program that stays alive, and in games that
    /// are not played per action.
    pub fn of(record: &Record, side: Side) -> Option<Self> {
        let begin = Duration::from_micros(record.result.invocations?.begin_us[side.index()]);
        let entries = record.entries.iter().filter(|entry| (entry.side, entry.way) == (side, Way::From));
        let walls = entries.filter_map(|entry| entry.moment).map(|moment| moment.wall);
        let (processes, used) = walls.clone().fold((0, Duration::ZERO), |(n, sum), wall| (n + 1, sum + wall));
        // No process starts faster than it answers.
        let each = walls.min()?.min(begin);
        (!each.is_zero()).then_some(Self { processes, used, starting: each * processes })
    }

    pub fn add(&mut self, other: Self) {
        self.processes += other.processes;
        self.used += other.used;
        self.starting += other.starting;
    }

    /// Where starting takes most of a time that matters: how much, and how to avoid it.
    pub fn advice(&self, name: &str) -> Option<String> {
        let most = self.used >= MIN_USED && self.starting * 2 >= self.used && self.processes >= MIN_PROCESSES;
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
}
