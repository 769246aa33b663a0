//! A fleet of processes: `nats-server`, `agon worker`, `agon match --nats` and `agon serve --nats`, by a real server
//! on loopback.

mod access;
mod killed;
mod partition;
pub mod processes;
mod setup;
mod site;
