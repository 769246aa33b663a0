//! One thread that plays bouts, one after the other, on its own processors.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_game::{Interaction, Side};
use agon_referee::agent::{AgentError, Seat};
use agon_referee::bout::{self, Afterwards};
use agon_referee::process;
use agon_referee::record::{Header, Record, VERSION};
use agon_referee::verdict::Verdict;
use agon_rules::catalog::Setup;

use super::RunError;
use super::field::Field;
use crate::openings;
use crate::plan::Plan;
use crate::schedule::Slot;
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
    field: &'a Field,
    /// Programs that stayed from earlier bouts, by agent.
    stayed: HashMap<usize, Seat>,
    packer: Packer,
}

impl<'a> Worker<'a> {
    /// A worker with empty seats.
    pub fn new(plan: &'a Plan, field: &'a Field) -> Self {
        Self { plan, field, stayed: HashMap::new(), packer: Packer::default() }
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
        let mut contest = plan.game.contest(&setup)?;
        let interaction = contest.interaction();
        let mut seats = [self.seat(slot, interaction, Side::First)?, self.seat(slot, interaction, Side::Second)?];
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let afterwards = if plan.stay { Afterwards::Stay } else { Afterwards::Exit };
        let report = bout::play(contest.as_mut(), &mut seats, &plan.limits, afterwards, &mut ());
        let header = Header {
            record: VERSION,
            game: plan.game.name().to_owned(),
            parameters: setup.parameters,
            seed: slot.seed,
            agents: slot.seats.map(|agent| self.field.note(agent)),
            limits: plan.limits,
            agon: env!("CARGO_PKG_VERSION").to_owned(),
            started,
        };
        let record = Record::new(header, report);
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

    fn seat(&mut self, slot: &Slot, interaction: Interaction, side: Side) -> Result<Seat, RunError> {
        let agent = slot.seats[side.index()];
        if let Some(seat) = self.stayed.remove(&agent) {
            return Ok(seat);
        }
        self.field
            .seat(agent, interaction, side, slot.seed)
            .map_err(|source: AgentError| RunError::Seat { name: self.plan.agents[agent].name.clone(), source })
    }
}
