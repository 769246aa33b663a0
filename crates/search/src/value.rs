//! Values inside a search, and as a table stores them.

use crate::Score;
use crate::evaluate::MAX_EVALUATION;

/// The value of having won; a win in n plies is worth n less.
pub const WIN: i32 = 32_000;

pub const INFINITY: i32 = WIN + 1;

/// Converts a value to a score for people.
pub const fn score(value: i32) -> Score {
    if value > MAX_EVALUATION {
        Score::Win((WIN - value) as u32)
    } else if value < -MAX_EVALUATION {
        Score::Loss((WIN + value) as u32)
    } else {
        Score::Centi(value)
    }
}

/// A value as the table keeps it. A search counts the plies of a win from the root; the table counts them from the
/// entry's own node, which is `ply` plies from the root.
#[inline]
pub const fn to_table(value: i32, ply: i32) -> i16 {
    (if value > MAX_EVALUATION {
        value + ply
    } else if value < -MAX_EVALUATION {
        value - ply
    } else {
        value
    }) as i16
}

/// Inverse of [`to_table`], at a node `ply` plies from the root.
///
/// ```
/// use agon_search::value::{WIN, from_table, to_table};
/// assert_eq!(from_table(to_table(WIN - 9, 4), 2), WIN - 7);
/// assert_eq!(from_table(to_table(-WIN + 9, 4), 4), -WIN + 9);
/// assert_eq!(from_table(to_table(150, 4), 2), 150);
/// ```
#[inline]
pub const fn from_table(value: i16, ply: i32) -> i32 {
    let value = value as i32;
    if value > MAX_EVALUATION {
        value - ply
    } else if value < -MAX_EVALUATION {
        value + ply
    } else {
        value
    }
}
