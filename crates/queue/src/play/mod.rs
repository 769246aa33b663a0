//! What a site plays, here or through its fleet: checks of new versions, games of the ladder, requested games, finals.

mod away;
mod draw;
mod game;
mod rehearsal;
mod slices;
mod terms;
mod trial;
mod worker;

pub use game::{compiled, store};
pub use rehearsal::CHECK_TIME;
pub use terms::{BoutTerms, PlayError};
pub use worker::{Workers, connect, relieve, start};
