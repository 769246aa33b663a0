//! A network taught by others (G. Hinton, O. Vinyals and J. Dean, "Distilling the knowledge in a neural network",
//! 2015).
//!
//! The target of a position is the mean value of the teachers over all images of the board under the symmetries of the
//! game. This mean predicts results better than any single value, since each errs in a different way; and it lacks the
//! randomness of results and scores, so that even a few million positions can be learnt without overfitting.

use std::sync::Arc;

use agon_game::seed::Stream;
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::nnue::simd::Kernel;
use agon_search::nnue::{Features, Network};
use rayon::prelude::*;

use crate::PositionRecord;
use crate::passes::ImageViews;

/// Number of positions after random plies that are added for each position: a search evaluates many positions that
/// occur in no game.
const SUCCESSORS: usize = 2;

/// Positions whose random plies come from one stream, so that they are the same on any number of cores.
const CHUNK: usize = 1 << 12;

/// Returns the records, and those of two random plies after each, with the teachers' mean value in hundredths as the
/// score, as a search would see it.
pub fn teach<R, F>(teachers: &[Arc<Network>], records: &[R], seed: u64) -> Vec<R>
where
    R: PositionRecord,
    F: Features<R::Position, Board = R::Board>,
{
    let chunks = records.par_chunks(CHUNK).enumerate().map(|(chunk, records)| {
        let mut stream = Stream::new(seed.wrapping_add(chunk as u64), "successors");
        let mut taught = Vec::new();
        for record in records {
            let line = std::iter::successors(Some(*record), |record| record.successor(&mut stream));
            taught.extend(line.take(1 + SUCCESSORS));
        }
        let mut images = ImageViews::new(R::SYMMETRIES);
        let mut points = Vec::new();
        for record in &mut taught {
            let images = images.of::<R, F>(record);
            let stage = F::stage(record.board(0));
            let mut sum = 0;
            for symmetry in 0..R::SYMMETRIES {
                points.clear();
                if teachers.iter().any(|teacher| teacher.sees_points()) {
                    F::points(&record.board(symmetry), &mut points);
                }
                for teacher in teachers {
                    // A teacher that is invariant is evaluated for each image as well, so that it counts as much as the
                    // others.
                    let images = if teacher.shape().images > 1 { images } else { &images[symmetry..] };
                    sum += teacher.value_of_features(Kernel::widest(), images, &points, stage);
                }
            }
            let mean = (f64::from(sum) / (R::SYMMETRIES * teachers.len()) as f64).round() as i32;
            record.set_value(mean.clamp(-MAX_EVALUATION, MAX_EVALUATION) as i16);
        }
        taught
    });
    chunks.collect::<Vec<Vec<R>>>().concat()
}
