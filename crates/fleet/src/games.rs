//! Games that no plan has numbered, those of a site: each has a number that no other ever has, and brings its own terms.
//!
//! Games whose programs are written in the same languages are one run, so that a worker refuses what it cannot play once and not
//! game by game.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::plan::{Entrant, Kind};
use agon_arena::runner::queue::MOST_DELIVERIES;
use agon_arena::runner::{Arrivals, PlayedSlot};
use agon_arena::slot::Slot;
use agon_arena::store::{Quarantine, unpack};
use agon_catalog::{Game, Setup};
use agon_referee::agent::{Language, PortableAgent};
use agon_referee::limits::GameLimits;
use agon_referee::record::Record;
use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::audit::MOST_TRIES;
use crate::connect::Fleet;
use crate::error::FleetError;
use crate::notice::{RunNotice, RunStatus, WorkerStatus, now_ms};
use crate::overview::DeadJob;
use crate::publish::until_kept;
use crate::second::{SecondPlay, first_points};
use crate::site::{GameKind, Heard, State, distrust, locked, quarantine};
use crate::submit::{Advisory, RunTerms, announce, fetch, purge, results_queue};
use crate::wire::{self, Content, GameTerms, MoveNews, SlotResult};
use crate::{identity, programs, subjects};

/// How often it is looked whether a game is to be waited for any longer.
const PATIENCE: Duration = Duration::from_millis(200);

/// How often the runs of a site tell how they stand.
const BEAT: Duration = Duration::from_secs(1);

/// How often it is looked whether the server still knows of a game that nobody plays.
const LOOK: Duration = Duration::from_secs(30);

/// Of how many workers a run tells how many of their games have been played again.
const MOST_AUDITS: usize = 200;

/// How long the result that an earlier process has left may take to arrive.
const LEFT_WAIT: Duration = Duration::from_secs(2);

/// The pause before something is tried again.
const AGAIN: Duration = Duration::from_millis(250);

/// How long the server may take to end the runs.
const FAREWELL: Duration = Duration::from_secs(3);

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FleetPlayer {
    Builtin(String),
    Program {
        /// The name by which records know it.
        label: String,
        language: Language,
        /// Its source, a single file.
        source: String,
    },
}

impl FleetPlayer {
    /// The name by which records know it.
    pub fn label(&self) -> &str {
        match self {
            Self::Builtin(name) => name,
            Self::Program { label, .. } => label,
        }
    }

    /// The word by which records say of which kind it is.
    fn kind(&self) -> &'static str {
        match self {
            Self::Builtin(_) => "builtin",
            Self::Program { language, .. } => language.name(),
        }
    }
}

/// A game to be played.
#[derive(Clone, PartialEq, Debug)]
pub struct FleetGame {
    pub id: u32,
    pub game: Game,
    /// Its parameters, and the seed.
    pub setup: Setup,
    pub limits: GameLimits,
    pub players: [FleetPlayer; 2],
    /// Whether a program that does not compile has lost; else that is the machine's fault, and another one is to try.
    pub check: bool,
}

/// What is heard of a game while it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameNews {
    /// It begins, perhaps once more on another machine.
    Started { clocks: [Duration; 2] },
    /// A move has been played, as the worker says: nothing has proved it yet.
    Moved {
        /// The number of the seat.
        side: usize,
        /// The move in the judge's notation.
        arguments: String,
        wall: Duration,
        clocks: [Duration; 2],
    },
}

/// Why a game has no result.
#[derive(Debug, thiserror::Error)]
pub enum GameFailure {
    #[error(transparent)]
    Fleet(#[from] FleetError),
    #[error("nobody waits for it any longer")]
    Stopped,
    #[error("a worker cannot play it: {0}")]
    Refused(String),
    #[error("it is given up: it was handed out {MOST_DELIVERIES} times, and no worker has ended it")]
    GivenUp,
}

/// What the server keeps of a game that has been played, until [`GameQueue::stored`].
pub struct Receipt {
    message: Message,
    worker: String,
    /// The game, if it may be played again.
    play: Option<SecondPlay>,
}

impl Receipt {
    pub fn worker(&self) -> &str {
        &self.worker
    }
}

/// The run in which a game is played.
fn kind(game: Game, players: [&FleetPlayer; 2]) -> GameKind {
    let language = |player: &FleetPlayer| match player {
        FleetPlayer::Builtin(_) => None,
        FleetPlayer::Program { language, .. } => Some(language.name()),
    };
    GameKind { game, languages: players.into_iter().filter_map(language).collect() }
}

/// The queue of a site's games. Any number of threads wait for theirs.
pub struct GameQueue {
    fleet: Fleet,
    /// Tells the runs of this site from others'.
    site: String,
    session: String,
    terms: RunTerms,
    state: Arc<Mutex<State>>,
    /// Held while a run is announced.
    opening: Mutex<()>,
    jobs: Jobs,
}

/// Hands out jobs, each under a name of its own.
#[derive(Clone)]
struct Jobs {
    fleet: Fleet,
    session: String,
    sent: Arc<AtomicU64>,
}

impl Jobs {
    /// Hands out a game, for all workers or for all but these. Whether the server has it.
    fn send<'a>(
        &self,
        run: &str,
        payload: &Bytes,
        not_by: impl IntoIterator<Item = &'a str>,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let name = format!("{run}.{}.{}", self.session, self.sent.fetch_add(1, Ordering::Relaxed));
        let headers = wire::job_headers(not_by);
        self.fleet.wait(until_kept(self.fleet.context(), &subjects::jobs(run), headers, &name, payload.clone(), stop))
    }
}

/// A game that the rules have proved.
struct Proved {
    worker: String,
    game: PlayedSlot,
    record: Record,
    message: Box<Message>,
}

impl GameQueue {
    /// Opens the queue of the site whose store this is. `left` are the games that were handed out by an earlier process and are
    /// going to be asked for again: what was played of them meanwhile counts. Nothing counts of those in quarantine.
    pub fn open(fleet: &Fleet, store: &Path, terms: RunTerms, left: &[u32], quarantined: &[Quarantine]) -> Self {
        let (again, results) = mpsc::channel();
        let mut state = State::new(left, terms.audit, again);
        for Quarantine { worker, why } in quarantined {
            state.shut_out(worker, why);
        }
        let state = Arc::new(Mutex::new(state));
        let tasks = vec![
            fleet.spawn(hear(fleet.clone(), Arc::clone(&state))),
            fleet.spawn(tell(fleet.clone(), Arc::clone(&state))),
        ];
        locked(&state).tasks = tasks;
        let session = identity::random();
        let jobs = Jobs { fleet: fleet.clone(), session: session.clone(), sent: Arc::default() };
        let comparing = (jobs.clone(), Arc::clone(&state));
        thread::spawn(move || compare(&comparing.0, &comparing.1, &results));
        let site = identity::run("site", store);
        Self { fleet: fleet.clone(), site, session, terms, state, opening: Mutex::default(), jobs }
    }

    /// How many games the workers that are there play at once.
    pub fn slots(&self) -> usize {
        locked(&self.state).workers().map(|worker| worker.slots).sum()
    }

    /// The languages of programs that some worker can run.
    pub fn languages(&self) -> BTreeSet<String> {
        let state = locked(&self.state);
        let workers = state.workers().filter(|worker| worker.jail.is_some());
        workers.flat_map(|worker| worker.languages.iter().cloned()).collect()
    }

    /// How many games wait for a machine that can play them, while none is there.
    pub fn stuck(&self) -> usize {
        let state = locked(&self.state);
        let stuck = |status: &&RunStatus| state.willing(Some(&status.run)).next().is_none();
        state.runs.values().filter(stuck).map(|status| status.out).sum()
    }

    pub fn is_connected(&self) -> bool {
        self.fleet.client().connection_state() == async_nats::connection::State::Connected
    }

    /// Whether some worker may play a game between these, as far as is known.
    pub fn can_play(&self, game: Game, players: [&FleetPlayer; 2]) -> bool {
        let state = locked(&self.state);
        let run = state.runs.get(&kind(game, players)).map(|status| status.run.as_str());
        state.willing(run).next().is_some()
    }

    /// Why nothing is played that should be, in words: the server is away, no worker is there, or all refuse a run.
    pub fn why_idle(&self) -> Option<String> {
        if !self.is_connected() {
            return Some(format!("the NATS server at {} is away", self.fleet.at()));
        }
        let state = locked(&self.state);
        if state.presence.present().all(|worker| state.is_shut_out(&worker.worker)) {
            return Some(format!("no worker is there; start some with `agon worker --nats {}`", self.fleet.at()));
        }
        let waits = |status: &&RunStatus| status.out > 0 && state.willing(Some(&status.run)).next().is_none();
        let mut idle: Vec<&RunStatus> = state.runs.values().filter(waits).collect();
        idle.sort_by(|a, b| a.run.cmp(&b.run));
        let status = idle.first()?;
        let mut whys: Vec<String> = Vec::new();
        for worker in state.presence.present() {
            let why = match worker.refused.get(&status.run) {
                Some(why) => why,
                None if state.is_shut_out(&worker.worker) => "it is in quarantine",
                None => "it finishes its games, and goes",
            };
            whys.push(format!("{}: {why}", worker.worker));
        }
        whys.sort();
        Some(format!("no worker can play {} ({}): {}", status.game, status.title, whys.join("; ")))
    }

    /// Has a game played, and waits for it as long as `stop` does not say otherwise. `news` hears of it meanwhile. The rules have
    /// proved the record.
    ///
    /// # Errors
    /// [`GameFailure`] says why there is no result. One that is stopped may be asked for again, by another process too.
    pub fn play(
        &self,
        game: &FleetGame,
        news: &mut dyn FnMut(GameNews),
        stop: &dyn Fn() -> bool,
    ) -> Result<(Record, Receipt), GameFailure> {
        let agents = game.players.iter().map(|player| self.notice(player)).collect::<Result<Vec<_>, FleetError>>()?;
        let terms = GameTerms { plan: plan(game), agents, check: game.check };
        let names: Vec<_> =
            game.players.iter().map(|player| (player.label().to_owned(), player.kind().to_owned())).collect();
        let mut arrivals = Arrivals::named(&terms.plan, names.clone(), self.terms.sign);
        let kind = kind(game.game, game.players.each_ref());
        let (sender, heard) = mpsc::channel();
        // From now on its result is told to this thread, one that is there already among them.
        let left = {
            let mut state = locked(&self.state);
            if let Some((result, message)) = state.early.remove(&game.id) {
                let _ = sender.send(Heard::Result(result, Box::new(message)));
            }
            state.waiting.insert(game.id, sender);
            state.expected.remove(&game.id)
        };
        let mut out = Out { queue: self, id: game.id, kind: kind.clone(), played: false };
        let run = self.run(&kind)?;
        let slot = Slot { number: game.id, seats: [0, 1], seed: game.setup.seed };
        let payload = wire::write_game(slot, &terms);
        let (mut looked, mut missing) = (Instant::now(), false);
        let hand_out = |not_by: Option<&str>| {
            if self.jobs.send(&run, &payload, not_by, stop) { Ok(()) } else { Err(GameFailure::Stopped) }
        };
        let (mut held, mut tries): (Option<Proved>, u32) = (None, 0);
        // What has been played before this process was started is told at once.
        let mut first = heard.recv_timeout(if left { LEFT_WAIT } else { Duration::ZERO }).ok();
        if first.is_none() {
            hand_out(None)?;
        }
        let played = loop {
            let told = match first.take() {
                Some(told) => Ok(told),
                None => heard.recv_timeout(PATIENCE),
            };
            match told {
                Ok(Heard::Result(result, message)) => {
                    let Some(found) = self.result(&run, &mut arrivals, &slot, result, message)? else {
                        hand_out(None)?;
                        continue;
                    };
                    tries += 1;
                    let disturbed = !found.game.alike && found.game.summary.disturbed != [0; 2];
                    if !disturbed || tries >= MOST_TRIES || !locked(&self.state).others(&run, &[&found.worker]) {
                        break found;
                    }
                    // Its machine has falsified its clocks, and another one may not.
                    let _ = self.fleet.wait(found.message.ack());
                    hand_out(Some(&found.worker))?;
                    held = Some(found);
                }
                Ok(Heard::Move(told)) => news(told.news()),
                Ok(Heard::GivenUp) => match held.take() {
                    // A disturbed game is better than none.
                    Some(found) if !locked(&self.state).is_shut_out(&found.worker) => break found,
                    Some(_) => hand_out(None)?,
                    None => return Err(GameFailure::GivenUp),
                },
                Err(RecvTimeoutError::Disconnected) => return Err(GameFailure::Stopped),
                Err(RecvTimeoutError::Timeout) if stop() => return Err(GameFailure::Stopped),
                Err(RecvTimeoutError::Timeout) => {
                    if looked.elapsed() > LOOK {
                        looked = Instant::now();
                        // Twice: in between it may have been on its way. Played twice is stored once.
                        let before = std::mem::replace(&mut missing, self.is_missing(&run, game.id));
                        if before && missing {
                            hand_out(None)?;
                        }
                    }
                }
            }
        };
        out.played = true;
        drop(out);
        let Proved { worker, game, record, message } = played;
        let play = SecondPlay::new(&run, slot, &terms, &names, &worker, &game);
        Ok((record, Receipt { message: *message, worker, play }))
    }

    /// A game that has been played is stored: until this is said it is told again to whoever asks for it after a restart. A share of
    /// the games is played again by others, to see whether they end as they were said to.
    pub fn stored(&self, receipt: Receipt) {
        let Receipt { message, worker, play } = receipt;
        // One that is lost is delivered again, and known to be stored.
        let _ = self.fleet.wait(message.ack());
        let Some(play) = play else { return };
        let begun = {
            let mut state = locked(&self.state);
            state.others(&play.run, &[&worker]) && state.second.draws(&worker) && state.second.begin(play.clone())
        };
        if begun {
            play_again(&self.jobs, &play);
        }
    }

    /// The record of a game, if the rules prove it.
    fn result(
        &self,
        run: &str,
        arrivals: &mut Arrivals,
        slot: &Slot,
        result: SlotResult,
        message: Box<Message>,
    ) -> Result<Option<Proved>, GameFailure> {
        let acknowledge = || drop(self.fleet.wait(message.ack()));
        let SlotResult { worker, content, .. } = result;
        if locked(&self.state).is_shut_out(&worker) {
            acknowledge();
            return Ok(None);
        }
        let packed = match content {
            Content::Failed(reason) => {
                acknowledge();
                return Err(GameFailure::Refused(reason));
            }
            Content::Record(record) => Some(record),
            Content::Object(name) => self.fleet.wait(fetch(&self.fleet, &name)),
        };
        let taken = match &packed {
            Some(packed) => arrivals.take(slot, packed).map_err(|error| error.to_string()),
            None => Err("it cannot be found in the object store".to_owned()),
        };
        // The record once more, signed if it is to be.
        let read = taken.and_then(|game| {
            let text = unpack(&game.record)?;
            Ok((game, Record::read(&text).map_err(|error| error.to_string())?))
        });
        match read {
            Ok((game, record)) => Ok(Some(Proved { worker, game, record, message })),
            Err(problem) => {
                acknowledge();
                let what = format!("the record of game {} from worker {worker} is refused: {problem}", slot.number);
                distrust(&self.fleet, &self.state, run, &worker, what);
                Ok(None)
            }
        }
    }

    /// The workers who have been found out since this was asked last: none of their games is to count any longer.
    pub fn found_out(&self) -> Vec<Quarantine> {
        std::mem::take(&mut locked(&self.state).found_out)
    }

    /// What went wrong since this was asked last.
    pub fn faults(&self) -> Vec<String> {
        std::mem::take(&mut locked(&self.state).faults)
    }

    /// Whether nobody plays a game and no job waits that could be it.
    fn is_missing(&self, run: &str, id: u32) -> bool {
        if !self.is_connected() || locked(&self.state).presence.holder(run, id) {
            return false;
        }
        self.fleet.wait(async {
            match self.fleet.context().get_stream(subjects::JOBS).await {
                Ok(stream) => match stream.consumer_info(run).await {
                    Ok(info) => info.num_pending == 0,
                    Err(_) => false,
                },
                Err(_) => false,
            }
        })
    }

    /// What stands behind a player, its source where workers find it.
    fn notice(&self, player: &FleetPlayer) -> Result<PortableAgent, FleetError> {
        let known_as = player.label().to_owned();
        let sources = match player {
            FleetPlayer::Builtin(_) => None,
            FleetPlayer::Program { language, source, .. } => Some(programs::send_text(&self.fleet, *language, source)?),
        };
        Ok(PortableAgent { known_as, sources })
    }

    /// The run of these games, announced if it is the first of them; one more game of it is out.
    fn run(&self, kind: &GameKind) -> Result<String, FleetError> {
        let known = |state: &mut State| {
            let status = state.runs.get_mut(kind)?;
            status.out += 1;
            Some(status.run.clone())
        };
        if let Some(run) = known(&mut locked(&self.state)) {
            return Ok(run);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(run) = known(&mut locked(&self.state)) {
            return Ok(run);
        }
        let (run, status) = self.announce(kind)?;
        let tasks = [
            self.fleet.spawn(results(self.fleet.clone(), run.clone(), Arc::clone(&self.state))),
            self.fleet.spawn(hear_run(self.fleet.clone(), run.clone(), Arc::clone(&self.state))),
        ];
        let mut state = locked(&self.state);
        state.tasks.extend(tasks);
        state.runs.insert(kind.clone(), status);
        drop(state);
        Ok(run)
    }

    fn announce(&self, kind: &GameKind) -> Result<(String, RunStatus), FleetError> {
        let languages: Vec<String> = kind.languages.iter().map(ToString::to_string).collect();
        let name = format!("{} {} {}", self.site, kind.game.name(), languages.join(" "));
        let run = identity::digest(&name);
        let plan = Plan { agents: Vec::new(), ..empty(kind.game) };
        let notice = RunNotice {
            run: run.clone(),
            revision: self.session.clone(),
            plan,
            agents: Vec::new(),
            agon: identity::VERSION.to_owned(),
            data: identity::data_digest().to_owned(),
            processors: self.terms.processors,
            labels: self.terms.labels.clone(),
            languages: Some(languages),
            ack_wait_ms: self.terms.ack_wait.as_millis() as u64,
        };
        self.fleet.wait(announce(&self.fleet, &notice, self.terms.ack_wait))?;
        let status = RunStatus {
            run: run.clone(),
            revision: self.session.clone(),
            host: identity::host(),
            title: kind.title(),
            game: kind.game.name().to_owned(),
            agents: Vec::new(),
            played: 0,
            games: 0,
            out: 1,
            per_minute: 0.0,
            faults: Vec::new(),
            quarantined: Vec::new(),
            audits: BTreeMap::new(),
            ended: false,
            now_ms: now_ms(),
        };
        Ok((run, status))
    }
}

/// Has a game played again by others than those who have played it.
fn play_again(jobs: &Jobs, play: &SecondPlay) {
    let payload = wire::write_game(play.slot, &play.terms);
    // A server that is away is no reason to wait: what is not played again is not compared.
    jobs.send(&play.run, &payload, play.players(), &|| true);
}

/// Compares the games that are played again, until the queue is closed.
fn compare(jobs: &Jobs, state: &Mutex<State>, results: &Receiver<(SlotResult, Box<Message>)>) {
    let fleet = &jobs.fleet;
    for (SlotResult { slot, worker, content }, message) in results {
        let _ = fleet.wait(message.ack());
        let play = {
            let mut state = locked(state);
            let Some(play) = state.second.end(slot) else { continue };
            // Delivered twice, or of somebody whose word does not count.
            if state.is_shut_out(&worker) || play.players().any(|player| player == worker) {
                state.second.begin(play);
                continue;
            }
            play
        };
        let packed = match content {
            Content::Record(record) => Some(record),
            Content::Object(name) => fleet.wait(fetch(fleet, &name)),
            Content::Failed(_) => None,
        };
        let Some(packed) = packed else { continue };
        let game = match Arrivals::named(&play.terms.plan, play.names.clone(), None).take(&play.slot, &packed) {
            Ok(game) => game,
            Err(problem) => {
                let what = format!("the record of game {slot} from worker {worker} is refused: {problem}");
                distrust(fleet, state, &play.run, &worker, what);
                continue;
            }
        };
        let Some(points) = first_points(&game) else { continue };
        let (run, first) = (play.run.clone(), play.players().next().unwrap_or_default().to_owned());
        let (third, outlier) = {
            let mut state = locked(state);
            let second = play.players().count() == 1;
            let (differed, third) = state.second.compare(play, &worker, points);
            if second {
                state.count_audit(&run, &first, differed);
            }
            let third = third.filter(|play| {
                let players: Vec<&str> = play.players().collect();
                state.others(&run, &players) && state.second.begin(play.clone())
            });
            (third, state.second.outlier())
        };
        if let Some(play) = third {
            play_again(jobs, &play);
        }
        if let Some((worker, games)) = outlier {
            let why =
                format!("its results are others than those of the rest of the fleet in {games} games that both played");
            quarantine(fleet, state, &run, &worker, &why);
        }
    }
}

/// A plan with nothing but a game.
fn empty(game: Game) -> Plan {
    Plan {
        game,
        parameters: BTreeMap::new(),
        agents: Vec::new(),
        kind: Kind::RoundRobin,
        games: 2,
        openings: 0,
        limits: GameLimits::default(),
        seed: 1,
        stay: false,
        test: None,
    }
}

/// The terms of a game as a plan of which one game is played.
fn plan(game: &FleetGame) -> Plan {
    let entrant = |player: &FleetPlayer| Entrant {
        name: player.label().to_owned(),
        agent: match player {
            FleetPlayer::Builtin(name) => name.clone(),
            // It is no player of that name that is built in, and no command.
            FleetPlayer::Program { label, language, .. } => format!("{language}:{label}"),
        },
        rating: None,
        openings: false,
        fingerprint: String::new(),
    };
    Plan {
        parameters: game.setup.parameters.clone(),
        agents: game.players.iter().map(entrant).collect(),
        limits: game.limits,
        ..empty(game.game)
    }
}

impl MoveNews {
    fn news(self) -> GameNews {
        let clocks = self.clocks_us.map(Duration::from_micros);
        if self.number == 0 {
            return GameNews::Started { clocks };
        }
        let wall = Duration::from_micros(self.wall_us);
        GameNews::Moved { side: self.side.min(1), arguments: self.arguments, wall, clocks }
    }
}

/// A game that somebody waits for.
struct Out<'a> {
    queue: &'a GameQueue,
    id: u32,
    kind: GameKind,
    played: bool,
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        let mut state = locked(&self.queue.state);
        state.waiting.remove(&self.id);
        if let Some(status) = state.runs.get_mut(&self.kind) {
            status.out = status.out.saturating_sub(1);
            status.played += u64::from(self.played);
        }
    }
}

impl Drop for GameQueue {
    fn drop(&mut self) {
        let mut state = locked(&self.state);
        state.tasks.iter().for_each(JoinHandle::abort);
        state.again = None;
        let runs: Vec<RunStatus> = state.runs.drain().map(|(_, status)| status).collect();
        drop(state);
        let farewell = async {
            for mut status in runs {
                (status.ended, status.now_ms) = (true, now_ms());
                let text = serde_json::to_vec(&status).expect("a status can be written as JSON");
                let _ = self.fleet.client().publish(subjects::run(&status.run), text.into()).await;
                purge(&self.fleet, subjects::JOBS, subjects::jobs(&status.run)).await;
            }
            let _ = self.fleet.client().flush().await;
        };
        // What is left is found by the next start, or is too old one day.
        let _ = self.fleet.wait(async { timeout(FAREWELL, farewell).await });
    }
}

/// Takes the results of a run from the server, for ever.
async fn results(fleet: Fleet, run: String, state: Arc<Mutex<State>>) {
    loop {
        if let Ok(consumer) = results_queue(&fleet, &run).await
            && let Ok(mut messages) = consumer.stream().heartbeat(Duration::from_secs(5)).messages().await
        {
            while let Some(Ok(message)) = messages.next().await {
                let late = match wire::read_result(&message) {
                    Some(result) => locked(&state).deliver(result, message),
                    None => Some(message),
                };
                if let Some(message) = late {
                    let _ = message.ack().await;
                }
            }
        }
        // The server was away, or has lost the queue.
        sleep(AGAIN).await;
    }
}

/// Hears how the games of a run go, and which the server gives up, for ever.
async fn hear_run(fleet: Fleet, run: String, state: Arc<Mutex<State>>) {
    let client = fleet.client();
    let (Ok(mut moves), Ok(mut given_up)) =
        (client.subscribe(subjects::moves(&run)).await, client.subscribe(subjects::given_up(&run)).await)
    else {
        return;
    };
    loop {
        tokio::select! {
            Some(message) = moves.next() => {
                if let Ok(told) = serde_json::from_slice::<MoveNews>(&message.payload) {
                    let state = locked(&state);
                    if let Some(waiting) = state.waiting.get(&told.slot) {
                        let _ = waiting.send(Heard::Move(told));
                    }
                }
            }
            Some(message) = given_up.next() => {
                if let Ok(Advisory { stream_seq }) = serde_json::from_slice(&message.payload) {
                    give_up(&fleet, &run, stream_seq, &state).await;
                }
            }
            else => return,
        }
    }
}

/// A game has been handed out too often: it may be what ends the workers.
async fn give_up(fleet: &Fleet, run: &str, place: u64, state: &Mutex<State>) {
    let Ok(stream) = fleet.context().get_stream(subjects::JOBS).await else { return };
    let Ok(message) = stream.get_raw_message(place).await else { return };
    let _ = stream.delete_message(place).await;
    let (Some(job), Some(terms)) = (wire::read_job(&message.payload, 2), wire::read_terms(&message.payload)) else {
        return;
    };
    let slot = job.slots[0].number;
    if wire::is_again(&message.headers) {
        // Nobody else would play it.
        let mut state = locked(state);
        match state.waiting.get(&slot) {
            Some(waiting) => drop(waiting.send(Heard::GivenUp)),
            None => drop(state.second.end(slot)),
        }
        return;
    }
    let dead = DeadJob {
        run: run.to_owned(),
        game: terms.plan.game.name().to_owned(),
        slots: vec![slot],
        why: GameFailure::GivenUp.to_string(),
        now_ms: now_ms(),
    };
    let payload = Bytes::from(serde_json::to_vec(&dead).expect("a job can be written as JSON"));
    let name = identity::random();
    until_kept(fleet.context(), &subjects::dead(run), HeaderMap::new(), &name, payload, || false).await;
    if let Some(waiting) = locked(state).waiting.get(&slot) {
        let _ = waiting.send(Heard::GivenUp);
    }
}

/// Hears of the workers, for ever.
async fn hear(fleet: Fleet, state: Arc<Mutex<State>>) {
    let client = fleet.client();
    let Ok(mut workers) = client.subscribe(subjects::WORKERS).await else { return };
    let _ = client.publish(subjects::ASK, Bytes::new()).await;
    while let Some(message) = workers.next().await {
        if let Ok(status) = serde_json::from_slice::<WorkerStatus>(&message.payload) {
            let worker = status.worker.clone();
            let is_back = {
                let mut state = locked(&state);
                let is_back = !status.draining && state.is_shut_out(&worker);
                state.presence.heard(status);
                is_back
            };
            // Started again under its name: nothing that it plays would count.
            if is_back {
                let _ = client.publish(subjects::drain(&worker), Bytes::new()).await;
            }
        }
    }
}

/// Tells how the runs stand, every second.
async fn tell(fleet: Fleet, state: Arc<Mutex<State>>) {
    let client = fleet.client();
    let start = Instant::now();
    let Ok(mut asked) = client.subscribe(subjects::ASK).await else { return };
    loop {
        let statuses: Vec<RunStatus> = {
            let mut state = locked(&state);
            let minutes = start.elapsed().as_secs_f64().max(1.0) / 60.0;
            let quarantined = state.quarantined();
            let present = state.presence.present().map(|worker| worker.worker.clone());
            let known: BTreeSet<String> =
                present.chain(quarantined.iter().map(|worker| worker.worker.clone())).collect();
            let now = |status: &mut RunStatus| {
                status.now_ms = now_ms();
                status.per_minute = status.played as f64 / minutes;
                // What is to be played is what is out: a ladder has no end.
                status.games = status.played + status.out as u64;
                status.quarantined.clone_from(&quarantined);
                // A message has its bounds, and workers may have other names each time.
                if status.audits.len() > MOST_AUDITS {
                    status.audits.retain(|worker, _| known.contains(worker));
                }
                status.clone()
            };
            state.runs.values_mut().map(now).collect()
        };
        for status in statuses {
            let text = serde_json::to_vec(&status).expect("a status can be written as JSON");
            let _ = client.publish(subjects::run(&status.run), text.into()).await;
        }
        match timeout(BEAT, asked.next()).await {
            // Many may ask at once.
            Ok(Some(_)) => sleep(Duration::from_millis(20)).await,
            Ok(None) => return,
            Err(_) => {}
        }
    }
}
