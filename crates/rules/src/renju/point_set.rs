//! Sets of points, in four machine words.

use super::{POINTS, Point};

/// A set of points, numbered as in [`Point::index`]. Searches walk and join such sets at every node, for which
/// [`super::Points`], stored row by row, is too slow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PointSet([u64; 4]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; 4]);

    /// Every point of the board.
    pub const ALL: Self = Self([u64::MAX, u64::MAX, u64::MAX, (1 << (POINTS - 192)) - 1]);

    /// Creates the set with these bits: bit 0 of the first word is point 0.
    #[inline]
    pub const fn from_words(words: [u64; 4]) -> Self {
        Self(words)
    }

    /// Adds a point, or removes it if present.
    #[inline]
    pub const fn toggle(&mut self, cell: u8) {
        self.0[(cell >> 6) as usize] ^= 1 << (cell & 63);
    }

    /// Adds a point; adding it again changes nothing.
    #[inline]
    pub const fn insert(&mut self, cell: u8) {
        self.0[(cell >> 6) as usize] |= 1 << (cell & 63);
    }

    /// Removes a point, if present.
    #[inline]
    pub const fn remove(&mut self, cell: u8) {
        self.0[(cell >> 6) as usize] &= !(1 << (cell & 63));
    }

    /// Returns true if the set contains the point.
    #[inline]
    pub const fn contains(&self, cell: u8) -> bool {
        self.0[(cell >> 6) as usize] >> (cell & 63) & 1 == 1
    }

    /// Returns true if the set is empty.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// Returns the number of points, 0 to 225.
    #[inline]
    pub const fn len(&self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones()
    }

    /// Returns the point with the lowest number.
    #[inline]
    pub fn first(&self) -> Option<u8> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some((word * 64) as u8 + self.0[word].trailing_zeros() as u8)
    }

    /// Returns the union of both sets.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Returns the intersection of both sets.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Returns the points that are not in the other set.
    #[inline]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Returns the points in exactly one of both sets.
    #[inline]
    #[must_use]
    pub fn xor(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] ^ other.0[word]))
    }

    /// Returns the points with numbers `by` greater than those in the set, for `by` from 1 to 63. Numbers from 225 to
    /// 255 are kept, though no point has them; from 256 on they are dropped.
    #[inline]
    #[must_use]
    pub fn shift_up(self, by: u32) -> Self {
        let below = |word: usize| word.checked_sub(1).map_or(0, |word| self.0[word]);
        Self(std::array::from_fn(|word| self.0[word] << by | below(word) >> (64 - by)))
    }

    /// Returns the points with numbers `by` less than those in the set, for `by` from 1 to 63. Numbers below 0 are
    /// dropped.
    #[inline]
    #[must_use]
    pub fn shift_down(self, by: u32) -> Self {
        let above = |word: usize| self.0.get(word + 1).copied().unwrap_or(0);
        Self(std::array::from_fn(|word| self.0[word] >> by | above(word) << (64 - by)))
    }

    /// Iterates over the points, lowest number first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                // Clears the lowest bit; of an empty word it leaves nothing.
                bits &= bits.wrapping_sub(1);
                (bit < u64::BITS).then(|| (word * 64) as u8 + bit as u8)
            })
        })
    }
}

impl FromIterator<u8> for PointSet {
    fn from_iter<I: IntoIterator<Item = u8>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points.into_iter().map(|point| point.index() as u8).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let check = |cells: &[u8]| {
            let set: PointSet = cells.iter().copied().collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), cells);
            assert_eq!(
                (set.len() as usize, set.first(), set.is_empty()),
                (cells.len(), cells.first().copied(), cells.is_empty())
            );
            for cell in 0..POINTS as u8 {
                assert_eq!(set.contains(cell), cells.contains(&cell), "{cell} of {cells:?}");
                assert_eq!(PointSet::ALL.without(set).contains(cell), !cells.contains(&cell), "{cell} of {cells:?}");
            }
        };
        check(&[]);
        check(&[0, 63, 64, 127, 128, 191, 192, 224]);
        check(&[5, 100]);
        assert_eq!(PointSet::ALL.len() as usize, POINTS);
    }

    #[test]
    fn shifts_add_to_the_numbers_of_all_points() {
        let cells = [0, 1, 48, 63, 64, 100, 127, 128, 191, 192, 209];
        let set: PointSet = cells.into_iter().collect();
        for by in [1, 14, 15] {
            assert_eq!(set.shift_up(by).iter().collect::<Vec<_>>(), cells.map(|cell| cell + by as u8));
            let down: Vec<u8> = cells.into_iter().filter_map(|cell| cell.checked_sub(by as u8)).collect();
            assert_eq!(set.shift_down(by).iter().collect::<Vec<_>>(), down);
        }
        let other: PointSet = [1, 2, 224].into_iter().collect();
        assert_eq!(set.xor(other), set.or(other).without(set.and(other)));
    }
}
