//! A position of a game that was played, with a search's score and the result of the game.

use agon_game::Side;
use agon_game::seed::Stream;

/// A position to learn from, in a fixed number of bytes.
///
/// Everything is seen from the side to move: the board is that of a position in which it is the first side.
pub trait PositionRecord: Copy + Send + Sync {
    type Position;

    /// Data that determine the features of a position.
    type Board: Copy;

    /// Name of the record type in the header of files.
    const NAME: &'static str;

    /// Bytes of each.
    const BYTES: usize;

    /// Number of images of a board under the symmetries of the game.
    const SYMMETRIES: usize;

    /// Appends exactly [`Self::BYTES`] bytes.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Parses exactly [`Self::BYTES`] bytes; `None` if they are not a record.
    fn read(bytes: &[u8]) -> Option<Self>;

    /// An image of the board, `symmetry` being below [`Self::SYMMETRIES`]; 0 is the board itself.
    fn board(&self, symmetry: usize) -> Self::Board;

    /// A random position one ply later, without a score or a result; `None` if the game would be over, and in games
    /// whose records lack what is needed to continue.
    fn successor(&self, _stream: &mut Stream) -> Option<Self> {
        None
    }

    /// A hash of the position without its value and its result: the same for all images of a board under the symmetries
    /// of the game. All its bits are mixed.
    fn key(&self) -> u64;

    /// The search's score, in hundredths of the game's unit.
    fn value(&self) -> i32;

    fn set_value(&mut self, value: i16);

    /// Returns the side to move in the game that was played.
    fn turn(&self) -> Side;

    /// Returns the result of the game for the side to move, in half points: 0 lost, 1 drawn, 2 won.
    fn half_points(&self) -> u8;

    /// Sets how the game ended for the side to move.
    fn set_half_points(&mut self, half_points: u8);

    /// Returns the number of plies played before. It increases from record to record within a game.
    fn ply(&self) -> u32;
}
