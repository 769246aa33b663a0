//! The documents, held to what the program does.

mod commands;
mod other_tools;
mod pictures;
mod services;
