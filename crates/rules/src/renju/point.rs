//! The points of the board and their two notations.

use std::fmt;

use super::{Axis, POINTS, SIZE};

/// A point of the board.
///
/// `Display` writes the judge's notation: row and column, both from 1, row 1 on top. Renju players write a letter for
/// the column, A to O from the left, and the row's number counted from the *bottom*: [`Point::letters`]. So the judge's
/// row x is the players' row 16 − x, and the centre is (8,8) and H8.
///
/// ```
/// use agon_rules::renju::Point;
/// let point = Point::new(1, 3).unwrap();
/// assert_eq!((point.to_string().as_str(), point.letters().as_str()), ("(1,3)", "C15"));
/// assert_eq!(Point::from_letters("c15"), Ok(point));
/// assert_eq!(Point::CENTRE.letters(), "H8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(u8);

impl Point {
    /// The middle of the board, (8,8).
    pub const CENTRE: Self = Self((POINTS / 2) as u8);

    /// Returns the point of a row and a column, both 1 to 15; `None` outside the board.
    pub fn new(row: impl TryInto<usize>, column: impl TryInto<usize>) -> Option<Self> {
        let row = row.try_into().ok().filter(|row| (1..=SIZE).contains(row))?;
        let column = column.try_into().ok().filter(|column| (1..=SIZE).contains(column))?;
        Some(Self(((row - 1) * SIZE + column - 1) as u8))
    }

    /// Returns the point with this number, row by row from 0; `None` from 225 on.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < POINTS { Some(Self(index as u8)) } else { None }
    }

    /// Returns its number, row by row from 0 to 224.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the judge's x: the row, 1 (top) to 15.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 / SIZE as u8 + 1
    }

    /// Returns the judge's y: the column, 1 (left) to 15.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 % SIZE as u8 + 1
    }

    /// Returns the distance from another point in king's steps, 0 to 14.
    ///
    /// ```
    /// use agon_rules::renju::Point;
    /// assert_eq!(Point::CENTRE.distance(Point::new(6, 11).unwrap()), 3);
    /// ```
    pub const fn distance(self, other: Self) -> u8 {
        let (rows, columns) = (self.row().abs_diff(other.row()), self.column().abs_diff(other.column()));
        if rows > columns { rows } else { columns }
    }

    /// Returns the distance from the centre in king's steps, 0 to 7, which defines the opening's squares.
    pub const fn distance_from_centre(self) -> u8 {
        self.distance(Self::CENTRE)
    }

    /// Returns the point `steps` steps further on a line, or back if negative; `None` outside the board.
    ///
    /// ```
    /// use agon_rules::renju::{Axis, Point};
    /// assert_eq!(Point::CENTRE.along(Axis::Rising, 2), Point::new(6, 10));
    /// assert_eq!(Point::CENTRE.along(Axis::Column, -8), None);
    /// ```
    pub fn along(self, direction: Axis, steps: i8) -> Option<Self> {
        let (rows, columns) = match direction {
            Axis::Row => (0, steps),
            Axis::Column => (steps, 0),
            Axis::Falling => (steps, steps),
            Axis::Rising => (steps.checked_neg()?, steps),
        };
        Self::new(self.row().checked_add_signed(rows)?, self.column().checked_add_signed(columns)?)
    }

    /// Iterates over all points, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..POINTS as u8).map(Self)
    }

    /// Returns the players' notation, `H8`.
    pub fn letters(self) -> String {
        format!("{}{}", char::from(b'A' + self.column() - 1), SIZE as u8 + 1 - self.row())
    }

    /// Returns both notations, `H8 (8,8)`, for messages.
    pub fn both(self) -> String {
        format!("{} {self}", self.letters())
    }

    /// Reads the players' notation, in capital or small letters.
    ///
    /// # Errors
    /// If the text is not a letter from A to O and a number from 1 to 15.
    pub fn from_letters(text: &str) -> Result<Self, LettersError> {
        let read = || {
            let letter = text.chars().next()?.to_ascii_uppercase();
            let column = u32::from(letter).checked_sub(u32::from('A'))? + 1;
            let digits = text.get(1..).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
            let number: usize = digits.parse().ok()?;
            Self::new((SIZE + 1).checked_sub(number)?, column)
        };
        read().ok_or_else(|| LettersError { text: text.to_owned() })
    }
}

/// Writes the judge's notation with brackets, `(8,8)`.
impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.row(), self.column())
    }
}

agon_message::text_arguments!(Point);

/// Error for a text that is not a point in the players' notation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a column from A to O followed by a row from 1 to 15")]
pub struct LettersError {
    /// Refused text.
    pub text: String,
}

/// A set of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Points([u16; SIZE]);

impl Points {
    /// The set whose rows, from the top, have these bits: bit 0 is column 1. Bits beyond column 15 are dropped.
    pub const fn from_rows(mut rows: [u16; SIZE]) -> Self {
        let mut row = 0;
        while row < SIZE {
            rows[row] &= (1 << SIZE) - 1;
            row += 1;
        }
        Self(rows)
    }

    /// The rows from the top: bit 0 is column 1.
    pub const fn rows(&self) -> [u16; SIZE] {
        self.0
    }

    /// The points that are not in the other set.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|row| self.0[row] & !other.0[row]))
    }

    /// Adds a point; adding it again changes nothing.
    pub const fn insert(&mut self, point: Point) {
        self.0[point.0 as usize / SIZE] |= 1 << (point.0 as usize % SIZE);
    }

    /// Returns true if the set contains the point.
    pub const fn contains(&self, point: Point) -> bool {
        self.0[point.0 as usize / SIZE] >> (point.0 as usize % SIZE) & 1 == 1
    }

    /// Returns the number of points, 0 to 225.
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    /// Iterates over the points, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<> {
        self.0.into_iter().enumerate().flat_map(|(row, mut bits)| {
            std::iter::from_fn(move || {
                let column = bits.trailing_zeros();
                // Clears the lowest bit; of an empty row it leaves nothing.
                bits &= bits.wrapping_sub(1);
                (column < SIZE as u32).then(|| Point((row * SIZE) as u8 + column as u8))
            })
        })
    }
}

impl FromIterator<Point> for Points {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::default();
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl Extend<Point> for Points {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        points.into_iter().for_each(|point| self.insert(point));
    }
}
