//! `agon book renju --practise`: the openings played through by searches.

use std::fs::File;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_engines::renju::book::PractisedBook;
use agon_game::Side;
use agon_proof::practice::{BookNode, DropOutExpansion, LOST, examine};
use agon_search::Stop;
use agon_search::evaluate::LARGEST;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::args::BookArgs;
use super::{WRITE_EVERY, open_work, work_file, write_book};
use crate::exit::Exit;
use crate::options::{Format, jobs};
use crate::show::{FAINT, STRONG, count, paint};
use crate::{convert, signals};

/// How long a thread waits for the others when there is nothing to search.
const PAUSE: Duration = Duration::from_millis(20);

/// What the threads share.
struct Shared {
    practice: DropOutExpansion,
    file: File,
    /// How many searches are going on.
    busy: usize,
    broken: io::Result<()>,
}

/// Practises until the time is up, and writes the book again and again.
pub fn run(args: &BookArgs) -> anyhow::Result<Exit> {
    let path = args.book.as_deref().context("name the file with --book")?;
    let mut practice = DropOutExpansion::new([]);
    // Before any file is made: what is refused leaves nothing behind.
    for games in &args.games {
        let mut followed = 0;
        for moves in convert::games_of(games)? {
            followed += u64::from(practice.follow(&moves));
        }
        if followed == 0 {
            bail!("`{}` has no game of renju of three moves or more", games.display());
        }
    }
    let work = work_file(args, path);
    let (known, file) = open_work::<BookNode>(&work)?;
    practice.remember(known);
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let shared = Mutex::new(Shared { practice, file, busy: 0, broken: Ok(()) });
    let style = ProgressStyle::with_template("{spinner} {human_pos} positions searched, {per_sec}, {elapsed}")?;
    let bar = ProgressBar::no_length().with_style(style);
    let (start, mut written) = (Instant::now(), Instant::now());
    let full = |shared: &Shared| args.searches.is_some_and(|searches| shared.practice.len() as u64 >= searches);
    let late = || args.time.is_some_and(|time| start.elapsed() >= Duration::from_secs(time));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs(args.jobs))
            .map(|_| scope.spawn(|| while !stop.is_raised() && !late() && one(&shared, args.nodes, &stop, &full) {}))
            .collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(PAUSE);
            let book = {
                let shared = lock(&shared);
                bar.set_position(shared.practice.len() as u64);
                (written.elapsed() >= WRITE_EVERY).then(|| shared.practice.book())
            };
            if let Some(book) = book {
                // The searches would otherwise be waited for.
                write_book(path, &book).inspect_err(|_| stop.raise())?;
                written = Instant::now();
            }
        }
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    let Shared { practice, broken, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    broken.with_context(|| format!("cannot write `{}`", work.display()))?;
    let book = practice.book();
    write_book(path, &book)?;
    report(&practice, &book, args.format)?;
    Ok(if stop.is_raised() { Exit::Stopped } else { Exit::Done })
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Searches one position; false when there is no more to do.
fn one(shared: &Mutex<Shared>, nodes: u64, stop: &Stop, full: &impl Fn(&Shared) -> bool) -> bool {
    let stones = {
        let mut shared = lock(shared);
        if full(&shared) {
            return false;
        }
        let next = shared.practice.ask();
        // What is known from before may have been enough.
        if full(&shared) {
            return false;
        }
        match next {
            Some(stones) => {
                shared.busy += 1;
                stones
            }
            None if shared.busy == 0 => return false,
            None => {
                drop(shared);
                thread::sleep(PAUSE);
                return true;
            }
        }
    };
    let examined = examine(&stones, nodes, stop);
    let mut shared = lock(shared);
    shared.busy -= 1;
    match examined {
        Some(examined) => {
            shared.broken = writeln!(shared.file, "{examined}");
            // What cannot be kept is not worth finding.
            if shared.broken.is_err() {
                stop.raise();
            }
            shared.practice.learn(examined);
        }
        None if stop.is_raised() => {}
        None => shared.practice.give_up(&stones),
    }
    !stop.is_raised()
}

/// What the openings are worth by now.
fn report(practice: &DropOutExpansion, book: &PractisedBook, format: Format) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let values = Side::BOTH.map(|side| practice.values(side));
    match format {
        Format::Json => {
            let [black, white] = values.map(|values| {
                let values = values
                    .into_iter()
                    .map(|(stones, value)| (agon_engines::renju::book::notation::stones(&stones), json!(value)));
                values.collect::<serde_json::Map<_, _>>()
            });
            let moves = book.moves().len();
            writeln!(out, "{}", json!({ "searched": practice.len(), "moves": moves, "black": black, "white": white }))?;
        }
        Format::Text => {
            for (side, values) in ["Black", "White"].into_iter().zip(values) {
                writeln!(out, "{}", paint(STRONG, format!("{side}, by the stones of the opening")))?;
                for (stones, value) in values {
                    let stones = agon_engines::renju::book::notation::stones(&stones);
                    // At the end of the scale all that was looked at loses, for one side or the other.
                    let value = match value {
                        LARGEST.. => "won".to_owned(),
                        ..=LOST => "lost".to_owned(),
                        _ => format!("{:+.2}", f64::from(value) / 100.0),
                    };
                    writeln!(out, "  {stones:<12} {value}")?;
                }
            }
            let (searched, moves) = (count(practice.len() as u64), count(book.moves().len() as u64));
            writeln!(out, "{}", paint(FAINT, format!("{searched} positions searched, {moves} with a move that held")))?;
        }
    }
    Ok(())
}
