//! The network in floating point, with its slopes.

use agon_engines::petri::CellNetwork;
use agon_game::seed::Stream;
use serde::{Deserialize, Serialize};

use crate::bytes;
use crate::cma_es::normal;

const FIRST: usize = CellNetwork::FIRST;
const SECOND: usize = CellNetwork::SECOND;
const CEILING: f32 = CellNetwork::CEILING;

/// Two hidden layers over inputs that are 0 or 1. The weights are in the order of
/// [`CellNetwork`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SparseNet<const OUT: usize> {
    inputs: usize,
    #[serde(with = "bytes")]
    pub weights: Vec<f32>,
}

/// Outputs of the hidden layers.
#[derive(Clone, Copy, Debug)]
pub struct Hidden {
    first: [f32; FIRST],
    second: [f32; SECOND],
}

/// The parts of the weights, or of the slopes.
struct Layers<'a, const OUT: usize> {
    first: &'a [[f32; FIRST]],
    second: &'a [[f32; SECOND]],
    third: &'a [[f32; OUT]],
}

impl<const OUT: usize> SparseNet<OUT> {
    /// Returns the number of weights for `inputs` inputs.
    pub const fn size(inputs: usize) -> usize {
        inputs * FIRST + (FIRST + 1) * SECOND + (SECOND + 1) * OUT
    }

    /// Creates a network whose output is always 0: its last layer is 0, the others are random.
    pub fn new(inputs: usize, random: &mut Stream) -> Self {
        let mut weights = vec![0.0; Self::size(inputs)];
        let (first, others) = weights.split_at_mut(inputs * FIRST);
        // About 50 inputs are 1.
        let spread = (2.0 / FIRST as f32).sqrt();
        for (weights, spread) in [(first, 0.14), (&mut others[..FIRST * SECOND], spread)] {
            weights.fill_with(|| spread * normal(random) as f32);
        }
        Self { inputs, weights }
    }

    fn layers(&self) -> Layers<'_, OUT> {
        let (first, others) = self.weights.split_at(self.inputs * FIRST);
        let (second, third) = others.split_at((FIRST + 1) * SECOND);
        Layers { first: first.as_chunks().0, second: second.as_chunks().0, third: third.as_chunks().0 }
    }

    /// Returns its output for these inputs, and the hidden layers.
    pub fn forward(&self, inputs: &[u16]) -> (Hidden, [f32; OUT]) {
        let layers = self.layers();
        let mut first = [0.0; FIRST];
        for &input in inputs {
            for (sum, weight) in first.iter_mut().zip(&layers.first[usize::from(input)]) {
                *sum += weight;
            }
        }
        let first = first.map(|sum: f32| sum.clamp(0.0, CEILING));
        let second = layer(&first, layers.second).map(|sum| sum.clamp(0.0, CEILING));
        (Hidden { first, second }, layer(&second, layers.third))
    }

    /// Backpropagates the gradient of the output to the gradients of all weights.
    pub fn backward(&self, inputs: &[u16], hidden: &Hidden, out: &[f32; OUT], slopes: &mut [f32]) {
        let layers = self.layers();
        let (first_slopes, others) = slopes.split_at_mut(self.inputs * FIRST);
        let (second_slopes, third_slopes) = others.split_at_mut((FIRST + 1) * SECOND);
        let second = back(&hidden.second, layers.third, out, third_slopes.as_chunks_mut().0);
        let first = back(&hidden.first, layers.second, &second, second_slopes.as_chunks_mut().0);
        let rows = first_slopes.as_chunks_mut().0;
        for &input in inputs {
            let row: &mut [f32; FIRST] = &mut rows[usize::from(input)];
            for (slope, by) in row.iter_mut().zip(&first) {
                *slope += by;
            }
        }
    }

    /// Clamps the weights to what the integer network can represent.
    pub fn clip(&mut self) {
        let (first, others) = self.weights.split_at_mut(self.inputs * FIRST);
        for (weights, most) in [first, others].into_iter().zip(CellNetwork::MAX_WEIGHTS) {
            for weight in weights {
                *weight = weight.clamp(-most, most);
            }
        }
    }
}

/// The sums of a layer; the last row has its biases.
fn layer<const IN: usize, const OUT: usize>(from: &[f32; IN], weights: &[[f32; OUT]]) -> [f32; OUT] {
    let mut out = weights[IN];
    for (&value, weights) in from.iter().zip(weights) {
        if value > 0.0 {
            for (out, &weight) in out.iter_mut().zip(weights) {
                *out = value.mul_add(weight, *out);
            }
        }
    }
    out
}

/// Computes the gradients of a layer's inputs and weights from those of its sums.
fn back<const IN: usize, const OUT: usize>(
    from: &[f32; IN],
    weights: &[[f32; OUT]],
    out: &[f32; OUT],
    slopes: &mut [[f32; OUT]],
) -> [f32; IN] {
    let mut inner = [0.0; IN];
    for (((&value, weights), slopes), inner) in from.iter().zip(weights).zip(slopes.iter_mut()).zip(&mut inner) {
        if value > 0.0 {
            for (slope, by) in slopes.iter_mut().zip(out) {
                *slope = value.mul_add(*by, *slope);
            }
            if value < CEILING {
                *inner = dot(weights, out);
            }
        }
    }
    for (slope, by) in slopes[IN].iter_mut().zip(out) {
        *slope += by;
    }
    inner
}

/// Eight parallel sums, for SIMD.
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0_f32; 8];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = a.mul_add(*b, *sum);
        }
    }
    a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>() + sums.iter().sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with finite differences of single weights.
    #[test]
    fn slopes_are_those_of_finite_differences() {
        const IN: usize = 40;
        let mut random = Stream::new(1, "net");
        let mut net = SparseNet::<5>::new(IN, &mut random);
        for weight in &mut net.weights {
            *weight += 0.1 * normal(&mut random) as f32;
        }
        let inputs = [0_u16, 3, 7, 21, 39];
        let loss = |net: &SparseNet<5>| {
            let (_, out) = net.forward(&inputs);
            out.iter().enumerate().map(|(at, value)| f64::from(*value) * (at as f64 - 1.5)).sum::<f64>()
        };
        let (hidden, _) = net.forward(&inputs);
        let mut slopes = vec![0.0; net.weights.len()];
        net.backward(&inputs, &hidden, &[-1.5, -0.5, 0.5, 1.5, 2.5], &mut slopes);
        let mut steep = 0;
        for at in (0..net.weights.len()).step_by(7) {
            let shifted = |by: f32| {
                let mut moved = net.clone();
                moved.weights[at] += by;
                loss(&moved)
            };
            let numeric = (shifted(0.004) - shifted(-0.004)) / 0.008;
            steep += u32::from(numeric.abs() > 0.05);
            assert!((numeric - f64::from(slopes[at])).abs() < 0.02, "weight {at}: {numeric} or {}", slopes[at]);
        }
        assert!(steep > 50, "{steep} weights matter");
    }
}
