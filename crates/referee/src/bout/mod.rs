//! One refereed play of a game between two agents.

mod per_action;
mod session;

use agon_game::{Contest, Interaction};

use crate::agent::Seat;
pub use crate::limits::Afterwards;
use crate::limits::GameLimits;
pub use crate::report::{Played, Report, Spectator};

/// Plays one bout. The contest may be at any position; it is left where the bout ended.
///
/// Whatever the agents do, this returns: a fault ends the bout with a verdict, and with [`Afterwards::Exit`] no program
/// survives it. Per action `afterwards` means nothing: no program outlives its answer, or END.
pub fn play(
    contest: &mut dyn Contest,
    seats: &mut [Seat; 2],
    limits: &GameLimits,
    afterwards: Afterwards,
    spectator: &mut dyn Spectator,
) -> Report {
    match contest.interaction() {
        Interaction::Session => session::play(contest, seats, limits, afterwards, spectator),
        Interaction::PerAction => per_action::play(contest, seats, spectator),
    }
}
