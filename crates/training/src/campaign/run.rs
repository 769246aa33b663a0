//! Running a campaign.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use agon_game::hash::hex;
use agon_jobs::{FileError, Progress, Stop, write_atomically};
use sha2::{Digest, Sha256};

use super::gate::{Gate, GateScore, GateVerdict, Judge};
use super::options::{CampaignGames, CampaignOptions, differences};
use super::record::{CampaignFile, CampaignFolder, DataRecord, GateRecord, GenerationRecord};
use super::record::{SelfplayRecord, TrainingRecord};
use crate::contender::NetworkError;
use crate::dataset::DataError;
use crate::network::{NetworkTraining, NetworkTrainingError, TrainingEvent, check_symmetric, train};
use crate::selfplay::{Generated, Selfplay};
use crate::{Contender, Epoch, TrainedGame, duel};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Name of the hand-made evaluation.
const CLASSIC: &str = "classic";

/// A campaign whose folder is locked.
#[derive(Debug)]
pub struct Campaign<S> {
    folder: CampaignFolder,
    file: CampaignFile,
    options: CampaignOptions<S>,
    /// Held while the campaign runs; the system gives the lock back when the program dies.
    _lock: File,
}

/// Options that may differ from start to start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CampaignLimits {
    pub generations: usize,
    pub threads: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CampaignStep {
    /// The newest accepted network plays itself.
    Selfplay,
    Training,
    /// It plays the newest accepted one, with `nodes` nodes per move.
    Gate,
    /// It does so by the clock.
    ClockGate,
}

#[derive(Clone, Copy, Debug)]
pub enum CampaignEvent<'a> {
    /// A step starts or resumes.
    Begun(CampaignStep, &'a GenerationRecord),
    /// An epoch of a training is done: its number, from 1, and its losses.
    Epoch(usize, Epoch, &'a GenerationRecord),
    Done(CampaignStep, &'a GenerationRecord),
    /// A generation is done: its network is promoted, or not.
    Finished(&'a GenerationRecord),
}

pub type CampaignListener<'a> = &'a mut (dyn FnMut(CampaignEvent<'_>) -> io::Result<()> + Send);

#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Training(#[from] NetworkTrainingError),
    #[error("cannot report the campaign")]
    Report(#[from] io::Error),
    #[error("`{folder}` holds a campaign of {found}, not of {expected}: name another folder")]
    Game { folder: PathBuf, found: String, expected: &'static str },
    #[error("`{folder}` holds a campaign with {changed}: leave them out to go on with it, or name another folder")]
    Changed { folder: PathBuf, changed: String },
    #[error("`{0}` has records of generations, but no campaign.toml: name another folder")]
    Headless(PathBuf),
    #[error("another process is at work in `{0}`: wait for it, or look at it with --status")]
    Busy(PathBuf),
    #[error("`{0}` is not the file that was recorded: put that one back, or begin anew in another folder")]
    Altered(PathBuf),
}

/// The name of a player, and where its network is.
struct Player {
    name: String,
    /// `classic`, or the path of a net file.
    text: String,
}

struct Work<'a> {
    threads: usize,
    judge: Judge<'a>,
    stop: &'a Stop,
    progress: &'a dyn Progress,
    listener: CampaignListener<'a>,
}

/// The options of the campaign in a folder; `None` when there is none.
///
/// # Errors
/// [`CampaignError`] when the folder cannot be read, or holds a campaign of another game.
pub fn recorded_options<S: CampaignGames>(folder: &Path) -> Result<Option<CampaignOptions<S>>, CampaignError> {
    let path = CampaignFolder(folder.to_owned()).campaign();
    let Some(file) = CampaignFolder::read::<CampaignFile>(&path)? else { return Ok(None) };
    let expected = S::Game::GAME.name();
    if file.game != expected {
        return Err(CampaignError::Game { folder: folder.to_owned(), found: file.game, expected });
    }
    Ok(Some(CampaignOptions::of_table(file.options).map_err(FileError::on("read", &path))?))
}

impl<S: CampaignGames> Campaign<S> {
    /// Starts a campaign in a folder, which is created if necessary, or opens an existing one.
    ///
    /// # Errors
    /// [`CampaignError`] when another process has it, it has other options, or the system refuses.
    pub fn open(folder: &Path, options: CampaignOptions<S>) -> Result<Self, CampaignError> {
        fs::create_dir_all(folder).map_err(FileError::on("make", folder))?;
        let folder = CampaignFolder(folder.to_owned());
        let path = folder.lock();
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(FileError::on("write", &path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(CampaignError::Busy(folder.0)),
            Err(TryLockError::Error(error)) => return Err(FileError::on("lock", &path)(error).into()),
        }
        let path = folder.campaign();
        let table = options.table().map_err(FileError::on("write", &path))?;
        let file = match CampaignFolder::read::<CampaignFile>(&path)? {
            Some(file) => {
                recorded_options::<S>(&folder.0)?;
                let changed = differences(&file.options, &table);
                if !changed.is_empty() {
                    let changed =
                        changed.into_iter().map(|(name, [there, here])| format!("--{name} {there}, not {here}"));
                    let changed = changed.collect::<Vec<_>>().join("; ");
                    return Err(CampaignError::Changed { folder: folder.0, changed });
                }
                file
            }
            None if folder.of(1, "toml").exists() => return Err(CampaignError::Headless(folder.0)),
            None => {
                let contender = Contender::<S::Game>::read(&options.net, Default::default())?;
                let start = contender.network();
                if options.symmetric {
                    let start = start.filter(|_| options.warm_start).map(AsRef::as_ref);
                    check_symmetric::<S::Game>(start.map_or(options.hidden, |network| network.shape().hidden), start)?;
                }
                if let Some(network) = start {
                    write_atomically(&folder.of(0, "net"), network.write())?;
                }
                let game = S::Game::GAME.name().to_owned();
                let file = CampaignFile { game, agon: VERSION.to_owned(), start: contender.name, options: table };
                CampaignFolder::write(&path, &file)?;
                file
            }
        };
        Ok(Self { folder, file, options, _lock: lock })
    }

    pub const fn options(&self) -> &CampaignOptions<S> {
        &self.options
    }

    /// Makes generations until there are as many as the limits say, which is true, or `stop` is raised.
    ///
    /// # Errors
    /// [`CampaignError`] when a file cannot be used, or the listener fails.
    pub fn run(
        &self,
        limits: CampaignLimits,
        judge: Judge<'_>,
        stop: &Stop,
        progress: &dyn Progress,
        listener: CampaignListener<'_>,
    ) -> Result<bool, CampaignError> {
        let mut records = self.folder.records()?;
        let mut work = Work { threads: limits.threads, judge, stop, progress, listener };
        for generation in 1..=limits.generations {
            let player = self.player(&records)?;
            if records.len() < generation {
                records.push(GenerationRecord::new(&self.file, generation, VERSION));
            }
            let (before, rest) = records.split_at_mut(generation - 1);
            let record = &mut rest[0];
            if record.accepted.is_some() {
                continue;
            }
            if !(self.selfplay(record, &player, &mut work)?
                && self.train(before, record, &player, &mut work)?
                && self.gates(record, &player, &mut work)?)
            {
                return Ok(false);
            }
            let accepted = record.gates.iter().all(|gate| gate.verdict == GateVerdict::Accepted);
            record.accepted = Some(accepted);
            self.keep(record)?;
            (work.listener)(CampaignEvent::Finished(record))?;
        }
        self.player(&records)?;
        Ok(true)
    }

    /// Returns the newest accepted network, or the first player; a copy of its file is in the expected place.
    fn player(&self, records: &[GenerationRecord]) -> Result<Player, CampaignError> {
        let accepted = records.iter().rfind(|record| record.accepted == Some(true));
        let (generation, name) = match accepted {
            Some(record) => (record.generation, record.network().unwrap_or_default()),
            None if self.file.start == CLASSIC => {
                return Ok(Player { name: CLASSIC.to_owned(), text: CLASSIC.to_owned() });
            }
            None => (0, self.file.start.as_str()),
        };
        let path = self.folder.of(generation, "net");
        let text = path.display().to_string();
        let contender = Contender::<S::Game>::read(&text, Default::default())?;
        if !name.starts_with(&contender.name) {
            return Err(CampaignError::Altered(path));
        }
        if let Some(network) = contender.network().filter(|_| accepted.is_some()) {
            let (copy, bytes) = (self.folder.accepted(), network.write());
            if fs::read(&copy).ok().as_ref() != Some(&bytes) {
                write_atomically(&copy, bytes)?;
            }
        }
        Ok(Player { name: contender.name, text })
    }

    fn keep(&self, record: &GenerationRecord) -> Result<(), FileError> {
        CampaignFolder::write(&self.folder.of(record.generation, "toml"), record)
    }

    /// Plays the games of a generation; false when it was stopped before the last one.
    fn selfplay(
        &self,
        record: &mut GenerationRecord,
        player: &Player,
        work: &mut Work<'_>,
    ) -> Result<bool, CampaignError> {
        if record.selfplay.is_some() {
            return Ok(true);
        }
        (work.listener)(CampaignEvent::Begun(CampaignStep::Selfplay, record))?;
        let generation = record.generation;
        let path = self.folder.of(generation, "positions");
        let &CampaignOptions { imbalance, games, .. } = &self.options;
        let (nodes, seed) = (self.options.nodes.at(generation), self.options.seed(generation));
        let wanted = self.options.positions.at(generation);
        let contender = Contender::read(&player.text, Default::default())?;
        let start = Instant::now();
        let selfplay = Selfplay { nodes, imbalance, seed, games };
        let Generated { positions, games, made, text } =
            selfplay.fill(&path, &contender, wanted, work.threads, work.stop, work.progress)?;
        if positions < wanted {
            return Ok(false);
        }
        record.selfplay = Some(SelfplayRecord {
            player: player.name.clone(),
            nodes,
            seed,
            text,
            positions,
            games: games as u64,
            sha256: sha256(&path)?,
            per_second: rate(made, start),
        });
        self.keep(record)?;
        (work.listener)(CampaignEvent::Done(CampaignStep::Selfplay, record))?;
        Ok(true)
    }

    /// Trains the network of a generation; false when it was stopped before the last epoch.
    fn train(
        &self,
        before: &[GenerationRecord],
        record: &mut GenerationRecord,
        player: &Player,
        work: &mut Work<'_>,
    ) -> Result<bool, CampaignError> {
        let generation = record.generation;
        let first = generation.saturating_sub(self.options.window.max(1)) + 1;
        let played = before.iter().chain([&*record]).filter(|record| record.generation >= first);
        let data: Vec<DataRecord> = played
            .filter_map(|record| {
                let SelfplayRecord { positions, sha256, .. } = record.selfplay.clone()?;
                Some(DataRecord { generation: record.generation, positions, sha256 })
            })
            .collect();
        let from = (self.options.warm_start && player.text != CLASSIC).then(|| player.text.clone());
        let started_from = from.is_some().then(|| player.name.clone());
        let job = NetworkTraining {
            data: data.iter().map(|data| self.folder.of(data.generation, "positions")).collect(),
            out: self.folder.of(generation, "net"),
            from,
            teachers: Vec::new(),
            config: self.options.training(generation),
            jobs: Some(work.threads),
        };
        if record.network().is_some() {
            // A kill may have come between the record and this.
            job.remove_checkpoint()?;
            return Ok(true);
        }
        (work.listener)(CampaignEvent::Begun(CampaignStep::Training, record))?;
        for (path, data) in job.data.iter().zip(&data) {
            if sha256(path)? != data.sha256 {
                return Err(CampaignError::Altered(path.clone()));
            }
        }
        let mut learnt = TrainingRecord {
            seed: job.config.seed,
            value_share: self.options.value_share.at(generation),
            start: started_from,
            learnt: 0,
            held_out: 0,
            duplicates: 0,
            losses: Vec::new(),
            network: None,
            rounding: None,
            per_second: None,
            data,
        };
        let (mut start, mut made) = (Instant::now(), 0);
        let listener = &mut *work.listener;
        let listener = &mut |event: TrainingEvent| {
            match event {
                TrainingEvent::Started { training, validation, duplicates, epochs } => {
                    (learnt.learnt, learnt.held_out, learnt.duplicates) = (training, validation, duplicates);
                    learnt.losses = epochs.into_iter().map(losses).collect();
                    start = Instant::now();
                    record.training = Some(learnt.clone());
                }
                TrainingEvent::Epoch { number, epoch } => {
                    learnt.losses.push(losses(epoch));
                    made += learnt.learnt as u64;
                    learnt.per_second = rate(made, start);
                    record.training = Some(learnt.clone());
                    listener(CampaignEvent::Epoch(number, epoch, record))?;
                }
            }
            self.keep(record).map_err(io::Error::other)
        };
        let Some(trained) = train::<S::Game>(&job, work.stop, work.progress, listener)? else { return Ok(false) };
        learnt.network = Some(trained.hash);
        learnt.rounding = Some([trained.difference.mean, trained.difference.most].map(digits));
        record.training = Some(learnt);
        self.keep(record)?;
        job.remove_checkpoint()?;
        (work.listener)(CampaignEvent::Done(CampaignStep::Training, record))?;
        Ok(true)
    }

    /// Plays the gates of a generation until one is not passed; false when it was stopped before.
    fn gates(
        &self,
        record: &mut GenerationRecord,
        player: &Player,
        work: &mut Work<'_>,
    ) -> Result<bool, CampaignError> {
        let CampaignOptions { gate_nodes, gate_clock, gate_games, gate_clock_games, .. } = &self.options;
        let by_nodes = (CampaignStep::Gate, "nodes", None, *gate_games);
        let by_clock = gate_clock.map(|ms| (CampaignStep::ClockGate, "clock", Some(ms), *gate_clock_games));
        for (at, (step, name, clock, games)) in [by_nodes].into_iter().chain(by_clock).enumerate() {
            if record.gates.iter().any(|gate| gate.verdict != GateVerdict::Accepted) {
                break;
            }
            if record.gates.len() > at {
                continue;
            }
            (work.listener)(CampaignEvent::Begun(step, record))?;
            let net = self.folder.of(record.generation, "net").display().to_string();
            let seed = self.options.seed(record.generation);
            let gate = Gate::<S::Game> {
                contenders: [
                    Contender::read(&net, Default::default())?,
                    Contender::read(&player.text, Default::default())?,
                ],
                task: duel::task(*gate_nodes, clock),
                pairs: games / 2,
                openings: self.options.gate_openings,
                seed,
            };
            let path = self.folder.of(record.generation, &format!("{name}.gate"));
            let Some(GateScore { counts, judgement }) =
                gate.play(&path, work.judge, work.threads, work.stop, work.progress)?
            else {
                return Ok(false);
            };
            record.gates.push(GateRecord {
                against: player.name.clone(),
                nodes: clock.is_none().then_some(*gate_nodes),
                clock_ms: clock,
                openings: gate.openings,
                seed,
                counts,
                elo: judgement.elo.map(digits),
                llr: digits(judgement.llr),
                verdict: match judgement.decided {
                    Some(true) => GateVerdict::Accepted,
                    Some(false) => GateVerdict::Rejected,
                    None => GateVerdict::Undecided,
                },
            });
            self.keep(record)?;
            (work.listener)(CampaignEvent::Done(step, record))?;
        }
        Ok(true)
    }
}

/// The losses of an epoch, with as many digits as single precision has.
fn losses(epoch: Epoch) -> [f64; 2] {
    [epoch.training, epoch.validation].map(|loss| digits(loss.into()))
}

/// A number with as many digits as matter.
fn digits(number: f64) -> f64 {
    if number.is_finite() { (number * 1e7).round() / 1e7 } else { number }
}

/// Returns the rate per second since then; `None` if nothing was produced.
fn rate(made: u64, since: Instant) -> Option<f64> {
    (made > 0).then(|| (made as f64 / since.elapsed().as_secs_f64().max(1e-9)).round())
}

fn sha256(path: &Path) -> Result<String, FileError> {
    let io = FileError::on::<io::Error>("read", path);
    let mut file = File::open(path).map_err(&io)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(read) => hasher.update(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(io(error)),
        }
    }
}
