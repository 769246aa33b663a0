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
use serde::Deserialize;

use crate::limits::Effort;

/// The longest program of rules.
pub(crate) const MAX_RULES_BYTES: usize = 256 << 10;

/// Files of rules that a site keeps.
pub(crate) const MAX_RULES_FILES: usize = 16;

/// How long their check may take: an answer comes within 30 s. On an idle machine it takes about two seconds.
pub(crate) const CHECK_TIMEOUT: Duration = Duration::from_secs(27);

/// Random games of their check.
const CHECK_GAMES: &str = "6";

/// What is read of a check's output.
const MAX_READ_BYTES: u64 = 16 << 10;

const CHECK_POLL: Duration = Duration::from_millis(20);

/// What became of rules, and what their check says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Uploaded {
    Kept(CheckAnswer),
    Refused(Refusal, CheckAnswer),
}

/// What a check says.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum CheckAnswer {
    Report(RulesReport),
    /// The rules cannot be checked: why, in words. Empty where no check was made or its time was over.
    Error(String),
}

/// The report of `agon game check --format json`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct RulesReport {
    /// Whether all laws hold.
    pub passes: bool,
    pub laws: Vec<RulesLaw>,
    /// Random games; none of rules that list no moves.
    pub games: u32,
    /// The shortest, the mean and the longest of them, in moves.
    pub plies: Option<[f64; 3]>,
    /// The mean number of legal moves.
    pub choices: f64,
}

/// A law that rules keep, or break.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct RulesLaw {
    pub law: String,
    pub problem: Option<String>,
}

/// Why rules are not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
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
pub(crate) fn keep(folder: &Path, program: &Path, file: &str, source: &str, effort: &Effort) -> io::Result<Uploaded> {
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
        return Ok(Uploaded::Refused(refusal, CheckAnswer::Error(String::new())));
    }
    fs::create_dir_all(folder)?;
    let trial = tempfile::tempdir_in(folder)?;
    let path = trial.path().join(file);
    fs::write(&path, source)?;
    let Some(answer) = check(program, &path, trial.path(), effort)? else {
        return Ok(Uploaded::Refused(Refusal::Late, CheckAnswer::Error(String::new())));
    };
    let refusal = match &answer {
        CheckAnswer::Report(report) if report.passes && report.games > 0 => None,
        CheckAnswer::Report(report) if report.passes => Some(Refusal::NoMoves),
        _ => Some(Refusal::Fails),
    };
    Ok(if let Some(refusal) = refusal {
        Uploaded::Refused(refusal, answer)
    } else {
        fs::rename(&path, folder.join(file))?;
        Uploaded::Kept(answer)
    })
}

/// The answer of `agon game check`, if it comes in time. It runs in a process of its own, because rules that were once
/// loaded stay a game of their process.
fn check(program: &Path, rules: &Path, trial: &Path, effort: &Effort) -> io::Result<Option<CheckAnswer>> {
    let outputs = [".stdout", ".stderr"].map(|name| trial.join(name));
    let mut child = Command::new(program)
        .args(["game", "check", "--games", CHECK_GAMES, "--color", "never", "--format", "json"])
        .arg(rules)
        .env_remove("AGON_RULES")
        .stdin(Stdio::null())
        .stdout(File::create(&outputs[0])?)
        .stderr(File::create(&outputs[1])?)
        .spawn()?;
    let begun = Instant::now();
    while child.try_wait()?.is_none() {
        if effort.is_over() || begun.elapsed() > CHECK_TIMEOUT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(CHECK_POLL);
    }
    let read = |path: &Path| -> io::Result<String> {
        let mut text = Vec::new();
        File::open(path)?.take(MAX_READ_BYTES).read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).replace(&folder_text(trial), ""))
    };
    let report = read(&outputs[0])?;
    Ok(Some(match serde_json::from_str(&report) {
        Ok(report) => CheckAnswer::Report(report),
        // One that is too long to be read whole is shown as far as it was read.
        Err(_) => CheckAnswer::Error((read(&outputs[1])? + &report).trim().to_owned()),
    }))
}

/// A folder as messages begin the paths in it.
fn folder_text(folder: &Path) -> String {
    format!("{}/", folder.display())
}
