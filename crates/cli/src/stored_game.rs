//! Records that commands read: from a file, or from a store by their number.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use crate::arena::{StoredRun, stored};
use crate::input;
use crate::recorded::Source;
use crate::show;

/// A game of a store.
#[derive(Args, Debug)]
pub(crate) struct StoredGame {
    /// The game of this number in a store, instead of a file
    #[arg(long, value_name = "N")]
    pub slot: Option<u32>,
    /// The store of games [default: agon.db]
    #[arg(long, value_name = "FILE", requires = "slot")]
    pub db: Option<PathBuf>,
    /// The run of the store, as `agon results --list` shows it [default: the latest]
    #[arg(long, value_name = "N", requires = "slot")]
    pub run: Option<i64>,
}

impl StoredGame {
    /// The options that name the game, as a shell reads them.
    pub(crate) fn options(&self) -> String {
        let db = self.db.iter().map(|path| format!("--db {}", show::pasted(path)));
        let run = self.run.iter().map(|run| format!("--run {run}"));
        let slot = self.slot.iter().map(|slot| format!("--slot {slot}"));
        db.chain(run).chain(slot).collect::<Vec<_>>().join(" ")
    }

    /// The text of the file, or of the game of the store.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn source(&self, file: Option<&Path>) -> anyhow::Result<Source> {
        if let (Some(path), None) = (file, self.slot) {
            return Ok(Source { name: path.display().to_string(), text: input::text(path)? });
        }
        let slot = self.slot.context("a file or --slot expected")?;
        let db = self.db.clone().unwrap_or_else(|| "agon.db".into());
        let (store, run) = stored(&StoredRun { run: self.run, named: None, db })?;
        store.run(run)?;
        let text = store.record(run, slot)?.with_context(|| format!("run {run} has no game {slot}"))?;
        Ok(Source { name: format!("game {slot} of run {run}"), text })
    }
}
