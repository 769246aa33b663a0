//! The board: its size, and the weight of every cell.

use std::fmt::{self, Write};

use agon_game::Side;
use agon_game::hash::mix;
use agon_game::seed::Stream;
use agon_message::messages;

use super::cells::{SIZE, STEP, cell};

/// Largest weight of a cell, whatever the parameters of a game.
pub const MAX_WEIGHT: u8 = 99;

/// Largest weight that ALPHANO draws.
pub const DEFAULT_MAX_WEIGHT: u8 = 3;

/// A board of 1 to 8 rows and 1 to 8 columns, and the weight of every cell. It never changes during a game.
///
/// It is stored inside the position rather than behind a pointer: copying its 64 bytes is cheaper than reference
/// counting, and no search thread waits for another's count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WeightedBoard {
    /// Weights by cell (see [`super::cells`]); 0 outside the board.
    weights: [u8; SIZE * SIZE],
    rows: u8,
    columns: u8,
    /// Derived from all of the above; stored because every hash of a position starts from it.
    key: u64,
}

messages! {
    /// Reason why a board is invalid.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum BoardError {
        Rows { rows: usize } = "a board has 1 to 8 rows, not {rows}",
        Columns { columns: usize } = "a board has 1 to 8 columns, not {columns}",
        Ragged { row: usize, columns: usize, expected: usize } =
            "expected {expected} numbers in row {row}, found {columns}",
        NotANumber { row: usize, column: usize, text: String } =
            "row {row}, column {column}: `{text}` is not a whole number from 0 to 99",
        TooLarge { row: usize, column: usize, weight: String } =
            "row {row}, column {column}: weight {weight} is too large; the limit is 99",
        Draw { largest: u8 } = "largest weight to draw is {largest}; the limit is 99",
    }
}

impl std::error::Error for BoardError {}

impl WeightedBoard {
    /// Creates a board with these weights, row by row.
    ///
    /// # Errors
    /// [`BoardError`] if the number of rows or columns is not from 1 to 8, if the rows differ in length, or if a weight
    /// is above 99.
    pub fn new<R: AsRef<[u8]>>(rows: &[R]) -> Result<Self, BoardError> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        Self::check_size(rows.len(), columns)?;
        let mut weights = [0; SIZE * SIZE];
        for (row, line) in rows.iter().map(AsRef::as_ref).enumerate() {
            if line.len() != columns {
                return Err(BoardError::Ragged { row: row + 1, columns: line.len(), expected: columns });
            }
            if let Some(column) = line.iter().position(|&weight| weight > MAX_WEIGHT) {
                let weight = line[column].to_string();
                return Err(BoardError::TooLarge { row: row + 1, column: column + 1, weight });
            }
            weights[cell(row, 0)..cell(row, columns)].copy_from_slice(line);
        }
        let mut board = Self { weights, rows: rows.len() as u8, columns: columns as u8, key: 0 };
        board.key = board.computed_key();
        Ok(board)
    }

    /// Draws a board row by row from the stream "board" of the seed, every weight from 0 to `largest` with equal
    /// probability. The same seed gives the same board on every machine and in every release.
    ///
    /// # Errors
    /// [`BoardError`] if `rows` or `columns` is not from 1 to 8, or `largest` is above 99.
    ///
    /// ```
    /// use agon_rules::domineering::{WeightedBoard, board::DEFAULT_MAX_WEIGHT};
    /// let board = WeightedBoard::drawn(2, 5, DEFAULT_MAX_WEIGHT, 42)?;
    /// assert_eq!(board.to_string(), "0 0 2 2 2\n1 0 0 0 0\n");
    /// # Ok::<(), agon_rules::domineering::BoardError>(())
    /// ```
    pub fn drawn(rows: usize, columns: usize, largest: u8, seed: u64) -> Result<Self, BoardError> {
        // Before drawing: a board of a billion rows would never be done.
        Self::check_size(rows, columns)?;
        if largest > MAX_WEIGHT {
            return Err(BoardError::Draw { largest });
        }
        let mut stream = Stream::new(seed, "board");
        let mut row = || (0..columns).map(|_| stream.below(usize::from(largest) + 1) as u8).collect();
        Self::new(&(0..rows).map(|_| row()).collect::<Vec<Vec<u8>>>())
    }

    /// Reads a board as the judge sends it: one row per line, its weights separated by blanks. Blank lines at the end
    /// are allowed.
    ///
    /// # Errors
    /// [`BoardError`] as in [`WeightedBoard::new`], and for words that are not numbers.
    ///
    /// ```
    /// use agon_rules::domineering::WeightedBoard;
    /// let board = WeightedBoard::from_rows("0 3 1\n2 2 0\n")?;
    /// assert_eq!((board.rows(), board.columns()), (2, 3));
    /// assert_eq!(board.to_string(), "0 3 1\n2 2 0\n");
    /// let error = WeightedBoard::from_rows("0 3 1\n2 x 0\n").unwrap_err();
    /// assert_eq!(error.to_string(), "row 2, column 2: `x` is not a whole number from 0 to 99");
    /// # Ok::<(), agon_rules::domineering::BoardError>(())
    /// ```
    pub fn from_rows(text: &str) -> Result<Self, BoardError> {
        let text = text.trim_end();
        // Before reading them: of a wrong file the number of lines says more than its first word.
        let rows = text.lines().count();
        if rows > SIZE {
            return Err(BoardError::Rows { rows });
        }
        let rows = text.lines().enumerate().map(|(row, line)| {
            line.split_ascii_whitespace().enumerate().map(|(column, word)| read_weight(word, row, column)).collect()
        });
        Self::new(&rows.collect::<Result<Vec<Vec<u8>>, _>>()?)
    }

    fn check_size(rows: usize, columns: usize) -> Result<(), BoardError> {
        match (rows, columns) {
            (1..=SIZE, 1..=SIZE) => Ok(()),
            (1..=SIZE, _) => Err(BoardError::Columns { columns }),
            _ => Err(BoardError::Rows { rows }),
        }
    }

    /// Returns the number of rows, from 1 to 8.
    #[inline]
    pub const fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Returns the number of columns, from 1 to 8.
    #[inline]
    pub const fn columns(&self) -> usize {
        self.columns as usize
    }

    /// Returns all cells of the board as a set (see [`super::cells`]).
    pub const fn cells(&self) -> u64 {
        let row = (1 << self.columns) - 1;
        (u64::MAX >> (SIZE * (SIZE - self.rows()))) & (row * 0x0101_0101_0101_0101)
    }

    /// Returns the weight of every cell (see [`super::cells`]); 0 outside the board.
    #[inline]
    pub const fn weights(&self) -> &[u8; SIZE * SIZE] {
        &self.weights
    }

    /// Returns the points for a domino of `side` anchored at this cell.
    ///
    /// # Panics
    /// If `anchor` is above 63.
    #[inline]
    pub const fn pay(&self, side: Side, anchor: usize) -> u8 {
        // Wrapping arithmetic, so that an illegal move over the edge does not panic.
        self.weights[anchor] + self.weights[(anchor + STEP[side.index()]) % (SIZE * SIZE)]
    }

    /// Returns a key of the size and the weights.
    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    /// Computes the key from scratch.
    pub(super) fn computed_key(&self) -> u64 {
        let size = u64::from(self.rows) << 8 | u64::from(self.columns);
        self.weights.iter().fold(mix(size), |key, &weight| mix(key ^ u64::from(weight)))
    }
}

/// Reads one weight; row and column count from 0.
fn read_weight(word: &str, row: usize, column: usize) -> Result<u8, BoardError> {
    let (row, column) = (row + 1, column + 1);
    if !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(BoardError::NotANumber { row, column, text: word.to_owned() });
    }
    word.parse().ok().filter(|&weight| weight <= MAX_WEIGHT).ok_or_else(|| BoardError::TooLarge {
        row,
        column,
        weight: word.to_owned(),
    })
}

/// Writes one row per line, its weights separated by blanks, every line ended: the judge's lines before READY, which
/// [`WeightedBoard::from_rows`] reads.
impl fmt::Display for WeightedBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows() {
            for column in 0..self.columns() {
                if column > 0 {
                    f.write_char(' ')?;
                }
                write!(f, "{}", self.weights[cell(row, column)])?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

/// Short, because every failed check of a position prints it.
impl fmt::Debug for WeightedBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.to_string().trim_end().replace('\n', "/"))
    }
}
