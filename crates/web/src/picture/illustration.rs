//! A picture for each game: a position of a game that two of its built-in players have played.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_catalog::{Game, Setup};
use agon_game::{GameState, View};
use agon_referee::bout::{Played, Spectator};
use agon_referee::limits::GameLimits;
use maud::{Markup, html};

use super::shapes::Picture;

/// How many moves are made, of games in which many act in a turn how many actions.
const MOVES: u32 = 22;
const ACTIONS: u32 = 400;

/// From which the games are drawn.
const SEED: u64 = 11;

/// Remembers how a game stood after some moves.
struct MidGame {
    moves: u32,
    made: u32,
    view: Option<View>,
}

impl Spectator for MidGame {
    fn started(&mut self, contest: &dyn GameState, _clocks: [Duration; 2]) {
        self.view = Some(contest.view());
    }

    fn moved(&mut self, contest: &dyn GameState, _played: &Played) {
        self.made += 1;
        if self.made <= self.moves && contest.ending().is_none() {
            self.view = Some(contest.view());
        }
    }
}

/// A position of a game, if it can be played here.
fn position(game: Game) -> Option<View> {
    let limits = GameLimits::default();
    // The second one plays sensibly and at once.
    let name = game.builtins.get(1).or(game.builtins.first())?.name;
    let spec = agents::parse(game, name).ok()?;
    let agent = PreparedAgent::prepare(game, spec, &limits).ok()?;
    let setup = Setup { seed: SEED, parameters: std::collections::BTreeMap::new() };
    let mut bout = Bout::new(game, setup, limits).ok()?;
    let mut seats = bout.seats([&agent, &agent], None).ok()?;
    let moves = if game.has_turns() { MOVES } else { ACTIONS };
    let mut middle = MidGame { moves, made: 0, view: None };
    bout.referee(&mut seats, &mut middle);
    middle.view
}

/// The picture of a game, made once.
pub fn illustration(game: Game) -> Markup {
    static MADE: Mutex<Option<HashMap<&'static str, Markup>>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let drawn = || {
        let picture = position(game).as_ref().and_then(Picture::of);
        picture.map_or_else(|| html! {}, |picture| picture.svg(None))
    };
    made.get_or_insert_default().entry(game.name).or_insert_with(drawn).clone()
}

/// The picture of a position in the game's own notation; nothing if it is none.
pub fn picture_at(game: Game, position: &str) -> Markup {
    let picture = game.state_at(position).ok().and_then(|state| Picture::of(&state.view()));
    picture.map_or_else(|| html! {}, |picture| picture.svg(None))
}
