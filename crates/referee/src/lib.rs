//! The judge: the line protocol, clocks, verdicts, agents and records.
//!
//! It implements the judge of the programming contest ALPHANO, as described in `docs/judge.md`.
//!
//! The referee handles any [`agon_game::GameState`] and never names a game. It runs on Linux, where
//! [`agon_jail`] keeps every program from outliving, stalling or cheating it.

pub mod adjudication;
pub mod advice;
pub mod agent;
pub mod bout;
pub mod builds;
pub mod cause;
pub mod clock;
pub mod crash;
pub mod evaluation;
pub mod failures;
pub mod fault_kind;
pub mod fault_reason;
pub mod folders;
pub mod limits;
mod paths;
pub mod process;
pub mod protocol;
pub mod record;
pub mod replay;
pub mod report;
pub mod serve;
pub mod sight;
pub mod signing;
pub mod startup;
pub mod text;
pub mod verdict;
