//! `agon export`: records out of the store.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use agon_arena::export::ExportError;
use agon_arena::store::Filter;
use agon_arena::{Store, export};
use anyhow::Context;

use super::args::{ExportArgs, StoredRun};
use crate::Answer;

/// Writes records.
pub fn run(args: &ExportArgs) -> anyhow::Result<Answer> {
    let (store, run) = open(&args.stored)?;
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?),
        None => Box::new(io::stdout().lock()),
    };
    if let Some(slot) = args.slot {
        let record = store.record(run, slot)?.with_context(|| format!("run {run} has no game {slot}"))?;
        out.write_all(record.as_bytes())?;
    } else {
        let filter = if args.failed { Filter::Failed } else { Filter::All };
        let mut out = BufWriter::new(&mut out);
        // An error of the output goes on as itself, so that a closed pipe is known as one.
        export::jsonl(&store, run, filter, &mut out).map_err(|error| match error {
            ExportError::Io(error) => anyhow::Error::from(error),
            ExportError::Store(error) => error.into(),
        })?;
        out.flush()?;
    }
    out.flush()?;
    Ok(Answer::Done)
}

/// A store and the number of a run in it.
pub fn open(stored: &StoredRun) -> anyhow::Result<(Store, i64)> {
    let store = Store::read(&stored.db)?;
    let run = match stored.run {
        Some(run) => run,
        None => store.latest()?.with_context(|| format!("`{}` holds no run yet", stored.db.display()))?,
    };
    Ok((store, run))
}
