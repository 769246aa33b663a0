//! A game whose moves are known, refereed again so that it has a record.

use std::collections::VecDeque;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_catalog::{Game, Setup};
use agon_files::{EndedBy, GameEnd};
use agon_game::{GameState, Outcome, Player, Side, TimeControl};
use agon_message::Stated;
use agon_referee::adjudication::AdjudicationReason;
use agon_referee::agent::Seat;
use agon_referee::agent::builtin::BuiltinPlayer;
use agon_referee::bout::{self, Afterwards};
use agon_referee::limits::GameLimits;
use agon_referee::record::{AgentNote, PERSON, Record, RecordHeader, Termination, VERSION, Winner};
use agon_referee::report::BoutReason;

/// Plays a person's recorded moves.
struct Transcribed {
    side: Side,
    moves: VecDeque<String>,
}

impl Player for Transcribed {
    fn ready(&mut self, side: Side, _preamble: &str) -> Result<(), String> {
        self.side = side;
        Ok(())
    }

    fn choose(&mut self, _own: TimeControl, _opponent: TimeControl) -> Result<String, String> {
        self.moves.pop_front().ok_or_else(|| format!("the game was left by {}", self.side))
    }

    fn opponent(&mut self, _arguments: &str) -> Result<(), String> {
        Ok(())
    }
}

/// How a record states that people have ended a game.
const fn termination(by: EndedBy) -> Termination {
    match by {
        EndedBy::Resignation => Termination::Resignation,
        EndedBy::Time => Termination::Time,
        EndedBy::Agreement => Termination::Agreement,
        EndedBy::Adjudication => Termination::Adjudication,
    }
}

fn reason(outcome: Outcome, by: EndedBy, state: &dyn GameState) -> Stated {
    let loser = || outcome.winner().map_or("", |winner| state.view().seats[winner.other().index()]).into();
    match by {
        EndedBy::Agreement => Stated::from(&BoutReason::Agreed),
        EndedBy::Resignation => Stated::from(&BoutReason::Resigned { side: loser() }),
        EndedBy::Time => Stated::from(&BoutReason::TimeIsOver { side: loser() }),
        EndedBy::Adjudication => Stated::from(&AdjudicationReason::Elsewhere),
    }
}

/// The record of a game on a board with these moves, in the judge's notation. An unfinished game has no result.
pub(super) fn record(
    game: Game,
    setup: &Setup,
    state: &mut dyn GameState,
    moves: &[(usize, String)],
    names: &[String; 2],
    engines: [bool; 2],
    end: Option<GameEnd>,
) -> Record {
    let of =
        |side: Side| moves.iter().filter(|(by, _)| *by == side.index()).map(|(_, judged)| judged.clone()).collect();
    let seat = |side| Seat::Builtin(BuiltinPlayer::new(Box::new(Transcribed { side, moves: of(side) })));
    let mut seats = [seat(Side::First), seat(Side::Second)];
    let mut record = refereed(game, setup, state, &mut seats, names);
    for (agent, engine) in record.header.agents.iter_mut().zip(engines) {
        if !engine {
            PERSON.clone_into(&mut agent.kind);
        }
    }
    if let Some((end, outcome)) = end.and_then(|end| Some((end, end.outcome()?)))
        && state.turn().is_some()
    {
        let reason = reason(outcome, end.termination, state);
        let winner = outcome.winner().map_or(Winner::Draw, Winner::from);
        record.terminate(termination(end.termination), winner, reason);
    }
    record
}

/// The record of a game between these seats, in this process.
pub(super) fn refereed(
    game: Game,
    setup: &Setup,
    state: &mut dyn GameState,
    seats: &mut [Seat; 2],
    names: &[String; 2],
) -> Record {
    let limits = GameLimits::default();
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let report = bout::play(state, seats, &limits, Afterwards::Exit, &mut ());
    let header = RecordHeader {
        record: VERSION,
        game: game.name().to_owned(),
        parameters: setup.parameters.clone(),
        seed: setup.seed,
        agents: names.each_ref().map(|name| AgentNote {
            agent: name.clone(),
            kind: "builtin".to_owned(),
            jail: None,
            name: None,
        }),
        limits,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        opening: None,
    };
    Record::new(header, report)
}
