//! Evolution of a vector of numbers: the separable CMA-ES.
//!
//! "A simple modification in CMA-ES achieving linear time and space complexity", Ros and Hansen, PPSN 2008: the
//! covariance is a diagonal, so that hundreds of parameters learn from few samples and no matrix is decomposed. Only
//! the order of the samples counts, and the mean forgets, so the values may be as noisy as games are.

use agon_game::seed::Stream;
use serde::{Deserialize, Serialize};

/// The distribution that the samples are drawn from, and how it has moved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CmaEs {
    pub generation: u32,
    /// The size of a step.
    pub step: f64,
    /// The middle of the distribution: the answer so far.
    pub mean: Vec<f64>,
    /// The spread of every parameter, for a step of 1.
    pub spread: Vec<f64>,
    /// Evolution path of the step size: the path of the mean in units of the spread.
    pub path: Vec<f64>,
    /// Evolution path of the spread: the path of the mean.
    pub drift: Vec<f64>,
}

impl CmaEs {
    /// Begins around a mean with steps of this size.
    pub fn new(mean: Vec<f64>, step: f64) -> Self {
        let zeros = vec![0.0; mean.len()];
        Self { spread: vec![1.0; mean.len()], path: zeros.clone(), drift: zeros, mean, step, generation: 0 }
    }

    /// Draws the samples of a generation: the same for the same seed and generation, wherever it was resumed.
    pub fn samples(&self, count: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Stream::new(seed.wrapping_add(u64::from(self.generation) << 32), "evolution");
        let mut sample = || {
            let around = self.mean.iter().zip(&self.spread);
            around.map(|(mean, spread)| mean + self.step * spread * normal(&mut random)).collect()
        };
        (0..count).map(|_| sample()).collect()
    }

    /// Updates the distribution from the samples of this generation and their values; higher is better.
    ///
    /// # Panics
    /// If there are fewer than two samples, or the number of values differs.
    pub fn learn(&mut self, samples: &[Vec<f64>], values: &[f64]) {
        assert!(
            samples.len() >= 2 && samples.len() == values.len(),
            "{} samples, {} values",
            samples.len(),
            values.len()
        );
        let n = self.mean.len() as f64;
        let mut order: Vec<usize> = (0..samples.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let parents = samples.len() / 2;
        let raw: Vec<f64> = (0..parents).map(|rank| (parents as f64 + 0.5).ln() - (rank as f64 + 1.0).ln()).collect();
        let sum: f64 = raw.iter().sum();
        let share: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let effective = 1.0 / share.iter().map(|share| share * share).sum::<f64>();

        // The constants are the paper's; the last is CMA-ES's learning rate, increased by the factor that a diagonal
        // permits.
        let fade = (effective + 2.0) / (n + effective + 3.0);
        let damping = 1.0 + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + fade;
        let slow = 4.0 / (n + 4.0);
        let rate = {
            let one = 2.0 / (n + std::f64::consts::SQRT_2).powi(2);
            let many = ((2.0 * effective - 1.0) / ((n + 2.0).powi(2) + effective)).min(1.0);
            ((one / effective + (1.0 - 1.0 / effective) * many) * (n + 2.0) / 3.0).min(1.0)
        };
        let expected = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));

        let before = self.mean.clone();
        let generation = f64::from(self.generation) + 1.0;
        for at in 0..before.len() {
            self.mean[at] = share.iter().zip(&order).map(|(share, &sample)| share * samples[sample][at]).sum();
            let moved = (self.mean[at] - before[at]) / self.step;
            self.path[at] =
                (1.0 - fade) * self.path[at] + (fade * (2.0 - fade) * effective).sqrt() * moved / self.spread[at];
        }
        let length = self.path.iter().map(|x| x * x).sum::<f64>().sqrt();
        let steady = length / (1.0 - (1.0 - fade).powf(2.0 * generation)).sqrt() < (1.4 + 2.0 / (n + 1.0)) * expected;
        for at in 0..before.len() {
            let moved = (self.mean[at] - before[at]) / self.step;
            let push = if steady { (slow * (2.0 - slow) * effective).sqrt() * moved } else { 0.0 };
            self.drift[at] = (1.0 - slow) * self.drift[at] + push;
            let scatter: f64 = share
                .iter()
                .zip(&order)
                .map(|(share, &sample)| share * ((samples[sample][at] - before[at]) / self.step).powi(2))
                .sum();
            let variance = (1.0 - rate) * self.spread[at].powi(2)
                + rate / effective * self.drift[at].powi(2)
                + rate * (1.0 - 1.0 / effective) * scatter;
            self.spread[at] = variance.sqrt();
        }
        self.step *= (fade / damping * (length / expected - 1.0)).exp();
        self.generation += 1;
    }
}

/// A number from the normal distribution, by Box and Muller.
pub fn normal(random: &mut Stream) -> f64 {
    let mut uniform = || ((random.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the distance of the mean from the best point after some generations, in a valley of this shape.
    fn check(value: impl Fn(&[f64]) -> f64, generations: u32, best: &[f64], off: f64) {
        let mut evolution = CmaEs::new(vec![0.0; best.len()], 0.5);
        for _ in 0..generations {
            let samples = evolution.samples(16, 1);
            let values: Vec<f64> = samples.iter().map(|sample| value(sample)).collect();
            evolution.learn(&samples, &values);
        }
        let distance = evolution.mean.iter().zip(best).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        assert!(distance < off, "{distance} away: {evolution:?}");
    }

    #[test]
    fn the_mean_finds_the_top() {
        let best = [1.0, -2.0, 3.0, 0.5];
        check(|x| -x.iter().zip(&best).map(|(a, b)| (a - b).powi(2)).sum::<f64>(), 100, &best, 1e-3);
        let scales = [1.0, 10.0, 100.0, 1000.0];
        let stretched = |x: &[f64]| -(0..4).map(|at| (scales[at] * (x[at] - best[at])).powi(2)).sum::<f64>();
        check(stretched, 200, &best, 1e-3);
    }

    #[test]
    fn a_resumed_evolution_draws_the_same_samples() {
        let mut evolution = CmaEs::new(vec![0.0; 3], 1.0);
        let first = evolution.samples(6, 7);
        evolution.learn(&first, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(evolution.samples(6, 7), evolution.clone().samples(6, 7));
        assert_ne!(evolution.samples(6, 7), first);
    }
}
