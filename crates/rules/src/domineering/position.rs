//! The position and its rules.

use std::fmt;
use std::str::FromStr;

use agon_game::hash::{fibonacci, mix};
use agon_game::position::read_numbers;
use agon_game::{GameScore, MoveError, Observer, Outcome, Position, Show as _, Side};
use agon_message::messages;

use super::cells::{self, STEP, dominoes, each, places};
use super::moves::{cell_at, row_and_column};
use super::{Move, WeightedBoard};

/// The points that the second player starts with: from −9999.5 to 9999.5 in steps of one half, by default
/// ALPHANO's 2.5. A negative bonus favours the first player; a bonus of whole points makes draws possible.
///
/// ```
/// use agon_game::GameScore;
/// use agon_rules::domineering::Bonus;
/// assert_eq!(Bonus::default().score(), GameScore::from_halves(5));
/// assert_eq!("2.5".parse(), Ok(Bonus::default()));
/// assert_eq!("-3".parse::<Bonus>()?.to_string(), "-3");
/// assert!("2.25".parse::<Bonus>().is_err());
/// # Ok::<(), agon_rules::domineering::BonusError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bonus(GameScore);

/// A bound far above any score of a game, and far below overflow.
const LIMIT_IN_HALVES: u32 = 19_999;

impl Bonus {
    /// Returns the points.
    #[inline]
    pub const fn score(self) -> GameScore {
        self.0
    }
}

impl Default for Bonus {
    fn default() -> Self {
        Self(GameScore::from_halves(5))
    }
}

impl fmt::Display for Bonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

messages! {
    /// Reason why a bonus is invalid.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum BonusError {
        Invalid { text: String } = "invalid bonus: `{text}`; expected -9999.5 to 9999.5 in steps of one half",
    }
}

impl std::error::Error for BonusError {}

impl TryFrom<GameScore> for Bonus {
    type Error = BonusError;

    fn try_from(score: GameScore) -> Result<Self, BonusError> {
        if score.halves().unsigned_abs() <= LIMIT_IN_HALVES {
            Ok(Self(score))
        } else {
            Err(BonusError::Invalid { text: score.to_string() })
        }
    }
}

impl FromStr for Bonus {
    type Err = BonusError;

    fn from_str(text: &str) -> Result<Self, BonusError> {
        let halves = || {
            let (negative, number) = text.strip_prefix('-').map_or((false, text), |number| (true, number));
            let (whole, half) = match number.split_once('.') {
                None => (number, 0),
                Some((whole, "0")) => (whole, 0),
                Some((whole, "5")) => (whole, 1),
                Some(_) => return None,
            };
            if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let halves = whole.parse::<i32>().ok()?.checked_mul(2)?.checked_add(half)?;
            Some(if negative { -halves } else { halves })
        };
        halves()
            .and_then(|halves| Self::try_from(GameScore::from_halves(halves)).ok())
            .ok_or_else(|| BonusError::Invalid { text: text.to_owned() })
    }
}

/// A position: the board, the dominoes on it, and the turn. A plain value of 120 bytes.
///
/// Two positions are equal if everything is: the dominoes and their owners, and the ply. The hash ignores everything
/// that does not matter to the rest of the game (see [`Domineering::future_key`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Domineering {
    board: WeightedBoard,
    empty: u64,
    /// Anchors of each side's dominoes.
    anchors: [u64; 2],
    /// Points of each side's dominoes, without the bonus: at most 64 × 99.
    points: [u16; 2],
    bonus: Bonus,
    ply: u32,
    turn: Side,
    /// Number of successive PASSes so far; the second ends the game.
    passes: u8,
}

/// Error for a covered cell outside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("({row},{column}) is outside the board of {} rows and {} columns", size.0, size.1)]
pub struct OutsideBoard {
    /// Refused row, from 1.
    pub row: usize,
    /// Refused column, from 1.
    pub column: usize,
    /// Number of rows and columns of the board.
    pub size: (usize, usize),
}

/// The independent parts of a position.
pub(super) struct Parts {
    pub board: WeightedBoard,
    pub bonus: Bonus,
    /// Cells covered by an unknown side.
    pub covered: u64,
    pub anchors: [u64; 2],
    pub ply: u32,
    pub turn: Side,
    pub passes: u8,
}

impl From<Parts> for Domineering {
    fn from(parts: Parts) -> Self {
        let Parts { board, bonus, covered, anchors, ply, turn, passes } = parts;
        let taken = Side::BOTH.map(|side| dominoes(anchors[side.index()], side));
        let points = taken.map(|cells| each(cells).map(|cell| u16::from(board.weights()[cell])).sum());
        let empty = board.cells() & !(covered | taken[0] | taken[1]);
        Self { board, empty, anchors, points, bonus, ply, turn, passes }
    }
}

impl Domineering {
    /// Creates the start of a game on this board.
    pub fn new(board: WeightedBoard, bonus: Bonus) -> Self {
        let (turn, passes) = (Side::First, 0);
        Parts { board, bonus, covered: 0, anchors: [0; 2], ply: 0, turn, passes }.into()
    }

    /// Creates a partly known position: the covered cells, as (row, column) from 1, the side to move, and whether the
    /// last move was a PASS. Since the owners of the covered cells are unknown, the scores count from here, 0 and the
    /// bonus, and so does the ply.
    ///
    /// # Errors
    /// [`OutsideBoard`] if a covered cell is not on the board.
    ///
    /// ```
    /// use agon_game::{Position, Side};
    /// use agon_rules::domineering::{WeightedBoard, Bonus, Domineering};
    /// let board = WeightedBoard::from_rows("1 2 3\n0 1 2")?;
    /// let position = Domineering::bare(board, Bonus::default(), [(1, 1), (2, 1)], Side::Second, false)?;
    /// let mut moves = Vec::new();
    /// position.legal_moves(&mut moves);
    /// let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    /// assert_eq!(moves, ["1 2", "1 3", "-1 -1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bare(
        board: WeightedBoard,
        bonus: Bonus,
        covered: impl IntoIterator<Item = (usize, usize)>,
        turn: Side,
        last_pass: bool,
    ) -> Result<Self, OutsideBoard> {
        let size = (board.rows(), board.columns());
        let covered = covered.into_iter().try_fold(0, |set, (row, column)| {
            let inside = (1..=size.0).contains(&row) && (1..=size.1).contains(&column);
            if inside { Ok(set | 1 << cell_at(row, column)) } else { Err(OutsideBoard { row, column, size }) }
        })?;
        Ok(Parts { board, bonus, covered, anchors: [0; 2], ply: 0, turn, passes: u8::from(last_pass) }.into())
    }

    /// Returns the board.
    #[inline]
    pub const fn board(&self) -> &WeightedBoard {
        &self.board
    }

    /// Returns the second player's bonus.
    #[inline]
    pub const fn bonus(&self) -> Bonus {
        self.bonus
    }

    /// Returns the empty cells (see [`cells`]).
    #[inline]
    pub const fn empty(&self) -> u64 {
        self.empty
    }

    /// Returns the anchors of the dominoes that `side` has placed (see [`cells`]).
    #[inline]
    pub const fn anchors(&self, side: Side) -> u64 {
        self.anchors[side.index()]
    }

    /// Returns the anchors of the places where `side` can put a domino, whichever side is to move (see [`cells`]).
    #[inline]
    pub const fn places(&self, side: Side) -> u64 {
        places(self.empty, side)
    }

    /// Returns true if the last move was a PASS.
    #[inline]
    pub const fn last_pass(&self) -> bool {
        self.passes > 0
    }

    /// Returns the number of successive PASSes played last: 0, 1, or 2 if they ended the game.
    pub(super) const fn passes(&self) -> u8 {
        self.passes
    }

    /// Returns both scores, the second with its bonus.
    pub fn scores(&self) -> [GameScore; 2] {
        let [first, second] = self.points.map(|points| GameScore::from(i32::from(points)));
        [first, second + self.bonus.score()]
    }

    /// Returns the lead of the first side, bonus included; negative if it trails.
    #[inline]
    pub fn lead(&self) -> GameScore {
        GameScore::from(i32::from(self.points[0]) - i32::from(self.points[1])) - self.bonus.score()
    }

    /// Returns a key of everything that matters to the rest of the game: the board, the empty cells, the side to move,
    /// the PASSes. It ignores the scores, so the sides' future points are the same in all positions with one key: use
    /// this key, not [`Position::hash`], for tables of exact values.
    #[inline]
    pub fn future_key(&self) -> u64 {
        self.future_key_on(self.board.key())
    }

    #[inline]
    fn future_key_on(&self, board: u64) -> u64 {
        // One word of cells, mixed injectively: on one board, no two positions with the same side to move collide, and
        // nothing has to be updated incrementally.
        let turn = u64::from(self.passes) << 1 | self.turn as u64;
        mix(self.empty ^ board) ^ fibonacci(turn)
    }

    #[inline]
    fn hash_on(&self, board: u64) -> u64 {
        self.future_key_on(board) ^ mix(self.lead().halves() as u64)
    }

    /// Returns true if neither side has a place left.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.places(Side::First) | self.places(Side::Second) == 0
    }

    /// Returns true if both players passed in turn.
    #[inline]
    pub(super) const fn is_passed_out(&self) -> bool {
        self.passes >= 2
    }

    /// Returns the move that places a domino of `side` at (x,y), or the reason why it cannot.
    fn place(&self, [x, y]: [i32; 2]) -> Result<Move, DomineeringRefusal> {
        let side = self.turn;
        let name = Self::SEATS[side.index()];
        if self.places(side) == 0 {
            return Err(DomineeringRefusal::MustPass { side: name });
        }
        let (rows, columns) = (self.board.rows(), self.board.columns());
        let within = |number: i32, limit: usize| usize::try_from(number).ok().filter(|n| (1..=limit).contains(n));
        let (Some(row), Some(column)) = (within(x, rows), within(y, columns)) else {
            return Err(DomineeringRefusal::Outside { row: x, column: y, rows, columns });
        };
        let other = match side {
            Side::First => (row, column + 1),
            Side::Second => (row + 1, column),
        };
        let named = |(row, column): (usize, usize)| format!("({row},{column})");
        let domino = || {
            let (first, second) = (named((row, column)), named(other));
            match side {
                Side::First => Domino::Horizontal { side: name, first, second },
                Side::Second => Domino::Vertical { side: name, first, second },
            }
        };
        if other.0 > rows || other.1 > columns {
            return Err(DomineeringRefusal::SecondCell { domino: domino() });
        }
        for cell in [(row, column), other] {
            if self.empty >> cell_at(cell.0, cell.1) & 1 == 0 {
                return Err(DomineeringRefusal::Covered { domino: domino(), cell: named(cell) });
            }
        }
        Ok(Move::at(cell_at(row, column)))
    }
}

messages! {
    /// The notations of a move.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum DomineeringNotation {
        Numbers = "two whole numbers x y, or -1 -1 to PASS",
        Written = "the row and the column of a domino's upper or left cell, `3 4`, or PASS",
    }

    /// A domino of a side on two cells: `(3,4)`, the row and the column.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum Domino {
        Horizontal { side: &'static str, first: String, second: String } =
            "{side}'s horizontal domino on {first} and {second}",
        Vertical { side: &'static str, first: String, second: String } =
            "{side}'s vertical domino on {first} and {second}",
    }

    /// Reason why the rules refuse a move.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum DomineeringRefusal {
        MustPass { side: &'static str } = "{side} has no place left: only PASS, -1 -1, is legal",
        Outside { row: i32, column: i32, rows: usize, columns: usize } =
            "({row},{column}) is outside the board of {rows} rows and {columns} columns",
        SecondCell { domino: Domino } = "{domino}: the second cell is outside the board",
        Covered { domino: Domino, cell: String } = "{domino}: {cell} is already covered",
    }
}

impl DomineeringRefusal {
    /// Returns the name of the rule that the move breaks.
    const fn rule(&self) -> &'static str {
        match self {
            Self::MustPass { .. } => "must-pass",
            Self::Outside { .. } => "outside",
            Self::SecondCell { .. } => "second-cell",
            Self::Covered { .. } => "covered",
        }
    }
}

impl Position for Domineering {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn ply(&self) -> u32 {
        self.ply
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.is_passed_out() || self.is_full()).then(|| Outcome::by_score(self.lead(), GameScore::default()))
    }

    /// Lists dominoes from the first row down, each row from the left, then the PASS.
    #[inline]
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.outcome().is_none() {
            moves.extend(each(self.places(self.turn)).map(Move::at));
            moves.push(Move::PASS);
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move, observer: &mut impl Observer) {
        let side = self.turn;
        if let Some(anchor) = m.anchor() {
            self.empty &= !dominoes(1 << anchor, side);
            self.anchors[side.index()] |= 1 << anchor;
            let points = &mut self.points[side.index()];
            // Wraps only when illegal moves are played over and over.
            *points = points.wrapping_add(u16::from(self.board.pay(side, anchor)));
            self.passes = 0;
            for cell in [anchor, anchor + STEP[side.index()]] {
                let (row, column) = row_and_column(cell);
                observer.change((row - 1) * self.board.columns() + column - 1, None, Some(side));
            }
        } else {
            self.passes = self.passes.saturating_add(1);
        }
        self.ply += 1;
        self.turn = side.other();
    }

    fn is_legal(&self, m: Move) -> bool {
        self.outcome().is_none() && m.anchor().is_none_or(|anchor| self.places(self.turn) >> anchor & 1 == 1)
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let numbers = read_numbers(text, DomineeringNotation::Numbers)?;
        if self.outcome().is_some() {
            return Err(MoveError::Over { text: text.to_owned() });
        }
        if numbers == [-1, -1] {
            return Ok(Move::PASS);
        }
        self.place(numbers).map_err(|refusal| {
            let rule = refusal.rule();
            MoveError::illegal(text, refusal).breaking(rule)
        })
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash_on(self.board.key())
    }

    fn computed_hash(&self) -> u64 {
        self.hash_on(self.board.computed_key())
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.is_passed_out() { 0 } else { cells::lines(self.empty, self.turn, self.last_pass(), 1) }
    }

    fn perft(&self, depth: u32) -> u64 {
        if self.is_passed_out() && depth > 0 { 0 } else { cells::lines(self.empty, self.turn, self.last_pass(), depth) }
    }
}
