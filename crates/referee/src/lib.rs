//! The judge: the line protocol, clocks, verdicts, agents and records.
//!
//! The referee handles any [`agon_game::Contest`] and never names a game. It runs on Linux: it leans on pidfds, process
//! groups and the child-subreaper attribute so that no program it starts can outlive, stall or cheat it.

pub mod agent;
pub mod bout;

pub mod limits;
pub mod process;
pub mod protocol;
pub mod record;
pub mod replay;
pub mod report;
pub mod serve;
pub mod verdict;
