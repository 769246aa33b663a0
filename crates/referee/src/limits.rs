//! The limits of a bout: clock, time per action, memory.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The limits of one bout, the same for both agents. The defaults are ALPHANO's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameLimits {
    /// Each player's time for its whole game, in milliseconds.
    pub clock_ms: u64,
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
    /// Where a program is invoked for every action: its time for each, in milliseconds.
    #[serde(default = "default_invocation_ms")]
    pub invocation_ms: u64,
    /// The percentage of those invocations that is repeated in a fresh process, to see whether the program keeps a
    /// state. 0 to 100.
    #[serde(default)]
    pub recheck_percent: u8,
}

const fn default_invocation_ms() -> u64 {
    2_000
}

/// What becomes of the programs of a session after FINISH.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Afterwards {
    /// They must exit, as ALPHANO demands.
    Exit,
    /// They wait for the next READY, which saves starts in a long series. Nothing after FINISH is judged.
    Stay,
}

impl Default for GameLimits {
    fn default() -> Self {
        Self {
            clock_ms: 10_000,
            ready_ms: 3_000,
            exit_ms: 2_000,
            memory_mib: 1_024,
            freeze: false,
            invocation_ms: default_invocation_ms(),
            recheck_percent: 0,
        }
    }
}

impl GameLimits {
    pub const fn clock(&self) -> Duration {
        Duration::from_millis(self.clock_ms)
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
