//! `agon key`: keys that sign records.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use agon_referee::signing::{PrivateKey, PublicKey};
use anyhow::Context;
use clap::Subcommand;

use crate::exit::Exit;
use crate::output;

#[derive(Subcommand, Debug)]
#[command(after_help = KEY_HELP)]
pub(crate) enum KeyCommand {
    /// Make a new key: FILE for the private one, FILE.pub for the public one, which is printed
    New {
        /// The file of the private key, which only its owner can read
        file: PathBuf,
    },
    /// Print the public key of a file
    Show {
        /// The file of a private or a public key
        file: String,
    },
}

const KEY_HELP: &str = "\
A host signs the records of its games with a private key (Ed25519). With the
public key, anyone can verify that a record comes from this host, unchanged.

Examples:
  agon key new host.key
  agon play renju --out game.jsonl --sign host.key
  agon match greedy random --game renju --sign host.key
  agon replay game.jsonl --signed-by host.key.pub";

pub(crate) fn run(command: &KeyCommand) -> anyhow::Result<Exit> {
    let key = match command {
        KeyCommand::New { file } => new(file)?,
        KeyCommand::Show { file } => PublicKey::find(file)?,
    };
    writeln!(anstream::stdout(), "{key}")?;
    Ok(Exit::Done)
}

fn new(file: &Path) -> anyhow::Result<PublicKey> {
    let key = PrivateKey::generate()?;
    let mut public = file.as_os_str().to_owned();
    public.push(".pub");
    // One file without the other is useless.
    output::check(Path::new(&public), "the key")?;
    key.write(file)?;
    fs::write(&public, format!("{}\n", key.public()))
        .with_context(|| format!("cannot write the public key `{}`", Path::new(&public).display()))?;
    Ok(key.public())
}
