//! How much a visitor can use of a site: requests, bodies, connections, streams, jobs on threads, and space on the
//! disk. Every limit is here; [`table()`] lists them all for the host.
//!
//! A visitor over its own limit gets 429, one who meets a limit of the whole site 503, both with `Retry-After`.

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
