//! The games of a check that no one sees.

use agon_arena::agents::PreparedAgent;
use agon_arena::bot_check::{self, BotCheck, CheckError, CheckTerms};
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
    let lines: Vec<String> = found.findings.iter().map(|finding| for_submissions(&finding.to_string())).collect();
    let rehearsed = Rehearsed { message: lines.join("\n"), game: found.failed_game };
    Ok(if found.findings.is_empty() { Ok(()) } else { Err(rehearsed) })
}

/// What a remedy says of the command line, which has an option that submissions lack.
const AT_HOME: &str = "; if it loads long, give it more time: --ready 10s";

/// A finding as the author of a submission can use it.
fn for_submissions(finding: &str) -> String {
    without_cache(finding).replace(AT_HOME, "")
}

/// What `agon check` does at home.
///
/// # Errors
/// [`PlayError`] when it could not be done.
pub fn check(agent: &PreparedAgent, terms: &BoutTerms) -> Result<BotCheck, PlayError> {
    let BoutTerms { game, setup, limits, .. } = terms;
    let mut parameters = setup.parameters.clone();
    // The openings of a competition come and go; the check has its own.
    parameters.remove(openings::PARAMETER);
    let (game, limits, seed, brake) = (*game, *limits, setup.seed, Brake::default());
    let terms = CheckTerms { game, parameters, limits, seed, time: CHECK_TIME, brake };
    bot_check::check(agent, &terms, &mut |_| {}).map_err(|error| match error {
        CheckError::Agent(error) => PlayError::Agent(error),
        error => PlayError::Interrupted(error.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_name_no_option_of_the_command_line() {
        let finding = format!("answers READY: TLE: no answer within 3000 ms{AT_HOME}. Flush after every answer.");
        let wanted = "answers READY: TLE: no answer within 3000 ms. Flush after every answer.";
        assert_eq!(for_submissions(&finding), wanted);
    }
}
