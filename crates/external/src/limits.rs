//! Limits of a rules program. docs/own-game.md lists these numbers.

use std::sync::OnceLock;
use std::thread;
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

/// Places and edges of a graph; cards of a board; characters of their names.
pub(crate) const MAX_PLACES: usize = 400;
pub(crate) const MAX_EDGES: usize = 1_600;
pub(crate) const MAX_CARDS: usize = 200;
pub(crate) const MAX_NAME: usize = 12;

/// The maximum number of processes of one rules program: two more than the machine has processors, so that each thread
/// of a series has one, and a site with many visitors has no more.
pub(crate) fn max_processes() -> usize {
    static PROCESSES: OnceLock<usize> = OnceLock::new();
    *PROCESSES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from) + 2)
}

/// How long an idle process is kept, and how often that is checked.
pub(crate) const IDLE_TIME: Duration = Duration::from_secs(30);
pub(crate) const IDLE_POLL: Duration = Duration::from_secs(5);

/// Maximum bytes of questions sent at once: less than any pipe's capacity, so that writing never waits for reading.
pub(crate) const MAX_BATCH_BYTES: usize = 32 << 10;

/// Bytes of one file of a folder: rules, page, samples; and of a program.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 20;
pub(crate) const MAX_PROGRAM_BYTES: u64 = 16 << 20;

/// Files of rules that are a command.
pub(crate) const MAX_FILES: usize = 64;
