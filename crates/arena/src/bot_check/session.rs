//! The games of a program that plays a session.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_catalog::{OPENING, POSITION, Setup, Situation, SituationStart};
use agon_game::{GameState, Side};
use agon_jail::Level;
use agon_message::Stated;
use agon_referee::adjudication::Adjudication;
use agon_referee::agent::AgentSpec;
use agon_referee::bout::Report;
use agon_referee::fault_kind::FaultKind;
use agon_referee::limits::GameLimits;
use agon_referee::process::{self, ProgramSpec, Remains};
use agon_referee::protocol::JudgeCommand;
use agon_referee::record::{Record, RecordEntry, Way};
use agon_referee::verdict::{Fault, Verdict};

use super::finding::StepOutcome;
use super::ongoing::{Check, CheckError, PlayedGame, end_of};
use super::remedy::Remedy;
use super::terms::DebugUse;
use super::texts::{CheckNote, Detail, Place, Problem, Rival, StepDetail, StepName, UnreadLines};
use super::{hidden, opponent};
use crate::agents::PreparedAgent;
use crate::game::{self, Bout};

/// Plies that are played from a rare situation on.
const SITUATION_PLIES: u32 = 12;

/// Plies of a game in another environment.
const ENVIRONMENT_PLIES: u32 = 8;

/// How many seeds both seats play where rare situations cannot be set up.
const MORE_SEEDS: u64 = 12;

/// Plies at most to a position far from the start.
const MAX_FAR_PLIES: u32 = 60;

/// Lines of the conversation that a finding shows.
const MAX_SPOKEN: usize = 6;

/// The program's opponent.
#[derive(Clone, Copy)]
enum Opponent {
    Builtin(&'static str),
    Script,
    /// The program itself.
    Itself,
}

impl Opponent {
    const fn name(self) -> Rival {
        match self {
            Self::Builtin(name) => Rival::Builtin { name },
            Self::Script => Rival::Script,
            Self::Itself => Rival::Itself,
        }
    }
}

/// A game of the check.
struct CheckGame<'a> {
    name: &'a StepName,
    side: Side,
    opponent: Opponent,
    parameters: BTreeMap<String, String>,
    seed: u64,
    /// After how many plies it is broken off.
    plies: Option<u32>,
}

/// The outcome of a game.
struct Outcome {
    report: Report,
    fault: Option<Fault>,
    /// The record of a game that it failed or that will be repeated.
    record: Option<Record>,
}

pub(super) fn run(check: &mut Check, agent: &PreparedAgent) -> Result<(), CheckError> {
    let allowed = check.terms.limits.ready_ms;
    let ready =
        check.first_answer(agent, &StepName::Ready, |took| Stated::from(&StepDetail::TookOf { took, allowed }))?;
    let Some(took) = ready else { return Ok(()) };
    check.done.measures.ready_ms = took;
    let game = check.terms.game;
    let players = game.builtins.iter().filter(|builtin| !builtin.timed).map(|builtin| builtin.name);
    let opponents: Vec<Opponent> = players
        .take(2)
        .map(Opponent::Builtin)
        .enumerate()
        .flat_map(|(at, builtin)| match at {
            0 => vec![builtin, Opponent::Script],
            _ => vec![builtin],
        })
        .collect();
    let mut first_game: Option<Vec<String>> = None;
    let mut unplayed = 0;
    let mut why = None;
    for opponent in opponents {
        for side in Side::BOTH {
            if let Some(reason) = check.ends() {
                unplayed += 1;
                why = Some(reason);
                continue;
            }
            let name = StepName::Plays { side: side.into(), rival: opponent.name() };
            let parameters = check.terms.parameters.clone();
            let played = CheckGame { name: &name, side, opponent, parameters, seed: check.terms.seed, plies: None };
            let Outcome { report, fault, .. } = play(check, agent, &played)?;
            if fault.is_none() {
                let used = report.time[side.index()].as_millis() as u64;
                let detail = StepDetail::Game { plies: report.plies, used };
                check.step(&name, StepOutcome::Passed, Stated::from(&detail));
                first_game.get_or_insert_with(|| answers(&report, side));
            }
        }
    }
    if unplayed > 0 {
        let why = why.map(|why| Stated::from(&why)).unwrap_or_default();
        check.step(&StepName::CountedGames { count: unplayed }, StepOutcome::Skipped, why);
    }
    situations(check, agent)?;
    hidden::find(check, agent);
    if check.done.is_ready() && check.ends().is_none() {
        environment(check, agent, &first_game.unwrap_or_default())?;
    }
    Ok(())
}

/// Plays a game and reports what is wrong in it.
fn play(check: &mut Check, agent: &PreparedAgent, game: &CheckGame) -> Result<Outcome, CheckError> {
    let mut outcome = try_game(check, agent, game)?;
    let mut run = None;
    if let Some(record) = outcome.record.take() {
        if let Some(fault) = &outcome.fault {
            run = check.locate(agent, Some(&record), game.side, Some(fault));
            check.done.failed_game.get_or_insert_with(|| Box::new(record.clone()));
        }
        if check.terms.debug == DebugUse::All {
            check.played.push(PlayedGame { name: game.name.clone(), side: game.side, record });
        }
    }
    let Outcome { report, fault, .. } = &outcome;
    let at = game.side.index();
    if let Some(fault) = fault {
        let finish = JudgeCommand::Finish.to_string();
        let over = report
            .entries
            .iter()
            .any(|entry| (entry.side, entry.way, entry.line.as_str()) == (game.side, Way::To, finish.as_str()));
        let step = game.name.clone();
        let place = if over {
            Place::AfterGame { step }
        } else if matches!(fault.kind, Some(FaultKind::NoReady(_) | FaultKind::NotOk { .. })) {
            Place::Ready { step }
        } else {
            Place::Ply { step, ply: report.plies + 1 }
        };
        let stderr = &report.stderr[at];
        let mut more = spoken(&report.entries, game.side);
        if matches!(fault.kind, Some(FaultKind::Illegal { .. })) && is_answered_twice(&report.entries, game.side) {
            more.insert(0, Stated::from(&Detail::SameAnswer));
        }
        check.fault(game.name, &place, fault, stderr, more, run.as_ref());
        return Ok(outcome);
    }
    for entry in report.entries.iter().filter(|entry| entry.side == game.side) {
        check.done.measures.add_move(entry.moment.map_or(Duration::ZERO, |moment| moment.wall));
    }
    check.done.measures.add_game(report.plies, report.time[at], report.peak_memory[at]);
    let Remains { processes, files } = report.remains[at].clone();
    if !processes.is_empty() {
        let names = processes.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let problem = Stated::from(&Problem::Processes { names });
        check.find(&Place::Step(game.name.clone()), problem, Remedy::EndProcesses, Vec::new());
    }
    if !files.is_empty() {
        let names = files.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let problem = Stated::from(&Problem::Files { names });
        check.find(&Place::Step(game.name.clone()), problem, Remedy::WriteElsewhere, Vec::new());
    }
    Ok(outcome)
}

/// Plays a game, again if the judge could not do its work or the machine was too busy; does not look for problems yet.
fn try_game(check: &Check, agent: &PreparedAgent, played: &CheckGame) -> Result<Outcome, CheckError> {
    let spoilt =
        |done: &Result<Outcome, CheckError>| matches!(done, Err(CheckError::Interrupted(_) | CheckError::Undecided(_)));
    game::retry_while(|| try_game_once(check, agent, played), spoilt)
}

fn try_game_once(check: &Check, agent: &PreparedAgent, game: &CheckGame) -> Result<Outcome, CheckError> {
    let terms = check.terms;
    let setup = Setup { seed: game.seed, parameters: game.parameters.clone() };
    let ply = terms.game.initial_state(&setup)?.ply();
    let adjudication = Adjudication { max_plies: game.plies.map(|plies| ply + plies), ..Adjudication::OFF };
    let limits = GameLimits { adjudication, ..terms.limits };
    let mut bout = Bout::new(terms.game, setup, limits)?;
    let other = match game.opponent {
        Opponent::Builtin(name) => Some(PreparedAgent::prepare(terms.game, AgentSpec::builtin(name), &limits)?),
        Opponent::Script => Some(opponent::scripted(bout.state(), &limits)),
        Opponent::Itself => None,
    };
    let other = other.as_ref().unwrap_or(agent);
    let agents = match game.side {
        Side::First => [agent, other],
        Side::Second => [other, agent],
    };
    let mut seats = bout.seats(agents, None)?;
    let started = game::now();
    let report = bout.referee(&mut seats, &mut ());
    if process::interrupted() {
        return Err(CheckError::Interrupted("the judge was stopped".to_owned()));
    }
    let fault = report.verdicts[game.side.index()].fault();
    if let Some(fault) = fault.as_ref().filter(|fault| fault.verdict == Verdict::Interrupted) {
        return Err(CheckError::of_fault(fault.clone()));
    }
    let keep = fault.is_some() || terms.debug == DebugUse::All;
    let record = keep.then(|| bout.record(agents, started, report.clone()));
    Ok(Outcome { report, fault, record })
}

/// The rare situations of the game, as far as the program reads the lines that set them up.
fn situations(check: &mut Check, agent: &PreparedAgent) -> Result<(), CheckError> {
    let game = check.terms.game;
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    let mut skipped = Vec::new();
    for Situation { name, start, .. } in game.situations {
        let SituationStart::Game { parameters, side } = start else { continue };
        if check.ends().is_some() {
            skipped.push(*name);
            continue;
        }
        let special =
            [OPENING.name, POSITION.name].into_iter().find(|key| parameters.iter().any(|(name, _)| name == key));
        if let Some(key) = special {
            let read = if let Some(read) = known.get(key) { *read } else { reads(check, agent, key)? };
            known.insert(key, read);
            if !read {
                skipped.push(*name);
                continue;
            }
        }
        let mut all = check.terms.parameters.clone();
        all.extend(parameters.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())));
        // The situation does not exist on another size of board.
        if game.initial_state(&Setup { seed: check.terms.seed, parameters: all.clone() }).is_err() {
            continue;
        }
        let step = StepName::Situation { name: (*name).into() };
        let played = CheckGame {
            name: &step,
            side: *side,
            opponent: Opponent::Script,
            parameters: all,
            seed: check.terms.seed,
            plies: Some(SITUATION_PLIES),
        };
        if play(check, agent, &played)?.fault.is_none() {
            check.step(&step, StepOutcome::Passed, Stated::default());
        }
    }
    let is_unread = |key: &str| known.get(key) == Some(&false);
    let unread = match (is_unread(OPENING.name), is_unread(POSITION.name)) {
        (true, true) => Some(UnreadLines::Both),
        (true, false) => Some(UnreadLines::Opening),
        (false, true) => Some(UnreadLines::Position),
        (false, false) => None,
    };
    let reason = match (unread, check.ends()) {
        (_, Some(why)) => why,
        // A program that fails anyway would also fail there.
        (Some(_), None) if !check.done.is_ready() => StepDetail::FindingsFirst,
        (Some(lines), None) => StepDetail::Unread { lines },
        (None, None) => return Ok(()),
    };
    if let Some(lines) = unread.filter(|_| check.done.is_ready()) {
        check.note(&CheckNote::NotTried { lines, situations: skipped.join(", ") });
    }
    if !skipped.is_empty() {
        let name = StepName::RareSituations { count: skipped.len() };
        check.step(&name, StepOutcome::Skipped, Stated::from(&reason));
    }
    if unread.is_none() { Ok(()) } else { more_games(check, agent) }
}

/// More games for a program that cannot be led into the rare situations: some of them come up anyway.
fn more_games(check: &mut Check, agent: &PreparedAgent) -> Result<(), CheckError> {
    let players = check.terms.game.builtins.iter().filter(|builtin| !builtin.timed);
    let Some(strongest) = players.take(2).last().map(|builtin| Opponent::Builtin(builtin.name)) else { return Ok(()) };
    let itself = Side::BOTH.map(|side| (Opponent::Itself, side, 0));
    let seeds = (1..=MORE_SEEDS).flat_map(|more| Side::BOTH.map(|side| (strongest, side, more)));
    let (mut played, mut longest) = (0, 0);
    for (opponent, side, more) in itself.into_iter().chain(seeds) {
        if !check.done.is_ready() || check.ends().is_some() || check.is_long() {
            break;
        }
        let seed = check.terms.seed.saturating_add(more);
        let rival = opponent.name();
        let name = match more {
            0 => StepName::Plays { side: side.into(), rival },
            _ => StepName::PlaysSeed { side: side.into(), rival, seed },
        };
        let parameters = check.terms.parameters.clone();
        let game = CheckGame { name: &name, side, opponent, parameters, seed, plies: None };
        let Outcome { report, fault, .. } = play(check, agent, &game)?;
        if fault.is_some() {
            return Ok(());
        }
        played += 1;
        longest = longest.max(report.plies);
    }
    if played > 0 {
        let name = StepName::GamesAgainst { count: played, rival: strongest.name() };
        check.step(&name, StepOutcome::Passed, Stated::from(&StepDetail::LongestGame { plies: longest }));
    }
    Ok(())
}

/// Whether the program reads the lines of this parameter before READY: it continues from a position in which the moves
/// of the start are illegal.
pub(super) fn reads(check: &Check, agent: &PreparedAgent, key: &str) -> Result<bool, CheckError> {
    let (moves, position) = far_from(check.terms.game.initial_state(&check.terms.setup())?);
    let value = if key == POSITION.name { position.position() } else { moves.join("/") };
    let mut parameters = check.terms.parameters.clone();
    parameters.insert(key.to_owned(), value);
    let game = CheckGame {
        name: &StepName::MoreGames,
        side: Side::First,
        opponent: Opponent::Script,
        parameters,
        seed: check.terms.seed,
        plies: Some(ENVIRONMENT_PLIES),
    };
    Ok(try_game(check, agent, &game)?.fault.is_none())
}

/// Plays on to a position in which it is the starting side's turn and none of the starting moves is legal: a program
/// that ignores the set-up lines fails there. Returns the moves and the position.
fn far_from(mut state: Box<dyn GameState>) -> (Vec<String>, Box<dyn GameState>) {
    let (start, side) = (state.legal(), state.turn());
    let mut moves = Vec::new();
    for _ in 0..MAX_FAR_PLIES {
        let mut after = state.boxed_clone();
        let Some(played) = next_move(after.as_mut()).filter(|_| after.turn().is_some()) else { break };
        moves.push(played);
        state = after;
        let legal = state.legal();
        if state.turn() == side && legal.len() > 1 && !legal.iter().any(|text| start.contains(text)) {
            break;
        }
    }
    (moves, state)
}

/// Plays a legal move.
fn next_move(state: &mut dyn GameState) -> Option<String> {
    let legal = state.legal();
    let chosen = legal.get(legal.len() / 3)?.clone();
    state.answer(&chosen).ok()?;
    Some(chosen)
}

/// A change to the environment, and its name for authors.
type EnvironmentChange = (ChangeName, Box<dyn Fn(&mut ProgramSpec)>);

/// Which change it is.
#[derive(Clone, PartialEq, Eq)]
enum ChangeName {
    /// `HOME=/nonexistent`.
    Variable(String),
    Folder,
}

fn changes(agent: &PreparedAgent) -> Vec<EnvironmentChange> {
    let variable = |name: &'static str, value: &'static str| -> EnvironmentChange {
        let change = move |program: &mut ProgramSpec| {
            program.environment.retain(|(known, _)| known != name);
            program.environment.push((name.to_owned(), value.into()));
        };
        (ChangeName::Variable(format!("{name}={value}")), Box::new(change))
    };
    let mut changes = vec![
        variable("HOME", "/nonexistent"),
        variable("LANG", "C"),
        variable("TERM", "dumb"),
        variable("TZ", "Asia/Kathmandu"),
    ];
    // The command names its files relative to the folder where it starts.
    if matches!(agent.spec(), AgentSpec::Source { settings, .. } if settings.dir.is_none()) {
        let change = |program: &mut ProgramSpec| {
            if program.jail.level == Level::Full {
                program.jail.folder = Some("/tmp".into());
            }
        };
        changes.push((ChangeName::Folder, Box::new(change)));
    }
    changes
}

/// Repeats the beginning of a game in another environment: the program must not fail there, and should play the same
/// moves.
fn environment(check: &mut Check, agent: &PreparedAgent, first_game: &[String]) -> Result<(), CheckError> {
    const STEP: StepName = StepName::Environment;
    let Some(builtin) = check.terms.game.builtins.first() else { return Ok(()) };
    let game = CheckGame {
        name: &STEP,
        side: Side::First,
        opponent: Opponent::Builtin(builtin.name),
        parameters: check.terms.parameters.clone(),
        seed: check.terms.seed,
        plies: Some(ENVIRONMENT_PLIES),
    };
    let changes = changes(agent);
    let Some(changed) = agent.started_otherwise(|program| changes.iter().for_each(|(_, change)| change(program)))
    else {
        return Ok(());
    };
    let Outcome { report, fault, .. } = try_game(check, &changed, &game)?;
    let Some(fault) = fault else {
        let found = answers(&report, Side::First);
        check.step(&STEP, StepOutcome::Passed, Stated::default());
        if !first_game.starts_with(&found) {
            let timed = is_timed(&report, Side::First, check.terms.limits.clock());
            check.note(if timed { &CheckNote::DiffersByClock } else { &CheckNote::DiffersBySeed });
        }
        return Ok(());
    };
    // Which of the changes it is.
    let mut names = Vec::new();
    for (name, change) in &changes {
        let Some(one) = agent.started_otherwise(|program| change(program)) else { continue };
        if try_game(check, &one, &game)?.fault.is_some() {
            names.push(name.clone());
        }
    }
    let variables: Vec<&str> = names
        .iter()
        .filter_map(|name| match name {
            ChangeName::Variable(text) => Some(text.as_str()),
            ChangeName::Folder => None,
        })
        .collect();
    let problem = Stated::from(&match (variables.as_slice(), names.contains(&ChangeName::Folder)) {
        ([], true) => Problem::FailsInFolder,
        ([], false) => Problem::FailsInEnvironment,
        (_, false) => Problem::FailsIn { changes: variables.join(", ") },
        (_, true) => Problem::FailsInAndFolder { changes: variables.join(", ") },
    });
    let headline = Stated::from(&fault.headline());
    let details = [headline].into_iter().chain(end_of(&report.stderr[Side::First.index()])).collect();
    check.step(&STEP, StepOutcome::Failed, problem.clone());
    check.find(&Place::Step(STEP), problem, Remedy::AnyEnvironment, details);
    Ok(())
}

/// The answers to TURN of a side.
fn answers(report: &Report, side: Side) -> Vec<String> {
    let own = report.entries.iter().filter(|entry| entry.side == side && entry.way == Way::From);
    own.filter(|entry| entry.moment.is_some()).map(|entry| entry.line.clone()).collect()
}

/// Whether a side takes so much of its clock for an answer that the clock may end its search.
fn is_timed(report: &Report, side: Side, clock: Duration) -> bool {
    const LITTLE: u32 = 100;
    let own = report.entries.iter().filter(|entry| entry.side == side).filter_map(|entry| entry.moment);
    own.map(|moment| moment.cpu).max().is_some_and(|longest| longest > clock / LITTLE)
}

/// Whether a side's last answer repeats the one before.
fn is_answered_twice(entries: &[RecordEntry], side: Side) -> bool {
    let mut own = entries.iter().rev().filter(|entry| entry.side == side && entry.way == Way::From);
    let (last, before) = (own.next(), own.next());
    last.zip(before).is_some_and(|(last, before)| last.line == before.line)
}

/// The last lines of a side's conversation.
fn spoken(entries: &[RecordEntry], side: Side) -> Vec<Stated> {
    let own: Vec<&RecordEntry> = entries.iter().filter(|entry| entry.side == side).collect();
    let shown = &own[own.len().saturating_sub(MAX_SPOKEN)..];
    let lines = shown.iter().map(|entry| {
        let mark = if entry.way == Way::To { '>' } else { '<' };
        format!("  {mark} {}", entry.line).into()
    });
    [Stated::from(&Detail::LastLines)].into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use agon_catalog::Game;

    use super::*;

    #[test]
    fn a_search_that_takes_time_is_ended_by_the_clock() {
        let ms = Duration::from_millis;
        let game = Game::DOMINEERING;
        let limits = GameLimits::default();
        let agent = |name| PreparedAgent::prepare(game, AgentSpec::builtin(name), &limits).unwrap();
        let agents = [&agent("greedy"), &agent("greedy")];
        let mut bout = Bout::new(game, Setup::default(), limits).unwrap();
        let mut seats = bout.seats(agents, None).unwrap();
        let mut report = bout.referee(&mut seats, &mut ());
        let mut check = |cpu: u64, expected: bool| {
            let answer = report.entries.iter_mut().rfind(|entry| entry.side == Side::First && entry.moment.is_some());
            answer.unwrap().moment.as_mut().unwrap().cpu = ms(cpu);
            assert_eq!(is_timed(&report, Side::First, ms(10_000)), expected, "{cpu} ms");
        };
        check(330, true);
        check(5, false);
    }

    #[test]
    fn far_from_the_start_its_moves_are_illegal() {
        let start = Game::BACTERIA.initial_state(&Setup::default()).unwrap();
        let (moves, far) = far_from(start.boxed_clone());
        assert!(!moves.is_empty());
        assert_eq!(far.turn(), start.turn());
        assert!(far.legal().len() > 1, "{}", far.position());
        assert!(!far.legal().iter().any(|text| start.legal().contains(text)), "{}", far.position());
    }
}
