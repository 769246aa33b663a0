//! Positions and moves by cells, and how they turn.

use agon_catalog::CatalogPosition;
use agon_game::hash::{mix, split_mix};
use agon_game::{Position as _, Side};
use agon_rules::bacteria::{self, Bacteria};
use agon_rules::domineering::cells::STEP;
use agon_rules::domineering::{self, Domineering};
use agon_rules::renju::{self, Point, Renju, RuleSet};

/// The cells of a move, row by row from 0: twice the same if it fills one cell from the hand; [`PASS`].
pub(super) type MoveCells = [u8; 2];

/// The move without a cell.
pub(super) const PASS: MoveCells = [u8::MAX; 2];

/// From this number on, the first cell of a written move is the one that is emptied.
const LEAP: u8 = 128;

/// A position that can be turned and mirrored.
pub trait TurnedPosition: CatalogPosition {
    /// The number of ways: 8, or 4 without those that swap rows and columns, which change a game that knows the two
    /// apart.
    const WAYS: u8;

    /// Rows and columns.
    fn size(&self) -> [usize; 2];

    /// What stands on the cells: a cell and any number each.
    fn contents(&self) -> Vec<(usize, u64)>;

    /// What else distinguishes two positions.
    fn rest(&self) -> u64 {
        0
    }

    /// The cells of a move, alike for moves that lead to the same position.
    fn move_cells(&self, m: Self::Move) -> MoveCells;

    /// A legal move with these cells.
    fn move_of(&self, cells: MoveCells) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.into_iter().find(|&m| self.move_cells(m) == cells)
    }

    /// Appends a move: a cell, or two from `LEAP` on; 255 for a PASS.
    fn write(&self, m: Self::Move, bytes: &mut Vec<u8>) {
        match self.move_cells(m) {
            [from, to] if from == to => bytes.push(from),
            [from, to] => bytes.extend([LEAP + from, to]),
        }
    }

    /// Reads a move that [`write`](Self::write) has appended.
    fn read(&self, bytes: &mut impl Iterator<Item = u8>) -> Option<Self::Move> {
        let first = bytes.next()?;
        let cells = if first < LEAP || first == PASS[0] { [first; 2] } else { [first - LEAP, bytes.next()?] };
        self.move_of(cells)
    }
}

impl TurnedPosition for Renju {
    const WAYS: u8 = 8;

    fn size(&self) -> [usize; 2] {
        [renju::SIZE; 2]
    }

    fn contents(&self) -> Vec<(usize, u64)> {
        let of = |side: Side| self.board().stones(side).iter().map(move |point| (point.index(), side.index() as u64));
        Side::BOTH.into_iter().flat_map(of).collect()
    }

    /// Games of the same stones under other rules are other games.
    fn rest(&self) -> u64 {
        match self.rules() {
            RuleSet::Alphano | RuleSet::Renju => 0,
            RuleSet::Standard => 1,
            RuleSet::Freestyle => 2,
        }
    }

    fn move_cells(&self, m: renju::Move) -> MoveCells {
        m.point().map_or(PASS, |point| [point.index() as u8; 2])
    }

    fn move_of(&self, [cell, _]: MoveCells) -> Option<renju::Move> {
        let m = Point::from_index(cell.into()).map_or(renju::Move::Pass, renju::Move::Stone);
        self.check(m).is_ok().then_some(m)
    }

    /// No stone leaps, so that all 225 points have a byte.
    fn read(&self, bytes: &mut impl Iterator<Item = u8>) -> Option<renju::Move> {
        self.move_of([bytes.next()?; 2])
    }
}

impl TurnedPosition for Bacteria {
    const WAYS: u8 = 8;

    fn size(&self) -> [usize; 2] {
        [bacteria::board::WIDTH; 2]
    }

    fn contents(&self) -> Vec<(usize, u64)> {
        let of = |side: Side| {
            let cells = self.cells(side);
            (0..64).filter(move |cell| cells >> cell & 1 == 1).map(move |cell| (cell, side.index() as u64))
        };
        Side::BOTH.into_iter().flat_map(of).collect()
    }

    fn move_cells(&self, m: bacteria::Move) -> MoveCells {
        match (m.is_pass(), m.is_leap()) {
            (true, _) => PASS,
            (_, true) => [m.from() as u8, m.to() as u8],
            _ => [m.to() as u8; 2],
        }
    }
}

impl TurnedPosition for Domineering {
    const WAYS: u8 = 4;

    fn size(&self) -> [usize; 2] {
        [self.board().rows(), self.board().columns()]
    }

    fn contents(&self) -> Vec<(usize, u64)> {
        let [rows, columns] = self.size();
        let weights = self.board().weights();
        let cells = (0..rows * columns).map(|cell| (cell, cell / columns * domineering::cells::SIZE + cell % columns));
        cells.map(|(cell, at)| (cell, 2 * u64::from(weights[at]) + (self.empty() >> at & 1))).collect()
    }

    fn rest(&self) -> u64 {
        u64::from(self.last_pass())
    }

    fn move_cells(&self, m: domineering::Move) -> MoveCells {
        let columns = self.board().columns();
        let Some(anchor) = m.anchor() else { return PASS };
        [anchor, anchor + STEP[self.turn().index()]]
            .map(|at| (at / domineering::cells::SIZE * columns + at % domineering::cells::SIZE) as u8)
    }

    /// The second cell follows from the side.
    fn write(&self, m: domineering::Move, bytes: &mut Vec<u8>) {
        bytes.push(self.move_cells(m)[0]);
    }

    fn read(&self, bytes: &mut impl Iterator<Item = u8>) -> Option<domineering::Move> {
        let first = bytes.next()?;
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.into_iter().find(|&m| self.move_cells(m)[0] == first)
    }
}

/// Returns where a cell comes to lie: bit 2 of the way swaps rows and columns, then bit 0 mirrors the rows, bit 1 the
/// columns.
fn turned(way: u8, [rows, columns]: [usize; 2], cell: usize) -> usize {
    let (mut row, mut column) = (cell / columns, cell % columns);
    if way & 4 != 0 {
        (row, column) = (column, row);
    }
    if way & 1 != 0 {
        row = rows - 1 - row;
    }
    if way & 2 != 0 {
        column = columns - 1 - column;
    }
    row * columns + column
}

/// Returns the way that turns back.
const fn back(way: u8) -> u8 {
    if way & 4 == 0 { way } else { 4 | (way & 1) << 1 | (way & 2) >> 1 }
}

/// The cells of a move, turned.
pub(super) fn turned_cells(way: u8, size: [usize; 2], cells: MoveCells) -> MoveCells {
    if cells == PASS {
        return PASS;
    }
    cells.map(|cell| turned(way, size, cell.into()) as u8)
}

/// The same, turned back.
pub(super) fn cells_back(way: u8, size: [usize; 2], cells: MoveCells) -> MoveCells {
    turned_cells(back(way), size, cells)
}

/// The key of a position, the same however it is turned, and the ways of turning that lead to it.
pub(super) fn key<P: TurnedPosition>(position: &P) -> (u64, Vec<u8>) {
    let (size, contents) = (position.size(), position.contents());
    let other = position.rest() << 16 | (size[0] << 8 | size[1] << 1 | position.turn().index()) as u64;
    let of = |way: u8| {
        let word = |&(cell, content): &(usize, u64)| split_mix(content, turned(way, size, cell) as u64);
        mix(contents.iter().map(word).fold(mix(other), u64::wrapping_add))
    };
    let keys: Vec<u64> = (0..P::WAYS).map(of).collect();
    let least = keys.iter().copied().min().unwrap_or_default();
    (least, (0..P::WAYS).filter(|&way| keys[usize::from(way)] == least).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_undone_by_their_opposites() {
        for (ways, size) in [(8, [15, 15]), (8, [7, 7]), (4, [8, 8]), (4, [3, 5])] {
            for way in 0..ways {
                for cell in 0..size[0] * size[1] {
                    assert_eq!(turned(back(way), size, turned(way, size, cell)), cell, "{way} {size:?}");
                }
            }
        }
    }

    #[test]
    fn turned_positions_have_one_key() {
        let keys =
            |texts: &[&str]| -> Vec<u64> { texts.iter().map(|text| key(&text.parse::<Renju>().unwrap()).0).collect() };
        let empty = ["15"; 7].join("/");
        let same = keys(&[
            &format!("{empty}/6WB7/{empty} B"),
            &format!("{empty}/7BW6/{empty} B"),
            &format!("{}/7W7/7B7/{empty} B", ["15"; 6].join("/")),
        ]);
        assert!(same.iter().all(|&key| key == same[0]), "{same:?}");
        let dish = |text: &str| key(&text.parse::<Bacteria>().unwrap());
        assert_eq!(dish("xx5/7/7/7/7/7/6o x 0 1").0, dish("6x/6x/7/7/7/7/o6 x 0 1").0);
        assert_ne!(dish("xx5/7/7/7/7/7/6o x 0 1").0, dish("xx5/7/7/7/7/7/6o o 0 1").0);
        assert_eq!(dish("x5o/7/7/7/7/7/o5x x 0 1").1.len(), 4);
        // A board of domineering that is turned by a quarter is another game.
        let board = |text: &str| key(&text.parse::<Domineering>().unwrap()).0;
        assert_eq!(board("12/00 ../.. H 0 0 0"), board("21/00 ../.. H 0 0 0"));
        assert_ne!(board("12/00 ../.. H 0 0 0"), board("10/20 ../.. H 0 0 0"));
    }
}
