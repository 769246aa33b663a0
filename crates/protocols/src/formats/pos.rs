//! `.pos` of Yixin and `RenLib`: a byte with the number of stones, then a byte for each: row · 15 + column, from the
//! top left, Black and White by turns.

use agon_catalog::Game;
use agon_rules::renju::{Move, POINTS, Point};

use super::error::{FileError, FileProblem};
use super::point;
use super::tree::{Collection, GameTree};

/// Reads a game.
///
/// # Errors
/// [`FileError`] names the byte that is wrong.
pub fn read(bytes: &[u8]) -> Result<Collection, FileError> {
    let Some((&count, stones)) = bytes.split_first() else {
        return Err(FileError::whole(FileProblem::PosEmpty));
    };
    if usize::from(count) != stones.len() || usize::from(count) > POINTS {
        return Err(FileError::whole(FileProblem::PosCount { count, bytes: stones.len() }));
    }
    let mut moves = Vec::with_capacity(stones.len());
    for (number, &stone) in stones.iter().enumerate() {
        let point = Point::from_index(stone.into());
        let point = point.ok_or_else(|| FileError::whole(FileProblem::PosPoint { byte: number + 2, stone }))?;
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
            _ => return Err(FileError::whole(FileProblem::OnlyStones { number: number + 1, ending: "pos" })),
        }
    }
    bytes[0] = u8::try_from(bytes.len() - 1).map_err(|_| FileError::whole(FileProblem::PosTooLong))?;
    Ok(bytes)
}
