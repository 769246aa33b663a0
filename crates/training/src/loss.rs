//! Prediction quality of networks on positions that they have not learnt from.

use std::sync::Arc;

use agon_search::evaluate::MAX_EVALUATION;
use agon_search::nnue::simd::Kernel;
use agon_search::nnue::{Features as _, Network};

use crate::model::sigmoid;
use crate::passes::ImageViews;
use crate::{PositionRecord, TrainedGame, targets};

/// Plies of a game that are counted together.
const PLIES: usize = 10;
/// Number of ranges of plies; the last includes all later ones.
const RANGES: usize = 8;

/// The errors of a network's static values over some positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Loss {
    pub positions: usize,
    /// Mean cross entropy, in nats, between expected points and results of games; ln 2 = 0.693 without any knowledge.
    pub log_loss: f64,
    /// Mean squared error between the expected points and those implied by the searches' scores, in squared points. The
    /// scale of the scores is [fitted](targets::calibrated_scale) to the results.
    pub squared_error: f64,
}

/// The positions of a range of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phase {
    pub first: usize,
    /// The last; `None` for the end of the game.
    pub last: Option<usize>,
}

impl Phase {
    /// All phases of a game, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..RANGES)
            .map(|range| Self { first: range * PLIES, last: (range + 1 < RANGES).then_some((range + 1) * PLIES - 1) })
    }

    fn has(self, ply: u32) -> bool {
        let ply = ply as usize;
        self.first <= ply && self.last.is_none_or(|last| ply <= last)
    }
}

/// The losses of a network over all records, and in each [`Phase`] by itself.
pub fn losses<G: TrainedGame>(network: &Arc<Network>, records: &[G::Record]) -> (Loss, Vec<(Phase, Loss)>) {
    let kernel = Kernel::widest();
    let scale = network.scale() as f32;
    let scores = targets::calibrated_scale(records, MAX_EVALUATION).map_or(scale, |scale| scale as f32);
    let (mut views, mut points) = (ImageViews::new(network.shape().images), Vec::new());
    let mut phases: Vec<(Phase, Loss)> = Phase::all().map(|phase| (phase, Loss::default())).collect();
    for record in records {
        let board = record.board(0);
        points.clear();
        G::Features::points(&board, &mut points);
        let value =
            network.value_of_features(kernel, views.of::<_, G::Features>(record), &points, G::Features::stage(board));
        let points = f64::from(sigmoid(value as f32 / scale)).clamp(1e-6, 1.0 - 1e-6);
        let result = f64::from(record.half_points()) / 2.0;
        let error = points - f64::from(sigmoid(record.value() as f32 / scores));
        if let Some((_, loss)) = phases.iter_mut().find(|(phase, _)| phase.has(record.ply())) {
            loss.positions += 1;
            loss.log_loss -= result * points.ln() + (1.0 - result) * (1.0 - points).ln();
            loss.squared_error += error * error;
        }
    }
    let sum = phases.iter().fold(Loss::default(), |sum, (_, loss)| Loss {
        positions: sum.positions + loss.positions,
        log_loss: sum.log_loss + loss.log_loss,
        squared_error: sum.squared_error + loss.squared_error,
    });
    for (_, loss) in &mut phases {
        *loss = loss.mean();
    }
    (sum.mean(), phases)
}

impl Loss {
    /// The means of these sums.
    fn mean(self) -> Self {
        let count = self.positions.max(1) as f64;
        Self { log_loss: self.log_loss / count, squared_error: self.squared_error / count, ..self }
    }
}
