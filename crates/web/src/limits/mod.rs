//! How much a visitor can use of a site: requests, bodies, streams, jobs on threads, and space on the disk, beside the
//! limits of boards ([`agon_boards::limits`]). [`table()`] lists all of them for the host.
//!
//! A visitor over its own limit gets 429, one who meets a limit of the whole site 503, both with `Retry-After`.

mod bounds;
mod rooms;
mod table;
mod turns;

pub(crate) use bounds::*;
pub(crate) use rooms::SiteRooms;
pub use table::table;
pub(crate) use turns::Turns;
