//! What an agent is beyond its text: a digest of its own files.
//!
//! For a command, these are the files that its words name in any form (`bot.py`, `--net=w.bin`, `-nw.bin`, a path in
//! the script of `sh -c`), and all files in the folders that its jail shows for it: the folder of its program, of each
//! file named, and each folder named (`env -C DIR ./engine`). Their contents count, up to [`MAX_READ_BYTES`] together,
//! named files first, then in the order of their paths; beyond that, a file counts by its size and the time of its last
//! change. Files beyond the first [`MAX_FILES`] are ignored.
//!
//! In a folder of tools, of the system, or with more than a bot, only named files count. In other folders, hidden
//! files, leftovers of compilers, caches and Agon's own output are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use agon_game::hash::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::containment::{self, Place};
use super::prepared::AgentError;
use super::sources::Sources;
use super::spec::AgentSpec;
use crate::paths::{is_environment, of_system, whole_from};
use crate::process::{find_program, installation, manager_folders, path_folders};

/// Unnamed files beyond this number are ignored.
const MAX_FILES: usize = 4096;

/// How much of an agent's files is read.
const MAX_READ_BYTES: u64 = 512 << 20;

const MAX_FOLDER_DEPTH: usize = 16;

/// How many files are listed by name.
const MAX_LISTED: usize = 100;

/// How many differences a message lists.
const MAX_SHOWN: usize = 3;

/// Extensions of files that compilers and programs leave next to what they run.
const LEFT_BEHIND: [&str; 7] = ["d", "log", "o", "obj", "pgn", "rlib", "rmeta"];

/// The first bytes of Agon's records and exports.
const OWN_WRITINGS: [&str; 2] = ["{\"record\":", "{\"slot\":"];

/// How a page says that Agon made it.
const OWN_PAGE: &str = "name=\"generator\" content=\"Agon ";

/// The files that went into the digest of an agent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Identity {
    /// How many files count, and their total size.
    pub files: u64,
    pub bytes: u64,
    /// The first files in the order of their paths.
    pub listed: Vec<OwnFile>,
}

/// A file that is an agent's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OwnFile {
    /// Relative to the current folder, if it is inside.
    pub path: String,
    pub bytes: u64,
    /// The beginning of the SHA-256 digest of its content, or of its size and the time of its last change.
    pub digest: String,
    /// Whether it counts only by size and time.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub by_time: bool,
}

impl Identity {
    /// The digest of an agent as it is now, of its text and its files, and these.
    ///
    /// # Errors
    /// [`AgentError::Unreadable`] when a source file cannot be read.
    pub fn of_agent(spec: &AgentSpec) -> Result<(String, Self), AgentError> {
        let mut hash = Sha256::new();
        hash.update(spec.kind());
        let mut identity = Self::default();
        let settings = spec.settings().filter(|settings| !settings.is_empty());
        if let Some(settings) = settings {
            hash.update(settings.to_string());
        }
        let dir = settings.and_then(|settings| settings.dir.as_deref());
        match spec {
            AgentSpec::Builtin { .. } => hash.update(format!("{spec} {}", env!("CARGO_PKG_VERSION"))),
            AgentSpec::Source { language, path, arguments, .. } => {
                let see = settings.map_or(&[][..], |settings| &settings.see);
                let sources = Sources::read_with(*language, path, see)?;
                sources.digest(&mut hash);
                for (name, text) in &sources.files {
                    let name = if sources.folder { path.join(name) } else { path.clone() };
                    identity.add(name.display().to_string(), text.len() as u64, &Sha256::digest(text), false);
                }
                if dir.is_some() || !arguments.is_empty() {
                    identity.add_words(arguments, &Place::starting_in(dir), dir.is_some(), &mut hash);
                }
            }
            // The bridge itself is a part of this version, like a built-in; the engine behind it is not.
            AgentSpec::Command { words, .. } | AgentSpec::Bridge { words, .. } => {
                let see = settings.iter().flat_map(|settings| &settings.see).map(|path| path.display().to_string());
                let words: Vec<String> = words.iter().cloned().chain(see).collect();
                identity.add_words(&words, &Place::starting_in(dir), dir.is_some(), &mut hash);
            }
        }
        Ok((hex(&hash.finalize()[..8]), identity))
    }

    /// The differences from an earlier identity of the same text, as one line; empty if there are none.
    pub fn differences(&self, earlier: &Self) -> String {
        let by_path = |identity: &Self| -> BTreeMap<String, (u64, String)> {
            let files = identity.listed.iter();
            files.map(|file| (file.path.clone(), (file.bytes, file.digest.clone()))).collect()
        };
        let (now, before) = (by_path(self), by_path(earlier));
        let mut changes = Vec::new();
        for (path, file) in &now {
            match before.get(path) {
                Some(known) if known == file => {}
                Some(_) => changes.push(format!("`{path}` has changed")),
                None => changes.push(format!("`{path}` is new")),
            }
        }
        changes.extend(before.keys().filter(|path| !now.contains_key(*path)).map(|path| format!("`{path}` is gone")));
        let more = changes.len().saturating_sub(MAX_SHOWN);
        changes.truncate(MAX_SHOWN);
        if more > 0 {
            changes.push(format!("and {more} more"));
        }
        changes.join(", ")
    }

    fn add(&mut self, path: String, bytes: u64, digest: &[u8], by_time: bool) {
        self.files += 1;
        self.bytes += bytes;
        if self.listed.len() < MAX_LISTED {
            self.listed.push(OwnFile { path, bytes, digest: hex(&digest[..8]), by_time });
        }
    }

    /// Adds the words of a command and the files that are its own; `whole` says whether the folder it starts in is.
    fn add_words(&mut self, words: &[String], place: &Place, whole: bool, hash: &mut Sha256) {
        for word in words {
            hash.update(format!("{}\n{word}", word.len()));
        }
        let modules = containment::modules(words).into_iter().map(|path| path.display().to_string());
        let words: Vec<String> = words.iter().cloned().chain(modules).collect();
        let words = &words[..];
        let here = if whole { vec![String::new(), ".".to_owned()] } else { Vec::new() };
        let files = own_files(&[words, &here].concat(), place);
        let mut left = MAX_READ_BYTES;
        let mut digests = BTreeMap::new();
        // Named files come first.
        for named in [true, false] {
            for path in files.iter().filter(|&(_, is_named)| *is_named == named).map(|(path, _)| path) {
                let Ok(data) = fs::metadata(path) else { continue };
                let content = if data.len() <= left { content(path) } else { None };
                let by_time = content.is_none();
                let digest = content.unwrap_or_else(|| size_and_time(&data));
                left = if by_time { left } else { left - data.len() };
                digests.insert(path, (data.len(), digest, by_time));
            }
        }
        for (path, (bytes, digest, by_time)) in digests {
            let shown = path.strip_prefix(place.current()).unwrap_or(path).display().to_string();
            hash.update(format!("\n{shown}\n{bytes}\n"));
            hash.update(digest);
            self.add(shown, bytes, &digest, by_time);
        }
    }
}

fn content(path: &Path) -> Option<[u8; 32]> {
    let (mut file, mut hash, mut chunk) = (File::open(path).ok()?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Some(hash.finalize().into()),
            Ok(n) => hash.update(&chunk[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

fn size_and_time(data: &Metadata) -> [u8; 32] {
    Sha256::digest(format!("{} {} {}", data.len(), data.mtime(), data.mtime_nsec())).into()
}

/// The files of a command, each with whether it is named.
fn own_files(words: &[String], place: &Place) -> BTreeMap<PathBuf, bool> {
    let mut files = BTreeMap::new();
    let mut folders = BTreeSet::new();
    let mut starts = vec![place.current().to_owned()];
    // The other names may be relative to a named folder.
    for name in words.iter().skip(1).flat_map(|word| names(word)) {
        let path = whole_from(place.current(), Path::new(name));
        if path.is_dir() {
            folders.insert(path.clone());
            starts.push(path);
        }
    }
    starts.dedup();
    for word in words {
        let program = find_program(word).map(|path| place.current().join(path));
        let named = names(word).flat_map(|name| starts.iter().map(move |start| start.join(name)));
        for path in program.into_iter().chain(named).map(|path| whole_from(place.current(), &path)) {
            // A device or a pipe counts only by its name.
            if !path.is_file() {
                continue;
            }
            // Its real location, and the named one.
            for path in [fs::canonicalize(&path).ok(), Some(path)].into_iter().flatten() {
                folders.extend(path.parent().map(Path::to_owned));
                files.insert(path, true);
            }
        }
    }
    let tools: Vec<PathBuf> = path_folders().into_iter().chain(manager_folders()).collect();
    folders.retain(|folder| {
        !of_system(folder)
            && !place.holds_more(folder)
            && !place.is_private(folder)
            && !tools.contains(folder)
            && installation(folder) == *folder
    });
    let outputs = outputs();
    for folder in folders {
        collect(&folder, place, &outputs, MAX_FOLDER_DEPTH, &mut files);
    }
    files
}

/// The file names that a word may contain: the word itself, what follows `=` or an option's letter, and the parts
/// between the separators of lists and scripts.
fn names(word: &str) -> impl Iterator<Item = &str> {
    let marks = |c: char| c.is_whitespace() || "=:,;'\"()&|<>`".contains(c);
    let option = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| {
        let letter = rest.chars().next()?;
        Some(&rest[letter.len_utf8()..])
    });
    let value = word.split_once('=').map(|(_, value)| value);
    [Some(word), option, value].into_iter().flatten().chain(word.split(marks)).filter(|name| !name.is_empty())
}

/// The files to which this process writes its output, by device and number: no program of an agent reads them.
fn outputs() -> Vec<(u64, u64)> {
    let number = |file: io::Result<std::os::fd::OwnedFd>| {
        let data = File::from(file.ok()?).metadata().ok()?;
        Some((data.dev(), data.ino()))
    };
    let (out, err) = (io::stdout(), io::stderr());
    [out.as_fd().try_clone_to_owned(), err.as_fd().try_clone_to_owned()].into_iter().filter_map(number).collect()
}

/// Adds the files of a folder, in the order of their names.
fn collect(folder: &Path, place: &Place, outputs: &[(u64, u64)], depth: usize, files: &mut BTreeMap<PathBuf, bool>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    if paths.iter().any(|path| path.ends_with("CACHEDIR.TAG")) {
        return;
    }
    // Cargo keeps the executable in the folder itself, and what it was built from below.
    let flat = paths.iter().any(|path| path.ends_with(".cargo-lock"));
    paths.sort_unstable();
    for path in paths {
        let name = path.file_name().map_or(&b""[..], |name| name.as_encoded_bytes());
        let skipped = name.starts_with(b".") || ["__pycache__", "CMakeFiles"].iter().any(|other| path.ends_with(other));
        if skipped || files.len() >= MAX_FILES {
            continue;
        }
        // For a link, the target file; a folder behind a link may be anywhere.
        let Ok(data) = fs::metadata(&path) else { continue };
        if data.is_dir() {
            let deeper = !path.is_symlink() && !flat && depth > 0;
            if deeper && !place.is_private(&path) && !is_environment(&path) {
                collect(&path, place, outputs, depth - 1, files);
            }
        } else if data.is_file() && !files.contains_key(&path) {
            let left_behind = path.extension().is_some_and(|end| LEFT_BEHIND.iter().any(|other| end == *other));
            let written = outputs.contains(&(data.dev(), data.ino())) || place.is_private(&path) || is_ours(&path);
            if !left_behind && !written {
                files.insert(path, false);
            }
        }
    }
}

/// Whether Agon wrote a file: a record, an export or a page.
fn is_ours(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(512).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    read.is_ok() && (OWN_WRITINGS.iter().any(|ours| text.starts_with(ours)) || text.contains(OWN_PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with the files of engines, and a command in it.
    struct Bots(tempfile::TempDir);

    impl Bots {
        fn new() -> Self {
            let bots = Self(tempfile::tempdir().unwrap());
            for name in ["a/run.sh", "a/engine", "nets/w.bin", "nets/deep/x.bin", "scripts/one.py"] {
                bots.write(name, name);
            }
            bots
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        /// The identity of a command with `~` for the folder of all.
        fn of(&self, words: &[&str]) -> (String, Identity) {
            let home = fs::canonicalize(self.0.path()).unwrap();
            let words: Vec<String> = words.iter().map(|word| word.replace('~', &home.display().to_string())).collect();
            let place = Place::for_tests(&home, Some(&home), vec![home.join("state")]);
            let (mut identity, mut hash) = (Identity::default(), Sha256::new());
            identity.add_words(&words, &place, false, &mut hash);
            (hex(&hash.finalize()[..8]), identity)
        }

        #[track_caller]
        fn check(&self, words: &[&str], changed: &str, counts: bool) {
            let before = self.of(words);
            self.write(changed, "rebuilt");
            let after = self.of(words);
            assert_eq!(before != after, counts, "{words:?} {changed}: {:?}", after.1.listed);
            assert_eq!(before.0 != after.0, counts);
            if counts {
                let differences = after.1.differences(&before.1);
                assert!(differences.contains(changed), "{differences}");
            }
            assert_eq!(self.of(words), after);
        }
    }

    #[test]
    fn every_form_of_a_name_counts() {
        for words in [
            &["none", "nets/w.bin"][..],
            &["none", "--net=nets/w.bin"],
            &["none", "net=~/nets/w.bin"],
            &["none", "-nnets/w.bin"],
            &["none", "x:nets/w.bin"],
            &["none", "a,nets/w.bin"],
            &["none", "-c", "exec ~/a/engine --net 'nets/w.bin'"],
            &["none", "-C", "nets"],
            &["none", "-Cnets"],
            &["none", "--chdir=nets", "./w.bin"],
        ] {
            Bots::new().check(words, "nets/w.bin", true);
        }
        Bots::new().check(&["none", "nets/w.bin"], "nets/deep/x.bin", true);
        Bots::new().check(&["none", "nets/w.bin"], "a/engine", false);
    }

    #[test]
    fn a_virtual_environment_beside_a_bot_does_not_count() {
        let bots = Bots::new();
        bots.write("a/venv/pyvenv.cfg", "");
        let words = ["~/a/run.sh"];
        bots.check(&words, "a/venv/lib/python3/site-packages/x.py", false);
        bots.check(&words, "a/zobrist.py", true);
    }

    #[test]
    fn a_wrapper_counts_with_its_folder() {
        Bots::new().check(&["~/a/run.sh"], "a/engine", true);
        Bots::new().check(&["./a/run.sh"], "a/settings/new.toml", true);
        Bots::new().check(&["env", "-C", "a", "./run.sh"], "a/engine", true);
        Bots::new().check(&["sh", "-c", "cd a && exec ./engine"], "a/engine", true);
    }

    #[test]
    fn what_is_written_meanwhile_does_not_count() {
        for name in ["a/agon.log", "a/.git/HEAD", "a/engine.o", "a/__pycache__/x.pyc", "state/records/1", "a/games.pgn"]
        {
            Bots::new().check(&["./a/engine"], name, false);
        }
        let bots = Bots::new();
        let before = bots.of(&["./a/engine"]);
        bots.write("a/agon.db", "SQLite format 3\0");
        bots.write("a/agon.db-wal", "x");
        bots.write("a/agon.db.lock", "");
        bots.write("a/game.jsonl", "{\"record\":1}");
        bots.write("a/games.jsonl", "{\"slot\":1}");
        bots.write("a/report.html", "<meta name=\"generator\" content=\"Agon 1\">");
        bots.write("a/cache/CACHEDIR.TAG", "");
        bots.write("a/cache/x", "");
        assert_eq!(bots.of(&["./a/engine"]), before);
        // One that is named is meant.
        bots.check(&["./a/engine", "--log=a/agon.log"], "a/agon.log", true);
    }

    #[test]
    fn a_folder_that_holds_more_counts_by_what_is_named() {
        let bots = Bots::new();
        bots.write("engine", "x");
        // The folder of all is the home here.
        bots.check(&["./engine"], "notes.txt", false);
        bots.check(&["./engine"], "engine", true);
        assert_eq!(bots.of(&["./engine"]).1.files, 1);
    }

    #[test]
    fn a_folder_that_moves_is_the_same() {
        let [one, other] = [Bots::new(), Bots::new()];
        assert_eq!(one.of(&["./a/run.sh", "--net=nets/w.bin"]), other.of(&["./a/run.sh", "--net=nets/w.bin"]));
    }
}
