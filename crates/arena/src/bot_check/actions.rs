//! The games of a program that is started for each action.

use std::time::Duration;

use agon_catalog::{Setup, Situation, SituationStart};
use agon_game::{Interaction, Side};
use agon_message::Stated;
use agon_referee::agent::AgentSpec;
use agon_referee::bout::{self, Afterwards, InputAnswer};
use agon_referee::failures::failures;
use agon_referee::limits::GameLimits;
use agon_referee::process;
use agon_referee::protocol::quote;
use agon_referee::record::Way;
use agon_referee::replay::begin;
use agon_referee::startup::Startup;
use agon_referee::verdict::Verdict;
use agon_rules::petri::Scene;

use super::finding::StepOutcome;
use super::ongoing::{Check, CheckError, end_of};
use super::remedy::Remedy;
use super::texts::{CheckNote, Detail, Place, Problem, Rival, StepDetail, StepName};
use crate::agents::PreparedAgent;
use crate::debug::DebugOutcome;
use crate::game::Bout;

/// Columns, rows and turns of the boards: a usual one, the smallest, which is soon full, and a wide one.
const BOARDS: [(u32, u32, u32); 3] = [(10, 4, 6), (4, 4, 10), (20, 4, 3)];

/// The percentage of actions that are asked for twice.
const RECHECK_PERCENT: u8 = 100;

/// A process that starts faster than this does not slow a game down.
const SLOW_START: Duration = Duration::from_millis(20);

/// How many actions a program may have to answer in a game on a usual board.
const USUAL_ACTIONS: u32 = 300;

/// Lines of an input that a finding shows.
const MAX_INPUT_LINES: usize = 24;

pub(super) fn run(check: &mut Check, agent: &PreparedAgent) -> Result<(), CheckError> {
    if check.first_answer(agent, &StepName::Begin, |_| Stated::default())?.is_none() {
        return Ok(());
    }
    let mut startup = Startup::default();
    for (columns, rows, turns) in BOARDS {
        for side in Side::BOTH {
            if let Some(why) = check.ends() {
                check.step(&StepName::MoreGames, StepOutcome::Skipped, Stated::from(&why));
                return Ok(());
            }
            board(check, agent, side, [columns, rows, turns], &mut startup)?;
        }
    }
    if let Some(note) = slow_start(startup) {
        check.note(&note);
    }
    inputs(check, agent)
}

/// The note for a program that is slow because a process is started for every action.
fn slow_start(startup: Startup) -> Option<CheckNote> {
    let each = startup.starting.checked_div(startup.processes).unwrap_or_default();
    (each >= SLOW_START && startup.is_most()).then(|| CheckNote::SlowStart {
        ms: each.as_millis() as u64,
        seconds: (each * USUAL_ACTIONS).as_secs(),
        actions: USUAL_ACTIONS,
    })
}

/// A short game on a board of this size.
fn board(
    check: &mut Check,
    agent: &PreparedAgent,
    side: Side,
    [columns, rows, turns]: [u32; 3],
    startup: &mut Startup,
) -> Result<(), CheckError> {
    let game = check.terms.game;
    let mut parameters = check.terms.parameters.clone();
    let sizes = game.size.map(|[width, height]| [(width, columns), (height, rows)]);
    let turns = game.has_parameter("turns").then_some(("turns", turns));
    for (name, value) in sizes.into_iter().flatten().chain(turns) {
        parameters.insert(name.to_owned(), value.to_string());
    }
    let limits = GameLimits { recheck_percent: RECHECK_PERCENT, ..check.terms.limits };
    let setup = Setup { seed: check.terms.seed, parameters };
    let start = game.initial_state(&setup)?;
    let mut bout = Bout::new(game, setup, limits)?;
    let rival = game.defaults[side.other().index()];
    let other = PreparedAgent::prepare(game, AgentSpec::builtin(rival), &limits)?;
    // The limits of the seat decide which actions are repeated.
    let repeated = agent.started_otherwise(|_| {}).map(|agent| agent.with_limits(limits));
    let agent = repeated.as_ref().unwrap_or(agent);
    let agents = match side {
        Side::First => [agent, &other],
        Side::Second => [&other, agent],
    };
    let mut seats = bout.seats(agents, None)?;
    let record = bout.play(agents, &mut seats, Afterwards::Exit, &mut ());
    if process::interrupted() {
        return Err(CheckError::Interrupted("the judge was stopped".to_owned()));
    }
    if let Some(startups) = Startup::from_record(&record, side) {
        startup.add(startups);
    }
    let at = side.index();
    let name = StepName::PlaysBoard { side: side.into(), columns, rows, rival: Rival::Builtin { name: rival } };
    let judged = &record.result.verdicts[at];
    match judged.fault() {
        None => {}
        Some(fault) if fault.verdict == Verdict::Interrupted => return Err(CheckError::of_fault(fault)),
        Some(fault) => {
            check.fault(&name, &Place::Step(name.clone()), &fault, &record.result.stderr[at], Vec::new(), None);
            check.done.failed_game.get_or_insert_with(|| Box::new(record));
            return Ok(());
        }
    }
    let own = record.entries.iter().filter(|entry| entry.side == side && entry.way == Way::From);
    for moment in own.filter_map(|entry| entry.moment) {
        check.done.measures.add_move(moment.wall);
    }
    let used = Duration::from_secs_f64(record.result.time_ms[at].max(0.0) / 1000.0);
    let peak = (record.result.peak_mb[at].max(0.0) * f64::from(1 << 20)) as u64;
    check.done.measures.add_game(record.result.plies, used, peak);
    let mut first_problem = None;
    // After BEGIN: the first input has the species.
    let mut begun = start.boxed_clone();
    begin(&record, begun.as_mut());
    let failed: Vec<_> = failures(&record, begun.as_ref()).into_iter().filter(|failed| failed.side == side).collect();
    let mut run = if failed.is_empty() { None } else { check.locate(agent, Some(&record), side, None) };
    for failed in &failed {
        let problem = Stated::from(&Problem::Rested { why: failed.remark.clone() });
        first_problem.get_or_insert_with(|| problem.clone());
        let mut details = shown(&failed.input);
        details.push(answered(&failed.answer));
        details.extend(end_of(&failed.stderr));
        let place = Place::Action { step: name.clone(), action: failed.action };
        let remedy = match run.as_ref().map(|run| &run.outcome) {
            Some(DebugOutcome::Crashed(_)) => Remedy::Located,
            _ => Remedy::OneLegalAction,
        };
        check.find_at(&place, problem, remedy, details, run.take().as_ref());
    }
    if let Some(counts) = record.result.invocations.filter(|counts| counts.differing[at] > 0) {
        let problem = Stated::from(&Problem::OtherAnswers { some: counts.differing[at], all: counts.rechecked[at] });
        first_problem.get_or_insert_with(|| problem.clone());
        check.find(&Place::Step(name.clone()), problem, Remedy::InputAlone, Vec::new());
    }
    let outcome = if first_problem.is_none() { StepOutcome::Passed } else { StepOutcome::Failed };
    let actions = || Stated::from(&StepDetail::Actions { count: record.result.plies });
    check.step(&name, outcome, first_problem.unwrap_or_else(actions));
    if outcome == StepOutcome::Failed {
        check.done.failed_game.get_or_insert_with(|| Box::new(record));
    }
    Ok(())
}

/// A cell's answer, for the details of a finding.
fn answered(answer: &str) -> Stated {
    Stated::from(&match answer {
        "" => Detail::NoAnswer,
        answer => Detail::Answer { answer: quote(answer.as_bytes()) },
    })
}

/// An input, for the details of a finding.
fn shown(input: &str) -> Vec<Stated> {
    let lines = input.lines().take(MAX_INPUT_LINES).map(|line| format!("  {line}").into());
    [Stated::from(&Detail::Input)].into_iter().chain(lines).collect()
}

/// The rare inputs of the game.
fn inputs(check: &mut Check, agent: &PreparedAgent) -> Result<(), CheckError> {
    let game = check.terms.game;
    for Situation { name, start, .. } in game.situations {
        let SituationStart::Input(input) = start else { continue };
        if *input == agon_referee::protocol::BEGIN {
            continue;
        }
        if check.ends().is_some() {
            return Ok(());
        }
        let state = game.initial_state(&check.terms.setup())?;
        let mut seat = agent.seat(Interaction::PerAction, Side::First, check.terms.seed)?;
        let InputAnswer { answer, failure, stderr } =
            bout::ask_input(state.as_ref(), &mut seat, input).map_err(CheckError::of_fault)?;
        let step = StepName::Situation { name: (*name).into() };
        let problem = match failure {
            Some(failure) => Some(failure),
            None => Scene::read(input.as_bytes()).ok().and_then(|scene| {
                let refusal = scene.refusal(answer.as_bytes())?;
                Some(Stated::from(&refusal))
            }),
        };
        match problem {
            None => check.step(&step, StepOutcome::Passed, answer.trim().into()),
            Some(problem) => {
                let mut details = shown(input);
                details.push(answered(&answer));
                details.extend(end_of(&stderr));
                check.step(&step, StepOutcome::Failed, problem.clone());
                let problem = Stated::from(&Problem::Rested { why: problem });
                check.find(&Place::Step(step), problem, Remedy::RunInput, details);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_starts_slowly_is_named_with_the_remedy() {
        let startup = |starting, used| {
            let ms = |each: u64| Duration::from_millis(60 * each);
            slow_start(Startup { processes: 60, used: ms(used), starting: ms(starting) })
        };
        let said = startup(50, 60).unwrap().to_string();
        assert!(
            said.starts_with("Starting a process takes 50 ms, and every action starts one: 15 s in a game"),
            "{said}"
        );
        assert!(said.contains("Add LOOP to the answer to BEGIN"), "{said}");
        assert!(startup(10, 12).is_none(), "it starts soon");
        assert!(startup(50, 200).is_none(), "it computes for longer");
        assert!(slow_start(Startup::default()).is_none(), "nothing was started");
    }
}
