//! The moves of a game in the Smart Game Format, game 4 ("Gomoku+Renju"), <https://www.red-bean.com/sgf/>.
//!
//! The format leaves the points of game 4 open. Agon writes them as for Go: two small letters, the column from the left
//! and then the row from the *top*, so `aa` is (1,1), `oa` is (1,15) and `hh` the centre. It also reads the notation of
//! renju programs, `h8`: the column's letter and the row's number from the bottom. A PASS is an empty value, `B[]`;
//! `tt` and `pass` also mean a PASS.
//!
//! Neither direction checks the rules: play the moves with [`super::Renju::after`] to check them.

use std::fmt::Write;

use agon_game::text::without_bom;
use agon_game::{Outcome, Side};

use super::position::name as colour;
use super::{Move, Point, SIZE};

/// Maximum number of lines of a game.
pub const MAX_LINES: usize = 400;

/// Maximum number of moves in one line. The board has 225 points, and two passes in a row end a game.
pub const MAX_LINE_MOVES: usize = 1_000;

/// Maximum number of moves in all lines together; a move shared by several lines counts once.
pub const MAX_MOVES: usize = 20_000;

/// Reason for a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WonBy {
    /// The rules.
    #[default]
    Rules,
    /// The other side resigned.
    Resignation,
    /// The other side ran out of time.
    Time,
    /// The other side forfeited, like a program that answers with an illegal move.
    Forfeit,
}

/// Players and result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SgfHeader {
    /// Name of Black's player; empty if unknown.
    pub black: String,
    /// Name of White's player; empty if unknown.
    pub white: String,
    /// Result; `None` if unknown.
    pub result: Option<Outcome>,
    /// Reason for the win, if any.
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

/// Writes a game with variations: the first line is the main one, and every other line branches off where it leaves the
/// earlier ones.
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

/// Writes the rest of the lines after their shared first moves.
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

/// Escapes a simple text as a property's value: quotes brackets and backslashes, and turns line ends into blanks.
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

/// Returns the side of the move with this number, from 0.
const fn turn(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::First } else { Side::Second }
}

const fn letter(side: Side) -> char {
    match side {
        Side::First => 'B',
        Side::Second => 'W',
    }
}

/// A game within a text, not yet parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SgfText<'a> {
    /// Text of the game, from its first bracket to its last.
    text: &'a str,
    /// Line of the text in which it begins, from 1.
    pub line: usize,
}

/// A parsed game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SgfGame {
    /// Players and result.
    pub header: SgfHeader,
    /// Name of the game, property GN; empty if it has none.
    pub name: String,
    /// The main line, which takes the first branch everywhere, and then the other lines, each without the moves that it
    /// shares with the previous line; at most [`MAX_LINES`].
    pub branches: Vec<SgfBranch>,
    /// Number of lines beside the main one, even those beyond the limit of `branches`.
    pub variations: usize,
}

/// A line of a game: its difference from the previous line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SgfBranch {
    /// Number of first moves shared with the previous line; 0 for the main line.
    pub shared: usize,
    /// Moves after the shared ones.
    pub moves: Vec<Move>,
}

/// Returns the games of a collection, at least one, to be read by [`SgfText::read`]. Text before the first one is
/// skipped, as the format demands.
///
/// # Errors
/// [`SgfError`] if the text has no game, a game has no end, or anything but blanks stands between or after games.
///
/// ```
/// use agon_rules::renju::sgf;
/// let games = sgf::games("(;GM[4];B[hh])\n(;GM[4];B[hh];W[hg])\n")?;
/// assert_eq!((games.len(), games[1].line), (2, 2));
/// assert_eq!(games[1].read()?.lines()[0].len(), 2);
/// # Ok::<(), agon_rules::renju::sgf::SgfError>(())
/// ```
pub fn games(text: &str) -> Result<Vec<SgfText<'_>>, SgfError> {
    let text = without_bom(text);
    let at = |line: usize, problem: SgfProblem| SgfError { line, problem };
    let start = text
        .match_indices('(')
        .find(|(bracket, _)| text[bracket + 1..].trim_start().starts_with(';'))
        .map(|(bracket, _)| bracket)
        .ok_or_else(|| at(1, SgfProblem::NoGame))?;
    let mut games = Vec::new();
    let mut line = 1 + text[..start].matches('\n').count();
    let mut depth = 0_usize;
    // Where the game, and the value, begins that has not ended yet.
    let (mut begun, mut value) = ((start, line), None);
    let mut characters = text[start..].char_indices();
    while let Some((offset, c)) = characters.next() {
        match (c, value) {
            ('\n', _) => line += 1,
            ('\\', Some(_)) => line += usize::from(characters.next().is_some_and(|(_, quoted)| quoted == '\n')),
            (']', Some(_)) => value = None,
            ('[', None) if depth > 0 => value = Some(line),
            ('(', None) => {
                if depth == 0 {
                    begun = (start + offset, line);
                }
                depth += 1;
            }
            (')', None) if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    games.push(SgfText { text: &text[begun.0..=start + offset], line: begun.1 });
                }
            }
            (c, None) if depth == 0 && !c.is_whitespace() => return Err(at(line, SgfProblem::Surplus { found: c })),
            _ => {}
        }
    }
    match value {
        Some(line) => Err(at(line, SgfProblem::Unclosed)),
        None if depth > 0 => Err(at(begun.1, SgfProblem::CutOff)),
        None => Ok(games),
    }
}

/// Reads the main line of a text with one game, taking the first branch everywhere.
///
/// # Errors
/// [`SgfError`] unless the text has exactly one game, of renju on 15 × 15 points from an empty board with alternating
/// colours.
pub fn read(text: &str) -> Result<Vec<Move>, SgfError> {
    // The main line is always the first.
    Ok(only(text)?.branches.swap_remove(0).moves)
}

/// Reads a text with one game and its variations: all lines from the first move on, the main one first.
///
/// # Errors
/// [`SgfError`], as in [`read_branches`].
pub fn read_lines(text: &str) -> Result<Vec<Vec<Move>>, SgfError> {
    whole_game(text).map(|game| game.lines())
}

/// Reads a text with one game and its variations: all lines, the main one first, each without the moves that it shares
/// with the previous line. So the result is never larger than the text.
///
/// # Errors
/// [`SgfError`], as in [`read`], and for more than [`MAX_LINES`].
pub fn read_branches(text: &str) -> Result<Vec<SgfBranch>, SgfError> {
    whole_game(text).map(|game| game.branches)
}

fn whole_game(text: &str) -> Result<SgfGame, SgfError> {
    let game = only(text)?;
    if game.variations < MAX_LINES { Ok(game) } else { Err(SgfError { line: 1, problem: SgfProblem::Lines }) }
}

/// Lines of a game while its text is parsed.
#[derive(Default)]
struct Lines {
    /// Moves from the start to the current place.
    moves: Vec<Move>,
    /// Number of them shared with the last line.
    shared: usize,
    /// Number of all moves parsed so far.
    read: usize,
}

impl Lines {
    /// Returns the line that ends here.
    fn end(&mut self) -> SgfBranch {
        let branch = SgfBranch { shared: self.shared, moves: self.moves[self.shared..].to_vec() };
        self.shared = self.moves.len();
        branch
    }

    /// Goes back to an earlier place.
    fn back_to(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.shared = self.shared.min(moves);
    }

    fn play(&mut self, m: Move) -> Result<(), SgfProblem> {
        self.read += 1;
        if self.moves.len() >= MAX_LINE_MOVES || self.read > MAX_MOVES {
            return Err(SgfProblem::Moves);
        }
        self.moves.push(m);
        Ok(())
    }
}

fn only(text: &str) -> Result<SgfGame, SgfError> {
    match games(text)?.as_slice() {
        [game] => game.read(),
        several => Err(SgfError { line: several[1].line, problem: SgfProblem::Games { games: several.len() } }),
    }
}

impl SgfText<'_> {
    /// Reads the game.
    ///
    /// # Errors
    /// [`SgfError`] unless it is a game of renju on 15 × 15 points from an empty board with alternating colours, in
    /// valid SGF.
    pub fn read(&self) -> Result<SgfGame, SgfError> {
        let mut game = SgfGame::default();
        let mut lines = Lines::default();
        // How many moves there were where each open branch begins, and whether the last one was entered and not left.
        let mut open = Vec::new();
        let mut entered = false;
        let mut line = self.line;
        let mut rest = self.text.chars();
        let mut property = String::new();
        // A property that has its value may get another one.
        let mut valued = false;
        while let Some(c) = rest.next() {
            let at = move |problem: SgfProblem| SgfError { line, problem };
            // Names end where anything but a value follows.
            if !c.is_ascii_alphanumeric() && !c.is_whitespace() && c != '[' && !property.is_empty() && !valued {
                return Err(at(SgfProblem::NoValue { property }));
            }
            match c {
                '(' => {
                    open.push(lines.moves.len());
                    entered = true;
                    property.clear();
                }
                ')' => {
                    if entered {
                        game.variations += usize::from(!game.branches.is_empty());
                        if game.branches.len() < MAX_LINES {
                            game.branches.push(lines.end());
                        }
                    }
                    lines.back_to(open.pop().unwrap_or_default());
                    entered = false;
                    property.clear();
                }
                '[' if !property.is_empty() => {
                    let value = read_value(&mut rest).ok_or_else(|| at(SgfProblem::Unclosed))?;
                    game.apply(&property, value.trim(), &mut lines).map_err(at)?;
                    line += value.matches('\n').count();
                    valued = true;
                }
                ';' => property.clear(),
                c if c.is_ascii_alphanumeric() => {
                    if valued {
                        property.clear();
                    }
                    property.push(c);
                }
                '\n' => line += 1,
                c if c.is_whitespace() => {}
                c => return Err(at(SgfProblem::Unexpected { found: c })),
            }
            if !matches!(c, '[' | '\n') && !c.is_whitespace() {
                valued = false;
            }
        }
        Ok(game)
    }
}

/// Reads a value up to and including its closing bracket; `None` without a bracket.
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

impl SgfGame {
    /// Returns all lines from the first move on, the main one first.
    pub fn lines(&self) -> Vec<Vec<Move>> {
        let mut line: Vec<Move> = Vec::new();
        let whole = |branch: &SgfBranch| {
            line.truncate(branch.shared);
            line.extend(&branch.moves);
            line.clone()
        };
        self.branches.iter().map(whole).collect()
    }

    /// Applies one value of a property.
    fn apply(&mut self, property: &str, value: &str, lines: &mut Lines) -> Result<(), SgfProblem> {
        // Format 3 mixed small letters into the names of properties, which say nothing; some programs write no others.
        let capitals: String = property.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        let name = if capitals.is_empty() { property.to_ascii_uppercase() } else { capitals };
        let side = match &*name {
            "B" => Side::First,
            "W" => Side::Second,
            "GM" if value != "4" => return Err(SgfProblem::Game { text: value.to_owned() }),
            "SZ" if !matches!(value, "15" | "15:15") => return Err(SgfProblem::Size { text: value.to_owned() }),
            "AB" | "AW" | "AE" => return Err(SgfProblem::Setup { property: name }),
            "PB" => return simple(&mut self.header.black, value),
            "PW" => return simple(&mut self.header.white, value),
            "GN" => return simple(&mut self.name, value),
            "RE" => {
                if let Some((result, won_by)) = read_result(value) {
                    (self.header.result, self.header.won_by) = (Some(result), won_by);
                }
                return Ok(());
            }
            _ if name.len() > 2 && property.bytes().all(|byte| byte.is_ascii_lowercase()) => {
                return Err(SgfProblem::Name { property: property.to_owned() });
            }
            _ => return Ok(()),
        };
        let number = lines.moves.len();
        if side != turn(number) {
            return Err(SgfProblem::Turn { number: number + 1, side: colour(side) });
        }
        lines.play(read_move(value).ok_or_else(|| SgfProblem::Point { number: number + 1, text: value.to_owned() })?)
    }
}

/// Stores a simple text, with line ends as blanks.
#[allow(clippy::unnecessary_wraps, reason = "an arm among those that may fail")]
fn simple(field: &mut String, value: &str) -> Result<(), SgfProblem> {
    *field = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Ok(())
}

/// Parses RE; `None` if it leaves the result open.
fn read_result(value: &str) -> Option<(Outcome, WonBy)> {
    let (winner, by) = match value.split_once('+') {
        None if value == "0" || value.eq_ignore_ascii_case("draw") => return Some((Outcome::Draw, WonBy::Rules)),
        Some(("B", by)) => (Side::First, by),
        Some(("W", by)) => (Side::Second, by),
        _ => return None,
    };
    let won_by = match by.to_ascii_lowercase().as_str() {
        "r" | "resign" => WonBy::Resignation,
        "t" | "time" => WonBy::Time,
        "f" | "forfeit" => WonBy::Forfeit,
        _ => WonBy::Rules,
    };
    Some((Outcome::Win(winner), won_by))
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

/// Error for a text without a readable game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
#[allow(missing_docs)]
pub struct SgfError {
    /// Line of the text, from 1.
    pub line: usize,
    pub problem: SgfProblem,
}

/// Problem with a text in SGF.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SgfProblem {
    #[error("no game found: `(;` expected")]
    NoGame,
    #[error("the game that begins here has no end: `)` expected")]
    CutOff,
    #[error("`{found}` after a game: `(;` or the end of the file expected")]
    Surplus { found: char },
    #[error("a second game of {games} begins here")]
    Games { games: usize },
    #[error("more than {MAX_LINES} variations")]
    Lines,
    #[error("more than {MAX_LINE_MOVES} moves in a line, or more than {MAX_MOVES} in all lines together")]
    Moves,
    #[error("the value that begins here has no closing bracket")]
    Unclosed,
    #[error("`{found}` is neither a property, a value nor a node")]
    Unexpected { found: char },
    #[error("property {property} has no value: `[` expected")]
    NoValue { property: String },
    #[error("`{property}` is not a property: their names are capital letters")]
    Name { property: String },
    #[error("GM[{text}] is not renju, which is GM[4]")]
    Game { text: String },
    #[error("SZ[{text}] is not a board of 15 by 15")]
    Size { text: String },
    #[error("{property} sets up stones: only games from an empty board are read")]
    Setup { property: String },
    #[error("move {number} is not {side}'s")]
    Turn { number: usize, side: &'static str },
    #[error("move {number}, `{text}`, is not a point of the board")]
    Point { number: usize, text: String },
}
