//! What the programs of agents, and their compilers, may see and use.
//!
//! A program sees its own folder and the tools of the machine, but nothing else of the user's files: neither the other
//! agents, nor the cache, nor stores of games. For a command, that folder is guessed from its words: it is the folder
//! of the program and of every file that an argument names. A folder that contains more than a bot, such as the user's
//! home, is never shown just because a file is in it.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use agon_jail::{Jail, Level, Writes};

use crate::folders;
use crate::paths::{ENVIRONMENT, interpreter, is_environment, of_system, whole, whole_from};
use crate::process::{find_program, installation, linked_tools, manager_folders, path_folders};

/// Bytes that a program may write to files, all together.
const DISK: u64 = 64 << 20;

/// Processes and threads of a program, and of a compiler.
pub const MAX_PROCESSES: u32 = 64;

/// How many bytes a compiler may write, including its temporary files.
pub(super) const COMPILER_DISK: u64 = 256 << 20;

/// Folders that hold more than a bot.
const SHARED: [&str; 25] = [
    "/", "/bin", "/boot", "/dev", "/dev/shm", "/etc", "/home", "/lib", "/lib32", "/lib64", "/libx32", "/media", "/mnt",
    "/opt", "/proc", "/root", "/run", "/sbin", "/srv", "/sys", "/tmp", "/usr", "/var", "/var/lib", "/var/tmp",
];

/// A folder with stores of games is shown entry by entry, without the stores; a folder with more entries than this is
/// not shown at all.
const MAX_ENTRIES: usize = 256;

/// The first bytes of an `SQLite` file.
const DATABASE: &[u8; 16] = b"SQLite format 3\0";

/// The endings of the files next to a database in use.
const BESIDE_DATABASE: [&str; 4] = ["-journal", "-shm", "-wal", ".lock"];

/// The jail of a command that starts in `dir`, an absolute path, if given, and also sees `see`.
pub fn of_command(words: &[String], dir: Option<&Path>, see: &[PathBuf]) -> Jail {
    let mut jail = of_words(words, &[], dir);
    show(&mut jail, see);
    jail
}

/// The jail of a bridge, this very program, and of the program behind it.
pub fn of_bridge(bridge: &[String], words: &[String], dir: Option<&Path>, see: &[PathBuf]) -> Jail {
    let mut jail = of_words(words, bridge.first().map(PathBuf::from).as_slice(), dir);
    show(&mut jail, see);
    jail
}

/// Shows more files and folders; for a file, nothing next to it.
pub fn show(jail: &mut Jail, see: &[PathBuf]) {
    if jail.level != Level::None && !see.is_empty() {
        let mut visible = std::mem::take(&mut jail.visible);
        let place = Place::of_process();
        for path in see.iter().map(|path| whole(path)) {
            let real = fs::canonicalize(&path).ok().filter(|real| *real != path);
            for path in [Some(path), real].into_iter().flatten().filter(|path| !of_system(path)) {
                if agon_jail::is_configuration(&path) {
                    visible.extend(agon_jail::public_parts(&path));
                } else if path.is_dir() {
                    visible.extend(place.parts(&path).into_iter().flatten());
                } else {
                    visible.push(path);
                }
            }
        }
        jail.visible = outermost(visible);
    }
}

/// Makes a program start in another folder than its jail says, and see that one too.
pub fn start_in(jail: &mut Jail, dir: &Path) {
    jail.folder = Some(dir.to_owned());
    if jail.level != Level::None {
        let mut visible = std::mem::take(&mut jail.visible);
        Place::of_process().show(dir, &mut visible);
        jail.visible = outermost(visible);
    }
}

/// Whether a folder is never shown to a program because it contains more than a bot, such as the user's home. Without a
/// jail everything is shown.
pub fn holds_more(folder: &Path) -> bool {
    agon_jail::chosen() != Level::None && Place::of_process().holds_more(&whole(folder))
}

/// Whether a path is hidden from every program because it is secret or belongs to users, hosts or services. Without a
/// jail nothing is hidden.
pub fn is_private(path: &Path) -> bool {
    let whole = whole(path);
    let real = fs::canonicalize(&whole).unwrap_or_else(|_| whole.clone());
    agon_jail::chosen() != Level::None && [whole, real].iter().any(|path| agon_jail::is_private(path))
}

/// The jail of a program that was compiled in this folder.
pub fn of_build(folder: &Path) -> Jail {
    in_folder(folder, DISK, Writes::Forgotten)
}

/// The jail of a compiler that works in this folder.
pub fn of_compiler(folder: &Path) -> Jail {
    in_folder(folder, COMPILER_DISK, Writes::Kept)
}

fn of_words(words: &[String], files: &[PathBuf], dir: Option<&Path>) -> Jail {
    let level = agon_jail::chosen();
    if level == Level::None {
        return Jail { folder: dir.map(Path::to_owned), ..Jail::default() };
    }
    let mut place = Place::of_process();
    let mut visible = Vec::new();
    if let Some(dir) = dir {
        dir.clone_into(&mut place.current);
        place.show(dir, &mut visible);
    }
    visible.extend(place.of_words(words));
    visible.extend_from_slice(files);
    visible.extend(place.tools());
    let folder = Some(place.current);
    Jail { level, visible: outermost(visible), folder, writes: Writes::Forgotten, disk: DISK, processes: MAX_PROCESSES }
}

fn in_folder(folder: &Path, disk: u64, writes: Writes) -> Jail {
    let level = agon_jail::chosen();
    let whole = whole(folder);
    // Without a jail, whatever a program writes into its folder in the cache would stay there.
    if level == Level::None {
        return Jail { folder: (writes == Writes::Kept).then_some(whole), writes, ..Jail::default() };
    }
    let mut visible = Place::of_process().tools();
    visible.push(whole.clone());
    Jail { level, visible: outermost(visible), folder: Some(whole), writes, disk, processes: MAX_PROCESSES }
}

/// Decides which folders contain more than a bot.
pub(super) struct Place {
    /// The judge's current folder, where commands start.
    current: PathBuf,
    home: Option<PathBuf>,
    private: Vec<PathBuf>,
}

impl Place {
    /// The same for a program that starts in `dir`, if given.
    pub(super) fn starting_in(dir: Option<&Path>) -> Self {
        let place = Self::of_process();
        Self { current: dir.map_or(place.current, whole), ..place }
    }

    pub(super) fn of_process() -> Self {
        let private = [folders::cache(), folders::state()].into_iter().flatten();
        Self {
            current: env::current_dir().unwrap_or_else(|_| "/".into()),
            home: folders::home().filter(|home| home.parent().is_some()),
            private: private.collect(),
        }
    }

    #[cfg(test)]
    pub(super) fn for_tests(current: &Path, home: Option<&Path>, private: Vec<PathBuf>) -> Self {
        Self { current: current.to_owned(), home: home.map(Path::to_owned), private }
    }

    /// The folder where commands start.
    pub(super) fn current(&self) -> &Path {
        &self.current
    }

    /// The folders of tools, except those that every jail has and those that contain more.
    fn tools(&self) -> Vec<PathBuf> {
        let listed = path_folders().into_iter().flat_map(|folder| {
            let whole = self.installation(&folder);
            let base = base_of(&whole).map(|base| self.installation(&base));
            let links = if of_system(&folder) { Vec::new() } else { linked_tools(&folder) };
            let links: Vec<PathBuf> = links.iter().map(|folder| self.installation(folder)).collect();
            [Some(whole), base].into_iter().flatten().chain(links)
        });
        let all = listed.chain(manager_folders());
        all.filter(|folder| folder.is_dir() && !of_system(folder) && !self.is_shared(folder)).collect()
    }

    /// The whole installation that a folder of tools belongs to, or that folder if the installation contains more.
    fn installation(&self, folder: &Path) -> PathBuf {
        let whole = installation(folder);
        if self.holds_more(&whole) || self.is_private(&whole) { folder.to_owned() } else { whole }
    }

    /// The folders that a command needs: its program's, and that of every file named by an argument.
    fn of_words(&self, words: &[String]) -> Vec<PathBuf> {
        let mut visible = Vec::new();
        let Some((program, arguments)) = words.split_first() else { return visible };
        if let Some(found) = find_program(program) {
            let found = whole_from(&self.current, &found);
            let folder = found.parent().unwrap_or(&found);
            // A virtual environment has its packages next to its programs, and its Python elsewhere.
            let environment = Some(self.installation(folder)).filter(|whole| is_environment(whole));
            match environment {
                Some(whole) => {
                    let base = base_of(&whole).map(|base| self.installation(&base));
                    visible.extend(base.filter(|base| !of_system(base) && base.is_dir() && !self.is_shared(base)));
                    visible.push(whole);
                }
                None => self.show(&found, &mut visible),
            }
            let real = fs::canonicalize(&found).ok();
            let names =
                [Some(&found), real.as_ref()].into_iter().flatten().filter_map(|path| path.file_name()?.to_str());
            visible.extend(names.flat_map(agon_jail::configuration_of));
            // Its real location, and its interpreter's.
            for tool in [real, interpreter(&found)].into_iter().flatten() {
                let folder = tool.parent().unwrap_or(&tool);
                let whole = self.installation(folder);
                if of_system(&whole) {
                    continue;
                }
                if whole == folder { self.show(&tool, &mut visible) } else { visible.push(whole) }
            }
        }
        for file in modules(arguments) {
            self.show(&file, &mut visible);
        }
        for argument in arguments {
            // `bot.py`, `--weights=bot.net`, `-cp lib.jar:classes`.
            let value = argument.split_once('=').map_or("", |(_, value)| value);
            let names = [argument, value].into_iter().chain(argument.split(':')).chain(value.split(':'));
            names.filter(|name| !name.is_empty()).for_each(|name| self.show(Path::new(name), &mut visible));
        }
        visible
    }

    /// Shows a folder, or the folder of a file; only the file where its folder holds more.
    fn show(&self, path: &Path, visible: &mut Vec<PathBuf>) {
        let whole = whole_from(&self.current, path);
        let Ok(data) = fs::metadata(&whole) else { return };
        // The path by which it is named, and the real one.
        let real = fs::canonicalize(&whole).ok().filter(|real| *real != whole);
        for path in [Some(whole), real].into_iter().flatten().filter(|path| !of_system(path)) {
            if agon_jail::is_configuration(&path) {
                if !agon_jail::is_private(&path) {
                    visible.extend(agon_jail::public_parts(&path));
                }
                continue;
            }
            let folder = if data.is_dir() { Some(path.as_path()) } else { path.parent() };
            let parts = folder.filter(|folder| !self.holds_more(folder)).and_then(|folder| self.parts(folder));
            visible.extend(parts.into_iter().flatten());
            if data.is_file() {
                visible.push(path);
            }
        }
    }

    /// A folder; without the stores of games and the judge's own folders, if there are any in it.
    fn parts(&self, folder: &Path) -> Option<Vec<PathBuf>> {
        let mut entries: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
        let all = entries.len();
        entries.retain(|path| !self.is_private(path));
        if entries.len() == all {
            return Some(vec![folder.to_owned()]);
        }
        // Without anything that cannot be shown by itself: sockets, broken links.
        entries.retain(|path| path.is_file() || path.is_dir());
        Some(entries).filter(|entries| entries.len() <= MAX_ENTRIES)
    }

    /// Whether a folder is the system's, a user's home or above it, or the judge's.
    fn is_shared(&self, folder: &Path) -> bool {
        SHARED.iter().any(|shared| folder == Path::new(shared))
            || folder == env::temp_dir()
            || agon_jail::is_private(folder)
            || folder.parent() == Some(Path::new("/home"))
            || self.home.as_ref().is_some_and(|home| home.starts_with(folder))
            || self.private.iter().any(|private| folder.starts_with(private))
    }

    /// Whether a folder contains more than a bot: it is shared, or it is a hidden folder in the home, where programs
    /// keep their files.
    pub(super) fn holds_more(&self, folder: &Path) -> bool {
        let in_home = self.home.is_some() && folder.parent() == self.home.as_deref();
        let hidden = folder.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        self.is_shared(folder) || in_home && hidden
    }

    /// Whether it is a store of games or belongs to the judge, or leads to a folder of the judge.
    pub(super) fn is_private(&self, path: &Path) -> bool {
        let text = path.as_os_str().as_bytes();
        let beside = BESIDE_DATABASE.iter().find_map(|end| text.strip_suffix(end.as_bytes()));
        self.private.iter().any(|private| private.starts_with(path))
            || is_database(path)
            || beside.is_some_and(|text| is_database(Path::new(OsStr::from_bytes(text))))
    }
}

fn is_database(path: &Path) -> bool {
    let mut start = [0; DATABASE.len()];
    // Opening anything but a file might block forever.
    path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *DATABASE
}

/// The folder of the Python that a virtual environment was made from, from the line `home = …` of its file.
fn base_of(environment: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(environment.join(ENVIRONMENT)).ok()?;
    let homes = text.lines().filter_map(|line| line.split_once('=')).filter(|(name, _)| name.trim() == "home");
    homes.map(|(_, path)| PathBuf::from(path.trim())).find(|path| path.is_absolute())
}

/// Where the module of `python3 -m package.module` may be.
pub(super) fn modules(arguments: &[String]) -> Vec<PathBuf> {
    let Some(name) = arguments.windows(2).find_map(|pair| (pair[0] == "-m").then_some(&pair[1])) else {
        return Vec::new();
    };
    let top = name.split('.').next().unwrap_or_default();
    let whole = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    if top.is_empty() || !whole(name) { Vec::new() } else { vec![top.into(), format!("{top}.py").into()] }
}

/// The paths in order, without those that are inside another one.
fn outermost(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort_unstable();
    paths.dedup();
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in paths {
        // Paths are ordered by their parts, so the contents of a folder follow it.
        if kept.last().is_none_or(|last| !path.starts_with(last)) {
            kept.push(path);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::os::unix::fs::symlink;

    /// A user's home with files in it, and what a command sees of them.
    struct Home(tempfile::TempDir);

    impl Home {
        fn new(files: &[&str]) -> Self {
            let place = tempfile::tempdir().unwrap();
            for name in files {
                let path = place.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let store = path.extension().is_some_and(|extension| extension == "db");
                fs::write(&path, if store { DATABASE.as_slice() } else { b"text" }).unwrap();
            }
            Self(place)
        }

        /// `~` stands for the home, where the command starts.
        #[track_caller]
        fn check(&self, words: &str, expected: &[&str]) {
            let home = fs::canonicalize(self.0.path()).unwrap();
            let words: Vec<String> =
                words.split(' ').map(|word| word.replace('~', &home.display().to_string())).collect();
            let place = Place::for_tests(&home, Some(&home), vec![home.join(".cache/agon"), home.join("state")]);
            let found = outermost(place.of_words(&words));
            let expected: Vec<PathBuf> = expected.iter().map(|name| home.join(name)).collect();
            assert_eq!(found, expected, "{words:?}");
        }
    }

    #[test]
    fn a_command_sees_the_folders_of_its_files() {
        let home = Home::new(&["bot/bot.py", "bot/data/net", "other/bot.py", "lone.py", "a/x.jar", "b/y.jar"]);
        home.check("none bot/bot.py", &["bot"]);
        home.check("none ~/bot/bot.py --net bot/data/net", &["bot"]);
        home.check("none ./other/../bot/bot.py", &["bot"]);
        home.check("none bot/bot.py --net=other/bot.py", &["bot", "other"]);
        home.check("none -cp a/x.jar:b Main", &["a", "b"]);
        home.check("none -u none.py", &[]);
        home.check("none -m bot.part", &["bot"]);
        home.check("none -m none.part", &[]);
        home.check("none -c ~/bot/bot.py;true", &[]);
        // The home holds more than a bot.
        home.check("none lone.py", &["lone.py"]);
        home.check("none lone.py ~", &["lone.py"]);
        home.check("none / /tmp /etc /etc/passwd /etc/shadow /etc/ssl /var/lib /dev/null /usr/lib /home", &[]);
    }

    #[test]
    fn a_program_is_seen_with_what_it_needs() {
        let home = Home::new(&["venv/bin/python", "venv/pyvenv.cfg", "bot/main", "tools/bin/run", "tools/lib/x"]);
        let script = format!("#!{}/venv/bin/python\n", home.0.path().display());
        fs::write(home.0.path().join("bot/main"), script).unwrap();
        for name in ["bot/main", "tools/bin/run"] {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs::set_permissions(home.0.path().join(name), mode).unwrap();
        }
        home.check("~/bot/main", &["bot", "venv"]);
        fs::create_dir(home.0.path().join("links")).unwrap();
        symlink("../tools/bin/run", home.0.path().join("links/run")).unwrap();
        home.check("~/links/run", &["links", "tools"]);
    }

    #[test]
    fn a_virtual_environment_is_seen_with_its_python() {
        let home = Home::new(&["venv/bin/python", "venv/lib/numpy", "base/bin/python3", "base/lib/os.py", "bots/x.py"]);
        let at = |name: &str| home.0.path().join(name);
        fs::write(at("venv/pyvenv.cfg"), format!("home = {}\nversion = 3.12\n", at("base/bin").display())).unwrap();
        fs::set_permissions(at("venv/bin/python"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        home.check("~/venv/bin/python ~/bots/x.py", &["base", "bots", "venv"]);
    }

    #[test]
    fn what_is_the_judges_is_not_shown() {
        let home = Home::new(&[
            "bot/bot.py",
            "bot/agon.db",
            "bot/agon.db-wal",
            "bot/part/x",
            ".cache/agon/c20-1/program",
            ".ssh/key",
            "state/records/1",
        ]);
        home.check("none bot/bot.py", &["bot/bot.py", "bot/part"]);
        // One that is named is meant.
        home.check("none bot/bot.py bot/agon.db", &["bot/agon.db", "bot/bot.py", "bot/part"]);
        home.check("none .ssh/key", &[".ssh/key"]);
        home.check("none .cache/agon/c20-1/program state/records/1", &[".cache/agon/c20-1/program", "state/records/1"]);
        home.check("none .cache state .ssh", &[]);
    }

    #[test]
    fn a_path_in_another_says_nothing_new() {
        let check = |paths: &[&str], kept: &[&str]| {
            assert_eq!(
                outermost(paths.iter().map(PathBuf::from).collect()),
                kept.iter().map(PathBuf::from).collect::<Vec<_>>()
            );
        };
        check(&["/a/b", "/a", "/a/b/c", "/a-b", "/a"], &["/a", "/a-b"]);
        check(&["/x/y", "/x-y/z", "/x/y/z"], &["/x/y", "/x-y/z"]);
        check(&[], &[]);
    }
}
