//! Proof of results reported by other machines.

use agon_catalog::SetupError;
use agon_referee::agent::AgentError;
use agon_referee::record::{Record, RecordError};
use agon_referee::replay::{self, ReplayError};
use agon_referee::signing::PrivateKey;
use agon_referee::verdict::Verdict;

use super::alike::PlaysAlike;
use super::worker::PlayedSlot;
use crate::openings::OpeningError;
use crate::plan::Plan;
use crate::slot::Slot;
use crate::store::{Packer, unpack};
use crate::summary::Summary;
use crate::{agents, openings};

/// What is wrong with a record from another machine.
#[derive(Debug, thiserror::Error)]
pub enum ArrivalError {
    #[error("{0}")]
    Packed(String),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("its {what} is not the one of game {slot}")]
    Another { what: &'static str, slot: u32 },
    #[error("the rules refuse it: {0}")]
    Rules(#[from] ReplayError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
}

/// The kind of a built-in player in records.
const BUILTIN: &str = "builtin";

/// Accepts records of a plan's slots from other machines. Nothing that can be proved is taken on trust: the summary is
/// computed from the record, and the record is replayed under the rules.
pub struct Arrivals {
    plan: Plan,
    /// The name and the kind of each agent in records.
    agents: Vec<(String, String)>,
    sign: Option<PrivateKey>,
    packer: Packer,
    alike: PlaysAlike,
}

impl Arrivals {
    /// For the slots of this plan; records are signed with the key, if there is one.
    ///
    /// # Errors
    /// [`AgentError`] when the plan names an invalid agent.
    pub fn new(plan: &Plan, sign: Option<PrivateKey>) -> Result<Self, AgentError> {
        let read = |text: &str| {
            let spec = agents::parse(plan.game, text)?;
            Ok((spec.to_string(), spec.kind().to_owned()))
        };
        let agents = plan.agents.iter().map(|entrant| read(&entrant.agent)).collect::<Result<_, AgentError>>()?;
        Ok(Self::named(plan, agents, sign))
    }

    /// The same if records name each agent, and its kind, by these texts.
    pub fn named(plan: &Plan, agents: Vec<(String, String)>, sign: Option<PrivateKey>) -> Self {
        Self { plan: plan.clone(), agents, sign, packer: Packer::default(), alike: PlaysAlike::new(plan) }
    }

    /// Accepts a compressed record that is claimed to be of this slot. Returns the bout to be stored, and the record.
    ///
    /// # Errors
    /// [`ArrivalError`] says why it is not.
    pub fn take(&mut self, slot: &Slot, packed: &[u8]) -> Result<(PlayedSlot, Record), ArrivalError> {
        let mut record = Record::read(&unpack(packed).map_err(ArrivalError::Packed)?)?;
        self.check(slot, &record)?;
        let packed = match &self.sign {
            Some(key) => {
                record.sign(key);
                self.packer.pack(&record.write())
            }
            None => packed.to_owned(),
        };
        let (summary, alike) = (Summary::new(slot, &record), self.alike.game(slot, &record));
        Ok((PlayedSlot { summary, alike, record: packed }, record))
    }

    /// Whether a game ended by a fault of a built-in player: these make no faults, so the machine or the record is
    /// wrong.
    pub fn blames_builtin(&self, game: &Summary) -> bool {
        game.seats.iter().zip(game.verdicts).any(|(&agent, verdict)| {
            verdict != Verdict::Ok && self.agents.get(agent).is_some_and(|(_, kind)| kind == BUILTIN)
        })
    }

    fn check(&self, slot: &Slot, record: &Record) -> Result<(), ArrivalError> {
        let (plan, header) = (&self.plan, &record.header);
        let setup = openings::setup(plan, slot)?;
        let agents = slot.seats.map(|at| &self.agents[at]);
        let named =
            header.agents.iter().zip(agents).all(|(note, agent)| (&note.agent, &note.kind) == (&agent.0, &agent.1));
        let claims = [
            ("game", header.game == plan.game.name()),
            ("start", header.parameters == setup.parameters && header.seed == setup.seed),
            ("opening", header.opening == openings::note(plan, slot)),
            ("agents", named),
            ("limits", header.limits == plan.limits_of(slot.seats)),
            ("version", header.agon == env!("CARGO_PKG_VERSION")),
        ];
        if let Some((what, _)) = claims.into_iter().find(|(_, same)| !same) {
            return Err(ArrivalError::Another { what, slot: slot.number });
        }
        let mut state = plan.game.initial_state(&setup)?;
        replay::prove(record, state.as_mut())?;
        Ok(())
    }
}
