//! One refereed play of a game between two agents.

mod per_action;
mod recorded;
mod session;

use agon_game::{GameState, Interaction, Player, Side, TimeControl};

use crate::agent::NotReady;
use crate::agent::Seat;
use crate::agent::builtin::BuiltinPlayer;
pub use crate::limits::Afterwards;
use crate::limits::GameLimits;
pub use crate::report::{Played, Report, Spectator};
pub use per_action::{ActionAnswer, ActionDebug, InputAnswer, ask, ask_input};
pub use recorded::{AskedAgain, RecordedTurn, Rerun, TurnAnswer, announced, recorded_turns, rerun};

/// Plays one bout. The game may be at any position; it stays where the bout ended.
///
/// Always returns, whatever the agents do: a fault ends the bout with a verdict, and with [`Afterwards::Exit`] no
/// program survives it. For games played per action `afterwards` means nothing: no program outlives its answer, or END.
pub fn play(
    state: &mut dyn GameState,
    seats: &mut [Seat; 2],
    limits: &GameLimits,
    afterwards: Afterwards,
    spectator: &mut dyn Spectator,
) -> Report {
    let report = match state.interaction() {
        Interaction::Session => session::play(state, seats, limits, afterwards, spectator),
        Interaction::PerAction => per_action::play(state, seats, spectator),
    };
    spectator.ended(&report);
    report
}

/// Tries whether an agent is ready to play a game, before many are played: its answer to READY as the first side, or
/// to BEGIN. With [`Afterwards::Stay`] it then gets FINISH, and must be ready for the next one. Its
/// program is ended.
///
/// # Errors
/// [`NotReady`] when its source does not compile, or when its answer, or the lack of one, would have lost a game.
pub fn trial(
    state: &mut dyn GameState,
    seat: Seat,
    limits: &GameLimits,
    afterwards: Afterwards,
) -> Result<(), Box<NotReady>> {
    let mut seats = [seat, Seat::Builtin(BuiltinPlayer::new(Box::new(IdleOpponent)))];
    let report = match state.interaction() {
        Interaction::Session => session::ready(state, &mut seats, limits, afterwards),
        Interaction::PerAction => per_action::begin(state, &mut seats),
    };
    if let Some(process) = seats[0].process() {
        process.end();
    }
    let ([verdict, _], [stderr, _]) = (report.verdicts, report.stderr);
    let Some(fault) = verdict.fault() else { return Ok(()) };
    let hint = seats[0].hint(&stderr);
    Err(Box::new(NotReady { fault, stderr, hint }))
}

/// The opponent of a trial, which is never asked.
struct IdleOpponent;

impl Player for IdleOpponent {
    fn ready(&mut self, _side: Side, _preamble: &str) -> Result<(), String> {
        Ok(())
    }

    fn choose(&mut self, _own: TimeControl, _opponent: TimeControl) -> Result<String, String> {
        Err("nothing is played in a trial".to_owned())
    }

    fn opponent(&mut self, _arguments: &str) -> Result<(), String> {
        Ok(())
    }
}
