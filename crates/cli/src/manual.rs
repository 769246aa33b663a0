//! `agon completions` and `agon man`: completion scripts and manual pages.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::{Generator as _, Shell};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::completion;
use crate::exit::Exit;

/// The name of the program, in scripts and on pages.
const NAME: &str = "agon";

#[derive(Args, Debug)]
#[command(after_help = COMPLETIONS_HELP)]
pub(crate) struct CompletionsArgs {
    /// The shell; with --out, one or more
    #[arg(required = true, value_name = "SHELL")]
    pub shells: Vec<Shell>,
    /// Write each script to this folder, under the name that its shell expects
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

const COMPLETIONS_HELP: &str = "\
The shell then completes commands, options, files and built-in players, with
descriptions.

Examples, for bash and for a package:
  agon completions bash > ~/.local/share/bash-completion/completions/agon
  agon completions bash zsh fish --out completions";

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The folder of the pages; made if it is missing
    pub dir: PathBuf,
}

/// Prints a completion script, or writes several.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let Some(folder) = &args.out else {
        let &[shell] = &args.shells[..] else {
            anyhow::bail!("several scripts need a folder: name it with --out");
        };
        io::stdout().write_all(&completion::script(shell)?)?;
        return Ok(Exit::Done);
    };
    make(folder)?;
    for &shell in &args.shells {
        fs::write(folder.join(shell.file_name(NAME)), completion::script(shell)?)
            .with_context(|| format!("cannot write to the folder `{}`", folder.display()))?;
    }
    Ok(Exit::Done)
}

/// Writes a page for each command, `agon.1`, `agon-play.1`, …
pub(crate) fn man(args: &ManArgs, command: Command) -> anyhow::Result<Exit> {
    make(&args.dir)?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    pages(&command, &args.dir)?;
    Ok(Exit::Done)
}

fn make(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))
}

/// The pages of a command and of those below it.
fn pages(command: &Command, folder: &Path) -> anyhow::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        pages(below, folder)?;
    }
    let man = Man::new(command.clone()).source(format!("{NAME} {}", env!("CARGO_PKG_VERSION")));
    let path = folder.join(man.get_filename());
    fs::write(&path, page(&man, command)?).with_context(|| format!("cannot write `{}`", path.display()))
}

/// A page. The text below the options of the help keeps its lines, for its columns and examples.
fn page(man: &Man, command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(notes) = command.get_after_help() {
        let mut roff = Roff::default();
        // They take the whole width of a terminal, so nothing is left for an indentation.
        roff.control("SH", ["NOTES"]).control("in", ["0"]).control("nf", []);
        for line in notes.to_string().lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
        roff.to_writer(&mut page)?;
    }
    Ok(page)
}
