//! All files that decide how the built-in players play.

use crate::data::{DataFile, data_file};
use crate::petri::champion;
use crate::renju::book;
use crate::{bacteria, renju};

/// The networks, policies and books: programs of the same version whose files differ play different games.
pub fn all() -> [&'static DataFile; 6] {
    let [petri, small] = &champion::FILES;
    [&bacteria::network::CHAMPION, &renju::network::CHAMPION, petri, small, &book::FILE, &book::practised::FILE]
}

static RENJU_GAMES: DataFile = data_file!("books/games/renju.games");
static BACTERIA_GAMES: DataFile = data_file!("books/games/bacteria.games");
static DOMINEERING_GAMES: DataFile = data_file!("books/games/domineering.games");

/// Games between levels, for people to look up: no player reads them.
pub fn games() -> [&'static DataFile; 3] {
    [&BACTERIA_GAMES, &DOMINEERING_GAMES, &RENJU_GAMES]
}

/// Everything that a browser loads when it needs it; a file's number is its place.
pub fn loadable() -> impl Iterator<Item = &'static DataFile> {
    all().into_iter().chain(games())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn they_are_the_files_of_the_source_tree() {
        for file in loadable() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file.name);
            assert!(fs::read(path).unwrap() == file.bytes() && !file.bytes().is_empty(), "{}", file.name);
        }
    }
}
