//! A user's folders in which an attack takes place, and whether they or the machine were damaged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;

/// What no program may read: it is in the secret file and in the database.
pub const CANARY: &str = "the-canary-of-the-judge";

/// What no program may read either: it is in the environment of the judge.
pub const PASSWORD: (&str, &str) = ("ESCAPES_PASSWORD", "the-password-of-the-judge");

/// The names of all files that an attack creates begin with one of these.
const MARKS: [&str; 2] = ["agon-escape-", "agon_escape_"];

/// The key of an attack's System V IPC objects, as in `programs/state.c`.
const IPC_KEY: u32 = 0x4147_4f4e;

/// Where an attack may have left a file: places that everyone may write to, and those that only a superuser may.
const WATCHED: [&str; 22] = [
    "/",
    "/bin",
    "/dev",
    "/dev/mqueue",
    "/dev/shm",
    "/etc",
    "/etc/cron.d",
    "/home",
    "/mnt",
    "/opt",
    "/root",
    "/run",
    "/run/lock",
    "/srv",
    "/tmp",
    "/usr",
    "/usr/bin",
    "/usr/lib/python3/dist-packages",
    "/var",
    "/var/lib",
    "/var/tmp",
    "/usr/share",
];

/// The folders of a user who has a judge, some secrets and two bots.
pub struct House {
    path: PathBuf,
    /// Removes it, if it was created.
    _folder: Option<TempDir>,
}

impl House {
    /// Makes it for a user; the attacking program has this name there.
    pub fn new(user: u32, name: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("agon-escapes-").tempdir().unwrap();
        let house = Self { path: folder.path().to_owned(), _folder: Some(folder) };
        let root = house.path();
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        for folder in ["home/cache/c20-000000000000000000000000", "home/state", "bots/data", "opponent"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for (path, text) in [
            (house.secret(), CANARY),
            (house.database(), CANARY),
            (house.source(), include_str!("sources/honest.c")),
            (house.cached(), CANARY),
            (house.old(), "older than a day, so that reading it is noted"),
        ] {
            fs::write(path, text).unwrap();
        }
        let programs = programs();
        fs::copy(programs.join("attacks"), house.attacker(name)).unwrap();
        fs::copy(programs.join("attacks"), house.opponent()).unwrap();
        for file in ["attacks.py", "Attacks.class", "Attacks$Action.class"] {
            fs::copy(programs.join(file), house.bots().join(file)).unwrap();
        }
        let old = SystemTime::now() - Duration::from_hours(72);
        let times = fs::FileTimes::new().set_accessed(old).set_modified(old);
        fs::File::options().write(true).open(house.old()).unwrap().set_times(times).unwrap();
        // Owned by the user, like a person's files: their mode is not what keeps a program away from them.
        for entry in all_below(root) {
            let _ = chown(&entry, Some(user), Some(user));
        }
        fs::set_permissions(house.home(), fs::Permissions::from_mode(0o700)).unwrap();
        house
    }

    /// The house whose home this is.
    pub fn of(home: &Path) -> Self {
        Self { path: home.parent().unwrap().to_owned(), _folder: None }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The user's home, where the judge is started.
    pub fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    /// A file that only its owner may read.
    pub fn secret(&self) -> PathBuf {
        self.home().join("secret-of-the-judge.txt")
    }

    /// The store of games.
    pub fn database(&self) -> PathBuf {
        self.home().join("agon.db")
    }

    /// The source of the opponent.
    pub fn source(&self) -> PathBuf {
        self.home().join("opponent.c")
    }

    /// A compiled program in the cache.
    pub fn cached(&self) -> PathBuf {
        self.home().join("cache/c20-000000000000000000000000/program")
    }

    /// The folder of the attacking bots.
    pub fn bots(&self) -> PathBuf {
        self.path().join("bots")
    }

    /// A file of the attacking program that was last read days ago. The judge itself reads the files next to a program.
    pub fn old(&self) -> PathBuf {
        self.bots().join("data/old")
    }

    /// The attacking program.
    pub fn attacker(&self, name: &str) -> PathBuf {
        self.bots().join(name)
    }

    /// The honest program.
    pub fn opponent(&self) -> PathBuf {
        self.path().join("opponent/honest")
    }

    /// Its contents, except for what the judge itself keeps.
    pub fn contents(&self) -> BTreeMap<PathBuf, String> {
        let describe = |path: PathBuf| {
            let data = fs::symlink_metadata(&path).ok()?;
            // Reading the old file would make it look new.
            let text =
                if data.is_file() && path != self.old() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
            // The folders' own times change with what the judge keeps in them.
            let time = if data.is_file() { data.mtime() } else { 0 };
            let digest = text.iter().fold(0_u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(*byte)));
            Some((path, format!("{:o} {} {time} {digest:x}", data.mode(), data.uid())))
        };
        let own = [self.home().join("cache"), self.home().join("state")];
        let cached = self.cached();
        let judged = |path: &PathBuf| own.iter().any(|own| path.starts_with(own)) && *path != cached;
        all_below(self.path()).into_iter().filter(|path| !judged(path)).filter_map(describe).collect()
    }

    /// The files in it that attacks have created, wherever they are.
    pub fn planted(&self) -> Vec<PathBuf> {
        all_below(self.path()).into_iter().filter(|path| is_marked(path)).collect()
    }
}

fn is_marked(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    MARKS.iter().any(|mark| name.starts_with(mark))
}

/// A folder and everything in it.
fn all_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    let mut at = 0;
    while at < found.len() {
        if fs::symlink_metadata(&found[at]).is_ok_and(|data| data.is_dir()) {
            found.extend(fs::read_dir(&found[at]).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
        at += 1;
    }
    found
}

/// The folder of the attacking programs, compiled: once for all tests, until their sources change.
pub fn programs() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/escapes/programs");
        let mut files: Vec<PathBuf> = fs::read_dir(&source).unwrap().flatten().map(|entry| entry.path()).collect();
        files.sort();
        let mut hasher = DefaultHasher::new();
        for file in &files {
            hasher.write(&fs::read(file).unwrap());
        }
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = target.join(format!("escapes-{:016x}", hasher.finish()));
        if folder.exists() {
            return folder;
        }
        let building = tempfile::tempdir_in(target).unwrap();
        let c = files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "c"));
        let run = |command: &mut Command| assert!(command.status().unwrap().success(), "{command:?}");
        let program = building.path().join("attacks");
        run(Command::new("gcc").args(["-O1", "-pthread", "-o"]).arg(program).args(c).arg("-lrt"));
        run(Command::new("javac").arg("-d").arg(building.path()).arg(source.join("Attacks.java")));
        fs::copy(source.join("attacks.py"), building.path().join("attacks.py")).unwrap();
        // Another test may have compiled them at the same time.
        if let Err(error) = fs::rename(building.path(), &folder) {
            assert!(folder.join("attacks").exists(), "{error}");
        }
        folder
    })
}

/// The visible state of the machine that an attack must not change.
#[derive(PartialEq, Eq)]
pub struct Machine {
    mounts: String,
    name: String,
    /// All control groups.
    groups: BTreeSet<PathBuf>,
}

impl Machine {
    /// The current state.
    pub fn now() -> Self {
        Self {
            mounts: fs::read_to_string("/proc/self/mountinfo").unwrap(),
            name: fs::read_to_string("/proc/sys/kernel/hostname").unwrap(),
            groups: groups(Path::new("/sys/fs/cgroup")).into_iter().collect(),
        }
    }

    /// What an attack has changed since then, or left behind; it is removed. `judge` is the process of its judge, which
    /// has ended.
    pub fn damage(&self, judge: u32) -> Vec<String> {
        let now = Self::now();
        let mut damage = Vec::new();
        if now.mounts != self.mounts {
            damage.push(format!("mounts have changed:\n{}\n{}", self.mounts, now.mounts));
        }
        if now.name != self.name {
            damage.push(format!("the machine's name is {}", now.name));
        }
        let marked = now.groups.iter().filter(|path| is_marked(path));
        damage.extend(marked.map(|path| format!("the control group {}", path.display())));
        let entries = WATCHED.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        for path in entries.map(|entry| entry.path()).filter(|path| is_marked(path)) {
            damage.push(format!("there is {}", path.display()));
            let _ = fs::remove_dir_all(&path);
            let _ = fs::remove_file(&path);
        }
        for kind in ["shm", "sem", "msg"] {
            let text = fs::read_to_string(format!("/proc/sysvipc/{kind}")).unwrap_or_default();
            let key = IPC_KEY.to_string();
            if text.lines().any(|line| line.split_whitespace().next() == Some(&key)) {
                damage.push(format!("System V IPC of an attack: {kind}"));
            }
        }
        // The groups of a judge that has ended go with its keepers.
        let deadline = Instant::now() + Duration::from_mins(1);
        let of_judge = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // A judge of long ago, which was killed with all that was to clean up after it, may have had the same
            // process id.
            name.starts_with("agon-")
                && name.split('-').nth(2) == Some(&judge.to_string())
                && !self.groups.contains(path)
        };
        loop {
            let left: Vec<PathBuf> = groups(Path::new("/sys/fs/cgroup")).into_iter().filter(of_judge).collect();
            if left.is_empty() {
                break;
            }
            if Instant::now() > deadline {
                damage.push(format!("control groups of the judge are left: {left:?}"));
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        damage
    }
}

/// All control groups below a folder.
fn groups(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.push(entry.path());
            found.extend(groups(&entry.path()));
        }
    }
    found
}
