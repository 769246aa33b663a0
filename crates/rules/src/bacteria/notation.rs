//! Moves and positions as text.
//!
//! # The judge's moves
//!
//! `x1 y1 x2 y2`, rows and columns from 1, and `-1 -1 -1 -1` for PASS.
//!
//! # Moves as people write them
//!
//! This is the notation of Ataxx programs. A cell is a letter for its column, `a` to `g` from the left, and a number
//! for its row, 1 to 7 from the *bottom*. So the judge's row x is row 8 − x here, and O begins on a7 and g1. A move is
//! its source and its destination, `g1f2`, or PASS. For a division the destination suffices, since all its sources lead
//! to the same position.
//!
//! Programs write a division as its destination only, `f2`, and PASS as `0000` ([`write_uai`]), as in UAI and in PGN of
//! Ataxx. Some readers take a division with its source for a leap, or refuse it (`libataxx`, the crate `ataxx`).
//!
//! # Positions
//!
//! The FEN of Ataxx programs, `x5o/7/7/7/7/7/o5x x 0 1`:
//!
//! - Seven rows from the top, separated by `/`: `x` is a cell of the first side, whose seat is called O; `o` is one of
//!   the second, whose seat is called X; a digit from 1 to 7 stands for that many empty cells.
//! - The side to move, `x` or `o`.
//!
//!   Other programs call the first side Black and the second White, so `b` and `w` are accepted, and capital letters.
//! - The half-move clock: plies since the last division. No rule of this game needs it.
//! - The number of the full move, from 1; it increases after each move of the second side. Together with the side to
//!   move it gives the number of plies; a game has [`PLY_LIMIT`].
//!
//! Both counters, or the second, may be missing; they are then `0 1`. Blocked cells, `-`, are not allowed.
//!
//! A position in which the game is over reads like any other.

use std::fmt;
use std::str::FromStr;

use agon_game::position::read_numbers;
use agon_game::{MoveError, Position, Side};
use agon_message::messages;

use super::board::{Cells, WIDTH, bit, distance, neighbours};
use super::{Bacteria, Move, PLY_LIMIT};

/// Returns the cell in this row and column from 1, if it is on the board.
fn cell_at(x: i32, y: i32) -> Option<usize> {
    let index = |n: i32| usize::try_from(n).ok()?.checked_sub(1).filter(|&n| n < WIDTH);
    Some(index(x)? * WIDTH + index(y)?)
}

/// Reads a move in the judge's notation and checks that it is legal in `position`.
pub(super) fn read_move(position: &Bacteria, text: &str) -> Result<Move, MoveError> {
    if position.is_over() {
        return Err(MoveError::Over { text: text.to_owned() });
    }
    let numbers = read_numbers::<4>(text, BacteriaNotation::Numbers)?;
    prove(position, numbers).map_err(|refusal| {
        if position.within_two() == 0 {
            MoveError::illegal(text, MustPass::Pass { refusal }).breaking("must-pass")
        } else {
            let rule = refusal.rule();
            MoveError::illegal(text, refusal).breaking(rule)
        }
    })
}

messages! {
    /// The notations of a move.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum BacteriaNotation {
        Numbers = "four whole numbers x1 y1 x2 y2",
        Written = "`a7b6`, `b6` (to divide), PASS, or the judge's `1 1 2 2`",
    }

    /// Reason why the rules refuse a move. Cells are named as the board is labelled and as the program has written
    /// them: `a7 (1,1)`.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum BacteriaRefusal {
        NeedlessPassOfOne = "PASS is legal only when nothing else is: 1 move is",
        NeedlessPass { moves: u64 } = "PASS is legal only when nothing else is: {moves} moves are",
        Outside { cell: String } = "{cell} is outside the board",
        OpponentsSource { cell: String } = "{cell} holds no bacterium of yours: it is the opponent's",
        EmptySource { cell: String } = "{cell} holds no bacterium of yours: it is empty",
        NoDistance { cell: String } = "{cell} cannot move to itself: a division goes 1 far and a leap 2",
        Distance { far: u32 } = "distance {far} is neither a division nor a leap",
        OwnDestination { cell: String } = "{cell} is not empty: it is yours",
        OpponentsDestination { cell: String } = "{cell} is not empty: it is the opponent's",
    }

    /// Reason why the rules refuse a move where only PASS is legal.
    #[allow(missing_docs)]
    pub enum MustPass {
        Pass { refusal: BacteriaRefusal } = "{refusal}; the only legal move is PASS, -1 -1 -1 -1",
    }
}

impl BacteriaRefusal {
    /// Returns the name of the rule that the move breaks.
    const fn rule(&self) -> &'static str {
        match self {
            Self::NeedlessPassOfOne | Self::NeedlessPass { .. } => "needless-pass",
            Self::Outside { .. } => "outside",
            Self::OpponentsSource { .. } | Self::EmptySource { .. } => "not-own",
            Self::NoDistance { .. } | Self::Distance { .. } => "distance",
            Self::OwnDestination { .. } | Self::OpponentsDestination { .. } => "taken",
        }
    }
}

/// Returns the move of these numbers, or why the rules refuse it. The game must not be over.
fn prove(position: &Bacteria, [x1, y1, x2, y2]: [i32; 4]) -> Result<Move, BacteriaRefusal> {
    if [x1, y1, x2, y2] == [-1; 4] {
        return match position.within_two() {
            0 => Ok(Move::PASS),
            _ => Err(match position.count_moves() {
                1 => BacteriaRefusal::NeedlessPassOfOne,
                moves => BacteriaRefusal::NeedlessPass { moves },
            }),
        };
    }
    let on_board = |x, y| cell_at(x, y).ok_or_else(|| BacteriaRefusal::Outside { cell: format!("({x},{y})") });
    let (from, to) = (on_board(x1, y1)?, on_board(x2, y2)?);
    // As labelled on the board, and as written by the program.
    let both = |cell, x, y| format!("{} ({x},{y})", cell_name(cell));
    let (source, destination) = (|| both(from, x1, y1), || both(to, x2, y2));
    let mover = position.turn();
    let owner = |cell| Side::BOTH.into_iter().find(|&side| position.cells(side) & bit(cell) != 0);
    match owner(from) {
        Some(side) if side == mover => {}
        Some(_) => return Err(BacteriaRefusal::OpponentsSource { cell: source() }),
        None => return Err(BacteriaRefusal::EmptySource { cell: source() }),
    }
    match distance(from, to) {
        0 => return Err(BacteriaRefusal::NoDistance { cell: source() }),
        1 | 2 => {}
        far => return Err(BacteriaRefusal::Distance { far: far as u32 }),
    }
    match owner(to) {
        None => Ok(Move::new(from, to)),
        Some(side) if side == mover => Err(BacteriaRefusal::OwnDestination { cell: destination() }),
        Some(_) => Err(BacteriaRefusal::OpponentsDestination { cell: destination() }),
    }
}

/// PASS in people's notation.
const PASS: &str = "PASS";

/// A PASS as UAI writes it.
const UAI_PASS: &str = "0000";

/// Returns the name of a cell from 0 to 48.
///
/// ```
/// use agon_rules::bacteria::notation::{cell_name, parse_cell};
/// assert_eq!((cell_name(0).as_str(), cell_name(48).as_str()), ("a7", "g1"));
/// assert_eq!((parse_cell("a7"), parse_cell("G1"), parse_cell("h1")), (Some(0), Some(48), None));
/// ```
pub fn cell_name(cell: usize) -> String {
    format!("{}{}", char::from(b'a' + (cell % WIDTH) as u8), WIDTH - cell / WIDTH)
}

/// Parses the name of a cell, in small or capital letters.
pub fn parse_cell(name: &str) -> Option<usize> {
    let &[letter, digit] = name.as_bytes() else { return None };
    let within = |n: u8| (usize::from(n) < WIDTH).then_some(usize::from(n));
    let column = within(letter.to_ascii_lowercase().checked_sub(b'a')?)?;
    let row = within(digit.checked_sub(b'1')?)?;
    Some((WIDTH - 1 - row) * WIDTH + column)
}

/// Writes a move in people's notation.
///
/// ```
/// use agon_rules::bacteria::{Move, notation};
/// assert_eq!(notation::write_letters(Move::new(48, 40)), "g1f2");
/// assert_eq!(notation::write_letters(Move::PASS), "PASS");
/// ```
pub fn write_letters(m: Move) -> String {
    if m.is_pass() { PASS.to_owned() } else { cell_name(m.from()) + &cell_name(m.to()) }
}

/// Writes a move as UAI and other Ataxx programs do.
///
/// ```
/// use agon_rules::bacteria::{Move, notation::write_uai};
/// assert_eq!(write_uai(Move::new(48, 47)), "f1");
/// assert_eq!(write_uai(Move::new(48, 33)), "g1f3");
/// assert_eq!(write_uai(Move::PASS), "0000");
/// ```
pub fn write_uai(m: Move) -> String {
    if m.is_pass() {
        UAI_PASS.to_owned()
    } else if m.is_leap() {
        write_letters(m)
    } else {
        cell_name(m.to())
    }
}

/// Reads a move in people's notation or in UAI's, legal or not; `None` if the text is not a move. A destination alone
/// means a division from its first source, as does a drop, `P@f2`; `PASS`, `0000` and `null` mean PASS.
///
/// ```
/// use agon_rules::bacteria::{Bacteria, notation};
/// let read = |text| notation::read_letters(&Bacteria::start(), text).map(|m| m.to_string());
/// assert_eq!(read("g1f3").as_deref(), Some("7 7 5 6"));
/// assert_eq!(read("B7").as_deref(), Some("1 1 1 2"));
/// assert_eq!(read("pass").as_deref(), Some("-1 -1 -1 -1"));
/// assert_eq!(read("0000"), read("pass"));
/// assert_eq!(read("d4"), None);
/// ```
pub fn read_letters(position: &Bacteria, text: &str) -> Option<Move> {
    if [PASS, UAI_PASS, "null"].iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
        return Some(Move::PASS);
    }
    let named = |at: usize| parse_cell(text.get(at..at + 2)?);
    let divided = |to: usize| {
        let from = Cells(neighbours(to) & position.cells(position.turn())).next()?;
        Some(Move::new(from, to))
    };
    match text.as_bytes() {
        [_, b'@', ..] if text.len() == 4 => divided(named(2)?),
        [_, _, _, _] => Some(Move::new(named(0)?, named(2)?)),
        [_, _] => divided(named(0)?),
        _ => None,
    }
}

messages! {
    /// Reason why a text is not a position.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum FenError {
        Rows { text: String, rows: usize } = "expected 7 rows, found {rows}: `{text}`",
        Width { text: String, row: usize, cells: usize } = "expected 7 cells in row {row}, found {cells}: `{text}`",
        Blocked { text: String, row: usize } =
            "row {row}, `{text}`, has a blocked cell, `-`, which this game does not have",
        Character { character: char, row: usize } =
            "invalid character in row {row}: `{character}`; expected `x`, `o`, `b`, `w` or a digit from 1 to 7",
        Turn { text: String } = "invalid side to move: `{text}`; expected `x` or `o`",
        Clock { text: String } = "invalid half-move clock: `{text}`",
        FullMove { text: String, last: u16 } = "invalid full-move number: `{text}`; expected 1 to {last}",
        Trailing { text: String } = "unexpected text after the full-move number: `{text}`",
    }
}

impl std::error::Error for FenError {}

/// Writes the FEN.
impl fmt::Display for Bacteria {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(48);
        for row in 0..WIDTH {
            if row > 0 {
                text.push('/');
            }
            let mut gap = 0;
            for cell in row * WIDTH..(row + 1) * WIDTH {
                let Some(side) = Side::BOTH.into_iter().find(|&side| self.cells(side) & bit(cell) != 0) else {
                    gap += 1;
                    continue;
                };
                push_gap(&mut text, std::mem::take(&mut gap));
                text.push(side_letter(side));
            }
            push_gap(&mut text, gap);
        }
        f.pad(&format!("{text} {} {} {}", side_letter(self.turn()), self.clock, self.ply() / 2 + 1))
    }
}

fn push_gap(text: &mut String, gap: u8) {
    if gap > 0 {
        text.push(char::from(b'0' + gap));
    }
}

/// Reads a FEN.
impl FromStr for Bacteria {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut words = text.split_ascii_whitespace();
        let cells = read_board(words.next().unwrap_or_default())?;
        let mover = words.next().unwrap_or_default();
        let turn = match mover.as_bytes() {
            &[letter] => side_of(letter.into()),
            _ => None,
        };
        let turn = turn.ok_or_else(|| FenError::Turn { text: mover.to_owned() })?;
        let clock = words.next().unwrap_or("0");
        let clock = clock.parse().map_err(|_| FenError::Clock { text: clock.to_owned() })?;
        let ply = words.next().map_or(Ok(turn as u16), |number| read_ply(number, turn))?;
        if let Some(more) = words.next() {
            return Err(FenError::Trailing { text: more.to_owned() });
        }
        Ok(Self::hashed(cells, ply).with_half_moves(clock))
    }
}

fn read_board(text: &str) -> Result<[u64; 2], FenError> {
    let rows = text.split('/').count();
    if rows != WIDTH {
        return Err(FenError::Rows { text: text.to_owned(), rows });
    }
    let mut cells = [0; 2];
    for (index, line) in text.split('/').enumerate() {
        let row = index + 1;
        let mut column = 0;
        for character in line.chars() {
            match (character, side_of(character)) {
                (_, Some(side)) => {
                    // Past the edge the bit is wrong; the row is then refused below.
                    cells[side.index()] |= bit(index * WIDTH + column);
                    column += 1;
                }
                ('1'..='7', None) => column += character as usize - '0' as usize,
                ('-', None) => return Err(FenError::Blocked { text: line.to_owned(), row }),
                _ => return Err(FenError::Character { character, row }),
            }
        }
        if column != WIDTH {
            return Err(FenError::Width { text: line.to_owned(), row, cells: column });
        }
    }
    Ok(cells)
}

/// Returns the number of plies before `turn` moves in this full move.
fn read_ply(text: &str, turn: Side) -> Result<u16, FenError> {
    // After the last ply the first side would be to move, in a full move that the second never sees.
    let last = (PLY_LIMIT - turn as u16) / 2 + 1;
    match text.parse::<u16>() {
        Ok(number) if (1..=last).contains(&number) => Ok((number - 1) * 2 + turn as u16),
        _ => Err(FenError::FullMove { text: text.to_owned(), last }),
    }
}

/// Returns the side of a letter in a FEN.
const fn side_of(letter: char) -> Option<Side> {
    match letter {
        'x' | 'X' | 'b' | 'B' => Some(Side::First),
        'o' | 'O' | 'w' | 'W' => Some(Side::Second),
        _ => None,
    }
}

/// Returns the letter of a side in a FEN.
const fn side_letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}
