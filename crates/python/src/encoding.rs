//! Positions and moves as numbers: the planes of observations and the numbers of actions. docs/python.md has them.
//!
//! Legal moves are words of bits: [`Sizes::words`] words, [`Sizes::width`] bits of each in use, and one word more whose
//! lowest bit is PASS. An action counts these bits from the first, so the last action is PASS.

use agon_catalog::CatalogPosition;
use agon_game::{Position as _, Side};
use agon_rules::bacteria::board::{CELLS, WIDTH, dilate, neighbours};
use agon_rules::bacteria::{self, Bacteria, PLY_LIMIT};
use agon_rules::domineering::{self, Domineering};
use agon_rules::renju::{self, Point, Points, Renju};

/// The most words of legal moves that a game has, PASS counted in.
pub(crate) const MAX_WORDS: usize = 18;

/// Sizes of a game's arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    pub rows: usize,
    pub columns: usize,
    /// Planes of an observation.
    pub planes: usize,
    /// Words of legal moves, PASS left out.
    pub words: usize,
    /// Bits in use of each.
    pub width: usize,
}

impl Sizes {
    pub const fn actions(&self) -> usize {
        self.words * self.width + 1
    }

    /// Numbers of an observation.
    pub const fn observation(&self) -> usize {
        self.planes * self.rows * self.columns
    }

    /// The word and the bit of an action, which is below [`Self::actions`].
    #[inline]
    pub const fn place(&self, action: usize) -> (usize, usize) {
        (action / self.width, action % self.width)
    }

    /// Writes words of legal moves as one byte for each action.
    #[inline]
    pub fn spread(&self, legal: &[u64], mask: &mut [i8]) {
        let (last, places) = mask.split_at_mut(self.words * self.width);
        for (&word, bytes) in legal.iter().zip(last.chunks_exact_mut(self.width)) {
            let mut rest = word;
            let mut eights = bytes.chunks_exact_mut(8);
            for eight in &mut eights {
                eight.copy_from_slice(&SPREAD[(rest & 0xff) as usize]);
                rest >>= 8;
            }
            for byte in eights.into_remainder() {
                *byte = (rest & 1) as i8;
                rest >>= 1;
            }
        }
        places[0] = (legal[self.words] & 1) as i8;
    }
}

/// The bits of a byte as bytes.
static SPREAD: [[i8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        table[at / 8][at % 8] = (((at / 8) >> (at % 8)) & 1) as i8;
        at += 1;
    }
    table
};

/// The bits of a byte as numbers.
static NUMBERS: [[f32; 8]; 256] = {
    let mut table = [[0.0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        table[at / 8][at % 8] = SPREAD[at / 8][at % 8] as f32;
        at += 1;
    }
    table
};

/// A position that becomes numbers.
pub trait Encoded: CatalogPosition + Sync {
    fn sizes(&self) -> Sizes;

    /// Replaces the words by the legal moves; empty for a finished game.
    fn legal(&self, legal: &mut [u64]);

    /// The move of a legal action.
    fn decode(&self, action: usize) -> Self::Move;

    /// Returns the action of a legal move.
    fn encode(&self, m: Self::Move) -> usize;

    /// Writes the planes, seen by a side.
    fn observe(&self, viewer: Side, planes: &mut [f32]);

    /// Writes the planes, seen by the side to move, whose legal moves these are.
    #[inline]
    fn observe_by_legal(&self, legal: &[u64], planes: &mut [f32]) {
        let _ = legal;
        self.observe(self.turn(), planes);
    }
}

/// Writes a set of bits as zeros and ones.
#[inline]
fn write_bits(plane: &mut [f32], bits: u64) {
    let mut rest = bits;
    let mut eights = plane.chunks_exact_mut(8);
    for eight in &mut eights {
        eight.copy_from_slice(&NUMBERS[(rest & 0xff) as usize]);
        rest >>= 8;
    }
    for number in eights.into_remainder() {
        *number = one(rest & 1 == 1);
        rest >>= 1;
    }
}

const fn one(set: bool) -> f32 {
    if set { 1.0 } else { 0.0 }
}

/// The origin of a leap, as rows and columns from its destination, in reading order.
const SOURCES: [(i32, i32); 16] = [
    (-2, -2),
    (-2, -1),
    (-2, 0),
    (-2, 1),
    (-2, 2),
    (-1, -2),
    (-1, 2),
    (0, -2),
    (0, 2),
    (1, -2),
    (1, 2),
    (2, -2),
    (2, -1),
    (2, 0),
    (2, 1),
    (2, 2),
];

/// The cells from which a step of that many columns stays on the board.
const fn with_column(step: i32) -> u64 {
    let (mut cells, mut cell) = (0, 0);
    while cell < CELLS {
        let column = (cell % WIDTH) as i32 + step;
        if column >= 0 && column < WIDTH as i32 {
            cells |= 1 << cell;
        }
        cell += 1;
    }
    cells
}

/// For each source of a leap: its distance from the destination in bits, and the valid destinations.
const LEAPS: [(i32, u64); 16] = {
    let mut leaps = [(0, 0); 16];
    let mut at = 0;
    while at < 16 {
        let (rows, columns) = SOURCES[at];
        leaps[at] = (rows * WIDTH as i32 + columns, with_column(columns));
        at += 1;
    }
    leaps
};

const BACTERIA: Sizes = Sizes { rows: WIDTH, columns: WIDTH, planes: 3, words: 17, width: CELLS };

impl Encoded for Bacteria {
    fn sizes(&self) -> Sizes {
        BACTERIA
    }

    #[inline]
    fn legal(&self, legal: &mut [u64]) {
        legal.fill(0);
        if self.outcome().is_some() {
            return;
        }
        let (own, empty) = (self.cells(self.turn()), self.empty());
        legal[0] = dilate(own) & empty;
        let mut any = legal[0];
        for (word, (behind, destinations)) in legal[1..].iter_mut().zip(LEAPS) {
            let moved = if behind < 0 { own << -behind } else { own >> behind };
            *word = moved & destinations & empty;
            any |= *word;
        }
        legal[17] = u64::from(any == 0);
    }

    #[inline]
    fn decode(&self, action: usize) -> bacteria::Move {
        match BACTERIA.place(action) {
            (0, to) => {
                let sources = neighbours(to) & self.cells(self.turn());
                bacteria::Move::new(sources.trailing_zeros() as usize, to)
            }
            (leap @ 1..17, to) => bacteria::Move::new((to as i32 + LEAPS[leap - 1].0) as usize, to),
            _ => bacteria::Move::PASS,
        }
    }

    fn encode(&self, m: bacteria::Move) -> usize {
        if m.is_pass() {
            return BACTERIA.actions() - 1;
        }
        let behind = m.from() as i32 - m.to() as i32;
        // Two sources may be the same number of bits away; the destination determines which of them is on the board.
        let leap = |&(by, destinations): &(i32, u64)| by == behind && destinations >> m.to() & 1 == 1;
        let plane = if m.is_leap() { LEAPS.iter().position(leap).map_or(0, |at| at + 1) } else { 0 };
        plane * CELLS + m.to()
    }

    #[inline]
    fn observe(&self, viewer: Side, planes: &mut [f32]) {
        let (own, rest) = planes.split_at_mut(CELLS);
        let (other, plies) = rest.split_at_mut(CELLS);
        write_bits(own, self.cells(viewer));
        write_bits(other, self.cells(viewer.other()));
        plies.fill(self.ply() as f32 / f32::from(PLY_LIMIT));
    }
}

/// Cells of a row of domineering's words.
const ROW_BITS: usize = 8;

impl Encoded for Domineering {
    fn sizes(&self) -> Sizes {
        let (rows, columns) = (self.board().rows(), self.board().columns());
        Sizes { rows, columns, planes: 5, words: rows, width: columns }
    }

    #[inline]
    fn legal(&self, legal: &mut [u64]) {
        legal.fill(0);
        if self.outcome().is_some() {
            return;
        }
        let (places, rows) = (self.places(self.turn()), self.board().rows());
        for (row, word) in legal[..rows].iter_mut().enumerate() {
            *word = places >> (ROW_BITS * row) & 0xff;
        }
        legal[rows] = 1;
    }

    #[inline]
    fn decode(&self, action: usize) -> domineering::Move {
        let (row, column) = self.sizes().place(action);
        if row == self.board().rows() {
            domineering::Move::PASS
        } else {
            domineering::Move::at(ROW_BITS * row + column)
        }
    }

    fn encode(&self, m: domineering::Move) -> usize {
        let sizes = self.sizes();
        m.anchor().map_or(sizes.actions() - 1, |anchor| anchor / ROW_BITS * sizes.width + anchor % ROW_BITS)
    }

    fn observe(&self, viewer: Side, planes: &mut [f32]) {
        let Sizes { rows, columns, .. } = self.sizes();
        let board = rows * columns;
        let halves = self.lead().halves();
        // Integers have no negative zero.
        let lead = if viewer == Side::First { halves } else { -halves };
        for (at, (row, column)) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))).enumerate() {
            let cell = ROW_BITS * row + column;
            planes[at] = f32::from(self.board().weights()[cell]);
            planes[board + at] = (self.empty() >> cell & 1) as f32;
        }
        planes[2 * board..3 * board].fill(one(viewer == Side::First));
        planes[3 * board..4 * board].fill(one(self.last_pass()));
        planes[4 * board..].fill(lead as f32 / 2.0);
    }
}

const RENJU: Sizes =
    Sizes { rows: renju::SIZE, columns: renju::SIZE, planes: 5, words: renju::SIZE, width: renju::SIZE };

impl Encoded for Renju {
    fn sizes(&self) -> Sizes {
        RENJU
    }

    fn legal(&self, legal: &mut [u64]) {
        for (word, row) in legal.iter_mut().zip(self.stone_points().rows()) {
            *word = row.into();
        }
        legal[renju::SIZE] = u64::from(self.may_pass());
    }

    fn decode(&self, action: usize) -> renju::Move {
        Point::from_index(action).map_or(renju::Move::Pass, renju::Move::Stone)
    }

    fn encode(&self, m: renju::Move) -> usize {
        m.point().map_or(renju::POINTS, Point::index)
    }

    fn observe(&self, viewer: Side, planes: &mut [f32]) {
        write_renju(self, viewer, self.forbidden_points(), planes);
    }

    fn observe_by_legal(&self, legal: &[u64], planes: &mut [f32]) {
        // After the opening, all points open to Black are legal except the forbidden ones; finding these takes most of
        // the time of a ply.
        if self.turn() == Side::First && self.may_pass() {
            let allowed = Points::from_rows(std::array::from_fn(|row| legal[row] as u16));
            write_renju(self, Side::First, self.board().empties().without(allowed), planes);
        } else {
            self.observe(self.turn(), planes);
        }
    }
}

fn write_renju(position: &Renju, viewer: Side, forbidden: Points, planes: &mut [f32]) {
    let board = position.board();
    let sets = [board.stones(viewer), board.stones(viewer.other()), forbidden];
    let (points, rest) = planes.split_at_mut(sets.len() * renju::POINTS);
    for (plane, set) in points.chunks_exact_mut(renju::POINTS).zip(sets) {
        for (row, bits) in plane.chunks_exact_mut(renju::SIZE).zip(set.rows()) {
            write_bits(row, bits.into());
        }
    }
    let (black, passed) = rest.split_at_mut(renju::POINTS);
    black.fill(one(viewer == Side::First));
    passed.fill(one(position.passes() > 0));
}
