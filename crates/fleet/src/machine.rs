//! Speed and steadiness of a worker's machine: measured at the start, at intervals, and by its games.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use agon_engines::bacteria::{Champion, Classic};
use agon_rules::bacteria::Bacteria;
use agon_search::{Engine as _, SearchLimits, Task};

use crate::notice::Measured;

/// Interval between measurements of a machine.
pub(crate) const MEASURE_INTERVAL: Duration = Duration::from_mins(10);

/// Nodes of the search by which machines are compared.
const NODES: u64 = 200_000;

const SLEEPS: u32 = 50;

/// Duration of the busy loop that looks for gaps.
const BUSY_TIME: Duration = Duration::from_millis(100);

/// A longer interruption of a busy program counts as lost time.
const MIN_GAP: Duration = Duration::from_micros(100);

/// Number of recent games with clocks that count.
const MAX_GAMES: usize = 50;

/// Fewer games are not conclusive.
const MIN_GAMES: usize = 20;

/// The share of disturbed games above which a machine is not fit for games with clocks, by default.
pub const DEFAULT_MAX_DISTURBED: f64 = 0.2;

/// Measures this machine, on the processors to which the calling thread is bound, in about a third of a second.
pub(crate) fn measure(bound: bool) -> Measured {
    let (late_us, lost) = (wake_up().as_micros() as u64, lost());
    Measured { nodes_per_second: speed(), bound, late_us, lost }
}

/// Nodes a second of a search that is the same everywhere.
fn speed() -> u64 {
    let mut engine = Champion::<Classic>::default();
    let task = Task { limits: SearchLimits::nodes(NODES), ..Task::default() };
    let start = Instant::now();
    engine.best_move(&Bacteria::default(), &task);
    (NODES as f64 / start.elapsed().as_secs_f64()) as u64
}

/// Returns the worst delay of a sleeper's wake-up.
fn wake_up() -> Duration {
    let asleep = Duration::from_millis(1);
    let late = (0..SLEEPS).map(|_| {
        let start = Instant::now();
        thread::sleep(asleep);
        start.elapsed().saturating_sub(asleep)
    });
    late.max().unwrap_or_default()
}

/// Returns the share of time in which a busy program is not running.
fn lost() -> f64 {
    let start = Instant::now();
    let (mut last, mut lost) = (start, Duration::ZERO);
    while start.elapsed() < BUSY_TIME {
        let now = Instant::now();
        if now - last > MIN_GAP {
            lost += now - last;
        }
        last = now;
    }
    lost.as_secs_f64() / start.elapsed().as_secs_f64()
}

/// Share of a machine's recent games with clocks that it has disturbed.
#[derive(Debug)]
pub(crate) struct Steadiness {
    /// The share of disturbed games above which the machine is not fit.
    max_disturbed: f64,
    last: VecDeque<bool>,
    /// All its games with clocks, and how many of them it has disturbed.
    pub games: [u64; 2],
}

impl Steadiness {
    pub(crate) const fn new(max_disturbed: f64) -> Self {
        Self { max_disturbed, last: VecDeque::new(), games: [0; 2] }
    }

    /// Adds games with clocks, each disturbed or not. Returns why the machine is unfit for more, if it is.
    pub(crate) fn add(&mut self, games: &[bool]) -> Option<String> {
        for &disturbed in games {
            self.games[0] += 1;
            self.games[1] += u64::from(disturbed);
            self.last.push_back(disturbed);
            if self.last.len() > MAX_GAMES {
                self.last.pop_front();
            }
        }
        let (all, disturbed) = (self.last.len(), self.last.iter().filter(|disturbed| **disturbed).count());
        (all >= MIN_GAMES && disturbed as f64 > self.max_disturbed * all as f64).then(|| {
            format!(
                "this machine kept the players of {disturbed} of the last {all} games from their processors, more than \
                 {:.0} %: play fewer games at once (--slots), or stop other programs on it",
                self.max_disturbed * 100.0
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_disturbs_too_many_games_is_found() {
        let mut steady = Steadiness::new(DEFAULT_MAX_DISTURBED);
        // One in ten is acceptable.
        for number in 0..200 {
            assert_eq!(steady.add(&[number % 10 == 0]), None, "{number}");
        }
        let mut unfit = None;
        for number in 0..10 {
            assert_eq!(unfit, None, "{number}");
            unfit = steady.add(&[true]);
            if unfit.is_some() {
                break;
            }
        }
        assert!(unfit.is_some_and(|why| why.contains("of the last 50 games")), "{steady:?}");
        assert_eq!(steady.games[0], 200 + steady.games[1] - 20);
        // A few games are not conclusive.
        assert_eq!(Steadiness::new(DEFAULT_MAX_DISTURBED).add(&[true; MIN_GAMES - 1]), None);
        assert!(Steadiness::new(DEFAULT_MAX_DISTURBED).add(&[true; MIN_GAMES]).is_some());
        // Nor does its owner mind.
        assert_eq!(Steadiness::new(1.0).add(&[true; MAX_GAMES]), None);
    }

    #[test]
    fn a_machine_is_measured() {
        let measured = measure(true);
        assert!(measured.nodes_per_second > 1000 && (0.0..=1.0).contains(&measured.lost), "{measured:?}");
    }
}
