//! Another way to the most likely distribution under a hypothesis, which shares nothing with the crate's: both moments
//! are fixed, the rest is convex in two multipliers, and the possible moments are searched.

/// The scores of a pair from one half.
const SCORES: [f64; 5] = [-0.5, -0.25, 0.0, 0.25, 0.5];

/// Parts into which the range of the spread is cut before the best of them are searched.
const PARTS: usize = 120;

/// A hypothesis: an Elo difference, or one in normalized Elo.
#[derive(Clone, Copy, Debug)]
pub enum Hypothesis {
    Logistic(f64),
    Normalized(f64),
}

/// The log likelihood of the first hypothesis over that of the other, by these counts of pairs.
pub fn llr(counts: [u64; 5], over: Hypothesis, under: Hypothesis) -> f64 {
    let [over, under] = [over, under].map(|hypothesis| most_likely(counts, hypothesis));
    over - under
}

/// The log likelihood of the counts under the most likely distribution of a hypothesis.
pub fn most_likely(counts: [u64; 5], hypothesis: Hypothesis) -> f64 {
    let counts = counts.map(|count| (count as f64).max(1e-3));
    let all: f64 = counts.iter().sum();
    let pairs = counts.iter().map(|count| count.round()).sum::<f64>();
    let seen = counts.map(|count| count / all);
    pairs
        * match hypothesis {
            Hypothesis::Logistic(elo) => of_mean(&seen, 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)) - 0.5),
            Hypothesis::Normalized(elo) => of_effect(seen, elo * 10_f64.ln() / 800.0 * 2_f64.sqrt()),
        }
}

fn of_mean(seen: &[f64; 5], mean: f64) -> f64 {
    let least = least_square(mean);
    highest(|part| of_moments(seen, mean, least + (0.25 - least) * part), 0.0, 1.0)
}

fn of_effect(mut seen: [f64; 5], effect: f64) -> f64 {
    if effect == 0.0 {
        return of_mean(&seen, 0.0);
    }
    if effect < 0.0 {
        seen.reverse();
    }
    let effect = effect.abs();
    // The mean is this share of the root of the mean square.
    let share = effect / (1.0 + effect * effect).sqrt();
    let (low, high) = ((share / 4.0).ln(), 0.5_f64.ln());
    let at = |part: f64| {
        let root = (low + (high - low) * part).exp();
        let (mean, square) = (share * root, root * root);
        if least_square(mean) < square && square < 0.25 { of_moments(&seen, mean, square) } else { f64::NEG_INFINITY }
    };
    let place = |part: usize| (part as f64 + 0.5) / PARTS as f64;
    let values: Vec<f64> = (0..PARTS).map(|part| at(place(part))).collect();
    let value = |part: usize| values.get(part).copied().unwrap_or(f64::NEG_INFINITY);
    let tops = (0..PARTS).filter(|&part| {
        values[part].is_finite() && values[part] >= value(part.wrapping_sub(1)) && values[part] >= value(part + 1)
    });
    let beside = |part: usize| {
        let low = if part == 0 { 0.0 } else { place(part - 1) };
        (low, if part + 1 == PARTS { 1.0 } else { place(part + 1) })
    };
    tops.map(|part| highest(at, beside(part).0, beside(part).1)).fold(f64::NEG_INFINITY, f64::max)
}

/// The least mean square of the distance from one half under a mean of it: all on the two scores around.
fn least_square(mean: f64) -> f64 {
    let mean = mean.abs();
    if mean <= 0.25 { mean / 4.0 } else { 0.75 * mean - 0.125 }
}

/// The highest value of a function with one top, by golden sections.
fn highest(at: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_a, mut at_b) = (at(a), at(b));
    for _ in 0..80 {
        if at_a > at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - golden * (high - low);
            at_a = at(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + golden * (high - low);
            at_b = at(b);
        }
    }
    at_a.max(at_b)
}

/// The highest Σ seen ln p under a mean and a mean square: the least of a convex function of two multipliers, by
/// Newton's steps that are halved until they go down.
fn of_moments(seen: &[f64; 5], mean: f64, square: f64) -> f64 {
    let far = SCORES.map(|score| [score - mean, score * score - square]);
    let value = |[a, b]: [f64; 2]| -> f64 {
        let weights = far.map(|[x, y]| 1.0 + a * x + b * y);
        if weights.iter().any(|weight| *weight <= 0.0) {
            return f64::INFINITY;
        }
        seen.iter().zip(weights).map(|(seen, weight)| seen * (seen / weight).ln()).sum()
    };
    let mut at = [0.0; 2];
    let mut now = value(at);
    let mut left = f64::INFINITY;
    for _ in 0..200 {
        // The bend of the function is that of five squares: a triangle of the roots keeps all of their digits.
        let (mut slope, mut roots) = ([0.0; 2], [[0.0; 2]; 5]);
        for ((seen, [x, y]), root) in seen.iter().zip(far).zip(&mut roots) {
            let weight = 1.0 + at[0] * x + at[1] * y;
            slope = [slope[0] - seen * x / weight, slope[1] - seen * y / weight];
            *root = [x, y].map(|far| seen.sqrt() / weight * far);
        }
        let sum = |f: &dyn Fn([f64; 2]) -> f64| roots.iter().map(|root| f(*root)).sum::<f64>();
        let first = sum(&|[x, _]| x * x).sqrt();
        let mixed = sum(&|[x, y]| x * y) / first;
        let second = sum(&|[x, y]| (y - mixed / first * x).powi(2)).sqrt();
        let down = -slope[0] / first;
        let along = (-slope[1] - mixed * down) / second;
        let step = [(down - mixed * along / second) / first, along / second];
        let fall = down * down + along * along;
        left = fall;
        if fall.is_nan() || fall < 1e-20 {
            break;
        }
        let mut length = 1.0;
        let next = loop {
            let next = [at[0] + length * step[0], at[1] + length * step[1]];
            let there = value(next);
            if there <= now - 0.1 * length * fall {
                break Some((next, there));
            }
            length /= 2.0;
            if length < 1e-14 {
                break None;
            }
        };
        let Some(next) = next else { break };
        (at, now) = next;
    }
    // Values above the minimum mean nothing. Near the edge of the possible moments, rounding may end the search.
    if left < 1e-12 { now } else { f64::NEG_INFINITY }
}
