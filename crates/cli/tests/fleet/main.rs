//! A fleet of processes: `nats-server`, `agon worker` and `agon match --nats`, by a real server on loopback.

mod killed;
mod partition;
mod processes;
mod setup;
