//! What a site plays, here or through its fleet: checks of new versions, games of the ladder, requested games, finals.

mod asked;
mod away;
mod check;
mod draw;
mod finals;
mod game;
mod ladder;
mod left;
mod rating;
mod rehearsal;
mod rests;
mod slices;
mod supervisor;
mod terms;
mod threads;
mod trial;
mod worker;

pub use game::{compiled, store};
pub use rehearsal::CHECK_TIME;
pub use supervisor::connect;
pub use terms::{Abandoned, BoutTerms, PlayError};
pub use threads::{Workers, relieve, start};
