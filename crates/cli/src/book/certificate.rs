//! `agon book --certify` and `--verify --certificate`: proofs as a file that can be checked without a search.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;

use agon_engines::renju::book::ProvedBook;
use agon_jobs::{Progress as _, ResultFile};
use agon_proof::proved;
use agon_proof::verifier::certificate::{HEADER, ProvedLemmas};
use anyhow::{Context as _, bail};
use serde_json::json;

use super::args::BookArgs;
use super::verify;
use crate::exit::Exit;
use crate::options::{Format, jobs};
use crate::progress::Bar;
use crate::show::count;
use crate::{output, signals};

/// Compression level of the file: it is written once.
const LEVEL: i32 = 19;

/// Compression level of the intermediate file, written every minute.
const QUICK_LEVEL: i32 = 3;

/// Verifies a book and writes the proofs, after those already in the file.
pub(super) fn write(book: &ProvedBook, path: &Path, args: &BookArgs) -> anyhow::Result<Exit> {
    output::check(path, "the certificate")?;
    let stop = signals::stop()?;
    let opening = args.opening.and_then(|opening| book.openings.get(opening.number()));
    let mut growing = GrowingCertificate { lemmas: HEADER.to_vec(), file: ResultFile::new(path) };
    let mut before = ProvedLemmas::default();
    if fs::metadata(path).is_ok_and(|found| found.len() > 0) {
        let goes_on = || format!("cannot go on from the certificate `{}`; name another file", path.display());
        growing.lemmas = zstd::decode_all(File::open(path).with_context(goes_on)?).with_context(goes_on)?;
        let bar = Bar::new("{spinner} {pos} positions checked")?;
        let check = ProvedLemmas::check(&mut &growing.lemmas[..], |lemmas| {
            bar.set_position(lemmas as u64);
            !stop.is_raised()
        });
        before = check.with_context(goes_on)?;
    }
    let bar = Bar::new("{wide_bar} {pos}/{len} positions proved {eta}")?;
    let verification = proved::certify(book, opening, before, jobs(args.jobs), &stop, &bar, &mut growing)?;
    drop(bar);
    growing.save(LEVEL)?;
    verify::report(&verification, args.output.format)
}

/// A certificate whose file always contains all lemmas up to some point, so that a stopped run resumes from there.
struct GrowingCertificate {
    lemmas: Vec<u8>,
    file: ResultFile,
}

impl GrowingCertificate {
    fn save(&mut self, level: i32) -> io::Result<()> {
        let mut encoder = zstd::Encoder::new(Vec::new(), level)?;
        encoder.include_checksum(true)?;
        encoder.write_all(&self.lemmas)?;
        self.file.write(encoder.finish()?).map_err(io::Error::other)
    }
}

impl io::Write for GrowingCertificate {
    fn write(&mut self, lemmas: &[u8]) -> io::Result<usize> {
        self.lemmas.extend_from_slice(lemmas);
        if self.file.is_due() {
            self.save(QUICK_LEVEL)?;
        }
        Ok(lemmas.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns true if a file, decompressed, starts like a certificate. Invalid data does not.
fn begins(text: &mut impl BufRead) -> io::Result<bool> {
    match text.fill_buf() {
        Ok(start) => Ok(start.starts_with(HEADER)),
        Err(error) if error.raw_os_error().is_some() => Err(error),
        Err(_) => Ok(false),
    }
}

/// Checks the proofs in a file, and that they are those of the book.
pub(super) fn check(book: &ProvedBook, path: &Path, args: &BookArgs) -> anyhow::Result<Exit> {
    let stop = signals::stop()?;
    let opening = args.opening.and_then(|opening| book.openings.get(opening.number()));
    let file = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let unpacked = zstd::Decoder::new(file).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut text = BufReader::with_capacity(1 << 20, unpacked);
    if !begins(&mut text).with_context(|| format!("cannot read `{}`", path.display()))? {
        bail!(
            "`{}` is not a certificate of a renju book: `agon book renju --certify --certificate FILE` writes one",
            path.display()
        );
    }
    let bar = Bar::new("{spinner} {pos} positions checked")?;
    let result = proved::check(book, opening, &mut text, &stop, &bar);
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
            let proved = wrong.is_none();
            let object =
                json!({ "proved": proved, "claims": claims, "positions": lemmas, "stones": stones, "wrong": wrong });
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
