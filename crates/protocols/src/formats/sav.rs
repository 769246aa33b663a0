//! Yixin-Board's saved positions, `.sav`: the size of the board twice, the number of stones, and a line `row column`
//! for each, from 0 and from the top left, Black and White by turns.

use agon_catalog::Game;
use agon_rules::renju::{Move, Point, SIZE};

use super::error::{FileError, FileProblem, Limits, SavNumber};
use super::point;
use super::tree::{Collection, GameTree};

/// Returns true if a text is a saved position: only numbers, the first three on a line each.
pub fn is_saved(text: &str) -> bool {
    let numbers: Option<Vec<u16>> = text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
    let one_a_line = text.lines().take(3).all(|line| line.split_ascii_whitespace().count() == 1);
    match numbers.as_deref() {
        Some(&[rows, columns, count, ref stones @ ..]) => {
            one_a_line && rows == columns && rows > 1 && stones.len() == 2 * usize::from(count)
        }
        _ => false,
    }
}

/// Reads a game.
///
/// # Errors
/// [`FileError`] names the first line that is wrong.
pub fn read(text: &str, limits: &Limits) -> Result<Collection, FileError> {
    let mut lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let mut head = |what: SavNumber| {
        let (line, word) = lines.next().unwrap_or((1, ""));
        let number = word.parse::<usize>();
        let wrong = |_| FileError::at(line, FileProblem::SavNumber { text: word.to_owned(), what });
        number.map(|number| (line, number)).map_err(wrong)
    };
    for what in [SavNumber::Rows, SavNumber::Columns] {
        let (line, size) = head(what)?;
        if size != SIZE {
            return Err(FileError::at(line, FileProblem::SavSize { size }));
        }
    }
    let (line, count) = head(SavNumber::Stones)?;
    limits.check(line, count, count)?;
    let (mut moves, mut places) = (Vec::new(), Vec::new());
    for (line, stone) in lines.by_ref().take(count) {
        let numbers: Vec<i64> = stone.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
        let point = match numbers[..] {
            [row, column] => Point::new(row.saturating_add(1), column.saturating_add(1)),
            _ => None,
        };
        let point = point.ok_or_else(|| FileError::at(line, FileProblem::SavPoint { stone: stone.to_owned() }))?;
        moves.push(Move::Stone(point).to_string());
        places.push(line);
    }
    if moves.len() < count {
        return Err(FileError::whole(FileProblem::SavCount { count, found: moves.len() }));
    }
    let mut game = GameTree::of_moves(Game::RENJU, moves);
    for (node, line) in game.nodes.iter_mut().skip(1).zip(places) {
        node.place = line.into();
    }
    Ok(Collection::from_games(vec![game]))
}

/// Writes the main line of a game.
///
/// # Errors
/// [`FileError`] when it has a PASS, or is not of renju.
pub fn write(game: &GameTree) -> Result<String, FileError> {
    let mut stones = Vec::new();
    for (number, made) in game.main_moves().enumerate() {
        match point::judged(&made.judged) {
            Some(Move::Stone(point)) => stones.push(format!("{} {}\n", point.row() - 1, point.column() - 1)),
            _ => return Err(FileError::whole(FileProblem::OnlyStones { number: number + 1, ending: "sav" })),
        }
    }
    Ok(format!("{SIZE}\n{SIZE}\n{}\n{}", stones.len(), stones.concat()))
}
