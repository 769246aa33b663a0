//! The arguments of `agon book`.

use std::path::PathBuf;
use std::time::Duration;

use agon_proof::BookJob;
use agon_rules::catalog::Game;
use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::options::{Format, game_of, jobs};

#[derive(Args, Debug)]
#[command(after_help = BOOK_HELP)]
pub struct BookArgs {
    /// The game
    #[arg(value_parser = game_of([Game::Renju]))]
    pub game: Game,
    /// Prove by the rules every win that the book claims
    #[arg(long, conflicts_with_all = ["grow", "practise", "picture"])]
    pub verify: bool,
    /// Search for more wins, and write the book to the file of --book
    #[arg(long, group = "searching", requires = "book", conflicts_with_all = ["picture", "opening"])]
    pub grow: bool,
    /// Play the openings through by searches, and write the moves that hold to the file of --book
    #[arg(long, group = "searching", requires = "book", conflicts_with_all = ["picture", "opening"])]
    pub practise: bool,
    /// The book [default: the one that the champion plays by]
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Of --grow and --practise: where all that was found out is kept, so that it can go on [default: the book's name with
    /// .work]
    #[arg(long, value_name = "FILE", requires = "searching")]
    pub work: Option<PathBuf>,
    /// Of --grow and --practise: how long, in seconds [default: until everything is decided, or Ctrl-C]
    #[arg(long, value_name = "S", requires = "searching", value_parser = clap::value_parser!(u64).range(..=31_536_000))]
    pub time: Option<u64>,
    /// Of --grow and --practise: end after so many searches, those that are known from before among them
    #[arg(long, value_name = "N", requires = "searching")]
    pub searches: Option<u64>,
    /// Of --practise: nodes of a search
    #[arg(long, value_name = "N", requires = "practise", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Of --practise: search these games through first: a store, or a game in .jsonl, .sgf, .psq or .txt
    #[arg(long, value_name = "FILE", requires = "practise", num_args = 1..)]
    pub games: Vec<PathBuf>,
    /// Of --grow, --practise and --verify: how many threads [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Only this opening
    #[arg(long, value_name = "NAME")]
    pub opening: Option<BookOpening>,
    /// Draw the fourth moves of the opening named by --opening to this SVG file
    #[arg(long, value_name = "FILE", requires = "opening")]
    pub picture: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
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
After three stones, Hogetsu (H8 I9 I7) or Kagetsu (H8 H9 I9), the book has
Black's answers to White's fourth moves, and to everything that follows, up to
positions that a search for threats wins within a second. On the board a cross
is a fourth move that loses; a number says how many positions Black must win yet,
at least, to refute it; a dot was not looked at.

--verify trusts neither the book nor the searches: every move of every proof is
checked by the rules, and every answer that could matter is tried. Exit code 1:
a claim is wrong; it is named.

--grow may be stopped at any moment, by Ctrl-C or kill -9, and goes on where it
was. Without the file of --work it begins with what the book says.

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
