//! Gradient of the loss of a batch by each weight.

use std::ops::Range;

use agon_search::nnue::List;
use agon_search::nnue::simd::prefetch;

use crate::model::{LINE, Model, Sample};

/// The slopes of all weights; those of the rows of features that no sample of the batch has are 0. A step need not look
/// at these: most features occur in few positions.
#[derive(Clone, Debug)]
pub struct Gradient {
    /// A slope for each weight, in the order of [`Model::weights`].
    pub slopes: Vec<f32>,
    /// Length of a feature's row.
    row: usize,
    /// The features of the samples, and for each feature whether it is among them.
    features: Vec<u32>,
    seen: Vec<bool>,
}

impl Gradient {
    pub fn new(model: &Model) -> Self {
        let shape = model.shape();
        Self {
            slopes: vec![0.0; model.weights.len()],
            row: shape.hidden,
            features: Vec::new(),
            seen: vec![false; shape.count],
        }
    }

    /// Takes note of the features of a sample, whose rows get slopes soon.
    pub fn see(&mut self, sample: &Sample) {
        for &feature in sample.views.iter().flat_map(List::as_slice) {
            self.slopes[feature as usize * self.row..][..self.row].iter().step_by(LINE).for_each(prefetch);
            if !std::mem::replace(&mut self.seen[feature as usize], true) {
                self.features.push(feature);
            }
        }
    }

    /// Returns the spans of gradients that may differ from 0: the rows of the features seen, and everything after the
    /// rows.
    pub fn spans(&self) -> Vec<Range<usize>> {
        let row = |&feature: &u32| feature as usize * self.row..(feature as usize + 1) * self.row;
        let rest = self.seen.len() * self.row..self.slopes.len();
        self.features.iter().map(row).chain([rest]).collect()
    }

    /// Adds another one, and clears that.
    pub fn take(&mut self, other: &mut Self) {
        for span in other.spans() {
            let (sum, slopes) = (&mut self.slopes[span.clone()], &mut other.slopes[span]);
            sum.iter_mut().zip(slopes.iter_mut()).for_each(|(sum, slope)| *sum += std::mem::take(slope));
        }
        for feature in other.features.drain(..) {
            other.seen[feature as usize] = false;
            if !std::mem::replace(&mut self.seen[feature as usize], true) {
                self.features.push(feature);
            }
        }
    }

    /// Makes it that of no sample.
    pub fn clear(&mut self) {
        for span in self.spans() {
            self.slopes[span].fill(0.0);
        }
        for feature in self.features.drain(..) {
            self.seen[feature as usize] = false;
        }
    }
}
