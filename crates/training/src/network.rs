//! Training a network from files of positions, and recording its provenance.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use agon_jobs::progress::count;
use agon_jobs::{FileError, Progress, Stop, write_atomically};
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::nnue::network::ShapeError;
use agon_search::nnue::simd::LANES;
use agon_search::nnue::{Features as _, Network};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use crate::contender::{NetworkError, read_network};
use crate::dataset::{self, DataError};
use crate::export::{Difference, compare};
use crate::teacher::teach;
use crate::trainer::{CheckpointError, StartError};
use crate::{Epoch, PositionRecord, TrainedGame, Trainer, TrainingConfig, curve, targets};

/// Positions on which the network in integers is compared with the one in floating point.
const COMPARED: usize = 20_000;

/// Inputs and outputs of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkTraining {
    pub data: Vec<PathBuf>,
    /// The net file to write. Beside it, with other endings: `.txt`, its history, `.svg`, its losses, and while it is
    /// trained `.checkpoint`.
    pub out: PathBuf,
    /// The network to start from, `champion` or a net file, instead of a random one. Its size and its symmetry are
    /// kept.
    pub from: Option<String>,
    /// Networks that provide the targets, `champion` or net files, instead of scores and results, if any: see
    /// [`teacher`](crate::teacher).
    pub teachers: Vec<String>,
    pub config: TrainingConfig,
    /// On how many threads; `None` for one on every core.
    pub jobs: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TrainingEvent {
    /// It starts or resumes.
    Started {
        /// Positions that are learnt from.
        training: usize,
        /// Positions that are held out.
        validation: usize,
        /// Records left out because a later one has the same board.
        duplicates: usize,
        epochs: Vec<Epoch>,
    },
    Epoch {
        /// Number, from 1.
        number: usize,
        epoch: Epoch,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct TrainedNetwork {
    pub hash: String,
    /// The losses of the last epoch.
    pub last: Epoch,
    /// Difference to the network trained in floating point.
    pub difference: Difference,
}

#[derive(Debug, thiserror::Error)]
pub enum NetworkTrainingError {
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{from}")]
    Start { from: String, source: StartError },
    #[error("{training} positions to learn from and {validation} held out: make more with `agon lab datagen {game}`")]
    TooFew { training: usize, validation: usize, game: &'static str },
    #[error("what networks see of {0} is the same under all symmetries: leave out --symmetric")]
    Symmetries(&'static str),
    #[error("a hidden layer of {hidden} numbers: with --symmetric a multiple of {parts} expected")]
    Parts { hidden: usize, parts: usize },
    #[error(
        "the network to start from is not the same under the symmetries of the board: \
         leave out --symmetric, or begin without a network"
    )]
    NotSymmetric,
    #[error("the threads to learn on")]
    Threads(#[from] ThreadPoolBuildError),
    #[error(transparent)]
    Quantised(#[from] ShapeError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot report the training")]
    Report(#[from] io::Error),
}

/// Trains a network until all epochs are done; `None` if `stop` was raised before. After every epoch the state is
/// saved, from which the same call resumes; once the network is written, the caller [removes
/// it](NetworkTraining::remove_checkpoint).
///
/// # Errors
/// [`NetworkTrainingError`] when a file cannot be used, or the listener fails.
pub fn train<G: TrainedGame>(
    job: &NetworkTraining,
    stop: &Stop,
    progress: &dyn Progress,
    listener: &mut (dyn FnMut(TrainingEvent) -> io::Result<()> + Send),
) -> Result<Option<TrainedNetwork>, NetworkTrainingError> {
    let threads = ThreadPoolBuilder::new().num_threads(job.jobs.unwrap_or_default()).build()?;
    threads.install(|| job.run::<G>(stop, progress, listener))
}

/// Checks that networks of a game can be the same under its symmetries, so large, and starting from this one, before
/// any game is played for that.
///
/// # Errors
/// [`NetworkTrainingError`] when they cannot.
pub fn check_symmetric<G: TrainedGame>(hidden: usize, start: Option<&Network>) -> Result<(), NetworkTrainingError> {
    let symmetries = G::Features::SYMMETRIES;
    if symmetries == 1 {
        return Err(NetworkTrainingError::Symmetries(G::GAME.name()));
    }
    if !hidden.is_multiple_of(symmetries * LANES) {
        return Err(NetworkTrainingError::Parts { hidden, parts: symmetries * LANES });
    }
    match start {
        Some(network) if network.shape().images == 1 => Err(NetworkTrainingError::NotSymmetric),
        _ => Ok(()),
    }
}

impl NetworkTraining {
    fn run<G: TrainedGame>(
        &self,
        stop: &Stop,
        progress: &dyn Progress,
        listener: &mut (dyn FnMut(TrainingEvent) -> io::Result<()> + Send),
    ) -> Result<Option<TrainedNetwork>, NetworkTrainingError> {
        let start = self.from.as_deref().map(read_network::<G>).transpose()?;
        let hidden = start.as_ref().map_or(self.config.hidden, |network| network.shape().hidden);
        if self.config.symmetric {
            check_symmetric::<G>(hidden, start.as_deref())?;
        }
        let teachers = self.teachers.iter().map(|net| read_network::<G>(net)).collect::<Result<Vec<_>, _>>()?;
        let mut records = Vec::new();
        let mut sources = String::new();
        for path in &self.data {
            let (mut read, text) = dataset::read::<G::Record>(path)?;
            let (name, made) = (file_name(path), text.replace('\n', ", "));
            sources += &format!("data {name}: {} positions of {made}", read.len());
            if teachers.is_empty() {
                sources += &self.set_targets(&mut read);
            }
            sources += "\n";
            records.extend(read);
        }
        if !teachers.is_empty() {
            records = teach::<G::Record, G::Features>(&teachers, &records, self.config.seed);
            sources.extend(teachers.iter().map(|teacher| format!("taught by net {}\n", teacher.hash())));
        }
        // A network that is the same under the symmetries of the board stays so.
        let symmetric = self.config.symmetric || start.as_ref().is_some_and(|network| network.shape().images > 1);
        let config = TrainingConfig { hidden, symmetric, ..self.config.clone() };
        let mut trainer = Trainer::<G::Record, G::Features>::new(records, config);
        if let Some(network) = &start {
            let from = || self.from.clone().unwrap_or_default();
            trainer = trainer
                .starting_from(network)
                .map_err(|source| NetworkTrainingError::Start { from: from(), source })?;
            sources += &format!("begun as net {}\n", network.hash());
        }
        trainer = trainer.taught_by(&teachers);
        let checkpoint = self.checkpoint();
        trainer.resume(&checkpoint)?;
        let [training, validation] = trainer.counts();
        if training == 0 || validation == 0 {
            return Err(NetworkTrainingError::TooFew { training, validation, game: G::GAME.name() });
        }
        let duplicates = trainer.duplicates();
        listener(TrainingEvent::Started { training, validation, duplicates, epochs: trainer.epochs().to_vec() })?;
        while !trainer.is_done() {
            let epoch = trainer.epoch(|step, steps| {
                if step == 1 {
                    progress.start(steps as u64, 0);
                }
                progress.set_position(step as u64);
                !stop.is_raised()
            });
            let Some(epoch) = epoch else { return Ok(None) };
            trainer.save(&checkpoint)?;
            listener(TrainingEvent::Epoch { number: trainer.epochs().len(), epoch })?;
        }
        let last = trainer.epochs().last().copied().unwrap_or(Epoch { training: 0.0, validation: 0.0 });
        let history = format!(
            "agon lab train {}{}\n{sources}{training} positions learnt from, {validation} held out, \
             {duplicates} left out as duplicates\n\
             mean squared error in points: {:.6} learnt from, {:.6} held out\n",
            G::GAME,
            self.options(),
            last.training,
            last.validation
        );
        let network = Arc::new(trainer.quantised(history.clone())?);
        let difference = compare(&trainer, &network, COMPARED);
        write_atomically(&self.out, network.write())?;
        let history = format!("{history}{difference}\nsha256 {}\n", network.hash());
        write_atomically(&self.out.with_extension("txt"), history)?;
        let title = format!("{} positions, hidden layer 2 × {hidden}", count(training as u64));
        write_atomically(&self.out.with_extension("svg"), curve::svg(&title, trainer.epochs()))?;
        Ok(Some(TrainedNetwork { hash: network.hash(), last, difference }))
    }

    /// Converts the scores of a file to targets; returns their scale, if it was fitted.
    fn set_targets<R: PositionRecord>(&self, records: &mut [R]) -> String {
        let TrainingConfig { lambda, scale, .. } = self.config;
        if lambda == 0.0 {
            return String::new();
        }
        let (found, note) = match targets::calibrated_scale(records, MAX_EVALUATION) {
            Some(found) => (found as f32, format!(", odds of e : 1 at {found:.0}")),
            None => (scale as f32, format!(", odds of e : 1, which its results do not show, taken to be at {scale}")),
        };
        targets::set_returns(records, lambda, found, scale as f32);
        note
    }

    fn checkpoint(&self) -> PathBuf {
        self.out.with_extension("checkpoint")
    }

    /// Removes the state of the training, so that the same call starts over.
    ///
    /// # Errors
    /// [`FileError`] when the system refuses.
    pub fn remove_checkpoint(&self) -> Result<(), FileError> {
        let checkpoint = self.checkpoint();
        match fs::remove_file(&checkpoint) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::on("remove", &checkpoint)(error)),
            _ => Ok(()),
        }
    }

    /// The options that decide the network, as the command line has them.
    fn options(&self) -> String {
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
        let symmetric = if symmetric { " --symmetric" } else { "" };
        let teachers: String =
            self.teachers.iter().flat_map(|net| [" --teacher ".to_owned(), file_name(Path::new(net))]).collect();
        let start = match &self.from {
            Some(net) => format!("--from {}", file_name(Path::new(net))),
            None => format!("--hidden {hidden}"),
        };
        format!(
            " {start}{symmetric}{teachers} --epochs {epochs} --batch {batch} --rate {rate} --decay {decay} \
             --value-share {value_share} --lambda {lambda} --scale {scale} --held-out {held_out} --seed {seed}"
        )
    }
}

/// Returns the name of a file without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.display().to_string())
}
