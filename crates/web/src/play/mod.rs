//! What a site plays: checks of new versions, and the games of the ladder.

mod draw;
mod finals;
mod game;
mod work;

pub use finals::final_tally;
pub use work::start;
