//! A small network that corrects the scores of a policy's actions.
//!
//! Two hidden layers in integer arithmetic, so that the answer is the same on every machine. The first layer is a sum
//! of one row for each input that is 1, so it needs only additions.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::input::{CellInputs, INPUTS, OUTPUTS, REST};

/// Neurons of the first hidden layer.
const FIRST: usize = 64;

/// Neurons of the second.
const SECOND: usize = 32;

/// Steps of the first layer's weights and of a neuron's output are 1 / `UNIT`.
const UNIT: i32 = 128;

/// Other weights are in steps of 1 / `FINE`.
const FINE: i32 = 256;

/// The most that a neuron puts out.
const CEILING: f32 = 8.0;

/// The largest weight of the first layer: so that no sum of as many as there are inputs at once leaves 16 bits.
const MAX_FIRST_WEIGHT: f32 = 2.0;

/// The largest weight of the other layers, also in 32 bits.
const MAX_LATER_WEIGHT: f32 = 16.0;

const _: () = assert!(CellInputs::MAX_INPUTS as i32 * MAX_FIRST_WEIGHT as i32 * UNIT <= i16::MAX as i32);
const _: () = assert!(
    (FIRST as i64 + 1) * (CEILING as i64) * (MAX_LATER_WEIGHT as i64) * ((UNIT * FINE) as i64) <= i32::MAX as i64
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellNetwork {
    first: Vec<[i16; FIRST]>,
    second: Box<[[i16; SECOND]; FIRST + 1]>,
    third: Box<[[i16; OUTPUTS]; SECOND + 1]>,
}

/// Number of weights of a network.
const WEIGHTS: usize = INPUTS * FIRST + (FIRST + 1) * SECOND + (SECOND + 1) * OUTPUTS;

impl CellNetwork {
    pub const INPUTS: usize = INPUTS;
    pub const FIRST: usize = FIRST;
    pub const SECOND: usize = SECOND;
    /// Outputs: one for each row of a policy, and a rest.
    pub const OUTPUTS: usize = OUTPUTS;
    pub const REST: usize = REST;
    pub const CEILING: f32 = CEILING;
    /// The largest weight of the first layer, and of the others.
    pub const MAX_WEIGHTS: [f32; 2] = [MAX_FIRST_WEIGHT, MAX_LATER_WEIGHT];

    /// Rounds weights in their order: first those of the first layer, input by input, then those of the others, ordered
    /// by the neuron that they come from, with the biases last. `None` if their number is wrong.
    pub fn rounded(weights: &[f32]) -> Option<Self> {
        let whole = |weight: f32, unit: i32, most: f32| (weight.clamp(-most, most) * unit as f32).round() as i16;
        let (first, others) = weights.split_at_checked(INPUTS * FIRST)?;
        let first = first.iter().map(|&weight| whole(weight, UNIT, MAX_FIRST_WEIGHT));
        let others = others.iter().map(|&weight| whole(weight, FINE, MAX_LATER_WEIGHT));
        Self::of(&first.chain(others).collect::<Vec<i16>>())
    }

    fn of(weights: &[i16]) -> Option<Self> {
        if weights.len() != WEIGHTS {
            return None;
        }
        let (first, others) = weights.split_at(INPUTS * FIRST);
        let (second, third) = others.split_at((FIRST + 1) * SECOND);
        Some(Self {
            first: first.as_chunks().0.to_vec(),
            second: Box::new(second.as_chunks().0.try_into().ok()?),
            third: Box::new(third.as_chunks().0.try_into().ok()?),
        })
    }

    /// The weights in their order, as they count.
    pub fn weights(&self) -> Vec<f32> {
        let first = self.first.as_flattened().iter().map(|&weight| f32::from(weight) / UNIT as f32);
        let others = self.second.as_flattened().iter().chain(self.third.as_flattened());
        first.chain(others.map(|&weight| f32::from(weight) / FINE as f32)).collect()
    }

    /// Returns the corrections to the actions in the direction it looks along, by kind.
    pub fn outputs(&self, inputs: &[u16]) -> [f32; OUTPUTS] {
        let mut sums = [0_i16; FIRST];
        for &input in inputs {
            for (sum, weight) in sums.iter_mut().zip(&self.first[usize::from(input)]) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        let second = layer(&sums.map(i32::from), &*self.second);
        let third = layer(&second.map(|sum| sum / FINE), &*self.third);
        third.map(|sum| sum as f32 / (UNIT * FINE) as f32)
    }

    /// Reads a network: the weights as 16-bit numbers, low byte first, in base 64.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text: String = text.split_whitespace().collect();
        let bytes = STANDARD.decode(text).ok()?;
        let (pairs, rest) = bytes.as_chunks();
        let weights: Vec<i16> = pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        if rest.is_empty() { Self::of(&weights) } else { None }
    }
}

/// Formats it as it is read, on lines of 120 characters.
impl std::fmt::Display for CellNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let weights =
            self.first.as_flattened().iter().chain(self.second.as_flattened()).chain(self.third.as_flattened());
        let text = STANDARD.encode(weights.flat_map(|weight| weight.to_le_bytes()).collect::<Vec<u8>>());
        text.as_bytes().chunks(120).try_for_each(|line| writeln!(f, "{}", String::from_utf8_lossy(line)))
    }
}

/// Computes the sums of a layer from those of the previous one: a neuron's output is clamped to 0…[`CEILING`].
fn layer<const OUT: usize>(sums: &[i32], weights: &[[i16; OUT]]) -> [i32; OUT] {
    let mut out = [0_i32; OUT];
    let most = CEILING as i32 * UNIT;
    // The bias is the weight of a neuron that always puts out 1.
    for (&sum, weights) in sums.iter().chain(&[UNIT]).zip(weights) {
        let active = sum.clamp(0, most);
        if active != 0 {
            for (out, &weight) in out.iter_mut().zip(weights) {
                // The limits of weights rule out an overflow. Checked sums would not become vector instructions.
                *out = out.wrapping_add(active.wrapping_mul(i32::from(weight)));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_game::seed::Stream;

    fn random_weights(seed: u64) -> Vec<f32> {
        let mut random = Stream::new(seed, "network");
        (0..WEIGHTS).map(|_| random.below(2001) as f32 / 2000.0 - 0.5).collect()
    }

    /// The same in floating point.
    fn reference(weights: &[f32], inputs: &[u16]) -> Vec<f32> {
        let (first, others) = weights.split_at(INPUTS * FIRST);
        let (second, third) = others.split_at((FIRST + 1) * SECOND);
        let sums: Vec<f32> =
            (0..FIRST).map(|at| inputs.iter().map(|&input| first[usize::from(input) * FIRST + at]).sum()).collect();
        let layer = |sums: &[f32], weights: &[f32], out: usize| -> Vec<f32> {
            let active = sums.iter().map(|sum| sum.clamp(0.0, CEILING)).chain([1.0]);
            let active: Vec<f32> = active.collect();
            (0..out)
                .map(|to| active.iter().enumerate().map(|(at, value)| value * weights[at * out + to]).sum())
                .collect()
        };
        layer(&layer(&sums, second, SECOND), third, OUTPUTS)
    }

    #[test]
    fn whole_numbers_come_to_the_same() {
        let weights = random_weights(1);
        let network = CellNetwork::rounded(&weights).expect("as many weights as wanted");
        let mut random = Stream::new(1, "inputs");
        for _ in 0..20 {
            let inputs: Vec<u16> = (0..40).map(|_| random.below(INPUTS) as u16).collect();
            let outputs = network.outputs(&inputs);
            let rounded = reference(&network.weights(), &inputs);
            let exact = reference(&weights, &inputs);
            assert!(exact.iter().any(|value| value.abs() > 1.0), "{exact:?}");
            for ((output, rounded), exact) in outputs.iter().zip(rounded).zip(exact) {
                // The rounding error is less than a step of every neuron in the second layer.
                assert!((output - rounded).abs() < 0.1, "{output} {rounded}");
                assert!((output - exact).abs() < 0.5, "{output} {exact}");
            }
        }
    }

    #[test]
    fn a_network_is_read_as_it_is_written() {
        let network = CellNetwork::rounded(&random_weights(2)).expect("as many weights as wanted");
        let text = network.to_string();
        assert_eq!(CellNetwork::read(&text), Some(network.clone()));
        assert_eq!(CellNetwork::rounded(&network.weights()), Some(network));
        for wrong in ["", "AAA=", "no base 64", &text[4..]] {
            assert_eq!(CellNetwork::read(wrong), None, "{wrong:.20}");
        }
        assert_eq!(CellNetwork::rounded(&[0.0; 5]), None);
    }

    #[test]
    fn the_largest_weights_overflow_nothing() {
        let inputs: Vec<u16> = (0..CellInputs::MAX_INPUTS as u16).collect();
        let outputs = CellNetwork::rounded(&vec![100.0; WEIGHTS]).expect("as many as wanted").outputs(&inputs);
        let most = MAX_LATER_WEIGHT * (CEILING * SECOND as f32 + 1.0);
        assert!(outputs.iter().all(|output| (output - most).abs() < 1.0), "{outputs:?} {most}");
    }
}
