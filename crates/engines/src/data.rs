//! The files that decide how the built-in players play.
//!
//! A native program contains them. A browser loads only those of the game on the page, so there each must be handed in
//! before the first search.

#[cfg(target_family = "wasm")]
use std::sync::OnceLock;

/// A file of the source tree: a network, a policy or a book.
#[derive(Debug)]
pub struct DataFile {
    /// Path in the source tree.
    pub name: &'static str,
    #[cfg(not(target_family = "wasm"))]
    content: &'static [u8],
    #[cfg(target_family = "wasm")]
    content: OnceLock<Vec<u8>>,
}

impl DataFile {
    #[cfg(not(target_family = "wasm"))]
    pub(crate) const fn new(name: &'static str, content: &'static [u8]) -> Self {
        Self { name, content }
    }

    #[cfg(target_family = "wasm")]
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, content: OnceLock::new() }
    }

    /// The content; empty if the file was not handed in.
    pub fn bytes(&self) -> &[u8] {
        #[cfg(not(target_family = "wasm"))]
        return self.content;
        #[cfg(target_family = "wasm")]
        return self.content.get().map_or(&[], Vec::as_slice);
    }

    /// The content of a text; empty if it is not UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(self.bytes()).unwrap_or_default()
    }

    /// Hands the content in. Only the first one counts.
    #[cfg(target_family = "wasm")]
    pub fn set(&self, content: Vec<u8>) {
        let _ = self.content.set(content);
    }
}

/// A [`DataFile`] by its path in the source tree.
macro_rules! data_file {
    ($name:literal) => {
        $crate::data::DataFile::new(
            $name,
            #[cfg(not(target_family = "wasm"))]
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $name)),
        )
    };
}
pub(crate) use data_file;
