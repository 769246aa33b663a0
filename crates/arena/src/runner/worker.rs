//! One thread that plays bouts, one after the other, on its own processors.

use std::collections::HashMap;

use agon_game::Side;
use agon_referee::agent::Seat;
use agon_referee::bout::Afterwards;
use agon_referee::process;
use agon_referee::verdict::Verdict;
use agon_rules::catalog::Setup;

use super::RunError;
use super::roster::Roster;
use crate::game::Bout;
use crate::openings;
use crate::plan::Plan;
use crate::slot::Slot;
use crate::store::Packer;
use crate::summary::Summary;

/// A played bout on its way to the store.
pub struct Done {
    /// The bout.
    pub summary: Summary,
    /// Its record, packed here rather than where all workers would wait for it.
    pub record: Vec<u8>,
}

/// The worker.
pub struct Worker<'a> {
    plan: &'a Plan,
    roster: &'a Roster,
    /// Programs that stayed from earlier bouts, by agent.
    stayed: HashMap<usize, Seat>,
    packer: Packer,
}

impl<'a> Worker<'a> {
    /// A worker with empty seats.
    pub fn new(plan: &'a Plan, roster: &'a Roster) -> Self {
        Self { plan, roster, stayed: HashMap::new(), packer: Packer::default() }
    }

    /// Plays one bout; `None` when it was interrupted, so that there is nothing to keep.
    ///
    /// # Errors
    /// [`RunError`] when it cannot be played at all.
    pub fn play(&mut self, slot: &Slot) -> Result<Option<Done>, RunError> {
        let plan = self.plan;
        let mut parameters = plan.parameters.clone();
        if plan.openings > 0 {
            let opening = openings::draw(plan.game, &parameters, plan.openings, slot.seed)?;
            parameters.insert(openings::PARAMETER.to_owned(), opening);
        }
        let setup = Setup { seed: slot.seed, parameters };
        let mut bout = Bout::new(plan.game, setup, plan.limits)?;
        let mut seats = [self.seat(&bout, slot, Side::First)?, self.seat(&bout, slot, Side::Second)?];
        let afterwards = if plan.stay { Afterwards::Stay } else { Afterwards::Exit };
        let agents = slot.seats.map(|agent| self.roster.agent(agent));
        let record = bout.play(agents, &mut seats, afterwards, &mut ());
        let verdicts = record.result.verdicts.each_ref().map(|judged| judged.verdict);
        // A built-in that fails is Agon's fault and is kept; a bout that was stopped has not been played.
        if verdicts.contains(&Verdict::Interrupted) && process::interrupted() {
            return Ok(None);
        }
        if plan.stay && verdicts == [Verdict::Ok; 2] {
            let programs = slot.seats.into_iter().zip(seats).filter(|(_, seat)| matches!(seat, Seat::Process(_)));
            self.stayed.extend(programs);
        }
        Ok(Some(Done { summary: Summary::new(slot, &record), record: self.packer.pack(&record.write()) }))
    }

    fn seat(&mut self, bout: &Bout, slot: &Slot, side: Side) -> Result<Seat, RunError> {
        let agent = slot.seats[side.index()];
        if let Some(seat) = self.stayed.remove(&agent) {
            return Ok(seat);
        }
        bout.seat(self.roster.agent(agent), side)
            .map_err(|source| RunError::Seat { name: self.plan.agents[agent].name.clone(), source })
    }
}
