//! The eight directions from a square, and sets of them.

use std::fmt;

/// One of the eight neighbours of a square.
///
/// They are numbered column by column, from the north-west: the order in which the published sample cells look around
/// (`x` in the outer loop, `y` in the inner one), so that a species that takes "the first" neighbour takes the same
/// one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// x − 1, y − 1.
    NorthWest = 0,
    /// x − 1.
    West = 1,
    /// x − 1, y + 1.
    SouthWest = 2,
    /// y − 1: up.
    North = 3,
    /// y + 1: down.
    South = 4,
    /// x + 1, y − 1.
    NorthEast = 5,
    /// x + 1.
    East = 6,
    /// x + 1, y + 1.
    SouthEast = 7,
}

impl Direction {
    /// All eight, in their order.
    pub const ALL: [Self; 8] = [
        Self::NorthWest,
        Self::West,
        Self::SouthWest,
        Self::North,
        Self::South,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
    ];

    /// Returns the step to the right: −1, 0 or 1.
    #[inline]
    pub const fn dx(self) -> i8 {
        const STEPS: [i8; 8] = [-1, -1, -1, 0, 0, 1, 1, 1];
        STEPS[self as usize]
    }

    /// Returns the step down: −1, 0 or 1.
    #[inline]
    pub const fn dy(self) -> i8 {
        const STEPS: [i8; 8] = [-1, 0, 1, -1, 1, -1, 0, 1];
        STEPS[self as usize]
    }

    /// Returns the direction that goes right if `dx` is positive and left if it is negative, and likewise down and up
    /// for `dy`; `None` if both are 0.
    ///
    /// ```
    /// use agon_rules::petri::Direction;
    /// assert_eq!(Direction::towards(5, -1), Some(Direction::NorthEast));
    /// assert_eq!(Direction::towards(0, 0), None);
    /// ```
    pub const fn towards(dx: i32, dy: i32) -> Option<Self> {
        match (dx.signum(), dy.signum()) {
            (-1, -1) => Some(Self::NorthWest),
            (-1, 0) => Some(Self::West),
            (-1, 1) => Some(Self::SouthWest),
            (0, -1) => Some(Self::North),
            (0, 1) => Some(Self::South),
            (1, -1) => Some(Self::NorthEast),
            (1, 0) => Some(Self::East),
            (1, 1) => Some(Self::SouthEast),
            _ => None,
        }
    }

    /// Returns the direction with the two axes exchanged: its image under the mirror that turns a wide dish into a tall
    /// one.
    ///
    /// ```
    /// use agon_rules::petri::Direction;
    /// assert_eq!(Direction::SouthWest.transposed(), Direction::NorthEast);
    /// ```
    pub const fn transposed(self) -> Self {
        const IMAGES: [Direction; 8] = [
            Direction::NorthWest,
            Direction::North,
            Direction::NorthEast,
            Direction::West,
            Direction::East,
            Direction::SouthWest,
            Direction::South,
            Direction::SouthEast,
        ];
        IMAGES[self as usize]
    }

    /// Reads a compass name, `N` to `NW`, in any case.
    ///
    /// ```
    /// use agon_rules::petri::Direction;
    /// assert_eq!(Direction::read(b"sE"), Some(Direction::SouthEast));
    /// assert_eq!(Direction::read(b"ES"), None);
    /// ```
    pub fn read(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| name.eq_ignore_ascii_case(direction.name().as_bytes()))
    }

    /// Returns `N`, `S`, `E`, `W`, `NE`, `NW`, `SE` or `SW`.
    pub const fn name(self) -> &'static str {
        ["NW", "W", "SW", "N", "S", "NE", "E", "SE"][self as usize]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

agon_message::text_arguments!(Direction);

/// A set of directions, one bit each, so that counting neighbours and choosing among them takes an instruction or two.
///
/// ```
/// use agon_rules::petri::{Direction, Directions};
/// let mut set = Directions::default();
/// set.insert(Direction::East);
/// set.insert(Direction::North);
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.first(), Some(Direction::North));
/// assert_eq!(set.nth(1), Some(Direction::East));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Directions {
    bits: u8,
}

impl Directions {
    /// Creates the set with these bits, the first direction lowest.
    #[inline]
    pub(super) const fn from_bits(bits: u8) -> Self {
        Self { bits }
    }

    /// Adds a direction.
    #[inline]
    pub const fn insert(&mut self, direction: Direction) {
        self.bits |= 1 << direction as u8;
    }

    /// Returns true if the set contains this direction.
    #[inline]
    pub const fn contains(self, direction: Direction) -> bool {
        self.bits >> direction as u8 & 1 != 0
    }

    /// Returns the number of directions.
    #[inline]
    pub const fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Returns true if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Returns the union of both sets.
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits }
    }

    /// Returns the first direction in the order of [`Direction::ALL`].
    #[inline]
    pub fn first(self) -> Option<Direction> {
        // The masked index makes the bound visible: an empty set has 8 trailing zeros.
        (self.bits != 0).then(|| Direction::ALL[self.bits.trailing_zeros() as usize & 7])
    }

    /// Returns the direction with `n` others before it.
    #[inline]
    pub fn nth(self, n: usize) -> Option<Direction> {
        self.into_iter().nth(n)
    }
}

/// Iterates in the order of [`Direction::ALL`].
impl IntoIterator for Directions {
    type Item = Direction;
    type IntoIter = Iter;
    #[inline]
    fn into_iter(self) -> Iter {
        Iter(self)
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        let mut set = Self::default();
        directions.into_iter().for_each(|direction| set.insert(direction));
        set
    }
}

/// Iterator over the directions of a set.
#[derive(Clone, Debug)]
pub struct Iter(Directions);

impl Iterator for Iter {
    type Item = Direction;
    #[inline]
    fn next(&mut self) -> Option<Direction> {
        let first = self.0.first();
        self.0.bits &= self.0.bits.wrapping_sub(1);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_what_was_put_into_it() {
        for bits in 0..=u8::MAX {
            let list: Vec<Direction> = Direction::ALL.into_iter().filter(|way| bits >> *way as u8 & 1 != 0).collect();
            let set: Directions = list.iter().copied().collect();
            assert_eq!(set, Directions::from_bits(bits));
            assert_eq!(set.into_iter().collect::<Vec<_>>(), list);
            assert_eq!((set.len(), set.is_empty(), set.first()), (list.len(), list.is_empty(), list.first().copied()));
            for n in 0..=8 {
                assert_eq!(set.nth(n), list.get(n).copied());
            }
            for way in Direction::ALL {
                assert_eq!(set.contains(way), list.contains(&way));
            }
        }
    }

    #[test]
    fn a_direction_is_its_step() {
        for way in Direction::ALL {
            assert_eq!(Direction::towards(way.dx().into(), way.dy().into()), Some(way));
            assert_eq!(Direction::read(way.name().as_bytes()), Some(way));
            let image = way.transposed();
            assert_eq!((image.dx(), image.dy()), (way.dy(), way.dx()));
            assert_eq!(way.name().contains('N'), way.dy() == -1);
            assert_eq!(way.name().contains('E'), way.dx() == 1);
        }
    }
}
