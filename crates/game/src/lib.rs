//! The types that every other crate of Agon shares: sides, positions, moves, outcomes, boards to draw.
//!
//! A game has two interfaces. A search needs static types and speed: that is [`Position`]. A referee needs text and
//! dynamic dispatch: that is [`GameState`]. [`Alternating`] turns any position that can also [`Show`] itself into a
//! contest, so a two-player game is written once. A game in which many actors answer in one turn implements
//! `GameState` alone.
//!
//! "The contest" in these docs is the programming contest ALPHANO, whose judge and problems Agon implements; see
//! `docs/judge.md`.
//!
//! Nothing here does input or output, reads a clock, or names a game.

#![deny(missing_docs)]

pub mod alternating;
pub mod game_state;
pub mod hash;
pub mod laws;
pub mod observer;
pub mod perft;
pub mod player;
pub mod position;
pub mod score;
pub mod seed;
pub mod side;
pub mod time;
pub mod view;

pub use alternating::Alternating;
pub use game_state::{Ending, GameState, Interaction};
pub use observer::{Change, Observer};
pub use player::{Player, Stateless};
pub use position::{MoveError, Position, Show};
pub use score::GameScore;
pub use side::{Outcome, Side};
pub use time::TimeControl;
pub use view::{Cell, Gauge, GridStyle, Mark, View};
