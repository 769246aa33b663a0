//! `agon board`: play and analyse in the browser, alone or in pairs at one screen.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use agon_boards::board::BoardOptions;
use agon_catalog::Game;
use agon_referee::text::line;
use anyhow::bail;
use clap::{ArgGroup, Args};

use crate::completion;
use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::position_link::{self, USUAL_ADDRESS};
use crate::recorded::RecordedGame;
use crate::show::{self, paint};
use crate::stored_game::StoredGame;

const BOARD_HELP: &str = "\
Only this machine can open the page. It has no accounts; the browser keeps the
games. See docs/board.md; `agon serve` offers the same pages to others.

Examples:
  agon board
  agon board game.jsonl --ply 12                 before move 12 of a game
  agon board --agent bot.py --agent \"./old_bot --depth 4\"
  agon board --listen 127.0.0.1:0 --no-open
  agon board --static boards";

#[derive(Args, Debug)]
#[command(after_help = BOARD_HELP, group(ArgGroup::new("game").args(["file", "slot"])))]
pub(crate) struct BoardArgs {
    /// A recorded game to open on the analysis board
    #[arg(value_name = "RECORD", conflicts_with = "slot", add = completion::record())]
    file: Option<PathBuf>,

    #[command(flatten)]
    stored: StoredGame,

    /// Open the recorded game before this move, by its number in `agon replay` [default: at its end]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "game")]
    ply: Option<u32>,

    /// Address to listen on; a browser keeps separate games for each address
    #[arg(long, value_name = "ADDRESS:PORT", default_value = USUAL_ADDRESS)]
    listen: SocketAddr,

    /// Offer this agent as a player: a source file, a folder, or a command in quotes; may be given several times
    #[arg(long, value_name = "AGENT")]
    agent: Vec<String>,

    #[command(flatten)]
    jail: JailArgs,

    /// Print the address, but open no browser
    #[arg(long)]
    no_open: bool,

    /// Write the boards and their browser engines to a folder for any web server, and exit
    #[arg(long = "static", value_name = "DIR", conflicts_with_all = ["listen", "agent", "no_open", "game"])]
    folder: Option<PathBuf>,
}

const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

pub(crate) fn run(args: &BoardArgs) -> anyhow::Result<Exit> {
    if let Some(folder) = &args.folder {
        let files = agon_boards::board::write_folder(folder)?;
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
    let place = place(args)?;
    let options = BoardOptions { listen: args.listen, agents: args.agent.clone() };
    agon_boards::board::serve_board(&options, |address| {
        anstream::println!("boards at {} (Ctrl-C stops)", paint(show::STRONG, address));
        if !args.agent.is_empty() {
            let agents: Vec<String> = args.agent.iter().map(|agent| line(agent)).collect();
            anstream::println!(
                "{}",
                paint(show::FAINT, format!("on a board, either side can be {}", agents.join(", ")))
            );
        }
        let address = match &place {
            Some(place) => format!("{}{place}", address.trim_end_matches("/board")),
            None => address.to_owned(),
        };
        if (args.no_open || !open(&address)) && place.is_some() {
            anstream::println!("{address}");
        }
    })?;
    Ok(Exit::Done)
}

/// The position of the recorded game that is to be opened, by the end of its address.
fn place(args: &BoardArgs) -> anyhow::Result<Option<String>> {
    if args.file.is_none() && args.stored.slot.is_none() {
        return Ok(None);
    }
    let recorded = RecordedGame::read(args.stored.source(args.file.as_deref())?)?;
    if !recorded.game.has_turns() {
        bail!("{} has no analysis board: `agon replay` shows the game", recorded.game);
    }
    match args.ply {
        Some(ply) => Ok(Some(position_link::before(&recorded, ply)?)),
        None => Ok(Some(position_link::end(&recorded))),
    }
}

/// Opens an address in the browser; false where there is none.
fn open(address: &str) -> bool {
    let opens = |program: &str| {
        let mut command = Command::new(program);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok_and(|mut child| {
            // A thread waits for it, so that it leaves no zombie.
            std::thread::spawn(move || child.wait());
            true
        })
    };
    OPENERS.iter().any(|program| opens(program))
}
