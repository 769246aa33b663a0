//! Where the tools are that programs need: PATH, and the folders of version managers.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use crate::folders;
use crate::paths::is_environment;

/// Where version managers keep the tools behind their entries in PATH, and the folder in the user's home where they
/// look without the variable. Without these, `python3` in PATH may be an entry that finds no Python.
const MANAGERS: [(&str, &str); 12] = [
    ("ASDF_DATA_DIR", ".asdf"),
    (CARGO, ".cargo"),
    ("FNM_DIR", ".local/share/fnm"),
    ("MAMBA_ROOT_PREFIX", "micromamba"),
    ("MISE_DATA_DIR", ".local/share/mise"),
    ("NODENV_ROOT", ".nodenv"),
    ("NVM_DIR", ".nvm"),
    ("PYENV_ROOT", ".pyenv"),
    ("RBENV_ROOT", ".rbenv"),
    ("RUSTUP_HOME", ".rustup"),
    ("SDKMAN_DIR", ".sdkman"),
    ("VOLTA_HOME", ".volta"),
];

/// The variables with which a shell chooses a version for everything it starts.
pub(super) const VERSIONS: [&str; 4] = ["NODENV_VERSION", "PYENV_VERSION", "RBENV_VERSION", "RUSTUP_TOOLCHAIN"];

/// How the names of interpreters begin; a version may follow.
const INTERPRETERS: [&str; 11] =
    ["bun", "deno", "java", "lua", "luajit", "node", "perl", "pypy", "python", "ruby", "php"];

/// The most entries of a folder among which links to interpreters are looked for.
const MAX_ENTRIES: usize = 4096;

/// Beside its tools this folder holds the keys with which its owner publishes.
const CARGO: &str = "CARGO_HOME";

/// The variables of the version managers that existed when this was first called, each with its folder.
pub(super) fn managers() -> impl Iterator<Item = (&'static str, PathBuf)> {
    static FOUND: LazyLock<Vec<(&str, PathBuf)>> = LazyLock::new(|| {
        let home = folders::home();
        let found = MANAGERS.into_iter().filter_map(|(variable, folder)| {
            let named = folders::named(variable);
            let found = named.or_else(|| home.as_ref().map(|home| home.join(folder))).filter(|path| path.is_dir())?;
            Some((variable, found))
        });
        found.collect()
    });
    FOUND.iter().cloned()
}

pub fn path_folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).filter(|folder| folder.is_absolute()).collect()
}

/// The folders of the version managers, which contain only tools.
pub fn manager_folders() -> Vec<PathBuf> {
    managers().map(|(variable, folder)| if variable == CARGO { folder.join("bin") } else { folder }).collect()
}

/// The folder that the tools in `folder` belong to: for a `bin` next to a `lib`, or in a Python virtual environment,
/// the folder above; for conda's `condabin`, everything that conda has installed.
pub fn installation(folder: &Path) -> PathBuf {
    let whole = folder.parent().filter(|above| {
        let is_python = || above.join("lib").is_dir() || is_environment(above);
        folder.ends_with("bin") && is_python() || folder.ends_with("condabin") && above.join("conda-meta").is_dir()
    });
    whole.unwrap_or(folder).to_owned()
}

/// The folders of the interpreters to which links in a folder lead, as `~/.local/bin/python3` does of a Python that
/// some manager keeps elsewhere.
pub fn linked_tools(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let links = entries.flatten().take(MAX_ENTRIES).filter(|entry| {
        entry.file_type().is_ok_and(|kind| kind.is_symlink()) && entry.file_name().to_str().is_some_and(is_interpreter)
    });
    links.filter_map(|entry| Some(fs::canonicalize(entry.path()).ok()?.parent()?.to_owned())).collect()
}

fn is_interpreter(name: &str) -> bool {
    let is_version = |rest: &str| rest.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
    INTERPRETERS.iter().any(|start| name.strip_prefix(start).is_some_and(is_version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_belong_to_the_tools() {
        let place = tempfile::tempdir().unwrap();
        let check = |made: &[&str], folder: &str, whole: &str| {
            for name in made {
                fs::create_dir_all(place.path().join(name)).unwrap();
            }
            assert_eq!(installation(&place.path().join(folder)), place.path().join(whole), "{folder}");
        };
        check(&["node/bin", "node/lib"], "node/bin", "node");
        check(&["alone/bin"], "alone/bin", "alone/bin");
        check(
            &["conda/condabin", "conda/conda-meta", "conda/envs/a/bin", "conda/envs/a/lib"],
            "conda/condabin",
            "conda",
        );
        check(&[], "conda/envs/a/bin", "conda/envs/a");
        check(&["shims", "lib"], "shims", "shims");
        check(&["venv/bin"], "venv/bin", "venv/bin");
        fs::write(place.path().join("venv/pyvenv.cfg"), "").unwrap();
        check(&[], "venv/bin", "venv");
    }

    #[test]
    fn links_to_interpreters_are_followed_and_no_others() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for name in ["uv/cpython/bin/python3.12", "work/secret/tool", "work/python.d/x", "bin/plain"] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), "").unwrap();
        }
        let link = |name: &str, to: &str| std::os::unix::fs::symlink(at(to), at(name)).unwrap();
        link("bin/python3.12", "uv/cpython/bin/python3.12");
        link("bin/tool", "work/secret/tool");
        link("bin/python-config-of-mine", "work/python.d/x");
        link("bin/node", "nowhere");
        let whole = fs::canonicalize(at("uv/cpython/bin")).unwrap();
        assert_eq!(linked_tools(&at("bin")), [whole]);
    }
}
