//! Rules that a host uploads: checked in a process of their own, and kept in a folder of the site's data.
//!
//! They become games of the site at once. All rules used for games of the site are kept, each version in its own
//! folder, so that old games can be shown and proved after the rules have changed.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agon_boards::limits::Effort;
use agon_catalog::Game;
use serde::Deserialize;

/// Below the folder of uploads: the rules of each game in a folder of its full name.
const VERSIONS: &str = "versions";

/// The longest program of rules.
pub(crate) const MAX_RULES_BYTES: usize = 256 << 10;

/// Files of rules that a site keeps.
pub(crate) const MAX_RULES_FILES: usize = 16;

/// How long their check may take: an answer comes within 30 s. On an idle machine it takes about two seconds.
pub(crate) const CHECK_TIMEOUT: Duration = Duration::from_secs(27);

/// Random games of their check.
const CHECK_GAMES: &str = "6";

/// How much of a check's output is read.
const MAX_READ_BYTES: u64 = 16 << 10;

const CHECK_POLL: Duration = Duration::from_millis(20);

/// The fate of uploaded rules, with the result of their check.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Uploaded {
    /// Under this name.
    Kept(String, CheckAnswer),
    Refused(Refusal, CheckAnswer),
}

/// The result of a check.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum CheckAnswer {
    Report(RulesReport),
    /// The rules cannot be checked: the reason in words. Empty if no check was made or its time was over.
    Error(String),
}

/// The report of `agon game check --format json`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct RulesReport {
    /// Whether all laws hold.
    pub passes: bool,
    pub laws: Vec<RulesLaw>,
    /// Random games; 0 for rules that list no moves.
    pub games: u32,
    /// The shortest, the mean and the longest game, in moves.
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
    /// The same rules already exist.
    Known,
    TooMany,
    Late,
    Fails,
    /// Newcomers would have no opponent.
    NoMoves,
}

/// The sorted names of the contents of a folder of rules: files, and folders of rules with a sample or a page; empty if
/// there is no folder.
pub fn kept_files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| is_plain(name) || name != VERSIONS && agon_external::is_rules_folder(&folder.join(name)));
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
        && agon_external::has_rules_extension(Path::new(name))
}

/// The folders of the versions of rules that are kept.
pub fn kept_versions(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join(VERSIONS)).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.retain(|folder| folder.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')));
    folders.sort();
    folders
}

/// Keeps the rules of all games that are loaded, each version once.
pub(crate) fn keep_versions(folder: &Path) -> io::Result<()> {
    let kept = |game: Game| match agon_external::files_of(game) {
        Some(files) => agon_external::write_folder(&folder.join(VERSIONS).join(game.name()), files),
        None => Ok(()),
    };
    Game::all().into_iter().try_for_each(kept)
}

/// Loads the kept rules of these games that are not given. Returns what went wrong.
pub fn restore_rules(folder: &Path, games: &[String]) -> Vec<String> {
    let restored = |name: &String| -> Option<String> {
        if Game::recorded(name).is_ok_and(|game| !game.is_missing()) {
            return None;
        }
        let kept = folder.join(VERSIONS).join(name);
        // A name from the store leads nowhere else.
        if !name.contains('@') || name.contains('/') || !kept.is_dir() {
            return None;
        }
        match agon_external::load(&kept) {
            Ok(game) if game.name() == name => None,
            Ok(game) => Some(format!("the kept rules of `{name}` are those of `{}`", game.name())),
            Err(error) => Some(format!("the kept rules of `{name}` are no game now: {error}")),
        }
    };
    games.iter().filter_map(restored).collect()
}

/// Rules as a host sends them.
#[derive(Clone, Default, Debug)]
pub(crate) struct SentRules {
    /// The name of their file: `othello.py`.
    pub file: String,
    pub source: String,
    /// Samples and a page, by their names.
    pub beside: Vec<(String, String)>,
}

/// Whether a file contains no rules but belongs next to them: a page or a sample.
pub(crate) fn is_beside(name: &str) -> bool {
    name == "README.md" || name.split_once('.').is_some_and(|(stem, ending)| stem == "sample" && !ending.is_empty())
}

impl SentRules {
    /// The name of the file in its own folder.
    fn inner_name(&self) -> String {
        self.file.split_once('.').map_or_else(|| "rules".to_owned(), |(_, extension)| format!("rules.{extension}"))
    }

    /// Writes them as a file with this name, or as a folder if other files come with them.
    fn write(&self, path: &Path) -> io::Result<()> {
        if self.beside.is_empty() {
            return fs::write(path, &self.source);
        }
        fs::create_dir(path)?;
        fs::write(path.join(self.inner_name()), &self.source)?;
        self.beside.iter().try_for_each(|(name, text)| fs::write(path.join(name), text))
    }

    /// Bytes of the longest of them.
    fn longest(&self) -> usize {
        self.beside.iter().map(|(_, text)| text.len()).chain([self.source.len()]).max().unwrap_or_default()
    }
}

/// The name under which rules are kept: that of their file, or if that name has other rules, `NAME-2.py` and so on;
/// with accompanying files the same without the extension. `None` if the same rules already exist.
fn free_name(folder: &Path, sent: &SentRules) -> Option<String> {
    let SentRules { file, source, beside } = sent;
    let (stem, extension) = file.split_once('.').unwrap_or((file, ""));
    let ending = if beside.is_empty() { format!(".{extension}") } else { String::new() };
    let names = (1..).map(|number| match number {
        1 => format!("{stem}{ending}"),
        number => format!("{stem}-{number}{ending}"),
    });
    for name in names {
        let path = folder.join(&name);
        let kept =
            if path.is_dir() { fs::read(path.join(sent.inner_name())).or(Ok(Vec::new())) } else { fs::read(path) };
        match kept {
            Ok(kept) if kept == source.as_bytes() => return None,
            Ok(_) => {}
            Err(_) => return Some(name),
        }
    }
    None
}

/// Checks rules and keeps them under this name.
pub(crate) fn keep(folder: &Path, program: &Path, sent: &SentRules, effort: &Effort) -> io::Result<Uploaded> {
    let (file, source) = (&*sent.file, &*sent.source);
    let name = if is_plain(file) { free_name(folder, sent) } else { None };
    let refusal = if !is_plain(file) {
        Some(Refusal::Name)
    } else if source.trim().is_empty() {
        Some(Refusal::Empty)
    } else if sent.longest() > MAX_RULES_BYTES {
        Some(Refusal::TooLong)
    } else if name.is_none() {
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
    let path = trial.path().join(name.as_deref().unwrap_or(file));
    sent.write(&path)?;
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
        let name = name.unwrap_or_else(|| file.to_owned());
        fs::rename(&path, folder.join(&name))?;
        Uploaded::Kept(name, answer)
    })
}

/// The answer of `agon game check`, if it comes in time. It runs in a separate process, because rules stay a game of
/// their process once loaded.
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

/// A folder in the form that begins its paths in messages.
fn folder_text(folder: &Path) -> String {
    format!("{}/", folder.display())
}
