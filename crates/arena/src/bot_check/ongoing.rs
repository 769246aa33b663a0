//! A check while it runs.

use std::time::{Duration, Instant};

use agon_catalog::SetupError;
use agon_game::{Interaction, Side};
use agon_message::Stated;
use agon_referee::agent::AgentError;
use agon_referee::bout::Afterwards;
use agon_referee::cause;
use agon_referee::fault_kind::FaultKind;
use agon_referee::record::Record;
use agon_referee::verdict::{Fault, Verdict};

use super::finding::{BotCheck, Finding, Step, StepOutcome};
use super::remedy::{self, Remedy, RemedyContext};
use super::terms::{CheckTerms, DebugUse};
use super::texts::{CheckNote, Detail, Place, Problem, StepDetail, StepName};
use crate::agents::PreparedAgent;
use crate::debug::{DebugRun, Debugging};
use crate::game::{self, Bout};

/// Lines of an error stream, and of a compiler's message, that a finding shows.
const MAX_LINES: usize = 12;

/// A check that could not be done.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The judge was stopped, or could not do its work.
    #[error("the check was broken off: {0}")]
    Interrupted(String),
    /// The machine was too busy to judge the agent every time the game was played.
    #[error("the check was broken off: {0}")]
    Undecided(Stated),
}

impl CheckError {
    /// The error of a fault that no agent caused.
    pub fn of_fault(fault: Fault) -> Self {
        if fault.is_of_machine() { Self::Undecided(fault.reason) } else { Self::Interrupted(fault.reason.text) }
    }
}

/// A check while it runs.
pub(super) struct Check<'a> {
    pub terms: &'a CheckTerms,
    begun: Instant,
    pub done: BotCheck,
    hear: &'a mut dyn FnMut(&Step),
    /// A clock has run out: every further game may take as long.
    late: bool,
    /// A crash has been looked for: once is enough.
    pub located: bool,
    /// The games so far, if all must be repeated.
    pub played: Vec<PlayedGame>,
}

/// A game of the check that can be repeated.
pub(super) struct PlayedGame {
    pub name: StepName,
    pub side: Side,
    pub record: Record,
}

impl<'a> Check<'a> {
    pub(super) fn new(terms: &'a CheckTerms, hear: &'a mut dyn FnMut(&Step)) -> Self {
        Self {
            terms,
            begun: Instant::now(),
            done: BotCheck::default(),
            hear,
            late: false,
            located: false,
            played: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, name: &StepName, outcome: StepOutcome, detail: Stated) {
        let step = Step { name: name.into(), outcome, detail };
        (self.hear)(&step);
        self.done.steps.push(step);
    }

    /// The answer to the first question of this step: the milliseconds it took, or `None` if nothing else can be tried.
    /// `detail` turns the time into the step's text.
    pub(super) fn first_answer(
        &mut self,
        agent: &PreparedAgent,
        step: &StepName,
        detail: impl FnOnce(u64) -> Stated,
    ) -> Result<Option<u64>, CheckError> {
        let terms = self.terms;
        let once = || -> Result<_, CheckError> {
            let begun = Instant::now();
            let mut bout = Bout::new(terms.game, terms.setup(), terms.limits)?;
            Ok(bout.trial(agent, Afterwards::Exit).map(|()| begun.elapsed()))
        };
        let spoilt = |done: &Result<Result<Duration, AgentError>, CheckError>| match done {
            Ok(Err(AgentError::NotReady(not))) => not.fault.verdict == Verdict::Interrupted,
            _ => false,
        };
        match game::retry_while(once, spoilt)? {
            Ok(took) => {
                let took = took.as_millis() as u64;
                self.step(step, StepOutcome::Passed, detail(took));
                Ok(Some(took))
            }
            Err(AgentError::NotReady(not)) if not.fault.verdict == Verdict::Interrupted => {
                Err(CheckError::of_fault(not.fault))
            }
            Err(AgentError::NotReady(not)) => {
                let run = self.locate(agent, None, Side::First, Some(&not.fault));
                let hint = not.hint.into_iter().map(Stated::from).collect();
                self.fault(step, &Place::Step(step.clone()), &not.fault, &not.stderr, hint, run.as_ref());
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Fails a step with a fault and further details; `place` is where in the step it happened.
    pub(super) fn fault(
        &mut self,
        name: &StepName,
        place: &Place,
        fault: &Fault,
        stderr: &str,
        more: Vec<Stated>,
        run: Option<&DebugRun>,
    ) {
        self.late |= fault.verdict == Verdict::Tle && !is_after_game(fault);
        let mut details: Vec<Stated> = Vec::new();
        // Folding would break the columns that a compiler points at.
        let indent = if fault.verdict == Verdict::Ce { " " } else { "" };
        let lines = fault.reason.text.lines().skip(1);
        details.extend(lines.take(MAX_LINES).map(|line| format!("{indent}{line}").into()));
        details.extend(fault.cause.iter().cloned());
        // A hint may be a line of the cause; a conversation may have a line twice.
        let known = details.len();
        for line in more {
            if !details[..known].contains(&line) {
                details.push(line);
            }
        }
        details.extend(end_of(stderr));
        details.extend(run.into_iter().flat_map(DebugRun::details));
        let crash = run.and_then(DebugRun::crash).cloned();
        let context = RemedyContext {
            place: self.terms.place,
            memory_mib: self.terms.limits.memory_mib,
            repeated: run.map(|run| &run.outcome),
        };
        let remedy = remedy::of_fault(fault, stderr, &context);
        let problem = Stated::from(&Problem::Fault(fault.headline()));
        self.step(name, StepOutcome::Failed, problem.clone());
        let cause = fault.cause.to_vec();
        self.done.add(Finding { steps: vec![place.into()], problem, details, cause, remedy, crash });
    }

    /// Something that is wrong although the step passed.
    pub(super) fn find(&mut self, place: &Place, problem: Stated, remedy: Remedy, details: Vec<Stated>) {
        self.find_at(place, problem, remedy, details, None);
    }

    /// Like [`Self::find`], with the outcome of the repeated game.
    pub(super) fn find_at(
        &mut self,
        place: &Place,
        problem: Stated,
        remedy: Remedy,
        mut details: Vec<Stated>,
        run: Option<&DebugRun>,
    ) {
        details.extend(run.into_iter().flat_map(DebugRun::details));
        let crash = run.and_then(DebugRun::crash).cloned();
        let steps = vec![place.into()];
        self.done.add(Finding { steps, problem, details, cause: Vec::new(), remedy, crash });
    }

    /// Repeats the first game in which the program crashed or did not answer, if that is wanted; `fault` comes from a
    /// session.
    pub(super) fn locate(
        &mut self,
        agent: &PreparedAgent,
        record: Option<&Record>,
        side: Side,
        fault: Option<&Fault>,
    ) -> Option<DebugRun> {
        let crashed = fault.is_none_or(|fault| fault.kind.as_ref().is_some_and(FaultKind::is_crash));
        let late = fault.is_some_and(|fault| fault.verdict == Verdict::Tle && !is_after_game(fault));
        let has_place = crashed || late;
        if self.terms.debug == DebugUse::None || !has_place || std::mem::replace(&mut self.located, true) {
            return None;
        }
        let CheckTerms { game, limits, .. } = *self.terms;
        let debugging = match record {
            Some(record) => Debugging::of_record(game, record, side, agent.spec()),
            None => Debugging { game, spec: agent.spec(), side, setup: self.terms.setup(), limits },
        };
        // A check does not fail because a game cannot be repeated.
        debugging.run(record).ok()
    }

    pub(super) fn note(&mut self, note: &CheckNote) {
        let note = note.into();
        if !self.done.notes.contains(&note) {
            self.done.notes.push(note);
        }
    }

    /// Why no further game starts, if none does.
    pub(super) fn ends(&self) -> Option<StepDetail> {
        if self.terms.run_stop.is_raised() {
            Some(StepDetail::Stopped)
        } else if self.late {
            Some(StepDetail::LateFirst)
        } else if self.begun.elapsed() > self.terms.time {
            Some(StepDetail::TooLong { seconds: self.terms.time.as_secs() })
        } else {
            None
        }
    }

    /// Whether to skip an optional game because the others have taken long.
    pub(super) fn is_long(&self) -> bool {
        self.begun.elapsed() * 3 > self.terms.time
    }

    /// Notes about what is allowed but close to its limit.
    pub(super) fn note_measures(&mut self, interaction: Interaction) {
        let (measures, limits) = (self.done.measures, self.terms.limits);
        if measures.peak_memory_mib * 2 > limits.memory_mib {
            self.note(&CheckNote::Memory { used: measures.peak_memory_mib, limit: limits.memory_mib });
        }
        if interaction == Interaction::Session {
            if measures.ready_ms * 2 > limits.ready_ms {
                self.note(&CheckNote::SlowReady { took: measures.ready_ms, allowed: limits.ready_ms });
            }
            let clock = limits.common_clock();
            if clock.is_sudden_death() && measures.game_ms * 10 > clock.base_ms * 8 {
                self.note(&CheckNote::SlowGame { used: measures.game_ms, clock: clock.base_ms });
            }
        }
    }
}

/// The last lines of an error stream.
pub(super) fn end_of(stderr: &str) -> Vec<Stated> {
    let mut shown = cause::end_of(stderr, MAX_LINES);
    shown.retain(|line| !line.trim().is_empty());
    let heading = (!shown.is_empty()).then(|| Stated::from(&Detail::StderrEnd));
    heading.into_iter().chain(shown.iter().map(|line| format!("  {line}").into())).collect()
}

/// Whether a program failed after its game, by not exiting.
fn is_after_game(fault: &Fault) -> bool {
    fault.kind.as_ref().is_some_and(FaultKind::is_after_game)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use agon_catalog::Game;
    use agon_referee::limits::GameLimits;

    use super::super::terms::CheckPlace;
    use super::*;
    use crate::runner::RunStop;

    #[test]
    fn a_check_begins_no_game_after_its_time() {
        let terms = |time| CheckTerms {
            game: Game::RENJU,
            parameters: BTreeMap::new(),
            limits: GameLimits::default(),
            seed: 1,
            time,
            run_stop: RunStop::default(),
            place: CheckPlace::CommandLine,
            debug: DebugUse::None,
        };
        let ends = |terms: &CheckTerms| Check::new(terms, &mut |_| {}).ends();
        assert!(ends(&terms(Duration::from_hours(1))).is_none());
        assert!(matches!(ends(&terms(Duration::ZERO)), Some(StepDetail::TooLong { seconds: 0 })));
        let stopped = terms(Duration::from_hours(1));
        stopped.run_stop.finish();
        assert!(matches!(ends(&stopped), Some(StepDetail::Stopped)));
    }
}
