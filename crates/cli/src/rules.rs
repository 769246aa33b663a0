//! Games whose rules are a program, as a command line names them: by their file instead of a game's name, or for all
//! commands with `--rules` and `AGON_RULES`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use agon_catalog::Game;
use agon_external::load;
use agon_jail::{Level, Obstacle};
use agon_referee::agent::quoted;
use anyhow::{bail, ensure};

/// The option, and the variable of the environment, whose paths are separated by colons.
const OPTION: &str = "--rules";
const VARIABLE: &str = "AGON_RULES";

/// The game that a word of the command line names by a file of rules, or by a loaded name; `None` if it names a
/// built-in game.
pub(crate) fn named(word: &OsStr) -> Option<anyhow::Result<Game>> {
    if let Some(game) = word.to_str().and_then(Game::by_name) {
        return Some(Ok(game));
    }
    let path = Path::new(word);
    let is_path = path.components().count() > 1
        || word.to_str().is_some_and(|word| [".", ".."].contains(&word) || word.ends_with('/'))
        || agon_external::is_rules_file(path)
        || agon_external::is_rules_folder(path);
    is_path.then(|| if ONLY_READ.load(Ordering::Relaxed) { Ok(Game::all()[0]) } else { loaded(path) })
}

/// True if command lines are only parsed, and files of rules in them stand for any game.
static ONLY_READ: AtomicBool = AtomicBool::new(false);

/// From now on no rules are loaded: command lines are only parsed.
pub(crate) fn only_read() {
    ONLY_READ.store(true, Ordering::Relaxed);
}

/// Returns a game's word on a command line: its name, or the file of its rules.
pub(crate) fn word(game: Game) -> String {
    agon_external::path_of(game).map_or_else(|| game.name().to_owned(), |path| quoted(&path.display().to_string()))
}

/// Returns the option that a command for records of this game needs: its rules, if they are a program.
pub(crate) fn option(game: Game) -> String {
    let path = agon_external::path_of(game);
    path.map_or_else(String::new, |path| format!(" {OPTION} {}", quoted(&path.display().to_string())))
}

/// Loads the rules that the command line and the environment name for all commands.
///
/// # Errors
/// The error in one of them.
pub(crate) fn load_named(words: &[OsString]) -> anyhow::Result<()> {
    let mut paths: Vec<PathBuf> = env::var_os(VARIABLE).iter().flat_map(env::split_paths).collect();
    paths.retain(|path| !path.as_os_str().is_empty());
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if word == OPTION {
            paths.extend(words.next().map(PathBuf::from));
        } else if let Some(path) = word.to_str().and_then(|word| word.strip_prefix("--rules=")) {
            paths.push(path.into());
        } else if word == "--" {
            break;
        }
    }
    paths.iter().try_for_each(|path| loaded(path).map(drop))
}

/// Makes a file of rules a game.
///
/// # Errors
/// The error in it.
pub(crate) fn loaded(path: &Path) -> anyhow::Result<Game> {
    ensure!(path.exists(), "no such file of rules: `{}`", path.display());
    choose_jail()?;
    Ok(load(path)?)
}

/// Chooses the jail of the rules, before the command itself chooses that of the agents.
pub(crate) fn choose_jail() -> anyhow::Result<()> {
    let mut words = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut asked = env::var("AGON_JAIL").ok();
    while let Some(word) = words.next() {
        if word == "--jail" {
            asked = words.next();
        } else if let Some(level) = word.strip_prefix("--jail=") {
            asked = Some(level.to_owned());
        }
    }
    let _ = agon_jail::prepare();
    match asked.and_then(|text| text.parse::<Level>().ok()) {
        Some(level) => {
            if level != Level::None
                && let Err(Obstacle { why, remedy, .. }) = agon_jail::try_level(level)
            {
                bail!("--jail {level} does not work here: {why}; {remedy}");
            }
            agon_jail::choose(level);
        }
        None => agon_jail::choose(agon_jail::probe().level),
    }
    Ok(())
}
