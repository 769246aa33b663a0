//! The queue of games over many machines, by a real server on loopback.

mod audits;
mod contract;
mod hostile;
mod runs;
mod server;
mod site;
