//! The queue of games over many machines, by a real server on loopback.

mod contract;
mod runs;
mod server;
