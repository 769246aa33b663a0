//! The environment of a program: the same whoever starts the judge.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use agon_game::hash::hex;
use sha2::{Digest, Sha256};

use super::{log, tools};
use crate::folders;

/// The home of a program for which no folder can be created: Debian's name for users without one.
const NO_HOME: &str = "/nonexistent";

/// What every program with these words finds in its environment, before its own variables. `space` is where it may
/// write in a jail: its home and its temporary files.
pub(super) fn clean(words: &[String], space: Option<&Path>) -> Vec<(String, OsString)> {
    let home = space.map(Path::to_owned).or_else(|| home(words)).unwrap_or_else(|| NO_HOME.into());
    let mut variables: Vec<(String, OsString)> =
        vec![("HOME".to_owned(), home.into()), ("LANG".to_owned(), "C.UTF-8".into())];
    variables.extend(space.filter(|space| *space != "/tmp").map(|space| ("TMPDIR".to_owned(), space.into())));
    variables.extend(env::var_os("PATH").map(|path| ("PATH".to_owned(), path)));
    if log::is_kept() {
        variables.push((log::VARIABLE.to_owned(), "1".into()));
    }
    variables.extend(tools::managers().map(|(variable, folder)| (variable.to_owned(), folder.into())));
    let chosen = tools::VERSIONS.into_iter().filter_map(|name| Some((name.to_owned(), env::var_os(name)?)));
    variables.extend(chosen);
    variables
}

/// The whole environment of the judge, for a compiler that is not in a jail.
pub fn inherited() -> Vec<(String, OsString)> {
    env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect()
}

/// A separate folder for each program, so that none finds what another one left.
fn home(words: &[String]) -> Option<PathBuf> {
    let mut hash = Sha256::new();
    for word in words {
        hash.update(word.as_bytes());
        hash.update([0]);
    }
    let folder = folders::cache().ok()?.join("home").join(hex(&hash.finalize()[..12]));
    fs::create_dir_all(&folder).ok()?;
    Some(folder)
}
