//! How much one visitor and all together can use of a server: connections, searches, jobs on threads.

mod actor;
mod bounds;
mod places;
mod rooms;
pub mod table;

pub use actor::LimitedActor;
pub use bounds::*;
pub use places::{Bound, Full, Place, Places, held};
pub use rooms::{Boxed, Effort, Room, RoomError, Rooms, outside};
pub use table::{LimitRow, bytes};
