//! `agon book` and `agon lab book`: renju's opening books shown, proved, grown and practised.

mod args;
mod certificate;
mod practise;
mod status;
mod verify;

pub(crate) use args::{BookArgs, GrowArgs};
use args::{BookOpening, OPENINGS, is_in_middle};

use std::fs;
use std::io::Write as _;

use agon_arena::picture;
use agon_engines::renju::book::{FourthMove, FourthStatus, Opening, ProvedBook, notation};
use agon_game::{Mark, Show as _, Side, View};
use agon_proof::proved;
use agon_proof::proved::status::name;
use agon_proof::read_book;
use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::options::Format;
use crate::progress::Bar;
use crate::show::{FAINT, STRONG, count, paint};
use crate::{draw, output, signals};

pub(crate) fn run(args: &BookArgs) -> anyhow::Result<Exit> {
    if let Some(path) = &args.out {
        output::check(path, "the picture")?;
    }
    let read;
    let book = match &args.book {
        Some(path) => {
            read = read_book(path)?;
            &read
        }
        None => ProvedBook::own()?,
    };
    match &args.certificate {
        Some(path) if args.certify => return certificate::write(book, path, args),
        Some(path) => return certificate::check(book, path, args),
        None if args.verify => return verify::run(book, args),
        None => {}
    }
    let chosen = args.opening.map(BookOpening::number);
    if let (Some(path), Some(number)) = (&args.out, chosen) {
        let Some(opening) = book.openings.get(number) else { bail!("the book does not have this opening") };
        fs::write(path, picture::svg(&view(opening)?)).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    report(book, chosen, args.output.format)?;
    Ok(Exit::Done)
}

/// Returns the number of refuted fourth moves: of all, and of those in the middle.
fn counts(opening: &Opening) -> [(usize, usize); 2] {
    let count = |middle: bool| {
        let fourths = opening.fourths.iter().filter(|fourth| !middle || is_in_middle(fourth.cell));
        (fourths.clone().filter(|fourth| fourth.status == FourthStatus::Refuted).count(), fourths.count())
    };
    [count(false), count(true)]
}

fn depth(book: &ProvedBook) -> u32 {
    book.moves().iter().map(|(stones, _)| stones.len()).max().unwrap_or(0)
}

fn report(book: &ProvedBook, chosen: Option<usize>, format: Format) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let openings =
        || book.openings.iter().enumerate().filter(|(number, _)| chosen.is_none_or(|chosen| chosen == *number));
    match format {
        Format::Json => {
            let openings: Vec<Value> = openings().map(|(_, opening)| opening_json(opening)).collect();
            writeln!(
                out,
                "{}",
                crate::output::json(json!({ "positions": book.len(), "stones": depth(book), "openings": openings }))
            )?;
        }
        Format::Text => {
            for (number, opening) in openings() {
                let name = OPENINGS.get(number).copied().unwrap_or("another opening");
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

fn opening_json(opening: &Opening) -> Value {
    let name = |fourth: &FourthMove| name(fourth.cell);
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
    let stones = notation::stones(&opening.stones);
    json!({ "stones": stones, "fourths": opening.fourths.len(), "refuted": refuted, "open": open })
}

/// The board with White's fourth moves on it.
fn view(opening: &Opening) -> anyhow::Result<View> {
    let position = opening.stones.position(Side::First).context("the opening is not a position")?;
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

/// Grows a book, or shows how far that is.
pub(crate) fn grow(args: &GrowArgs) -> anyhow::Result<Exit> {
    if args.practise {
        return practise::run(args);
    }
    if args.status {
        return status::run(&args.work_file(), args.opening.map(BookOpening::number), args.output.format);
    }
    let job = args.job()?;
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} fourth moves refuted, {msg}")?;
    let book = proved::grow(&job, &stop, &bar)?;
    drop(bar);
    report(&book, None, args.output.format)?;
    Ok(if stop.is_raised() { Exit::Stopped } else { Exit::Done })
}
