//! A model, or a network, on all images of a board.

use agon_search::nnue::{Features, List};

use crate::PositionRecord;
use crate::gradient::Gradient;
use crate::model::{Activity, Model, Sample};

/// Returns the image of each feature under each symmetry of a game's board, starting with the identity.
pub fn images<P, F: Features<P>>() -> Vec<Vec<u32>> {
    let image = |symmetry| (0..F::COUNT).map(|feature| F::image(feature, symmetry) as u32).collect();
    (0..F::SYMMETRIES).map(image).collect()
}

/// Passes forward and back through a model for each image of a position under the symmetries of its board, whose
/// outputs are added up.
#[derive(Debug)]
pub struct Passes<'a> {
    model: &'a Model,
    images: &'a [Vec<u32>],
    /// The position under each symmetry, with the intermediate values between the two passes.
    kept: Vec<(Sample, Activity)>,
}

impl<'a> Passes<'a> {
    /// Creates passes through this model; `images` has the image of each feature under each symmetry, starting with the
    /// identity.
    pub fn new(model: &'a Model, images: &'a [Vec<u32>]) -> Self {
        let kept = images.iter().map(|_| (Sample::default(), Activity::new(model.shape()))).collect();
        Self { model, images, kept }
    }

    /// The output: the log-odds of winning.
    pub fn forward(&mut self, sample: &Sample) -> f32 {
        let mut sum = 0.0;
        for ((image, activity), features) in self.kept.iter_mut().zip(self.images) {
            for (to, from) in image.views.iter_mut().zip(&sample.views) {
                to.clear();
                for &feature in from.as_slice() {
                    let feature = features[feature as usize] as usize;
                    self.model.prefetch(feature);
                    to.push(feature);
                }
            }
            image.stage = sample.stage;
            image.points.clone_from(&sample.points);
            sum += self.model.forward(image, activity);
        }
        sum
    }

    /// Adds the gradient of the loss by each weight to `gradient`, given its derivative `slope` by the output that
    /// [`Self::forward`] has just computed.
    pub fn backward(&mut self, slope: f32, gradient: &mut Gradient) {
        for (image, activity) in &mut self.kept {
            gradient.see(image);
            self.model.backward(image, slope, activity, &mut gradient.slopes);
        }
    }
}

/// The features of the images of a board, in the mover's view and in the other's.
#[derive(Debug)]
pub struct ImageViews(Vec<[List; 2]>);

impl ImageViews {
    /// Room for `images` images.
    pub fn new(images: usize) -> Self {
        Self(vec![<[List; 2]>::default(); images])
    }

    /// Returns the features of a record's board under the first symmetries.
    pub fn of<R, F>(&mut self, record: &R) -> &[[List; 2]]
    where
        R: PositionRecord,
        F: Features<R::Position, Board = R::Board>,
    {
        for (symmetry, views) in self.0.iter_mut().enumerate() {
            views.iter_mut().for_each(List::clear);
            F::present(record.board(symmetry), views);
        }
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use agon_search::nnue::network::NetworkShape;

    use super::*;

    /// The gradient is the derivative of the sum over all images.
    #[test]
    fn the_gradient_is_the_slope_of_the_sum() {
        let shape = NetworkShape {
            features: "test".to_owned(),
            count: 4,
            hidden: 8,
            images: 1,
            stages: 2,
            points: 0,
            narrow: false,
        };
        let model = Model::new(shape, 4, 2, 3, 1);
        let images = vec![vec![0, 1, 2, 3], vec![1, 2, 3, 0], vec![3, 2, 1, 0]];
        let mut sample = Sample { stage: 1, ..Sample::default() };
        for (view, features) in sample.views.iter_mut().zip([[0, 2], [1, 2]]) {
            for feature in features {
                view.push(feature);
            }
        }
        let mut passes = Passes::new(&model, &images);
        assert!(passes.forward(&sample) != 0.0);
        let mut gradient = Gradient::new(&model);
        passes.backward(1.0, &mut gradient);
        let step = 1e-2;
        for (i, &slope) in gradient.slopes.iter().enumerate() {
            let moved = |by: f32| {
                let mut model = model.clone();
                model.weights[i] += by;
                Passes::new(&model, &images).forward(&sample)
            };
            let measured = (moved(step) - moved(-step)) / (2.0 * step);
            assert!((slope - measured).abs() < 2e-2, "weight {i}: {slope} by the gradient, {measured} by trying");
            let within = gradient.spans().iter().any(|span| span.contains(&i));
            assert!(within || slope == 0.0, "weight {i} is not where slopes are");
        }
        // After taking it twice, nothing is left.
        let mut sum = Gradient::new(&model);
        let slopes = gradient.slopes.clone();
        sum.take(&mut gradient);
        passes.backward(1.0, &mut gradient);
        sum.take(&mut gradient);
        assert!(sum.slopes.iter().zip(&slopes).all(|(sum, slope)| (sum - 2.0 * slope).abs() < 1e-6));
        sum.clear();
        assert!([&sum, &gradient].iter().all(|none| none.slopes.iter().all(|&slope| slope == 0.0)));
        assert!([&sum, &gradient].iter().all(|none| none.spans().len() == 1));
    }
}
