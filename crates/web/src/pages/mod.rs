//! The pages.

pub mod account;
pub mod board;
pub mod competition_form;
pub mod competitions;
pub mod draft;
pub mod events;
pub mod finals;
pub mod fleet;
pub mod front;
pub mod game;
pub mod host;
pub mod interface;
pub mod ladder;
pub mod language;
pub mod notices;
mod parts;
pub mod program;
pub mod queue;
pub mod rules;
pub mod shared;
pub mod sign_in;
pub mod similarity;
pub mod submit;
pub mod teams;
pub mod two_factor;
