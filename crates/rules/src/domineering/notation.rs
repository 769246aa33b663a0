//! Positions as text, for referees, records and readers. A position is one line:
//!
//! ```text
//! 331/012/120 <>^/.#v/... H 1 2.5 3
//! ```
//!
//! Six fields, separated by blanks:
//! 1. the weights, row by row, the rows separated by `/`; a weight above 9 stands in brackets: `0(12)3`;
//! 2. the cover of the cells, in the same order: `<>` a horizontal domino, `^` above `v` a vertical one, `#` something
//!    unknown, `.` nothing;
//! 3. the side to move, `H` or `V`;
//! 4. the number of successive PASSes played last, 0 to 2;
//! 5. the bonus of the second player;
//! 6. the ply: the number of moves played.
//!
//! The scores follow from the dominoes and the bonus.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use agon_game::{Cell, GameScore, Gauge, GridStyle, Position, Show, Side, View};
use agon_message::{Reason, messages};

use super::board::{BoardError, WeightedBoard};
use super::cells::{STEP, cell, dominoes, places};
use super::moves::row_and_column;
use super::position::{Bonus, BonusError, DomineeringNotation, Parts};
use super::{Domineering, Move};

/// PASS in people's notation. Domineering players have no common notation for dominoes, so theirs is the judge's.
const PASS: &str = "PASS";

impl Show for Domineering {
    const SEATS: [&'static str; 2] = ["H", "V"];

    fn preamble(&self) -> String {
        self.board().to_string()
    }

    fn score(&self) -> Option<[GameScore; 2]> {
        Some(self.scores())
    }

    fn written() -> Reason {
        Arc::new(DomineeringNotation::Written)
    }

    fn letters(m: Move) -> String {
        if m == Move::PASS { PASS.to_owned() } else { m.to_string() }
    }

    fn read_letters(&self, text: &str) -> Option<Move> {
        text.eq_ignore_ascii_case(PASS).then_some(Move::PASS)
    }

    fn end_reason(&self) -> Option<Reason> {
        let ending = if self.is_passed_out() {
            DomineeringEnding::Passed
        } else if self.is_full() {
            DomineeringEnding::Full
        } else {
            return None;
        };
        Some(Arc::new(ending))
    }

    /// Empty cells show their weight, covered ones the covering side: H, V, or # if unknown.
    fn view(&self) -> View {
        let board = self.board();
        let cells = (0..board.rows())
            .flat_map(|row| (0..board.columns()).map(move |column| cell(row, column)))
            .map(|cell| shown(self, cell))
            .collect();
        View {
            seats: Self::SEATS,
            rows: board.rows(),
            columns: board.columns(),
            origin: 1,
            first_letter: None,
            grid: GridStyle::Squares,
            cells,
            gauges: vec![Gauge { name: "points", amounts: self.scores() }],
            ..View::default()
        }
    }
}

fn shown(position: &Domineering, cell: usize) -> Cell {
    let weight = position.board().weights()[cell];
    let bit = 1 << cell;
    let owner = Side::BOTH.into_iter().find(|&side| dominoes(position.anchors(side), side) & bit != 0);
    let glyph = match owner {
        Some(Side::First) => 'H',
        Some(Side::Second) => 'V',
        None if position.empty() & bit == 0 => '#',
        // One character per cell: a two-digit weight only shows that there is one.
        None => char::from_digit(u32::from(weight), 10).unwrap_or('+'),
    };
    let joins = owner.map(|side| {
        let way = if position.anchors(side) & bit == 0 { -1 } else { 1 };
        if STEP[side.index()] == 1 { (0, way) } else { (way, 0) }
    });
    Cell { owner, glyph, weight: Some(weight), joins, ..Cell::default() }
}

messages! {
    /// Why a game is over.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum DomineeringEnding {
        /// Two passes ended the game.
        Passed = "both players passed one after the other",
        /// The board is full.
        Full = "neither side has a place left for a domino",
    }

    /// Reason why a text is not a position.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum DomineeringTextError {
        Fields { fields: usize } =
            "a position has 6 fields (weights, cover, side to move, passes, bonus, ply), not {fields}",
        Weights { text: String } =
            "invalid row of weights: `{text}`; expected digits, and numbers from 10 to 99 in parentheses",
        Board(error: BoardError),
        CoverSize { cover: String, rows: usize, columns: usize } =
            "cover `{cover}` does not have the {rows} rows of {columns} cells of the weights",
        Cover { character: char } = "invalid character in the cover: `{character}`; expected one of . < > ^ v #",
        Half { row: usize, column: usize } = "the domino on ({row},{column}) lacks its other half",
        Side { text: String } = "invalid side to move: `{text}`; expected H or V",
        Passes { text: String } = "invalid number of passes: `{text}`; expected 0, 1 or 2",
        Bonus(error: BonusError),
        Ply { text: String } = "invalid ply: `{text}`; expected a whole number from 0 to 65535",
    }
}

impl std::error::Error for DomineeringTextError {}

impl From<BoardError> for DomineeringTextError {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

impl From<BonusError> for DomineeringTextError {
    fn from(error: BonusError) -> Self {
        Self::Bonus(error)
    }
}

impl fmt::Display for Domineering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board();
        let field = |f: &mut fmt::Formatter<'_>, write: fn(&Self, usize, &mut fmt::Formatter<'_>) -> fmt::Result| {
            for row in 0..board.rows() {
                if row > 0 {
                    f.write_char('/')?;
                }
                for column in 0..board.columns() {
                    write(self, cell(row, column), f)?;
                }
            }
            f.write_char(' ')
        };
        field(f, |position, cell, f| match position.board().weights()[cell] {
            weight @ 0..=9 => write!(f, "{weight}"),
            weight => write!(f, "({weight})"),
        })?;
        field(f, |position, cell, f| f.write_char(cover(position, cell)))?;
        let side = Self::SEATS[self.turn().index()];
        write!(f, "{side} {} {} {}", self.passes(), self.bonus(), self.ply())
    }
}

fn cover(position: &Domineering, cell: usize) -> char {
    let bit = 1 << cell;
    for (side, [anchor, other]) in Side::BOTH.into_iter().zip([['<', '>'], ['^', 'v']]) {
        if position.anchors(side) & bit != 0 {
            return anchor;
        }
        if dominoes(position.anchors(side), side) & bit != 0 {
            return other;
        }
    }
    if position.empty() & bit == 0 { '#' } else { '.' }
}

/// Reads the output of `Display`. The ply is accepted as it is: a position cut out of a game may count from anywhere.
///
/// ```
/// use agon_rules::domineering::Domineering;
/// let text = "331/012/120 <>^/.#v/... H 1 2.5 3";
/// let position: Domineering = text.parse()?;
/// assert_eq!(position.to_string(), text);
/// assert_eq!(position.scores().map(|score| score.to_string()), ["6", "5.5"]);
/// # Ok::<(), agon_rules::domineering::DomineeringTextError>(())
/// ```
impl FromStr for Domineering {
    type Err = DomineeringTextError;

    fn from_str(text: &str) -> Result<Self, DomineeringTextError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let [weights, cover, side, passes, bonus, ply] = fields[..] else {
            return Err(DomineeringTextError::Fields { fields: fields.len() });
        };
        let rows: Vec<Vec<u8>> = weights.split('/').map(read_weights).collect::<Result<_, _>>()?;
        let board = WeightedBoard::new(&rows)?;
        let (anchors, covered) = read_cover(cover, &board)?;
        let turn = Side::BOTH
            .into_iter()
            .find(|turn| Self::SEATS[turn.index()] == side)
            .ok_or_else(|| DomineeringTextError::Side { text: side.to_owned() })?;
        let passes = ["0", "1", "2"]
            .iter()
            .position(|n| *n == passes)
            .ok_or_else(|| DomineeringTextError::Passes { text: passes.to_owned() })? as u8;
        let bonus: Bonus = bonus.parse()?;
        // No game is nearly as long, and no move after it may overflow the count.
        let ply: u16 = ply.parse().map_err(|_| DomineeringTextError::Ply { text: ply.to_owned() })?;
        Ok(Parts { board, bonus, covered, anchors, ply: ply.into(), turn, passes }.into())
    }
}

fn read_weights(row: &str) -> Result<Vec<u8>, DomineeringTextError> {
    let refused = || DomineeringTextError::Weights { text: row.to_owned() };
    let mut weights = Vec::new();
    let mut rest = row;
    while let Some(first) = rest.chars().next() {
        let (number, after) = match first {
            '(' => rest[1..].split_once(')').ok_or_else(refused)?,
            '0'..='9' => rest.split_at(1),
            _ => return Err(refused()),
        };
        weights.push(number.parse().map_err(|_| refused())?);
        rest = after;
    }
    Ok(weights)
}

/// Returns the anchors of both sides' dominoes, and the cells covered by something unknown.
fn read_cover(text: &str, board: &WeightedBoard) -> Result<([u64; 2], u64), DomineeringTextError> {
    let (rows, columns) = (board.rows(), board.columns());
    if text.split('/').count() != rows || text.split('/').any(|row| row.chars().count() != columns) {
        return Err(DomineeringTextError::CoverSize { cover: text.to_owned(), rows, columns });
    }
    let (mut anchors, mut others, mut covered) = ([0; 2], [0; 2], 0);
    for (row, line) in text.split('/').enumerate() {
        for (column, character) in line.chars().enumerate() {
            let bit = 1 << cell(row, column);
            match character {
                '.' => {}
                '#' => covered |= bit,
                '<' => anchors[0] |= bit,
                '>' => others[0] |= bit,
                '^' => anchors[1] |= bit,
                'v' => others[1] |= bit,
                _ => return Err(DomineeringTextError::Cover { character }),
            }
        }
    }
    for side in Side::BOTH {
        let (anchors, others) = (anchors[side.index()], others[side.index()]);
        let step = STEP[side.index()];
        // The places keep a horizontal domino from going on in the next row.
        let whole = anchors & (others >> step) & places(u64::MAX, side);
        let halves = (anchors & !whole) | (others & !(whole << step));
        if halves != 0 {
            let (row, column) = row_and_column(halves.trailing_zeros() as usize);
            return Err(DomineeringTextError::Half { row, column });
        }
    }
    Ok((anchors, covered))
}
