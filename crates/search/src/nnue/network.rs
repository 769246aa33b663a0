//! The weights of a network, and its output.

use super::features::List;
use super::simd::{Kernel, LANES, ONE, Vector};

/// The largest output weight, either way: its product with [`ONE`] fits 16 bits, so that [`Kernel::output`] is exact.
pub const WEIGHT_MAX: i16 = 127;

/// The shape of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkShape {
    /// Which features it looks at: [`Features::NAME`](super::Features::NAME).
    pub features: String,
    /// How many of them there are.
    pub count: usize,
    /// Numbers of each half of the hidden layer; a multiple of [`LANES`].
    pub hidden: usize,
    /// How many outputs there are, one for each stage of the game.
    pub stages: usize,
}

/// A network of 16-bit weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: NetworkShape,
    /// A row of `hidden` weights for each feature.
    pub(super) rows: Vec<Vector>,
    /// What the hidden layer is without any feature.
    pub(super) bias: Vec<Vector>,
    /// For each stage the weights of the mover's half, of the other's, and of the mover's again: so both orders lie in
    /// one piece.
    pub(super) outputs: Vec<Vector>,
    /// What stands for 1.0 among them.
    pub(super) weight_one: i32,
    /// For each stage what the output is without any of them, in 1 / ([`ONE`] · `weight_one`).
    pub(super) output_bias: Vec<i32>,
    /// What an output of 1.0 is worth, in hundredths of the game's unit.
    pub(super) scale: i32,
    /// Where it comes from: the command that made it, its data, its loss.
    pub(super) provenance: String,
}

/// The weights of a network in the order in which training has them.
#[derive(Clone, Debug)]
pub struct NetworkWeights {
    /// `count` rows of `hidden` numbers, in 1 / [`ONE`].
    pub rows: Vec<i16>,
    /// `hidden` numbers, in 1 / [`ONE`].
    pub bias: Vec<i16>,
    /// What stands for 1.0 among the output's weights: the smaller they are, the larger it can be, and the finer they are.
    pub weight_one: i32,
    /// For each stage 2 · `hidden` numbers, in 1 / `weight_one`, within ±[`WEIGHT_MAX`].
    pub outputs: Vec<i16>,
    /// For each stage a number in 1 / ([`ONE`] · `weight_one`).
    pub output_bias: Vec<i32>,
    /// What an output of 1.0 is worth, in hundredths of the game's unit.
    pub scale: i32,
}

/// Why weights make no network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ShapeError {
    #[error("a hidden layer of {0} numbers: a multiple of {LANES} from {LANES} to 1024 expected")]
    Hidden(usize),
    #[error("{0} features: 1 to 65536 expected")]
    Features(usize),
    #[error("{0} stages: 1 to 64 expected")]
    Stages(usize),
    #[error("{found} {what} instead of {expected}")]
    Length { what: &'static str, expected: usize, found: usize },
    #[error("an output weight of {0}: within ±{WEIGHT_MAX} expected")]
    Weight(i16),
    #[error("output weights of {0} in all: their sum must stay below 2³¹ / {ONE}²")]
    Sum(i64),
    #[error("an output weight of 1.0 is told as {0}: 1 to 65536 expected")]
    Precision(i32),
    #[error("a scale of {0}: 1 to 100000 expected")]
    Scale(i32),
}

impl NetworkShape {
    /// Checks that such networks can be computed.
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        if !self.hidden.is_multiple_of(LANES) || !(LANES..=1024).contains(&self.hidden) {
            return Err(ShapeError::Hidden(self.hidden));
        }
        if !(1..=1 << 16).contains(&self.count) {
            return Err(ShapeError::Features(self.count));
        }
        if !(1..=64).contains(&self.stages) {
            return Err(ShapeError::Stages(self.stages));
        }
        Ok(())
    }
}

impl Network {
    /// A network of these weights; `provenance` says where they come from.
    ///
    /// # Errors
    /// [`ShapeError`] when there are not as many as the shape wants, or one is out of its range.
    pub fn new(shape: NetworkShape, weights: &NetworkWeights, provenance: String) -> Result<Self, ShapeError> {
        shape.check()?;
        let NetworkShape { count, hidden, stages, .. } = shape;
        let lengths = [
            ("weights of features", weights.rows.len(), count * hidden),
            ("hidden biases", weights.bias.len(), hidden),
            ("output weights", weights.outputs.len(), 2 * hidden * stages),
            ("output biases", weights.output_bias.len(), stages),
        ];
        for (what, found, expected) in lengths {
            if found != expected {
                return Err(ShapeError::Length { what, expected, found });
            }
        }
        if let Some(&weight) = weights.outputs.iter().find(|weight| weight.unsigned_abs() > WEIGHT_MAX.unsigned_abs()) {
            return Err(ShapeError::Weight(weight));
        }
        for stage in weights.outputs.chunks_exact(2 * hidden) {
            let sum: i64 = stage.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
            if sum * i64::from(ONE) * i64::from(ONE) > i64::from(i32::MAX) {
                return Err(ShapeError::Sum(sum));
            }
        }
        if !(1..=1 << 16).contains(&weights.weight_one) {
            return Err(ShapeError::Precision(weights.weight_one));
        }
        if !(1..=100_000).contains(&weights.scale) {
            return Err(ShapeError::Scale(weights.scale));
        }
        Ok(Self {
            shape,
            rows: Vector::pack(&weights.rows),
            bias: Vector::pack(&weights.bias),
            outputs: weights
                .outputs
                .chunks_exact(2 * hidden)
                .flat_map(|stage| [stage, &stage[..hidden]])
                .flat_map(Vector::pack)
                .collect(),
            weight_one: weights.weight_one,
            output_bias: weights.output_bias.clone(),
            scale: weights.scale,
            provenance,
        })
    }

    /// Its shape.
    pub const fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    /// What an output of 1.0 is worth, in hundredths of the game's unit. An output of `x` means a chance of
    /// 1 / (1 + exp(−x)) to win.
    pub const fn scale(&self) -> i32 {
        self.scale
    }

    /// Where it comes from: the command that made it, its data, its loss.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// Its numbers: those that [`Self::new`] makes it of.
    pub fn weights(&self) -> NetworkWeights {
        let numbers = |lines: &[Vector]| -> Vec<i16> { lines.iter().flat_map(|line| line.0).collect() };
        let stages = self.outputs.chunks_exact(3 * self.lines());
        NetworkWeights {
            rows: numbers(&self.rows),
            bias: numbers(&self.bias),
            weight_one: self.weight_one,
            outputs: stages.flat_map(|stage| numbers(&stage[..2 * self.lines()])).collect(),
            output_bias: self.output_bias.clone(),
            scale: self.scale,
        }
    }

    /// The row of each feature, one behind the other: each as long as [`Self::bias`].
    pub fn rows(&self) -> &[Vector] {
        &self.rows
    }

    /// What a half of the hidden layer is without any feature.
    pub fn bias(&self) -> &[Vector] {
        &self.bias
    }

    /// The value for the side to move, in hundredths of the game's unit, of a position with these features in the
    /// mover's view and in the other's: computed afresh, as a reference for what is kept from position to position.
    ///
    /// # Panics
    /// When a feature is none of this network's.
    pub fn value_of_features(&self, kernel: Kernel, views: &[List; 2], stage: usize) -> i32 {
        let mut hidden = vec![Vector::ZERO; 2 * self.lines()];
        for (half, view) in hidden.chunks_exact_mut(self.lines()).zip(views) {
            kernel.add(half, &self.bias, &self.rows, view.as_slice(), &[]);
        }
        self.output(kernel, &hidden, 0, stage)
    }

    /// Lines of half the hidden layer.
    #[inline]
    pub(super) const fn lines(&self) -> usize {
        self.bias.len()
    }

    /// The value for the side to move, in hundredths of the game's unit, of a hidden layer before the `SCReLU`, in which
    /// the mover's half is the first (0) or the second (1).
    ///
    /// # Panics
    /// When the hidden layer does not have two halves of the bias's length, or there is no such half.
    #[inline]
    pub fn output(&self, kernel: Kernel, hidden: &[Vector], mover: usize, stage: usize) -> i32 {
        let stage = stage.min(self.output_bias.len() - 1);
        let lines = self.lines();
        let weights = &self.outputs[stage * 3 * lines + mover * lines..][..2 * lines];
        let sum = i64::from(kernel.output(hidden, weights));
        // The square has brought a second factor of ONE into the sum.
        let output = sum / i64::from(ONE) + i64::from(self.output_bias[stage]);
        (output * i64::from(self.scale) / (i64::from(ONE) * i64::from(self.weight_one))) as i32
    }
}
