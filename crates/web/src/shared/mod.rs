//! Games of two people by link: what their players may do, and who follows them. Each seat has a key, which is in the
//! link after `#`: browsers never send that part of an address, so no log and no other site receives it.

mod acts;
mod followers;
mod state;
mod tidying;

#[cfg(test)]
pub(crate) use acts::ActError;
pub(crate) use acts::{SharedAct, act, flagged, question, seat_of, written_end};
pub(crate) use followers::{SharedFollower, SharedGames, SharedNews};
pub(crate) use tidying::tidy;
