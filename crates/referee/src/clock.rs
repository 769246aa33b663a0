//! The clocks of a game: how much time each agent has, how people write it, and what is left.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use agon_game::TimeControl;
use serde::{Deserialize, Serialize};

/// The longest time that a clock may have, in milliseconds: a day.
pub const MAX_CLOCK_MS: u64 = 86_400_000;

/// The environment variable that holds a program's clock, if that is more than a time for the whole game.
pub const CLOCK_VARIABLE: &str = "AGON_CLOCK";

/// The units of times, with their milliseconds. The longest is last.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// The word for a clock that never decides a game.
const ENDLESS: &str = "inf";

/// The suffix of a time per move.
const PER_MOVE: &str = "/move";

/// The time of one agent: for a whole game, for each period of a number of moves, or for each move.
///
/// ```
/// use agon_referee::clock::Clock;
/// let clock: Clock = "10+0.1".parse()?;
/// assert_eq!((clock.base_ms, clock.increment_ms, clock.to_string().as_str()), (10_000, 100, "10s+100ms"));
/// # Ok::<(), agon_referee::clock::ClockError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Clock {
    /// The time at the start, in milliseconds.
    #[serde(rename = "clock_ms")]
    pub base_ms: u64,
    /// The time added after each move, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub increment_ms: u64,
    /// The starting time is added again every time this number of moves has been made; 0 for never.
    #[serde(default, skip_serializing_if = "is_never")]
    pub period_moves: u32,
    /// The time is for each move: what a move leaves of it is lost.
    #[serde(default, skip_serializing_if = "is_false")]
    pub per_move: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
pub(crate) const fn is_zero(ms: &u64) -> bool {
    *ms == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
pub(crate) const fn is_never(moves: &u32) -> bool {
    *moves == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
pub(crate) const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Clock {
    /// This time for a whole game, with nothing added.
    pub const fn for_game(base_ms: u64) -> Self {
        Self { base_ms, increment_ms: 0, period_moves: 0, per_move: false }
    }

    /// This time for each move.
    pub const fn for_each_move(base_ms: u64) -> Self {
        Self { per_move: true, ..Self::for_game(base_ms) }
    }

    /// Whether nothing is ever added, as under ALPHANO's judge.
    pub const fn is_sudden_death(&self) -> bool {
        self.increment_ms == 0 && self.period_moves == 0 && !self.per_move
    }

    /// What a player must know to budget the time left after this number of moves.
    pub const fn control(&self, left: Duration, moves: u32) -> TimeControl {
        let moves_to_go = match self.period_moves {
            _ if self.per_move => Some(1),
            0 => None,
            period => Some(period - moves % period),
        };
        TimeControl { left, increment: Duration::from_millis(self.increment_ms), moves_to_go }
    }
}

/// Why a text is not a clock.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClockError {
    #[error("a clock such as `10s`, `10+0.1`, `40/60` or `500ms/move` expected, not `{text}`")]
    Syntax { text: String },
    #[error("`{text}`: a time from 1ms to 24h expected, and an increment below that")]
    Range { text: String },
    #[error("`{text}` has no unit: {remedy}", remedy = with_units(text, '`'))]
    Unit { text: String },
}

/// Reads a clock in the notation of engine users: `10+0.1` is ten seconds plus a tenth for each move, `40/60` a minute
/// for every forty moves, `500ms/move` half a second for each move, `10s` ten seconds for the game, `inf` a day. A bare
/// number next to `+` or after `/` is in seconds, as in cutechess; a bare number alone is refused.
impl FromStr for Clock {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<Self, ClockError> {
        let syntax = || ClockError::Syntax { text: text.to_owned() };
        let whole = text.trim();
        let clock = if is_below_zero(whole) {
            return Err(ClockError::Range { text: text.to_owned() });
        } else if whole == ENDLESS {
            Self::for_game(MAX_CLOCK_MS)
        } else if let Some(time) = whole.strip_suffix(PER_MOVE) {
            Self::for_each_move(parse_ms(time, 1_000).ok_or_else(syntax)?)
        } else if !whole.contains(['+', '/', ':']) {
            if lacks_unit(whole) {
                return Err(ClockError::Unit { text: text.to_owned() });
            }
            Self::for_game(parse_ms(whole, 1).ok_or_else(syntax)?)
        } else {
            let (moves, rest) = whole.split_once('/').map_or((None, whole), |(moves, rest)| (Some(moves), rest));
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let period_moves = match moves.map(|moves| moves.trim().parse()) {
                None => 0,
                Some(Ok(moves)) if moves > 0 => moves,
                Some(_) => return Err(syntax()),
            };
            let base_ms = match base.split_once(':') {
                // Minutes and seconds.
                Some((minutes, seconds)) => {
                    let minutes: u64 = minutes.trim().parse().map_err(|_| syntax())?;
                    parse_ms(seconds, 1_000).zip(minutes.checked_mul(60_000)).and_then(|(a, b)| a.checked_add(b))
                }
                None => parse_ms(base, 1_000),
            };
            let (base_ms, increment_ms) = base_ms.zip(parse_ms(increment, 1_000)).ok_or_else(syntax)?;
            Self { increment_ms, period_moves, ..Self::for_game(base_ms) }
        };
        if (1..=MAX_CLOCK_MS).contains(&clock.base_ms) && clock.increment_ms < MAX_CLOCK_MS {
            Ok(clock)
        } else {
            Err(ClockError::Range { text: text.to_owned() })
        }
    }
}

/// The text that reads back as this clock.
impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.period_moves > 0 {
            write!(f, "{}/", self.period_moves)?;
        }
        f.write_str(&ms_text(self.base_ms))?;
        if self.increment_ms > 0 {
            write!(f, "+{}", ms_text(self.increment_ms))?;
        }
        f.write_str(if self.per_move { PER_MOVE } else { "" })
    }
}

/// The milliseconds of a duration, `10s`, `500ms`, `2m` or `1h`; a number without a unit counts `bare` milliseconds
/// each. `None` if it is not a duration, or not a whole number of milliseconds.
pub fn parse_ms(text: &str, bare: u64) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()));
    let unit = match unit.trim() {
        "" => Some(bare),
        "min" => Some(60_000),
        unit => UNITS.iter().find(|(name, _)| *name == unit).map(|&(_, ms)| ms),
    };
    let ms = unit.zip(number.parse::<f64>().ok()).map(|(unit, number)| number * unit as f64)?;
    ((ms - ms.round()).abs() < 1e-6).then(|| ms.round() as u64)
}

/// True for a length of time below 0: `-5s`, `-1`.
pub fn is_below_zero(text: &str) -> bool {
    text.trim().strip_prefix('-').is_some_and(|text| parse_ms(text, 1).is_some_and(|ms| ms > 0))
}

/// Whether a text is a number without a unit, other than 0, which is the same in every unit.
///
/// ```
/// use agon_referee::clock::lacks_unit;
/// assert_eq!(["10", "0", "10s", "soon"].map(lacks_unit), [true, false, false, false]);
/// ```
pub fn lacks_unit(text: &str) -> bool {
    let text = text.trim();
    let digits = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    digits && text.parse().is_ok_and(|number: f64| number > 0.0)
}

/// What to write instead of a number without a unit, between these marks: `10s` and `10ms`, each if it is a whole
/// number of milliseconds.
pub fn with_units(number: &str, mark: char) -> String {
    let given = ["s", "ms"].map(|unit| number.trim().to_owned() + unit);
    let known = given.iter().filter(|text| parse_ms(text, 1).is_some()).map(|text| format!("{mark}{text}{mark}"));
    format!("say {}", known.collect::<Vec<_>>().join(" or "))
}

/// A length of time in the largest unit that divides it: `10s`, `1500ms`.
pub fn ms_text(ms: u64) -> String {
    let usual = UNITS[1];
    let (unit, one) = UNITS.into_iter().rev().find(|&(_, one)| ms >= one && ms.is_multiple_of(one)).unwrap_or(usual);
    format!("{}{unit}", ms / one)
}

/// The clock of one side while a game is played.
#[derive(Clone, Copy, Debug)]
pub struct RunningClock {
    clock: Clock,
    left: Duration,
    used: Duration,
    /// What the machine took from its moves and has not yet been used in place of the clock's time.
    credit: Duration,
    moves: u32,
}

impl RunningClock {
    pub const fn new(clock: Clock) -> Self {
        Self {
            clock,
            left: Duration::from_millis(clock.base_ms),
            used: Duration::ZERO,
            credit: Duration::ZERO,
            moves: 0,
        }
    }

    pub const fn left(&self) -> Duration {
        self.left
    }

    /// How much of it moves have used.
    pub const fn used(&self) -> Duration {
        self.used
    }

    /// What the machine took from earlier moves and is therefore granted beyond the time left.
    pub const fn credit(&self) -> Duration {
        if self.clock.per_move { Duration::ZERO } else { self.credit }
    }

    /// Whether a move that took `taken`, including `machine` lost to the machine, is in time.
    pub fn covers(&self, taken: Duration, machine: Duration, margin: Duration) -> bool {
        taken.saturating_sub(machine) <= self.left + margin + self.credit()
    }

    /// Charges a move that took this long, including this much lost to the machine, and then adds what the clock adds.
    /// Time beyond what was left reduces the credit.
    pub fn moved(&mut self, taken: Duration, machine: Duration) {
        self.credit = (self.credit + machine).saturating_sub(taken.saturating_sub(self.left));
        let Clock { base_ms, increment_ms, period_moves, per_move } = self.clock;
        let base = Duration::from_millis(base_ms);
        self.used += taken;
        self.moves += 1;
        if per_move {
            self.left = base;
            return;
        }
        self.left = self.left.saturating_sub(taken) + Duration::from_millis(increment_ms);
        if period_moves > 0 && self.moves.is_multiple_of(period_moves) {
            self.left += base;
        }
    }

    /// The time ran out: whatever was left is used up.
    pub fn run_out(&mut self) {
        self.used += self.left;
        self.left = Duration::ZERO;
    }

    /// What a player must know about it to budget it.
    pub const fn control(&self) -> TimeControl {
        self.clock.control(self.left, self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_engine_people_write_them() {
        #[track_caller]
        fn check(text: &str, parts: (u64, u64, u32, bool), written: &str) {
            let clock: Clock = text.parse().unwrap_or_else(|error| panic!("{error}"));
            let Clock { base_ms, increment_ms, period_moves, per_move } = clock;
            assert_eq!(((base_ms, increment_ms, period_moves, per_move), clock.to_string().as_str()), (parts, written));
            assert_eq!(written.parse(), Ok(clock));
        }
        check("10s", (10_000, 0, 0, false), "10s");
        check("10+0.1", (10_000, 100, 0, false), "10s+100ms");
        check("0.5 + 0.01", (500, 10, 0, false), "500ms+10ms");
        check("1m+1s", (60_000, 1_000, 0, false), "1m+1s");
        check("10+0", (10_000, 0, 0, false), "10s");
        check("40/60", (60_000, 0, 40, false), "40/1m");
        check("40/1:30+0.5", (90_000, 500, 40, false), "40/90s+500ms");
        check("1:30", (90_000, 0, 0, false), "90s");
        check("500ms/move", (500, 0, 0, true), "500ms/move");
        check("2/move", (2_000, 0, 0, true), "2s/move");
        check("inf", (MAX_CLOCK_MS, 0, 0, false), "24h");
    }

    #[test]
    fn what_is_no_clock_is_refused() {
        for text in ["", "+", "10+", "+1", "soon", "40/", "/60", "0/60", "-1/60", "a/60", "1.5/60", "10++1", "1:", ":5"]
        {
            let refused = text.parse::<Clock>().unwrap_err().to_string();
            assert_eq!(refused, ClockError::Syntax { text: text.to_owned() }.to_string());
        }
        for text in ["0", "0+1", "25h", "10+25h", "0/move", "40/0", "1441:00", "1e9h"] {
            assert!(text.parse::<Clock>().is_err(), "{text}");
        }
        for (text, remedy) in
            [("10", "say `10s` or `10ms`"), ("2000", "say `2000s` or `2000ms`"), ("0.5", "say `0.5s`")]
        {
            let refused = text.parse::<Clock>().unwrap_err().to_string();
            assert_eq!(refused, format!("`{text}` has no unit: {remedy}"));
        }
        assert!("0+1".parse::<Clock>().unwrap_err().to_string().contains("from 1ms to 24h"));
    }

    #[test]
    fn time_is_added_as_the_clock_says() {
        #[track_caller]
        fn check(clock: &str, taken: &[u64], left: &[u64], to_go: Option<u32>) {
            let mut running = RunningClock::new(clock.parse().unwrap());
            for (taken, left) in taken.iter().zip(left) {
                running.moved(Duration::from_millis(*taken), Duration::ZERO);
                assert_eq!(running.left().as_millis(), u128::from(*left), "{clock}");
            }
            assert_eq!(running.used().as_millis(), u128::from(taken.iter().sum::<u64>()));
            assert_eq!(running.control().moves_to_go, to_go, "{clock}");
        }
        check("10s", &[1000, 2000], &[9000, 7000], None);
        check("10+0.1", &[50, 1000], &[10_050, 9_150], None);
        check("2/10", &[1000, 2000, 500], &[9000, 17_000, 16_500], Some(1));
        check("2/10+1", &[1000, 2000], &[10_000, 19_000], Some(2));
        check("500ms/move", &[400, 10], &[500, 500], Some(1));
        let ms = Duration::from_millis;
        let mut busy = RunningClock::new(Clock::for_game(1000));
        let margin = ms(10);
        assert!(busy.covers(ms(1310), ms(300), margin) && !busy.covers(ms(1311), ms(300), margin));
        busy.moved(ms(900), ms(300));
        assert_eq!((busy.left(), busy.credit()), (ms(100), ms(300)));
        busy.moved(ms(350), ms(50));
        assert_eq!((busy.left(), busy.credit()), (Duration::ZERO, ms(100)), "credit is spent once");
        assert!(busy.covers(ms(110), Duration::ZERO, margin) && !busy.covers(ms(111), Duration::ZERO, margin));
        busy.moved(ms(110), Duration::ZERO);
        assert_eq!(busy.credit(), Duration::ZERO);
        let mut each = RunningClock::new(Clock::for_each_move(1000));
        each.moved(ms(900), ms(300));
        assert_eq!(each.credit(), Duration::ZERO, "no move has a part of another");
        let mut out = RunningClock::new(Clock::for_game(1000));
        out.moved(ms(300), Duration::ZERO);
        out.run_out();
        assert_eq!((out.left(), out.used()), (Duration::ZERO, ms(1000)));
    }

    #[test]
    fn a_plain_clock_is_stored_as_ever() {
        let text = |clock: &str| serde_json::to_string(&clock.parse::<Clock>().unwrap()).unwrap();
        assert_eq!(text("10s"), r#"{"clock_ms":10000}"#);
        assert_eq!(text("40/60+0.5"), r#"{"clock_ms":60000,"increment_ms":500,"period_moves":40}"#);
        assert_eq!(text("500ms/move"), r#"{"clock_ms":500,"per_move":true}"#);
        for clock in ["10s", "40/60+0.5", "500ms/move"] {
            assert_eq!(serde_json::from_str::<Clock>(&text(clock)).unwrap(), clock.parse().unwrap());
        }
    }
}
