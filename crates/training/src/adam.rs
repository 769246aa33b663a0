//! The optimiser: Adam with decoupled weight decay (Kingma and Ba, "Adam: a method for stochastic optimization", 2014;
//! Loshchilov and Hutter, "Decoupled weight decay regularization", 2017).

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::bytes;

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Weights a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// State for each weight.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Adam {
    /// Running means of the slopes.
    #[serde(with = "bytes")]
    pub means: Vec<f32>,
    /// Running means of their squares.
    #[serde(with = "bytes")]
    pub squares: Vec<f32>,
    pub steps: u32,
}

impl Adam {
    pub fn new(weights: usize) -> Self {
        Self { means: vec![0.0; weights], squares: vec![0.0; weights], steps: 0 }
    }

    /// Moves the weights against the gradient, and by `rate` · `decay` of themselves towards 0.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let step = Step { rate, decay, steps: self.steps as i32 };
        let chunks = weights
            .par_chunks_mut(CHUNK)
            .zip(gradient.par_chunks(CHUNK))
            .zip(self.means.par_chunks_mut(CHUNK))
            .zip(self.squares.par_chunks_mut(CHUNK));
        chunks.for_each(|(((weights, gradient), means), squares)| step.take(weights, gradient, means, squares));
    }

    /// The same for the weights in these spans only: the others, and their state, stay unchanged.
    pub fn step_within(
        &mut self,
        spans: &[Range<usize>],
        weights: &mut [f32],
        gradient: &[f32],
        rate: f32,
        decay: f32,
    ) {
        self.steps += 1;
        let step = Step { rate, decay, steps: self.steps as i32 };
        for span in spans {
            let at = || span.clone();
            step.take(&mut weights[at()], &gradient[at()], &mut self.means[at()], &mut self.squares[at()]);
        }
    }
}

/// Values shared by all weights of a step.
#[derive(Clone, Copy)]
struct Step {
    rate: f32,
    decay: f32,
    steps: i32,
}

impl Step {
    fn take(self, weights: &mut [f32], gradient: &[f32], means: &mut [f32], squares: &mut [f32]) {
        // Both means start at 0; this corrects the bias.
        let mean_share = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_share = 1.0 - SQUARE_DECAY.powi(self.steps);
        for (((weight, slope), mean), square) in weights.iter_mut().zip(gradient).zip(means).zip(squares) {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
            let step = (*mean / mean_share) / ((*square / square_share).sqrt() + EPSILON);
            *weight -= self.rate * (step + self.decay * *weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_bottom_of_a_bowl() {
        let bottom = [3.0, -1.0, 0.5];
        let mut weights = vec![0.0; 3];
        let mut adam = Adam::new(3);
        for _ in 0..2_000 {
            let gradient: Vec<f32> = weights.iter().zip(bottom).map(|(weight, bottom)| weight - bottom).collect();
            adam.step(&mut weights, &gradient, 0.02, 0.0);
        }
        assert!(weights.iter().zip(bottom).all(|(weight, bottom)| (weight - bottom).abs() < 0.01), "{weights:?}");
    }

    #[test]
    fn what_lies_outside_the_spans_stays() {
        let (mut some, mut all) = (vec![1.0; 4], vec![1.0; 4]);
        let gradient = [0.5, 0.5, -0.5, 0.5];
        let (mut adam, mut other) = (Adam::new(4), Adam::new(4));
        for _ in 0..3 {
            adam.step_within(&[2..4, 0..1], &mut some, &gradient, 0.1, 0.01);
            other.step(&mut all, &gradient, 0.1, 0.01);
        }
        assert_eq!((some[0], some[2], some[3]), (all[0], all[2], all[3]));
        assert_eq!((some[1], adam.means[1], adam.squares[1]), (1.0, 0.0, 0.0));
        assert!(all[1] < 1.0);
    }
}
