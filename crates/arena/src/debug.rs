//! Repeats a game in which a program crashed with a build that shows where.
//!
//! The source is compiled with debug information and all checks, and its program receives what the record contains. A
//! program that searches by its clock may answer differently and survive; that is reported, too.

use std::time::Duration;

use agon_catalog::{Game, Setup, SetupError};
use agon_game::{Interaction, Side};
use agon_message::Stated;
use agon_referee::agent::debug::debug_limits;
use agon_referee::agent::{AgentError, AgentSpec, BuildMode, Language};
use agon_referee::bout::{self, ActionAnswer, ActionDebug, RecordedTurn, recorded_turns};
use agon_referee::crash::{Crash, CrashHeading, without_values};
use agon_referee::failures::failures;
use agon_referee::limits::GameLimits;
use agon_referee::process::interrupted;
use agon_referee::record::Record;
use agon_referee::replay::{begin, prove};
use agon_referee::verdict::{Fault, Verdict};
use serde::Serialize;

use crate::agents::PreparedAgent;
use crate::game::Bout;

/// How much longer than in the game a debug build may take for its answer: a sanitizer slows a program down.
const SLOWDOWN: u32 = 20;

/// How much of a repeated game's error stream is kept.
const MAX_STDERR_BYTES: usize = 64 << 10;

/// The least time for the answer that was missing in the game.
const MIN_LATE_TIME: Duration = Duration::from_secs(1);

/// The least time for any answer.
const MIN_ANSWER_TIME: Duration = Duration::from_secs(10);

/// The outcome of the repeated game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DebugRun {
    #[serde(flatten)]
    pub outcome: DebugOutcome,
    /// The program's memory in MiB, if a sanitizer needs more than a competition gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// The first move where its answer differed from the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<u32>,
    /// The checks that the compiler built in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<&'static str>,
    /// What the compiler warns about: variables that may be uninitialised.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Crash>,
    /// The end of its error stream.
    pub stderr: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum DebugOutcome {
    /// It failed here.
    Crashed(Crash),
    /// It did not answer in time, and was at this place.
    Stuck(Crash),
    /// It failed, and its error stream has no call stack.
    Unlocated {
        problem: String,
        /// Agon did not compile it.
        is_command: bool,
    },
    /// Nothing was found.
    Survived,
    /// With the checks it was too slow, unlike in the game; this is where it was when its time ran out, if known.
    Late {
        problem: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        place: Option<Crash>,
    },
    /// It does not compile with the checks; this is the compiler's message.
    Uncompiled { message: String },
}

/// A game that could not be repeated.
#[derive(Debug, thiserror::Error)]
pub enum DebugError {
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("the game cannot be repeated: {0}")]
    Interrupted(String),
}

/// A program that receives what a record contains.
pub struct Debugging<'a> {
    pub game: Game,
    pub spec: &'a AgentSpec,
    pub side: Side,
    pub setup: Setup,
    /// The limits of the game.
    pub limits: GameLimits,
}

impl<'a> Debugging<'a> {
    /// The side of a recorded game, played by this program.
    pub fn of_record(game: Game, record: &Record, side: Side, spec: &'a AgentSpec) -> Self {
        let header = &record.header;
        let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
        Self { game, spec, side, setup, limits: header.limits }
    }

    /// The program, compiled with all checks, and its limits.
    fn prepare(&self) -> Result<(PreparedAgent, GameLimits), AgentError> {
        let limits = debug_limits(self.spec.language(), &self.limits);
        let agent = PreparedAgent::prepare_as(BuildMode::Debug, self.game, self.spec.clone(), &limits)?;
        Ok((agent, limits))
    }

    /// Repeats the game of a record, or just READY for a program that never reaches its first move.
    ///
    /// # Errors
    /// [`DebugError`].
    pub fn run(&self, record: Option<&Record>) -> Result<DebugRun, DebugError> {
        let (agent, limits) = self.prepare()?;
        let memory_mib = (limits.memory_mib != self.limits.memory_mib).then_some(limits.memory_mib);
        let checks = self.spec.language().and_then(Language::checks);
        let (outcome, warnings) = (DebugOutcome::Survived, agent.own_sources().warnings());
        let mut run = DebugRun { outcome, memory_mib, differs: None, checks, warnings, stderr: String::new() };
        if let Some(fault) = agent.fault() {
            let message = fault.reason.text.lines().skip(1).collect::<Vec<_>>().join("\n");
            run.outcome = DebugOutcome::Uncompiled { message };
            return Ok(run);
        }
        let bout = Bout::new(self.game, self.setup.clone(), limits)?;
        let mut late = false;
        let mut was_late =
            record.is_none_or(|record| record.result.verdicts[self.side.index()].verdict == Verdict::Tle);
        let problem = match bout.state().interaction() {
            Interaction::Session => {
                let turns = record.map_or_else(Vec::new, |record| self.turns(record, &bout));
                let seat = bout.seat(&agent, self.side, None)?;
                let preamble = bout.state().preamble_of(self.side);
                let stop = self.spec.language().and_then(Language::debug_signal);
                let found = bout::rerun(seat, self.side, &preamble, &turns, &limits, stop);
                run.differs = found.differs;
                run.stderr = found.stderr;
                late = found.fault.as_ref().is_some_and(|fault| fault.verdict == Verdict::Tle);
                problem_of(found.fault)?
            }
            Interaction::PerAction => match record {
                Some(record) => match self.action(record, &bout, &agent)? {
                    Some(found) => {
                        (late, was_late) = (found.answer.is_late, found.was_late);
                        run.stderr = found.answer.stderr;
                        found.answer.remark.map(|remark| remark.text)
                    }
                    None => None,
                },
                None => None,
            },
        };
        if interrupted() {
            return Err(DebugError::Interrupted("the judge was stopped".to_owned()));
        }
        let crash = Crash::read(&run.stderr, &agent.own_sources());
        run.stderr = end_of(&without_values(&run.stderr));
        run.outcome = match (problem, crash) {
            (None, _) => DebugOutcome::Survived,
            (Some(problem), place) if late && !was_late => {
                DebugOutcome::Late { place: place.map(|place| place.of_stuck(&problem)), problem }
            }
            (Some(problem), Some(place)) if late => DebugOutcome::Stuck(place.of_stuck(&problem)),
            (Some(_), Some(crash)) => DebugOutcome::Crashed(crash),
            (Some(problem), None) => DebugOutcome::Unlocated { problem, is_command: self.spec.language().is_none() },
        };
        Ok(run)
    }

    /// The questions of the side, with more time for a slow program, but no more than in the game if it was late there.
    fn turns(&self, record: &Record, bout: &Bout) -> Vec<RecordedTurn> {
        let turns = recorded_turns(record, bout.state()).into_iter().filter(|turn| turn.side == self.side);
        turns
            .map(|mut turn| {
                let took =
                    turn.recorded.as_ref().and_then(|entry| entry.moment).map_or(turn.left, |moment| moment.wall);
                turn.left = match turn.played {
                    Some(_) => (took * SLOWDOWN).max(MIN_ANSWER_TIME),
                    None => took.max(MIN_LATE_TIME),
                };
                turn
            })
            .collect()
    }

    /// Asks again for the first action that failed, if any.
    fn action(
        &self,
        record: &Record,
        bout: &Bout,
        agent: &PreparedAgent,
    ) -> Result<Option<RepeatedAction>, DebugError> {
        let start = bout.state();
        let mut state = start.boxed_clone();
        begin(record, state.as_mut());
        let failed = failures(record, state.as_ref()).into_iter().find(|failed| failed.side == self.side);
        let Some(failed) = failed else { return Ok(None) };
        let moves =
            prove(record, start.boxed_clone().as_mut()).map_err(|error| DebugError::Interrupted(error.to_string()))?;
        for played in moves.iter().take(failed.action as usize - 1) {
            let refused = |error: agon_game::MoveError| DebugError::Interrupted(error.to_string());
            state.answer(&played.arguments).map_err(refused)?;
        }
        let took = moves.get(failed.action as usize - 1).map_or(Duration::ZERO, |played| played.moment.wall);
        let limit = self.limits.invocation();
        let was_late = took >= limit;
        // A slow program gets more time; one that was late shows where it is.
        let limit = if was_late { limit.max(MIN_LATE_TIME) } else { (took * SLOWDOWN).max(MIN_ANSWER_TIME) };
        let debug = ActionDebug { limit, stop: self.spec.language().and_then(Language::debug_signal) };
        let mut seat = bout.seat(agent, self.side, None)?;
        let answer = bout::ask(start, state.as_ref(), &mut seat, Some(debug))
            .map_err(|fault| DebugError::Interrupted(fault.reason.text))?;
        Ok(Some(RepeatedAction { answer, was_late }))
    }
}

/// An action that was asked for again.
struct RepeatedAction {
    answer: ActionAnswer,
    /// In the game its time was up.
    was_late: bool,
}

/// What a program did wrong; the judge's own failures are errors.
fn problem_of(fault: Option<Fault>) -> Result<Option<String>, DebugError> {
    match fault {
        Some(fault) if fault.verdict == Verdict::Interrupted => Err(DebugError::Interrupted(fault.reason.text)),
        fault => Ok(fault.map(|fault| fault.headline().to_string())),
    }
}

/// The last of an error stream that a repeated game keeps, in whole lines.
fn end_of(stderr: &str) -> String {
    let from = stderr.floor_char_boundary(stderr.len().saturating_sub(MAX_STDERR_BYTES));
    let from = if from == 0 { 0 } else { stderr[from..].find('\n').map_or(from, |end| from + end + 1) };
    stderr[from..].to_owned()
}

impl DebugRun {
    /// Where it crashed, or was when its time ran out, if that was found.
    pub const fn crash(&self) -> Option<&Crash> {
        match &self.outcome {
            DebugOutcome::Crashed(crash) | DebugOutcome::Stuck(crash) => Some(crash),
            _ => None,
        }
    }

    /// What its lines are about.
    pub const fn heading(&self) -> CrashHeading {
        match self.crash() {
            Some(crash) => crash.heading(),
            None => CrashHeading::Repeated,
        }
    }

    /// The lines below its heading, for the details of a finding.
    pub fn details(&self) -> Vec<Stated> {
        let lines = self.lines().into_iter().map(|line| format!("  {line}").into());
        [Stated::from(&self.heading())].into_iter().chain(lines).collect()
    }

    /// Its text in lines for the author.
    pub fn lines(&self) -> Vec<String> {
        let differs = self.differs.map(|ply| {
            let why = "a search that stops by the clock does that, and so does a variable without a value";
            format!("its answer to move {ply} differs from the game: {why}")
        });
        let mut lines = match &self.outcome {
            DebugOutcome::Crashed(crash) | DebugOutcome::Stuck(crash) => crash.lines(),
            DebugOutcome::Unlocated { problem, is_command: true } => vec![
                format!("it failed again, without a call stack: {problem}"),
                "compile it with `-g -fsanitize=address,undefined`, or name its source, which Agon compiles".to_owned(),
            ],
            DebugOutcome::Unlocated { problem, is_command: false } => {
                vec![format!("it failed again, without a call stack: {problem}")]
            }
            DebugOutcome::Survived => vec![match self.checks {
                Some(checks) => format!("nothing found: it did not fail with {checks}"),
                None => "nothing found: it did not fail when the same input was repeated".to_owned(),
            }],
            DebugOutcome::Late { problem, place } => {
                let late = format!("nothing found before it was late, slowed by the checks: {problem}");
                let place = place.iter().flat_map(|place| place.lines().into_iter().skip(1));
                [late].into_iter().chain(place).collect()
            }
            DebugOutcome::Uncompiled { message } => {
                let heading = "it does not compile with the checks of its compiler:".to_owned();
                [heading].into_iter().chain(message.lines().map(|line| format!("  {line}"))).collect()
            }
        };
        if let (Some(differs), DebugOutcome::Survived | DebugOutcome::Unlocated { .. }) = (differs, &self.outcome) {
            lines.push(differs);
        }
        lines.extend(self.warnings.iter().flat_map(Crash::warning_lines));
        if let Some(memory) = self.memory_mib {
            lines.push(format!("memory limit with the sanitizer: {memory} MiB"));
        }
        lines
    }
}
