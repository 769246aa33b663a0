//! A trained network in integers, held against the one it came from.

use std::fmt;
use std::sync::Arc;

use agon_search::nnue::simd::Kernel;
use agon_search::nnue::{Features, Network};

use crate::model::Sample;
use crate::passes::ImageViews;
use crate::{PositionRecord, Trainer};

/// Difference between the values of a quantised network and those in floating point, in hundredths of the game's unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// The mean of the absolute differences.
    pub mean: f64,
    pub most: f64,
    pub positions: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, most, positions } = self;
        write!(
            f,
            "integers against floating point, in hundredths: mean {mean:.2}, most {most:.2} over {positions} positions"
        )
    }
}

/// Compares a quantised network with the model it came from, on at most `most` of the positions held out.
pub fn compare<R, F>(trainer: &Trainer<R, F>, network: &Arc<Network>, positions: usize) -> Difference
where
    R: PositionRecord,
    F: Features<R::Position, Board = R::Board>,
{
    let records = trainer.validation();
    let records = &records[..records.len().min(positions)];
    let (mut passes, mut views) = (trainer.passes(), ImageViews::new(network.shape().images));
    let mut sample = Sample::default();
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for record in records {
        trainer.sample(record, 0, &mut sample);
        let exact = f64::from(passes.forward(&sample)) * f64::from(network.scale());
        let value = network.value_of_features(Kernel::widest(), views.of::<R, F>(record), &sample.points, sample.stage);
        let difference = (f64::from(value) - exact).abs();
        sum += difference;
        most = most.max(difference);
    }
    Difference { mean: sum / records.len().max(1) as f64, most, positions: records.len() }
}
