//! What a visitor can take of a site, and how much of it: requests, bodies, connections, streams, jobs on threads, and
//! space on the disk. Every bound stands here; [`table()`] has all of them for the host.
//!
//! A visitor who is over a bound of its own gets 429, one who meets a bound of the whole site 503, both with
//! `Retry-After`.

mod bounds;
mod places;
mod rooms;
mod table;
mod turns;

pub(crate) use bounds::*;
pub(crate) use places::{Bound, Full, Place, Places, held};
pub(crate) use rooms::{Boxed, Effort, RoomError, Rooms, outside};
pub(crate) use table::bytes;
pub use table::{LimitRow, table};
pub(crate) use turns::Turns;
