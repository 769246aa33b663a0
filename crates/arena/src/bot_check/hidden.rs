//! Faults of memory and arithmetic that a game does not show: it is repeated with all checks of the compiler.

use std::time::{Duration, Instant};

use agon_message::Stated;
use agon_referee::agent::Language;
use agon_referee::crash::Crash;
use agon_referee::verdict::Verdict;

use super::finding::{Finding, StepOutcome};
use super::ongoing::{Check, PlayedGame};
use super::remedy::Remedy;
use super::terms::DebugUse;
use super::texts::{CheckNote, Detail, Place, Problem, StepDetail, StepName};
use crate::agents::PreparedAgent;
use crate::debug::{DebugOutcome, DebugRun, Debugging};

/// After this time no further game is repeated.
const MAX_TIME: Duration = Duration::from_mins(1);

const STEP: StepName = StepName::AllChecks;

/// Warnings of the compiler that are noted.
const MAX_WARNINGS: usize = 3;

/// Repeats the games of the check, if that is wanted, until one shows a fault.
pub(super) fn find(check: &mut Check, agent: &PreparedAgent) {
    if check.terms.debug != DebugUse::All || check.located {
        return;
    }
    let Some(checks) = agent.spec().language().and_then(Language::checks) else {
        let why = match agent.spec().language() {
            Some(language) => StepDetail::NeedsNoChecks { language: language.title() },
            None => StepDetail::NameTheSource,
        };
        check.step(&STEP, StepOutcome::Skipped, Stated::from(&why));
        return;
    };
    // Whatever failed is most likely to have a hidden cause.
    let mut games = std::mem::take(&mut check.played);
    // The sanitizers need time and memory of their own: failures for lack of these mean nothing.
    games.retain(|game| !matches!(game.verdict(), Verdict::Tle | Verdict::Mle));
    games.sort_by_key(|game| game.verdict() == Verdict::Ok);
    let (begun, mut repeated, mut late) = (Instant::now(), 0_u64, 0_u64);
    let mut warned = false;
    for game in games {
        if repeated + late > 0 && (begun.elapsed() > MAX_TIME || check.terms.run_stop.is_raised()) {
            break;
        }
        let debugging = Debugging::of_record(check.terms.game, &game.record, game.side, agent.spec());
        // A check does not fail because a game cannot be repeated.
        let Ok(run) = debugging.run(Some(&game.record)) else { continue };
        if !std::mem::replace(&mut warned, true) {
            note_warnings(check, &run);
        }
        match run.outcome {
            DebugOutcome::Survived => repeated += 1,
            DebugOutcome::Late { problem, place } => {
                late += 1;
                if let Some(call) = place.as_ref().and_then(|place| place.calls.first()) {
                    check.note(&CheckNote::TooSlowAt { checks, problem, call: call.to_string() });
                }
            }
            DebugOutcome::Crashed(crash) | DebugOutcome::Stuck(crash) => {
                found(check, &game, crash);
                return;
            }
            // It fails as it did without them, which has been reported.
            DebugOutcome::Unlocated { .. } if game.verdict() != Verdict::Ok => repeated += 1,
            DebugOutcome::Unlocated { problem, .. } => {
                check.step(&STEP, StepOutcome::Failed, problem.as_str().into());
                let problem = Stated::from(&Problem::FailsChecked { checks, problem });
                check.find(&game.place(), problem, Remedy::NowhereNamed, Vec::new());
                return;
            }
            DebugOutcome::Uncompiled { message } => {
                check.step(&STEP, StepOutcome::Skipped, Stated::from(&StepDetail::NotCompiled));
                let message = message.lines().next().unwrap_or_default().to_owned();
                check.note(&CheckNote::NotCompiled { checks, message });
                return;
            }
        }
    }
    let (outcome, detail) = match (repeated, late) {
        (0, 0) => return,
        (0, _) => (StepOutcome::Skipped, StepDetail::TooSlow),
        (1, 0) => (StepOutcome::Passed, StepDetail::NothingInOne { checks }),
        (games, 0) => (StepOutcome::Passed, StepDetail::Nothing { games, checks }),
        (1, late) => (StepOutcome::Passed, StepDetail::NothingInOneSome { checks, late }),
        (games, late) => (StepOutcome::Passed, StepDetail::NothingSome { games, checks, late }),
    };
    check.step(&STEP, outcome, Stated::from(&detail));
}

/// A fault that the game did not show.
fn found(check: &mut Check, game: &PlayedGame, crash: Crash) {
    let problem = Stated::from(crash.problem.as_str());
    check.step(&STEP, StepOutcome::Failed, problem.clone());
    let lines = crash.lines().into_iter().skip(1).map(|line| format!("  {line}").into());
    let details = [Stated::from(&Detail::WhereItIs)].into_iter().chain(lines).collect();
    let remedy = Remedy::FixFirstLine;
    let steps = vec![Stated::from(&game.place())];
    check.done.add(Finding { steps, problem, details, cause: Vec::new(), remedy, crash: Some(crash) });
}

fn note_warnings(check: &mut Check, run: &DebugRun) {
    for warning in run.warnings.iter().take(MAX_WARNINGS) {
        let problem = warning.problem.clone();
        check.note(&match warning.calls.first() {
            Some(call) => CheckNote::WarningAt { call: call.to_string(), problem },
            None => CheckNote::Warning { problem },
        });
    }
}

impl PlayedGame {
    fn verdict(&self) -> Verdict {
        self.record.result.verdicts[self.side.index()].verdict
    }

    fn place(&self) -> Place {
        Place::Repeated { step: self.name.clone() }
    }
}
