//! The weights of a network, and its output.

use super::features::{List, PointRows, SYMMETRIES};
use super::simd::{Kernel, LANES, NARROW_ONE, NarrowVector, ONE, Vector};

/// The largest output weight, either way: its product with [`ONE`] fits 16 bits, so that [`Kernel::output`] is exact.
pub const WEIGHT_MAX: i16 = 127;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkShape {
    /// Name of its features: [`Features::NAME`](super::Features::NAME).
    pub features: String,
    /// Number of features.
    pub count: usize,
    /// Numbers of each half of the hidden layer; a multiple of [`LANES`] and `images`.
    pub hidden: usize,
    /// Number of images of a board under its symmetries that it sees, each in a part of the hidden layer: 1, the board
    /// itself, or all [`SYMMETRIES`].
    pub images: usize,
    /// Number of outputs, one for each stage of the game.
    pub stages: usize,
    /// Number of features of points, which are pooled: [`Features::POINTS`](super::Features::POINTS), or 0 if it sees
    /// none.
    pub points: usize,
    /// True if the rows of its features have 8 bits, within ±[`NARROW_ONE`], instead of 16, which halves the memory
    /// traffic; a network that sees points cannot have them.
    pub narrow: bool,
}

/// Weights for single points: [`PointRows`] as rows of [`LANES`] numbers. A point's rows and the bias, summed and
/// clamped to 0…1, describe the features that meet on it; the sum over all points, the *pool*, enters both halves of
/// the hidden layer with separate weights for each stage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PoolWeights {
    /// A row of [`LANES`] numbers for each feature of points, in 1 / [`ONE`].
    pub rows: Vec<i16>,
    /// [`LANES`] numbers that every point has, in 1 / [`ONE`].
    pub bias: Vec<i16>,
    /// For each stage and number of the pool 2 · `hidden` weights, in 1 / [`POOL_ONE`], within ±[`POOL_MAX`].
    pub dense: Vec<i16>,
    /// For each stage 2 · `hidden` numbers, in 1 / [`ONE`].
    pub dense_bias: Vec<i16>,
}

/// Representation of 1.0 among the weights of a pool. The pool itself is divided by [`POOL_SHARE`].
pub const POOL_ONE: i16 = 1 << 10;

/// Divisor of the pool, which brings it to the magnitude of other numbers.
pub const POOL_SHARE: i16 = 1 << 5;

/// The largest weight of a pool, either way: with it the sums of 225 points stay below 2³¹.
pub const POOL_MAX: i16 = POOL_ONE;

/// The shift that undoes both.
const POOL_SHIFT: u32 = (POOL_ONE as u32 * POOL_SHARE as u32).ilog2();

/// A network of 16-bit weights, the rows of its features in 8 bits if its shape says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    shape: NetworkShape,
    /// A row for each feature, as long as a part of the hidden layer.
    rows: Rows,
    /// Bias of each part of the hidden layer.
    pub(super) bias: Vec<Vector>,
    /// For each stage, the weights of the mover's half, of the opponent's, and of the mover's again, so that both
    /// orders are contiguous.
    pub(super) outputs: Vec<Vector>,
    /// Representation of 1.0 among them.
    pub(super) weight_one: i32,
    /// For each stage, the bias of the output, in 1 / ([`ONE`] · `weight_one`).
    pub(super) output_bias: Vec<i32>,
    /// Weights for points.
    pool: Pool,
    /// Value of an output of 1.0, in hundredths of the game's unit.
    pub(super) scale: i32,
    /// Provenance: the command that trained it, its data, its loss.
    pub(super) provenance: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Rows {
    Wide(Vec<Vector>),
    Narrow(Vec<NarrowVector>),
}

/// The weights of a network in the order used by training, for one part of the hidden layer if it has several.
#[derive(Clone, Debug)]
pub struct NetworkWeights {
    /// `count` rows of `part` numbers ([`NetworkShape::part`]), in 1 / [`ONE`].
    pub rows: Vec<i16>,
    /// `part` numbers, in 1 / [`ONE`].
    pub bias: Vec<i16>,
    /// Representation of 1.0 among the output's weights: the smaller they are, the larger and finer it can be.
    pub weight_one: i32,
    /// For each stage 2 · `part` numbers, in 1 / `weight_one`, within ±[`WEIGHT_MAX`].
    pub outputs: Vec<i16>,
    /// For each stage a number in 1 / ([`ONE`] · `weight_one`).
    pub output_bias: Vec<i32>,
    /// Weights for points; empty if it sees none.
    pub pool: PoolWeights,
    /// Value of an output of 1.0, in hundredths of the game's unit.
    pub scale: i32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Pool {
    rows: Vec<Vector>,
    bias: Vector,
    dense: Vec<Vector>,
    dense_bias: Vec<Vector>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    #[error("a hidden layer of {0} numbers: a multiple of {LANES} from {LANES} to 1024 expected")]
    Hidden(usize),
    #[error(
        "{0} images of a board: 1 or, with rows of 8 bits and without points, {SYMMETRIES} expected, \
         each with a multiple of {LANES} hidden numbers"
    )]
    Images(usize),
    #[error("{0} features: 1 to 1048576 expected")]
    Features(usize),
    #[error("{0} features of points: at most 65536 expected")]
    Points(usize),
    #[error("a weight of the pool of {0}: within ±{POOL_MAX} expected")]
    PoolWeight(i16),
    #[error("{0} stages: 1 to 64 expected")]
    Stages(usize),
    #[error("{found} {what} instead of {expected}")]
    Length { what: &'static str, expected: usize, found: usize },
    #[error("a weight of {0} in a row of 8 bits: within ±{NARROW_ONE} expected")]
    RowWeight(i16),
    #[error("an output weight of {0}: within ±{WEIGHT_MAX} expected")]
    Weight(i16),
    #[error("output weights of {0} in all: their sum must stay below 2³¹ / {ONE}²")]
    Sum(i64),
    #[error("an output weight of 1.0 is stored as {0}: 1 to 65536 expected")]
    Precision(i32),
    #[error("a scale of {0}: 1 to 100000 expected")]
    Scale(i32),
}

impl NetworkShape {
    /// Returns the representation of 1.0 in the rows and in the hidden layer.
    pub const fn one(&self) -> i16 {
        if self.narrow { NARROW_ONE } else { ONE }
    }

    /// Returns the length of each part of half the hidden layer.
    pub const fn part(&self) -> usize {
        self.hidden / self.images
    }

    /// Checks that such networks can be computed.
    pub(super) fn check(&self) -> Result<(), ShapeError> {
        if !self.hidden.is_multiple_of(LANES) || !(LANES..=1024).contains(&self.hidden) {
            return Err(ShapeError::Hidden(self.hidden));
        }
        let parts = [1, SYMMETRIES].contains(&self.images) && self.hidden.is_multiple_of(self.images * LANES);
        if !parts || (self.images > 1 && (self.points > 0 || !self.narrow)) {
            return Err(ShapeError::Images(self.images));
        }
        if !(1..=1 << 20).contains(&self.count) {
            return Err(ShapeError::Features(self.count));
        }
        if self.points > 1 << 16 || (self.narrow && self.points > 0) {
            return Err(ShapeError::Points(self.points));
        }
        if !(1..=64).contains(&self.stages) {
            return Err(ShapeError::Stages(self.stages));
        }
        Ok(())
    }
}

impl Network {
    /// A network with these weights; `provenance` is their origin.
    ///
    /// # Errors
    /// [`ShapeError`] when there are not as many as the shape wants, or one is out of its range.
    pub fn new(shape: NetworkShape, weights: &NetworkWeights, provenance: String) -> Result<Self, ShapeError> {
        shape.check()?;
        let NetworkShape { count, hidden, images, stages, points, .. } = shape;
        let part = shape.part();
        let (pool, pools) = (&weights.pool, usize::from(points > 0));
        let lengths = [
            ("weights of features", weights.rows.len(), count * part),
            ("hidden biases", weights.bias.len(), part),
            ("output weights", weights.outputs.len(), 2 * part * stages),
            ("output biases", weights.output_bias.len(), stages),
            ("weights of points", pool.rows.len(), points * LANES),
            ("biases of points", pool.bias.len(), pools * LANES),
            ("weights of the pool", pool.dense.len(), pools * LANES * 2 * hidden * stages),
            ("biases of the pool", pool.dense_bias.len(), pools * 2 * hidden * stages),
        ];
        for (what, found, expected) in lengths {
            if found != expected {
                return Err(ShapeError::Length { what, expected, found });
            }
        }
        if let Some(&weight) = weights.outputs.iter().find(|weight| weight.unsigned_abs() > WEIGHT_MAX.unsigned_abs()) {
            return Err(ShapeError::Weight(weight));
        }
        if let Some(&weight) = pool.dense.iter().find(|weight| weight.unsigned_abs() > POOL_MAX.unsigned_abs()) {
            return Err(ShapeError::PoolWeight(weight));
        }
        for stage in weights.outputs.chunks_exact(2 * part) {
            let sum: i64 = stage.iter().map(|weight| i64::from(weight.unsigned_abs())).sum::<i64>() * images as i64;
            if sum * i64::from(shape.one()).pow(2) > i64::from(i32::MAX) {
                return Err(ShapeError::Sum(sum));
            }
        }
        if !(1..=1 << 16).contains(&weights.weight_one) {
            return Err(ShapeError::Precision(weights.weight_one));
        }
        if !(1..=100_000).contains(&weights.scale) {
            return Err(ShapeError::Scale(weights.scale));
        }
        let too_large = |weight: &&i16| weight.unsigned_abs() > NARROW_ONE.unsigned_abs();
        if shape.narrow
            && let Some(&weight) = weights.rows.iter().find(too_large)
        {
            return Err(ShapeError::RowWeight(weight));
        }
        let narrow = if shape.narrow { NarrowVector::pack(&weights.rows) } else { None };
        Ok(Self {
            shape,
            rows: narrow.map_or_else(|| Rows::Wide(Vector::pack(&weights.rows)), Rows::Narrow),
            bias: Vector::pack(&weights.bias),
            outputs: weights
                .outputs
                .chunks_exact(2 * part)
                .flat_map(|stage| [&stage[..part], &stage[part..], &stage[..part]])
                .flat_map(|half| Vector::pack(&half.repeat(images)))
                .collect(),
            weight_one: weights.weight_one,
            output_bias: weights.output_bias.clone(),
            pool: Pool {
                rows: Vector::pack(&pool.rows),
                bias: Vector::pack(&pool.bias).first().copied().unwrap_or(Vector::ZERO),
                dense: Vector::pack(&pool.dense),
                dense_bias: Vector::pack(&pool.dense_bias),
            },
            scale: weights.scale,
            provenance,
        })
    }

    pub const fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    /// Returns the value of an output of 1.0, in hundredths of the game's unit. An output of `x` means a winning
    /// probability of 1 / (1 + exp(−x)).
    pub const fn scale(&self) -> i32 {
        self.scale
    }

    /// Returns the provenance: the command that trained it, its data, its loss.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// Returns its numbers, as accepted by [`Self::new`].
    pub fn weights(&self) -> NetworkWeights {
        let numbers = |lines: &[Vector]| -> Vec<i16> { lines.iter().flat_map(|line| line.0).collect() };
        let (lines, part) = (self.lines(), self.bias.len());
        let halves = self.outputs.chunks_exact(3 * lines).flat_map(|stage| stage[..2 * lines].chunks_exact(lines));
        let pool = PoolWeights {
            rows: numbers(&self.pool.rows),
            bias: if self.sees_points() { self.pool.bias.0.to_vec() } else { Vec::new() },
            dense: numbers(&self.pool.dense),
            dense_bias: numbers(&self.pool.dense_bias),
        };
        NetworkWeights {
            rows: match &self.rows {
                Rows::Wide(rows) => numbers(rows),
                Rows::Narrow(rows) => rows.iter().flat_map(|line| line.0).map(i16::from).collect(),
            },
            bias: numbers(&self.bias),
            weight_one: self.weight_one,
            outputs: halves.flat_map(|half| numbers(&half[..part])).collect(),
            output_bias: self.output_bias.clone(),
            pool,
            scale: self.scale,
        }
    }

    /// The row of each feature, one after another, each as long as [`Self::bias`]; empty if they have 8 bits.
    pub fn rows(&self) -> &[Vector] {
        match &self.rows {
            Rows::Wide(rows) => rows,
            Rows::Narrow(_) => &[],
        }
    }

    /// A part of the hidden layer by another: see [`Kernel::add`].
    ///
    /// # Panics
    /// If the lengths differ, or a feature does not exist.
    #[inline]
    pub fn add(&self, kernel: Kernel, sum: &mut [Vector], base: &[Vector], gained: &[u32], lost: &[u32]) {
        match &self.rows {
            Rows::Wide(rows) => kernel.add(sum, base, rows, gained, lost),
            Rows::Narrow(rows) => kernel.add_narrow(sum, base, rows, gained, lost),
        }
    }

    /// Returns the bias of each part of half the hidden layer.
    pub fn bias(&self) -> &[Vector] {
        &self.bias
    }

    #[inline]
    pub const fn sees_points(&self) -> bool {
        self.shape.points > 0
    }

    /// Follows changes of points: see [`Kernel::pool`].
    ///
    /// # Panics
    /// If a point or a feature does not exist.
    #[inline]
    pub fn pool(&self, kernel: Kernel, pool: &mut Vector, kept: &mut [Vector], changes: &[(u8, Option<PointRows>)]) {
        kernel.pool(pool, kept, &self.pool.bias, &self.pool.rows, changes);
    }

    /// Computes both halves of the hidden layer of a stage into `hidden`, from `base`, the sum of the views.
    ///
    /// # Panics
    /// If they are not two halves of the bias's length, or the network sees no points.
    #[inline]
    pub fn add_pool(&self, kernel: Kernel, hidden: &mut [Vector], base: &[Vector], pool: &Vector, stage: usize) {
        let lines = 2 * self.lines();
        let stage = stage.min(self.output_bias.len() - 1);
        let weights = &self.pool.dense[stage * LANES * lines..][..LANES * lines];
        kernel.dense(hidden, base, pool, weights, POOL_SHIFT);
        let bias = &self.pool.dense_bias[stage * lines..][..lines];
        for (number, bias) in hidden.iter_mut().zip(bias).flat_map(|(line, bias)| line.0.iter_mut().zip(bias.0)) {
            *number = number.wrapping_add(bias);
        }
    }

    /// Returns the value for the side to move, in hundredths of the game's unit, of a position with these features in
    /// the mover's and the opponent's view, and these points. It is computed from scratch, as a reference for searches.
    /// A symmetric network needs the features of all images of the board, other networks only those of the first.
    ///
    /// # Panics
    /// If a feature does not belong to this network, or an image is missing.
    pub fn value_of_features(&self, kernel: Kernel, images: &[[List; 2]], points: &[PointRows], stage: usize) -> i32 {
        let images = &images[..self.shape.images];
        let mut hidden = vec![Vector::ZERO; 2 * self.lines()];
        for (view, half) in hidden.chunks_exact_mut(self.lines()).enumerate() {
            for (part, image) in half.chunks_exact_mut(self.bias.len()).zip(images) {
                self.add(kernel, part, &self.bias, image[view].as_slice(), &[]);
            }
        }
        if self.sees_points() {
            let (mut pool, base) = (Vector::ZERO, hidden.clone());
            for &point in points {
                self.pool(kernel, &mut pool, &mut [Vector::ZERO], &[(0, Some(point))]);
            }
            self.add_pool(kernel, &mut hidden, &base, &pool, stage);
        }
        self.output(kernel, &hidden, 0, stage)
    }

    /// Lines of half the hidden layer.
    #[inline]
    pub(super) const fn lines(&self) -> usize {
        self.bias.len() * self.shape.images
    }

    /// Returns the value for the side to move, in hundredths of the game's unit, of a hidden layer before the `SCReLU`,
    /// in which the mover's half is the first (0) or the second (1).
    ///
    /// # Panics
    /// If the hidden layer does not have two halves of the bias's length, or the half does not exist.
    #[inline]
    pub fn output(&self, kernel: Kernel, hidden: &[Vector], mover: usize, stage: usize) -> i32 {
        let stage = stage.min(self.output_bias.len() - 1);
        let lines = self.lines();
        let weights = &self.outputs[stage * 3 * lines + mover * lines..][..2 * lines];
        let one = self.shape.one();
        let sum = i64::from(kernel.output(hidden, weights, one));
        // The square has brought a second factor of one into the sum.
        let output = sum / i64::from(one) + i64::from(self.output_bias[stage]);
        (output * i64::from(self.scale) / (i64::from(one) * i64::from(self.weight_one))) as i32
    }
}
