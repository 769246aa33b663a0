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

pub(crate) use game::compiled;
pub(crate) use work::{connect, start};
#[cfg(test)]
pub(crate) use {game::store, terms::BoutTerms, work::relieve};
