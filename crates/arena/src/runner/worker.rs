//! What each worker thread does: plays bouts one after the other.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use agon_game::Side;
use agon_referee::agent::Seat;
use agon_referee::bout::{Afterwards, Spectator};
use agon_referee::process::{self, ProcessorSet};
use agon_referee::signing::PrivateKey;
use agon_referee::verdict::Verdict;

use super::alike::PlaysAlike;
use super::error::RunError;
use super::roster::Roster;
use crate::game::Bout;
use crate::game_log::Logged;
use crate::openings;
use crate::plan::Plan;
use crate::slot::Slot;
use crate::store::Packer;
use crate::summary::Summary;

/// A played bout, ready to be stored.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedSlot {
    /// The row of the bout.
    pub summary: Summary,
    /// Its record, compressed by the worker, so that the coordinator has less to do.
    pub record: Vec<u8>,
    /// Whether every machine plays it so.
    pub alike: bool,
}

/// Plays the bouts of one worker thread.
pub struct Worker<'a> {
    plan: &'a Plan,
    roster: &'a Roster,
    /// Running programs of earlier bouts, by agent, where the plan keeps programs alive.
    kept_alive: HashMap<usize, Seat>,
    packer: Packer,
    sign: Option<PrivateKey>,
    alike: PlaysAlike,
    /// The processors of each side, where there are enough.
    apart: Option<[ProcessorSet; 2]>,
    /// Where the log of every game goes.
    log: Option<&'a Path>,
}

impl<'a> Worker<'a> {
    /// A worker before its first bout; it signs records with the key. `apart` are the processors of each side, if each
    /// has its own.
    pub fn new(plan: &'a Plan, roster: &'a Roster, sign: Option<PrivateKey>, apart: Option<[ProcessorSet; 2]>) -> Self {
        Self {
            plan,
            roster,
            kept_alive: HashMap::new(),
            packer: Packer::default(),
            sign,
            alike: PlaysAlike::new(plan),
            apart,
            log: None,
        }
    }

    /// The same worker, which writes a log of every game into a folder, if one is given.
    pub fn logging_to(mut self, folder: Option<&'a Path>) -> Self {
        self.log = folder;
        self
    }

    /// Plays one bout; `None` when it was interrupted, so that there is nothing to store.
    ///
    /// # Errors
    /// [`RunError`] when it cannot be played at all.
    pub fn play(&mut self, slot: &Slot) -> Result<Option<PlayedSlot>, RunError> {
        self.play_before(slot, &mut ())
    }

    /// The same before a spectator.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn play_before(&mut self, slot: &Slot, spectator: &mut dyn Spectator) -> Result<Option<PlayedSlot>, RunError> {
        let plan = self.plan;
        let setup = openings::setup(plan, slot)?;
        let limits = plan.limits_of(slot.seats);
        let mut bout = Bout::new(plan.game, setup, limits)?.opened_by(openings::note(plan, slot));
        let mut seats = [self.seat(&bout, slot, Side::First)?, self.seat(&bout, slot, Side::Second)?];
        let afterwards = if plan.stay { Afterwards::Stay } else { Afterwards::Exit };
        let agents = slot.seats.map(|agent| self.roster.agent(agent));
        let mut record = match self.log {
            None => bout.play(agents, &mut seats, afterwards, spectator),
            Some(folder) => {
                let mut logged = Logged::new(spectator);
                let record = bout.play(agents, &mut seats, afterwards, &mut logged);
                let path = folder.join(format!("game-{}.log", slot.number));
                fs::write(&path, logged.text(&record)).map_err(|source| RunError::Log { path, source })?;
                record
            }
        };
        let verdicts = record.result.verdicts.each_ref().map(|judged| judged.verdict);
        // INTERRUPTED by a signal is no bout; by a failing built-in it is, since that is a fault to be seen.
        if verdicts.contains(&Verdict::Interrupted) && process::interrupted() {
            return Ok(None);
        }
        if plan.stay && verdicts == [Verdict::Ok; 2] {
            let programs = slot.seats.into_iter().zip(seats).filter(|(_, seat)| matches!(seat, Seat::Process(_)));
            self.kept_alive.extend(programs);
        }
        if let Some(key) = &self.sign {
            record.sign(key);
        }
        Ok(Some(PlayedSlot {
            summary: Summary::new(slot, &record),
            alike: self.alike.game(slot, &record),
            record: self.packer.pack(&record.write()),
        }))
    }

    fn seat(&mut self, bout: &Bout, slot: &Slot, side: Side) -> Result<Seat, RunError> {
        let agent = slot.seats[side.index()];
        let processors = self.apart.as_ref().map(|apart| &apart[side.index()]);
        if let Some(seat) = self.kept_alive.remove(&agent) {
            // It may have sat on the other side before.
            if let Some(processors) = processors {
                seat.bind(processors);
            }
            return Ok(seat);
        }
        bout.seat(self.roster.agent(agent), side, processors)
            .map_err(|source| RunError::Seat { name: self.plan.agents[agent].name.clone(), source })
    }
}
