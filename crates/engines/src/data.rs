//! The files that are built in and decide how the built-in players play.

use crate::petri::champion;
use crate::renju::book;
use crate::{bacteria, renju};

/// The networks, policies and books, each by its name in the source tree: programs of the same version whose files
/// differ play different games.
pub fn files() -> [(&'static str, &'static [u8]); 6] {
    [
        ("nets/bacteria/champion.net", bacteria::network::CHAMPION),
        ("nets/renju/champion.net", renju::network::CHAMPION),
        ("nets/petri/champion.toml", champion::TEXTS[0].as_bytes()),
        ("nets/petri/champion-small.toml", champion::TEXTS[1].as_bytes()),
        ("books/renju.book", book::TEXT.as_bytes()),
        ("books/renju.practised", book::practised::TEXT.as_bytes()),
    ]
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn they_are_the_files_of_the_source_tree() {
        for (name, content) in files() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
            assert!(fs::read(path).unwrap() == content && !content.is_empty(), "{name}");
        }
    }
}
