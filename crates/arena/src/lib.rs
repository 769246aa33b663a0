//! Matches, sequential tests and tournaments.

pub mod openings;
pub mod plan;
pub mod schedule;
pub mod standings;
pub mod stats;
pub mod store;
pub mod summary;
pub mod swiss;
pub mod tally;

pub use plan::Plan;
pub use standings::Standings;
pub use store::Store;
pub use summary::Summary;
pub use tally::Tally;
