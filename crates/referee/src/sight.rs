//! Files that a program could not find although they are on this machine: its jail does not show them.
//!
//! Nothing observes which files a program opens. Its error stream usually names the file, as it does in all the
//! languages offered, and the name is compared with the machine's files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use agon_jail::{Jail, Level};

use crate::paths::{self, of_system};

/// Whether hints are given: not where strangers' programs run, which could find out through them which files exist.
static HINTS: AtomicBool = AtomicBool::new(false);

/// Enables hints from now on, since the programs are the user's own.
pub fn give_hints() {
    HINTS.store(true, Ordering::Relaxed);
}

/// How much of an error stream is searched, in lines from the end.
const MAX_LINES: usize = 40;

const MAX_NAME_BYTES: usize = 512;

/// Entries of a folder that are looked at.
const MAX_ENTRIES: usize = 4096;

/// Lower-case phrases about missing files.
const MISSING: [&str; 22] = [
    "no such file",
    "nosuchfile",
    "filenotfound",
    "enoent",
    "cannot open",
    "can't open",
    "could not open",
    "couldn't open",
    "unable to open",
    "failed to open",
    "cannot be opened",
    "error opening",
    "cannot load",
    "can't load",
    "could not load",
    "failed to load",
    "cannot find",
    "can't find",
    "could not find",
    "couldn't find",
    "does not exist",
    "not found",
];

/// How a line reports a missing module: `CPython`, Node, Ruby.
const MODULES: [&str; 3] = ["No module named", "Cannot find module", "cannot load such file"];

/// How an error stream says that a file cannot be written, if it says what the file was for.
const WRITING: [&str; 14] = [
    "Read-only file system",
    "EROFS",
    "FileOutputStream",
    "FileWriter",
    "PrintWriter",
    "writeFile",
    "appendFile",
    "createWriteStream",
    "mkdir",
    "makedirs",
    "ofstream",
    "File::create",
    "os.Create",
    "os.WriteFile",
];

/// The modes of `open` in Python, Ruby and C that write: `open("log.txt", "w")`.
const WRITING_MODES: [&str; 6] = ["w", "wb", "w+", "a", "ab", "a+"];

/// How an error stream says that a file is missing, or may not be opened or created.
const REFUSED_FILES: [&str; 9] = [
    "o such file",
    "NoSuchFile",
    "FileNotFound",
    "ENOENT",
    "ermission denied",
    "PermissionError",
    "EACCES",
    "Read-only file system",
    "EROFS",
];

/// Whether an error stream says that a file could not be opened or created.
pub fn is_of_a_file(stderr: &str) -> bool {
    REFUSED_FILES.iter().any(|words| stderr.contains(words))
}

/// Whether an error stream says that a file could not be opened or created for writing.
pub fn is_of_writing(stderr: &str) -> bool {
    if !is_of_a_file(stderr) {
        return false;
    }
    // A line of source in a traceback: `open("log.txt", "w")`, `mode='a'`.
    let calls = stderr.lines().filter(|line| line.contains("open("));
    let mut words = calls.flat_map(|line| line.split(['"', '\'']));
    WRITING.iter().any(|words| stderr.contains(words)) || words.any(|word| WRITING_MODES.contains(&word))
}

/// Folders of packages that only the system's own Node searches.
const NODE_PACKAGES: [&str; 3] = ["/usr/share/nodejs", "/usr/lib/nodejs", "/usr/lib/node_modules"];

/// What a program sees, for a hint about what it does not see.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sight {
    level: Level,
    visible: Vec<PathBuf>,
    /// Where it starts.
    folder: Option<PathBuf>,
    /// The source that the user named, which was compiled in `folder`.
    source: Option<PathBuf>,
    /// The program and its arguments.
    words: Vec<String>,
}

impl Sight {
    pub fn new(jail: &Jail, source: Option<&Path>, words: &[String]) -> Self {
        Self {
            level: jail.level,
            visible: jail.visible.clone(),
            folder: jail.folder.clone(),
            source: source.map(paths::whole),
            words: words.to_vec(),
        }
    }

    /// The name of the program, without folders.
    pub fn program(&self) -> &str {
        let word = self.words.first().map(String::as_str).unwrap_or_default();
        word.rsplit('/').next().unwrap_or_default()
    }

    /// The program as its command names it, and its arguments.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The ending of the source that it was started from: `cpp`.
    pub fn source_ending(&self) -> Option<&str> {
        self.source.as_ref()?.extension()?.to_str()
    }

    /// Whether it is a command rather than a source that was compiled here.
    pub const fn is_command(&self) -> bool {
        self.source.is_none()
    }

    /// What to do about the first file that its error stream reports as missing although it exists and the program
    /// cannot see it; `None` unless hints are enabled ([`give_hints`]).
    pub fn hint(&self, stderr: &str) -> Option<String> {
        if HINTS.load(Ordering::Relaxed) { self.find_hidden(stderr) } else { None }
    }

    fn find_hidden(&self, stderr: &str) -> Option<String> {
        // A file that is to be written cannot be made visible.
        if self.level == Level::None && self.source.is_none() || is_of_writing(stderr) {
            return None;
        }
        let lines: Vec<&str> = stderr.lines().collect();
        let lines = &lines[lines.len().saturating_sub(MAX_LINES)..];
        let named = lines.iter().rev().find_map(|line| {
            let module = MODULES.iter().any(|words| line.contains(words));
            let small = line.to_lowercase();
            if !module && !MISSING.iter().any(|words| small.contains(words)) {
                return None;
            }
            names(line).find_map(|name| self.hint_about(name, module))
        });
        named.or_else(|| self.named_module(lines)).or_else(|| node_path(lines))
    }

    /// The remedy for a command that names a module instead of a file, such as `java Bot` or `haxe --main Bot`: the
    /// jail does not show the folder where it starts.
    fn named_module(&self, lines: &[&str]) -> Option<String> {
        let start = self.folder.as_ref().filter(|start| self.source.is_none() && !self.shows(start))?;
        let modules = self.words.iter().skip(1).filter_map(|word| module_of(word));
        let (module, file) =
            modules.filter(|module| lines.iter().any(|line| says(line, module))).find_map(|module| {
                let path = module.replace('.', "/");
                let (folder, stem) = path.rsplit_once('/').unwrap_or(("", &path));
                let beside =
                    entries(&start.join(folder)).find(|path| path.file_stem().is_some_and(|name| name == stem))?;
                Some((module, beside.strip_prefix(start).ok()?.display().to_string()))
            })?;
        Some(format!(
            "`{module}` names no file, so the jail does not show the folder with `{file}`: write `dir=.` before the \
             command"
        ))
    }

    fn hint_about(&self, name: &str, module: bool) -> Option<String> {
        let bases = self.bases();
        let mut candidates = vec![name.to_owned()];
        if module {
            let path = name.replace('.', "/");
            let top = path.split('/').next().unwrap_or_default().to_owned();
            candidates =
                vec![format!("{path}.py"), top.clone(), format!("{name}.js"), format!("{name}.rb"), top + ".py"];
        }
        candidates.iter().filter(|name| !name.is_empty()).find_map(|name| {
            let named = Path::new(name);
            // The location of a compiled program means nothing to its author.
            let own = self.folder.as_ref().filter(|_| self.source.is_some());
            let named = own.and_then(|folder| named.strip_prefix(folder).ok()).unwrap_or(named);
            match bases.iter().map(|base| paths::whole_from(base, named)).find(|path| path.exists()) {
                // With a relative name, a source finds nothing next to the user's file, whatever it sees there.
                Some(path) if self.source.is_some() && named.is_relative() => {
                    (!self.is_own(&path)).then(|| self.remedy(&path, named))
                }
                Some(path) if self.is_seen(&path) => None,
                Some(path) => match configuration(&path) {
                    Some(configuration) if agon_jail::is_private(&configuration) => None,
                    Some(configuration) => Some(self.remedy(&configuration, named)),
                    None => Some(self.remedy(&path, named)),
                },
                None if module => self.in_environment(name),
                None => self.beside_command(named),
            }
        })
    }

    /// What to write if a Python virtual environment next to the bot has the module.
    fn in_environment(&self, module: &str) -> Option<String> {
        let mut beside: Vec<PathBuf> = self.bases().iter().flat_map(|base| entries(base)).collect();
        beside.sort_unstable();
        let environment = beside.into_iter().find(|path| paths::is_environment(path) && has_package(path, module))?;
        let here = paths::whole(Path::new(""));
        let shown = |path: &Path| {
            shell_words::quote(&path.strip_prefix(&here).unwrap_or(path).display().to_string()).into_owned()
        };
        let python = shown(&environment.join("bin/python"));
        let command = match &self.source {
            Some(source) if source.is_dir() => format!("{python} {}", shown(&source.join("main.py"))),
            Some(source) => format!("{python} {}", shown(source)),
            None => python,
        };
        Some(format!("`{module}` is installed in the virtual environment `{}`: write `{command}`", shown(&environment)))
    }

    /// What to write for a command whose files are in a folder that it sees but does not start in, as is usual for
    /// engines.
    fn beside_command(&self, named: &Path) -> Option<String> {
        let start = self.folder.as_ref().filter(|_| self.source.is_none() && named.is_relative())?;
        let folder = self.visible.iter().find(|folder| *folder != start && folder.join(named).is_file())?;
        let folder = folder.strip_prefix(paths::whole(Path::new(""))).unwrap_or(folder);
        let (shown, dir) = (named.display(), folder.display().to_string());
        let dir = shell_words::quote(&dir);
        Some(format!(
            "`{shown}` lies in `{}`, and the program starts elsewhere: write `dir={dir}` before it",
            folder.display()
        ))
    }

    /// The folders that a relative name may start from: the folder of the source, or where the program starts.
    fn bases(&self) -> Vec<PathBuf> {
        let beside = self.source.as_ref().map(|source| {
            let folder = if source.is_dir() { Some(source.as_path()) } else { source.parent() };
            folder.unwrap_or(Path::new("/")).to_owned()
        });
        let started = if self.source.is_some() { Some(paths::whole(Path::new(""))) } else { self.folder.clone() };
        beside.into_iter().chain(started).collect()
    }

    /// Whether it is in the bot's folder.
    fn is_own(&self, path: &Path) -> bool {
        self.source.as_ref().is_some_and(|source| source.is_dir() && path.starts_with(source))
    }

    /// Whether the program can read an existing file.
    pub(crate) fn is_seen(&self, path: &Path) -> bool {
        if self.level == Level::None && self.source.is_none() || self.is_own(path) {
            return true;
        }
        // The target of a link must be visible as well.
        self.shows(path) && fs::canonicalize(path).map_or(true, |real| self.shows(&real))
    }

    fn shows(&self, path: &Path) -> bool {
        self.visible.iter().any(|visible| path.starts_with(visible))
            || of_system(path)
            || agon_jail::system_paths().iter().any(|shown| path.starts_with(shown))
    }

    /// The name under which a source finds what `see=` copies next to it.
    fn copied_name(&self, path: &Path) -> Option<PathBuf> {
        let source = self.source.as_ref()?;
        let root = if source.is_dir() { source } else { source.parent()? };
        Some(path.strip_prefix(root).ok().or(path.file_name().map(Path::new))?.to_owned())
    }

    fn remedy(&self, path: &Path, named: &Path) -> String {
        let here = paths::whole(Path::new(""));
        let shown = path.strip_prefix(&here).unwrap_or(path).display().to_string();
        let see = format!("see={}", shell_words::quote(&shown));
        let beside = self.source.as_ref().filter(|source| source.is_file() && path.parent() == source.parent());
        match beside {
            Some(_) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let folder =
                    path.parent().map_or(Path::new("."), |folder| folder.strip_prefix(&here).unwrap_or(folder));
                let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                let source = self.source.as_deref().and_then(Path::extension).unwrap_or_default().display();
                format!(
                    "`{name}` exists beside your bot, but only the bot is copied: write `{see}` before it, or call the \
                     bot main.{source} and name its folder, `{}`",
                    folder.display()
                )
            }
            None => match self.copied_name(path).filter(|name| named.is_relative() && named != name) {
                Some(name) => format!(
                    "`{shown}` exists, but the jail does not show it: write `{see}` before the bot, and let it open \
                     `{}`",
                    name.display()
                ),
                None => format!("`{shown}` exists, but the jail does not show it: write `{see}` before the agent"),
            },
        }
    }
}

/// The module or class that a word of a command names: `Bot`, `--main=Bot`, `-MBot`.
fn module_of(word: &str) -> Option<&str> {
    let value = word.split_once('=').map_or(word, |(_, value)| value);
    let value = match value.strip_prefix('-') {
        // A one-letter option with its value.
        Some(option) => option.get(1..).filter(|_| !option.starts_with('-'))?,
        None => value,
    };
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    (value.split('.').all(is_name)).then_some(value)
}

/// The remedy for a package of the system that a Node from elsewhere does not find.
fn node_path(lines: &[&str]) -> Option<String> {
    let missing = lines.iter().filter(|line| line.contains("Cannot find module"));
    let (package, folder) = missing.flat_map(|line| names(line)).find_map(|name| {
        let package = name.split('/').next().filter(|package| !package.is_empty() && !package.starts_with('.'))?;
        Some((package, NODE_PACKAGES.into_iter().find(|folder| Path::new(folder).join(package).exists())?))
    })?;
    Some(format!("`{package}` is installed in `{folder}`: write `env.NODE_PATH={folder}` before the command"))
}

/// Whether a line contains a word.
fn says(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part))
}

/// The configuration in `/etc` or `/var/lib` that a path leads to: the language's whole folder, unless it is private.
fn configuration(path: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(path).ok().filter(|real| agon_jail::is_configuration(real))?;
    let whole = real.ancestors().take_while(|path| agon_jail::is_configuration(path)).last()?;
    Some(whole.to_owned()).filter(|whole| !agon_jail::is_private(whole)).or(Some(real))
}

/// The paths of a folder's entries.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_ENTRIES).map(|entry| entry.path())
}

/// Whether a package of this name is installed in a virtual environment.
fn has_package(environment: &Path, name: &str) -> bool {
    let packages = entries(&environment.join("lib")).flat_map(|version| entries(&version.join("site-packages")));
    let mut names = packages.filter_map(|path| Some(path.file_name()?.to_str()?.split('.').next()?.to_owned()));
    !name.is_empty() && names.any(|found| found == name)
}

/// The possible file names in a line: quoted texts, and words with a dot or a slash.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let quoted = ['\'', '"', '`'].into_iter().flat_map(move |mark| line.split(mark).skip(1).step_by(2));
    let bare = line.split(|c: char| c.is_whitespace() || "'\"`(),;[]".contains(c));
    let bare = bare.map(|word| word.trim_end_matches([':', '.'])).filter(|word| word.contains(['.', '/']));
    quoted.chain(bare).filter(|name| !name.is_empty() && name.len() <= MAX_NAME_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_there_and_not_seen_is_named() {
        let place = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(place.path()).unwrap();
        fs::create_dir_all(place.join("bots/tools")).unwrap();
        for name in ["bots/bot.py", "bots/weights.bin", "bots/board.py", "bots/tools/x.py", "far.txt"] {
            fs::write(place.join(name), "").unwrap();
        }
        let build = place.join("cache/python3-1");
        let jail = Jail { level: Level::Full, visible: vec![build.clone()], folder: Some(build), ..Jail::default() };
        let bot = Sight::new(&jail, Some(&place.join("bots/bot.py")), &[]);
        let check = |sight: &Sight, stderr: &str, expected: Option<&str>| {
            let hint = sight.find_hidden(&stderr.replace("DIR", &place.display().to_string()));
            match (&hint, expected) {
                (Some(hint), Some(expected)) => assert!(hint.contains(expected), "{stderr}: {hint}"),
                (hint, expected) => assert_eq!(hint.as_deref(), expected, "{stderr}"),
            }
        };
        let beside = Some("`weights.bin` exists beside your bot, but only the bot is copied: write `see=");
        check(&bot, "FileNotFoundError: [Errno 2] No such file or directory: 'weights.bin'", beside);
        check(
            &bot,
            "FileNotFoundError: [Errno 2] No such file or directory: 'DIR/cache/python3-1/weights.bin'",
            beside,
        );
        check(&bot, "terminate called: cannot open weights.bin: No such file or directory", beside);
        check(&bot, "ModuleNotFoundError: No module named 'board'", Some("`board.py` exists beside your bot"));
        check(&bot, "ModuleNotFoundError: No module named 'tools.x'", Some("tools/x.py` exists, but the jail"));
        check(&bot, "ModuleNotFoundError: No module named 'numpy'", None);
        for name in ["venv/pyvenv.cfg", "venv/lib/python3.1/site-packages/numpy/__init__.py"] {
            fs::create_dir_all(place.join("bots").join(name).parent().unwrap()).unwrap();
            fs::write(place.join("bots").join(name), "").unwrap();
        }
        let environment = Some("bots/venv`: write `");
        check(&bot, "ModuleNotFoundError: No module named 'numpy'", environment);
        check(&bot, "ModuleNotFoundError: No module named 'numpy.linalg'", environment);
        check(&bot, "ModuleNotFoundError: No module named 'torch'", None);
        check(&bot, "No such file or directory: 'DIR/far.txt'", Some("far.txt` exists, but the jail does not show it"));
        let elsewhere = Some("far.txt` exists, but the jail does not show it: write `see=");
        check(&bot, "No such file or directory: '../far.txt'", elsewhere);
        check(&bot, "No such file or directory: '../far.txt'", Some(" before the bot, and let it open `far.txt`"));
        check(&bot, "No such file or directory: 'none.bin'", None);
        // A folder that it sees anyway, such as one on the PATH, may still contain a file that the bot does not find.
        let seen = Jail { visible: vec![place.clone()], ..jail.clone() };
        let bot = Sight::new(&seen, Some(&place.join("bots/bot.py")), &[]);
        check(&bot, "No such file or directory: 'weights.bin'", beside);
        check(&bot, "No such file or directory: 'DIR/far.txt'", None);
        let bot = Sight::new(&seen, Some(&place.join("bots")), &[]);
        check(&bot, "No such file or directory: 'weights.bin'", None);
        check(&bot, "ValueError: 'weights.bin'", None);
        let shown = Jail { visible: vec![place.join("bots")], folder: Some(place.clone()), ..jail };
        let command = Sight::new(&shown, None, &[]);
        check(&command, "No such file or directory: 'bots/weights.bin'", None);
        check(&command, "No such file or directory: 'far.txt'", Some("far.txt` exists, but the jail does not show it"));
        check(
            &command,
            "No such file or directory: 'weights.bin'",
            Some("bots`, and the program starts elsewhere: write `dir="),
        );
        check(&command, "No such file or directory: 'none.bin'", None);
        check(&command, "No module named 'board'", None);
        let free = Sight::new(&Jail::default(), None, &[]);
        check(&free, "No such file or directory: 'DIR/far.txt'", None);
    }

    #[test]
    fn packages_of_the_system_need_a_path() {
        let said = |name: &str| node_path(&[&format!("Error: Cannot find module '{name}'"), "Require stack:"]);
        assert_eq!(said("no-such-package"), None);
        assert_eq!(said("/usr/x.js"), None);
        let folder = NODE_PACKAGES.into_iter().find_map(|folder| Some((folder, entries(Path::new(folder)).next()?)));
        if let Some((folder, package)) = folder {
            let hint = said(&package.file_name().unwrap().to_string_lossy()).unwrap();
            assert!(hint.ends_with(&format!("write `env.NODE_PATH={folder}` before the command")), "{hint}");
        }
    }

    #[test]
    fn a_module_that_a_command_names_is_found_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(place.path()).unwrap();
        fs::create_dir_all(place.join("own/part")).unwrap();
        for name in ["Bot.class", "Main.hx", "bot.beam", "own/part/Deep.class"] {
            fs::write(place.join(name), "").unwrap();
        }
        let jail = Jail { level: Level::Full, folder: Some(place.clone()), ..Jail::default() };
        let check = |command: &str, stderr: &str, file: Option<&str>| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let hint = Sight::new(&jail, None, &words).find_hidden(stderr);
            let expected = file.map(|file| format!("the folder with `{file}`: write `dir=.` before the command"));
            match (&hint, &expected) {
                (Some(hint), Some(expected)) => assert!(hint.ends_with(expected), "{command}: {hint}"),
                _ => assert_eq!(hint, expected, "{command}"),
            }
        };
        let missing = "Error: Could not find or load main class Bot\nCaused by: java.lang.ClassNotFoundException: Bot";
        check("java Bot", missing, Some("Bot.class"));
        check("java -Xmx64m Bot", missing, Some("Bot.class"));
        check("scala Bot", "No such file or class on classpath: Bot", Some("Bot.class"));
        check("haxe --main Main --interp", "Type not found : Main", Some("Main.hx"));
        check("haxe --main=Main --interp", "Type not found : Main", Some("Main.hx"));
        check("erl -noshell -s bot", "{undef,[{bot,start,[],[]}]}", Some("bot.beam"));
        check(
            "java own.part.Deep",
            "Error: Could not find or load main class own.part.Deep",
            Some("own/part/Deep.class"),
        );
        check("java Boat", "Error: Could not find or load main class Boat", None);
        check("java Bot", "Exception in thread main: Robot", None);
        let shown = Jail { visible: vec![place.clone()], ..jail.clone() };
        assert_eq!(Sight::new(&shown, None, &["java".into(), "Bot".into()]).find_hidden(missing), None);
    }

    #[test]
    fn a_link_to_what_is_not_shown_is_not_seen() {
        let place = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(place.path()).unwrap();
        fs::create_dir_all(place.join("far")).unwrap();
        fs::create_dir_all(place.join("bot")).unwrap();
        fs::write(place.join("far/net"), "").unwrap();
        std::os::unix::fs::symlink(place.join("far"), place.join("bot/nets")).unwrap();
        let jail = Jail {
            level: Level::Full,
            visible: vec![place.join("bot")],
            folder: Some(place.join("bot")),
            ..Jail::default()
        };
        let sight = Sight::new(&jail, None, &[]);
        let hint = sight.find_hidden("can't find nets/net").unwrap();
        assert!(hint.contains("bot/nets/net` exists, but the jail does not show it"), "{hint}");
    }
}
