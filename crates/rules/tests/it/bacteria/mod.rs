//! Bacteria War against its rules, an independent count of lines, and a literal second implementation.

mod dish;
mod fen;
mod laws;
mod mailbox;
mod notation;
mod perft;
