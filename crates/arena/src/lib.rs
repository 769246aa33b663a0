//! Matches, sequential tests and tournaments between game-playing programs.
//!
//! - A [`Plan`] decides a run; [`config`] reads one from a tournament file, [`check`] says whether it can be played.
//! - [`schedule`] turns it into slots: who meets whom, in which seats, from which seed. [`openings`] draws the opening
//!   of each pair, or takes it from an [`opening_file`].
//! - [`agents`] makes agents ready from the texts that name them, [`game`] referees one game between two of them. Every
//!   command that plays a game calls these two. [`trial`] tries the agents of a series before its first game.
//! - [`runner::run`] plays the missing bouts, several at once, and stores each in the [`Store`] when it ends. A plan
//!   finds its run again, so that repeating a command resumes it, and [`reuse`] finds what other runs have of it.
//!   [`petri`] plays series that need no store.
//! - A [`Tally`] counts the results; [`Standings`] and [`stats`] interpret the counts. [`failures`] lists those that
//!   are alike once.
//! - [`picture`] draws a board as SVG. [`transcript`] is a record for people: its failures as lines, its game as JSON.
//! - [`similarity`] says how alike sources are, whatever their names, comments and order.
//!
//! ```
//! use std::sync::mpsc;
//! use agon_arena::plan::Entrant;
//! use agon_arena::runner::{self, RunStop, RunOptions, Roster};
//! use agon_arena::{Plan, Store};
//! use agon_catalog::Game;
//!
//! let game = Game::DOMINEERING;
//! let plan = Plan::of_match(game, [Entrant::read("greedy", game)?, Entrant::read("random", game)?], 10);
//! let mut store = Store::in_memory()?;
//! let (events, _) = mpsc::channel();
//! let roster = Roster::prepare(&plan)?;
//! let finish = runner::run(&plan, &roster, &mut store, &RunOptions::default(), &RunStop::default(), &events)?;
//! let pairs = finish.tally.pairs(0, 1);
//! assert_eq!(pairs.pairs(), 5);
//! assert!(pairs.score().value > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All SQL is in [`store`]. Nothing here names an agent or prints.

pub mod agents;
pub mod balanced;
pub mod bot_check;
pub mod check;
pub mod config;
#[cfg(test)]
#[allow(dead_code, reason = "the tests of the command line use all of it")]
#[path = "../../cli/tests/unit/contrast.rs"]
mod contrast;
pub mod debug;
pub mod exploit;
pub mod export;
pub mod failures;
pub mod game;
pub mod game_log;
pub mod losses;
pub mod opening_file;
pub mod openings;
pub mod pair;
pub mod petri;
pub mod picture;
pub mod plan;
pub mod pool;
pub mod reuse;
pub mod runner;
pub mod schedule;
pub mod similarity;
pub mod slot;
pub mod standings;
pub mod stats;
pub mod store;
pub mod summary;
pub mod swiss;
pub mod tally;
pub mod transcript;
pub mod trial;

pub use plan::Plan;
pub use standings::Standings;
pub use store::Store;
pub use summary::Summary;
pub use tally::Tally;
