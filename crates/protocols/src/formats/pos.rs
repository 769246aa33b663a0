//! `.pos` of Yixin and `RenLib`: a byte with the number of stones, then a byte for each: row · 15 + column, from the
//! top left, Black and White by turns.

use agon_catalog::Game;
use agon_rules::renju::{Move, POINTS, Point};

use super::error::FileError;
use super::point;
use super::tree::{Collection, GameTree};

/// Reads a game.
///
/// # Errors
/// [`FileError`] names the byte that is wrong.
pub fn read(bytes: &[u8]) -> Result<Collection, FileError> {
    let Some((&count, stones)) = bytes.split_first() else {
        return Err(FileError::whole("the file is empty: the number of stones expected"));
    };
    if usize::from(count) != stones.len() || usize::from(count) > POINTS {
        let problem = format!("byte 1 promises {count} stones, and {} bytes follow", stones.len());
        return Err(FileError::whole(problem));
    }
    let mut moves = Vec::with_capacity(stones.len());
    for (number, &stone) in stones.iter().enumerate() {
        let point = Point::from_index(stone.into());
        let point = point.ok_or_else(|| FileError::whole(format!("byte {}, {stone}, is not a point", number + 2)))?;
        moves.push(Move::Stone(point).to_string());
    }
    Ok(Collection::from_games(vec![GameTree::of_moves(Game::RENJU, moves)]))
}

/// Writes the main line of a game.
///
/// # Errors
/// [`FileError`] when it has a PASS, or is not of renju.
pub fn write(game: &GameTree) -> Result<Vec<u8>, FileError> {
    let mut bytes = vec![0];
    for (number, made) in game.main_moves().enumerate() {
        match point::judged(&made.judged) {
            Some(Move::Stone(point)) => bytes.push(point.index() as u8),
            _ => {
                return Err(FileError::whole(format!("move {} is not a stone, and .pos has stones alone", number + 1)));
            }
        }
    }
    bytes[0] = u8::try_from(bytes.len() - 1).map_err(|_| FileError::whole(".pos has at most 225 stones"))?;
    Ok(bytes)
}
