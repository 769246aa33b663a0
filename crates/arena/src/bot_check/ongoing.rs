//! A check as it goes on.

use std::time::{Duration, Instant};

use agon_catalog::SetupError;
use agon_game::{Interaction, Side};
use agon_referee::agent::AgentError;
use agon_referee::bout::Afterwards;
use agon_referee::cause;
use agon_referee::fault_kind::FaultKind;
use agon_referee::record::Record;
use agon_referee::verdict::{Fault, Verdict};

use super::finding::{BotCheck, Finding, Step, StepOutcome};
use super::remedy::{self, Remedy, RemedyContext};
use super::terms::{CheckTerms, DebugUse};
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
    /// The machine was too busy to judge the agent, each time that the game was played.
    #[error("the check was broken off: {0}")]
    Undecided(String),
}

impl CheckError {
    /// The error of a fault that is no agent's.
    pub fn of_fault(fault: Fault) -> Self {
        if fault.is_of_machine() { Self::Undecided(fault.reason) } else { Self::Interrupted(fault.reason) }
    }
}

/// A check as it goes on.
pub(super) struct Check<'a> {
    pub terms: &'a CheckTerms,
    begun: Instant,
    pub done: BotCheck,
    hear: &'a mut dyn FnMut(&Step),
    /// A clock has run out: every further game may take as long.
    late: bool,
    /// A crash has been looked for: once is enough.
    pub located: bool,
    /// The games so far, if all are to be repeated.
    pub played: Vec<PlayedGame>,
}

/// A game of the check that can be repeated.
pub(super) struct PlayedGame {
    pub name: String,
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

    pub(super) fn step(&mut self, name: &str, outcome: StepOutcome, detail: &str) {
        let step = Step { name: name.to_owned(), outcome, detail: detail.to_owned() };
        (self.hear)(&step);
        self.done.steps.push(step);
    }

    /// The answer to the first question, in this step: the milliseconds that it took, or `None` where nothing else can
    /// be tried. The step says what `detail` makes of the time.
    pub(super) fn first_answer(
        &mut self,
        agent: &PreparedAgent,
        step: &str,
        detail: impl FnOnce(u64) -> String,
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
                self.step(step, StepOutcome::Passed, &detail(took));
                Ok(Some(took))
            }
            Err(AgentError::NotReady(not)) if not.fault.verdict == Verdict::Interrupted => {
                Err(CheckError::of_fault(not.fault))
            }
            Err(AgentError::NotReady(not)) => {
                let run = self.locate(agent, None, Side::First, Some(&not.fault));
                self.fault(step, step, &not.fault, &not.stderr, not.hint.into_iter().collect(), run.as_ref());
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A step that has failed by a fault, and what else is known of it; `place` is where in the step.
    pub(super) fn fault(
        &mut self,
        name: &str,
        place: &str,
        fault: &Fault,
        stderr: &str,
        more: Vec<String>,
        run: Option<&DebugRun>,
    ) {
        self.late |= fault.verdict == Verdict::Tle && !is_after_game(fault);
        let mut details: Vec<String> = Vec::new();
        // Folding would break the columns that a compiler points at.
        let indent = if fault.verdict == Verdict::Ce { " " } else { "" };
        let lines = fault.reason.lines().skip(1);
        details.extend(lines.take(MAX_LINES).map(|line| format!("{indent}{line}")));
        details.extend(fault.cause.iter().flat_map(|cause| cause.lines().map(str::to_owned)));
        // A hint may be a line of the cause; a conversation may have a line twice.
        let known = details.len();
        for line in more {
            if !details[..known].contains(&line) {
                details.push(line);
            }
        }
        details.extend(end_of(stderr));
        details.extend(run.map_or_else(Vec::new, DebugRun::details));
        let crash = run.and_then(DebugRun::crash).cloned();
        let context = RemedyContext {
            place: self.terms.place,
            memory_mib: self.terms.limits.memory_mib,
            repeated: run.map(|run| &run.outcome),
        };
        let remedy = remedy::of_fault(fault, stderr, &context);
        let finding = Finding { steps: vec![place.to_owned()], problem: fault.headline(), details, remedy, crash };
        self.step(name, StepOutcome::Failed, &fault.headline());
        self.done.add(finding);
    }

    /// Something that is wrong although the step passed.
    pub(super) fn find(&mut self, place: &str, problem: String, remedy: Remedy, details: Vec<String>) {
        self.find_at(place, problem, remedy, details, None);
    }

    /// Like [`Self::find`], with what came of the game when it was repeated.
    pub(super) fn find_at(
        &mut self,
        place: &str,
        problem: String,
        remedy: Remedy,
        mut details: Vec<String>,
        run: Option<&DebugRun>,
    ) {
        details.extend(run.map_or_else(Vec::new, DebugRun::details));
        let crash = run.and_then(DebugRun::crash).cloned();
        let steps = vec![place.to_owned()];
        self.done.add(Finding { steps, problem, details, remedy, crash });
    }

    /// Repeats the first game in which the program crashed or did not answer, if that is wanted; `fault` is that of a
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

    pub(super) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.done.notes.contains(&note) {
            self.done.notes.push(note);
        }
    }

    /// Why no further game is begun, if none is.
    pub(super) fn ends(&self) -> Option<String> {
        if self.terms.run_stop.is_raised() {
            Some("stopped".to_owned())
        } else if self.late {
            Some("a late answer costs the whole clock: fix that first".to_owned())
        } else if self.begun.elapsed() > self.terms.time {
            Some(format!("the check has taken {} s", self.terms.time.as_secs()))
        } else {
            None
        }
    }

    /// Whether a game that could be left out is not begun: the others have taken long.
    pub(super) fn is_long(&self) -> bool {
        self.begun.elapsed() * 3 > self.terms.time
    }

    /// Notes on what is allowed, but near its limit.
    pub(super) fn note_measures(&mut self, interaction: Interaction) {
        let (measures, limits) = (self.done.measures, self.terms.limits);
        if measures.peak_memory_mib * 2 > limits.memory_mib {
            let text = format!("It used {} of {} MiB of memory.", measures.peak_memory_mib, limits.memory_mib);
            self.note(text);
        }
        if interaction == Interaction::Session {
            if measures.ready_ms * 2 > limits.ready_ms {
                let text = format!(
                    "READY took {} of {} ms: on a slower machine it would be late.",
                    measures.ready_ms, limits.ready_ms
                );
                self.note(text);
            }
            let clock = limits.common_clock();
            if clock.is_sudden_death() && measures.game_ms * 10 > clock.base_ms * 8 {
                let text = format!(
                    "It used {} of {} ms in one game: on a busy machine it would be late.",
                    measures.game_ms, clock.base_ms
                );
                self.note(text);
            }
        }
    }
}

/// The last lines of an error stream.
pub(super) fn end_of(stderr: &str) -> Vec<String> {
    let mut shown = cause::end_of(stderr, MAX_LINES);
    shown.retain(|line| !line.trim().is_empty());
    let heading = (!shown.is_empty()).then(|| "end of its error stream".to_owned());
    heading.into_iter().chain(shown.iter().map(|line| format!("  {line}"))).collect()
}

/// Whether a program failed after its game, by not ending.
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
        assert_eq!(ends(&terms(Duration::from_hours(1))), None);
        assert_eq!(ends(&terms(Duration::ZERO)).as_deref(), Some("the check has taken 0 s"));
        let stopped = terms(Duration::from_hours(1));
        stopped.run_stop.finish();
        assert_eq!(ends(&stopped).as_deref(), Some("stopped"));
    }
}
