//! The pages.

pub mod account;
pub mod board;
pub mod contest_form;
pub mod contests;
pub mod draft;
pub mod evaluation;
pub mod export;
pub mod finals;
pub mod fleet;
pub mod front;
pub mod game;
pub mod host;
pub mod interface;
pub mod ladder;
pub mod notices;
mod parts;
pub mod program;
pub mod shared;
pub mod similarity;
pub mod submit;
pub mod teams;
