//! The four directions of lines.

use std::fmt;

use agon_message::messages;

messages! {
    /// A direction of lines. The names refer to the board as drawn, row 1 on top and column 1 on the left.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    #[repr(u8)]
    pub enum Axis {
        /// Along a row: the column grows.
        Row = "row",
        /// Along a column: the row grows.
        Column = "column",
        /// From the upper left to the lower right: row and column grow together.
        Falling = "falling diagonal",
        /// From the lower left to the upper right: the column grows, the row shrinks.
        Rising = "rising diagonal",
    }
}

impl Axis {
    /// All four directions.
    pub const ALL: [Self; 4] = [Self::Row, Self::Column, Self::Falling, Self::Rising];
}

/// A set of directions.
///
/// ```
/// use agon_rules::renju::{Axis, Axes};
/// let lines: Axes = [Axis::Rising, Axis::Row].into_iter().collect();
/// assert_eq!(lines.to_string(), "the row and the rising diagonal");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Axes(u8);

impl Axes {
    /// Adds a direction; adding it again changes nothing.
    pub const fn insert(&mut self, direction: Axis) {
        self.0 |= 1 << direction as u8;
    }

    /// Returns true if the set contains this direction.
    pub const fn contains(self, direction: Axis) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// Returns the number of directions, 0 to 4.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the set in the order of [`Axis::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Axis> {
        Axis::ALL.into_iter().filter(move |direction| self.contains(*direction))
    }
}

impl FromIterator<Axis> for Axes {
    fn from_iter<I: IntoIterator<Item = Axis>>(directions: I) -> Self {
        let mut set = Self::default();
        directions.into_iter().for_each(|direction| set.insert(direction));
        set
    }
}

/// Writes "the row", "the row and the column", "the row, the column and the falling diagonal".
impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.len() as usize;
        for (at, direction) in self.iter().enumerate() {
            let link = match at {
                0 => "",
                _ if at + 1 == last => " and ",
                _ => ", ",
            };
            write!(f, "{link}the {direction}")?;
        }
        Ok(())
    }
}
