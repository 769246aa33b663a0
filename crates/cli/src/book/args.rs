//! The arguments of `agon book`.

use std::path::PathBuf;
use std::time::Duration;

use agon_proof::BookJob;
use agon_rules::catalog::Game;
use agon_rules::renju::Point;
use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::options::{OutputArgs, game_of, jobs};
use crate::output;
use crate::span::{TimeSpan, time_in_seconds};

/// The longest that a book grows at once, in milliseconds.
const A_YEAR: u64 = 31_536_000_000;

#[derive(Args, Debug)]
#[command(after_help = BOOK_HELP)]
#[allow(clippy::struct_excessive_bools, reason = "a switch of the command line is a bool")]
pub struct BookArgs {
    /// The game
    #[arg(value_parser = game_of([Game::Renju]), default_value = "renju")]
    pub game: Game,
    /// Verify every win of the book by the rules
    #[arg(long, groups = ["action", "proving"], conflicts_with_all = ["certify", "grow", "practise", "out"])]
    pub verify: bool,
    /// Verify every win of the book, and write the proofs to the file of --certificate
    #[arg(long, groups = ["action", "proving"], requires = "certificate", conflicts_with_all = ["grow", "practise", "out"])]
    pub certify: bool,
    /// With --verify: check the proofs in this file, without any search; with --certify: the file to write
    #[arg(long, value_name = "FILE", requires = "proving")]
    pub certificate: Option<PathBuf>,
    /// Search for more proved wins and write the book to the file of --book
    #[arg(long, groups = ["action", "searching"], requires = "book", conflicts_with_all = ["out", "opening"])]
    pub grow: bool,
    /// Expand the openings by searches (drop-out expansion) and write the best moves to the file of --book
    #[arg(long, groups = ["action", "searching"], requires = "book", conflicts_with_all = ["out", "opening"])]
    pub practise: bool,
    /// How far a book that is being grown has come, by the file of --work, and an estimate of what is left
    #[arg(long, groups = ["searching"], requires = "book", conflicts_with_all = ["verify", "certify", "grow", "practise", "out", "time", "searches"])]
    pub status: bool,
    /// The book [default: the one that the champion plays by]
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// With --grow, --practise and --status: file of all search results, from which a stopped run resumes
    /// [default: the book's name with .work]
    #[arg(long, value_name = "FILE", requires = "searching")]
    pub work: Option<PathBuf>,
    /// With --grow and --practise: time limit [default: until all is decided, or Ctrl-C]
    #[arg(long, value_name = "TIME", requires = "searching", value_parser = time_in_seconds(0..=A_YEAR))]
    pub time: Option<TimeSpan>,
    /// With --grow and --practise: limit of searches, those in the file of --work included
    #[arg(long, value_name = "N", requires = "searching")]
    pub searches: Option<u64>,
    /// With --practise: nodes of one search
    #[arg(long, value_name = "N", requires = "practise", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// With --practise: search the positions of these games first: a store, or a game in .jsonl, .sgf, .psq or .txt
    #[arg(long, alias = "games", value_name = "FILE", requires = "practise", num_args = 1..)]
    pub follow: Vec<PathBuf>,
    /// With --grow, --practise, --certify and --verify: how much is done at once [default: one job per core]
    #[arg(long, short = 'j', short_alias = 'k', value_name = "N", requires = "action", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Only this opening
    #[arg(long, value_name = "NAME")]
    pub opening: Option<BookOpening>,
    /// Draw the fourth moves of the opening named by --opening to this SVG file
    #[arg(long, alias = "picture", value_name = "FILE", requires = "opening")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl BookArgs {
    /// The file of all search results.
    pub fn work_file(&self) -> anyhow::Result<PathBuf> {
        let book = self.book.as_deref().context("name the file with --book")?;
        Ok(self.work.clone().unwrap_or_else(|| BookJob::new(book).work))
    }

    /// The files and limits of `--grow` and `--practise`.
    pub fn job(&self) -> anyhow::Result<BookJob> {
        let book = self.book.as_deref().context("name the file with --book")?;
        let mut job = BookJob::new(book);
        job.work = self.work_file()?;
        output::check(book, "the book", false)?;
        output::check(&job.work, "the searches", false)?;
        let time = self.time.map(Duration::from);
        Ok(BookJob { time, searches: self.searches, threads: jobs(self.jobs), ..job })
    }
}

const BOOK_HELP: &str = "\
After the openings Hogetsu (H8 I9 I7) and Kagetsu (H8 H9 I9) the book has
Black's replies to White's fourth moves and to everything that follows, down to
positions that a search for threats wins within a second. On the board a cross
is a refuted fourth move; a number is its proof number, the minimum of positions
Black must still win to refute it; a dot was not searched.

--verify checks every proof by the rules alone and tries every relevant answer.
The wins by threats at the end of the book are searched for anew, unless a
--certificate has their proofs. Exit code 1: a proof is wrong; it is named.
scripts/check-renju-proof checks a certificate without any of Agon's code.

--grow and --practise can be stopped at any time, by Ctrl-C or kill -9; the same
command resumes from the file of --work, or else from the book.

Examples:
  agon book --opening hogetsu --out hogetsu.svg
  agon book --verify
  agon book --certify --certificate renju.proof
  agon book --verify --certificate renju.proof
  agon book --grow --book books/renju.book --time 1h
  agon book --status --book books/renju.book
  agon book --practise --book books/renju.practised --time 1h
  agon book --practise --book renju.practised --time 1h --follow lost.sgf";

/// Steps of a king from the centre to the edge of the middle, where most of a game is played.
const MIDDLE: u8 = 5;

/// Whether one of White's fourth moves is in the middle.
pub fn is_in_middle(cell: Option<u8>) -> bool {
    let point = cell.and_then(|cell| Point::from_index(cell.into()));
    point.is_some_and(|point| point.distance_from_centre() <= MIDDLE)
}

/// The openings of a proved book, in its order.
pub const OPENINGS: [&str; 2] = ["Hogetsu, H8 I9 I7", "Kagetsu, H8 H9 I9"];

/// An opening of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BookOpening {
    /// H8 I9 I7, after a second move on a corner of the first
    Hogetsu,
    /// H8 H9 I9, after a second move beside the first
    Kagetsu,
}

impl BookOpening {
    /// Its place in a book.
    pub const fn number(self) -> usize {
        match self {
            Self::Hogetsu => 0,
            Self::Kagetsu => 1,
        }
    }
}
