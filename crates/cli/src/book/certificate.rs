//! `agon book --certify` and `--verify --certificate`: proofs as a file that anybody can check without a search.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;

use agon_engines::renju::book::ProvedBook;
use agon_jobs::Stop;
use agon_proof::proved;
use anyhow::Context as _;
use serde_json::json;

use super::{BookArgs, report_verification};
use crate::exit::Exit;
use crate::options::{Format, jobs};
use crate::progress::Bar;
use crate::show::count;
use crate::{output, signals};

/// How hard the file is packed: it is written once.
const LEVEL: i32 = 19;

/// Verifies a book and writes the proofs.
pub fn write(book: &ProvedBook, path: &Path, args: &BookArgs) -> anyhow::Result<Exit> {
    output::check(path, "the certificate", false)?;
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let opening = args.opening.and_then(|opening| book.openings.get(opening.number()));
    let bar = Bar::new("{wide_bar} {pos}/{len} positions proved {eta}")?;
    // A stop leaves no half of a certificate behind.
    let cannot = || format!("cannot write `{}`", path.display());
    let mut packed = Vec::new();
    let mut encoder = zstd::Encoder::new(&mut packed, LEVEL).with_context(cannot)?;
    encoder.include_checksum(true).with_context(cannot)?;
    let verification =
        proved::certify(book, opening, jobs(args.jobs), &stop, &bar, &mut encoder).with_context(cannot)?;
    encoder.finish().with_context(cannot)?;
    drop(bar);
    if verification.result == Ok(true) {
        let mut file = BufWriter::new(File::create(path).with_context(cannot)?);
        file.write_all(&packed).and_then(|()| file.flush()).with_context(cannot)?;
    }
    report_verification(&verification, args.output.format)
}

/// Checks the proofs in a file, and that they are those of the book.
pub fn check(book: &ProvedBook, path: &Path, args: &BookArgs) -> anyhow::Result<Exit> {
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let opening = args.opening.and_then(|opening| book.openings.get(opening.number()));
    let file = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let unpacked = zstd::Decoder::new(file).with_context(|| format!("cannot read `{}`", path.display()))?;
    let bar = Bar::new("{spinner} {pos} positions checked")?;
    let result = proved::check(book, opening, &mut BufReader::with_capacity(1 << 20, unpacked), &stop, &bar);
    drop(bar);
    let mut out = anstream::stdout();
    if stop.is_raised() {
        writeln!(out, "stopped; nothing was wrong so far")?;
        return Ok(Exit::Stopped);
    }
    let wrong = match &result {
        Ok(checked) => checked.missing.map(|stones| format!("it does not prove {stones}, as the book says")),
        Err(error) => Some(error.to_string()),
    };
    match (args.output.format, &result, &wrong) {
        (Format::Json, result, wrong) => {
            let [claims, lemmas, stones] = result
                .as_ref()
                .map_or([0; 3], |checked| [checked.claims as u64, checked.lemmas as u64, checked.checked]);
            let object = json!({ "proved": wrong.is_none(), "claims": claims, "positions": lemmas, "stones": stones, "wrong": wrong });
            writeln!(out, "{object}")?;
        }
        (Format::Text, Ok(checked), None) => {
            let [claims, lemmas, stones] = [checked.claims as u64, checked.lemmas as u64, checked.checked].map(count);
            writeln!(
                out,
                "{claims} positions of the book are proved, by {lemmas} positions and {stones} stones of Black's"
            )?;
        }
        (Format::Text, _, wrong) => {
            writeln!(out, "the certificate is wrong: {}", wrong.as_deref().unwrap_or("it proves nothing"))?;
        }
    }
    Ok(if wrong.is_some() { Exit::No } else { Exit::Done })
}
