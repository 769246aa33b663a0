//! A picture for each game: a position of a game that two of its built-in players have played.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::game::Bout;
use agon_catalog::{Game, Setup};
use agon_game::{GameState, View};
use agon_referee::bout::{Played, Spectator};
use agon_referee::limits::GameLimits;
use maud::{Markup, html};

use super::shapes::Picture;

/// How many moves are made; in games with many actions in a turn, how many actions.
const MOVES: u32 = 22;
const ACTIONS: u32 = 400;

/// From which the games are drawn.
const SEED: u64 = 11;

/// Remembers the position of a game after some moves.
struct MidGame {
    moves: u32,
    made: u32,
    view: Option<View>,
}

impl Spectator for MidGame {
    fn started(&mut self, state: &dyn GameState, _clocks: [Duration; 2]) {
        self.view = Some(state.view());
    }

    fn moved(&mut self, state: &dyn GameState, _played: &Played) {
        self.made += 1;
        if self.made <= self.moves && state.ending().is_none() {
            self.view = Some(state.view());
        }
    }
}

/// A position of a game, if it can be played here.
fn position(game: Game) -> Option<View> {
    let limits = GameLimits::default();
    // The second player plays sensibly and at once.
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

/// A picture of a game in a page, and for other sites.
#[derive(Clone)]
struct Drawn {
    svg: Markup,
    png: Option<Arc<Vec<u8>>>,
}

/// The picture of a game, created once.
fn drawn(game: Game) -> Drawn {
    static MADE: Mutex<Option<HashMap<&'static str, Drawn>>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let draw = || {
        let picture = position(game).as_ref().and_then(Picture::from_view);
        let png = picture.as_ref().and_then(Picture::png).map(Arc::new);
        Drawn { svg: picture.map_or_else(|| html! {}, |picture| picture.svg(None)), png }
    };
    made.get_or_insert_default().entry(game.name).or_insert_with(draw).clone()
}

/// The picture of a game in a page.
pub fn illustration(game: Game) -> Markup {
    drawn(game).svg
}

/// The same as PNG, if the game can be drawn.
pub fn illustration_png(game: Game) -> Option<Arc<Vec<u8>>> {
    drawn(game).png
}

/// The picture of a position in the game's own notation; empty if it is not one.
pub(crate) fn picture_at(game: Game, position: &str) -> Markup {
    let picture = game.state_at(position).ok().and_then(|state| Picture::from_view(&state.view()));
    picture.map_or_else(|| html! {}, |picture| picture.svg(None))
}
