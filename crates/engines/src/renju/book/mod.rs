//! Renju's opening book: proved wins of Black, and which of White's fourth moves they refute.
//!
//! For each of the two classes of White's second move the book has one third move of Black's. Where a fourth move of
//! White's is refuted, it has Black's answer, and Black's move after every further move of White's, until the search
//! for threats wins within the time of a move ([`LEAF_NODES`]). The crate `agon-proof` grows it and proves it by the
//! rules; the champion plays by it.
//!
//! # The file
//! Lines of text, points in the players' notation without blanks between those of a set:
//!
//! ```text
//! agon renju book 1
//! opening H8I7/I9            after three stones: Black's, then White's
//! refuted A15 B15 PASS       White's fourth moves that Black answers in `moves`
//! open G9:31 H7              those it does not, each with the least number of positions still to be won, if known
//! moves 2                    how many lines follow
//! H8I7/A15I9 H6              Black's move in each position, turned as the opening is
//! H8I7/B15I9 H6
//! sum 0123456789abcdef       FNV-1a, 64 bits, of all that is above
//! ```

mod error;
mod lines;
pub mod moves;
pub mod notation;
pub mod practised;
pub mod symmetry;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use agon_game::{Position, Side};
use agon_rules::renju::{Move, Point, Renju, Stones};

use crate::data::{DataFile, data_file};
use lines::BookLines;

pub use error::BookError;
pub use moves::BookMoves;
pub use practised::PractisedBook;
pub use symmetry::Symmetry;

/// Nodes of the search for threats that ends each line of the book; at the board it takes less than a second.
pub const LEAF_NODES: u64 = 200_000;

pub const LEAF_TABLE_BYTES: usize = 48 << 20;

const HEADER: &str = "agon renju book 1";

/// After three stones: Black's third move makes Hogetsu against an indirect second one (on a corner of the first), and
/// Kagetsu against a direct one (beside it).
pub const OPENINGS: [&str; 2] = ["H8I7/I9", "H8I9/H9"];

/// The book that comes with the program.
pub(crate) static FILE: DataFile = data_file!("books/renju.book");

static OWN: LazyLock<Result<ProvedBook, BookError>> = LazyLock::new(|| FILE.text().parse());

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProvedBook {
    pub openings: Vec<Opening>,
    /// Black's move in each position, all in the orientation of their opening.
    moves: BookMoves,
}

/// An opening: three stones, and the known results of White's fourth moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    pub stones: Stones,
    /// All of White's fourth moves.
    pub fourths: Vec<FourthMove>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FourthMove {
    /// Its point; `None` is a PASS.
    pub cell: Option<u8>,
    pub status: FourthStatus,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FourthStatus {
    Refuted,
    /// Black is not known to win; if it was examined, the minimum number of positions still to be won.
    Open(Option<u32>),
}

impl Opening {
    pub fn after(&self, fourth: &FourthMove) -> Stones {
        fourth.cell.map_or(self.stones, |cell| self.stones.with(Side::Second, cell))
    }

    pub fn refuted(&self) -> usize {
        self.fourths.iter().filter(|fourth| fourth.status == FourthStatus::Refuted).count()
    }

    /// Returns true if every fourth move has been searched: only then is it significant that one is not refuted.
    pub fn is_surveyed(&self) -> bool {
        self.fourths.iter().all(|fourth| fourth.status != FourthStatus::Open(None))
    }

    /// The fourth move that is hardest to refute; `None` when all are refuted, or not all were looked at.
    pub fn hardest(&self) -> Option<&FourthMove> {
        let open = self.fourths.iter().filter_map(|fourth| match fourth.status {
            FourthStatus::Open(Some(positions)) => Some((positions, fourth)),
            FourthStatus::Refuted | FourthStatus::Open(None) => None,
        });
        let hardest = open.max_by_key(|&(positions, _)| positions);
        hardest.map(|(_, fourth)| fourth).filter(|_| self.is_surveyed())
    }
}

impl ProvedBook {
    /// The book that comes with the program.
    ///
    /// # Errors
    /// [`BookError`] if it was spoilt before the program was built.
    pub fn own() -> Result<&'static Self, &'static BookError> {
        OWN.as_ref()
    }

    /// A book of these openings and moves.
    pub fn new(openings: Vec<Opening>, moves: HashMap<Stones, u8>) -> Self {
        Self { openings, moves: BookMoves::new(moves) }
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    pub const fn moves(&self) -> &BookMoves {
        &self.moves
    }

    /// Black's move in exactly this position.
    pub fn exact(&self, stones: &Stones) -> Option<u8> {
        self.moves.exact(stones)
    }

    /// Black's move, however the board is turned.
    ///
    /// ```
    /// use agon_engines::renju::book::ProvedBook;
    /// use agon_rules::renju::Renju;
    /// let book: ProvedBook = agon_engines::renju::book::EXAMPLE.parse()?;
    /// // As in the book, and mirrored.
    /// let letters = |position: Renju| book.reply(&position).map(|m| m.letters());
    /// assert_eq!(letters("15/15/15/15/15/15/8W6/7B7/8B6/15/15/15/15/15/W14 B".parse()?).as_deref(), Some("H6"));
    /// assert_eq!(letters("15/15/15/15/15/15/6W8/7B7/6B8/15/15/15/15/15/14W B".parse()?).as_deref(), Some("H6"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reply(&self, position: &Renju) -> Option<Move> {
        if position.turn() != Side::First || !position.rules().forbids() {
            return None;
        }
        let stones = Stones::from_board(position.board());
        let found = self.moves.turned(&stones)?;
        Point::from_index(found.into()).map(Move::Stone).filter(|&m| position.check(m).is_ok())
    }

    /// Returns true if Black, to move, has just followed the book out of its last position: from here the search for
    /// threats wins.
    pub fn ends_at(&self, position: &Renju) -> bool {
        if !position.rules().forbids() {
            return false;
        }
        let stones = Stones::from_board(position.board());
        // White's last move may have been a PASS.
        let whites = [None].into_iter().chain(stones.white.iter().map(Some));
        let before = whites.flat_map(|white| stones.black.iter().map(move |black| (black, white)));
        let followed = |(black, white): (u8, Option<u8>)| {
            let mut before = stones;
            before.black.remove(black);
            if let Some(white) = white {
                before.white.remove(white);
            }
            self.moves.turned(&before) == Some(black)
        };
        position.turn() == Side::First && before.into_iter().any(followed)
    }

    /// White's fourth move that is hardest to refute, if these three stones are an opening of the book and all fourth
    /// moves were looked at.
    pub fn hardest(&self, position: &Renju) -> Option<Move> {
        let (opening, symmetry) = self.opening_of(position)?;
        let cell = opening.hardest()?.cell.map(|cell| symmetry.inverse().cell(cell));
        let m = cell.map_or(Some(Move::Pass), |cell| Point::from_index(cell.into()).map(Move::Stone))?;
        position.check(m).is_ok().then_some(m)
    }

    /// Returns White's second move, in the opening with the fewest refuted fourth moves, once all of them have been
    /// searched.
    pub fn second(&self) -> Option<Move> {
        let opening = self.openings.iter().min_by_key(|opening| opening.refuted())?;
        let white = opening.stones.white.first().filter(|_| self.openings.iter().all(Opening::is_surveyed))?;
        Point::from_index(white.into()).map(Move::Stone)
    }

    /// The opening whose three stones these are, White to move, and how they are turned into its orientation.
    pub fn opening_of(&self, position: &Renju) -> Option<(&Opening, Symmetry)> {
        let stones = Stones::from_board(position.board());
        if position.turn() != Side::Second || !position.rules().forbids() {
            return None;
        }
        Symmetry::ALL.into_iter().find_map(|symmetry| {
            let turned = symmetry.stones(&stones);
            self.openings.iter().find(|opening| opening.stones == turned).map(|opening| (opening, symmetry))
        })
    }
}

/// A little book: two of White's fourth moves, and no more than the first move against them.
pub const EXAMPLE: &str = "agon renju book 1
opening H8I7/I9
refuted A1 PASS
open G9:31 H7
moves 2
H8I7/I9 H6
H8I7/I9A1 H6
sum 4a3a6c3e2494ce06
";

/// The file: see [the module](self).
impl fmt::Display for ProvedBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&lines::summed(&self.text()))
    }
}

impl ProvedBook {
    fn text(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for opening in &self.openings {
            let name = |fourth: &FourthMove| fourth.cell.map_or_else(|| "PASS".to_owned(), notation::cell);
            let (mut refuted, mut open) = (String::new(), String::new());
            for fourth in &opening.fourths {
                match fourth.status {
                    FourthStatus::Refuted => refuted += &format!(" {}", name(fourth)),
                    FourthStatus::Open(None) => open += &format!(" {}", name(fourth)),
                    FourthStatus::Open(Some(positions)) => open += &format!(" {}:{positions}", name(fourth)),
                }
            }
            text += &format!("opening {}\nrefuted{refuted}\nopen{open}\n", notation::stones(&opening.stones));
        }
        text += &self.moves.text();
        text
    }
}

impl FromStr for ProvedBook {
    type Err = BookError;

    fn from_str(text: &str) -> Result<Self, BookError> {
        let mut lines = BookLines::new(text, HEADER)?;
        let mut openings = Vec::new();
        loop {
            let (opening, count) = lines.next(|line| match line.split_once(' ')? {
                ("opening", stones) => Some((Some(notation::read_stones(stones)?), 0)),
                ("moves", count) => Some((None, count.parse().ok()?)),
                _ => None,
            })?;
            let Some(stones) = opening else {
                let moves = BookMoves::read(&mut lines, count)?;
                return lines.end().map(|()| Self { openings, moves });
            };
            let refuted = |word: &str| read_fourth(word, &stones, FourthStatus::Refuted);
            let open = |word: &str| {
                let (word, positions) = match word.split_once(':') {
                    Some((word, positions)) => (word, Some(positions.parse().ok()?)),
                    None => (word, None),
                };
                read_fourth(word, &stones, FourthStatus::Open(positions))
            };
            let mut fourths = lines.next(|line| read_words(line, "refuted", refuted))?;
            fourths.extend(lines.next(|line| read_words(line, "open", open))?);
            openings.push(Opening { stones, fourths });
        }
    }
}

fn read_words<T>(line: &str, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    line.strip_prefix(name)?.split_ascii_whitespace().map(read).collect()
}

fn read_fourth(word: &str, stones: &Stones, status: FourthStatus) -> Option<FourthMove> {
    let cell = match word {
        "PASS" => None,
        _ => Some(notation::read_cell(word).filter(|&cell| stones.empties().contains(cell))?),
    };
    Some(FourthMove { cell, status })
}

pub fn openings() -> Vec<Stones> {
    OPENINGS.iter().filter_map(|text| notation::read_stones(text)).collect()
}
