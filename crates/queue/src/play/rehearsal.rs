//! The games of a check that no one sees.

use std::time::Duration;

use agon_arena::agents::PreparedAgent;
use agon_arena::bot_check::{self, BotCheck, CheckPlace, CheckTerms, DebugUse};
use agon_arena::debug::{DebugRun, Debugging};
use agon_arena::openings;
use agon_arena::runner::RunStop;
use agon_arena::transcript::without_cache;
use agon_game::Side;
use agon_message::Stated;
use agon_referee::agent::{AgentSpec, source};
use agon_referee::crash::Crash;
use agon_referee::fault_kind::FaultKind;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;
use agon_site::check_message::CheckMessage;

use super::game::SitePlayer;
use super::terms::{BoutTerms, PlayError};

/// How long the check of a version keeps starting games after its first one.
pub const CHECK_TIME: Duration = Duration::from_secs(20);

/// The findings of a check's games that are not shown.
pub(super) struct Rehearsed {
    /// For the author, a line for each finding.
    pub message: CheckMessage,
    /// The first game in which the program failed.
    pub game: Option<Box<Record>>,
}

/// The games of the check after its first one, which no one sees: what `agon check` does at home.
///
/// # Errors
/// [`PlayError`] when they could not be played; the inner error has the findings.
pub(super) fn rehearse(own: &SitePlayer, terms: &BoutTerms) -> Result<Result<(), Rehearsed>, PlayError> {
    // Programs that play on other machines are checked only by their first game.
    let SitePlayer::Here { agent, .. } = own else { return Ok(Ok(())) };
    let found = check(agent, terms)?;
    let lines = found.findings.iter().flat_map(|finding| {
        let crash = finding.crash.iter().flat_map(Crash::located);
        let cause = finding.cause.iter().map(|line| line.map_texts(&without_cache));
        [Stated::from(&finding.message(without_cache))].into_iter().chain(cause).chain(crash)
    });
    let rehearsed = Rehearsed { message: lines.collect(), game: found.failed_game };
    Ok(if found.findings.is_empty() { Ok(()) } else { Err(rehearsed) })
}

/// The terms of a check: openings vary, and a check has its own.
fn check_terms(terms: &BoutTerms) -> CheckTerms {
    let BoutTerms { game, setup, limits, .. } = terms;
    let mut parameters = setup.parameters.clone();
    parameters.remove(openings::PARAMETER);
    let (game, limits, seed, run_stop) = (*game, *limits, setup.seed, RunStop::default());
    let (place, debug) = (CheckPlace::Site, DebugUse::First);
    CheckTerms { game, parameters, limits, seed, time: CHECK_TIME, run_stop, place, debug }
}

/// Whether a program reads OPENING lines, if the game has openings.
///
/// # Errors
/// [`PlayError`] when it could not be tried.
pub(super) fn reads_openings(agent: &PreparedAgent, terms: &BoutTerms) -> Result<bool, PlayError> {
    if !terms.game.has_openings() {
        return Ok(false);
    }
    bot_check::reads_openings(agent, &check_terms(terms)).map_err(PlayError::from)
}

/// Where a program crashed or did not answer in the game of a check, for its author; empty if it did neither or plays
/// elsewhere.
pub(super) fn where_it_failed(own: &SitePlayer, terms: &BoutTerms, record: &Record) -> Vec<Stated> {
    let SitePlayer::Here { agent, .. } = own else { return Vec::new() };
    let judged = &record.result.verdicts[0];
    if judged.verdict != Verdict::Tle && !judged.kind.as_ref().is_some_and(FaultKind::is_crash) {
        return Vec::new();
    }
    // A check does not fail because a game cannot be repeated.
    let run = Debugging::of_record(terms.game, record, Side::First, agent.spec()).run(Some(record)).ok();
    let own = by_own_name(agent.spec());
    let crash = run.as_ref().and_then(DebugRun::crash);
    crash.map_or_else(Vec::new, |crash| crash.located().iter().map(|line| line.map_texts(&own)).collect())
}

/// Replaces the site's name for a source in texts by the compilers' name, which authors are shown.
fn by_own_name(spec: &AgentSpec) -> impl Fn(&str) -> String {
    let names = match spec {
        // The files of a folder have the names that their author gave them.
        AgentSpec::Source { path, .. } if path.is_dir() => None,
        AgentSpec::Source { language, path, .. } => path
            .file_name()
            .and_then(|kept| Some((kept.to_str()?.to_owned(), language.kept_name().unwrap_or("Main.java")))),
        _ => None,
    };
    move |text| names.as_ref().map_or(text.to_owned(), |(kept, shown)| source::renamed(text, kept, shown))
}

/// The equivalent of `agon check`, with remedies for submissions.
///
/// # Errors
/// [`PlayError`] when it could not be done.
pub(super) fn check(agent: &PreparedAgent, terms: &BoutTerms) -> Result<BotCheck, PlayError> {
    let mut found = bot_check::check(agent, &check_terms(terms), &mut |_| {})?;
    let own = by_own_name(agent.spec());
    for finding in &mut found.findings {
        // The author knows no file of the site.
        for call in finding.crash.iter_mut().flat_map(|crash| &mut crash.calls) {
            call.name = own(&call.name);
            call.file = call.name.clone().into();
        }
        for line in finding.details.iter_mut().chain(&mut finding.cause) {
            *line = line.map_texts(&own);
        }
    }
    Ok(found)
}
