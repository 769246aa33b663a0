//! One slot, from the moment it is handed out until one of its games counts.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

use agon_arena::Plan;
use agon_arena::runner::{Arrivals, PlayedSlot};
use agon_arena::slot::Slot;
use agon_game::Side;
use agon_referee::clock::Clock;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;

use crate::coordinator::Coordinator;
use crate::lock::lock;
use crate::queue::Place;
use crate::wire::{Content, SlotResult};

/// Maximum number of times a slot is played if the machine disturbs its clocks each time.
const MAX_TRIES: u32 = 3;

/// Maximum number of times a slot is played in which an agent fails, until two machines have seen the same failure.
const MAX_CLAIMS: usize = 6;

/// Number of times a slot that was delivered too often is handed out again, as long as there are workers that have not
/// started it.
const MAX_ROUNDS: u32 = 2;

/// The same for a slot that no worker claims to have started: someone may be taking jobs without playing them.
const MAX_UNBEGUN_ROUNDS: u32 = 50;

/// The same for a slot in which an agent failed: workers that have seen the failure may get the job again and again,
/// and return it.
const MAX_CLAIM_ROUNDS: u32 = 20;

/// Moves of a side in a long game, from which the maximum duration of a game is estimated.
const LONG_GAME_MOVES: u64 = 200;

/// Maximum duration of a game whose moves are not timed.
const MAX_UNTIMED: Duration = Duration::from_mins(10);

/// Maximum number of times the timeout doubles after which a slot is handed out again that someone has taken and does
/// not end.
const MAX_DOUBLINGS: u32 = 10;

/// A game that the rules have proved.
pub(crate) struct Proved {
    pub worker: String,
    pub game: PlayedSlot,
    /// The same as a value.
    pub record: Box<Record>,
}

/// Next step for a slot.
pub(crate) enum NextStep {
    /// This game counts.
    Count(Proved),
    /// Hand it out again, to any worker except these (see [`crate::wire::is_excluded`]).
    HandOut { not_by: Vec<String> },
    /// It cannot be played, for this reason.
    Refuse(String),
    /// It was delivered too often.
    GiveUp,
}

/// A game of the slot in which an agent failed.
struct Claim {
    worker: String,
    verdicts: [Verdict; 2],
}

pub(crate) struct Attempt {
    pub slot: Slot,
    /// The game whose clocks were disturbed least. It counts if no better one comes.
    held: Option<Proved>,
    tries: u32,
    /// Reports that an agent failed: a record proves moves by the rules, but not a crash.
    claims: Vec<Claim>,
    /// The workers that have reported that the slot cannot be played.
    refusals: BTreeSet<String>,
    /// The workers that have begun it.
    begun: BTreeSet<String>,
    rounds: u32,
    /// Number of times it was handed out again because its taker did not end it.
    kept: u32,
}

impl Attempt {
    pub(crate) fn new(slot: Slot) -> Self {
        Self {
            slot,
            held: None,
            tries: 0,
            claims: Vec::new(),
            refusals: BTreeSet::new(),
            begun: BTreeSet::new(),
            rounds: 0,
            kept: 0,
        }
    }

    /// Whom to leave out if the slot must be handed out again because its holder does not finish it: after `timeout`,
    /// and then after twice as long each time. Call it from time to time; a game played twice is stored once.
    pub(crate) fn kept(&mut self, coordinator: &Coordinator, run: &str, timeout: Duration) -> Option<Vec<String>> {
        let Place::Held { by, since } = coordinator.state().place(self.slot.number) else { return None };
        let timeout = timeout.saturating_mul(1 << self.kept.min(MAX_DOUBLINGS));
        if coordinator.terms.timing.clock.now().saturating_duration_since(since) < timeout {
            return None;
        }
        let holder = coordinator.state().roll.label_of(&by).unwrap_or(&by.name).to_owned();
        let mut workers = self.begun.clone();
        workers.insert(holder.clone());
        let not_by = elsewhere(coordinator, run, &workers)?;
        self.kept += 1;
        let what = format!(
            "game {} was taken by {holder} and has no result after {} s; others are asked, too",
            self.slot.number,
            timeout.as_secs()
        );
        coordinator.state().fault(run, what);
        Some(not_by)
    }

    /// Records that a worker has started the slot.
    pub(crate) fn began(&mut self, worker: &str) {
        self.begun.insert(worker.to_owned());
    }

    /// Proves a result of the slot.
    pub(crate) fn judge(
        &mut self,
        coordinator: &Coordinator,
        run: &str,
        arrivals: &Mutex<Arrivals>,
        result: SlotResult,
    ) -> NextStep {
        let SlotResult { worker, content, .. } = result;
        if coordinator.state().is_shut_out(&worker) {
            return NextStep::HandOut { not_by: Vec::new() };
        }
        if let Content::Failed(reason) = content {
            self.refusals.insert(worker);
            coordinator.hear_all();
            // The report of one machine ends no series.
            return match elsewhere(coordinator, run, &self.refusals) {
                Some(not_by) => NextStep::HandOut { not_by },
                None => NextStep::Refuse(reason),
            };
        }
        let proved = coordinator.prove(run, &worker, &mut lock(arrivals), &self.slot, content);
        let Some((game, record)) = proved else {
            let not_by = elsewhere(coordinator, run, &[worker].into()).unwrap_or_default();
            return NextStep::HandOut { not_by };
        };
        let proved = Proved { worker, game, record: Box::new(record) };
        if proved.game.summary.verdicts != [Verdict::Ok; 2] {
            return self.claim(coordinator, run, arrivals, proved);
        }
        // Another machine saw an agent fail, and this one did not.
        for claim in self.claims.drain(..) {
            coordinator.suspect(&claim.worker);
        }
        self.tries += 1;
        let disturbed = |game: &PlayedSlot| game.summary.disturbed.iter().map(|&moves| u64::from(moves)).sum::<u64>();
        if proved.game.alike || disturbed(&proved.game) == 0 {
            return NextStep::Count(proved);
        }
        // Its machine disturbed its clocks; another one may not.
        coordinator.hear_all();
        let state = coordinator.state();
        let is_final = self.tries >= MAX_TRIES || state.withdrawn || !state.others(run, &[&proved.worker]);
        let not_by = state.addresses(&[&proved.worker]);
        drop(state);
        let best = match self.take_held(coordinator) {
            Some(held) if disturbed(&held.game) < disturbed(&proved.game) => held,
            _ => proved,
        };
        if is_final {
            return NextStep::Count(best);
        }
        self.held = Some(best);
        NextStep::HandOut { not_by }
    }

    /// Records a game in which an agent failed. It counts if another machine has seen the same failure, or if there is
    /// no other machine and this one sees it twice. A fault of a built-in player never counts: the machine is to blame,
    /// if anything is.
    fn claim(&mut self, coordinator: &Coordinator, run: &str, arrivals: &Mutex<Arrivals>, proved: Proved) -> NextStep {
        coordinator.hear_all();
        let verdicts = proved.game.summary.verdicts;
        let builtin = lock(arrivals).blames_builtin(&proved.game.summary);
        let worker = proved.worker.clone();
        let state = coordinator.state();
        let alike = || self.claims.iter().filter(|claim| claim.verdicts == verdicts);
        let workers: BTreeSet<String> =
            self.claims.iter().map(|claim| claim.worker.clone()).chain([worker.clone()]).collect();
        let names: Vec<&str> = workers.iter().map(String::as_str).collect();
        let elsewhere = state.elsewhere(run, &names);
        let other = |claim: &Claim| state.independent(run, &claim.worker, &worker);
        let confirmed = alike().any(other)
            || elsewhere.is_none() && alike().next().is_some()
            // Machines on which it fails in different ways agree that it fails.
            || self.claims.len() + 1 >= MAX_CLAIMS && self.claims.iter().any(other);
        drop(state);
        self.claims.push(Claim { worker, verdicts });
        if builtin {
            let machines = workers.len();
            if self.claims.len() >= MAX_CLAIMS {
                let [first, second] = verdicts;
                return NextStep::Refuse(format!(
                    "a built-in player failed {MAX_CLAIMS} times on {machines} machines ({first}, {second}); give it \
                     more time, or look after the machines"
                ));
            }
            return NextStep::HandOut { not_by: elsewhere.unwrap_or_default() };
        }
        if confirmed {
            return NextStep::Count(proved);
        }
        NextStep::HandOut { not_by: elsewhere.unwrap_or_default() }
    }

    /// Returns the next step after a job with the slot was delivered too often; `alone` if it had no other slot.
    pub(crate) fn give_up(&mut self, coordinator: &Coordinator, run: &str, alone: bool) -> NextStep {
        let held = self.held.is_some();
        let max_rounds = if self.begun.is_empty() { MAX_UNBEGUN_ROUNDS } else { MAX_ROUNDS };
        match self.take_held(coordinator) {
            // A disturbed game is better than none.
            Some(proved) => NextStep::Count(proved),
            // If there were several slots, only one of them may be at fault: each gets another chance. Nor can a single
            // worker that returns a slot give it up.
            None if held || !alone => NextStep::HandOut { not_by: Vec::new() },
            None if !self.claims.is_empty() && self.rounds < MAX_CLAIM_ROUNDS => {
                self.rounds += 1;
                let workers = self.claims.iter().map(|claim| claim.worker.clone()).collect();
                NextStep::HandOut { not_by: elsewhere(coordinator, run, &workers).unwrap_or_default() }
            }
            None if self.rounds < max_rounds => {
                self.rounds += 1;
                match elsewhere(coordinator, run, &self.begun) {
                    Some(not_by) => NextStep::HandOut { not_by },
                    None => NextStep::GiveUp,
                }
            }
            None => NextStep::GiveUp,
        }
    }

    /// The disturbed game, if there is one and its worker may still be believed.
    pub(crate) fn take_held(&mut self, coordinator: &Coordinator) -> Option<Proved> {
        self.held.take().filter(|held| !coordinator.state().is_shut_out(&held.worker))
    }
}

/// Returns the time allowed for a game of a plan; a job is a pair of games. Silence ends a `lease`, so the time is
/// never less than a few leases.
pub(crate) fn game_timeout(plan: &Plan, lease: Duration) -> Duration {
    let time = |clock: Clock| {
        let Clock { base_ms, increment_ms, period_moves, per_move } = clock;
        let periods = match period_moves {
            _ if per_move => LONG_GAME_MOVES,
            0 => 1,
            moves => LONG_GAME_MOVES.div_ceil(u64::from(moves)),
        };
        let ms = base_ms.saturating_mul(periods).saturating_add(increment_ms.saturating_mul(LONG_GAME_MOVES));
        Duration::from_millis(ms)
    };
    let limits = &plan.limits;
    let own = plan.agents.iter().filter_map(|agent| agent.clock);
    let clocks = own.chain(Side::BOTH.map(|side| limits.clock_of(side)));
    let moves =
        if plan.game.has_turns() { clocks.map(time).max().unwrap_or_default().saturating_mul(2) } else { MAX_UNTIMED };
    let game = moves.saturating_add(limits.ready()).saturating_add(limits.exit());
    game.saturating_mul(2).saturating_add(lease * 2)
}

/// Whom to leave out so that another one than these workers plays a game, if there is another one.
fn elsewhere(coordinator: &Coordinator, run: &str, workers: &BTreeSet<String>) -> Option<Vec<String>> {
    let workers: Vec<&str> = workers.iter().map(String::as_str).collect();
    coordinator.state().elsewhere(run, &workers)
}
