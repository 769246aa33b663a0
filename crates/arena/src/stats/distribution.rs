//! Finite distributions of scores, and the one nearest to what was seen that has a wanted mean or effect.

/// The scores that a pair of bouts can bring, as shares of its two points.
pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A probability for each of [`SCORES`].
pub type Distribution = [f64; 5];

pub fn moments(p: &Distribution) -> (f64, f64) {
    let sum = |f: &dyn Fn(f64) -> f64| p.iter().zip(SCORES).map(|(p, a)| p * f(a)).sum::<f64>();
    let mean = sum(&|a| a);
    (mean, sum(&|a| (a - mean).powi(2)))
}

/// The distribution with mean `mean` under which a sample distributed as `seen` is most likely. Every probability of
/// `seen` must be positive and `mean` strictly between 0 and 1.
///
/// Source: A. B. Owen, Empirical Likelihood (2001), section 2.9; M. Van den Bergh, The Generalized Sequential
/// Probability Ratio Test for chess engine testing, <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>.
pub fn with_mean(seen: &Distribution, mean: f64) -> Distribution {
    tilted(seen, &SCORES.map(|a| a - mean))
}

/// The distribution whose mean lies `effect` standard deviations above one half under which a sample distributed as
/// `seen` is most likely. Every probability of `seen` must be positive.
///
/// The condition is linearised about the last guess and solved again, which converges in a few rounds. Source: M. Van
/// den Bergh, Normalized Elo, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>; the procedure is that of
/// fishtest's `LLRcalc.py`, `MLE_t_value`.
pub fn with_effect(seen: &Distribution, effect: f64) -> Distribution {
    let mut guess = [0.2; 5];
    for _ in 0..30 {
        let (mean, variance) = moments(&guess);
        let deviation = variance.sqrt();
        let linear = SCORES.map(|a| a - 0.5 - effect * deviation * (1.0 + ((mean - a) / deviation).powi(2)) / 2.0);
        let next = tilted(seen, &linear);
        let change = next.iter().zip(guess).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        guess = next;
        if change < 1e-10 {
            break;
        }
    }
    guess
}

/// Maximises Σ seen ln p under Σ p = 1 and Σ p x = 0: p = seen / (1 + λ x), where λ is the one root between the poles
/// of the falling function Σ seen x / (1 + λ x).
fn tilted(seen: &Distribution, x: &[f64; 5]) -> Distribution {
    let (least, most) = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), &x| (l.min(x), m.max(x)));
    if least >= 0.0 || most <= 0.0 {
        // No distribution on these scores meets the condition exactly; the last guess stands.
        return *seen;
    }
    let at = |lambda: f64| {
        seen.iter().zip(x).fold((0.0, 0.0), |(value, slope), (p, x)| {
            let factor = x / (1.0 + lambda * x);
            (value + p * factor, slope - p * factor * factor)
        })
    };
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut lambda = 0.0;
    // Newton's steps, and halving where one would leave the bracket.
    for _ in 0..200 {
        let (value, slope) = at(lambda);
        if value > 0.0 {
            low = lambda;
        } else {
            high = lambda;
        }
        let newton = lambda - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        let done = (next - lambda).abs() <= 1e-14 * (high - low).max(1.0);
        lambda = next;
        if done {
            break;
        }
    }
    let mut p = [0.0; 5];
    for ((p, seen), x) in p.iter_mut().zip(seen).zip(x) {
        *p = seen / (1.0 + lambda * x);
    }
    p
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
        // Lagrange: in the metric of p itself, what is left of the gradient outside the span of both conditions.
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
        }
    }

    #[test]
    fn the_most_likely_distribution_of_an_effect_is_found() {
        for seen in &SEEN {
            for effect in [-0.3, 0.0, 0.02, 0.4] {
                check(seen, &with_effect(seen, effect), &|p| {
                    // The gradient is taken outside the simplex too, where moments want a unit mass.
                    let mass: f64 = p.iter().sum();
                    let (mean, variance) = moments(&p.map(|p| p / mass));
                    (mean - 0.5) / variance.sqrt() - effect
                });
            }
        }
    }
}
