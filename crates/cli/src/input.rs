//! Text files of users.

use std::fs;
use std::path::Path;

use agon_game::text::without_bom;
use anyhow::{Context, bail};

/// The marks with which a file in UTF-16 begins.
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Returns the text of a file without a byte order mark. Invalid UTF-8, as in the names in older games, becomes
/// replacement characters.
///
/// # Errors
/// If the file cannot be read, or is in UTF-16.
pub(crate) fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    decoded(&bytes).with_context(|| format!("`{}`", path.display()))
}

/// Like [`text`], for bytes already in memory.
///
/// # Errors
/// If they are in UTF-16.
pub(crate) fn decoded(bytes: &[u8]) -> anyhow::Result<String> {
    if UTF16_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        bail!("the text is in UTF-16: save it as UTF-8");
    }
    Ok(without_bom(&String::from_utf8_lossy(bytes)).to_owned())
}

/// The extension of a file in small letters; empty if it has none.
pub(crate) fn extension(path: &Path) -> String {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase()
}
