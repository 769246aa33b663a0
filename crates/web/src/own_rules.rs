//! Rules that a host uploads: checked in a process of their own, and kept in a folder of the site's data.
//!
//! The next start of the site makes games of them.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agon_referee::agent::Language;

use crate::limits::Effort;

/// The longest program of rules.
pub const MAX_RULES_BYTES: usize = 256 << 10;

/// Files of rules that a site keeps.
pub const MAX_RULES_FILES: usize = 16;

/// How long their check may take: an answer comes within 30 s. On an idle machine it takes about two seconds.
pub const CHECK_TIMEOUT: Duration = Duration::from_secs(27);

/// Random games of their check.
const CHECK_GAMES: &str = "6";

/// What is shown of a check.
const MAX_SHOWN_BYTES: u64 = 16 << 10;

const CHECK_POLL: Duration = Duration::from_millis(20);

/// What became of rules, and what their check says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Uploaded {
    Kept(String),
    Refused(Refusal, String),
}

/// Why rules are not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    Name,
    Empty,
    TooLong,
    /// Changed rules are another game.
    Known,
    TooMany,
    Late,
    Fails,
    /// Newcomers would have no opponent.
    NoMoves,
}

/// The names of the files of a folder of rules, sorted; none where there is no folder.
pub fn kept_files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| is_plain(name));
    names.sort();
    names
}

/// Whether a file may have this name: letters, digits, `-` and `_`, and the ending of a language.
fn is_plain(name: &str) -> bool {
    let Some((stem, _)) = name.split_once('.') else { return false };
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=40).contains(&stem.len())
        && stem.chars().all(letters)
        && name.matches('.').count() == 1
        && Language::by_extension(Path::new(name)).is_some()
}

/// Checks rules and keeps them under this name.
pub fn keep(folder: &Path, program: &Path, file: &str, source: &str, effort: &Effort) -> io::Result<Uploaded> {
    let refusal = if !is_plain(file) {
        Some(Refusal::Name)
    } else if source.trim().is_empty() {
        Some(Refusal::Empty)
    } else if source.len() > MAX_RULES_BYTES {
        Some(Refusal::TooLong)
    } else if folder.join(file).exists() {
        Some(Refusal::Known)
    } else if kept_files(folder).len() >= MAX_RULES_FILES {
        Some(Refusal::TooMany)
    } else {
        None
    };
    if let Some(refusal) = refusal {
        return Ok(Uploaded::Refused(refusal, String::new()));
    }
    fs::create_dir_all(folder)?;
    let trial = tempfile::tempdir_in(folder)?;
    let path = trial.path().join(file);
    fs::write(&path, source)?;
    let (passes, found) = check(program, &path, &trial.path().join(".found"), effort)?;
    Ok(match passes {
        None => Uploaded::Refused(Refusal::Late, found),
        Some(false) => Uploaded::Refused(Refusal::Fails, found),
        Some(true) if found.contains("the rules list no moves") => Uploaded::Refused(Refusal::NoMoves, found),
        Some(true) => {
            fs::rename(&path, folder.join(file))?;
            Uploaded::Kept(found)
        }
    })
}

/// Whether the rules pass `agon game check`, if it ends in time, and what it says. It runs in a process of its own, for
/// rules that were once loaded stay a game of their process.
fn check(program: &Path, rules: &Path, found: &Path, effort: &Effort) -> io::Result<(Option<bool>, String)> {
    let out = File::create(found)?;
    let mut child = Command::new(program)
        .args(["game", "check", "--games", CHECK_GAMES, "--color", "never"])
        .arg(rules)
        .env_remove("AGON_RULES")
        .stdin(Stdio::null())
        .stdout(out.try_clone()?)
        .stderr(out)
        .spawn()?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if effort.is_over() || begun.elapsed() > CHECK_TIMEOUT {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(CHECK_POLL);
    };
    let mut text = Vec::new();
    File::open(found)?.take(MAX_SHOWN_BYTES).read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text).replace(&rules.parent().map_or_else(String::new, folder_text), "");
    Ok((status.map(|status| status.success()), text.trim().to_owned()))
}

/// A folder as messages begin the paths in it.
fn folder_text(folder: &Path) -> String {
    format!("{}/", folder.display())
}
