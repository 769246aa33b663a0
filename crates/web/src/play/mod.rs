//! What a site plays: checks of new versions, and the games of the ladder.

mod draw;
mod game;
mod work;

pub use work::start;
