//! The arguments of `agon book` and `agon lab book`.

use std::path::PathBuf;
use std::time::Duration;

use agon_catalog::{Capability, Game};
use agon_proof::BookJob;
use agon_rules::renju::Point;
use clap::{ArgGroup, Args, ValueEnum};

use crate::options::{JobsArgs, OutputArgs, game_of, up_to};
use crate::output;
use crate::span::{TimeSpan, time};

const A_YEAR_MS: u64 = 31_536_000_000;

#[derive(Args, Debug)]
#[command(after_help = BOOK_HELP)]
pub(crate) struct BookArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Book)), default_value = "renju")]
    pub game: Game,
    /// Verify every win of the book by the rules
    #[arg(long, group = "proving", conflicts_with_all = ["certify", "out"])]
    pub verify: bool,
    /// Verify every win of the book, and write the proofs to the file of --certificate
    #[arg(long, group = "proving", requires = "certificate", conflicts_with = "out")]
    pub certify: bool,
    /// With --verify: check the proofs in this file, without any search; with --certify: the file to write
    #[arg(long, value_name = "FILE", requires = "proving")]
    pub certificate: Option<PathBuf>,
    /// The book [default: the one that the champion plays by]
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// With --certify and --verify: number of threads [default: one per core]
    #[arg(long, short = 'j', short_alias = 'k', value_name = "N", requires = "proving",
          value_parser = up_to::<u16>(1024))]
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

#[derive(Args, Debug)]
#[command(after_help = GROW_HELP, group(ArgGroup::new("action").required(true)))]
pub(crate) struct GrowArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Book)), default_value = "renju")]
    pub game: Game,
    /// Search for more proved wins, and write the book
    #[arg(long, group = "action")]
    pub grow: bool,
    /// Expand the openings by searches (drop-out expansion), and write the best moves to the book
    #[arg(long, group = "action")]
    pub practise: bool,
    /// Show how far a book that is being grown has come, by the file of --work, and estimate what is left
    #[arg(long, group = "action", conflicts_with_all = ["time", "searches", "jobs"])]
    pub status: bool,
    /// The book
    #[arg(long, value_name = "FILE")]
    pub book: PathBuf,
    /// File of all search results, from which a stopped run resumes [default: the book's name with .work]
    #[arg(long, value_name = "FILE")]
    pub work: Option<PathBuf>,
    /// Time limit [default: until everything is decided, or Ctrl-C]
    #[arg(long, value_name = "TIME", value_parser = time(0..=A_YEAR_MS))]
    pub time: Option<TimeSpan>,
    /// Maximum number of searches, those in the file of --work included
    #[arg(long, value_name = "N")]
    pub searches: Option<u64>,
    /// With --practise: nodes of one search
    #[arg(long, value_name = "N", requires = "practise", default_value_t = 100_000,
          value_parser = up_to::<u64>(1_000_000_000))]
    pub nodes: u64,
    /// With --practise: search the positions of these games first: a store, or a game in .jsonl, .sgf, .psq or .txt
    #[arg(long, alias = "games", value_name = "FILE", requires = "practise", num_args = 1..)]
    pub follow: Vec<PathBuf>,
    /// With --grow or --status: only this opening
    #[arg(long, value_name = "NAME", conflicts_with = "practise")]
    pub opening: Option<BookOpening>,
    #[command(flatten)]
    pub jobs: JobsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl GrowArgs {
    pub(crate) fn work_file(&self) -> PathBuf {
        self.work.clone().unwrap_or_else(|| BookJob::new(&self.book).work)
    }

    /// The files and limits of `--grow` and `--practise`.
    pub(crate) fn job(&self) -> anyhow::Result<BookJob> {
        let mut job = BookJob::new(&self.book);
        job.work = self.work_file();
        output::check(&self.book, "the book")?;
        output::check(&job.work, "the searches")?;
        let time = self.time.map(Duration::from);
        Ok(BookJob {
            time,
            searches: self.searches,
            threads: self.jobs.threads(),
            opening: self.opening.map(BookOpening::number),
            ..job
        })
    }
}

const BOOK_HELP: &str = "\
After the openings Hogetsu (H8 I9 I7) and Kagetsu (H8 H9 I9) the book has
Black's replies to White's fourth moves and to everything that follows, down to
positions that a search for threats wins within a second. On the board a cross
is a refuted fourth move; a number is its proof number, the minimum of positions
Black must still win to refute it; a dot was not searched.

--verify checks every proof by the rules alone and tries every relevant answer.
The wins by threats at the end of the book are searched for again, unless a
--certificate has their proofs. Exit code 1: a proof is wrong; it is named.
scripts/check-renju-proof checks a certificate without any of Agon's code.
`agon lab book` grows a book.

Examples:
  agon book --opening hogetsu --out hogetsu.svg
  agon book --verify
  agon book --certify --certificate renju.proof
  agon book --verify --certificate renju.proof";

const GROW_HELP: &str = "\
--grow and --practise can be stopped at any time, by Ctrl-C or kill -9; the same
command resumes from the file of --work, or else from the book.

Examples:
  agon lab book --grow --book books/renju.book --time 1h
  agon lab book --status --book books/renju.book
  agon lab book --practise --book books/renju.practised --time 1h
  agon lab book --practise --book new.practised --time 1h --follow lost.sgf";

/// Steps of a king from the centre to the edge of the middle, where most of a game is played.
const MIDDLE: u8 = 5;

pub(super) fn is_in_middle(cell: Option<u8>) -> bool {
    let point = cell.and_then(|cell| Point::from_index(cell.into()));
    point.is_some_and(|point| point.distance_from_centre() <= MIDDLE)
}

pub(super) const OPENINGS: [&str; 2] = ["Hogetsu, H8 I9 I7", "Kagetsu, H8 H9 I9"];

/// An opening of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum BookOpening {
    /// H8 I9 I7, after a second move on a corner of the first
    Hogetsu,
    /// H8 H9 I9, after a second move beside the first
    Kagetsu,
}

impl BookOpening {
    pub(crate) const fn number(self) -> usize {
        match self {
            Self::Hogetsu => 0,
            Self::Kagetsu => 1,
        }
    }
}
