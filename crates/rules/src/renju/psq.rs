//! The moves of a game in the format of the Piskvork manager and the Gomocup tournaments, `.psq`.
//!
//! The first line names the program and the size of the board, `Piskvorky 15x15, 11:11, 0`. Then each line is a move,
//! `x,y,time`, in the order of play: x is the *column* from the left and y the row from the top, both from 1, the
//! reverse of the judge's (row, column). The time is in milliseconds and may be missing, as in Piskvork itself. The two
//! players' names may follow, and then a number, the result. Any other line of numbers, and a move after the names, is
//! an error: nothing is skipped.
//!
//! Gomocup has no PASS. Agon writes one as a move on `-1,-1` and reads it back; other programs will refuse such a game.
//!
//! Neither direction checks the rules: play the moves with [`super::Renju::after`] to check them.

use std::fmt::Write;

use agon_game::text::without_bom;
use agon_message::messages;

use super::{Move, Point, SIZE};

/// A game that has been read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PsqGame {
    /// Moves, in the order of play.
    pub moves: Vec<Move>,
    /// Names of the players, Black's first; empty if missing.
    pub players: [String; 2],
}

/// Writes a game by two players; the times, which Agon keeps elsewhere, are 0.
///
/// ```
/// use agon_rules::renju::{Move, Point, psq};
/// let moves = [Move::Stone(Point::CENTRE), Move::Stone(Point::new(7, 9).unwrap())];
/// let text = psq::write(&moves, ["one", "two"]);
/// assert_eq!(text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\none\ntwo\n");
/// assert_eq!(psq::read(&text), Ok(moves.to_vec()));
/// ```
pub fn write(moves: &[Move], players: [&str; 2]) -> String {
    let mut text = format!("Piskvorky {SIZE}x{SIZE}, 11:11, 0\n");
    for m in moves {
        // Writing to a string cannot fail.
        let _ = match m {
            Move::Stone(point) => writeln!(text, "{},{},0", point.column(), point.row()),
            Move::Pass => writeln!(text, "-1,-1,0"),
        };
    }
    let is_named = players.iter().any(|player| !player.trim().is_empty());
    for player in players.into_iter().filter(|_| is_named) {
        let name: String = player.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let name = name.trim();
        // An unknown player needs a line, too, or the other player would be taken for him.
        if name.is_empty() {
            text += UNKNOWN;
            text.push('\n');
            continue;
        }
        // A name must not look like another line, least of all like a move.
        text += &if is_of_numbers(name) { name.replace(SEPARATORS, "_") } else { name.replace(',', " ") };
        text.push('\n');
    }
    text
}

/// The line of a player whose name is unknown.
const UNKNOWN: &str = "?";

/// Separators accepted between the numbers of a move's line.
const SEPARATORS: [char; 5] = [',', ';', ':', ' ', '\t'];

/// Returns true if the line consists of several numbers, well separated or not.
fn is_of_numbers(line: &str) -> bool {
    let numbers = line.split(SEPARATORS).filter(|word| !word.is_empty());
    line.chars().all(|c| c.is_ascii_digit() || c == '-' || c == '+' || SEPARATORS.contains(&c)) && numbers.count() > 1
}

/// Reads the moves of a game.
///
/// # Errors
/// As [`read_game`].
pub fn read(text: &str) -> Result<Vec<Move>, PsqError> {
    read_game(text).map(|game| game.moves)
}

/// Reads a game with the names of its players.
///
/// # Errors
/// [`PsqError`] if the first line that is not blank does not name a board of 15 × 15, a move is outside the board, or a
/// line is invalid.
pub fn read_game(text: &str) -> Result<PsqGame, PsqError> {
    let lines = without_bom(text).lines().map(str::trim).zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.is_empty());
    let header = lines.next().map_or("", |(line, _)| line);
    let size = header.strip_prefix("Piskvorky").ok_or_else(|| PsqError::Header { text: header.to_owned() })?;
    let size = size.split(',').next().unwrap_or_default().trim();
    if size.split_once('x').map(|(width, height)| (width.trim(), height.trim())) != Some(("15", "15")) {
        return Err(PsqError::Size { text: size.to_owned() });
    }
    let mut moves = Vec::new();
    let mut after: Vec<(&str, usize)> = Vec::new();
    for (line, number) in lines {
        let begins = line.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let meant = is_of_numbers(line) || begins && line.contains(',');
        if !meant {
            after.push((line, number));
            continue;
        }
        // A move after something else: that was meant to be one, too.
        if let Some(&(text, line)) = after.first() {
            return Err(PsqError::NoMove { line, text: text.to_owned() });
        }
        moves.push(read_move(line, number)?);
    }
    let names: Vec<&str> = after.into_iter().map(|(line, _)| line).collect();
    // Without names the result comes first.
    let is_result = |text: &str| text.parse::<i64>().is_ok();
    let players = match names[..] {
        [first, second, ..] if !is_result(first) || !is_result(second) || names.len() > 2 => [first, second],
        [first, ..] if !is_result(first) => [first, ""],
        _ => [""; 2],
    };
    let known = players.map(|name| if name == UNKNOWN { "" } else { name });
    Ok(PsqGame { moves, players: known.map(str::to_owned) })
}

/// Reads a move from a line of numbers.
fn read_move(line: &str, number: usize) -> Result<Move, PsqError> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let whole = |field: &&str| {
        let digits = field.strip_prefix('-').unwrap_or(field);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (&([x, y] | [x, y, _]), true) = (fields.as_slice(), fields.iter().all(whole)) else {
        return Err(PsqError::NoMove { line: number, text: line.to_owned() });
    };
    let point = || PsqError::Point { line: number, text: line.to_owned() };
    let (x, y): (i64, i64) = (x.parse().map_err(|_| point())?, y.parse().map_err(|_| point())?);
    if (x, y) == (-1, -1) {
        return Ok(Move::Pass);
    }
    Point::new(y, x).map(Move::Stone).ok_or_else(point)
}

messages! {
    /// Error for a text without a readable game.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum PsqError {
        Header { text: String } = "first line must begin with `Piskvorky`, not `{text}`",
        Size { text: String } = "unsupported board: `{text}`; expected 15x15",
        Point { line: usize, text: String } = "line {line}: `{text}` is not on the board",
        NoMove { line: usize, text: String } = "line {line}: invalid move: `{text}`; expected `x,y,time`",
    }
}

impl std::error::Error for PsqError {}
