//! Games whose rules are a program of others, in any language: `docs/own-game.md` defines what it is asked.
//!
//! [`load`] makes such a program a row of the catalogue, so that everything above knows it as it knows the built-in
//! games. The program runs in the jail, each question has a limit, and whatever it does wrong is its own failure
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
