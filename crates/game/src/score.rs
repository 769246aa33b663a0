//! The points of a game, exact to one half.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A number of points in steps of one half, stored in halves so that sums are exact.
///
/// ```
/// use agon_game::GameScore;
/// let bonus = GameScore::from_halves(5);
/// assert_eq!((GameScore::from(24) + bonus).to_string(), "26.5");
/// assert_eq!(GameScore::from(7).to_string(), "7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GameScore {
    halves: i32,
}

impl GameScore {
    /// Creates a score from a number of half points.
    #[inline]
    pub const fn from_halves(halves: i32) -> Self {
        Self { halves }
    }

    /// Returns the number of half points.
    #[inline]
    pub const fn halves(self) -> i32 {
        self.halves
    }

    /// Converts to a floating-point number, exactly.
    pub fn as_f64(self) -> f64 {
        f64::from(self.halves) / 2.0
    }
}

impl From<i32> for GameScore {
    /// Creates a score from whole points.
    fn from(points: i32) -> Self {
        Self { halves: points * 2 }
    }
}

impl Add for GameScore {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { halves: self.halves + other.halves }
    }
}

impl Sub for GameScore {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { halves: self.halves - other.halves }
    }
}

impl AddAssign for GameScore {
    fn add_assign(&mut self, other: Self) {
        self.halves += other.halves;
    }
}

impl fmt::Display for GameScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.halves % 2 == 0 { f.pad(&(self.halves / 2).to_string()) } else { f.pad(&self.as_f64().to_string()) }
    }
}
