//! The `agon` binary, used as its users use it.

mod agent;
mod bridge;
mod broken;
mod convert;
mod docs;
mod doctor;
mod environment;
mod failures;
mod folders;
mod games;
mod inspect;
mod killed;
mod network;
mod perft;
mod petri;
mod play;
mod refusals;
mod replay;
mod rules;
mod run;
mod series;
mod shapes;
mod signals;
mod signing;
mod stores;
mod terminal;
