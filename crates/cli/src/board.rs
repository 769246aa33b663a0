//! `agon board`: play and analyse in the browser, alone or in pairs at one screen.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use agon_catalog::Game;
use agon_referee::text::line;
use agon_web::BoardOptions;
use clap::Args;

use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::show::{self, paint};

const BOARD_HELP: &str = "\
The page is for this machine alone: it has no accounts, and the browser keeps
the games. docs/board.md explains it; `agon serve` offers the same pages to
others.

Examples:
  agon board
  agon board --agent bot.py --agent \"./old_bot --depth 4\"
  agon board --listen 127.0.0.1:0 --no-open
  agon board --static boards";

#[derive(Args, Debug)]
#[command(after_help = BOARD_HELP)]
pub(crate) struct BoardArgs {
    /// Where to listen; a browser keeps separate games for each address
    #[arg(long, value_name = "ADDRESS:PORT", default_value = USUAL_ADDRESS)]
    listen: SocketAddr,

    /// An agent of yours that can be chosen as a player: a source file, a folder, or a command in quotes; may be given
    /// several times
    #[arg(long, value_name = "AGENT")]
    agent: Vec<String>,

    #[command(flatten)]
    jail: JailArgs,

    /// Print the address, but open no browser
    #[arg(long)]
    no_open: bool,

    /// Write the boards to a folder that any file server can host, with the engines in the browser, and stop
    #[arg(long = "static", value_name = "DIR", conflicts_with_all = ["listen", "agent", "no_open"])]
    folder: Option<PathBuf>,
}

/// Where the boards are if nothing else is said; links to positions name it.
pub(crate) const USUAL_ADDRESS: &str = "127.0.0.1:7654";

const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

pub(crate) fn run(args: &BoardArgs) -> anyhow::Result<Exit> {
    if let Some(folder) = &args.folder {
        let files = agon_web::write_folder(folder)?;
        anstream::println!("{files} files in {}; begin at index.html", folder.display());
        return Ok(Exit::Done);
    }
    if !args.agent.is_empty() {
        // Before there are threads.
        let _ = agon_jail::prepare();
        if let Some(game) = Game::by_hand().next() {
            args.jail.choose(game, args.agent.iter().map(String::as_str))?;
        }
    }
    let options = BoardOptions { listen: args.listen, agents: args.agent.clone() };
    agon_web::serve_board(&options, |address| {
        anstream::println!("boards at {} (Ctrl-C stops)", paint(show::STRONG, address));
        if !args.agent.is_empty() {
            let agents: Vec<String> = args.agent.iter().map(|agent| line(agent)).collect();
            anstream::println!(
                "{}",
                paint(show::FAINT, format!("on a board, either side can be {}", agents.join(", ")))
            );
        }
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
