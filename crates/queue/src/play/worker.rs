//! A thread that plays one game after another: first those of finals, which a room may be watching, then checks, whose
//! authors are waiting, then requested games and those of ladders.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread::{self};
use std::time::{Duration, Instant};

use agon_game::seed::Stream;
use agon_referee::agent::AgentError;
use agon_referee::process::ProcessorSet;
use agon_site::secret;
use agon_site::store::BoutKind;

use super::game::{BoutPlace, SitePlayer, submitted};
use super::rehearsal::reads_openings;
use super::rests::Rest;
use super::slices::Pauses;
use super::terms::{BoutTerms, PlayError};
use super::trial;
use crate::fleet::FleetLink;
use crate::site_queue::SiteQueue;

/// How long a worker without work waits before it checks again: programs become due as time passes.
const IDLE: Duration = Duration::from_secs(5);

/// How long it waits after a failure of the judge, so that a lasting one does not fill the log.
pub(super) const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Where a worker has its games played.
pub(super) enum Table {
    /// Here, with the processors of each side, if there are enough.
    Here(Option<[ProcessorSet; 2]>),
    Fleet(Arc<FleetLink>),
}

/// How many games one worker has in progress at once: all below the topmost one rest.
pub(super) const MAX_DEPTH: u32 = 3;

pub(super) struct Worker {
    pub site: Arc<SiteQueue>,
    pub table: Table,
    pub stream: Stream,
    /// How many games rest below those that it plays.
    pub depth: u32,
    /// The requested games that could not be begun here.
    pub resting: Arc<Mutex<HashMap<i64, Rest>>>,
}

/// Does a part of a worker's work; a panic ends only that part.
pub(super) fn caught<T>(act: impl FnOnce() -> Result<T, PlayError>) -> Result<T, PlayError> {
    let done = catch_unwind(AssertUnwindSafe(act));
    done.unwrap_or_else(|_| Err(PlayError::Interrupted("a worker has panicked".to_owned())))
}

impl Pauses for Worker {
    fn pause(&self, kind: BoutKind) {
        self.play_beside(kind, None);
    }
}

impl Worker {
    pub(super) fn new(site: Arc<SiteQueue>, table: Table) -> Self {
        let stream = Stream::new(secret::number(), "opponents");
        Self { site, table, stream, depth: 0, resting: Arc::default() }
    }

    pub(super) fn place(&self) -> BoutPlace<'_> {
        self.place_with(self)
    }

    pub(super) fn place_with<'a>(&'a self, pauses: &'a dyn Pauses) -> BoutPlace<'a> {
        match &self.table {
            Table::Here(apart) => {
                let pauses = Some(pauses).filter(|_| self.depth < MAX_DEPTH);
                BoutPlace::Here { apart: apart.as_ref(), pauses }
            }
            Table::Fleet(link) => BoutPlace::Fleet(&link.queue),
        }
    }

    /// Plays what comes before a resting game of this kind; a ladder's game is of this competition.
    pub(super) fn play_beside(&self, kind: BoutKind, ladder: Option<i64>) {
        let Table::Here(apart) = &self.table else { return };
        let mut beside = Self::new(Arc::clone(&self.site), Table::Here(apart.clone()));
        beside.depth = self.depth + 1;
        beside.resting = Arc::clone(&self.resting);
        while !self.site.is_stopping() && self.site.may_play() {
            match caught(|| beside.before(kind, ladder)) {
                // A check takes turns with finals; any other resting game continues when nothing is left before it.
                Ok(true) if kind != BoutKind::Check => {}
                Ok(_) => return,
                Err(error) => return tracing::error!("a game was not played: {error}"),
            }
        }
    }

    /// Plays one game that comes before games of this kind, if there is one.
    fn before(&mut self, kind: BoutKind, ladder: Option<i64>) -> Result<bool, PlayError> {
        if matches!(kind, BoutKind::Final { .. }) {
            return Ok(false);
        }
        if self.site.is_final_near()? {
            return self.of_final();
        }
        if kind != BoutKind::Check && self.before_games()? {
            return Ok(true);
        }
        match (kind, ladder) {
            (BoutKind::Ladder, Some(competition)) => Ok(self.asked()? || self.ladder(Some(competition))?),
            _ => Ok(false),
        }
    }

    /// Whether a game between these can be played where this worker plays, as far as is known.
    pub(super) fn can_play(&self, terms: &BoutTerms, players: [&SitePlayer; 2]) -> bool {
        match (&self.table, players) {
            (Table::Fleet(link), [SitePlayer::Away(first), SitePlayer::Away(second)]) => {
                link.queue.can_play(terms.game, [first, second])
            }
            _ => true,
        }
    }

    pub(super) fn work(&mut self, wanted: impl Fn() -> bool) {
        while !self.site.is_stopping() && wanted() {
            match caught(|| self.once()) {
                Ok(true) => {}
                Ok(false) => self.site.signals.wait_for_work(IDLE),
                // The fleet has what is missing here.
                Err(PlayError::Agent(AgentError::NoCompiler { .. })) if self.site.options.fleet.is_some() => {
                    self.site.signals.wait_for_work(IDLE);
                }
                Err(_) if self.site.is_stopping() => {}
                Err(error) => {
                    tracing::error!("a game was not played: {error}");
                    thread::sleep(AFTER_FAILURE);
                }
            }
        }
    }

    /// Makes the check that comes next, or tries a source, if there is one.
    pub(super) fn before_games(&self) -> Result<bool, PlayError> {
        let version = self.site.writer().take_submission()?;
        if let Some(version) = version {
            let begun = Instant::now();
            let done = catch_unwind(AssertUnwindSafe(|| self.check(&version)));
            self.site.set_stage(version.id, None);
            let done = done.unwrap_or_else(|_| Err(PlayError::Interrupted("the check has panicked".to_owned())));
            if done.is_err() {
                self.site.writer().return_submission(version.id)?;
            } else {
                self.site.writer().note_check_time(version.id, begun.elapsed().as_millis() as u64)?;
            }
            self.site.announce_change();
            return done.map(|()| true);
        }
        // Its author is waiting for that, too.
        let pauses: Option<&dyn Pauses> = Some(self as &dyn Pauses).filter(|_| self.depth < MAX_DEPTH);
        Ok(matches!(self.table, Table::Here(_)) && trial::try_next(&self.site, pauses))
    }

    /// Plays what comes next, if there is anything.
    fn once(&mut self) -> Result<bool, PlayError> {
        if !self.site.may_play() {
            return Ok(false);
        }
        let is_final_near = self.site.is_final_near()?;
        if is_final_near && self.of_final()? {
            return Ok(true);
        }
        let is_away = matches!(self.table, Table::Fleet(_));
        // Beside a final, only the thread of long games makes checks here: its games would wait for them.
        if (is_away || !is_final_near) && self.before_games()? {
            return Ok(true);
        }
        if is_away && let Some((bout, seed)) = self.site.take_left() {
            self.left(&bout, seed)?;
            return Ok(true);
        }
        if is_final_near {
            // Nor are games of a ladder played beside it.
            return Ok(false);
        }
        if self.asked()? {
            return Ok(true);
        }
        self.ladder(None)
    }

    /// A version, ready to sit down: its program, its number there, and it itself; `None` when it has been deleted.
    pub(super) fn version(&self, terms: &BoutTerms, id: i64) -> Result<Option<(i64, u32, SitePlayer)>, PlayError> {
        let (version, source) = {
            let store = self.site.writer();
            (store.version(id)?, store.source(id)?)
        };
        let (Some(version), Some(source)) = (version, source) else { return Ok(None) };
        let Some(program) = self.site.writer().program(version.program)? else { return Ok(None) };
        let label = format!("{} v{}", program.name, version.number);
        let player = submitted(&self.site, self.place(), terms, id, version.language, &source, label)?;
        Ok(Some((program.id, version.number, player)))
    }

    /// Whether both programs read OPENING lines; for a version checked before this was tested, it is tested now.
    pub(super) fn reads(
        &self,
        terms: &BoutTerms,
        known: [(Option<i64>, Option<bool>); 2],
        players: [&SitePlayer; 2],
    ) -> Result<bool, PlayError> {
        let mut all = true;
        for ((version, known), player) in known.into_iter().zip(players) {
            all &= match (known, version, player) {
                (Some(reads), ..) => reads,
                (None, Some(version), SitePlayer::Here { agent, .. }) => {
                    let reads = reads_openings(agent, terms)?;
                    self.site.writer().note_reads_openings(version, reads)?;
                    reads
                }
                (None, ..) => false,
            };
        }
        Ok(all)
    }
}
