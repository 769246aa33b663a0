//! Limits of a rules program. docs/own-game.md lists these numbers.

use std::time::Duration;

/// Maximum time to start and answer the first question.
pub(crate) const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum time for one question.
pub(crate) const QUESTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum time for all questions about one game in progress.
pub(crate) const GAME_TIMEOUT: Duration = Duration::from_mins(2);

/// Memory of its whole process tree.
pub(crate) const MAX_MEMORY_MIB: u64 = 512;

/// The longest line that it may write.
pub(crate) const MAX_LINE_BYTES: usize = 64 << 10;

/// All lines of one answer.
pub(crate) const MAX_ANSWER_BYTES: usize = 1 << 20;

/// The longest text of a move, and of a line for an agent.
pub(crate) const MAX_MOVE_BYTES: usize = 1_000;
pub(crate) const MAX_NEWS_BYTES: usize = 4_000;

/// Lines for one agent in one answer.
pub(crate) const MAX_NEWS_LINES: usize = 200;

/// Moves of one game, and moves of one position.
pub(crate) const MAX_PLIES: u32 = 100_000;
pub(crate) const MAX_LEGAL_MOVES: usize = 10_000;

/// Rows and columns of a board.
pub(crate) const MAX_BOARD_SIDE: usize = 60;

/// Maximum number of idle processes of a rules program.
pub(crate) const MAX_IDLE_PROCESSES: usize = 16;

/// Maximum bytes of questions sent at once: less than any pipe's capacity, so that writing never waits for reading.
pub(crate) const MAX_BATCH_BYTES: usize = 32 << 10;
