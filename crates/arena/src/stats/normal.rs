//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// How many standard errors a 95 % interval reaches to each side.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal variable is at most `x`, to about 14 digits.
///
/// ```
/// use agon_arena::stats::normal::{Z95, cumulative};
/// assert_eq!(cumulative(0.0), 0.5);
/// assert!((cumulative(Z95) - 0.975).abs() < 1e-14);
/// assert!((cumulative(-4.0) / 3.167_124_183_311_998e-5 - 1.0).abs() < 1e-9);
/// ```
pub fn cumulative(x: f64) -> f64 {
    if x >= 0.0 { 1.0 - upper_tail(x) } else { upper_tail(-x) }
}

/// The probability beyond `x` ≥ 0. Source: Abramowitz and Stegun, 7.1.6 (series) and 7.1.14 (continued fraction).
fn upper_tail(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp();
    if x < 3.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..100 {
            term *= x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 0.5 - density * sum / (2.0 * PI).sqrt();
    }
    let y = x / SQRT_2;
    let fraction = (1..=120).rev().fold(y, |below, n| y + f64::from(n) / 2.0 / below);
    density / (2.0 * PI.sqrt() * fraction)
}
