//! Files that a kill leaves whole.

use std::path::Path;
use std::{fs, io};

/// Writes a new file beside the named one, its name followed by `.new`, and renames it: a kill at any moment leaves
/// the old file or the new one.
///
/// # Errors
/// What the system says of either step.
pub fn write_atomically(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    fs::write(&new, contents).and_then(|()| fs::rename(&new, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_goes_and_nothing_else_stays() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("a.b");
        for text in ["longer than what follows", "short"] {
            write_atomically(&path, text).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("read"), text);
        }
        let names: Vec<_> =
            fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
        assert_eq!(names, ["a.b"]);
        assert!(write_atomically(&folder.path().join("none").join("a.b"), "").is_err());
    }
}
