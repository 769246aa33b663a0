//! Shell completion: commands, options and their values, and for agents the built-in players with descriptions, besides
//! files.
//!
//! The script of `agon completions` asks this program for the candidates, through an environment variable.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::Path;

use agon_catalog::{Builtin, Game};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _};
use clap_complete::env::{CompleteEnv, Shells};

/// The name of the program, in scripts.
const NAME: &str = "agon";

/// Environment variable in which a script names its shell.
const VARIABLE: &str = "AGON_COMPLETE";

/// Answers a completion request; returns false if there is none.
///
/// # Errors
/// If the shell is not known, or standard output is closed.
pub(crate) fn answer(words: &[OsString], command: fn() -> clap::Command) -> anyhow::Result<bool> {
    if env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let here = env::current_dir().ok();
    Ok(CompleteEnv::with_factory(command).var(VARIABLE).bin(NAME).try_complete(words.to_vec(), here.as_deref())?)
}

/// The script of a shell.
///
/// # Errors
/// The errors of writing it.
pub(crate) fn script(shell: Shell) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    let known = Shells::builtins();
    let completer = known.completer(&shell.to_string()).ok_or(io::ErrorKind::Unsupported)?;
    completer.write_registration(VARIABLE, NAME, NAME, NAME, &mut script)?;
    if script.last() != Some(&b'\n') {
        writeln!(script)?;
    }
    Ok(script)
}

/// Completes an agent.
pub(crate) fn agent() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| agents(&meant(env::args_os()), current))
}

/// Completes the file of a record.
pub(crate) fn record() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| files(current, |end| end == "jsonl"))
}

/// Extensions of files beside programs that are not agents: output of this program, and texts.
const NO_AGENTS: [&str; 12] =
    ["db", "db-shm", "db-wal", "htm", "html", "json", "jsonl", "lock", "log", "md", "pgn", "svg"];

/// Folders, and files whose names end so.
fn files(current: &OsStr, is_wanted: impl Fn(&str) -> bool + Send + Sync + 'static) -> Vec<CompletionCandidate> {
    let here = env::current_dir().ok();
    let wanted = move |path: &Path| {
        let end = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        // The current folder itself is not a candidate.
        if path.is_dir() { here.as_deref() != Some(path) } else { is_wanted(end) }
    };
    PathCompleter::any().filter(wanted).complete(current)
}

/// The games that a command line names, or all.
fn meant(words: impl Iterator<Item = OsString>) -> Vec<Game> {
    let named: Vec<Game> = words.filter_map(|word| Game::by_name(word.to_str()?)).collect();
    if named.is_empty() { Game::all() } else { named }
}

/// Returns the built-in players of some games with this prefix, each once, with descriptions, and files.
fn agents(games: &[Game], current: &OsStr) -> Vec<CompletionCandidate> {
    let typed = current.to_str().unwrap_or_default();
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for game in games {
        for builtin in game.builtins {
            for name in names(builtin, typed) {
                let summary =
                    if games.len() == 1 { builtin.summary.to_owned() } else { format!("{game}: {}", builtin.summary) };
                named.entry(name).or_insert(summary);
            }
        }
    }
    let builtins = named.into_iter().map(|(name, summary)| CompletionCandidate::new(name).help(Some(summary.into())));
    builtins.chain(files(current, |end| !NO_AGENTS.contains(&end))).collect()
}

/// A name, and if it is typed completely, its levels.
fn names(builtin: &Builtin, typed: &str) -> Vec<String> {
    let levels = typed.strip_prefix(builtin.name).and_then(|rest| rest.strip_prefix(':')).and_then(|level| {
        let all = (1..=builtin.levels()?).map(|known| known.to_string());
        Some(all.filter(|known| known.starts_with(level)).map(|known| format!("{}:{known}", builtin.name)).collect())
    });
    levels.unwrap_or_else(|| if builtin.name.starts_with(typed) { vec![builtin.name.to_owned()] } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_players_are_offered_with_what_they_are() {
        let offered = |words: &[&str], typed: &str| -> Vec<(String, String)> {
            let found = agents(&meant(words.iter().map(OsString::from)), OsStr::new(typed));
            let text = |candidate: &CompletionCandidate| {
                let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
                (candidate.get_value().to_string_lossy().into_owned(), help)
            };
            found.iter().map(text).filter(|(_, help)| !help.is_empty()).collect()
        };
        let one = offered(&["agon", "match", "--game", "bacteria"], "gr");
        assert_eq!(one, [("greedy".to_owned(), "most cells after the opponent's best reply".to_owned())]);
        let all = offered(&["agon", "match"], "");
        assert!(all.iter().any(|(name, help)| name == "amoeba" && help.starts_with("petri: ")), "{all:?}");
        assert_eq!(all.iter().filter(|(name, _)| name == "greedy").count(), 1);
        let levels = offered(&["agon", "play", "renju"], "champion:1");
        assert_eq!(levels.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["champion:1", "champion:10"]);
        assert_eq!(offered(&["agon", "play", "renju"], "bots/"), []);
    }

    #[test]
    fn files_are_offered_where_they_can_be_meant() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bot.py", "run", "agon.db", "agon.db-wal", "game.jsonl", "why.html"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("bots")).unwrap();
        let typed = format!("{}/", folder.path().display());
        let names = |offered: Vec<CompletionCandidate>| -> Vec<String> {
            let name = |offered: &CompletionCandidate| offered.get_value().to_string_lossy().replace(&typed, "");
            let mut names: Vec<String> = offered.iter().map(name).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(names(agents(&[Game::RENJU], OsStr::new(&typed))), ["bot.py", "bots/", "run"]);
        assert_eq!(names(files(OsStr::new(&typed), |end| end == "jsonl")), ["bots/", "game.jsonl"]);
    }
}
