//! Games whose rules are an outside program, in any language: `docs/own-game.md` defines its questions.
//!
//! [`load`] makes such a program a row of the catalogue, so that higher crates treat it like a built-in game. The
//! program runs in the jail, each question has a limit, and any error is the program's own failure
//! ([`agon_game::GameState::failure`]): the game is interrupted, and no agent is blamed.

pub mod answers;
mod check;
mod count;
mod description;
mod face;
mod limits;
mod load;
mod picture;
mod players;
mod process;
mod rules;
mod search;
mod situation;
mod starter;
mod state;

pub use check::{CheckReport, Finding, check};
pub use load::{LoadError, disown, is_rules_folder, load, path_of};
pub use starter::{STARTERS, Starter, files as starter_files};
