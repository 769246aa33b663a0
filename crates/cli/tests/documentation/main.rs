//! The documents, held to what the program does.

mod commands;
mod pictures;
