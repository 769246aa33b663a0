//! Files that a kill leaves whole.

use std::path::Path;
use std::{fs, io};

/// Writes a new file beside the named one, its name followed by `.new`, and puts it in its place: a kill at any moment
/// leaves the old one or the new one.
///
/// # Errors
/// What the system says of either step.
pub fn replace(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, contents).and_then(|()| fs::rename(&new, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_goes_and_nothing_else_stays() {
        let folder = std::env::temp_dir().join(format!("agon-replace-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("a.b");
        for text in ["longer than what follows", "short"] {
            replace(&path, text).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("read"), text);
        }
        let names: Vec<_> =
            fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!(names, ["a.b"]);
        assert!(replace(&folder.join("none").join("a.b"), "").is_err());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
