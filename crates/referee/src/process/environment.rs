//! The environment of a program: the same whoever starts the judge.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use agon_game::hash::hex;
use sha2::{Digest, Sha256};

use crate::folders;

/// Where managers of versions keep the tools that their entries in PATH stand for, and the folder in the user's home
/// where they look without the variable. Without these, `python3` in PATH may be an entry that finds no Python.
const MANAGERS: [(&str, &str); 6] = [
    ("ASDF_DATA_DIR", ".asdf"),
    ("CARGO_HOME", ".cargo"),
    ("MISE_DATA_DIR", ".local/share/mise"),
    ("PYENV_ROOT", ".pyenv"),
    ("RBENV_ROOT", ".rbenv"),
    ("RUSTUP_HOME", ".rustup"),
];

/// The home of a program for which no folder can be made, as Debian names it for users without one.
const NO_HOME: &str = "/nonexistent";

/// What every program of these words finds in its environment, before its own variables.
pub fn clean(words: &[String]) -> Vec<(String, OsString)> {
    let mut variables: Vec<(String, OsString)> = vec![
        ("HOME".to_owned(), home(words).unwrap_or_else(|| NO_HOME.into()).into()),
        ("LANG".to_owned(), "C.UTF-8".into()),
    ];
    variables.extend(env::var_os("PATH").map(|path| ("PATH".to_owned(), path)));
    let user = env::var_os("HOME").map(PathBuf::from);
    variables.extend(MANAGERS.into_iter().filter_map(|(variable, folder)| {
        let named = env::var_os(variable).map(PathBuf::from);
        let found = named.or_else(|| user.as_ref().map(|user| user.join(folder))).filter(|path| path.is_dir())?;
        Some((variable.to_owned(), found.into()))
    }));
    variables
}

/// The whole environment of the judge, for what is no agent: a compiler.
pub fn inherited() -> Vec<(String, OsString)> {
    env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect()
}

/// A folder of its own for each program, so that none finds what another left for it.
fn home(words: &[String]) -> Option<PathBuf> {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.as_bytes());
        hash.update([0]);
    }
    let cache = std::path::absolute(folders::cache().ok()?).ok()?;
    let folder = cache.join("home").join(hex(&hash.finalize()[..12]));
    fs::create_dir_all(&folder).ok()?;
    Some(folder)
}
