//! The check of a program before its first opponent: it finds what the first minute of a competition would.
//!
//! A program compiles, answers READY, and plays both seats: against the two weakest built-in players, against a script
//! that passes and plays at the edges of what is legal, and in the rare situations of the game's row in the catalogue.
//! Meanwhile the check watches its time, its memory, what it leaves behind and what it takes from its environment. A
//! program that is asked per action answers on small dishes and to rare inputs. `agon check` and the check of a site
//! both use this module.

mod actions;
mod finding;
mod hidden;
mod input;
mod ongoing;
mod opponent;
pub mod remedy;
mod session;
mod terms;
pub mod texts;

use std::time::Duration;

use agon_catalog::OPENING;
use agon_game::Interaction;
use agon_jail::{Level, Writes};
use agon_message::Stated;

use crate::agents::PreparedAgent;
use crate::game::Bout;
pub use finding::{BotCheck, Finding, FindingMessage, Measures, Step, StepOutcome};
pub use input::input;
use ongoing::Check;
pub use ongoing::CheckError;
pub use terms::{CheckPlace, CheckTerms, DebugUse};
use texts::{Place, StepName};

/// How long a check may take before it starts no further game.
pub const MAX_CHECK_TIME: Duration = Duration::from_mins(3);

/// Whether a program reads OPENING lines before READY, as far as a short game can show.
///
/// # Errors
/// [`CheckError`] when it could not be tried.
pub fn reads_openings(agent: &PreparedAgent, terms: &CheckTerms) -> Result<bool, CheckError> {
    session::reads(&Check::new(terms, &mut |_| {}), agent, OPENING.name)
}

/// Checks a prepared program. `hear` gets each step when it is done.
///
/// # Errors
/// [`CheckError`] when the check could not be done; whatever is wrong with the program is in the [`BotCheck`].
pub fn check(agent: &PreparedAgent, terms: &CheckTerms, hear: &mut dyn FnMut(&Step)) -> Result<BotCheck, CheckError> {
    let mut check = Check::new(terms, hear);
    let start = Bout::new(terms.game, terms.setup(), terms.limits)?.state().interaction();
    if let Some(fault) = agent.fault() {
        let name = StepName::Compiles;
        check.fault(&name, &Place::Step(name.clone()), fault, "", Vec::new(), None);
        return Ok(check.done);
    }
    check.step(&StepName::Compiles, StepOutcome::Passed, Stated::default());
    // What it leaves in its folder will be examined.
    let kept = agent.started_otherwise(|program| {
        if program.jail.level == Level::Full {
            program.jail.writes = Writes::Kept;
        }
    });
    let agent = kept.as_ref().unwrap_or(agent);
    match start {
        Interaction::Session => session::run(&mut check, agent)?,
        Interaction::PerAction => actions::run(&mut check, agent)?,
    }
    check.note_measures(start);
    Ok(check.done)
}
