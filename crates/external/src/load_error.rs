//! Why a file does not define a game.

use std::path::PathBuf;

use agon_referee::agent::AgentError;

/// The possible files of rules, for messages.
const KINDS: &str = ".c .cpp .py .java .rs .js .rb .lua .pl .php .sh .tcl .R .jl .scm .lisp, or a \
    first line `#!…`, or an executable file";

/// Why a file does not define a game.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error(
        "`{}` has no rules: expected a file `rules` ({KINDS}), or `game.toml` with a command, such as \
         `rules = [\"lua5.4\", \"rules.lua\"]`",
        path.display()
    )]
    NoRules { path: PathBuf },
    #[error("`{}` is not a program of rules: unknown extension ({KINDS} expected)", path.display())]
    NoLanguage { path: PathBuf },
    #[error("`{}`: {problem}", path.display())]
    GameFile { path: PathBuf, problem: String },
    #[error("the rules in `{}` need `{interpreter}`, which is not installed", path.display())]
    NoInterpreter { path: PathBuf, interpreter: String },
    #[error("cannot copy the rules in `{}` to the cache: {source}", path.display())]
    NotStaged { path: PathBuf, source: std::io::Error },
    #[error("`{}` has more than {} KiB", path.display(), most >> 10)]
    TooLarge { path: PathBuf, most: u64 },
    #[error("the rules in `{}` do not compile: {message}", path.display())]
    NotCompiled { path: PathBuf, message: String },
    #[error("the rules in `{}`: {source}", path.display())]
    NotPrepared { path: PathBuf, source: AgentError },
    #[error("the rules in `{}` failed: {problem}; `agon game check` tries all that they must answer", path.display())]
    Failed { path: PathBuf, problem: String },
    #[error("the rules in `{}` call their game `{name}`, as a built-in one: choose another name", path.display())]
    Taken { path: PathBuf, name: String },
}
