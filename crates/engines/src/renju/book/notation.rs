//! Positions and moves of the book as text: `H8I7/I9` is Black's stones and White's, in the players' notation.

use agon_rules::renju::{Point, PointSet, Stones};

/// The points of a set, without blanks: `H8I7`.
pub fn cells(cells: PointSet) -> String {
    cells.iter().filter_map(|cell| Point::from_index(cell.into())).map(Point::letters).collect()
}

pub fn cell(cell: u8) -> String {
    cells([cell].into_iter().collect())
}

/// The stones of both sides: `H8I7/I9`.
pub fn stones(stones: &Stones) -> String {
    format!("{}/{}", cells(stones.black), cells(stones.white))
}

/// Reads what [`cells`] writes, in any order; `None` when it is something else.
pub fn read_cells(text: &str) -> Option<Vec<u8>> {
    let starts: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    if starts.first().is_some_and(|&first| first > 0) || starts.is_empty() && !text.is_empty() {
        return None;
    }
    let points = starts.iter().zip(ends).map(|(&start, end)| Point::from_letters(text.get(start..end)?).ok());
    points.map(|point| point.map(|point| point.index() as u8)).collect()
}

pub fn read_cell(text: &str) -> Option<u8> {
    read_cells(text).filter(|cells| cells.len() == 1)?.first().copied()
}

/// Parses the output of [`stones`]; `None` also if two stones share a point.
pub fn read_stones(text: &str) -> Option<Stones> {
    let (black, white) = text.split_once('/')?;
    let (black, white) = (read_cells(black)?, read_cells(white)?);
    let count = black.len() + white.len();
    let stones = Stones { black: black.into_iter().collect(), white: white.into_iter().collect() };
    (stones.black.or(stones.white).len() as usize == count).then_some(stones)
}
