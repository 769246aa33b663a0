//! The documents, compared with the program's behaviour.

mod commands;
mod other_tools;
mod pictures;
mod services;
