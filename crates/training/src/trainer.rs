//! Learning: batches of records, in an order drawn from the seed, each seen from a side drawn from the symmetries.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_game::seed::Stream;
use agon_jobs::{FileError, write_atomically};
use agon_search::nnue::network::{NetworkShape, ShapeError};
use agon_search::nnue::{Features, List, NetError, Network};
use rayon::prelude::*;

use crate::PositionRecord;
use crate::adam::Adam;
use crate::distinct::DataSplit;
use crate::gradient::Gradient;
use crate::model::{Model, Sample, sigmoid};
use crate::passes::{Passes, images};

#[derive(Clone, PartialEq, Debug)]
pub struct TrainingConfig {
    /// Numbers of half the hidden layer.
    pub hidden: usize,
    /// True if the network is invariant under the symmetries of the board: its hidden layer then has a part for each of
    /// them, and all parts learn the same for their image of a board. What it learns in one corner applies to all, so
    /// fewer positions are needed.
    pub symmetric: bool,
    /// Number of times every record is seen.
    pub epochs: u32,
    pub batch: usize,
    /// The learning rate at its highest, after a short warm-up; it then falls along half a cosine to 1/100 of that.
    pub rate: f32,
    pub decay: f32,
    /// Weight of a search's value in the target; the rest is the game's result.
    pub value_share: f32,
    /// λ of the λ-return that replaces a score: from ply to ply, the weight of later positions, while the rest is the
    /// position's own score; after the last record comes the result. With 0 only the score counts, and only then
    /// `scale` defines its meaning; otherwise it is fitted to the results.
    pub lambda: f32,
    /// The value, in hundredths of the game's unit, that means odds of e : 1 to win.
    pub scale: i32,
    /// One board in this many is kept for validation.
    pub held_out: usize,
    pub seed: u64,
}

/// The mean squared errors of an epoch, in squared points of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Error on the training data, during the epoch.
    pub training: f32,
    /// On boards that are not learnt from, after it.
    pub validation: f32,
}

/// Steps during which the learning rate rises linearly.
const WARM_UP_STEPS: u32 = 200;
/// Into how many parts a batch is cut. Each is summed by itself, so that the result is the same on any number of cores.
const PARTS: usize = 4;

/// A network on its way.
#[derive(Debug)]
pub struct Trainer<R, F> {
    config: TrainingConfig,
    records: DataSplit<R>,
    /// Image of each feature under each symmetry; only the identity if the network is not symmetric.
    images: Vec<Vec<u32>>,
    /// Weights in full precision; for a symmetric network, the part that sees the board itself.
    fine: Model,
    /// The same with rows rounded like the network's. Errors and gradients are computed with this one, so that training
    /// adapts to the rounding errors in sums of many rows (Bengio et al., "Estimating or propagating gradients through
    /// stochastic neurons", 2013: the straight-through estimator).
    model: Model,
    adam: Adam,
    epochs: Vec<Epoch>,
    /// Gradients of the parts of a batch; zero between two steps.
    gradients: Vec<Gradient>,
    /// The hash of the network that training started from, if it was not drawn.
    started_from: Option<String>,
    /// Hashes of the networks that provide the targets, if any.
    taught_by: Vec<String>,
    features: std::marker::PhantomData<fn() -> F>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Features(#[from] NetError),
    #[error("half its hidden layer has {found} numbers, not {expected}")]
    Hidden { found: usize, expected: usize },
    #[error("it is not the same under the symmetries of the board: leave out --symmetric, or begin without a network")]
    NotSymmetric,
    #[error("it is the same under the symmetries of the board: add --symmetric, or begin without a network")]
    Symmetric,
}

/// Reason why training cannot resume.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0} belongs to another training: remove it, or write to another file")]
    Other(PathBuf),
}

impl<R: PositionRecord, F: Features<R::Position, Board = R::Board>> Trainer<R, F> {
    /// Divides the boards of the records between training and validation (see [`DataSplit`]), and draws a network to
    /// begin with.
    pub fn new(records: Vec<R>, config: TrainingConfig) -> Self {
        let mut images = images::<R::Position, F>();
        if !config.symmetric {
            images.truncate(1);
        }
        let symmetries = images.len();
        let (features, hidden) = (F::NAME.to_owned(), config.hidden / symmetries);
        let (points, narrow) = (F::POINTS, F::NARROW);
        let shape = NetworkShape { features, count: F::COUNT, hidden, images: 1, stages: F::STAGES, points, narrow };
        let model = Model::new(shape, F::DRAWN, F::ACTIVE, symmetries, config.seed);
        Self {
            adam: Adam::new(model.weights.len()),
            gradients: vec![Gradient::new(&model); PARTS],
            started_from: None,
            taught_by: Vec::new(),
            images,
            model: model.rounded(),
            fine: model,
            records: DataSplit::new(records, config.held_out),
            config,
            epochs: Vec::new(),
            features: std::marker::PhantomData,
        }
    }

    /// Starts from a trained network instead of a random one. A network with another scale keeps its odds, in this
    /// scale.
    ///
    /// # Errors
    /// [`StartError`] when it looks at other features, or is of another size than the configuration's.
    pub fn starting_from(mut self, network: &Network) -> Result<Self, StartError> {
        network.check_features::<R::Position, F>()?;
        let (found, expected) = (network.shape().hidden, self.config.hidden);
        if found != expected {
            return Err(StartError::Hidden { found, expected });
        }
        match (network.shape().images > 1, self.config.symmetric) {
            (false, true) => return Err(StartError::NotSymmetric),
            (true, false) => return Err(StartError::Symmetric),
            _ => (),
        }
        self.fine = Model::from_network(network);
        if F::NARROW {
            self.fine = self.fine.with_narrow_rows();
        }
        self.model = self.fine.rounded();
        // A network without points continues without them.
        self.adam = Adam::new(self.fine.weights.len());
        self.gradients = vec![Gradient::new(&self.fine); PARTS];
        self.started_from = Some(network.hash());
        Ok(self)
    }

    /// Marks the records' values as those of these networks: see [`teach`](crate::teacher::teach).
    pub fn taught_by(mut self, teachers: &[Arc<Network>]) -> Self {
        self.taught_by = teachers.iter().map(|teacher| teacher.hash()).collect();
        self
    }

    /// Returns the numbers of training and held-out records.
    pub fn counts(&self) -> [usize; 2] {
        [self.records.training.len(), self.records.validation.len()]
    }

    /// Returns the number of records omitted because a later one has the same board.
    pub const fn duplicates(&self) -> usize {
        self.records.duplicates
    }

    /// The model as it is: of a symmetric network that of one image.
    pub const fn model(&self) -> &Model {
        &self.model
    }

    pub fn passes(&self) -> Passes<'_> {
        Passes::new(&self.model, &self.images)
    }

    /// Its integer network.
    ///
    /// # Errors
    /// See [`Model::quantised`].
    pub fn quantised(&self, provenance: String) -> Result<Network, ShapeError> {
        self.model.quantised(self.images.len(), self.config.scale, provenance)
    }

    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    pub fn validation(&self) -> &[R] {
        &self.records.validation
    }

    pub fn is_done(&self) -> bool {
        self.epochs.len() >= self.config.epochs as usize
    }

    fn steps(&self) -> usize {
        self.records.training.len().div_ceil(self.config.batch)
    }

    fn rate(&self) -> f32 {
        let (step, all) = (self.adam.steps as f32, (self.steps() * self.config.epochs as usize) as f32);
        let rise = ((step + 1.0) / WARM_UP_STEPS as f32).min(1.0);
        let fall = 0.505 + 0.495 * (std::f32::consts::PI * (step / all).min(1.0)).cos();
        self.config.rate * rise * fall
    }

    /// The sample of a record under a symmetry.
    pub fn sample(&self, record: &R, symmetry: usize, sample: &mut Sample) {
        let board = record.board(symmetry);
        sample.views.iter_mut().for_each(List::clear);
        F::present(board, &mut sample.views);
        sample.points.clear();
        if self.model.shape().points > 0 {
            F::points(&board, &mut sample.points);
        }
        sample.stage = F::stage(board);
        let value = sigmoid(record.value() as f32 / self.config.scale as f32);
        sample.target =
            self.config.value_share * value + (1.0 - self.config.value_share) * f32::from(record.half_points()) / 2.0;
    }

    /// Learns from every record once; calls `progress` after each step, and ends early when that returns false.
    ///
    /// Returns the epoch, or `None` if it was ended early: the network is then between two epochs and only good to be
    /// thrown away for the last checkpoint.
    pub fn epoch(&mut self, mut progress: impl FnMut(usize, usize) -> bool) -> Option<Epoch> {
        let mut stream = Stream::new(self.config.seed.wrapping_add(self.epochs.len() as u64), "epoch");
        let mut order: Vec<u32> = (0..self.records.training.len() as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, stream.below(last + 1));
        }
        let turns: Vec<u8> = order.iter().map(|_| stream.below(R::SYMMETRIES) as u8).collect();
        let mut loss = 0.0;
        let steps = self.steps();
        for (step, (order, turns)) in order.chunks(self.config.batch).zip(turns.chunks(self.config.batch)).enumerate() {
            loss += self.step(order, turns);
            if !progress(step + 1, steps) {
                return None;
            }
        }
        let epoch = Epoch { training: loss / self.records.training.len().max(1) as f32, validation: self.error() };
        self.epochs.push(epoch);
        Some(epoch)
    }

    /// Learns from one batch and returns the sum of its errors.
    fn step(&mut self, order: &[u32], turns: &[u8]) -> f32 {
        let rate = self.rate();
        let mut gradients = std::mem::take(&mut self.gradients);
        let part = order.len().div_ceil(PARTS).max(1);
        let scale = 1.0 / order.len() as f32;
        let loss: f32 = gradients
            .par_iter_mut()
            .zip(order.par_chunks(part).zip(turns.par_chunks(part)))
            .map(|(gradient, (order, turns))| {
                let mut passes = self.passes();
                let mut sample = Sample::default();
                let mut loss = 0.0;
                for (&at, &turn) in order.iter().zip(turns) {
                    self.sample(&self.records.training[at as usize], turn.into(), &mut sample);
                    let points = sigmoid(passes.forward(&sample));
                    let error = points - sample.target;
                    loss += error * error;
                    passes.backward(2.0 * error * points * (1.0 - points) * scale, gradient);
                }
                loss
            })
            .collect::<Vec<f32>>()
            .into_iter()
            .sum();
        if let [sum, others @ ..] = gradients.as_mut_slice() {
            for other in others {
                sum.take(other);
            }
            let spans = sum.spans();
            self.adam.step_within(&spans, &mut self.fine.weights, &sum.slopes, rate, self.config.decay);
            self.fine.clip(&spans);
            self.fine.round_into(&mut self.model, &spans);
            sum.clear();
        }
        self.gradients = gradients;
        loss
    }

    /// The mean squared error on the records held out.
    pub fn error(&self) -> f32 {
        let part = self.records.validation.len().div_ceil(PARTS).max(1);
        let sums: Vec<f64> = self
            .records
            .validation
            .par_chunks(part)
            .map(|records| {
                let mut passes = self.passes();
                let mut sample = Sample::default();
                let error = |record| {
                    self.sample(record, 0, &mut sample);
                    let error = sigmoid(passes.forward(&sample)) - sample.target;
                    f64::from(error * error)
                };
                records.iter().map(error).sum()
            })
            .collect();
        (sums.into_iter().sum::<f64>() / self.records.validation.len().max(1) as f64) as f32
    }

    /// Returns the header of a checkpoint: everything that determines the training.
    fn identity(&self) -> Vec<u8> {
        let TrainingConfig {
            hidden,
            symmetric,
            epochs,
            batch,
            rate,
            decay,
            value_share,
            lambda,
            scale,
            held_out,
            seed,
        } = self.config;
        let symmetric = if symmetric { ", symmetric" } else { "" };
        let NetworkShape { features, count, hidden: half, stages, points, narrow, .. } = self.model.shape();
        let points = if *points > 0 { format!(", points: {points}") } else { String::new() };
        let narrow = if *narrow { ", narrow" } else { "" };
        let lambda = if lambda > 0.0 { format!(", lambda: {lambda:?}") } else { String::new() };
        // The names of this version's first files.
        let text = format!(
            "AGON CHECKPOINT 3\nLesson {{ hidden: {hidden}, epochs: {epochs}, batch: {batch}, rate: {rate:?}, \
             decay: {decay:?}, value_share: {value_share:?}, scale: {scale}, held_out: {held_out}, \
             seed: {seed}{lambda}{symmetric} }}\n\
             {:?}\nShape {{ features: {features:?}, count: {count}, hidden: {half}, \
             stages: {stages}{points}{narrow} }}\n{:?}",
            self.counts(),
            self.started_from
        );
        let taught: String = self.taught_by.iter().flat_map(|hash| ["\ntaught by ", hash]).collect();
        let text = text + &taught;
        [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
    }

    /// Writes everything needed to resume, replacing the file.
    ///
    /// # Errors
    /// [`CheckpointError::File`] when the system refuses.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let mut bytes = self.identity();
        bytes.extend((self.epochs.len() as u32).to_le_bytes());
        bytes.extend(self.adam.steps.to_le_bytes());
        bytes
            .extend(self.epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]).flat_map(f32::to_le_bytes));
        for numbers in [&self.fine.weights, &self.adam.means, &self.adam.squares] {
            append(&mut bytes, numbers);
        }
        Ok(write_atomically(path, bytes)?)
    }

    /// Resumes from a checkpoint; does nothing if there is none.
    ///
    /// # Errors
    /// [`CheckpointError`] when it cannot be read, or belongs to another training.
    pub fn resume(&mut self, path: &Path) -> Result<(), CheckpointError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(FileError::on("read", path)(error).into()),
        };
        self.restore(&bytes).ok_or_else(|| CheckpointError::Other(path.to_owned()))
    }

    fn restore(&mut self, bytes: &[u8]) -> Option<()> {
        let rest = bytes.strip_prefix(self.identity().as_slice())?;
        let (head, rest) = rest.split_at_checked(8)?;
        let word = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).ok();
        let (epochs, steps) = (word(&head[..4])? as usize, word(&head[4..])?);
        let (losses, rest) = rest.split_at_checked(epochs.checked_mul(8)?)?;
        let size = 4 * self.model.weights.len();
        if rest.len() != 3 * size {
            return None;
        }
        let losses = numbers(losses);
        self.epochs = losses.chunks_exact(2).map(|pair| Epoch { training: pair[0], validation: pair[1] }).collect();
        self.fine = Model::from_weights(self.fine.shape().clone(), numbers(&rest[..size]))?;
        self.model = self.fine.rounded();
        self.adam = Adam { means: numbers(&rest[size..2 * size]), squares: numbers(&rest[2 * size..]), steps };
        Some(())
    }
}

// These two see every weight of a network. They are not generic, so that this crate's optimisation holds for them.

/// Appends numbers, least significant byte first.
fn append(bytes: &mut Vec<u8>, numbers: &[f32]) {
    bytes.reserve(4 * numbers.len());
    for number in numbers {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

/// The numbers of these bytes, as [`append`] writes them.
fn numbers(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

#[cfg(test)]
mod tests {
    use agon_engines::bacteria::Windows;

    use super::*;
    use crate::bacteria::BacteriaRecord;

    #[test]
    fn checkpoints_of_this_version_keep_their_header() {
        let config = TrainingConfig {
            hidden: 32,
            symmetric: false,
            epochs: 3,
            batch: 64,
            rate: 0.005,
            decay: 0.0,
            value_share: 0.5,
            lambda: 0.0,
            scale: 400,
            held_out: 10,
            seed: 1,
        };
        let mut trainer = Trainer::<BacteriaRecord, Windows>::new(Vec::new(), config);
        trainer.started_from = Some("12ab".to_owned());
        let expected = "AGON CHECKPOINT 3\nLesson { hidden: 32, epochs: 3, batch: 64, rate: 0.005, decay: 0.0, \
            value_share: 0.5, scale: 400, held_out: 10, seed: 1 }\n[0, 0]\n\
            Shape { features: \"FEATURES\", count: COUNT, hidden: 32, stages: STAGES, narrow }\nSome(\"12ab\")";
        let expected = expected
            .replace("FEATURES", <Windows as Features<_>>::NAME)
            .replace("COUNT", &<Windows as Features<_>>::COUNT.to_string())
            .replace("STAGES", &<Windows as Features<_>>::STAGES.to_string());
        assert_eq!(String::from_utf8_lossy(&trainer.identity()[4..]), expected);
    }
}
