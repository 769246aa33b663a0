//! `agon board`: play and analyse in the browser, alone or in pairs at one screen.

use std::net::SocketAddr;
use std::process::{Command, Stdio};

use agon_web::BoardOptions;
use clap::Args;

use crate::exit::Exit;
use crate::show::{self, paint};

const BOARD_HELP: &str = "\
The page is for this machine alone: it has no accounts, and the browser keeps
the games. docs/board.md explains it; `agon serve` offers the same pages to
others.

Examples:
  agon board
  agon board --listen 127.0.0.1:0 --no-open";

#[derive(Args, Debug)]
#[command(after_help = BOARD_HELP)]
pub struct BoardArgs {
    /// Where to listen; a browser keeps separate games for each address
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7654")]
    listen: SocketAddr,

    /// Print the address, but open no browser
    #[arg(long)]
    no_open: bool,
}

const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

pub fn run(args: &BoardArgs) -> anyhow::Result<Exit> {
    agon_web::serve_board(BoardOptions { listen: args.listen }, |address| {
        anstream::println!("boards at {} (Ctrl-C stops)", paint(show::STRONG, address));
        if !args.no_open {
            open(address);
        }
    })?;
    Ok(Exit::Done)
}

/// Opens an address in the browser. Where there is none, the address has been printed.
fn open(address: &str) {
    let opens = |program: &str| {
        let mut command = Command::new(program);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok_and(|mut child| {
            // A thread waits for it, so that it leaves no zombie.
            std::thread::spawn(move || child.wait());
            true
        })
    };
    let _ = OPENERS.iter().any(|program| opens(program));
}
