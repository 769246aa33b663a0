//! Faults of memory and arithmetic that a game does not show: it is repeated with all checks of the compiler.

use std::time::{Duration, Instant};

use agon_referee::agent::Language;
use agon_referee::crash::Crash;
use agon_referee::verdict::Verdict;

use super::finding::{Finding, StepOutcome};
use super::ongoing::{Check, PlayedGame};
use super::remedy::Remedy;
use super::terms::DebugUse;
use crate::agents::PreparedAgent;
use crate::debug::{DebugOutcome, DebugRun, Debugging};

/// After this time no further game is repeated.
const MAX_TIME: Duration = Duration::from_mins(1);

const STEP: &str = "repeats its games with all checks";

/// Warnings of the compiler that are noted.
const MAX_WARNINGS: usize = 3;

/// Repeats the games of the check, if that is wanted, until one shows a fault.
pub(super) fn find(check: &mut Check, agent: &PreparedAgent) {
    if check.terms.debug != DebugUse::All || check.located {
        return;
    }
    let Some(checks) = agent.spec().language().and_then(Language::checks) else {
        let why = match agent.spec().language() {
            Some(language) => format!("{} needs none: its exceptions show the line", language.title()),
            None => "name the source instead of a command, and Agon compiles the checks in".to_owned(),
        };
        check.step(STEP, StepOutcome::Skipped, &why);
        return;
    };
    // What failed is the most likely to have a reason that was not seen.
    let mut games = std::mem::take(&mut check.played);
    // The checks need time and memory of their own: what fails for want of these says nothing.
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
                    check.note(format!(
                        "With {checks} it was too slow ({problem}), and at {call} when its time was over. An endless \
                         loop there may depend on a variable without a value."
                    ));
                }
            }
            DebugOutcome::Crashed(crash) | DebugOutcome::Stuck(crash) => {
                found(check, &game, crash);
                return;
            }
            // It fails as it did without them, which has been said.
            DebugOutcome::Unlocated { .. } if game.verdict() != Verdict::Ok => repeated += 1,
            DebugOutcome::Unlocated { problem, .. } => {
                check.step(STEP, StepOutcome::Failed, &problem);
                check.find(
                    &game.place(),
                    format!("it fails with {checks}: {problem}"),
                    Remedy::NowhereNamed,
                    Vec::new(),
                );
                return;
            }
            DebugOutcome::Uncompiled { message } => {
                check.step(STEP, StepOutcome::Skipped, "it does not compile with them");
                check
                    .note(format!("With {checks} it does not compile: {}", message.lines().next().unwrap_or_default()));
                return;
            }
        }
    }
    let games = |count: u64| if count == 1 { "1 game".to_owned() } else { format!("{count} games") };
    match (repeated, late) {
        (0, 0) => {}
        (0, _) => check.step(STEP, StepOutcome::Skipped, "too slow with them for its clock"),
        (_, late) => {
            let slow = if late == 0 { String::new() } else { format!("; {late} too slow with them") };
            check.step(STEP, StepOutcome::Passed, &format!("{}, nothing found by {checks}{slow}", games(repeated)));
        }
    }
}

/// A fault that the game did not show.
fn found(check: &mut Check, game: &PlayedGame, crash: Crash) {
    check.step(STEP, StepOutcome::Failed, &crash.problem);
    let lines = crash.lines().into_iter().skip(1).map(|line| format!("  {line}"));
    let details = ["where it is".to_owned()].into_iter().chain(lines).collect();
    let remedy = Remedy::FixFirstLine;
    let (steps, problem) = (vec![game.place()], crash.problem.clone());
    check.done.add(Finding { steps, problem, details, remedy, crash: Some(crash) });
}

fn note_warnings(check: &mut Check, run: &DebugRun) {
    for warning in run.warnings.iter().take(MAX_WARNINGS) {
        let place = warning.calls.first().map_or_else(String::new, |call| format!(" at {call}"));
        check.note(format!("The compiler warns{place}: {}.", warning.problem));
    }
}

impl PlayedGame {
    fn verdict(&self) -> Verdict {
        self.record.result.verdicts[self.side.index()].verdict
    }

    fn place(&self) -> String {
        format!("{}, repeated with all checks", self.name)
    }
}
