//! The sources of a bot: one file, or a folder with a main file and everything next to it.
//!
//! A folder's main file is `main` with the extension of a language (`main.py`, `Main.java`), or has the folder's name
//! (`my_bot/my_bot.cpp`), or is `__main__.py`, or is its only source file. The whole folder is used, including its
//! folders, but without hidden files, leftovers of compilers (`__pycache__`, `.class`, `.o`) and caches (folders with a
//! `CACHEDIR.TAG`, such as Cargo's `target`). Links are refused, so nothing from outside the folder gets in.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::language::Language;
use super::prepared::AgentError;
use crate::paths::{is_environment, whole};

const MAX_FILES: usize = 2000;

/// For all files of a folder together.
const MAX_SOURCE_BYTES: u64 = 64 << 20;

const MAX_FOLDER_DEPTH: usize = 16;

/// The file of a package of Python that is run.
pub(super) const PACKAGE_MAIN: &str = "__main__.py";

/// The sources of a bot, as they were when they were read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sources {
    /// The name of the main file.
    pub main: String,
    /// Every file's name, from the folder on, and its content, in the order of the names.
    pub files: Vec<(String, Vec<u8>)>,
    /// Whether they come from a folder.
    pub folder: bool,
}

impl Sources {
    /// Reads a file, or a folder. A single file gets the name that its compiler wants.
    ///
    /// # Errors
    /// [`AgentError::Unreadable`] when a file cannot be read, [`AgentError::Folder`] when a folder has no main file or
    /// contains more than a bot may.
    pub fn read(language: Language, path: &Path) -> Result<Self, AgentError> {
        if !path.is_dir() {
            let text = fs::read(path).map_err(|source| AgentError::Unreadable { path: path.to_owned(), source })?;
            let main = language.file_name(&text);
            return Ok(Self { main: main.clone(), files: vec![(main, text)], folder: false });
        }
        let (_, main) = main_file(path, Some(language))?;
        let mut files = Vec::new();
        // A Python package keeps its name, which its modules use to import each other.
        let package = (main == PACKAGE_MAIN).then(|| whole(path)).and_then(|path| {
            let name = path.file_name()?.to_str()?;
            name.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| format!("{name}/"))
        });
        let prefix = package.unwrap_or_default();
        collect(path, path, &prefix, MAX_FOLDER_DEPTH, &mut (0, &mut files))?;
        files.sort();
        Ok(Self { main: prefix + &main, files, folder: true })
    }

    /// The same with additional files, which keep their position relative to the file or in the folder; otherwise only
    /// their names count. A folder comes with everything in it.
    ///
    /// # Errors
    /// As [`Sources::read`].
    pub fn read_with(language: Language, path: &Path, more: &[PathBuf]) -> Result<Self, AgentError> {
        let mut sources = Self::read(language, path)?;
        let root = if path.is_dir() { whole(path) } else { whole(path).parent().unwrap_or(Path::new("/")).to_owned() };
        for file in more.iter().map(|file| whole(file)) {
            let name = file.strip_prefix(&root).ok().or_else(|| file.file_name().map(Path::new));
            let Some(name) = name.and_then(Path::to_str).filter(|name| !name.is_empty()) else { continue };
            let mut found = Vec::new();
            if file.is_dir() {
                collect(&file, &file, &format!("{name}/"), MAX_FOLDER_DEPTH, &mut (0, &mut found))?;
            } else {
                let unreadable = |source| AgentError::Unreadable { path: file.clone(), source };
                let bytes = fs::metadata(&file).map_err(unreadable)?.len();
                if bytes > MAX_SOURCE_BYTES {
                    let reason = format!("{bytes} bytes; a bot has at most {} MiB", MAX_SOURCE_BYTES >> 20);
                    return Err(AgentError::Setting { setting: format!("see={}", file.display()), reason });
                }
                found.push((name.to_owned(), fs::read(&file).map_err(unreadable)?));
            }
            found.retain(|(name, _)| sources.files.iter().all(|(known, _)| known != name));
            sources.files.append(&mut found);
        }
        if !more.is_empty() {
            sources.files.sort();
        }
        Ok(sources)
    }

    /// Digests them: a single file counts only by its content.
    pub fn digest(&self, hash: &mut Sha256) {
        for (name, text) in &self.files {
            if self.folder || self.files.len() > 1 {
                hash.update(format!("{name}\n{}\n", text.len()));
            }
            hash.update(text);
        }
    }

    /// The names of the files that are compiled: of one language, the main file first.
    pub(super) fn compiled(&self, language: Language) -> Vec<&str> {
        let names = self.files.iter().map(|(name, _)| name.as_str());
        let others = names.filter(|name| *name != self.main && is_of(Path::new(name), language));
        std::iter::once(self.main.as_str()).chain(others).collect()
    }
}

/// Whether a file's extension belongs to this language.
fn is_of(path: &Path, language: Language) -> bool {
    let by_extension = if language == Language::Pypy3 { Language::Python3 } else { language };
    Language::by_extension(path) == Some(by_extension)
}

/// The main file of a folder, and its language, if it is not given.
///
/// # Errors
/// [`AgentError::Folder`] when there is none, or several.
pub fn main_file(folder: &Path, language: Option<Language>) -> Result<(Language, String), AgentError> {
    let refused = |reason: String| AgentError::Folder { path: folder.to_owned(), reason };
    let entries = fs::read_dir(folder).map_err(|error| refused(error.to_string()))?;
    let names =
        entries.filter_map(|entry| entry.ok().filter(|entry| entry.path().is_file())?.file_name().into_string().ok());
    let own = fs::canonicalize(folder).ok().and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
    match choose_main(names, own.as_deref(), language) {
        MainFile::One(language, name) => Ok((language, name)),
        MainFile::Unnamed(sources) => {
            let one = folder.join(&sources.iter().find(|(_, name)| stem_is(name, "bot")).unwrap_or(&sources[0]).1);
            Err(refused(format!(
                "it has no main file: name one of its sources, as `{}`, or call one main, as main.cpp, main.py or \
                 Main.java",
                one.display()
            )))
        }
        MainFile::Several(several) => {
            let names: Vec<&str> = several.iter().map(|(_, name)| name.as_str()).collect();
            let (language, folder) = (several[0].0, folder.display());
            Err(refused(format!("{} are main files; name the language, as {language}:{folder}", names.join(" and "))))
        }
        MainFile::Missing => {
            let inner = folder.join("src");
            let meant = has_main(&inner, language).then(|| format!("; did you mean `{}`?", inner.display()));
            Err(refused(format!(
                "it has no source file ({}) to be its main file{}",
                language.map_or("main.cpp, main.py, Main.java or another language's".to_owned(), |l| format!("of {l}")),
                meant.unwrap_or_default()
            )))
        }
    }
}

/// Which file of a folder is the main one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MainFile {
    One(Language, String),
    /// Several sources, and none has the name of a main file.
    Unnamed(Vec<(Language, String)>),
    /// Several have it.
    Several(Vec<(Language, String)>),
    /// There is no source at all.
    Missing,
}

/// Chooses the main file among the names of a folder's files; `own` is the name of the folder.
pub(super) fn choose_main(
    names: impl IntoIterator<Item = String>,
    own: Option<&str>,
    language: Option<Language>,
) -> MainFile {
    let source = |name: String| {
        let path = Path::new(&name);
        match language {
            Some(language) => is_of(path, language).then_some((language, name)),
            None => Language::by_extension(path).map(|language| (language, name)),
        }
    };
    let mut sources: Vec<(Language, String)> = names.into_iter().filter_map(source).collect();
    sources.sort_by(|a, b| a.1.cmp(&b.1));
    let called = |wanted: &str| sources.iter().filter(|(_, name)| stem_is(name, wanted)).cloned().collect::<Vec<_>>();
    let by_name = own.map(called).unwrap_or_default();
    let mut found =
        [called("main"), by_name, called("__main__"), sources.clone()].into_iter().find(|found| !found.is_empty());
    match found.as_deref_mut() {
        Some([(language, name)]) => MainFile::One(*language, std::mem::take(name)),
        Some(several) if called("main").is_empty() && sources.len() == several.len() => MainFile::Unnamed(sources),
        Some(several) => MainFile::Several(several.to_vec()),
        None => MainFile::Missing,
    }
}

/// Whether the name of a file without its extension is this, in any case.
fn stem_is(name: &str, wanted: &str) -> bool {
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| stem.eq_ignore_ascii_case(wanted))
}

/// Whether a file or a folder of this name is none of a bot's: hidden, or left by a compiler.
pub(super) fn is_left_out(name: &str) -> bool {
    let left = matches!(Path::new(name).extension().and_then(|e| e.to_str()), Some("class" | "o" | "pyc"));
    name.starts_with('.') || name == "__pycache__" || left
}

/// Whether a folder, which may not exist, has a main file.
fn has_main(folder: &Path, language: Option<Language>) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let fits = |name: &String| {
        let path = Path::new(name);
        language.map_or_else(|| Language::by_extension(path).is_some(), |language| is_of(path, language))
    };
    names.filter(fits).any(|name| name.to_lowercase().starts_with("main."))
}

/// Reads the files of a folder and of the folders inside; `found` are the files and their bytes so far.
fn collect(
    root: &Path,
    folder: &Path,
    prefix: &str,
    depth: usize,
    found: &mut (u64, &mut Vec<(String, Vec<u8>)>),
) -> Result<(), AgentError> {
    let refused = |reason: String| AgentError::Folder { path: root.to_owned(), reason };
    if depth == 0 {
        return Err(refused(format!("`{prefix}` lies in more than {MAX_FOLDER_DEPTH} folders")));
    }
    for entry in fs::read_dir(folder).map_err(|error| refused(error.to_string()))? {
        let entry = entry.map_err(|error| refused(error.to_string()))?;
        let kind = entry.file_type().map_err(|error| refused(error.to_string()))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            return Err(refused(format!("the name `{}` is no UTF-8", name.to_string_lossy())));
        };
        if is_left_out(name) {
            continue;
        }
        let (path, name) = (entry.path(), format!("{prefix}{name}"));
        if kind.is_dir() {
            if !path.join("CACHEDIR.TAG").exists() && !is_environment(&path) {
                collect(root, &path, &format!("{name}/"), depth - 1, found)?;
            }
            continue;
        }
        if !kind.is_file() {
            let what = if kind.is_symlink() { "a link" } else { "no file" };
            return Err(refused(format!("`{name}` is {what}; only files and folders are taken")));
        }
        let unreadable = |source| AgentError::Unreadable { path: path.clone(), source };
        found.0 += entry.metadata().map_err(unreadable)?.len();
        if found.0 > MAX_SOURCE_BYTES || found.1.len() == MAX_FILES {
            return Err(refused(format!("it has more than {MAX_FILES} files, or {} MiB", MAX_SOURCE_BYTES >> 20)));
        }
        found.1.push((name, fs::read(&path).map_err(unreadable)?));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, names: &[&str]) {
        for name in names {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("text of {name}")).unwrap();
        }
    }

    #[test]
    fn a_folder_has_one_main_file() {
        #[track_caller]
        fn check(names: &[&str], language: Option<Language>, wanted: Result<(Language, &str), &str>) {
            let place = tempfile::tempdir().unwrap();
            let folder = place.path().join("my_bot");
            fs::create_dir(&folder).unwrap();
            write(&folder, names);
            match (main_file(&folder, language), wanted) {
                (Ok((language, name)), Ok(wanted)) => assert_eq!((language, name.as_str()), wanted),
                (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
                (found, wanted) => panic!("{found:?} is not {wanted:?}"),
            }
        }
        check(&["main.py", "helper.py", "notes.txt"], None, Ok((Language::Python3, "main.py")));
        check(&["main.py", "helper.py"], Some(Language::Pypy3), Ok((Language::Pypy3, "main.py")));
        check(&["Main.java", "Board.java"], None, Ok((Language::Java, "Main.java")));
        check(&["my_bot.cpp", "board.cpp", "board.h"], None, Ok((Language::Cpp20, "my_bot.cpp")));
        check(&["__init__.py", "__main__.py", "board.py"], None, Ok((Language::Python3, "__main__.py")));
        check(&["search.c", "search.h"], None, Ok((Language::C20, "search.c")));
        check(&["main.c", "main.py"], Some(Language::C20), Ok((Language::C20, "main.c")));
        check(&["main.c", "main.py"], None, Err("main.c and main.py are main files; name the language, as C20:"));
        check(&["a.c", "b.c"], None, Err("/my_bot/a.c`, or call one main, as main.cpp"));
        check(&["a.c", "bot.c"], None, Err("/my_bot/bot.c`, or call one main, as main.cpp"));
        check(&["Cargo.toml", "src/main.rs"], None, Err("my_bot/src`?"));
        check(&["main.py"], Some(Language::Rust), Err("it has no source file (of RUST)"));
    }

    #[test]
    fn all_of_a_folder_is_taken_but_for_what_compilers_leave() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        write(folder, &["main.cpp", "board/board.h", "board/board.cpp", "main.o", ".git/config", "__pycache__/a.pyc"]);
        write(folder, &["target/CACHEDIR.TAG", "target/debug/much", "venv/pyvenv.cfg", "venv/lib/main.py"]);
        std::os::unix::fs::symlink("lib", folder.join("venv/lib64")).unwrap();
        let digest = |sources: &Sources| {
            let mut hash = Sha256::new();
            sources.digest(&mut hash);
            hash.finalize().to_vec()
        };
        let sources = Sources::read(Language::Cpp20, folder).unwrap();
        let names: Vec<&str> = sources.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["board/board.cpp", "board/board.h", "main.cpp"]);
        assert_eq!(sources.compiled(Language::Cpp20), ["main.cpp", "board/board.cpp"]);
        // Changing a header makes another bot, and so does renaming it.
        fs::write(folder.join("board/board.h"), "other").unwrap();
        let changed = Sources::read(Language::Cpp20, folder).unwrap();
        assert_ne!(digest(&sources), digest(&changed));
        fs::rename(folder.join("board/board.h"), folder.join("board/b.h")).unwrap();
        assert_ne!(digest(&changed), digest(&Sources::read(Language::Cpp20, folder).unwrap()));
        std::os::unix::fs::symlink("/etc/passwd", folder.join("data")).unwrap();
        let error = Sources::read(Language::Cpp20, folder).unwrap_err().to_string();
        assert!(error.ends_with("`data` is a link; only files and folders are taken"), "{error}");
    }
}
