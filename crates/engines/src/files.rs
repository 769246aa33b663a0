//! All files that decide how the built-in players play.

use crate::data::DataFile;
use crate::petri::champion;
use crate::renju::book;
use crate::{bacteria, renju};

/// The networks, policies and books: programs of the same version whose files differ play different games.
pub fn all() -> [&'static DataFile; 6] {
    let [petri, small] = &champion::FILES;
    [&bacteria::network::CHAMPION, &renju::network::CHAMPION, petri, small, &book::FILE, &book::practised::FILE]
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn they_are_the_files_of_the_source_tree() {
        for file in all() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file.name);
            assert!(fs::read(path).unwrap() == file.bytes() && !file.bytes().is_empty(), "{}", file.name);
        }
    }
}
