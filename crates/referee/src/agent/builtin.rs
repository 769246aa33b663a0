//! A built-in player in its seat: the commands of a session as function calls.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use agon_game::{Evaluation, GameState, Player, Side, TimeControl};
use nix::time::ClockId;

use crate::fault_reason::FaultReason;
use crate::process::Moment;
use crate::verdict::{Fault, Verdict};

/// A built-in player in its seat.
pub struct BuiltinPlayer {
    player: Box<dyn Player>,
}

impl BuiltinPlayer {
    pub const fn new(player: Box<dyn Player>) -> Self {
        Self { player }
    }

    /// READY, with the lines sent before it.
    pub(crate) fn ready(&mut self, side: Side, preamble: &str) -> Result<(), Fault> {
        shielded(|| self.player.ready(side, preamble))
    }

    pub(crate) fn opponent(&mut self, arguments: &str) -> Result<(), Fault> {
        shielded(|| self.player.opponent(arguments))
    }

    pub(crate) fn inform(&mut self, line: &str) -> Result<(), Fault> {
        shielded(|| {
            self.player.inform(line);
            Ok(())
        })
    }

    /// Its evaluation of the position before its last move.
    pub(crate) fn evaluation(&self) -> Option<Evaluation> {
        self.player.evaluation()
    }

    /// Whether it resigned instead of choosing a move.
    pub(crate) fn has_resigned(&self) -> bool {
        self.player.has_resigned()
    }

    /// TURN in this state: the arguments of its MOVE, and the time it took.
    pub(crate) fn choose(
        &mut self,
        state: &dyn GameState,
        own: TimeControl,
        opponent: TimeControl,
    ) -> Result<(String, Moment), Fault> {
        let (arguments, moment) = timed(|| {
            shielded(|| {
                self.player.see(state);
                self.player.choose(own, opponent)
            })
        });
        Ok((arguments?, moment))
    }
}

/// A failing built-in is a fault of Agon, so the bout is interrupted and has no loser.
pub(super) fn shielded<T>(act: impl FnOnce() -> Result<T, String>) -> Result<T, Fault> {
    let broken = |reason: String| Fault::new(Verdict::Interrupted, FaultReason::BuiltinFailed { why: reason });
    catch_unwind(AssertUnwindSafe(act)).map_err(|_| broken("it panicked".to_owned()))?.map_err(broken)
}

/// Runs something in this thread and measures the time.
pub(super) fn timed<T>(act: impl FnOnce() -> T) -> (T, Moment) {
    let (start, cpu) = (Instant::now(), thread_cpu());
    let result = act();
    (result, Moment { wall: start.elapsed(), cpu: thread_cpu().saturating_sub(cpu), ..Moment::default() })
}

fn thread_cpu() -> Duration {
    ClockId::CLOCK_THREAD_CPUTIME_ID.now().map_or(Duration::ZERO, Duration::from)
}
