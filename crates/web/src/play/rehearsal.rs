//! The games of a check that no one sees.

use agon_arena::agents::PreparedAgent;
use agon_arena::bot_check::{self, BotCheck, CheckPlace, CheckTerms};
use agon_arena::openings;
use agon_arena::runner::Brake;
use agon_referee::record::Record;

use super::game::SitePlayer;
use super::terms::{BoutTerms, PlayError};
use crate::limits::CHECK_TIME;
use crate::viewer::transcript::without_cache;

/// What the games of a check have found that no one sees.
pub struct Rehearsed {
    /// For the author, a line for each finding.
    pub message: String,
    /// The first game in which the program failed.
    pub game: Option<Box<Record>>,
}

/// The games of the check after its first one, which no one sees: what `agon check` does at home.
///
/// # Errors
/// [`PlayError`] when they could not be played; the inner error is what was found.
pub fn rehearse(own: &SitePlayer, terms: &BoutTerms) -> Result<Result<(), Rehearsed>, PlayError> {
    // What other machines play is checked by its first game alone.
    let SitePlayer::Here { agent, .. } = own else { return Ok(Ok(())) };
    let found = check(agent, terms)?;
    let lines: Vec<String> = found.findings.iter().map(|finding| without_cache(&finding.to_string())).collect();
    let rehearsed = Rehearsed { message: lines.join("\n"), game: found.failed_game };
    Ok(if found.findings.is_empty() { Ok(()) } else { Err(rehearsed) })
}

/// Under which terms a check is made: openings come and go, and it has its own.
fn check_terms(terms: &BoutTerms) -> CheckTerms {
    let BoutTerms { game, setup, limits, .. } = terms;
    let mut parameters = setup.parameters.clone();
    parameters.remove(openings::PARAMETER);
    let (game, limits, seed, brake) = (*game, *limits, setup.seed, Brake::default());
    CheckTerms { game, parameters, limits, seed, time: CHECK_TIME, brake, place: CheckPlace::Site }
}

/// Whether a program reads OPENING lines, of a game that has openings.
///
/// # Errors
/// [`PlayError`] when it could not be tried.
pub fn reads_openings(agent: &PreparedAgent, terms: &BoutTerms) -> Result<bool, PlayError> {
    if !terms.game.has_openings() {
        return Ok(false);
    }
    bot_check::reads_openings(agent, &check_terms(terms)).map_err(PlayError::from)
}

/// What `agon check` does at home, with remedies for submissions.
///
/// # Errors
/// [`PlayError`] when it could not be done.
pub fn check(agent: &PreparedAgent, terms: &BoutTerms) -> Result<BotCheck, PlayError> {
    Ok(bot_check::check(agent, &check_terms(terms), &mut |_| {})?)
}
