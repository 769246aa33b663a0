//! Positions as text, on one line or as a diagram, for referees, records and readers.
//!
//! On one line, [`Renju`]'s `Display`: the 15 rows from the top, joined by `/`, then the side to move (`B` or `W`), the
//! number of successive passes just made (0 to 2) and the turns played. In a row `B` and `W` are stones, and a number
//! from 1 to 15 stands for that many empty points:
//!
//! ```text
//! 15/15/15/15/15/7B7/7W7/7B7/15/15/15/15/15/15/15 B 1 4
//! ```
//!
//! As a diagram, [`Renju::diagram`]: one row a line, a dot for each empty point, then a line with the same three
//! fields.
//!
//! `FromStr` reads either, even with dots and numbers mixed, and rows separated by `/` or blanks. The passes and the
//! turns may be missing at the end; they default to no passes and one turn per stone. The name of a
//! [rule set](super::RuleSet) other than ALPHANO's renju follows the side to move: `… B freestyle 1 4`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use agon_game::alternating::POSITION;
use agon_game::{Cell, GridStyle, Mark, Outcome, Position, Show, Side, View};
use agon_message::{Reason, messages};

use super::point::Points;
use super::position::{RenjuNotation, name};
use super::{Axis, Board, Move, Point, Renju, RuleSet, SIZE, StonesError};

/// Rows and columns of the five dots printed on a board: the centre and the corners of a square around it.
const STARS: [(u8, u8); 5] = [(4, 4), (4, 12), (8, 8), (12, 4), (12, 12)];

impl Show for Renju {
    const SEATS: [&'static str; 2] = [name(Side::First), name(Side::Second)];

    const LETTERS_IN_RECORDS: bool = true;

    /// The judge's lines speak of ALPHANO's renju alone; other rules are part of the position.
    fn preamble(&self) -> String {
        if self.rules() == RuleSet::Alphano { String::new() } else { format!("{POSITION} {self}\n") }
    }

    fn written() -> Reason {
        Arc::new(RenjuNotation::Written)
    }

    fn letters(m: Move) -> String {
        m.letters()
    }

    fn read_letters(&self, text: &str) -> Option<Move> {
        Move::from_letters(text).ok()
    }

    fn end_reason(&self) -> Option<Reason> {
        let Outcome::Win(side) = self.outcome()? else { return Some(Arc::new(RenjuEnding::Passed)) };
        let row = self.board().winning_row(side)?;
        let kind = match (side, row.length) {
            (Side::First, 5) => RenjuWin::BlackFive,
            (Side::First, _) => RenjuWin::BlackOverline,
            (Side::Second, 5) => RenjuWin::WhiteFive,
            (Side::Second, _) => RenjuWin::WhiteOverline,
        };
        let [from, to] = [row.first, row.last].map(Point::both);
        Some(Arc::new(RenjuEnding::Row { kind, line: row.direction, from, to }))
    }

    /// Marks the empty star points, the forbidden points if Black is to move, and the winning row.
    fn view(&self) -> View {
        let bound = self.outcome().is_none() && self.turn() == Side::First;
        let forbidden = if bound { self.forbidden_points() } else { Points::default() };
        let won = self.outcome().and_then(Outcome::winner).and_then(|side| self.board().winning_row(side));
        let cells = Point::all()
            .map(|point| {
                let owner = self.board().owner(point);
                let star = owner.is_none() && STARS.contains(&(point.row(), point.column()));
                let mark = match won {
                    Some(row) if row.contains(point) => Some(Mark::Won),
                    _ if forbidden.contains(point) => Some(Mark::Forbidden),
                    _ => star.then_some(Mark::Star),
                };
                Cell { owner, glyph: glyph(owner), mark, ..Cell::default() }
            })
            .collect();
        View {
            seats: Self::SEATS,
            rows: SIZE,
            columns: SIZE,
            origin: 1,
            first_letter: Some('A'),
            grid: GridStyle::Crossings,
            cells,
            ..View::default()
        }
    }
}

impl Renju {
    /// Returns the position as 15 lines of `.`, `B` and `W`, the top row first, and one line for the side to move, the
    /// number of successive passes just made and the turns played; each line ends in a newline.
    pub fn diagram(&self) -> String {
        let mut text = String::with_capacity(SIZE * (SIZE + 1) + 16);
        for point in Point::all() {
            text.push(glyph(self.board().owner(point)));
            if usize::from(point.column()) == SIZE {
                text.push('\n');
            }
        }
        text + &self.fields() + "\n"
    }

    fn fields(&self) -> String {
        let rules = self.rules();
        let named = if rules == RuleSet::Alphano { String::new() } else { format!(" {rules}") };
        format!("{}{named} {} {}", glyph(Some(self.turn())), self.passes(), self.ply())
    }
}

/// Returns `B`, `W` or `.`.
pub(super) const fn glyph(owner: Option<Side>) -> char {
    match owner {
        Some(Side::First) => 'B',
        Some(Side::Second) => 'W',
        None => '.',
    }
}

/// Writes one line, as described in [`super::notation`].
impl fmt::Display for Renju {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(96);
        let mut empty = 0;
        for point in Point::all() {
            let owner = self.board().owner(point);
            let ends = usize::from(point.column()) == SIZE;
            empty += u8::from(owner.is_none());
            if empty > 0 && (owner.is_some() || ends) {
                text += &std::mem::take(&mut empty).to_string();
            }
            if owner.is_some() {
                text.push(glyph(owner));
            }
            if ends && usize::from(point.row()) < SIZE {
                text.push('/');
            }
        }
        write!(f, "{text} {}", self.fields())
    }
}

/// Reads one line or a diagram, as described in [`super::notation`].
impl FromStr for Renju {
    type Err = RenjuTextError;

    fn from_str(text: &str) -> Result<Self, RenjuTextError> {
        let mut words = text.split(|c: char| c == '/' || c.is_whitespace()).filter(|word| !word.is_empty());
        let mut board = Board::EMPTY;
        let mut stones = 0;
        for row in 1..=SIZE {
            let word = words.next().ok_or(RenjuTextError::Rows { rows: row - 1 })?;
            stones += read_row(word, row, &mut board)?;
        }
        let turn = match words.next() {
            Some("B") => Side::First,
            Some("W") => Side::Second,
            other => return Err(RenjuTextError::Turn { text: other.unwrap_or_default().to_owned() }),
        };
        let mut words = words.peekable();
        let named = words.peek().and_then(|word| word.parse::<RuleSet>().ok());
        let rules = named.inspect(|_| _ = words.next()).unwrap_or_default();
        let passes = words.next().map_or(Ok(0), |word| word.parse().map_err(|_| RenjuTextError::number(word)))?;
        let ply = words
            .next()
            .map_or(Ok(stones + u32::from(passes)), |word| word.parse().map_err(|_| RenjuTextError::number(word)))?;
        if let Some(word) = words.next() {
            return Err(RenjuTextError::Surplus { text: word.to_owned() });
        }
        Ok(Self::new(board.under(rules), turn, passes, ply)?)
    }
}

/// Puts the stones of one row on the board and returns their number.
fn read_row(word: &str, row: usize, board: &mut Board) -> Result<u32, RenjuTextError> {
    let width = || RenjuTextError::Width { row, text: word.to_owned() };
    let (mut column, mut stones) = (1, 0);
    let mut glyphs = word.chars().peekable();
    while let Some(glyph) = glyphs.next() {
        let side = match glyph {
            'B' => Side::First,
            'W' => Side::Second,
            '.' => {
                column += 1;
                continue;
            }
            '0'..='9' => {
                let mut run = glyph.to_digit(10).unwrap_or_default() as usize;
                while let Some(digit) = glyphs.peek().and_then(|next| next.to_digit(10)) {
                    glyphs.next();
                    run = run * 10 + digit as usize;
                    if run > SIZE {
                        return Err(width());
                    }
                }
                column += run;
                continue;
            }
            _ => return Err(RenjuTextError::Glyph { row, glyph }),
        };
        board.place(Point::new(row, column).ok_or_else(width)?, side);
        column += 1;
        stones += 1;
    }
    if column == SIZE + 1 { Ok(stones) } else { Err(width()) }
}

messages! {
    /// Why a game is over.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum RenjuEnding {
        /// By two passes: a draw.
        Passed = "both players have passed one after the other",
        /// By a winning row between two points.
        Row { kind: RenjuWin, line: Axis, from: String, to: String } = "{kind} on the {line} from {from} to {to}",
    }

    /// Who has won, and by which row.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum RenjuWin {
        /// Black, by exactly five.
        BlackFive = "Black has made a five",
        /// Black, by six or more; only in freestyle gomoku.
        BlackOverline = "Black has made an overline",
        /// White, by exactly five.
        WhiteFive = "White has made a five",
        /// White, by six or more.
        WhiteOverline = "White has made an overline",
    }

    /// Error for a text that is not a position.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum RenjuTextError {
        Rows { rows: usize } = "expected 15 rows, found {rows}",
        Width { row: usize, text: String } = "row {row}, `{text}`, does not have 15 points",
        Glyph { row: usize, glyph: char } =
            "invalid character in row {row}: `{glyph}`; expected `B`, `W`, `.` or a number of empty points",
        Turn { text: String } = "invalid side to move: `{text}`; expected `B` or `W` after the rows",
        Number { text: String } = "invalid number of passes or turns: `{text}`",
        Surplus { text: String } = "unexpected text after the number of turns: `{text}`",
        Stones(error: StonesError),
    }
}

impl std::error::Error for RenjuTextError {}

impl From<StonesError> for RenjuTextError {
    fn from(error: StonesError) -> Self {
        Self::Stones(error)
    }
}

impl RenjuTextError {
    fn number(text: &str) -> Self {
        Self::Number { text: text.to_owned() }
    }
}
