//! Positions of Bacteria War in 16 bytes.

use agon_engines::bacteria::windows::{Occupancy, turned};
use agon_game::hash::{GOLDEN_RATIO, mix};
use agon_game::seed::Stream;
use agon_game::{Position as _, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{BOARD, CELLS, Cells, WIDTH, bit};

use crate::PositionRecord;

/// A position, seen by the side to move.
///
/// Packed into 16 bytes as one little-endian number, the lowest bits first: 49 its cells, 49 the opponent's, 16 the
/// value, 2 the result, 9 the ply, 3 unused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BacteriaRecord {
    /// The mover's cells and the opponent's.
    pub cells: [u64; 2],
    /// The search's score, in hundredths of a cell.
    pub value: i16,
    /// Result of the game for the mover, in half points: 0 lost, 1 drawn, 2 won.
    pub half_points: u8,
    /// Number of plies played, up to 400.
    pub ply: u16,
}

impl PositionRecord for BacteriaRecord {
    type Position = Bacteria;
    type Board = Occupancy;
    const NAME: &'static str = "bacteria-1";
    const BYTES: usize = 16;
    const SYMMETRIES: usize = 8;

    fn write(&self, bytes: &mut Vec<u8>) {
        let [own, other] = self.cells.map(|cells| u128::from(cells & BOARD));
        let packed = own
            | other << 49
            | u128::from(self.value as u16) << 98
            | u128::from(self.half_points & 3) << 114
            | u128::from(self.ply & 511) << 116;
        bytes.extend(packed.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let packed = u128::from_le_bytes(bytes.try_into().ok()?);
        let record = Self {
            cells: [packed as u64 & BOARD, (packed >> 49) as u64 & BOARD],
            value: (packed >> 98) as i16,
            half_points: (packed >> 114) as u8 & 3,
            ply: (packed >> 116) as u16 & 511,
        };
        (record.cells[0] & record.cells[1] == 0 && record.half_points < 3).then_some(record)
    }

    fn board(&self, symmetry: usize) -> Occupancy {
        Occupancy::new(self.images(symmetry))
    }

    fn successor(&self, stream: &mut Stream) -> Option<Self> {
        let cells = if self.turn() == Side::First { self.cells } else { [self.cells[1], self.cells[0]] };
        let mut position = Bacteria::from_cells(cells, self.ply)?;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let m = *moves.get(stream.below(moves.len().max(1)))?;
        position.play_unchecked(m, &mut ());
        (!m.is_pass() && position.outcome().is_none()).then(|| Self::new(&position, 0))
    }

    fn key(&self) -> u64 {
        let first = (0..Self::SYMMETRIES).map(|symmetry| self.images(symmetry)).min().unwrap_or(self.cells);
        first.into_iter().fold(GOLDEN_RATIO, |hash, cells| mix(hash ^ cells))
    }

    fn value(&self) -> i32 {
        self.value.into()
    }

    fn set_value(&mut self, value: i16) {
        self.value = value;
    }

    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn half_points(&self) -> u8 {
        self.half_points
    }

    fn set_half_points(&mut self, half_points: u8) {
        self.half_points = half_points;
    }

    fn ply(&self) -> u32 {
        self.ply.into()
    }
}

impl BacteriaRecord {
    /// The record of a position with this value, its game not over.
    pub fn new(position: &Bacteria, value: i16) -> Self {
        let mover = position.turn();
        let cells = [position.cells(mover), position.cells(mover.other())];
        Self { cells, value, half_points: 1, ply: position.ply() as u16 }
    }

    /// The cells under one of the eight symmetries.
    pub fn images(&self, symmetry: usize) -> [u64; 2] {
        self.cells.map(|cells| image(cells, symmetry))
    }
}

/// The image of a set of cells under one of the eight symmetries of the square, numbered as [`turned`] has them.
pub fn image(cells: u64, symmetry: usize) -> u64 {
    let places = &IMAGES[symmetry % IMAGES.len()];
    Cells(cells & BOARD).fold(0, |image, cell| image | bit(places[cell].into()))
}

/// Image of each cell under each symmetry.
static IMAGES: [[u8; CELLS]; 8] = images();

const fn images() -> [[u8; CELLS]; 8] {
    let mut images = [[0; CELLS]; 8];
    let mut at = 0;
    while at < 8 * CELLS {
        let (symmetry, cell) = (at / CELLS, at % CELLS);
        let (row, column) = turned((cell / WIDTH, cell % WIDTH), symmetry);
        images[symmetry][cell] = (row * WIDTH + column) as u8;
        at += 1;
    }
    images
}
