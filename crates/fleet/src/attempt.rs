//! One slot, from the moment it is handed out until a game of it counts.

use std::sync::Mutex;

use agon_arena::runner::{Arrivals, PlayedSlot};
use agon_arena::slot::Slot;
use async_nats::jetstream::Message;

use crate::coordinator::Coordinator;
use crate::lock::lock;
use crate::wire::{Content, SlotResult};

/// How often a slot is played whose clocks the machine disturbs each time.
const MAX_TRIES: u32 = 3;

/// A game that the rules have proved.
pub struct Proved {
    pub worker: String,
    pub game: PlayedSlot,
    pub message: Box<Message>,
}

/// What to do with a slot.
pub enum NextStep {
    /// This game counts.
    Count(Proved),
    /// Hand it out again, to any worker but this one.
    HandOut { not_by: Option<String> },
    /// A worker reports that it cannot be played, for this reason.
    Refuse(String),
    /// It was delivered too often.
    GiveUp,
}

pub struct Attempt {
    pub slot: Slot,
    /// A game whose clocks were disturbed. It counts if no better one comes.
    held: Option<Proved>,
    tries: u32,
}

impl Attempt {
    pub const fn new(slot: Slot) -> Self {
        Self { slot, held: None, tries: 0 }
    }

    /// Proves a result of the slot.
    pub fn judge(
        &mut self,
        coordinator: &Coordinator,
        run: &str,
        arrivals: &Mutex<Arrivals>,
        result: SlotResult,
        message: Box<Message>,
    ) -> NextStep {
        let SlotResult { worker, content, .. } = result;
        if coordinator.state().is_shut_out(&worker) {
            coordinator.acknowledge(&message);
            return NextStep::HandOut { not_by: None };
        }
        if let Content::Failed(reason) = content {
            coordinator.acknowledge(&message);
            return NextStep::Refuse(reason);
        }
        let Some(game) = coordinator.prove(run, &worker, &mut lock(arrivals), &self.slot, content) else {
            coordinator.acknowledge(&message);
            return NextStep::HandOut { not_by: None };
        };
        self.tries += 1;
        let proved = Proved { worker, game, message };
        let disturbed = !proved.game.alike && proved.game.summary.disturbed != [0; 2];
        let is_final = || {
            let state = coordinator.state();
            self.tries >= MAX_TRIES || state.withdrawn || !state.others(run, &[&proved.worker])
        };
        if !disturbed || is_final() {
            return NextStep::Count(proved);
        }
        // Its machine has falsified its clocks, and another one may not.
        coordinator.acknowledge(&proved.message);
        let not_by = Some(proved.worker.clone());
        self.held = Some(proved);
        NextStep::HandOut { not_by }
    }

    /// What to do when a job with the slot was delivered too often; `alone` if it had no other slot.
    pub fn give_up(&mut self, coordinator: &Coordinator, alone: bool) -> NextStep {
        let held = self.held.is_some();
        match self.take_held(coordinator) {
            // A disturbed game is better than none.
            Some(proved) => NextStep::Count(proved),
            // Of several slots only one may end the workers: each gets another chance.
            None if held || !alone => NextStep::HandOut { not_by: None },
            None => NextStep::GiveUp,
        }
    }

    /// The disturbed game, if there is one and its worker may still be believed.
    pub fn take_held(&mut self, coordinator: &Coordinator) -> Option<Proved> {
        self.held.take().filter(|held| !coordinator.state().is_shut_out(&held.worker))
    }
}
