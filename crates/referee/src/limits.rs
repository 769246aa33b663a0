//! The limits of a bout: clock, time per action, memory.

use std::sync::LazyLock;
use std::time::Duration;

use agon_game::Side;
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::clock::{Clock, is_false, is_never, is_zero};

/// The limits of one bout, the same for both agents unless a seat has a clock of its own.
///
/// Only differences from ALPHANO are written, so that records, and the digests of plans, stay the same as before these
/// options existed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameLimits {
    /// Each player's time, in milliseconds: for its whole game, unless the next fields say otherwise.
    pub clock_ms: u64,
    /// As [`Clock::increment_ms`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub increment_ms: u64,
    /// As [`Clock::period_moves`].
    #[serde(default, skip_serializing_if = "is_never")]
    pub period_moves: u32,
    /// As [`Clock::per_move`].
    #[serde(default, skip_serializing_if = "is_false")]
    pub per_move: bool,
    /// The clocks of the seats that have one of their own.
    #[serde(default, skip_serializing_if = "have_none")]
    pub seat_clocks: [Option<Clock>; 2],
    /// The times sent to agents are the true ones. Otherwise none is above [`ALPHANO_MAX_TIME_MS`], as in records of
    /// versions that sent no larger ones.
    #[serde(default, skip_serializing_if = "is_false")]
    pub true_times: bool,
    /// How late by the clock an answer to TURN may be and still count, in milliseconds; ALPHANO's judge grants nothing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub margin_ms: u64,
    /// Time to answer READY, in milliseconds.
    pub ready_ms: u64,
    /// Time to exit after FINISH, in milliseconds. ALPHANO names none; it must only be long enough for a slow runtime
    /// to shut down.
    pub exit_ms: u64,
    /// Memory of an agent's whole process tree, in MiB.
    #[serde(rename = "memory_mb")]
    pub memory_mib: u64,
    /// Stop the agent that is not on turn (SIGSTOP), so that it cannot think on the opponent's time.
    pub freeze: bool,
    /// For programs invoked for every action: the time for each, in milliseconds.
    #[serde(default = "default_invocation_ms")]
    pub invocation_ms: u64,
    /// The percentage of those invocations that is repeated in a fresh process, to see whether the program keeps a
    /// state. 0 to 100.
    #[serde(default)]
    pub recheck_percent: u8,
    /// What ends a session before its rules do.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudication: Adjudication,
}

/// The environment variable that makes a program wait for the next READY after FINISH.
pub const STAY_VARIABLE: &str = "AGON_STAY";

/// The environment variable that says how long a program may take to answer READY, if that is not ALPHANO's time.
pub const READY_VARIABLE: &str = "AGON_READY";

/// The largest time that ALPHANO's judge sends, in milliseconds: that of its clock.
pub const ALPHANO_MAX_TIME_MS: u32 = 10_000;

const fn default_invocation_ms() -> u64 {
    2_000
}

const fn have_none(clocks: &[Option<Clock>; 2]) -> bool {
    matches!(clocks, [None, None])
}

/// What happens to the programs of a session after FINISH.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Afterwards {
    /// They must exit, as ALPHANO demands.
    Exit,
    /// They wait for the next READY, which saves starts in a long series. Nothing after FINISH is judged.
    Stay,
}

impl Default for GameLimits {
    /// ALPHANO's limits. `AGON_TIME_FACTOR=N` in the environment multiplies the times for READY, an invocation and the
    /// exit, but not the clock, for machines that are slow or busy.
    fn default() -> Self {
        static FACTOR: LazyLock<u64> = LazyLock::new(|| {
            let factor = std::env::var("AGON_TIME_FACTOR").ok().and_then(|text| text.parse().ok());
            factor.filter(|factor| (1..=1_000).contains(factor)).unwrap_or(1)
        });
        let Self { ready_ms, exit_ms, invocation_ms, .. } = Self::ALPHANO;
        let [ready_ms, exit_ms, invocation_ms] = [ready_ms, exit_ms, invocation_ms].map(|time| time * *FACTOR);
        Self { ready_ms, exit_ms, invocation_ms, ..Self::ALPHANO }
    }
}

impl GameLimits {
    pub const ALPHANO: Self = Self {
        clock_ms: ALPHANO_MAX_TIME_MS as u64,
        increment_ms: 0,
        period_moves: 0,
        per_move: false,
        seat_clocks: [None, None],
        true_times: false,
        margin_ms: 0,
        ready_ms: 3_000,
        exit_ms: 2_000,
        memory_mib: 1_024,
        freeze: false,
        invocation_ms: default_invocation_ms(),
        recheck_percent: 0,
        adjudication: Adjudication::OFF,
    };

    /// The same limits with this clock for both agents.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        let Clock { base_ms, increment_ms, period_moves, per_move } = clock;
        (self.clock_ms, self.increment_ms, self.period_moves, self.per_move) =
            (base_ms, increment_ms, period_moves, per_move);
        self.seat_clocks = [None, None];
        self.with_times()
    }

    /// The same limits with the clocks of the seats that have one here.
    #[must_use]
    pub fn with_seat_clocks(mut self, clocks: [Option<Clock>; 2]) -> Self {
        let common = self.common_clock();
        self.seat_clocks = clocks.map(|clock| clock.filter(|clock| *clock != common));
        self.with_times()
    }

    /// Times are sent if one may occur that ALPHANO's judge would not send.
    fn with_times(mut self) -> Self {
        let unusual =
            |clock: Clock| clock.base_ms > ALPHANO_MAX_TIME_MS.into() || !(clock.is_sudden_death() || clock.per_move);
        self.true_times = Side::BOTH.into_iter().any(|side| unusual(self.clock_of(side)));
        self
    }

    /// The clock of the seats that have none of their own.
    pub const fn common_clock(&self) -> Clock {
        let Self { clock_ms, increment_ms, period_moves, per_move, .. } = *self;
        Clock { base_ms: clock_ms, increment_ms, period_moves, per_move }
    }

    /// The clock of a seat.
    pub fn clock_of(&self, side: Side) -> Clock {
        self.seat_clocks[side.index()].unwrap_or(self.common_clock())
    }

    /// Whether both agents have the same time for the whole game and nothing is ever added.
    pub const fn is_plain(&self) -> bool {
        self.common_clock().is_sudden_death() && have_none(&self.seat_clocks)
    }

    /// The largest time that is sent to an agent, in milliseconds.
    pub const fn max_time_ms(&self) -> u32 {
        if self.true_times { u32::MAX } else { ALPHANO_MAX_TIME_MS }
    }

    /// The clocks for display: `10s`, or `10s+100ms – 40/1m` if each seat has its own.
    pub fn clock_text(&self) -> String {
        let [first, second] = Side::BOTH.map(|side| self.clock_of(side));
        if first == second { first.to_string() } else { format!("{first} – {second}") }
    }

    /// The starting time of an agent without a clock of its own.
    pub const fn clock(&self) -> Duration {
        Duration::from_millis(self.clock_ms)
    }

    pub const fn margin(&self) -> Duration {
        Duration::from_millis(self.margin_ms)
    }

    pub const fn ready(&self) -> Duration {
        Duration::from_millis(self.ready_ms)
    }

    pub const fn exit(&self) -> Duration {
        Duration::from_millis(self.exit_ms)
    }

    pub const fn invocation(&self) -> Duration {
        Duration::from_millis(self.invocation_ms)
    }

    /// [`GameLimits::memory_mib`] in bytes.
    pub const fn memory(&self) -> u64 {
        self.memory_mib << 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_usual_is_stored_as_ever() {
        let before = r#"{"clock_ms":10000,"ready_ms":3000,"exit_ms":2000,"memory_mb":1024,"freeze":false,"#.to_owned()
            + r#""invocation_ms":2000,"recheck_percent":0}"#;
        assert_eq!(serde_json::to_string(&GameLimits::ALPHANO).unwrap(), before);
        assert_eq!(serde_json::from_str::<GameLimits>(&before).unwrap(), GameLimits::ALPHANO);
        let clock = |text: &str| GameLimits::ALPHANO.with_clock(text.parse().unwrap());
        assert_eq!(clock("10s"), GameLimits::ALPHANO);
        let text = serde_json::to_string(&clock("60+0.5")).unwrap();
        assert!(text.starts_with(r#"{"clock_ms":60000,"increment_ms":500,"true_times":true,"ready_ms""#), "{text}");
    }

    #[test]
    fn the_largest_time_is_alphanos_as_long_as_its_clock_is() {
        let check = |clock: &str, true_times: bool| {
            let limits = GameLimits::ALPHANO.with_clock(clock.parse().unwrap());
            assert_eq!((limits.true_times, limits.clock_text().as_str()), (true_times, clock));
        };
        check("10s", false);
        check("500ms", false);
        check("5s/move", false);
        check("10001ms", true);
        check("1m", true);
        check("10s+100ms", true);
        check("40/5s", true);
        let seats = |first: Option<&str>| {
            GameLimits::ALPHANO.with_seat_clocks([first.map(|clock| clock.parse().unwrap()), None])
        };
        assert_eq!(seats(Some("10s")), GameLimits::ALPHANO);
        assert_eq!((seats(Some("1m")).true_times, seats(Some("5s")).true_times), (true, false));
        assert_eq!(seats(Some("1m")).clock_text(), "1m – 10s");
        assert_eq!(seats(Some("1m")).clock_of(Side::Second), Clock::for_game(10_000));
    }
}
