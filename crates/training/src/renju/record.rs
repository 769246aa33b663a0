//! Positions of renju in 49 bytes.

use agon_engines::renju::book::Symmetry;
use agon_engines::renju::{Kinds, PatternBoard};
use agon_game::Side;
use agon_game::hash::{GOLDEN_RATIO, mix};
use agon_rules::renju::{self as rules, POINTS, Point, Stones};

use crate::PositionRecord;

/// Points of a byte: 3⁵ is below 2⁸.
const OF_BYTE: usize = 5;

const BOARD: usize = POINTS / OF_BYTE;

/// A position, the search's score and the result of the game, both seen by the side to move.
///
/// On disk 49 bytes: 45 with five points each, as a number in base three that begins with the lowest point (0 empty, 1
/// black, 2 white); 2 the value, little-endian; 1 with the half points in its two lowest bits and above them whether
/// White is to move; 1 the ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RenjuRecord {
    board: [u8; BOARD],
    pub turn: Side,
    /// Score of the search, in hundredths of the value of a point where a three could be made.
    pub value: i16,
    /// Result of the game for the mover, in half points: 0 lost, 1 drawn, 2 won.
    pub half_points: u8,
    /// Number of turns played, up to 255.
    pub ply: u8,
}

impl RenjuRecord {
    pub fn new(stones: &rules::Board, turn: Side, value: i16, half_points: u8, ply: u8) -> Self {
        let mut board = [0; BOARD];
        for (byte, points) in board.iter_mut().zip((0..POINTS).step_by(OF_BYTE)) {
            for point in (points..points + OF_BYTE).rev().filter_map(Point::from_index) {
                let digit = stones.owner(point).map_or(0, |side| side.index() as u8 + 1);
                *byte = 3 * *byte + digit;
            }
        }
        Self { board, turn, value, half_points, ply }
    }

    pub fn stones(&self) -> rules::Board {
        let mut stones = rules::Board::EMPTY;
        for (byte, points) in self.board.into_iter().zip((0..POINTS).step_by(OF_BYTE)) {
            let mut digits = byte;
            for point in (points..points + OF_BYTE).filter_map(Point::from_index) {
                match digits % 3 {
                    1 => stones.place(point, Side::First),
                    2 => stones.place(point, Side::Second),
                    _ => {}
                }
                digits /= 3;
            }
        }
        stones
    }
}

impl PositionRecord for RenjuRecord {
    type Position = rules::Renju;
    type Board = Kinds;
    const NAME: &'static str = "renju-1";
    const BYTES: usize = BOARD + 4;
    /// The network's features are invariant under all symmetries of the board.
    const SYMMETRIES: usize = 1;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.board);
        bytes.extend(self.value.to_le_bytes());
        bytes.extend([self.half_points & 3 | (self.turn.index() as u8) << 2, self.ply]);
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (board, rest) = bytes.split_first_chunk::<BOARD>()?;
        let &[low, high, end, ply] = rest else { return None };
        let turn = *Side::BOTH.get(usize::from(end >> 2))?;
        let record = Self { board: *board, turn, value: i16::from_le_bytes([low, high]), half_points: end & 3, ply };
        let whole = board.iter().all(|&byte| u32::from(byte) < 3_u32.pow(OF_BYTE as u32));
        (whole && record.half_points < 3).then_some(record)
    }

    fn board(&self, _: usize) -> Kinds {
        Kinds::from_board(&PatternBoard::new(&self.stones()), self.turn)
    }

    fn key(&self) -> u64 {
        let (Stones { black, white }, _) = Symmetry::canonical(&Stones::from_board(&self.stones()));
        let cells = black.iter().chain([u8::MAX]).chain(white.iter()).chain([u8::MAX, self.turn.index() as u8]);
        cells.fold(GOLDEN_RATIO, |hash, cell| mix(hash ^ u64::from(cell)))
    }

    fn value(&self) -> i32 {
        self.value.into()
    }

    fn set_value(&mut self, value: i16) {
        self.value = value;
    }

    fn turn(&self) -> Side {
        self.turn
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
