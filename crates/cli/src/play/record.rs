//! The file of a game's record.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agon_catalog::Game;
use agon_referee::folders;
use agon_referee::record::Record;
use anyhow::Context;

use crate::{failed, rules, show};

/// The folder of the records for which the user names no file.
fn records() -> anyhow::Result<PathBuf> {
    Ok(folders::state()?.join("records"))
}

/// Checks that a record could be kept without a named file: that what is there of its folder can be written to.
///
/// # Errors
/// Why it could not.
pub fn check() -> anyhow::Result<()> {
    let folder = records()?;
    let refused = || format!("cannot write to the folder `{}`", folder.display());
    for above in folder.ancestors() {
        match fs::metadata(above) {
            Ok(found) if found.is_dir() => {
                let trial = above.join(format!(".agon-{}", std::process::id()));
                fs::create_dir(&trial).with_context(refused)?;
                return fs::remove_dir(&trial).with_context(refused);
            }
            Ok(_) => return Err(io::Error::from(io::ErrorKind::NotADirectory)).with_context(refused),
            // What is above decides.
            Err(_) => {}
        }
    }
    Ok(())
}

/// The commands that show a game by the file of its record, and ask its last question again.
pub fn what_next(record: &Record, path: &Path) -> String {
    let path = show::pasted(path);
    let rules = Game::by_name(&record.header.game).map(rules::option).unwrap_or_default();
    let mut text = format!("replay   agon replay {path}{rules}\n");
    if let Some(remedy) = failed::remedy(record, &path) {
        text += &format!("again    {remedy}\n");
    }
    text
}

/// Writes the record where the user wants it; one that needs explaining is kept in any case.
pub fn keep(record: &Record, wanted: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let path = match wanted {
        Some(path) => path.to_owned(),
        None if record.is_clean() && !failed::wants_explaining(record) => return Ok(None),
        None => {
            let header = &record.header;
            let name = format!("{}-{}-{}.jsonl", header.game, header.started, header.seed);
            records()?.join(name)
        }
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    fs::write(&path, record.write()).with_context(|| format!("cannot write the record `{}`", path.display()))?;
    Ok(Some(path))
}
