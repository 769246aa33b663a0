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
mod load_error;
mod picture;
mod players;
mod process;
mod rules;
mod search;
mod situation;
mod source;
mod starter;
mod state;

pub use check::{CheckReport, Finding, check, check_all};
pub use load::{disown, files_of, load, path_of};
pub use load_error::LoadError;
pub use source::{RulesFile, has_rules_extension, is_rules_file, is_rules_folder, write_folder};
pub use starter::{STARTERS, Starter, files as starter_files};
