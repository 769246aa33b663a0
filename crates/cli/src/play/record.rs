//! The file of a game's record.

use std::fs;
use std::path::{Path, PathBuf};

use agon_referee::folders;
use agon_referee::record::Record;
use anyhow::Context;

use crate::failed;

/// Writes the record where the user wants it; one that needs explaining is kept in any case.
pub fn keep(record: &Record, wanted: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let path = match wanted {
        Some(path) => path.to_owned(),
        None if record.is_clean() && !failed::wants_explaining(record) => return Ok(None),
        None => {
            let header = &record.header;
            let name = format!("{}-{}-{}.jsonl", header.game, header.started, header.seed);
            folders::state()?.join("records").join(name)
        }
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    fs::write(&path, record.write()).with_context(|| format!("cannot write the record `{}`", path.display()))?;
    Ok(Some(path))
}
