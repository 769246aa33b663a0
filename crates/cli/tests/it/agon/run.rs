//! Running the binary.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use agon_jail::Level;
use assert_cmd::Command;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::Value;
use tempfile::TempDir;

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_agon");

/// Every game with the names of its seats.
pub const GAMES: [(&str, [&str; 2]); 3] =
    [("bacteria", ["O", "X"]), ("domineering", ["H", "V"]), ("renju", ["Black", "White"])];

/// No run takes so long unless it hangs.
const TIMEOUT: Duration = Duration::from_mins(5);

/// The results of a run.
pub struct Ran {
    /// The exit code.
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// The only line of standard output, as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.line()
    }

    /// The same for a game that was not played because a source does not compile.
    #[track_caller]
    pub fn uncompiled(&self) -> Value {
        let message = "error: no game was played: a source does not compile\n";
        assert_eq!((self.code, self.err.as_str()), (2, message), "{}", self.out);
        self.line()
    }

    #[track_caller]
    fn line(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "{}", self.out);
        serde_json::from_str(&self.out).unwrap()
    }
}

/// The root of the repository, where every run starts.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A bot that answers at once and repeats its games: `domineering.py` and others.
pub fn quick_bot(name: &str) -> String {
    std::fs::read_to_string(root().join("crates/cli/tests/bots").join(name)).unwrap()
}

/// The sample of a game, with a fixed depth of search if it searches: it answers soon and repeats its games.
pub fn shallow_sample(game: &str, extension: &str) -> String {
    let source = std::fs::read_to_string(root().join(format!("agents/{game}/sample.{extension}"))).unwrap();
    // Renju begins with the second.
    let depth = if game == "renju" { "= 3" } else { "= 2" };
    match source.lines().find(|line| line.contains("MAX_DEPTH") && line.contains("= 64")) {
        Some(deep) => source.replace(deep, &deep.replace("= 64", depth)),
        None => source,
    }
}

/// True if `AGON_SLOW` enables the slow tests.
pub fn is_slow() -> bool {
    std::env::var_os("AGON_SLOW").is_some()
}

/// PATH with the system's tools first: `python3` of pyenv is a shell script, which takes eight times as long to start
/// as `/usr/bin/python3`.
pub fn search_path() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let folders = [PathBuf::from("/usr/bin")].into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap().into()
}

/// The environment of every run.
///
/// - No colours, no width.
/// - All tests share compiled bots; records do not go to the user's folder.
/// - The strongest jail of this machine, so that no run warns of a weaker one.
/// - A busy machine changes nothing: READY gets a minute, an action 40 s; delays are not measured, progress is not
///   printed. A test in which a program must be late has [`ALPHANO_TIMES`].
pub fn environment() -> [(&'static str, Option<PathBuf>); 11] {
    let folder = |name: &str| Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
    [
        ("PATH", Some(search_path())),
        ("AGON_TIME_FACTOR", Some("20".into())),
        ("AGON_DELAY", Some("off".into())),
        ("AGON_PROGRESS", Some("off".into())),
        ("AGON_JAIL", Some(jail().name().into())),
        ("AGON_CACHE", folder("cache")),
        ("AGON_STATE", folder("state")),
        ("AGON_SEED", None),
        ("COLUMNS", None),
        ("NO_COLOR", None),
        ("CLICOLOR_FORCE", None),
    ]
}

/// The variable, with its value, for runs with ALPHANO's times for READY, an action and the exit.
pub const ALPHANO_TIMES: (&str, &str) = ("AGON_TIME_FACTOR", "1");

/// The strongest jail that there is.
pub fn jail() -> Level {
    static LEVEL: LazyLock<Level> = LazyLock::new(|| {
        let level = agon_jail::probe().level;
        agon_jail::retire_all();
        level
    });
    *LEVEL
}

/// A run to start.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(arguments).current_dir(root()).timeout(TIMEOUT);
    for (name, value) in environment() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// Makes a run.
#[track_caller]
pub fn finish(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code().unwrap_or_else(|| panic!("{}", output.status)),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A run with nothing on its standard input.
#[track_caller]
pub fn agon(arguments: &[&str]) -> Ran {
    finish(&mut command(arguments))
}

/// A run with these lines on its standard input.
#[track_caller]
pub fn agon_reading(arguments: &[&str], input: impl Into<Vec<u8>>) -> Ran {
    finish(command(arguments).write_stdin(input))
}

/// A folder for the files of one test.
pub fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A path as a word of a command, as records write it.
pub fn word(path: &str) -> String {
    if path.contains(' ') { format!("'{path}'") } else { path.to_owned() }
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Makes a fifo.
pub fn fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// A file in a folder.
pub fn file(folder: &TempDir, name: &str, content: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// A bot of domineering that does this first and then passes whenever it is asked: the game ends when both sides have
/// passed.
pub fn passing(first: &str) -> String {
    format!(
        "#!/usr/bin/env python3
import os, sys
{first}
for line in sys.stdin:
    word = line.split()[0]
    if word == 'READY': print('OK', flush=True)
    elif word == 'TURN': print('MOVE -1 -1', flush=True)
    elif word == 'FINISH': break
"
    )
}
