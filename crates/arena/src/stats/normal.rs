//! The normal distribution, and Student's.

use std::f64::consts::{PI, SQRT_2};

/// How many standard errors a 95 % interval reaches to each side.
pub const Z95: f64 = 1.959_963_984_540_054;

/// How many standard errors a 95 % interval reaches to each side if the error itself is estimated, with this many
/// degrees of freedom, from 1.
///
/// Source: Abramowitz and Stegun, 26.7.3 and 26.7.4 for one and two degrees, 26.7.5 for more, to three digits.
///
/// ```
/// use agon_arena::stats::normal::{Z95, student95};
/// for (freedom, table) in [(1.0, 12.706), (2.0, 4.303), (3.0, 3.182), (5.0, 2.571), (9.0, 2.262), (60.0, 2.000)] {
///     assert!((student95(freedom) - table).abs() < 0.005, "{freedom}");
/// }
/// assert!((student95(1e9) - Z95).abs() < 1e-8);
/// ```
pub fn student95(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return (0.475 * PI).tan();
    }
    if freedom < 2.5 {
        return 0.95 * (0.5_f64 / (0.975 * 0.025)).sqrt();
    }
    let z = Z95;
    let powers = |terms: &[f64]| terms.iter().rev().fold(0.0, |sum, term| sum * z * z + term) * z;
    let series = [
        powers(&[1.0, 1.0]) / 4.0,
        powers(&[3.0, 16.0, 5.0]) / 96.0,
        powers(&[-15.0, 17.0, 19.0, 3.0]) / 384.0,
        powers(&[-945.0, -1920.0, 1482.0, 776.0, 79.0]) / 92_160.0,
    ];
    series.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom) + z
}

/// The number of degrees of freedom above which the normal distribution replaces Student's, accurate to six digits.
const MANY_DEGREES: u64 = 1000;

/// The probability that a variable of Student's distribution with this many degrees of freedom, from 1, is at most `t`.
///
/// Source: Abramowitz and Stegun, 26.7.3 and 26.7.4, and 26.7.8 for very many degrees.
///
/// ```
/// use agon_arena::stats::normal::{cumulative, student_cumulative};
/// for (t, freedom) in [(12.706, 1), (4.303, 2), (3.182, 3), (2.571, 5), (2.262, 9), (2.000, 60), (1.962, 2000)] {
///     assert!((student_cumulative(t, freedom) - 0.975).abs() < 5e-5, "{freedom}");
///     assert!((student_cumulative(-t, freedom) - 0.025).abs() < 5e-5, "{freedom}");
/// }
/// assert!((student_cumulative(1.0, 1_000_000) - cumulative(1.0)).abs() < 1e-6);
/// ```
pub fn student_cumulative(t: f64, freedom: u64) -> f64 {
    let degrees = freedom as f64;
    if freedom > MANY_DEGREES {
        return cumulative(t * (1.0 - 0.25 / degrees) / (1.0 + t * t / (2.0 * degrees)).sqrt());
    }
    let angle = (t / degrees.sqrt()).atan();
    let square = angle.cos().powi(2);
    // Both series have a term for every second degree, each the one before times a ratio and the square.
    let odd = freedom % 2 == 1;
    let (mut term, mut sum) = (if odd { angle.cos() } else { 1.0 }, 0.0);
    for n in 1..=(freedom / 2) {
        sum += term;
        let n = 2.0 * n as f64;
        term *= square * if odd { n / (n + 1.0) } else { (n - 1.0) / n };
    }
    let within = if odd { 2.0 / PI * (angle + angle.sin() * sum) } else { angle.sin() * sum };
    0.5 + within / 2.0
}

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

/// The density of a standard normal variable at `x`.
pub fn density(x: f64) -> f64 {
    (-x * x / 2.0).exp() / (2.0 * PI).sqrt()
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
