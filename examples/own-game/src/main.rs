//! `agon` with Othello in addition to its own games.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon_cli::main_with([&own_game::OTHELLO])
}
