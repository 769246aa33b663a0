//! A network in floating point, as it is trained.

use std::ops::Range;

use agon_game::seed::Stream;
use agon_search::nnue::network::{
    NetworkShape, NetworkWeights, POOL_ONE, POOL_SHARE, PoolWeights, ShapeError, WEIGHT_MAX,
};
use agon_search::nnue::simd::{LANES, ONE, prefetch};
use agon_search::nnue::{List, Network, PointRows};

/// A network in floating point. The weights are a single list, as an optimiser expects.
///
/// The order is that of a net file: rows of the features, hidden biases, output weights, output biases; then, where
/// points are seen, their rows and bias, the weights of the pool, its biases.
#[derive(Clone, Debug)]
pub struct Model {
    shape: NetworkShape,
    pub weights: Vec<f32>,
}

/// A training position: the features seen by the side to move and by the other, and the target.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The mover's features, then the other's.
    pub views: [List; 2],
    /// The points that have features.
    pub points: Vec<PointRows>,
    pub stage: usize,
    /// The mover's expected points, from 0 to 1.
    pub target: f32,
}

/// Intermediate values of the forward pass, for the backward pass.
#[derive(Clone, Debug)]
pub struct Activity {
    /// Both halves of the hidden layer before the `SCReLU`.
    hidden: Vec<f32>,
    /// Gradient of the loss by each of them.
    slopes: Vec<f32>,
    /// Each point before it is clamped.
    points: Vec<[f32; LANES]>,
    /// The pool, divided by [`POOL_SHARE`].
    pool: [f32; LANES],
}

impl Activity {
    pub fn new(shape: &NetworkShape) -> Self {
        Self {
            hidden: vec![0.0; 2 * shape.hidden],
            slopes: vec![0.0; 2 * shape.hidden],
            points: Vec::new(),
            pool: [0.0; LANES],
        }
    }
}

/// Numbers of a line of the cache.
pub const LINE: usize = 16;

/// Number of hidden-layer values summed together; half of the layer is a multiple of it.
const BLOCK: usize = 8;

/// Maximum weight of rows of 16 bits, limited by what these and their sums can represent.
const MAX_ROW_WEIGHT: f32 = 1.98;

/// Maximum weight of rows of 8 bits.
const MAX_NARROW_ROW_WEIGHT: f32 = 1.0;

/// Maximum weight of a pool, limited by what [`POOL_ONE`] and the sums can represent.
const MAX_POOL_WEIGHT: f32 = 0.99;

/// Maximum output weight: eight bits in steps of 1/256. A single larger weight would force coarser steps for all of
/// them, and a mean difference of a tenth of a cell between the trained and the playing network.
const MAX_OUTPUT_WEIGHT: f32 = 0.495;

impl Model {
    /// Creates an initial network with random numbers from the seed. `drawn` features have rows of their own; those of
    /// the others are 0. A view has `active` features, and the contributions of `images` images of a board are added
    /// up.
    ///
    /// # Panics
    /// Never for a shape of a game's features.
    pub fn new(shape: NetworkShape, drawn: usize, active: usize, images: usize, seed: u64) -> Self {
        let mut stream = Stream::new(seed, "network");
        // Uniform and as wide as keeps the variance from layer to layer (LeCun, "Efficient BackProp", 1998).
        let mut draw = |count: usize, fan_in: usize| -> Vec<f32> {
            let width = (fan_in as f32).sqrt().recip();
            let unit = |word: u64| (word >> 40) as f32 / (1_u64 << 23) as f32 - 1.0;
            (0..count).map(|_| unit(stream.next()) * width).collect()
        };
        let mut weights = draw(drawn * shape.hidden, active);
        weights.resize(shape.count * shape.hidden, 0.0);
        // In the middle of the `SCReLU`'s slope, so that every number begins by learning.
        weights.extend(std::iter::repeat_n(0.3, shape.hidden));
        weights.extend(draw(2 * shape.hidden * shape.stages, 2 * shape.hidden * images));
        weights.extend(std::iter::repeat_n(0.0, shape.stages));
        if shape.points > 0 {
            // A point has five rows and a bias, a pool some tens of points.
            weights.extend(draw(shape.points * LANES, 25));
            weights.extend(std::iter::repeat_n(0.2, LANES));
            weights.extend(draw(shape.stages * LANES * 2 * shape.hidden, LANES));
            weights.extend(std::iter::repeat_n(0.0, shape.stages * 2 * shape.hidden));
        }
        Self { shape, weights }
    }

    /// A network of these numbers; `None` when there are not as many as the shape wants.
    pub fn from_weights(shape: NetworkShape, weights: Vec<f32>) -> Option<Self> {
        let model = Self { shape, weights };
        let NetworkShape { stages, points, .. } = model.shape;
        let end = if points > 0 { model.pool_bias_at(stages) } else { model.point_rows_at() };
        (model.weights.len() == end).then_some(model)
    }

    /// The model whose [`Self::quantised`] this network is, as far as its integers determine it; for a symmetric
    /// network, that of one image.
    pub fn from_network(network: &Network) -> Self {
        let shape = NetworkShape { hidden: network.shape().part(), images: 1, ..network.shape().clone() };
        let images = network.shape().images as f32;
        let NetworkWeights { rows, bias, weight_one, outputs, output_bias, pool, .. } = network.weights();
        let (one, weight_one) = (f32::from(network.shape().one()), weight_one as f32);
        let mut weights: Vec<f32> = rows.into_iter().chain(bias).map(|number| f32::from(number) / one).collect();
        weights.extend(outputs.into_iter().map(|number| f32::from(number) / weight_one));
        weights.extend(output_bias.into_iter().map(|number| number as f32 / (one * weight_one * images)));
        let PoolWeights { rows, bias, dense, dense_bias } = pool;
        for (numbers, one) in [(rows, ONE), (bias, ONE), (dense, POOL_ONE), (dense_bias, ONE)] {
            weights.extend(numbers.into_iter().map(|number| f32::from(number) / f32::from(one)));
        }
        Self { shape, weights }
    }

    /// Uses rows of 8 bits.
    pub fn with_narrow_rows(mut self) -> Self {
        self.shape.narrow = true;
        self.clip(std::slice::from_ref(&(0..self.weights.len())));
        self
    }

    pub const fn shape(&self) -> &NetworkShape {
        &self.shape
    }

    fn bias_at(&self) -> usize {
        self.shape.count * self.shape.hidden
    }

    fn output_at(&self) -> usize {
        self.bias_at() + self.shape.hidden
    }

    fn output_bias_at(&self) -> usize {
        self.output_at() + 2 * self.shape.hidden * self.shape.stages
    }

    fn point_rows_at(&self) -> usize {
        self.output_bias_at() + self.shape.stages
    }

    fn point_bias_at(&self) -> usize {
        self.point_rows_at() + self.shape.points * LANES
    }

    /// Returns the index of the first pool weight of a stage.
    fn pool_at(&self, stage: usize) -> usize {
        self.point_bias_at() + LANES + stage * LANES * 2 * self.shape.hidden
    }

    /// Returns the index of the first pool bias of a stage.
    fn pool_bias_at(&self, stage: usize) -> usize {
        self.pool_at(self.shape.stages) + stage * 2 * self.shape.hidden
    }

    fn sees_points(&self) -> bool {
        self.shape.points > 0
    }

    /// Prefetches the row of a feature, for a later [`Self::forward`]: most rows are in no cache.
    #[inline]
    pub fn prefetch(&self, feature: usize) {
        self.weights[feature * self.shape.hidden..][..self.shape.hidden].iter().step_by(LINE).for_each(prefetch);
    }

    /// The output: the log-odds of winning.
    pub fn forward(&self, sample: &Sample, activity: &mut Activity) -> f32 {
        let hidden = self.shape.hidden;
        let bias = &self.weights[self.bias_at()..self.output_at()];
        let outputs = &self.weights[self.output_at() + sample.stage * 2 * hidden..][..2 * hidden];
        let mut sum = self.weights[self.output_bias_at() + sample.stage];
        for (half, view) in activity.hidden.chunks_exact_mut(hidden).zip(&sample.views) {
            for (at, (to, bias)) in half.chunks_exact_mut(BLOCK).zip(bias.chunks_exact(BLOCK)).enumerate() {
                // A block at a time, which the registers hold.
                let mut sums = *block(bias, 0);
                for &feature in view.as_slice() {
                    let row = block(&self.weights, feature as usize * hidden + at * BLOCK);
                    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
                }
                to.copy_from_slice(&sums);
            }
        }
        if self.sees_points() {
            self.forward_points(sample, activity);
        }
        sum += dot_squares(&activity.hidden, outputs);
        sum
    }

    /// Adds the contribution of the points to the hidden layer.
    fn forward_points(&self, sample: &Sample, activity: &mut Activity) {
        let bias = lanes(&self.weights, self.point_bias_at());
        let mut pool = [0.0; LANES];
        activity.points.clear();
        for point in &sample.points {
            let mut sums = *bias;
            for &feature in point {
                let row = lanes(&self.weights, self.point_rows_at() + usize::from(feature) * LANES);
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
            }
            pool.iter_mut().zip(sums).for_each(|(pool, sum)| *pool += sum.clamp(0.0, 1.0));
            activity.points.push(sums);
        }
        activity.pool = pool.map(|number| number / f32::from(POOL_SHARE));
        let both = activity.hidden.len();
        let dense = self.weights[self.pool_at(sample.stage)..].chunks_exact(both);
        for (number, row) in activity.pool.iter().zip(dense) {
            activity.hidden.iter_mut().zip(row).for_each(|(hidden, weight)| *hidden += number * weight);
        }
        let bias = &self.weights[self.pool_bias_at(sample.stage)..];
        activity.hidden.iter_mut().zip(bias).for_each(|(hidden, bias)| *hidden += bias);
    }

    /// Adds the gradient of the loss by each weight to `gradient`, given its derivative `slope` by the output that
    /// [`Self::forward`] has just computed for this sample.
    pub fn backward(&self, sample: &Sample, slope: f32, activity: &mut Activity, gradient: &mut [f32]) {
        let hidden = self.shape.hidden;
        let output_at = self.output_at() + sample.stage * 2 * hidden;
        let outputs = &self.weights[output_at..][..2 * hidden];
        gradient[self.output_bias_at() + sample.stage] += slope;
        for (i, gradient) in gradient[output_at..][..2 * hidden].iter_mut().enumerate() {
            let number = activity.hidden[i];
            let v = number.clamp(0.0, 1.0);
            *gradient += slope * v * v;
            // The derivative of the clamped square; it is 0 beyond its ends.
            let within = if number > 0.0 && number < 1.0 { 2.0 * v } else { 0.0 };
            activity.slopes[i] = slope * outputs[i] * within;
        }
        for (slopes, view) in activity.slopes.chunks_exact(hidden).zip(&sample.views) {
            for (at, slopes) in slopes.chunks_exact(BLOCK).enumerate() {
                let slopes = *block(slopes, 0);
                let mut add = |row: usize| {
                    let row = block_mut(gradient, row + at * BLOCK);
                    row.iter_mut().zip(slopes).for_each(|(gradient, slope)| *gradient += slope);
                };
                add(self.bias_at());
                for &feature in view.as_slice() {
                    add(feature as usize * hidden);
                }
            }
        }
        if self.sees_points() {
            self.backward_points(sample, activity, gradient);
        }
    }

    /// The part of the gradient that is the points', the slopes of the hidden layer being known.
    fn backward_points(&self, sample: &Sample, activity: &Activity, gradient: &mut [f32]) {
        let Activity { slopes, points, pool, .. } = activity;
        let both = slopes.len();
        gradient[self.pool_bias_at(sample.stage)..].iter_mut().zip(slopes).for_each(|(to, slope)| *to += slope);
        let at = self.pool_at(sample.stage);
        let dense = self.weights[at..].chunks_exact(both).zip(gradient[at..].chunks_exact_mut(both));
        let mut pool_slopes = [0.0; LANES];
        for ((to, number), (row, gradient)) in pool_slopes.iter_mut().zip(pool).zip(dense) {
            gradient.iter_mut().zip(slopes).for_each(|(to, slope)| *to += number * slope);
            *to = dot(row, slopes) / f32::from(POOL_SHARE);
        }
        let mut bias = [0.0; LANES];
        for (point, sums) in sample.points.iter().zip(points) {
            // The derivative is 0 beyond the ends.
            let mut slopes = pool_slopes;
            slopes
                .iter_mut()
                .zip(sums)
                .for_each(|(slope, sum)| *slope *= f32::from(u8::from(*sum > 0.0 && *sum < 1.0)));
            bias.iter_mut().zip(slopes).for_each(|(to, slope)| *to += slope);
            for &feature in point {
                let at = self.point_rows_at() + usize::from(feature) * LANES;
                gradient[at..][..LANES].iter_mut().zip(slopes).for_each(|(to, slope)| *to += slope);
            }
        }
        let at = self.point_bias_at();
        gradient[at..][..LANES].iter_mut().zip(bias).for_each(|(to, slope)| *to += slope);
    }

    /// Clamps the weights of these spans to what their bits can represent.
    pub fn clip(&mut self, spans: &[Range<usize>]) {
        let row_most = if self.shape.narrow { MAX_NARROW_ROW_WEIGHT } else { MAX_ROW_WEIGHT };
        let mut limits = vec![
            (0..self.bias_at(), row_most),
            (self.bias_at()..self.output_at(), MAX_ROW_WEIGHT),
            (self.output_at()..self.output_bias_at(), MAX_OUTPUT_WEIGHT),
        ];
        if self.sees_points() {
            limits.extend([
                (self.point_rows_at()..self.pool_at(0), MAX_ROW_WEIGHT),
                (self.pool_at(0)..self.weights.len(), MAX_POOL_WEIGHT),
            ]);
        }
        for (limited, most) in limits {
            for span in spans {
                self.weights[common(span, &limited)].iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
            }
        }
    }

    /// Returns a copy in which all but the output's weights are rounded to what an integer network can store.
    pub fn rounded(&self) -> Self {
        let mut rounded = self.clone();
        self.round_into(&mut rounded, std::slice::from_ref(&(0..self.weights.len())));
        rounded
    }

    /// Makes the weights of these spans in another model of this shape what [`Self::rounded`] would have.
    pub fn round_into(&self, rounded: &mut Self, spans: &[Range<usize>]) {
        let (one, pool_one) = (f32::from(self.shape.one()), f32::from(POOL_ONE));
        let mut ends = vec![(self.output_at(), Some(one)), (self.point_rows_at(), None)];
        if self.sees_points() {
            let (pool, bias, end) = (self.pool_at(0), self.pool_bias_at(0), self.weights.len());
            ends.extend([(pool, Some(one)), (bias, Some(pool_one)), (end, Some(one))]);
        }
        let mut begin = 0;
        for (end, one) in ends {
            for span in spans {
                let span = common(span, &(begin..end));
                let (to, from) = (&mut rounded.weights[span.clone()], &self.weights[span]);
                match one {
                    Some(one) => to.iter_mut().zip(from).for_each(|(to, weight)| *to = (weight * one).round() / one),
                    None => to.copy_from_slice(from),
                }
            }
            begin = end;
        }
    }

    /// Returns the integer network that adds up this model's contributions for `images` images of a board; `scale` is
    /// the value of an output of 1, in hundredths of the game's unit.
    ///
    /// # Errors
    /// [`ShapeError`] when it is of a shape that cannot be computed.
    pub fn quantised(&self, images: usize, scale: i32, provenance: String) -> Result<Network, ShapeError> {
        let round = |weights: &[f32], one: f32| -> Vec<i16> {
            weights.iter().map(|weight| (weight * one).round() as i16).collect()
        };
        let outputs = &self.weights[self.output_at()..self.output_bias_at()];
        let (one, weight_one) = (f32::from(self.shape.one()), precision(outputs, 2 * self.shape.hidden, images));
        let pool = if self.sees_points() {
            let [rows, bias, dense, dense_bias] =
                [self.point_rows_at(), self.point_bias_at(), self.pool_at(0), self.pool_bias_at(0)];
            PoolWeights {
                rows: round(&self.weights[rows..bias], one),
                bias: round(&self.weights[bias..dense], one),
                dense: round(&self.weights[dense..dense_bias], f32::from(POOL_ONE)),
                dense_bias: round(&self.weights[dense_bias..], one),
            }
        } else {
            PoolWeights::default()
        };
        let weights = NetworkWeights {
            rows: round(&self.weights[..self.bias_at()], one),
            bias: round(&self.weights[self.bias_at()..self.output_at()], one),
            weight_one: weight_one as i32,
            outputs: round(outputs, weight_one),
            output_bias: self.weights[self.output_bias_at()..self.point_rows_at()]
                .iter()
                .map(|bias| (bias * images as f32 * one * weight_one).round() as i32)
                .collect(),
            pool,
            scale,
        };
        let shape = NetworkShape { hidden: self.shape.hidden * images, images, ..self.shape.clone() };
        Network::new(shape, &weights, provenance)
    }
}

/// Returns the representation of 1.0 among output weights: the highest power of two at which each of them, and the sum
/// of each stage over that many images, still fits.
fn precision(outputs: &[f32], stage: usize, images: usize) -> f32 {
    let most = outputs.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
    let sums = outputs.chunks_exact(stage).map(|stage| stage.iter().map(|weight| weight.abs()).sum());
    let sum = sums.fold(0.0, f32::max) * images as f32;
    // Rounding adds at most a half to each.
    let room = i32::MAX as f32 / f32::from(ONE).powi(2) - (stage * images) as f32;
    let fits = |one: &f32| most * one <= f32::from(WEIGHT_MAX) && sum * one <= room;
    (0..=12).rev().map(|power| (1 << power) as f32).find(fits).unwrap_or(1.0)
}

/// Returns the intersection of two spans.
fn common(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// The block that begins there.
#[inline]
fn block(weights: &[f32], at: usize) -> &[f32; BLOCK] {
    weights[at..].first_chunk().expect("a block within the weights")
}

/// The block that begins there, for changing it.
#[inline]
fn block_mut(gradient: &mut [f32], at: usize) -> &mut [f32; BLOCK] {
    gradient[at..].first_chunk_mut().expect("a block within the gradient")
}

/// The row that begins there.
fn lanes(weights: &[f32], at: usize) -> &[f32; LANES] {
    weights[at..].first_chunk().expect("a row within the weights")
}

/// The sum of products, in eight sums side by side.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.into_iter().sum()
}

/// The sum of the weights times the squares of the numbers clamped to 0…1, in eight sums side by side.
fn dot_squares(numbers: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for (numbers, weights) in numbers.chunks_exact(8).zip(weights.chunks_exact(8)) {
        for ((sum, number), weight) in sums.iter_mut().zip(numbers).zip(weights) {
            let v = number.clamp(0.0, 1.0);
            *sum += v * v * weight;
        }
    }
    sums.into_iter().sum()
}

/// The expected points at these log-odds.
pub fn sigmoid(log_odds: f32) -> f32 {
    (1.0 + (-log_odds).exp()).recip()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(points: usize) -> NetworkShape {
        NetworkShape { features: "test".to_owned(), count: 10, hidden: 32, images: 1, stages: 2, points, narrow: false }
    }

    fn sample(features: [&[usize]; 2], stage: usize) -> Sample {
        let list = |features: &[usize]| {
            let mut list = List::default();
            for &feature in features {
                list.push(feature);
            }
            list
        };
        Sample { views: features.map(list), points: vec![[0, 1, 2, 3, 4], [3, 3, 5, 0, 6]], stage, target: 0.0 }
    }

    /// Each entry of the gradient is the change of the output when the weight is moved slightly.
    #[test]
    fn the_gradient_is_the_slope() {
        for points in [0, 7] {
            check_gradient(&Model::new(shape(points), 10, 3, 1, 1));
        }
    }

    fn check_gradient(model: &Model) {
        let sample = sample([&[0, 3, 7], &[1, 3, 9]], 1);
        let mut activity = Activity::new(model.shape());
        let mut gradient = vec![0.0; model.weights.len()];
        model.forward(&sample, &mut activity);
        model.backward(&sample, 1.0, &mut activity, &mut gradient);
        let step = 1e-2;
        for (i, &slope) in gradient.iter().enumerate() {
            let moved = |by: f32| {
                let mut model = model.clone();
                model.weights[i] += by;
                model.forward(&sample, &mut Activity::new(model.shape()))
            };
            let measured = (moved(step) - moved(-step)) / (2.0 * step);
            assert!((slope - measured).abs() < 2e-2, "weight {i}: {slope} by the gradient, {measured} by trying");
        }
        assert!(gradient.iter().any(|slope| slope.abs() > 0.1));
    }

    #[test]
    fn rows_of_8_bits_say_what_was_learnt() {
        let wide = Model::new(shape(0), 10, 3, 1, 1);
        let mut model = wide.clone().with_narrow_rows();
        model.weights[0] = 5.0;
        model.clip(std::slice::from_ref(&(0..model.weights.len())));
        let network = model.quantised(1, 400, String::new()).unwrap();
        assert_eq!(network.weights().rows[0], 127);
        let again = Model::from_network(&Network::read(&network.write()).unwrap());
        let rows = again.bias_at();
        for ((again, rounded), exact) in again.weights.iter().zip(model.rounded().weights).zip(&model.weights) {
            assert!((again - exact).abs() <= 0.5 / 127.0 + 1e-6, "{again} for {exact}");
            assert!((again - rounded).abs() < 2e-3, "{again} for {rounded}");
        }
        assert!(again.shape().narrow && again.weights[1..rows] != wide.weights[1..rows]);
    }

    #[test]
    fn one_large_output_weight_does_not_make_the_others_coarse() {
        let mut model = Model::new(shape(0), 10, 3, 1, 1);
        let at = model.output_at();
        model.weights[at] = 5.0;
        model.clip(std::slice::from_ref(&(0..model.weights.len())));
        let network = model.quantised(1, 400, String::new()).unwrap();
        assert_eq!(network.weights().weight_one, 256);
    }
}
