//! The moves of a game in the Smart Game Format, game 4 ("Gomoku+Renju"), <https://www.red-bean.com/sgf/>.
//!
//! The format leaves the points of game 4 open. Agon writes them as the format does for Go: two small letters, the
//! column from the left and then the row from the *top*, so `aa` is (1,1), `oa` is (1,15) and `hh` the centre. It also
//! reads what renju programs write, `h8`: the column's letter and the row's number from the bottom. A PASS is an empty
//! value, `B[]`; `tt` and `pass` are read as one too.
//!
//! Neither direction looks at the rules: play the moves with [`super::Renju::after`] to check them.

use std::fmt::Write;

use agon_game::{Outcome, Side};

use super::position::name;
use super::{Move, Point, SIZE};

/// The most lines that a game is read with.
pub const MAX_LINES: usize = 400;

/// The most moves in one line. The board has 225 points, and two passes in a row end a game.
pub const MAX_LINE_MOVES: usize = 1_000;

/// The most moves in all lines together, each counted once however many lines share it.
pub const MAX_MOVES: usize = 20_000;

/// What has decided a won game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WonBy {
    /// The rules.
    #[default]
    Rules,
    /// The other side gave up.
    Resignation,
    /// The other side had no time left.
    Time,
    /// The other side did what loses at once, as a program that answers with an illegal move.
    Forfeit,
}

/// Whom a game was played by, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SgfHeader {
    /// The name of Black's player; empty if unknown.
    pub black: String,
    /// The name of White's player; empty if unknown.
    pub white: String,
    /// The result; `None` if unknown.
    pub result: Option<Outcome>,
    /// By what it was won, if it was.
    pub won_by: WonBy,
}

/// Writes a game: colours alternate from Black on, ten moves a line.
///
/// ```
/// use agon_rules::renju::{Move, Point, sgf};
/// let moves = [Move::Stone(Point::CENTRE), Move::Stone(Point::new(7, 8).unwrap()), Move::Pass];
/// let text = sgf::write(&moves, &sgf::SgfHeader::default());
/// assert_eq!(text, "(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]\n;B[hh];W[hg];B[])\n");
/// assert_eq!(sgf::read(&text), Ok(moves.to_vec()));
/// ```
pub fn write(moves: &[Move], header: &SgfHeader) -> String {
    write_lines(&[moves.to_vec()], header)
}

/// Writes a game with variations: the first line is the main one, and where another one leaves those before it, it
/// becomes a branch.
///
/// ```
/// use agon_rules::renju::sgf::{read_lines, write_lines};
/// use agon_rules::renju::{Move, Point};
/// let line = |numbers: &[u8]| numbers.iter().map(|&n| Move::Stone(Point::new(8, n).unwrap())).collect::<Vec<_>>();
/// let lines = [line(&[8, 9, 10]), line(&[8, 7])];
/// let text = write_lines(&lines, &Default::default());
/// assert!(text.ends_with("\n;B[hh](;W[ih];B[jh])(;W[gh]))\n"), "{text}");
/// assert_eq!(read_lines(&text).unwrap(), lines);
/// ```
pub fn write_lines(lines: &[Vec<Move>], header: &SgfHeader) -> String {
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[{SIZE}]");
    let by = match header.won_by {
        WonBy::Rules => "",
        WonBy::Resignation => "R",
        WonBy::Time => "T",
        WonBy::Forfeit => "F",
    };
    let result = match header.result {
        Some(Outcome::Win(side)) => format!("{}+{by}", letter(side)),
        Some(Outcome::Draw) => "Draw".to_owned(),
        None => String::new(),
    };
    for (property, value) in [("PB", header.black.as_str()), ("PW", &header.white), ("RE", &result)] {
        if !value.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{property}[{}]", escaped(value));
        }
    }
    write_branches(&mut text, &lines.iter().map(Vec::as_slice).collect::<Vec<_>>(), 0);
    text + ")\n"
}

/// Writes what follows the first moves, which all lines share.
fn write_branches(text: &mut String, lines: &[&[Move]], shared: usize) {
    let mut at = shared;
    loop {
        let mut branches: Vec<(Move, Vec<&[Move]>)> = Vec::new();
        for &line in lines.iter().filter(|line| line.len() > at) {
            match branches.iter_mut().find(|(m, _)| *m == line[at]) {
                Some((_, same)) => same.push(line),
                None => branches.push((line[at], vec![line])),
            }
        }
        match &branches[..] {
            [] => return,
            [(m, _)] => write_move(text, at, *m),
            several => {
                for (m, same) in several {
                    text.push('(');
                    write_move(text, at, *m);
                    write_branches(text, same, at + 1);
                    text.push(')');
                }
                return;
            }
        }
        at += 1;
    }
}

fn write_move(text: &mut String, number: usize, m: Move) {
    if number.is_multiple_of(10) {
        text.push('\n');
    }
    let point = m.point().map_or_else(String::new, |point| {
        [point.column(), point.row()].map(|number| char::from(b'a' + number - 1)).iter().collect()
    });
    // Writing to a string cannot fail.
    let _ = write!(text, ";{}[{point}]", letter(turn(number)));
}

/// A simple text as a property's value: brackets and backslashes quoted, line ends made blanks.
fn escaped(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            quoted.push('\\');
        }
        quoted.push(if c.is_control() { ' ' } else { c });
    }
    quoted
}

/// Whose turn the move with this number is, from 0.
const fn turn(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::First } else { Side::Second }
}

const fn letter(side: Side) -> char {
    match side {
        Side::First => 'B',
        Side::Second => 'W',
    }
}

/// Reads the main line of the first game in a text: where it branches, the first branch.
///
/// What stands before the game, after its main line, between nodes, and all properties that are no moves are passed
/// over; a text that breaks off between two properties gives the moves up to there.
///
/// # Errors
/// [`SgfError`] when there is no game of renju on 15 × 15 points from an empty board with colours in turn, or more than
/// [`MAX_LINE_MOVES`].
pub fn read(text: &str) -> Result<Vec<Move>, SgfError> {
    // The main line is always the first.
    Ok(read_some(text, 1)?.swap_remove(0).moves)
}

/// A line of a game: what it adds to the line read before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SgfBranch {
    /// How many of its moves are the first moves of the line before it; 0 for the main line.
    pub shared: usize,
    /// The moves that follow them.
    pub moves: Vec<Move>,
}

/// Reads the first game of a text with its variations: all lines, the main one first, each without the moves that it
/// shares with the line before it. So the result is never larger than the text.
///
/// # Errors
/// [`SgfError`] as [`read`], and when there are more than [`MAX_LINES`] or [`MAX_MOVES`].
pub fn read_branches(text: &str) -> Result<Vec<SgfBranch>, SgfError> {
    let lines = read_some(text, MAX_LINES + 1)?;
    if lines.len() > MAX_LINES { Err(SgfError::Lines) } else { Ok(lines) }
}

/// Reads the first game of a text with its variations: all lines from the first move on, the main one first.
///
/// # Errors
/// [`SgfError`] as [`read_branches`].
pub fn read_lines(text: &str) -> Result<Vec<Vec<Move>>, SgfError> {
    let mut line: Vec<Move> = Vec::new();
    let whole = |branch: SgfBranch| {
        line.truncate(branch.shared);
        line.extend(branch.moves);
        line.clone()
    };
    Ok(read_branches(text)?.into_iter().map(whole).collect())
}

/// The lines of a game while its text is read.
#[derive(Default)]
struct LineReader {
    lines: Vec<SgfBranch>,
    /// The moves from the start to the place that is read.
    moves: Vec<Move>,
    /// How many of them are moves of the last line, too.
    shared: usize,
    /// How many moves were read in all.
    read: usize,
}

impl LineReader {
    /// Ends a line here.
    fn end(&mut self) {
        self.lines.push(SgfBranch { shared: self.shared, moves: self.moves[self.shared..].to_vec() });
        self.shared = self.moves.len();
    }

    /// Goes back to an earlier place.
    fn back_to(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.shared = self.shared.min(moves);
    }

    fn play(&mut self, m: Move) -> Result<(), SgfError> {
        self.read += 1;
        if self.moves.len() >= MAX_LINE_MOVES || self.read > MAX_MOVES {
            return Err(SgfError::Moves);
        }
        self.moves.push(m);
        Ok(())
    }
}

/// The first `most` lines; at least one.
fn read_some(text: &str, most: usize) -> Result<Vec<SgfBranch>, SgfError> {
    let start = text
        .match_indices('(')
        .find(|(at, _)| text[at + 1..].trim_start().starts_with(';'))
        .map(|(at, _)| at)
        .ok_or(SgfError::NoGame)?;
    let mut lines = LineReader::default();
    // How many moves there were where each open branch begins, and whether the last one has been entered and not left.
    let mut open = Vec::new();
    let mut entered = false;
    let mut rest = text[start..].chars();
    let mut property = String::new();
    while let Some(c) = rest.next() {
        match c {
            '(' => {
                open.push(lines.moves.len());
                (entered, property) = (true, String::new());
            }
            ')' => {
                if entered {
                    lines.end();
                }
                lines.back_to(open.pop().unwrap_or_default());
                (entered, property) = (false, String::new());
                if open.is_empty() || lines.lines.len() >= most {
                    break;
                }
            }
            // Format 3 mixed small letters into the names of properties; they say nothing.
            'A'..='Z' => property.push(c),
            '[' => {
                let value = read_value(&mut rest).ok_or_else(|| SgfError::Unclosed { property: property.clone() })?;
                apply(&property, value.trim(), &mut lines)?;
                // Another value in a row belongs to the same property.
                if !rest.as_str().trim_start().starts_with('[') {
                    property.clear();
                }
            }
            ';' => property.clear(),
            _ => {}
        }
    }
    // A text that breaks off.
    if lines.lines.is_empty() || entered {
        lines.end();
    }
    Ok(lines.lines)
}

/// The value up to its closing bracket, which is taken too; `None` if there is none.
fn read_value(rest: &mut std::str::Chars<'_>) -> Option<String> {
    let mut value = String::new();
    loop {
        match rest.next()? {
            ']' => return Some(value),
            '\\' => value.push(rest.next()?),
            c => value.push(c),
        }
    }
}

/// Takes one value of a property into account.
fn apply(property: &str, value: &str, lines: &mut LineReader) -> Result<(), SgfError> {
    let side = match property {
        "B" => Side::First,
        "W" => Side::Second,
        "GM" if value != "4" => return Err(SgfError::Game { text: value.to_owned() }),
        "SZ" if !matches!(value, "15" | "15:15") => return Err(SgfError::Size { text: value.to_owned() }),
        "AB" | "AW" | "AE" => return Err(SgfError::Setup { property: property.to_owned() }),
        _ => return Ok(()),
    };
    let number = lines.moves.len();
    if side != turn(number) {
        return Err(SgfError::Turn { number: number + 1, side: name(side) });
    }
    lines.play(read_move(value).ok_or_else(|| SgfError::Point { number: number + 1, text: value.to_owned() })?)
}

fn read_move(value: &str) -> Option<Move> {
    match value.as_bytes() {
        b"" | b"tt" => Some(Move::Pass),
        &[column, row] if column.is_ascii_lowercase() && row.is_ascii_lowercase() => {
            Point::new(row - b'a' + 1, column - b'a' + 1).map(Move::Stone)
        }
        _ => Move::from_letters(value).ok(),
    }
}

/// A text from which no game can be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SgfError {
    #[error("no game found: `(;` expected")]
    NoGame,
    #[error("more than {MAX_LINES} variations")]
    Lines,
    #[error("more than {MAX_LINE_MOVES} moves in a line, or more than {MAX_MOVES} in all lines together")]
    Moves,
    #[error("the value of {property} has no closing bracket")]
    Unclosed { property: String },
    #[error("GM[{text}] is not renju, which is GM[4]")]
    Game { text: String },
    #[error("SZ[{text}] is not a board of 15 by 15")]
    Size { text: String },
    #[error("{property} sets up stones: only games from an empty board are read")]
    Setup { property: String },
    #[error("move {number} is not {side}'s")]
    Turn { number: usize, side: &'static str },
    #[error("move {number}, `{text}`, is no point of the board")]
    Point { number: usize, text: String },
}
