//! The games of a check that no one sees.

use agon_arena::agents::PreparedAgent;
use agon_arena::bot_check::{self, BotCheck, CheckTerms};
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

/// What a check says to those who run it on a command line, and what it says here instead: a submission has no options,
/// no other files, and no folder of documents.
const AT_HOME: [(&str, &str); 3] = [
    ("; if it loads long, give it more time: --ready 10s", ""),
    (
        "Keep what the program reads beside it, and name its folder, or `see=PATH` before it.",
        "A submission is one file: put what the program reads into its source.",
    ),
    (
        "Make it compile with the options of docs/judge.md; the compiler's first lines stand above.",
        "Make it compile: the compiler's first lines stand above.",
    ),
];

/// A line of a finding as the author of a submission can use it.
fn for_submissions(line: &str) -> String {
    AT_HOME.iter().fold(line.to_owned(), |line, (at_home, here)| line.replace(at_home, here))
}

/// Under which terms a check is made: openings come and go, and it has its own.
fn check_terms(terms: &BoutTerms) -> CheckTerms {
    let BoutTerms { game, setup, limits, .. } = terms;
    let mut parameters = setup.parameters.clone();
    parameters.remove(openings::PARAMETER);
    let (game, limits, seed, brake) = (*game, *limits, setup.seed, Brake::default());
    CheckTerms { game, parameters, limits, seed, time: CHECK_TIME, brake }
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
    let terms = check_terms(terms);
    let found = bot_check::check(agent, &terms, &mut |_| {});
    let mut found = found?;
    for finding in &mut found.findings {
        let (problem, remedy) = (&mut finding.problem, &mut finding.remedy);
        for line in [problem, remedy].into_iter().chain(&mut finding.details) {
            *line = for_submissions(line);
        }
    }
    for step in &mut found.steps {
        step.detail = for_submissions(&step.detail);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_name_no_option_of_the_command_line() {
        for (at_home, here) in AT_HOME {
            let finding = format!("TLE: no answer within 3000 ms{at_home}");
            assert_eq!(for_submissions(&finding), format!("TLE: no answer within 3000 ms{here}"));
        }
        // What is replaced is what the check says.
        let said =
            [include_str!("../../../arena/src/bot_check/remedy.rs"), include_str!("../../../referee/src/bout/mod.rs")];
        assert!(AT_HOME.iter().all(|(at_home, _)| said.iter().any(|code| code.contains(at_home))));
    }
}
