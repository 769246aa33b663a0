//! What a site plays, here or by its fleet: checks of new versions, the games of the ladder, those that are asked for,
//! finals.

mod away;
mod draw;
mod game;
mod rehearsal;
mod slices;
mod terms;
mod trial;
mod work;

pub use game::compiled;
pub use work::{connect, start};
#[cfg(test)]
pub use {game::store, terms::BoutTerms, work::relieve};
