//! Exports the records of a run from the store; fields of tables for spreadsheets.

use std::io::{self, Write};

use agon_referee::record::Record;
use agon_referee::text::line;
use serde::Serialize;

use crate::plan::Plan;
use crate::store::{Filter, Store, StoreError};
use crate::summary::Summary;
use crate::tally::Tally;

/// A field of comma-separated values (RFC 4180), in quotes: nothing in it can hide or reverse the surrounding text, and
/// a field that a spreadsheet would take for a formula gets a leading apostrophe.
///
/// ```
/// use agon_arena::export::csv_field;
/// assert_eq!(csv_field("a \"b\", c"), "\"a \"\"b\"\", c\"");
/// assert_eq!(csv_field("=1+1"), "\"'=1+1\"");
/// assert_eq!(csv_field("bot\u{202e}txt"), "\"bot\\u{202e}txt\"");
/// ```
pub fn csv_field(text: &str) -> String {
    let text = line(text);
    let formula = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{formula}{}\"", text.replace('"', "\"\""))
}

/// Why records cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

#[derive(Serialize)]
struct Line<'a> {
    run: i64,
    agents: [&'a str; 2],
    #[serde(flatten)]
    bout: &'a Summary,
    /// Whether it does not count: see [`Tally::counts`].
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    extra: bool,
    /// The whole record, which is itself JSON Lines: as one text its seal stays good.
    record: &'a str,
}

/// Writes the bouts of a run as JSON Lines: for each bout its summary, the agents' names, and the record as one text;
/// those that do not count only with `extra`. Returns a description of each bout that cannot be read.
///
/// # Errors
/// [`ExportError`] when the store cannot be read or the output fails.
pub fn jsonl(
    store: &Store,
    run: i64,
    filter: Filter,
    extra: bool,
    mut out: impl Write,
) -> Result<Vec<StoreError>, ExportError> {
    let plan = store.run(run)?.plan;
    let tally = tally(store, run, &plan)?;
    let agents = plan.agents;
    let name = |at: usize| agents.get(at).map_or("", |agent| agent.name.as_str());
    let mut broken = Vec::new();
    let unreadable = store.records::<ExportError>(run, filter, |bout, record| {
        let is_extra = !tally.counts(bout);
        if is_extra && !extra {
            return Ok(());
        }
        if let Err(error) = Record::read(record) {
            let what = format!("game {} of run {run}", bout.slot);
            broken.push(StoreError::Damaged { what, problem: error.to_string() });
            return Ok(());
        }
        let line = Line { run, agents: bout.seats.map(name), bout, extra: is_extra, record };
        serde_json::to_writer(&mut out, &line).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        Ok(())
    })?;
    broken.extend(unreadable);
    Ok(broken)
}

/// The tally of a run that knows which of its bouts count: without a sequential test all do.
///
/// # Errors
/// [`StoreError`] when the store cannot be read.
pub fn tally(store: &Store, run: i64, plan: &Plan) -> Result<Tally, StoreError> {
    let bouts = if plan.test.is_some() { store.readable(run)?.0 } else { Vec::new() };
    Ok(Tally::of(plan, &bouts))
}
