//! Stones as a shape, wherever they lie and however the board is turned.

use agon_game::Side;

use crate::renju::Point;

/// The shape of some stones: two sets of stones have the same layout if a turn, a reflection or a shift of the plane
/// takes one to the other.
///
/// The RIF's opening rule asks for fifth moves "unequal in all respects", so the order of the stones does not matter
/// here, and neither does the distance to the edge.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layout(Vec<(i8, i8, u8)>);

impl Layout {
    /// Returns the layout of these stones.
    pub fn new(stones: impl IntoIterator<Item = (Side, Point)>) -> Self {
        let stones: Vec<(i8, i8, u8)> = stones
            .into_iter()
            .map(|(side, point)| (point.row() as i8, point.column() as i8, side.index() as u8))
            .collect();
        let images = (0..8).map(|symmetry| {
            let turned = |&(row, column, side): &(i8, i8, u8)| {
                let row = if symmetry & 1 == 0 { row } else { -row };
                let column = if symmetry & 2 == 0 { column } else { -column };
                if symmetry & 4 == 0 { (row, column, side) } else { (column, row, side) }
            };
            let image: Vec<_> = stones.iter().map(turned).collect();
            let top = image.iter().map(|&(row, ..)| row).min().unwrap_or_default();
            let left = image.iter().map(|&(_, column, _)| column).min().unwrap_or_default();
            let mut image: Vec<_> =
                image.into_iter().map(|(row, column, side)| (row - top, column - left, side)).collect();
            image.sort_unstable();
            image
        });
        Self(images.min().unwrap_or_default())
    }
}
