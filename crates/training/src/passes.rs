//! A model on all images of a board.

use agon_search::nnue::Features;

use crate::model::{Activity, Model, Sample};

/// For each symmetry of a game's board what each feature becomes, none being the first.
pub fn images<P, F: Features<P>>() -> Vec<Vec<u16>> {
    let image = |symmetry| (0..F::COUNT).map(|feature| F::image(feature, symmetry) as u16).collect();
    (0..F::SYMMETRIES).map(image).collect()
}

/// Passes forward and back through a model for each image of a position under the symmetries of its board, whose outputs are added up.
#[derive(Debug)]
pub struct Passes<'a> {
    model: &'a Model,
    images: &'a [Vec<u16>],
    /// The position under each symmetry, and what is kept of it between the two passes.
    kept: Vec<(Sample, Activity)>,
}

impl<'a> Passes<'a> {
    /// Through this model; `images` has for each symmetry what each feature becomes, none being the first.
    pub fn new(model: &'a Model, images: &'a [Vec<u16>]) -> Self {
        let kept = images.iter().map(|_| (Sample::default(), Activity::new(model.shape()))).collect();
        Self { model, images, kept }
    }

    /// The output: the log-odds of winning.
    pub fn forward(&mut self, sample: &Sample) -> f32 {
        let mut sum = 0.0;
        for ((image, activity), features) in self.kept.iter_mut().zip(self.images) {
            for (to, from) in image.views.iter_mut().zip(&sample.views) {
                to.clear();
                from.as_slice().iter().for_each(|&feature| to.push(features[usize::from(feature)].into()));
            }
            image.stage = sample.stage;
            image.points.clone_from(&sample.points);
            sum += self.model.forward(image, activity);
        }
        sum
    }

    /// Adds to `gradient` what the loss changes by each weight, when it changes by `slope` with the output that [`Self::forward`] has
    /// just given.
    pub fn backward(&mut self, slope: f32, gradient: &mut [f32]) {
        for (image, activity) in &mut self.kept {
            self.model.backward(image, slope, activity, gradient);
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_search::nnue::network::NetworkShape;

    use super::*;

    /// A model of all images, in one piece, says what the passes add up to, and is taken apart again.
    #[test]
    fn passes_say_what_the_whole_network_says() {
        let shape =
            NetworkShape { features: "test".to_owned(), count: 4, hidden: 8, stages: 2, points: 0, narrow: false };
        let model = Model::new(shape, 2, 3, 1);
        let images = vec![vec![0, 1, 2, 3], vec![1, 2, 3, 0], vec![3, 2, 1, 0]];
        let mut sample = Sample { stage: 1, ..Sample::default() };
        for (view, features) in sample.views.iter_mut().zip([[0, 2], [1, 2]]) {
            for feature in features {
                view.push(feature);
            }
        }
        let whole = model.of_images(&images);
        let expected = whole.forward(&sample, &mut Activity::new(whole.shape()));
        let mut passes = Passes::new(&model, &images);
        let found = passes.forward(&sample);
        assert!((found - expected).abs() < 1e-5 && found != 0.0, "{found} where {expected} was expected");
        assert_eq!(whole.of_one_image(&images).unwrap().weights[..32], model.weights[..32]);
        let mut other = whole.clone();
        other.weights[9] += 0.1;
        assert!(other.of_one_image(&images).is_none());

        // The gradient is the slope of the sum.
        let mut gradient = vec![0.0; model.weights.len()];
        passes.backward(1.0, &mut gradient);
        let step = 1e-2;
        for (i, slope) in gradient.into_iter().enumerate() {
            let moved = |by: f32| {
                let mut model = model.clone();
                model.weights[i] += by;
                Passes::new(&model, &images).forward(&sample)
            };
            let measured = (moved(step) - moved(-step)) / (2.0 * step);
            assert!((slope - measured).abs() < 2e-2, "weight {i}: {slope} by the gradient, {measured} by trying");
        }
    }
}
