//! Paths as a program in a jail needs them: whole, and without `..`, since the folders that `..` leaves are hidden.

use std::env;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

/// Folders that every jail has in its own form.
const SYSTEM: [&str; 12] =
    ["/bin", "/dev", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/proc", "/run", "/sbin", "/sys", "/usr"];

/// The path from the current folder on, as [`whole_from`].
pub(crate) fn whole(path: &Path) -> PathBuf {
    whole_from(&env::current_dir().unwrap_or_else(|_| "/".into()), path)
}

/// The absolute path relative to this folder, without `.` and `..`. A folder that `..` leaves may be a link, so it is
/// looked up; if it does not exist, names alone decide. Other links stay as they are.
pub(crate) fn whole_from(folder: &Path, path: &Path) -> PathBuf {
    let joined = folder.join(path);
    let parts: Vec<Component> = joined.components().collect();
    let end = parts.iter().rposition(|part| *part == Component::ParentDir).map_or(0, |last| last + 1);
    let (before, after) = parts.split_at(end);
    let mut whole = PathBuf::new();
    if end > 0 {
        let before: PathBuf = before.iter().collect();
        whole = fs::canonicalize(&before).unwrap_or_else(|_| by_name(&before));
    }
    after.iter().filter(|part| **part != Component::CurDir).for_each(|part| whole.push(part));
    whole
}

/// Whether every jail has it in its own form.
pub(crate) fn of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// The file in which a Python virtual environment names its origin.
pub(crate) const ENVIRONMENT: &str = "pyvenv.cfg";

/// Whether a folder is a Python virtual environment: packages by others, not part of a bot.
pub(crate) fn is_environment(folder: &Path) -> bool {
    folder.join(ENVIRONMENT).is_file()
}

/// The interpreter in the first line of a script.
pub(crate) fn interpreter(program: &Path) -> Option<PathBuf> {
    let name = first_line(program)?.split_whitespace().next()?.to_owned();
    Some(PathBuf::from(name)).filter(|path| path.is_absolute())
}

/// The first line of a script, without `#!`.
pub(crate) fn first_line(program: &Path) -> Option<String> {
    let mut start = [0_u8; 256];
    let length = File::open(program).ok()?.read(&mut start).ok()?;
    let line = start[..length].strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    str::from_utf8(line).ok().map(str::to_owned)
}

/// Without `.` and `..`, judged by names alone.
fn by_name(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut normal, part| {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
        normal
    })
}

/// A word of a command in which every existing path through `..` is made absolute: `../nets/a.bin`,
/// `--net=../nets/a.bin`, `../a.jar:../b.jar`. Everything else stays as it is.
pub(crate) fn without_parents(folder: &Path, word: &str) -> String {
    let resolved = |text: &str| {
        let path = Path::new(text);
        let leaves = path.components().any(|part| part == Component::ParentDir);
        let whole = leaves.then(|| whole_from(folder, path)).filter(|whole| whole.exists())?;
        whole.to_str().map(str::to_owned)
    };
    if let Some(whole) = resolved(word) {
        return whole;
    }
    let (name, value) = word.split_once('=').map_or((None, word), |(name, value)| (Some(name), value));
    let value = resolved(value).unwrap_or_else(|| {
        let parts: Vec<String> =
            value.split(':').map(|part| resolved(part).unwrap_or_else(|| part.to_owned())).collect();
        parts.join(":")
    });
    name.map_or_else(|| value.clone(), |name| format!("{name}={value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::os::unix::fs::symlink;

    #[test]
    fn paths_become_whole() {
        let place = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(place.path()).unwrap();
        fs::create_dir_all(place.join("a/b")).unwrap();
        fs::create_dir_all(place.join("c/d")).unwrap();
        fs::write(place.join("c/net"), "").unwrap();
        fs::write(place.join("c/lib.jar"), "").unwrap();
        symlink(place.join("c/d"), place.join("a/link")).unwrap();
        let check = |path: &str, expected: &str| {
            assert_eq!(whole_from(&place.join("a"), Path::new(path)), place.join(expected), "{path}");
        };
        check("b/x", "a/b/x");
        check("./b/./x", "a/b/x");
        check("..", "");
        check("b/../../c/d/../net", "c/net");
        // A link leads elsewhere than its name says.
        check("link/../net", "c/net");
        check("link/x", "a/link/x");
        check("none/../b", "a/b");
        assert_eq!(whole_from(&place, Path::new("/etc/../etc/x")), Path::new("/etc/x"));

        let word = |word: &str, expected: &str| {
            let expected = expected.replace('~', place.to_str().unwrap());
            assert_eq!(without_parents(&place.join("a"), word), expected, "{word}");
        };
        word("../c/net", "~/c/net");
        word("b/../../c/net", "~/c/net");
        word("--net=../c/net", "--net=~/c/net");
        word("../c/lib.jar:b:../c/d", "~/c/lib.jar:b:~/c/d");
        word("-cp=../c/lib.jar:../none", "-cp=~/c/lib.jar:../none");
        for kept in ["b", "./b", "../none", "a..b", "-c", "echo ../c/net; true", "x=y=z", "1:2", "="] {
            word(kept, kept);
        }
    }
}
