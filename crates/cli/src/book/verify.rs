//! `agon book --verify`: proves the book again.

use std::io::Write as _;

use agon_engines::renju::book::ProvedBook;
use agon_proof::proved::{self, Verification};
use serde_json::json;

use super::args::BookArgs;
use crate::exit::Exit;
use crate::options::{Format, jobs};
use crate::progress::Bar;
use crate::show::count;
use crate::signals;

pub(super) fn run(book: &ProvedBook, args: &BookArgs) -> anyhow::Result<Exit> {
    let stop = signals::stop()?;
    let opening = args.opening.and_then(|opening| book.openings.get(opening.number()));
    let bar = Bar::new("{wide_bar} {pos}/{len} positions proved {eta}")?;
    let verification = proved::verify(book, opening, jobs(args.jobs), &stop, &bar);
    drop(bar);
    report(&verification, args.output.format)
}

pub(super) fn report(verification: &Verification, format: Format) -> anyhow::Result<Exit> {
    let Verification { claims, leaves, result } = verification;
    let mut out = anstream::stdout();
    match (format, result) {
        (Format::Json, result) => {
            let wrong = result.as_ref().err().map(ToString::to_string);
            let is_proved = *result == Ok(true);
            writeln!(
                out,
                "{}",
                crate::output::json(json!({ "proved": is_proved, "claims": claims, "ends": leaves, "wrong": wrong }))
            )?;
        }
        (Format::Text, Err(wrong)) => writeln!(out, "the book is wrong: {wrong}")?,
        (Format::Text, Ok(false)) => writeln!(out, "stopped; nothing was wrong so far")?,
        (Format::Text, Ok(true)) => {
            let (claims, leaves) = (count(*claims as u64), count(*leaves as u64));
            writeln!(
                out,
                "{claims} positions are proved, with {leaves} at the end of the book that are won by threats"
            )?;
        }
    }
    Ok(match result {
        Err(_) => Exit::No,
        Ok(false) => Exit::Stopped,
        Ok(true) => Exit::Done,
    })
}
