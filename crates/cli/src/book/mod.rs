//! `agon book`: renju's opening books shown, proved, grown and practised.

mod args;
mod practise;

pub use args::BookArgs;
use args::BookOpening;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_engines::renju::book::{self, FourthMove, FourthStatus, Opening, ProvedBook};
use agon_game::{Mark, Show as _, Side, View};
use agon_jobs::write_atomically;
use agon_proof::finding::{self, Finding};
use agon_proof::relevance_zone::ProofError;
use agon_proof::tree::{Growing, GrowthCounts, ProofTree};
use agon_proof::verify::BookVerifier;
use agon_rules::renju::Point;
use agon_search::Stop;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::options::{Format, jobs};
use crate::show::{FAINT, STRONG, count, paint};
use crate::{draw, picture, signals};

/// How often a growing book is written.
const WRITE_EVERY: Duration = Duration::from_mins(1);

/// Steps of a king from the centre to the edge of the middle, where most of a game is played.
const MIDDLE: u8 = 5;

/// Shows the book, or proves it, or lets it grow.
pub fn run(args: &BookArgs) -> anyhow::Result<Exit> {
    if args.grow {
        return grow(args);
    }
    if args.practise {
        return practise::run(args);
    }
    let read;
    let book = match &args.book {
        Some(path) => {
            read = read_book(path)?;
            &read
        }
        None => ProvedBook::own()?,
    };
    if args.verify {
        return verify(book, args);
    }
    let chosen = args.opening.map(BookOpening::number);
    if let (Some(path), Some(number)) = (&args.picture, chosen) {
        let Some(opening) = book.openings.get(number) else { bail!("the book does not have this opening") };
        fs::write(path, picture::svg(&view(opening)?)).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    report(book, chosen, args.format)?;
    Ok(Exit::Done)
}

impl BookOpening {
    /// Its place in a book.
    const fn number(self) -> usize {
        match self {
            Self::Hogetsu => 0,
            Self::Kagetsu => 1,
        }
    }
}

/// A book, proved or practised, from its file.
pub fn read_book<T: FromStr>(path: &Path) -> anyhow::Result<T>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let cannot = || format!("cannot read `{}`", path.display());
    fs::read_to_string(path).with_context(cannot)?.parse().with_context(cannot)
}

/// How many fourth moves are refuted: of all, and of those in the middle.
fn counts(opening: &Opening) -> [(usize, usize); 2] {
    let within = |reach: u8| {
        let near = |fourth: &&FourthMove| {
            let point = fourth.cell.and_then(|cell| Point::from_index(cell.into()));
            point.is_some_and(|point| point.distance_from_centre() <= reach) || fourth.cell.is_none() && reach > MIDDLE
        };
        let fourths = opening.fourths.iter().filter(near);
        (fourths.clone().filter(|fourth| fourth.status == FourthStatus::Refuted).count(), fourths.count())
    };
    [within(u8::MAX), within(MIDDLE)]
}

/// How many stones the longest position of the book has.
fn depth(book: &ProvedBook) -> u32 {
    book.moves().iter().map(|(stones, _)| stones.len()).max().unwrap_or(0)
}

fn report(book: &ProvedBook, chosen: Option<usize>, format: Format) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let openings =
        || book.openings.iter().enumerate().filter(|(number, _)| chosen.is_none_or(|chosen| chosen == *number));
    match format {
        Format::Json => {
            let openings: Vec<Value> = openings().map(|(_, opening)| told(opening)).collect();
            writeln!(out, "{}", json!({ "positions": book.len(), "stones": depth(book), "openings": openings }))?;
        }
        Format::Text => {
            for (number, opening) in openings() {
                let name = ["Hogetsu, H8 I9 I7", "Kagetsu, H8 H9 I9"].get(number).copied().unwrap_or("another opening");
                let [(refuted, all), (refuted_near, near)] = counts(opening);
                let line = format!(
                    "{refuted} of White's {all} fourth moves lose, {refuted_near} of the {near} in the middle 11 x 11"
                );
                writeln!(out, "{}   {line}", paint(STRONG, name))?;
                writeln!(out, "{}", draw::board(&view(opening)?))?;
            }
            let positions = count(book.len() as u64);
            let about = format!("{positions} positions with Black's move, the longest after {} stones", depth(book));
            writeln!(out, "{}", paint(FAINT, about))?;
        }
    }
    Ok(())
}

/// An opening for programs.
fn told(opening: &Opening) -> Value {
    let name = |fourth: &FourthMove| fourth.cell.map_or_else(|| "PASS".to_owned(), book::notation::cell);
    let refuted: Vec<String> =
        opening.fourths.iter().filter(|fourth| fourth.status == FourthStatus::Refuted).map(name).collect();
    let open: serde_json::Map<String, Value> = opening
        .fourths
        .iter()
        .filter_map(|fourth| match fourth.status {
            FourthStatus::Refuted => None,
            FourthStatus::Open(positions) => Some((name(fourth), json!(positions))),
        })
        .collect();
    let stones = book::notation::stones(&opening.stones);
    json!({ "stones": stones, "fourths": opening.fourths.len(), "refuted": refuted, "open": open })
}

/// The board with White's fourth moves on it.
fn view(opening: &Opening) -> anyhow::Result<View> {
    let position = opening.stones.position(Side::First).context("the opening is no position")?;
    let mut view = position.view();
    for cell in &mut view.cells {
        cell.mark = None;
    }
    for fourth in &opening.fourths {
        let Some(cell) = fourth.cell.and_then(|cell| view.cells.get_mut(usize::from(cell))) else { continue };
        match fourth.status {
            FourthStatus::Refuted => cell.mark = Some(Mark::Forbidden),
            FourthStatus::Open(None) => {}
            FourthStatus::Open(Some(positions)) => {
                let shown = u8::try_from(positions).map_or(99, |positions| positions.min(99));
                cell.weight = Some(shown);
                if shown < 10 {
                    cell.glyph = char::from(b'0' + shown);
                }
            }
        }
    }
    Ok(view)
}

/// Proves everything that the book says.
fn verify(book: &ProvedBook, args: &BookArgs) -> anyhow::Result<Exit> {
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let verifier = BookVerifier::new(book);
    let chosen = args.opening.and_then(|opening| book.openings.get(opening.number()));
    let mut claims = verifier.claims();
    // A position is of the opening whose stones it has.
    claims.retain(|stones| chosen.is_none_or(|opening| stones.has(&opening.stones)));
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions proved {eta}")?;
    let bar = ProgressBar::new(claims.len() as u64).with_style(style);
    let (next, wrong) = (AtomicUsize::new(0), Mutex::<Option<ProofError>>::default());
    thread::scope(|scope| {
        for _ in 0..jobs(args.jobs) {
            scope.spawn(|| {
                while let Some(stones) = claims.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !stop.is_raised())
                {
                    if let Err(error) = verifier.verify(stones) {
                        wrong.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                        stop.raise();
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    let leaves = verifier.proved().saturating_sub(claims.len());
    let mut out = anstream::stdout();
    match (args.format, &wrong) {
        (Format::Json, wrong) => {
            let wrong = wrong.as_ref().map(ToString::to_string);
            let proved = wrong.is_none() && !stop.is_raised();
            writeln!(out, "{}", json!({ "proved": proved, "claims": claims.len(), "ends": leaves, "wrong": wrong }))?;
        }
        (Format::Text, Some(wrong)) => writeln!(out, "the book is wrong: {wrong}")?,
        (Format::Text, None) if stop.is_raised() => writeln!(out, "stopped; nothing was wrong so far")?,
        (Format::Text, None) => {
            let (claims, leaves) = (count(claims.len() as u64), count(leaves as u64));
            writeln!(
                out,
                "{claims} positions are proved, with {leaves} at the end of the book that are won by threats"
            )?;
        }
    }
    Ok(match wrong {
        Some(_) => Exit::No,
        None if stop.is_raised() => Exit::Stopped,
        None => Exit::Done,
    })
}

/// Searches for wins until the time is up, and writes the book again and again.
fn grow(args: &BookArgs) -> anyhow::Result<Exit> {
    let path = args.book.as_deref().context("name the file with --book")?;
    let work = work_file(args, path);
    let is_new = !work.exists();
    let (mut known, mut file) = open_work::<Finding>(&work)?;
    if is_new && path.exists() {
        known.extend(finding::of_book(&read_book(path)?));
    }
    let mut tree = ProofTree::new(&book::openings(), known);
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} fourth moves refuted, {msg}")?;
    let bar = ProgressBar::new(tree.progress().fourths as u64).with_style(style);
    let mut broken: io::Result<()> = Ok(());
    let mut keep = |found: &Finding| {
        // What cannot be kept is not worth finding.
        if broken.is_ok() {
            broken = writeln!(file, "{found}").inspect_err(|_| stop.raise());
        }
    };
    let mut growing = Growing { keep: &mut keep, jobs: jobs(args.jobs), stop: stop.clone() };
    let (start, mut written) = (Instant::now(), Instant::now());
    let mut more = true;
    let late = |progress: &GrowthCounts| {
        args.time.is_some_and(|time| start.elapsed() >= Duration::from_secs(time))
            || args.searches.is_some_and(|searches| progress.examined >= searches)
    };
    while more && !stop.is_raised() && !late(&tree.progress()) {
        more = tree.step(&mut growing);
        let progress = tree.progress();
        bar.set_position(progress.refuted as u64);
        bar.set_message(format!("{} searches", count(progress.examined)));
        if written.elapsed() >= WRITE_EVERY {
            write_book(path, &tree.book())?;
            written = Instant::now();
        }
    }
    bar.finish_and_clear();
    broken.with_context(|| format!("cannot write `{}`", work.display()))?;
    let book = tree.book();
    write_book(path, &book)?;
    report(&book, None, args.format)?;
    Ok(if stop.is_raised() { Exit::Stopped } else { Exit::Done })
}

/// Where a book's searches are kept.
fn work_file(args: &BookArgs, book: &Path) -> PathBuf {
    args.work.clone().unwrap_or_else(|| {
        let mut name = book.as_os_str().to_owned();
        name.push(".work");
        name.into()
    })
}

/// What was found out before, and the file of that, which is gone on with.
fn open_work<T: FromStr>(work: &Path) -> anyhow::Result<(Vec<T>, File)>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let cannot = |what: &str| format!("cannot {what} `{}`", work.display());
    let mut known = Vec::new();
    match fs::read(work) {
        Ok(bytes) => {
            // A kill may have cut off the last line: what is not whole is cut off for good.
            let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let text = std::str::from_utf8(&bytes[..whole]).with_context(|| cannot("read"))?;
            for line in text.lines() {
                known.push(line.parse().with_context(|| cannot("go on with"))?);
            }
            let file = OpenOptions::new().write(true).open(work).and_then(|file| file.set_len(whole as u64));
            file.with_context(|| cannot("write"))?;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| cannot("read")),
    }
    let file = OpenOptions::new().append(true).create(true).open(work).with_context(|| cannot("write"))?;
    Ok((known, file))
}

fn write_book(path: &Path, book: &impl ToString) -> anyhow::Result<()> {
    write_atomically(path, book.to_string()).with_context(|| format!("cannot write `{}`", path.display()))
}
