//! What results say, and with what certainty: pure functions of counts.
//!
//! - [`Pentanomial`] counts pairs of bouts and turns them into a score, an Elo difference and their intervals.
//! - [`sprt`] decides from pairs, as they come, between two hypotheses.
//! - [`ratings`] puts many agents on one scale.
//! - [`elo`] is ALPHANO's own sequential rating.

#[cfg(test)]
mod coverage;
pub mod distribution;
pub mod elo;
mod linear;
pub mod normal;
pub mod pentanomial;
pub mod ratings;
pub mod sprt;

pub use pentanomial::Pentanomial;
use serde::Serialize;

/// Elo points of a unit of natural log odds: 400 / ln 10.
pub const ELO_PER_LOGIT: f64 = 173.717_792_761_013_73;

/// The expected score of a player that is `elo` points stronger, by the logistic model, from 0 to 1.
///
/// ```
/// use agon_arena::stats::{difference, expected};
/// assert_eq!(expected(0.0), 0.5);
/// assert!((expected(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// assert!((difference(expected(-37.5)) + 37.5).abs() < 1e-9);
/// ```
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// The Elo difference at which `score`, from 0 to 1, is expected; infinite at both ends.
pub fn difference(score: f64) -> f64 {
    // Scores outside come from intervals that reach over the end.
    let score = score.clamp(0.0, 1.0);
    ELO_PER_LOGIT * (score / (1.0 - score)).ln()
}

/// A value between two bounds. Infinite bounds are `null` in JSON.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

impl Interval {
    /// Whether the interval contains a value.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Both bounds and the estimate on another, growing scale.
    fn map(self, scale: impl Fn(f64) -> f64) -> Self {
        Self { low: scale(self.low), value: scale(self.value), high: scale(self.high) }
    }
}
