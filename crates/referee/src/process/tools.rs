//! Where the tools are that programs need: PATH, and what managers of versions keep.

use std::env;
use std::path::{Path, PathBuf};

use crate::folders;

/// Where managers of versions keep the tools that their entries in PATH stand for, and the folder in the user's home
/// where they look without the variable. Without these, `python3` in PATH may be an entry that finds no Python.
const MANAGERS: [(&str, &str); 6] = [
    ("ASDF_DATA_DIR", ".asdf"),
    (CARGO, ".cargo"),
    ("MISE_DATA_DIR", ".local/share/mise"),
    ("PYENV_ROOT", ".pyenv"),
    ("RBENV_ROOT", ".rbenv"),
    ("RUSTUP_HOME", ".rustup"),
];

/// Beside its tools this folder holds the keys with which its owner publishes.
const CARGO: &str = "CARGO_HOME";

/// The variables of the managers that are here, each with its folder.
pub fn managers() -> impl Iterator<Item = (&'static str, PathBuf)> {
    let home = folders::home();
    MANAGERS.into_iter().filter_map(move |(variable, folder)| {
        let named = folders::named(variable);
        let found = named.or_else(|| home.as_ref().map(|home| home.join(folder))).filter(|path| path.is_dir())?;
        Some((variable, found))
    })
}

pub fn path_folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).filter(|folder| folder.is_absolute()).collect()
}

/// The folders of the managers, with nothing but tools in them.
pub fn manager_folders() -> Vec<PathBuf> {
    managers().map(|(variable, folder)| if variable == CARGO { folder.join("bin") } else { folder }).collect()
}

/// What belongs to the tools of a folder: of a `bin` beside a `lib`, or in a virtual environment of Python, the folder
/// of both.
pub fn installation(folder: &Path) -> PathBuf {
    let whole = folder
        .parent()
        .filter(|above| folder.ends_with("bin") && (above.join("lib").is_dir() || above.join("pyvenv.cfg").is_file()));
    whole.unwrap_or(folder).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_belong_to_the_tools() {
        let place = tempfile::tempdir().unwrap();
        let check = |made: &[&str], folder: &str, whole: &str| {
            for name in made {
                std::fs::create_dir_all(place.path().join(name)).unwrap();
            }
            assert_eq!(installation(&place.path().join(folder)), place.path().join(whole), "{folder}");
        };
        check(&["node/bin", "node/lib"], "node/bin", "node");
        check(&["alone/bin"], "alone/bin", "alone/bin");
        check(&["shims", "lib"], "shims", "shims");
        check(&["venv/bin"], "venv/bin", "venv/bin");
        std::fs::write(place.path().join("venv/pyvenv.cfg"), "").unwrap();
        check(&[], "venv/bin", "venv");
    }
}
