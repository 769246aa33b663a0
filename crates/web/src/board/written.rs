//! A game whose moves are known, refereed again so that it has a record.

use std::collections::VecDeque;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_game::{Contest, Player, Side, TimeControl};
use agon_referee::agent::Seat;
use agon_referee::agent::builtin::BuiltinPlayer;
use agon_referee::bout::{self, Afterwards};
use agon_referee::limits::GameLimits;
use agon_referee::record::{AgentNote, Record, RecordHeader, VERSION};
use agon_rules::catalog::{Game, Setup};

/// Plays what a person has played.
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

/// The record of a game with these moves, in the judge's notation. One that was not played to its end has no result.
pub fn record(
    game: Game,
    setup: &Setup,
    contest: &mut dyn Contest,
    moves: &[(usize, String)],
    names: &[String; 2],
) -> Record {
    let of =
        |side: Side| moves.iter().filter(|(by, _)| *by == side.index()).map(|(_, judged)| judged.clone()).collect();
    let seat = |side| Seat::Builtin(BuiltinPlayer::new(Box::new(Transcribed { side, moves: of(side) })));
    let mut seats = [seat(Side::First), seat(Side::Second)];
    refereed(game, setup, contest, &mut seats, names)
}

/// The record of a game between these seats, in this process.
pub fn refereed(
    game: Game,
    setup: &Setup,
    contest: &mut dyn Contest,
    seats: &mut [Seat; 2],
    names: &[String; 2],
) -> Record {
    let limits = GameLimits::default();
    let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let report = bout::play(contest, seats, &limits, Afterwards::Exit, &mut ());
    let header = RecordHeader {
        record: VERSION,
        game: game.name().to_owned(),
        parameters: setup.parameters.clone(),
        seed: setup.seed,
        agents: names.each_ref().map(|name| AgentNote { agent: name.clone(), kind: "builtin".to_owned(), jail: None }),
        limits,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        started,
    };
    Record::new(header, report)
}
