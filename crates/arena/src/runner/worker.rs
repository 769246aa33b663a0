//! The work of each worker thread: it plays bouts one after the other.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use agon_game::Side;
use agon_referee::agent::Seat;
use agon_referee::bout::{Afterwards, Spectator};
use agon_referee::process::{self, ProcessorSet};
use agon_referee::record::Record;
use agon_referee::signing::PrivateKey;
use agon_referee::verdict::Verdict;

use super::alike::PlaysAlike;
use super::error::RunError;
use super::roster::Roster;
use crate::game::{self, Bout};
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
    /// Its record, compressed by the worker to spare the coordinator.
    pub record: Vec<u8>,
    /// Whether every machine plays it identically.
    pub alike: bool,
}

/// Plays the bouts of one worker thread.
pub struct Worker<'a> {
    plan: &'a Plan,
    roster: &'a Roster,
    /// Running programs of earlier bouts, by agent, if the plan keeps programs alive.
    kept_alive: HashMap<usize, Seat>,
    packer: Packer,
    sign: Option<PrivateKey>,
    alike: PlaysAlike,
    /// The processors of each side, if there are enough.
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

    /// The same worker, logging every game into a folder, if one is given.
    pub fn logging_to(mut self, folder: Option<&'a Path>) -> Self {
        self.log = folder;
        self
    }

    /// Plays one bout, again if the machine was too busy to judge it; `None` if it was interrupted and there is nothing
    /// to store.
    ///
    /// # Errors
    /// [`RunError`] when it cannot be played at all.
    pub fn play(&mut self, slot: &Slot) -> Result<Option<PlayedSlot>, RunError> {
        self.play_before(slot, &mut ())
    }

    /// The same with a spectator.
    ///
    /// # Errors
    /// As [`Self::play`].
    pub fn play_before(&mut self, slot: &Slot, spectator: &mut dyn Spectator) -> Result<Option<PlayedSlot>, RunError> {
        let plan = self.plan;
        let setup = openings::setup(plan, slot)?;
        let limits = plan.limits_of(slot.seats);
        let afterwards = if plan.stay { Afterwards::Stay } else { Afterwards::Exit };
        let agents = slot.seats.map(|agent| self.roster.agent(agent));
        let mut seated = None;
        let mut record = game::play_until_judged(|| -> Result<Record, RunError> {
            let mut bout = Bout::new(plan.game, setup.clone(), limits)?.opened_by(openings::note(plan, slot));
            let seats = seated.insert([self.seat(&bout, slot, Side::First)?, self.seat(&bout, slot, Side::Second)?]);
            let Some(folder) = self.log else {
                return Ok(bout.play(agents, seats, afterwards, spectator));
            };
            let mut logged = Logged::new(spectator);
            let record = bout.play(agents, seats, afterwards, &mut logged);
            let path = folder.join(format!("game-{}.log", slot.number));
            fs::write(&path, logged.text(&record)).map_err(|source| RunError::Log { path, source })?;
            Ok(record)
        })?;
        let verdicts = record.result.verdicts.each_ref().map(|judged| judged.verdict);
        // A bout INTERRUPTED by a signal is discarded; if a failing built-in caused it, it is kept, since that is a
        // fault to be seen.
        if verdicts.contains(&Verdict::Interrupted) && process::interrupted() {
            return Ok(None);
        }
        if plan.stay
            && verdicts == [Verdict::Ok; 2]
            && let Some(seats) = seated
        {
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
            // It may have played the other side before.
            if let Some(processors) = processors {
                seat.bind(processors);
            }
            return Ok(seat);
        }
        bout.seat(self.roster.agent(agent), side, processors)
            .map_err(|source| RunError::Seat { name: self.plan.agents[agent].name.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use agon_catalog::Game;
    use agon_jail::Level;
    use agon_referee::process::simulate_delay;
    use agon_referee::record::Winner;

    use super::*;
    use crate::plan::Entrant;
    use crate::schedule;
    use crate::store::unpack;
    use crate::tally::Tally;

    /// A bot that thinks for 600 ms of a clock of 400 ms, on a machine that takes this percentage of its time; how
    /// often it was started, and the record.
    fn played(percent: u32) -> (usize, Summary, Record) {
        agon_jail::choose(Level::None);
        simulate_delay(percent);
        let folder = tempfile::tempdir().unwrap();
        let starts = folder.path().join("starts");
        let script = format!(
            "while read word more; do case $word in READY) echo x >> {}; echo OK;; TURN) sleep 0.6; echo MOVE 1 1 1 \
             2;; FINISH) exit;; esac; done",
            starts.display()
        );
        let agents = [format!("sh -c '{script}'"), "random".to_owned()];
        let agents = agents.map(|text| Entrant::read(&text, Game::BACTERIA).unwrap());
        let mut plan = Plan::of_match(Game::BACTERIA, agents, 2);
        plan.openings = 0;
        plan.limits.clock_ms = 400;
        let slot = schedule::slots(&plan, &schedule::round(&plan, 0, &Tally::new(&plan)))[0];
        let roster = Roster::prepare(&plan).unwrap();
        let played = Worker::new(&plan, &roster, None, None).play(&slot).unwrap().unwrap();
        let record = Record::read(&unpack(&played.record).unwrap()).unwrap();
        (fs::read_to_string(starts).unwrap().lines().count(), played.summary, record)
    }

    #[test]
    fn an_answer_counts_that_only_a_busy_machine_made_late() {
        let (starts, summary, record) = played(80);
        assert_eq!((starts, summary.winner), (1, Winner::Second), "{summary:?}");
        assert_eq!(summary.verdicts, [Verdict::Re, Verdict::Ok], "its second move is that of the first");
        assert!(!record.result.is_of_machine());
        let (starts, summary, _) = played(0);
        assert_eq!((starts, summary.winner), (1, Winner::Second), "{summary:?}");
        assert_eq!(summary.verdicts, [Verdict::Tle, Verdict::Ok]);
    }
}
