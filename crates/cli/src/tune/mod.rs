//! `agon tune` and `agon lab tune`: numbers tuned by games (SPSA), of a user's program and of an engine.

mod bot;
mod lab;
mod parameter;
mod plot;
mod values;

pub(crate) use bot::{TuneBotArgs, run as bot};
pub(crate) use lab::{TuneArgs, run as lab};
