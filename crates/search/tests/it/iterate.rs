//! The loop over depths, driven by a search whose values are written down.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use agon_search::iterate::{AspirationWindow, PvLine, RootSearch, in_parallel, iterate};
use agon_search::value::INFINITY;
use agon_search::{Meter, Score, SearchLimits, Stop, Stopped, Task};

/// Three moves, whose values after one iteration and after two are given; the second iteration is stopped in the line
/// of a rank.
struct Scripted {
    meter: Meter,
    stopped_at: usize,
    taken: Vec<u8>,
    /// Added to the values.
    more: i32,
    searches: u32,
}

impl Scripted {
    fn new(stopped_at: usize, more: i32) -> Self {
        let meter = Meter::new(SearchLimits::default());
        Self { meter, stopped_at, taken: Vec::new(), more, searches: 0 }
    }
}

/// The moves by rank, with their values, at depth 1 and 2.
const LINES: [[(u8, i32); 3]; 2] = [[(b'a', 30), (b'b', 20), (b'c', 10)], [(b'b', 25), (b'a', 5), (b'c', 1)]];

impl RootSearch for Scripted {
    type Move = u8;

    const MAX_DEPTH: i32 = 2;

    fn meter(&self) -> &Meter {
        &self.meter
    }

    fn seldepth(&self) -> i32 {
        1
    }

    fn hashfull(&self) -> u32 {
        0
    }

    fn aspiration_delta(&self) -> i32 {
        1_000
    }

    fn widen(&self, last: AspirationWindow, _: i32, _: i32, _: u32) -> AspirationWindow {
        last
    }

    fn start_iteration(&mut self) {
        self.taken.clear();
    }

    fn search_root(&mut self, rank: usize, _: AspirationWindow, depth: i32) -> Result<i32, Stopped> {
        if depth == 2 && rank == self.stopped_at {
            return Err(Stopped);
        }
        self.searches += 1;
        assert!(self.searches < 10, "the same window is searched again and again");
        let (m, value) = LINES[depth as usize - 1][rank];
        self.taken.push(m);
        Ok(value + self.more)
    }

    fn pv(&mut self, rank: usize, value: i32) -> Option<PvLine<u8>> {
        Some(PvLine { moves: vec![self.taken[rank]], value })
    }

    fn interrupted_pv(&mut self, last: Option<&PvLine<u8>>) -> Option<PvLine<u8>> {
        last.cloned()
    }

    fn is_solved(&self, _: i32, _: i32) -> bool {
        false
    }

    fn time_scale(&self, _: u8, _: i32, _: i32) -> f64 {
        1.0
    }
}

#[test]
fn a_search_stopped_between_lines_answers_with_the_deeper_line() {
    let check = |stopped_at: usize, lines: [(u8, i32, u32); 3]| {
        let mut search = Scripted::new(stopped_at, 0);
        let task = Task { multipv: 3, ..Task::default() };
        let mut reported = [(0, 0, 0); 3];
        let found = iterate(&mut search, &task, 3, b'a', &mut |info| {
            let Score::Centi(value) = info.score else { panic!("no win is scripted") };
            reported[info.multipv - 1] = (info.pv[0], value, info.depth);
        });
        // The result is the first line of the last report, and later lines are worth less.
        assert_eq!(reported, lines, "stopped in line {}", stopped_at + 1);
        assert_eq!((found.line[0], found.value), (lines[0].0, lines[0].1), "stopped in line {}", stopped_at + 1);
    };
    check(0, [(b'a', 30, 1), (b'b', 20, 1), (b'c', 10, 1)]);
    // At depth 2 nothing is worth more than the best line.
    check(1, [(b'b', 25, 2), (b'a', 25, 1), (b'c', 10, 1)]);
    check(2, [(b'b', 25, 2), (b'a', 5, 2), (b'c', 5, 1)]);
    check(3, [(b'b', 25, 2), (b'a', 5, 2), (b'c', 1, 2)]);
}

/// An impossible value is no reason to search an open window forever.
#[test]
fn a_value_beyond_infinity_ends_an_iteration() {
    for more in [2 * INFINITY, -2 * INFINITY] {
        let found = iterate(&mut Scripted::new(3, more), &Task::default(), 3, b'a', &mut |_| {});
        assert_eq!((found.line[0], found.value, found.depth), (b'b', more + 25, 2));
    }
}

/// Helpers go on as long as the answer takes, and no longer: also when it fails.
#[test]
fn helpers_end_with_the_answer() {
    let (begun, ended) = (AtomicU32::new(0), AtomicU32::new(0));
    let help = |helper: u32, stop: &Stop| {
        begun.fetch_add(helper, Ordering::SeqCst);
        while !stop.is_raised() {
            std::thread::yield_now();
        }
        ended.fetch_add(helper, Ordering::SeqCst);
    };
    let answer = in_parallel([1, 2, 4], help, || {
        while begun.load(Ordering::SeqCst) < 7 {
            std::thread::yield_now();
        }
        ended.load(Ordering::SeqCst)
    });
    assert_eq!((answer, ended.load(Ordering::SeqCst)), (0, 7));
    let failed = catch_unwind(AssertUnwindSafe(|| in_parallel([8], help, || panic!("the answer fails"))));
    assert!(failed.is_err());
    assert_eq!(ended.load(Ordering::SeqCst), 15);
    assert_eq!(in_parallel([], help, || 5), 5, "one thread needs no other");
}
