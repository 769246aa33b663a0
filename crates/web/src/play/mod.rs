//! What a site plays, here or through its fleet: checks of new versions, games of the ladder, requested games, finals.

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
pub(crate) use {game::store, terms::Abandoned, terms::BoutTerms, work::relieve};
