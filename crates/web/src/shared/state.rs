//! A shared game as it is sent to browsers: what has happened, but not the position, which they request as for any
//! board.

use std::collections::BTreeMap;

use agon_boards::text::stated;
use agon_game::Side;
use agon_referee::record::Termination;
use agon_site::store::SharedGame;
use serde::Serialize;

use super::acts::due_ms;

/// A shared game, without its keys.
#[derive(Debug, Serialize)]
pub(super) struct SharedState<'a> {
    version: i64,
    game: &'static str,
    parameters: &'a BTreeMap<String, String>,
    seed: u64,
    /// The names of those who have signed in.
    names: [Option<&'a str>; 2],
    joined: [bool; 2],
    moves: &'a [String],
    /// How much time each side has left now, in milliseconds.
    left: Option<[u64; 2]>,
    running: Option<usize>,
    offer: Option<StateOffer>,
    end: Option<StateEnd>,
    again: [bool; 2],
    next: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct StateEnd {
    winner: Option<usize>,
    reason: String,
    termination: Option<Termination>,
}

#[derive(Debug, Serialize)]
struct StateOffer {
    offer: &'static str,
    by: usize,
    declined: bool,
}

/// The state of a game at this moment, in the language of the request.
pub(super) fn state(game: &SharedGame, now_ms: i64) -> SharedState<'_> {
    let running = due_ms(game).zip(game.turn);
    let left = game.clock.map(|clock| {
        let mut left = clock.left_ms;
        if let Some((due, turn)) = running {
            left[turn.index()] = u64::try_from(due - now_ms).unwrap_or(0);
        }
        left
    });
    let end = game.end.as_ref();
    SharedState {
        version: game.version,
        game: game.game.name(),
        parameters: &game.setup.parameters,
        seed: game.setup.seed,
        names: game.seats.each_ref().map(|seat| seat.name.as_deref()),
        joined: game.seats.each_ref().map(|seat| seat.joined),
        moves: &game.moves,
        left,
        running: running.map(|(_, turn)| turn.index()),
        offer: game.offer.map(|open| StateOffer {
            offer: open.offer.name(),
            by: open.by.index(),
            declined: open.declined,
        }),
        end: end.map(|end| StateEnd {
            winner: end.winner.map(Side::index),
            reason: stated(&end.reason),
            termination: end.termination,
        }),
        again: game.seats.each_ref().map(|seat| seat.again),
        next: game.next.as_deref(),
    }
}
