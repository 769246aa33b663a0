//! The arguments of `agon book`.

use std::path::PathBuf;
use std::time::Duration;

use agon_proof::BookJob;
use agon_rules::catalog::Game;
use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::options::{OutputArgs, game_of, jobs};

#[derive(Args, Debug)]
#[command(after_help = BOOK_HELP)]
pub struct BookArgs {
    /// The game
    #[arg(value_parser = game_of([Game::Renju]))]
    pub game: Game,
    /// Verify every win of the book by the rules
    #[arg(long, group = "action", conflicts_with_all = ["grow", "practise", "picture"])]
    pub verify: bool,
    /// Search for more proved wins and write the book to the file of --book
    #[arg(long, groups = ["action", "searching"], requires = "book", conflicts_with_all = ["picture", "opening"])]
    pub grow: bool,
    /// Expand the openings by searches (drop-out expansion) and write the best moves to the file of --book
    #[arg(long, groups = ["action", "searching"], requires = "book", conflicts_with_all = ["picture", "opening"])]
    pub practise: bool,
    /// The book [default: the one that the champion plays by]
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// With --grow and --practise: file of all search results, from which a stopped run resumes
    /// [default: the book's name with .work]
    #[arg(long, value_name = "FILE", requires = "searching")]
    pub work: Option<PathBuf>,
    /// With --grow and --practise: time limit, in seconds [default: until all is decided, or Ctrl-C]
    #[arg(long, value_name = "S", requires = "searching", value_parser = clap::value_parser!(u64).range(..=31_536_000))]
    pub time: Option<u64>,
    /// With --grow and --practise: limit of searches, those in the file of --work included
    #[arg(long, value_name = "N", requires = "searching")]
    pub searches: Option<u64>,
    /// With --practise: nodes of one search
    #[arg(long, value_name = "N", requires = "practise", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// With --practise: search the positions of these games first: a store, or a game in .jsonl, .sgf, .psq or .txt
    #[arg(long, value_name = "FILE", requires = "practise", num_args = 1..)]
    pub games: Vec<PathBuf>,
    /// With --grow, --practise and --verify: number of threads [default: one per core]
    #[arg(long, value_name = "N", requires = "action", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Only this opening
    #[arg(long, value_name = "NAME")]
    pub opening: Option<BookOpening>,
    /// Draw the fourth moves of the opening named by --opening to this SVG file
    #[arg(long, value_name = "FILE", requires = "opening")]
    pub picture: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl BookArgs {
    /// The files and limits of `--grow` and `--practise`.
    pub fn job(&self) -> anyhow::Result<BookJob> {
        let mut job = BookJob::new(self.book.as_deref().context("name the file with --book")?);
        if let Some(work) = &self.work {
            job.work.clone_from(work);
        }
        let time = self.time.map(Duration::from_secs);
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
Exit code 1: a proof is wrong; it is named.

--grow and --practise can be stopped at any time, by Ctrl-C or kill -9; the same
command resumes from the file of --work, or else from the book.

Examples:
  agon book renju --opening hogetsu --picture hogetsu.svg
  agon book renju --verify
  agon book renju --grow --book books/renju.book --time 3600
  agon book renju --practise --book books/renju.practised --time 3600
  agon book renju --practise --book books/renju.practised --time 3600 --games agon.db lost.sgf";

/// An opening of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum BookOpening {
    /// H8 I9 I7, after a second move on a corner of the first
    Hogetsu,
    /// H8 H9 I9, after a second move beside the first
    Kagetsu,
}
