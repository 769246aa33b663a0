//! Input features of the network: windows of the board, and a few numbers that no window contains.
//!
//! Public Ataxx programs feed their networks windows of 2 × 2 cells, all 36 of them, each in one of its 81 states.
//! These show which cells have neighbours, and two that overlap share a pair of cells. In addition, nine windows of 3 ×
//! 3 cells, at every second row and column, are features: a single row represents everything that meets in one of them.
//! Such small windows cannot show the effect of a leap from two cells away, so each side adds four numbers, each
//! encoded as one feature of several: the maximum that its best division and its best move infect, the number of cells
//! it could lose in one move, and the number it can divide into; and the pairs of the first two and of the last two.
//!
//! Each window of 2 × 2 cells lies in exactly one of the nine, and each number in one pair. So a search adds up
//! *joined* features: a window of 3 × 3 cells with the four in it, and a pair with its two numbers, each with the sum
//! of these rows as its own.

use std::sync::LazyLock;

use agon_game::Side;
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{BOARD, CELLS, WIDTH, dilate, size};
use agon_search::nnue::features::SYMMETRIES;
use agon_search::nnue::{Features, Images, Joined, List};

use super::classic::{around, most};
use super::moves::reach;

/// States of a small window: three to the four.
const SMALL_STATES: usize = 81;

/// Number of small windows in a row, and in a column.
const SMALL_SIDE: usize = WIDTH - 1;

/// Features of all small windows.
const SMALL: usize = SMALL_SIDE * SMALL_SIDE * SMALL_STATES;

/// Rows, and columns, from one large window to the next.
const STRIDE: usize = 2;

/// Number of large windows in a row, and in a column.
const LARGE_SIDE: usize = WIDTH / STRIDE;

/// States of a column of a large window, the uppermost cell being the lowest digit.
const COLUMN: usize = 27;

/// States of a large window: three columns, the left one being the lowest digit.
const LARGE_STATES: usize = COLUMN * COLUMN * COLUMN;

/// Features of all large windows.
const LARGE: usize = LARGE_SIDE * LARGE_SIDE * LARGE_STATES;

/// Number of cells that the best move infects, from 0 to 8, and 9 if there is none.
const STRIKES: usize = 10;

/// Number of cells, at most 31.
const COUNTS: usize = 32;

/// Numbers of each side: two strikes and two counts.
const NUMBERS: usize = 4;

/// The first feature of each number of one side.
const FIRSTS: [usize; NUMBERS] = [0, STRIKES, 2 * STRIKES, 2 * STRIKES + COUNTS];

/// Features of all numbers of one side.
const OF_SIDE: usize = 2 * STRIKES + 2 * COUNTS;

/// Pairs of numbers: the strikes, and the counts.
const PAIRS: usize = NUMBERS / 2;

/// Number of values of each number in a pair.
const VALUES: [usize; PAIRS] = [STRIKES, COUNTS];

/// The first feature of each pair of one side.
const PAIR_FIRSTS: [usize; PAIRS] = [0, STRIKES * STRIKES];

/// Features of both pairs of one side.
const PAIRS_OF_SIDE: usize = STRIKES * STRIKES + COUNTS * COUNTS;

/// Number of features before those with joined features of their own.
const PARTS: usize = SMALL + 2 * OF_SIDE;

/// Empty cells that are one stage.
const STAGE: u32 = 6;

/// The windows and numbers, as features of a network.
#[derive(Clone, Copy, Debug)]
pub struct Windows;

/// The occupied cells, which determine the features.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// The first side's cells and the second's.
    cells: [u64; 2],
    /// The numbers of each side: its best division and its best move, cells it could lose, cells it can divide into.
    numbers: [[u8; NUMBERS]; 2],
}

impl Occupancy {
    /// The board with these cells of the first and the second side.
    #[inline]
    pub fn new([first, second]: [u64; 2]) -> Self {
        let empty = BOARD & !(first | second);
        Self { cells: [first, second], numbers: [numbers(first, second, empty), numbers(second, first, empty)] }
    }
}

/// The numbers of one side.
#[inline]
fn numbers(own: u64, opponent: u64, empty: u64) -> [u8; NUMBERS] {
    let planes = around(opponent);
    let strike = |places: u64| if places == 0 { STRIKES as u8 - 1 } else { most(planes, places) as u8 };
    let count = |cells: u64| size(cells).min(COUNTS as u32 - 1) as u8;
    let (room, places) = (dilate(own) & empty, reach(own) & empty);
    let exposed = dilate(reach(opponent) & empty) & own;
    [strike(room), strike(places), count(exposed), count(room)]
}

/// The cells of each row as digits, a byte each, in the first side's view and in the second's: 1 of the viewer's, 2 of
/// the other's.
#[inline]
fn digits(cells: [u64; 2]) -> [[u64; WIDTH]; 2] {
    let mut digits = [[0; WIDTH]; 2];
    for row in 0..WIDTH {
        let [first, second] = cells.map(|cells| BYTES[(cells >> (WIDTH * row)) as usize % BYTES.len()]);
        digits[0][row] = first + 2 * second;
        digits[1][row] = second + 2 * first;
    }
    digits
}

/// The states of a row of small windows, a byte each.
const fn small_states(digits: &[u64; WIDTH], row: usize) -> u64 {
    // Each byte is a column; of two adjacent ones, the left one is the lower digit.
    let columns = digits[row] + 9 * digits[row + 1];
    columns + 3 * (columns >> 8)
}

/// The states of a row of large windows, 16 bits each.
#[inline]
const fn large_states(digits: &[u64; WIDTH], row: usize) -> u64 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    const COLUMNS: u64 = COLUMN as u64;
    let columns = digits[STRIDE * row] + 3 * digits[STRIDE * row + 1] + 9 * digits[STRIDE * row + 2];
    let (even, odd) = (columns & EVEN, (columns >> 8) & EVEN);
    even + COLUMNS * odd + COLUMNS * COLUMNS * (even >> 16)
}

/// The cells of a window as digits, row by row.
type Digits<const SIDE: usize> = [[usize; SIDE]; SIDE];

/// Returns the increment to the state of a small window for one more cell in this row and column, per unit of the
/// digit.
const fn small_worth(row: usize, column: usize) -> usize {
    3_usize.pow(2 * row as u32 + column as u32)
}

/// The same for a large window.
const fn large_worth(row: usize, column: usize) -> usize {
    3_usize.pow(row as u32) * COLUMN.pow(column as u32)
}

/// The cells of a window in this state.
fn cells_of<const SIDE: usize>(state: usize, worth: impl Fn(usize, usize) -> usize) -> Digits<SIDE> {
    std::array::from_fn(|row| std::array::from_fn(|column| state / worth(row, column) % 3))
}

/// The state of a window with these cells.
fn state_of<const SIDE: usize>(cells: &Digits<SIDE>, worth: impl Fn(usize, usize) -> usize) -> usize {
    (0..SIDE * SIDE).map(|at| (at / SIDE, at % SIDE)).map(|(row, column)| cells[row][column] * worth(row, column)).sum()
}

/// Returns the image under a symmetry of a window whose top left cell is in this row and column, and of its cells.
fn turned_window<const SIDE: usize>(
    (row, column): (usize, usize),
    cells: &Digits<SIDE>,
    symmetry: usize,
) -> ((usize, usize), Digits<SIDE>) {
    let corners = [(row, column), (row + SIDE - 1, column + SIDE - 1)].map(|corner| turned(corner, symmetry));
    let (top, left) = (corners[0].0.min(corners[1].0), corners[0].1.min(corners[1].1));
    let mut image = [[0; SIDE]; SIDE];
    for (at, digit) in cells.iter().flatten().enumerate() {
        let to = turned((row + at / SIDE, column + at % SIDE), symmetry);
        image[to.0 - top][to.1 - left] = *digit;
    }
    ((top, left), image)
}

impl Features<Bacteria> for Windows {
    const NAME: &'static str = "bacteria 3x3 and numbers";
    const COUNT: usize = PARTS + Self::JOINED;
    const DRAWN: usize = PARTS;
    const ACTIVE: usize = SMALL_SIDE * SMALL_SIDE + 2 * NUMBERS + LARGE_SIDE * LARGE_SIDE + 2 * PAIRS;
    const STAGES: usize = (CELLS as u32 / STAGE) as usize;
    const NARROW: bool = true;
    const SYMMETRIES: usize = SYMMETRIES;
    type Board = Occupancy;

    /// The image of a window has another place, and its cells are in another order. Numbers are the same under all
    /// symmetries.
    fn image(feature: usize, symmetry: usize) -> usize {
        if feature < SMALL {
            let (window, state) = (feature / SMALL_STATES, feature % SMALL_STATES);
            let at = (window / SMALL_SIDE, window % SMALL_SIDE);
            let ((row, column), cells) = turned_window::<2>(at, &cells_of(state, small_worth), symmetry);
            return small(row, column) + state_of(&cells, small_worth);
        }
        match feature.checked_sub(PARTS) {
            Some(joined) if joined < LARGE => {
                let (window, state) = (joined / LARGE_STATES, joined % LARGE_STATES);
                let at = (STRIDE * (window / LARGE_SIDE), STRIDE * (window % LARGE_SIDE));
                let ((row, column), cells) = turned_window::<3>(at, &cells_of(state, large_worth), symmetry);
                PARTS + large(row / STRIDE, column / STRIDE) + state_of(&cells, large_worth)
            }
            _ => feature,
        }
    }

    #[inline]
    fn board(position: &Bacteria) -> Occupancy {
        Occupancy::new(Side::BOTH.map(|side| position.cells(side)))
    }

    #[inline]
    fn stage(board: Occupancy) -> usize {
        let [first, second] = board.cells;
        (size(BOARD & !(first | second)) / STAGE) as usize
    }

    fn present(board: Occupancy, views: &mut [List; 2]) {
        for (view, digits) in views.iter_mut().zip(digits(board.cells)) {
            for row in 0..SMALL_SIDE {
                let states = small_states(&digits, row);
                for column in 0..SMALL_SIDE {
                    view.push(small(row, column) + (states >> (8 * column)) as usize % 256);
                }
            }
        }
        for side in 0..2 {
            for number in 0..NUMBERS {
                let value = board.numbers[side][number];
                views[side].push(of_number(true, number, value));
                views[1 - side].push(of_number(false, number, value));
            }
        }
        let mut joined = <[Joined; 2]>::default();
        Self::joined(board, &mut joined);
        for (view, joined) in views.iter_mut().zip(&joined) {
            let turning = joined.turning.iter().map(|images| &images[0]);
            turning.chain(joined.fixed.as_slice()).for_each(|&joined| view.push(PARTS + joined as usize));
        }
    }

    const JOINED: usize = LARGE + 2 * PAIRS_OF_SIDE;

    fn parts(joined: usize, parts: &mut List) {
        parts.push(PARTS + joined);
        let Some(pairs) = joined.checked_sub(LARGE) else {
            let (window, state) = (joined / LARGE_STATES, joined % LARGE_STATES);
            let (top, left) = (STRIDE * (window / LARGE_SIDE), STRIDE * (window % LARGE_SIDE));
            let cells: Digits<3> = cells_of(state, large_worth);
            for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let within = std::array::from_fn(|r| std::array::from_fn(|c| cells[row + r][column + c]));
                parts.push(small(top + row, left + column) + state_of::<2>(&within, small_worth));
            }
            return;
        };
        let (own, pairs) = (pairs < PAIRS_OF_SIDE, pairs % PAIRS_OF_SIDE);
        let pair = usize::from(pairs >= PAIR_FIRSTS[1]);
        let values = pairs - PAIR_FIRSTS[pair];
        for (number, value) in [values / VALUES[pair], values % VALUES[pair]].into_iter().enumerate() {
            parts.push(of_number(own, 2 * pair + number, value as u8));
        }
    }

    #[inline]
    fn joined(board: Occupancy, views: &mut [Joined; 2]) {
        let states_of_images = &**STATES_OF_IMAGES;
        for (view, digits) in views.iter_mut().zip(digits(board.cells)) {
            for (row, firsts) in FIRSTS_OF_IMAGES.iter().enumerate() {
                let states = large_states(&digits, row);
                for (column, firsts) in firsts.iter().enumerate() {
                    let states = states_of_images[(states >> (16 * column)) as usize % (1 << 16)];
                    view.turning.push(std::array::from_fn(|image| firsts[image] + u32::from(states[image])));
                }
            }
        }
        for side in 0..2 {
            for pair in 0..PAIRS {
                views[side].fixed.push(of_pair(true, pair, board.numbers[side]));
                views[1 - side].fixed.push(of_pair(false, pair, board.numbers[side]));
            }
        }
    }
}

/// State of a large window's image under each symmetry, by its own state.
static STATES_OF_IMAGES: LazyLock<Box<[[u16; SYMMETRIES]]>> = LazyLock::new(|| {
    let images = |state| {
        let cells = cells_of(state, large_worth);
        // Wherever the window is, its cells come into the same order.
        std::array::from_fn(|symmetry| state_of(&turned_window::<3>((0, 0), &cells, symmetry).1, large_worth) as u16)
    };
    (0..LARGE_STATES).map(images).collect()
});

/// The first joined feature of the image of the large window in this row and column of them, under each symmetry.
static FIRSTS_OF_IMAGES: [[Images; LARGE_SIDE]; LARGE_SIDE] = {
    let mut firsts = [[[0; SYMMETRIES]; LARGE_SIDE]; LARGE_SIDE];
    let mut at = 0;
    while at < LARGE_SIDE * LARGE_SIDE * SYMMETRIES {
        let (window, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        let (row, column) = (window / LARGE_SIDE, window % LARGE_SIDE);
        // The cell in the middle of a window stays there.
        let (to_row, to_column) = turned((STRIDE * row + 1, STRIDE * column + 1), symmetry);
        firsts[row][column][symmetry] = large(to_row / STRIDE, to_column / STRIDE) as u32;
        at += 1;
    }
    firsts
};

/// The first feature of the small window in this row and column of them.
#[inline]
const fn small(row: usize, column: usize) -> usize {
    SMALL_STATES * (SMALL_SIDE * row + column)
}

/// The first joined feature of the large window in this row and column of them.
#[inline]
const fn large(row: usize, column: usize) -> usize {
    LARGE_STATES * (LARGE_SIDE * row + column)
}

/// The feature of a number, the viewer's own or the other side's.
#[inline]
const fn of_number(own: bool, number: usize, value: u8) -> usize {
    let side = if own { 0 } else { OF_SIDE };
    SMALL + side + FIRSTS[number] + value as usize
}

/// The joined feature of a pair of numbers, the viewer's own or the other side's.
#[inline]
const fn of_pair(own: bool, pair: usize, numbers: [u8; NUMBERS]) -> usize {
    let side = if own { 0 } else { PAIRS_OF_SIDE };
    let (one, other) = (numbers[2 * pair] as usize, numbers[2 * pair + 1] as usize);
    LARGE + side + PAIR_FIRSTS[pair] + VALUES[pair] * one + other
}

/// Returns the image of the cell in this row and column under a symmetry of the board: bit 0 of its number flips it
/// vertically, bit 1 horizontally, bit 2 swaps rows and columns.
pub const fn turned((mut row, mut column): (usize, usize), symmetry: usize) -> (usize, usize) {
    if symmetry & 1 != 0 {
        row = WIDTH - 1 - row;
    }
    if symmetry & 2 != 0 {
        column = WIDTH - 1 - column;
    }
    if symmetry & 4 != 0 { (column, row) } else { (row, column) }
}

/// The bits of a row's cells as bytes.
static BYTES: [u64; 1 << WIDTH] = bytes();

const fn bytes() -> [u64; 1 << WIDTH] {
    let mut bytes = [0; 1 << WIDTH];
    let mut cells = 0;
    while cells < bytes.len() {
        let mut column = 0;
        while column < WIDTH {
            bytes[cells] |= (cells as u64 >> column & 1) << (8 * column);
            column += 1;
        }
        cells += 1;
    }
    bytes
}
