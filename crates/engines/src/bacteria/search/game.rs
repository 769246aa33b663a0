//! Knowledge that principal variation search needs about a game besides its rules.

use agon_game::Position;

use super::history::HistoryKey;
use super::picker::MovePicker;
use crate::timed::TableSize;

/// The most plies from the root.
pub const MAX_PLY: usize = 192;

/// Number of parts of the board, as defined by each game: see [`SearchGame::part_keys`].
pub const PARTS: usize = 4;

pub type MoveOf<G> = <<G as SearchGame>::Position as Position>::Move;

/// A result that is known without a search, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownResult {
    /// The side to move wins within this many plies, whatever the other side does.
    Win(u32),
    /// The side to move loses within this many plies, whatever it does.
    Loss(u32),
    Draw,
}

/// A game as principal variation search sees it.
pub trait SearchGame: Send + Sync + 'static {
    type Position: Position + Sync;
    type Picker: MovePicker<Self::Position>;

    const TABLES: TableSize = TableSize { max: 128 << 20, min: 1 << 20, per_second: 2 << 20, exact: true };

    /// The result of a game that is over, or whose end is certain. Called at every node, so it must be cheap.
    fn known_result(position: &Self::Position) -> Option<KnownResult>;

    /// Returns the key of a position in the transposition table: its hash, combined with everything else its value
    /// depends on.
    fn key(position: &Self::Position) -> u64;

    /// A move as 16 bits, never 0. Moves that lead to the same position should share a word.
    fn pack(m: MoveOf<Self>) -> u16;

    /// The move of a packed word, if it is legal here: after a key collision the table returns a move of another
    /// position.
    fn unpack(position: &Self::Position, word: u16) -> Option<MoveOf<Self>>;

    /// The indices of a move in the [`super::history::SearchHistory`].
    fn history_key(m: MoveOf<Self>) -> HistoryKey;

    /// A hash of each part of the board, seen by the side to move, whose upper bits count: the keys of the correction
    /// history.
    fn part_keys(position: &Self::Position) -> [u32; PARTS];

    /// Returns the expected number of further moves of the side to move.
    fn moves_to_go(_position: &Self::Position) -> f64 {
        30.0
    }

    /// Returns the move to play when no time is left, if it needs no search.
    fn instant_move(_position: &Self::Position) -> Option<MoveOf<Self>> {
        None
    }

    /// Returns the position after a null move, that is, with the other side to move. `None` if zugzwang is possible,
    /// when doing nothing might be better than the best move.
    fn null_move(position: &Self::Position) -> Option<Self::Position>;
}
