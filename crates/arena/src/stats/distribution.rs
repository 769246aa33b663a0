//! Finite distributions of scores, and the one closest to the observed distribution that has a given mean or effect.
//!
//! Both searches solve the exact condition through roots of monotone functions, so they reach the optimum wherever the
//! condition lies: nothing is linearised around a guess, and the observed distribution is never returned in place of an
//! answer.

use super::expected;

/// The scores that a pair of bouts can bring, as shares of its two points.
pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A probability for each of [`SCORES`].
pub type Distribution = [f64; 5];

/// The same scores relative to one half.
const CENTRED: [f64; 5] = [-0.5, -0.25, 0.0, 0.25, 0.5];

/// In how many steps of equal ratio all root mean squares are looked at for optima that an effect may have.
///
/// In a test with 2500 random counts and effects from 0.001 to 16, 16 steps missed the best optimum six times, and 24
/// never.
const SPREAD_STEPS: u32 = 32;

/// The steps of a root search, far more than one takes.
const MAX_ROOT_STEPS: u32 = 200;

pub fn moments(p: &Distribution) -> (f64, f64) {
    let mean = dot(p, &SCORES);
    (mean, p.iter().zip(SCORES).map(|(p, a)| p * (a - mean).powi(2)).sum())
}

fn dot(p: &Distribution, x: &[f64; 5]) -> f64 {
    p.iter().zip(x).map(|(p, x)| p * x).sum()
}

/// The distribution with mean `mean` under which a sample distributed as `seen` is most likely; at either end, all of
/// its mass is there. Every probability of `seen` must be positive.
///
/// Source: A. B. Owen, Empirical Likelihood (2001), section 2.9; M. Van den Bergh, The Generalized Sequential
/// Probability Ratio Test for chess engine testing, <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>.
pub fn with_mean(seen: &Distribution, mean: f64) -> Distribution {
    between(seen, mean, 1.0 - mean)
}

/// The same for the mean implied by an Elo difference, exact even next to 0 or 1.
pub fn with_elo(seen: &Distribution, elo: f64) -> Distribution {
    between(seen, expected(elo), expected(-elo))
}

/// With this mean, which is `missing` below 1.
fn between(seen: &Distribution, mean: f64, missing: f64) -> Distribution {
    let distances = SCORES.map(|a| a * missing - (1.0 - a) * mean);
    let end = if mean < 0.5 { 0 } else { SCORES.len() - 1 };
    tilted(seen, &distances).unwrap_or_else(|| std::array::from_fn(|at| if at == end { 1.0 } else { 0.0 }))
}

/// The distribution whose mean is `effect` standard deviations above one half and under which a sample distributed as
/// `seen` is most likely. Every probability of `seen` must be positive, and `effect` finite.
///
/// Every effect has such a distribution: the closer all of its mass comes to one score above one half, the larger its
/// effect. With the mean m and the mean square s of the distances from one half, the condition is m = τ √s for τ = t /
/// √(1 + t²). For a positive effect, √s is the minimum of (s / v + v) / 2 over all v > 0, reached at v = √s. So the
/// distributions with at least this effect are those on one side of some of the planes m = τ (s / v + v) / 2, and the
/// most likely one of each plane is a tilt. What remains is the search for v in one dimension, where the likelihood has
/// its optima at v² = s.
///
/// A sample with a larger effect than wanted has one optimum, since the region on the other side of all planes is
/// convex. A sample with a smaller effect may have several, for example where a few more wins reach the effect with a
/// small spread and many with a large one: all are found, and the most likely one counts.
///
/// Source of the model: M. Van den Bergh, Normalized Elo,
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.
pub fn with_effect(seen: &Distribution, effect: f64) -> Distribution {
    if effect == 0.0 {
        return with_mean(seen, 0.5);
    }
    if effect < 0.0 {
        let mut mirrored = *seen;
        mirrored.reverse();
        let mut found = with_effect(&mirrored, -effect);
        found.reverse();
        return found;
    }
    let share = effect / effect.hypot(1.0);
    let squares = CENTRED.map(|b| b * b);
    let (mean, square) = (dot(seen, &CENTRED), dot(seen, &squares));
    // The best distribution of the plane for this v, and how far v² lies above its mean square.
    let plane = |v: f64| {
        let best = tilted(seen, &CENTRED.map(|b| b - share * (b * b / v + v) / 2.0))?;
        Some((v * v - dot(&best, &squares), best))
    };
    // Distributions of this effect have a √s from τ / 4 to ½. Half way to the v of empty planes, v² is on its side of s
    // beyond all rounding.
    let narrow = effect.hypot(1.0).recip();
    let spreads = (share / (4.0 * (1.0 + narrow).sqrt()), (0.5 * (1.0 + narrow) / (2.0 * share)).sqrt().min(0.75));
    let beyond = mean * mean - share * share * square;
    if mean > 0.0 && beyond >= 0.0 {
        // The sample is on the other side only of the planes between these; it lies on these two itself.
        let low = (mean - beyond.sqrt()) / share;
        let high = ((mean + beyond.sqrt()) / share).min(spreads.1);
        let end = |v: f64| (v, v * v - square);
        return root(end(low), end(high), plane).unwrap_or(*seen);
    }
    let step = (spreads.1 / spreads.0).powf(f64::from(SPREAD_STEPS).recip());
    let mut best: Option<(f64, Distribution)> = None;
    let mut last: Option<(f64, f64)> = None;
    for n in 0..=SPREAD_STEPS {
        let v = if n == SPREAD_STEPS { spreads.1 } else { spreads.0 * step.powi(n as i32) };
        let above = plane(v).map(|(above, _)| above);
        // Up to an optimum the likelihood grows with v: there v² crosses the mean square from below.
        if let Some(above) = above
            && above >= 0.0
            && let Some(before) = last
            && let Some(found) = root(before, (v, above), plane)
        {
            let likelihood = seen.iter().zip(found).map(|(seen, p)| seen * p.ln()).sum::<f64>();
            if best.is_none_or(|(most, _)| likelihood > most) {
                best = Some((likelihood, found));
            }
        }
        last = above.filter(|above| *above < 0.0).map(|above| (v, above));
    }
    best.map_or(*seen, |(_, found)| found)
}

/// The auxiliary result of a function at its root, where it grows from below 0 to above 0: the Illinois method in the
/// logarithm, with a bisection now and then in case it is slow. The arguments are two places with the function's values
/// there, or their signs; where it has no value, it counts as below 0.
fn root<T>(low: (f64, f64), high: (f64, f64), at: impl Fn(f64) -> Option<(f64, T)>) -> Option<T> {
    let ((mut low, mut below), (mut high, mut above)) = (low, high);
    let (mut found, mut last, mut was_below) = (None, 0.0, None);
    for n in 1..=MAX_ROOT_STEPS {
        let share = if n.is_multiple_of(8) || below >= above { 0.5 } else { below / (below - above) };
        let middle = (low * ((high / low).ln() * share).exp()).clamp(low, high);
        let (value, here) = at(middle).map_or((-f64::EPSILON, None), |(value, here)| (value, Some(here)));
        found = here.or(found);
        let is_below = value < 0.0;
        let stays = was_below.replace(is_below) == Some(is_below);
        if is_below {
            (low, below) = (middle, value);
            above = if stays { above / 2.0 } else { above };
        } else {
            (high, above) = (middle, value);
            below = if stays { below / 2.0 } else { below };
        }
        if value == 0.0 || high / low - 1.0 < 1e-13 || (middle / last - 1.0_f64).abs() < 1e-14 {
            break;
        }
        last = middle;
    }
    found
}

/// Maximises Σ seen ln p under Σ p = 1 and Σ p x = 0; `None` if no x is positive or none is negative.
///
/// p = seen / (1 + λ x), where λ is the only root of a falling function between its poles. The root may come close to
/// the pole of the largest x (if necessary, all x change their signs), so the unknown is μ = 1 / (1 + λ max x),
/// whatever the distance from the pole. In μ the function grows and is concave: from 1 on, where it is negative,
/// Newton's steps never pass the root.
fn tilted(seen: &Distribution, x: &[f64; 5]) -> Option<Distribution> {
    let mean = dot(seen, x);
    let x = if mean > 0.0 { x.map(|x| -x) } else { *x };
    let (low, top) = x.iter().fold((0.0_f64, 0.0_f64), |(low, top), &x| (low.min(x), top.max(x)));
    if low >= 0.0 || top <= 0.0 {
        return None;
    }
    let x = x.map(|x| x / top);
    let mut mu = 1.0;
    for _ in 0..MAX_ROOT_STEPS {
        let (value, slope) = seen.iter().zip(x).fold((0.0, 0.0), |(value, slope), (seen, x)| {
            let weight = (1.0 - x) * mu + x;
            (value + seen * x * mu / weight, slope + seen * (x / weight).powi(2))
        });
        let step = -value / slope;
        // Also if only rounding is left.
        if step.is_nan() || step <= 1e-15 * mu {
            break;
        }
        mu += step;
    }
    let mut p: Distribution = std::array::from_fn(|i| seen[i] * mu / ((1.0 - x[i]) * mu + x[i]));
    let sum: f64 = p.iter().sum();
    for p in &mut p {
        *p /= sum;
    }
    Some(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: [Distribution; 4] = [
        [0.05, 0.2, 0.45, 0.22, 0.08],
        [0.2, 0.2, 0.2, 0.2, 0.2],
        [0.001, 0.001, 0.001, 0.001, 0.996],
        [0.3, 0.1, 0.1, 0.1, 0.4],
    ];

    fn likelihood(seen: &Distribution, p: &Distribution) -> f64 {
        seen.iter().zip(p).map(|(seen, p)| seen * p.ln()).sum()
    }

    /// The condition holds, and no feasible step in any direction makes the sample more likely.
    fn check(seen: &Distribution, best: &Distribution, condition: &dyn Fn(&Distribution) -> f64) {
        assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{seen:?} {best:?}");
        assert!(condition(best).abs() < 1e-8, "{seen:?} {best:?}: {}", condition(best));
        let top = likelihood(seen, best);
        let gradient = |f: &dyn Fn(&Distribution) -> f64| {
            let mut gradient = [0.0; 5];
            for i in 0..5 {
                let (mut up, mut down) = (*best, *best);
                let h = best[i] * 1e-4;
                up[i] += h;
                down[i] -= h;
                gradient[i] = (f(&up) - f(&down)) / (2.0 * h);
            }
            gradient
        };
        let dot = |a: &Distribution, b: &Distribution| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // Lagrange: the part of the gradient outside the span of both conditions, in the metric of p itself.
        let metric = |v: &Distribution| std::array::from_fn::<f64, 5, _>(|i| v[i] * best[i].sqrt());
        let (ones, bend) = (metric(&[1.0; 5]), metric(&gradient(condition)));
        let along = dot(&bend, &ones) / dot(&ones, &ones);
        let bend: Distribution = std::array::from_fn(|i| bend[i] - along * ones[i]);
        let rise = metric(&gradient(&|p| likelihood(seen, p)));
        let (a, b) = (dot(&rise, &ones) / dot(&ones, &ones), dot(&rise, &bend) / dot(&bend, &bend));
        let left: Distribution = std::array::from_fn(|i| rise[i] - a * ones[i] - b * bend[i]);
        assert!(dot(&left, &left).sqrt() < 1e-5, "{seen:?} {best:?} {top}: {left:?}");
    }

    #[test]
    fn the_most_likely_distribution_of_a_mean_is_found() {
        for seen in &SEEN {
            for mean in [0.05, 0.3, 0.5, 0.514, 0.9] {
                check(seen, &with_mean(seen, mean), &|p| moments(p).0 - mean);
            }
            assert!(
                with_elo(seen, 40.0).iter().zip(with_mean(seen, expected(40.0))).all(|(a, b)| (a - b).abs() < 1e-12)
            );
        }
        // Close to the end, the mean itself has no digits left.
        let missing: f64 = with_elo(&SEEN[0], 3000.0).iter().zip(SCORES).map(|(p, a)| p * (1.0 - a)).sum();
        assert!((missing / expected(-3000.0) - 1.0).abs() < 1e-9, "{missing}");
        assert!(with_mean(&SEEN[0], 0.0)[0] >= 1.0 && with_mean(&SEEN[0], 1.0)[4] >= 1.0);
    }

    #[test]
    fn the_most_likely_distribution_of_an_effect_is_found() {
        for seen in &SEEN {
            for effect in [-3.0, -0.3, 0.0, 0.02, 0.4, 1.6, 2.5] {
                check(seen, &with_effect(seen, effect), &|p| {
                    // The gradient is also taken outside the simplex, where moments need unit mass.
                    let mass: f64 = p.iter().sum();
                    let (mean, variance) = moments(&p.map(|p| p / mass));
                    (mean - 0.5) / variance.sqrt() - effect
                });
            }
        }
    }
}
