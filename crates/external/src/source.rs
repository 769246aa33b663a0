//! The files of rules, and how their program is started: a source in a language of agents, a script that an interpreter
//! of the machine runs, a program, or a command in `game.toml`.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use agon_game::hash::hex;
use agon_referee::agent::{AgentSpec, Language, Prepared, containment};
use agon_referee::folders;
use agon_referee::limits::GameLimits;
use agon_referee::process::{ProgramSpec, find_program};
use sha2::{Digest, Sha256};
use toml::{Table, Value};

use crate::limits::{MAX_FILE_BYTES, MAX_FILES, MAX_MEMORY_MIB, MAX_PROGRAM_BYTES};
use crate::load_error::LoadError;

/// The file of a folder that names the command of its rules.
const GAME_FILE: &str = "game.toml";

/// Interpreters by file extension, the preferred one first.
const INTERPRETERS: [(&str, &[&str]); 9] = [
    ("lua", &["lua5.4", "lua", "luajit", "lua5.3"]),
    ("pl", &["perl"]),
    ("php", &["php"]),
    ("sh", &["sh"]),
    ("tcl", &["tclsh"]),
    ("R", &["Rscript"]),
    ("jl", &["julia"]),
    ("scm", &["guile"]),
    ("lisp", &["sbcl --script"]),
];

/// A file of rules: its name in the folder, and its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFile {
    pub name: String,
    pub bytes: Vec<u8>,
    /// True if it is a program.
    pub executable: bool,
}

/// Rules as they are on disk.
#[derive(Debug)]
pub(crate) struct RulesSource {
    /// The path that names them in messages and in the table of loaded rules.
    pub path: PathBuf,
    pub files: Vec<RulesFile>,
    pub digest: String,
    start: Start,
}

/// How rules are started.
#[derive(Debug)]
enum Start {
    Language(Language),
    /// These words, in a folder with the files.
    Command(Vec<String>),
}

fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> LoadError + '_ {
    |source| LoadError::Unreadable { path: path.to_owned(), source }
}

/// Reads a file of at most this many bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, LoadError> {
    if fs::metadata(path).map_err(unreadable(path))?.len() > most {
        return Err(LoadError::TooLarge { path: path.to_owned(), most });
    }
    fs::read(path).map_err(unreadable(path))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The words after `#!` in the first line of a file.
fn shebang(path: &Path) -> Option<Vec<String>> {
    let mut begin = [0; 256];
    let length = fs::File::open(path).ok()?.read(&mut begin).ok()?;
    let line = begin[..length].strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let words: Vec<String> = std::str::from_utf8(line).ok()?.split_whitespace().map(str::to_owned).collect();
    (!words.is_empty()).then_some(words)
}

/// The names of the interpreters of a file by its extension.
fn interpreters(path: &Path) -> Option<&'static [&'static str]> {
    let extension = path.extension()?.to_str()?;
    INTERPRETERS.iter().find(|(known, _)| *known == extension).map(|(_, names)| *names)
}

/// Whether a file with this name can be rules by its extension alone.
pub fn has_rules_extension(path: &Path) -> bool {
    Language::by_extension(path).is_some() || interpreters(path).is_some()
}

/// Whether a file can be rules.
pub fn is_rules_file(path: &Path) -> bool {
    path.is_file() && (has_rules_extension(path) || shebang(path).is_some())
}

/// Whether this is a folder with a file `rules`, or with the command of its rules.
pub fn is_rules_folder(path: &Path) -> bool {
    path.is_dir() && (command_of(path).is_ok_and(|command| command.is_some()) || file_in(path).is_ok())
}

impl RulesSource {
    /// Finds the rules that a path names: a file, or a folder.
    ///
    /// # Errors
    /// [`LoadError`] if there are none.
    pub(crate) fn find(path: &Path) -> Result<Self, LoadError> {
        if !fs::metadata(path).map_err(unreadable(path))?.is_dir() {
            return Self::of_file(path);
        }
        match command_of(path)? {
            Some((words, files)) => Self::of_command(path, words, &files),
            None => Self::of_file(&file_in(path)?),
        }
    }

    fn of_file(path: &Path) -> Result<Self, LoadError> {
        let executable = is_executable(path);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let start = if let Some(language) = Language::by_extension(path) {
            Start::Language(language)
        } else if let Some(mut words) = shebang(path) {
            words.push(name.clone());
            Start::Command(words)
        } else if let Some(names) = interpreters(path) {
            let found = names.iter().find(|name| find_program(name.split(' ').next().unwrap_or(name)).is_some());
            let found = found.ok_or_else(|| {
                let interpreter = names[0].split(' ').next().unwrap_or(names[0]).to_owned();
                LoadError::NoInterpreter { path: path.to_owned(), interpreter }
            })?;
            Start::Command(found.split(' ').map(str::to_owned).chain([name.clone()]).collect())
        } else if executable {
            Start::Command(vec![format!("./{name}")])
        } else {
            return Err(LoadError::NoLanguage { path: path.to_owned() });
        };
        let is_program = matches!(&start, Start::Command(words) if words.len() == 1);
        let bytes = read(path, if is_program { MAX_PROGRAM_BYTES } else { MAX_FILE_BYTES })?;
        let digest = hex(&Sha256::digest(&bytes));
        Ok(Self { path: path.to_owned(), files: vec![RulesFile { name, bytes, executable }], digest, start })
    }

    /// Rules by a command: the digest is of its words and of all its files.
    fn of_command(folder: &Path, words: Vec<String>, names: &[String]) -> Result<Self, LoadError> {
        let path = folder.join(GAME_FILE);
        let mut files =
            vec![RulesFile { name: GAME_FILE.to_owned(), bytes: read(&path, MAX_FILE_BYTES)?, executable: false }];
        let mut digest = Sha256::new();
        let mut add = |bytes: &[u8]| {
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        };
        for word in &words {
            add(word.as_bytes());
        }
        for name in names {
            let file = folder.join(name);
            let executable = is_executable(&file);
            let bytes = read(&file, if executable { MAX_PROGRAM_BYTES } else { MAX_FILE_BYTES })?;
            add(name.as_bytes());
            add(&bytes);
            files.push(RulesFile { name: name.clone(), bytes, executable });
        }
        let digest = hex(&digest.finalize());
        Ok(Self { path, files, digest, start: Start::Command(words) })
    }

    /// Makes the program ready to be started. A command runs in a folder of the cache with copies of its files, so that
    /// a process which is started later runs the same rules.
    ///
    /// # Errors
    /// [`LoadError`] where they do not compile, or cannot be started here.
    pub(crate) fn prepare(&self) -> Result<ProgramSpec, LoadError> {
        let path = || self.path.clone();
        let language = match &self.start {
            Start::Language(language) => *language,
            Start::Command(words) => return self.command(words),
        };
        let limits = GameLimits { memory_mib: MAX_MEMORY_MIB, ..GameLimits::default() };
        let prepared = AgentSpec::source(language, path()).prepare(&limits);
        match prepared.map_err(|source| LoadError::NotPrepared { path: path(), source })? {
            Prepared::Program(program) => Ok(program),
            Prepared::Broken(fault) => Err(LoadError::NotCompiled { path: path(), message: fault.reason.text }),
            Prepared::Builtin(_) => Err(LoadError::NoLanguage { path: path() }),
        }
    }

    /// The program of these words, which sees the copies of its files and the tools of the machine.
    fn command(&self, words: &[String]) -> Result<ProgramSpec, LoadError> {
        let dir = self.staged().map_err(|source| LoadError::NotStaged { path: self.path.clone(), source })?;
        let mut words = words.to_vec();
        if words[0].contains('/') {
            // One of its own files, or a program of the machine.
            words[0] = dir.join(&words[0]).display().to_string();
        } else if find_program(&words[0]).is_none() {
            return Err(LoadError::NoInterpreter { path: self.path.clone(), interpreter: words[0].clone() });
        }
        let mut jail = containment::of_build(&dir);
        jail.folder = Some(dir);
        Ok(ProgramSpec { words, environment: Vec::new(), jail, build: None, source: Some(self.path.clone()) })
    }

    /// A folder of the cache with these files.
    fn staged(&self) -> std::io::Result<PathBuf> {
        let cache = folders::cache().map_err(std::io::Error::other)?.join("rules");
        // The same text may have several names.
        let names: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
        let folder = cache.join(hex(&Sha256::digest(format!("{} {}", self.digest, names.join("\n")))));
        write_folder(&folder, &self.files)?;
        Ok(folder)
    }
}

/// Writes files into a new folder, all of them or none; an existing folder already has them.
///
/// # Errors
/// Any error of the file system.
pub fn write_folder(folder: &Path, files: &[RulesFile]) -> std::io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let trial = parent.join(format!(".{name}.{}", std::process::id()));
    let write = || {
        for file in files {
            let path = trial.join(&file.name);
            fs::create_dir_all(path.parent().unwrap_or(&trial))?;
            fs::write(&path, &file.bytes)?;
            if file.executable {
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            }
        }
        fs::rename(&trial, folder)
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_dir_all(&trial);
    }
    // Another process may have written the same.
    if folder.is_dir() { Ok(()) } else { written }
}

/// The file of the rules in a folder: one in a language, else a script, else a program.
fn file_in(folder: &Path) -> Result<PathBuf, LoadError> {
    let entries = fs::read_dir(folder).map_err(unreadable(folder))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.is_file() && file.file_stem().is_some_and(|stem| stem == "rules"));
    files.sort();
    let kinds: [fn(&Path) -> bool; 4] = [
        |file| Language::by_extension(file).is_some(),
        |file| interpreters(file).is_some(),
        |file| shebang(file).is_some(),
        is_executable,
    ];
    let found = kinds.iter().find_map(|is| files.iter().find(|file| is(file)));
    found.cloned().ok_or_else(|| LoadError::NoRules { path: folder.to_owned() })
}

/// The command of the rules in a folder and the names of its files, if its `game.toml` has one.
#[allow(clippy::type_complexity, reason = "words and names")]
fn command_of(folder: &Path) -> Result<Option<(Vec<String>, Vec<String>)>, LoadError> {
    let path = folder.join(GAME_FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let wrong = |problem: String| LoadError::GameFile { path: path.clone(), problem };
    let text = String::from_utf8(read(&path, MAX_FILE_BYTES)?).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
    if let Some(key) = table.keys().find(|key| !["rules", "files"].contains(&key.as_str())) {
        return Err(wrong(format!("unknown key `{key}`; `rules` and `files` are known")));
    }
    let texts = |key: &str| -> Result<Option<Vec<String>>, LoadError> {
        let Some(value) = table.get(key) else { return Ok(None) };
        let list = value.as_array().map(|list| list.iter().map(|one| one.as_str().map(str::to_owned)).collect());
        let list: Option<Vec<String>> = list.flatten().filter(|list: &Vec<String>| !list.is_empty());
        let example = r#"a list of texts, such as `["lua5.4", "rules.lua"]`"#;
        list.map(Some).ok_or_else(|| wrong(format!("`{key}` is {}; expected {example}", kind(value))))
    };
    let words =
        texts("rules")?.ok_or_else(|| wrong(r#"no `rules`, such as `rules = ["lua5.4", "rules.lua"]`"#.into()))?;
    let mut names: Vec<String> = words.iter().filter(|word| is_inside(word)).cloned().collect();
    names.retain(|word| folder.join(word).is_file());
    for name in texts("files")?.unwrap_or_default() {
        if !is_inside(&name) || !folder.join(&name).is_file() {
            return Err(wrong(format!("`files` names `{name}`, which is not a file in its folder")));
        }
        names.push(name);
    }
    for name in &mut names {
        if let Some(plain) = name.strip_prefix("./") {
            *name = plain.to_owned();
        }
    }
    names.sort();
    names.dedup();
    if names.len() > MAX_FILES {
        return Err(wrong(format!("more than {MAX_FILES} files")));
    }
    Ok(Some((words, names)))
}

/// Whether a path leads to something below its folder.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn kind(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`\"{text}\"`"),
        Value::Array(list) if list.is_empty() => "an empty list".to_owned(),
        Value::Array(_) => "a list of other things".to_owned(),
        other => format!("`{other}`"),
    }
}
