//! The queue of a site, which numbers its games itself: no number is used twice, and each game brings its own terms.
//!
//! Games whose programs are written in the same languages form one run, so that a worker refuses games it cannot play
//! once, not one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::plan::{Entrant, Kind};
use agon_arena::runner::Arrivals;
use agon_arena::runner::queue::MAX_DELIVERIES;
use agon_arena::slot::Slot;
use agon_arena::store::Quarantine;
use agon_catalog::{Game, Setup};
use agon_referee::agent::{Language, PortableAgent};
use agon_referee::limits::GameLimits;
use agon_referee::record::Record;
use agon_referee::signing::PublicKey;

use crate::archive::ProgramArchive;
use crate::attempt::{Attempt, NextStep, Proved, game_timeout};
use crate::connect::Fleet;
use crate::coordinator::Coordinator;
use crate::error::FleetError;
use crate::identity;
use crate::lock::lock;
use crate::programs;
use crate::second::{SecondPlay, SecondPlays};
use crate::state::{Expected, SlotEvent};
use crate::terms::RunTerms;
use crate::wire::{GameTerms, JobBody, MoveNews};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FleetPlayer {
    Builtin(String),
    Program {
        /// Name in records.
        label: String,
        language: Language,
        /// Source: a single file, or a folder as one text.
        source: String,
    },
}

impl FleetPlayer {
    /// Returns the name in records.
    pub fn label(&self) -> &str {
        match self {
            Self::Builtin(name) => name,
            Self::Program { label, .. } => label,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Builtin(_) => "builtin",
            Self::Program { language, .. } => language.name(),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct FleetGame {
    pub id: u32,
    pub game: Game,
    /// Parameters and seed.
    pub setup: Setup,
    pub limits: GameLimits,
    pub players: [FleetPlayer; 2],
    /// True if a program that does not compile loses; otherwise the machine is to blame, and another one tries.
    pub check: bool,
}

/// News of a game while it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameNews {
    /// The game starts, possibly again on another machine.
    Started { clocks: [Duration; 2] },
    /// A worker reports a move, which is not verified yet.
    Moved {
        side: usize,
        /// The move in the judge's notation.
        arguments: String,
        wall: Duration,
        clocks: [Duration; 2],
    },
}

/// Reason why a game has no result.
#[derive(Debug, thiserror::Error)]
pub enum GameFailure {
    #[error(transparent)]
    Fleet(#[from] FleetError),
    #[error("it was stopped")]
    Stopped,
    #[error("a worker cannot play it: {0}")]
    Refused(String),
    #[error("it is given up: it was handed out {MAX_DELIVERIES} times, and no worker has ended it")]
    GivenUp,
}

/// Data about a played game until [`GameQueue::stored`].
pub struct Receipt {
    worker: String,
    /// The game, if it may be replayed.
    play: Option<SecondPlay>,
}

impl Receipt {
    pub fn worker(&self) -> &str {
        &self.worker
    }
}

/// The languages of the programs among these players.
fn languages(players: [&FleetPlayer; 2]) -> BTreeSet<&'static str> {
    let language = |player: &FleetPlayer| match player {
        FleetPlayer::Builtin(_) => None,
        FleetPlayer::Program { language, .. } => Some(language.name()),
    };
    players.into_iter().filter_map(language).collect()
}

/// The queue of a site's games. Any number of threads wait for theirs.
pub struct GameQueue {
    coordinator: Arc<Coordinator>,
    /// Part of the names of its runs, which differ from those of other sites.
    site: String,
    /// Held while a run is announced.
    opening: Mutex<()>,
}

impl GameQueue {
    /// Opens the queue of the site with this store. `left` are the games that an earlier process handed out and that
    /// will be requested again: results that arrived meanwhile count. Games of workers in quarantine do not count.
    ///
    /// # Errors
    /// [`FleetError`] if there is no key to sign its jobs.
    pub fn open(
        fleet: &Fleet,
        store: &Path,
        terms: RunTerms,
        left: &[u32],
        quarantined: &[Quarantine],
    ) -> Result<Self, FleetError> {
        let (expected, second) = (left.iter().copied().collect(), SecondPlays::of_site(terms.audit));
        let coordinator = Coordinator::start(fleet, terms, Expected::Listed(expected), second)?;
        for Quarantine { worker, why } in quarantined {
            coordinator.state().shut_out(worker, why);
        }
        Ok(Self { coordinator, site: identity::run("site", store), opening: Mutex::default() })
    }

    /// Returns the key by which workers know its games.
    pub fn public_key(&self) -> PublicKey {
        self.coordinator.public_key()
    }

    /// Returns the number of games that the present workers play at once.
    pub fn slots(&self) -> usize {
        self.coordinator.state().workers().map(|worker| worker.slots).sum()
    }

    /// The languages whose programs some worker can run.
    pub fn languages(&self) -> BTreeSet<String> {
        let state = self.coordinator.state();
        let workers = state.workers().filter(|worker| worker.jail.is_some());
        workers.flat_map(|worker| worker.languages.iter().cloned()).collect()
    }

    /// Returns the number of games waiting for a machine that can play them, while there is none.
    pub fn stuck(&self) -> usize {
        let state = self.coordinator.state();
        let stuck = state.runs.values().filter(|status| state.willing(&status.run).next().is_none());
        stuck.map(|status| status.out).sum()
    }

    pub fn is_connected(&self) -> bool {
        self.coordinator.is_connected()
    }

    /// Returns true if some worker may be able to play a game between these.
    pub fn can_play(&self, game: Game, players: [&FleetPlayer; 2]) -> bool {
        let run = self.run(game, &languages(players));
        self.coordinator.state().willing(&run).next().is_some()
    }

    /// Returns why games are waiting, in words.
    pub fn why_idle(&self) -> Option<String> {
        self.coordinator.why_idle()
    }

    /// Has a game played, reports its progress to `news`, and waits for its verified record until `stop` returns true.
    ///
    /// # Errors
    /// [`GameFailure`] says why there is no result. A stopped game may be requested again, even by another process.
    pub fn play(
        &self,
        game: &FleetGame,
        news: &mut dyn FnMut(GameNews),
        stop: &dyn Fn() -> bool,
    ) -> Result<(Record, Receipt), GameFailure> {
        let coordinator = &*self.coordinator;
        let packed = game.players.iter().map(|player| self.notice(player)).collect::<Result<Vec<_>, FleetError>>()?;
        let (agents, archives): (Vec<_>, Vec<_>) = packed.into_iter().unzip();
        let terms = GameTerms { plan: plan(game), agents, check: game.check };
        let names = game.players.iter().map(|player| (player.label().to_owned(), player.kind().to_owned())).collect();
        let arrivals = Arc::new(Mutex::new(Arrivals::named(&terms.plan, names, coordinator.terms.sign)));
        let run = self.open_run(game.game, &languages(game.players.each_ref()))?;
        let (sender, events) = mpsc::channel();
        let left = {
            let mut state = coordinator.state();
            let left = state.expects(game.id);
            state.wait_for(&run, game.id, &sender);
            left
        };
        let mut out = Out { coordinator, id: game.id, run: &run, played: false };
        let slot = Slot { number: game.id, seats: [0, 1], seed: game.setup.seed };
        let timing = &coordinator.terms.timing;
        let timeout = game_timeout(&terms.plan, timing.lease);
        let body = JobBody::of_game(slot, terms, archives.into_iter().flatten().collect());
        let hand_out = |not_by: Vec<String>| {
            if stop() {
                return Err(GameFailure::Stopped);
            }
            coordinator.send(&run, body.clone(), not_by);
            Ok(())
        };
        let mut checked = Instant::now();
        let mut attempt = Attempt::new(slot);
        // A game that a worker has played for an earlier process, or is still playing, is not handed out.
        let mut first = None;
        let begun = Instant::now();
        while left && first.is_none() && begun.elapsed() < timeout {
            let is_held = coordinator.state().presence.is_held(&run, game.id);
            first = events.recv_timeout(timing.poll).ok();
            if stop() {
                return Err(GameFailure::Stopped);
            }
            if first.is_none() && !is_held && coordinator.has_heard_all() {
                break;
            }
        }
        if first.is_none() {
            hand_out(Vec::new())?;
        }
        let Proved { worker, game: played, record } = loop {
            let step = match first.take().map_or_else(|| events.recv_timeout(timing.poll), Ok) {
                Ok(SlotEvent::Result(result)) => attempt.judge(coordinator, &run, &arrivals, result),
                Ok(SlotEvent::GivenUp { alone, .. }) => attempt.give_up(coordinator, &run, alone),
                Ok(SlotEvent::Move(played)) => {
                    news(played.news());
                    continue;
                }
                Ok(SlotEvent::Began(began)) => {
                    attempt.began(&began.worker);
                    continue;
                }
                Ok(SlotEvent::Proved) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(GameFailure::Stopped),
                Err(RecvTimeoutError::Timeout) if stop() => return Err(GameFailure::Stopped),
                Err(RecvTimeoutError::Timeout) => {
                    if checked.elapsed() > timing.check {
                        checked = Instant::now();
                        if let Some(not_by) = attempt.kept(coordinator, &run, timeout) {
                            hand_out(not_by)?;
                        }
                    }
                    continue;
                }
            };
            match step {
                NextStep::Count(proved) => break proved,
                NextStep::HandOut { not_by } => hand_out(not_by)?,
                NextStep::Refuse(reason) => return Err(GameFailure::Refused(reason)),
                NextStep::GiveUp => {
                    let failure = GameFailure::GivenUp;
                    coordinator.dead_letter(&run, game.id, failure.to_string());
                    return Err(failure);
                }
            }
        };
        out.played = true;
        drop(out);
        let play = SecondPlay::new(&run, slot, body, &arrivals, &worker, &played);
        Ok((*record, Receipt { worker, play }))
    }

    /// Records that a game is stored. Has a share of the games replayed.
    pub fn stored(&self, receipt: Receipt) {
        if let Some(play) = receipt.play {
            self.coordinator.audit(&play);
        }
    }

    /// The workers put into quarantine since the last call: none of their games counts.
    pub fn found_out(&self) -> Vec<Quarantine> {
        std::mem::take(&mut self.coordinator.state().found_out)
    }

    /// The faults since the last call.
    pub fn faults(&self) -> Vec<String> {
        std::mem::take(&mut self.coordinator.state().faults)
    }

    /// An agent in its form for workers, and its sources, which workers can fetch while these are held.
    fn notice(&self, player: &FleetPlayer) -> Result<(PortableAgent, Option<Arc<ProgramArchive>>), FleetError> {
        let known_as = player.label().to_owned();
        let FleetPlayer::Program { label, language, source } = player else {
            return Ok((PortableAgent { known_as, sources: None }, None));
        };
        let (sources, archive) = programs::pack_text(label, *language, source)?;
        let archive = self.coordinator.keep_program(archive);
        Ok((PortableAgent { known_as, sources: Some(sources) }, Some(archive)))
    }

    /// The name of the run with the games whose programs are written in these languages.
    fn run(&self, game: Game, languages: &BTreeSet<&str>) -> String {
        let languages: Vec<&str> = languages.iter().copied().collect();
        identity::digest(&format!("{} {} {}", self.site, game.name(), languages.join(" ")))
    }

    /// Returns the run for such games, announcing it if this is its first.
    fn open_run(&self, game: Game, languages: &BTreeSet<&str>) -> Result<String, FleetError> {
        let run = self.run(game, languages);
        let is_open = || self.coordinator.state().runs.contains_key(&run);
        if !is_open() {
            let _opening = lock(&self.opening);
            // Another thread may have been faster.
            if !is_open() {
                let languages = languages.iter().map(ToString::to_string).collect();
                self.coordinator.open_run(&run, &empty(game), Vec::new(), Some(languages))?;
            }
        }
        Ok(run)
    }
}

/// A plan of games without agents, with the game's usual limits.
fn empty(game: Game) -> Plan {
    Plan {
        game,
        parameters: BTreeMap::new(),
        agents: Vec::new(),
        kind: Kind::RoundRobin,
        games: 2,
        openings: 0,
        opening_file: None,
        limits: GameLimits::default(),
        seed: 1,
        stay: false,
        test: None,
    }
}

/// The terms of a game as a plan.
fn plan(game: &FleetGame) -> Plan {
    let entrant = |player: &FleetPlayer| {
        let agent = match player {
            FleetPlayer::Builtin(name) => name.clone(),
            // No built-in player and no command has such a name.
            FleetPlayer::Program { label, language, .. } => format!("{language}:{label}"),
        };
        let name = player.label().to_owned();
        Entrant { name, openings: false, ..Entrant::unread(&agent) }
    };
    let (parameters, agents) = (game.setup.parameters.clone(), game.players.iter().map(entrant).collect());
    Plan { parameters, agents, limits: game.limits, ..empty(game.game) }
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

/// A game that a thread waits for.
struct Out<'a> {
    coordinator: &'a Coordinator,
    id: u32,
    run: &'a str,
    played: bool,
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        let mut state = self.coordinator.state();
        state.settle(self.run, self.id);
        if let Some(status) = state.runs.get_mut(self.run) {
            status.played += u64::from(self.played);
        }
    }
}

impl Drop for GameQueue {
    fn drop(&mut self) {
        self.coordinator.close();
    }
}
