use std::process::ExitCode;

fn main() -> ExitCode {
    agon_cli::run(std::env::args_os())
}
