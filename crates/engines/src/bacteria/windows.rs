//! What the network sees: windows of the board, and a few numbers that no window can tell.
//!
//! The 36 overlapping windows of 2 × 2 cells, each in one of its 81 states, are what public Ataxx programs feed their
//! networks. They say which cells have neighbours, and two that overlap in a pair of cells tell each other's. What a
//! leap from two cells away can do is more than windows so small can see, so four numbers of each side are added, each
//! as one feature of several: the most that its best division and its best move infect, how many cells it could lose at
//! once, and how many it can divide into.
//!
//! A search adds up *joined* features, half as many: two windows beside each other, which are 2 × 3 cells, and two numbers of a
//! side, each with the sum of two rows for its own.

use agon_game::Side;
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{BOARD, CELLS, WIDTH, dilate, size};
use agon_search::nnue::{Features, List, Turnover};

use super::classic::{around, most};
use super::moves::reach;

/// States of a window: three to the four.
const STATES: usize = 81;

/// Windows beside each other, and above each other.
const SIDE: usize = WIDTH - 1;

/// Windows of the board.
const WINDOWS: usize = SIDE * SIDE;

/// A byte for each two neighbours in a row.
const PAIRS: u64 = (1 << (8 * SIDE)) - 1;

/// States of two cells one above the other, the upper being the lower digit.
const COLUMN: usize = 9;

/// States of two joined windows: three columns, the left one being the lowest digit.
const JOINED_STATES: usize = COLUMN * COLUMN * COLUMN;

/// Joined windows beside each other.
const JOINED_SIDE: usize = SIDE / 2;

/// Bits of the state of one of them.
const JOINED_BITS: usize = 16;

/// The low byte of each state of joined windows, or of each two columns.
const LOW_BYTES: u64 = 0x00ff_00ff_00ff_00ff;

/// The states of a row of joined windows.
const JOINED_ROW: u64 = (1 << (JOINED_BITS * JOINED_SIDE)) - 1;

/// States of all joined windows: the first joined numbers come after them.
const JOINED_WINDOWS: usize = SIDE * JOINED_SIDE * JOINED_STATES;

/// What the best move infects, from 0 to 8, and 9 where there is none.
const STRIKES: usize = 10;

/// How many cells, and 31 where there are more.
const COUNTS: usize = 32;

/// Counts of each side that are features.
const NUMBERS: usize = 4;

/// The first feature of each number of one side.
const FIRSTS: [usize; NUMBERS] = [0, STRIKES, 2 * STRIKES, 2 * STRIKES + COUNTS];

/// Features of all numbers of one side.
const OF_SIDE: usize = 2 * STRIKES + 2 * COUNTS;

/// Two of them are joined: the two strikes, and the two counts.
const JOINED_NUMBERS: usize = NUMBERS / 2;

/// How many values each number of such a pair has.
const VALUES: [usize; JOINED_NUMBERS] = [STRIKES, COUNTS];

/// Joined features of all numbers of one side.
const JOINED_OF_SIDE: usize = STRIKES * STRIKES + COUNTS * COUNTS;

/// Empty cells that are one stage.
const STAGE: u32 = 6;

/// The windows and numbers, as features of a network.
#[derive(Clone, Copy, Debug)]
pub struct Windows;

/// What the features follow from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// The first side's cells and the second's.
    cells: [u64; 2],
    /// The states of the joined windows, [`JOINED_BITS`] each, in the first side's view and in the second's: a word for each row of them.
    states: [[u64; SIDE]; 2],
    /// The numbers of each side: its best division and its best move, cells it could lose, cells it can divide into.
    numbers: [[u8; NUMBERS]; 2],
}

impl Occupancy {
    /// The board with these cells of the first and the second side.
    #[inline]
    pub fn new([first, second]: [u64; 2]) -> Self {
        let empty = BOARD & !(first | second);
        Self {
            cells: [first, second],
            states: joined_states([first, second]),
            numbers: [numbers(first, second, empty), numbers(second, first, empty)],
        }
    }
}

/// The cells of each row as digits, a byte each, in the first side's view and in the second's: 1 of the viewer's, 2 of the other's.
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

/// The states of all windows, a byte each, in the first side's view and in the second's: a word for each row of them.
fn states(cells: [u64; 2]) -> [[u64; SIDE]; 2] {
    digits(cells).map(|digits| {
        // Of each two neighbours in a row the left one is the lower digit.
        let pairs = digits.map(|digits| (digits + 3 * (digits >> 8)) & PAIRS);
        std::array::from_fn(|row| pairs[row] + 9 * pairs[row + 1])
    })
}

/// The states of all joined windows, as [`Occupancy`] has them.
#[inline]
fn joined_states(cells: [u64; 2]) -> [[u64; SIDE]; 2] {
    const COLUMNS: u64 = COLUMN as u64;
    digits(cells).map(|digits| {
        std::array::from_fn(|row| {
            let columns = digits[row] + 3 * digits[row + 1];
            let (even, odd) = (columns & LOW_BYTES, (columns >> 8) & LOW_BYTES);
            (even + COLUMNS * odd + COLUMNS * COLUMNS * (even >> JOINED_BITS)) & JOINED_ROW
        })
    })
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

impl Features<Bacteria> for Windows {
    const NAME: &'static str = "bacteria 2x2 and numbers";
    const COUNT: usize = WINDOWS * STATES + 2 * OF_SIDE;
    const ACTIVE: usize = WINDOWS + 2 * NUMBERS;
    const STAGES: usize = (CELLS as u32 / STAGE) as usize;
    /// In 16 bits the rows of 256 numbers are larger than most second caches.
    const NARROW: bool = true;
    const SYMMETRIES: usize = 8;
    type Board = Occupancy;

    /// The image of a window has another place, and its cells are in another order. Numbers are the same under all symmetries.
    fn image(feature: usize, symmetry: usize) -> usize {
        let (window, state) = (feature / STATES, feature % STATES);
        if window >= WINDOWS {
            return feature;
        }
        let (row, column) = (window / SIDE, window % SIDE);
        let cells = std::array::from_fn::<_, 4, _>(|cell| {
            let digit = state / 3_usize.pow(cell as u32) % 3;
            (turned((row + cell / 2, column + cell % 2), symmetry), digit)
        });
        // The image's window begins at the uppermost and leftmost of its cells.
        let (row, column) =
            cells.iter().fold((SIDE, SIDE), |(row, column), (cell, _)| (row.min(cell.0), column.min(cell.1)));
        let place = |(cell_row, cell_column): (usize, usize)| 2 * (cell_row - row) + cell_column - column;
        let state: usize = cells.iter().map(|&(cell, digit)| digit * 3_usize.pow(place(cell) as u32)).sum();
        STATES * (SIDE * row + column) + state
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
        for (view, states) in views.iter_mut().zip(states(board.cells)) {
            for (row, states) in states.into_iter().enumerate() {
                (0..SIDE).for_each(|column| view.push(of_window(row, column, states)));
            }
        }
        for side in 0..2 {
            for number in 0..NUMBERS {
                let value = board.numbers[side][number];
                views[side].push(of_number(true, number, value));
                views[1 - side].push(of_number(false, number, value));
            }
        }
    }

    const JOINED: usize = JOINED_WINDOWS + 2 * JOINED_OF_SIDE;
    const SUMMED: usize = SIDE * JOINED_SIDE + 2 * JOINED_NUMBERS;

    fn parts(joined: usize, parts: &mut List) {
        let Some(number) = joined.checked_sub(JOINED_WINDOWS) else {
            let (place, state) = (joined / JOINED_STATES, joined % JOINED_STATES);
            let (row, left) = (place / JOINED_SIDE, 2 * (place % JOINED_SIDE));
            let columns = [state % COLUMN, state / COLUMN % COLUMN, state / COLUMN / COLUMN];
            for (right, two) in columns.windows(2).enumerate() {
                let cells = [two[0] % 3, two[1] % 3, two[0] / 3, two[1] / 3];
                let state = cells.iter().rev().fold(0, |state, cell| 3 * state + cell);
                parts.push(STATES * (SIDE * row + left + right) + state);
            }
            return;
        };
        let (own, number) = (number < JOINED_OF_SIDE, number % JOINED_OF_SIDE);
        let (pair, values) = match number.checked_sub(STRIKES * STRIKES) {
            None => (0, number),
            Some(counts) => (1, counts),
        };
        for (number, value) in [values / VALUES[pair], values % VALUES[pair]].into_iter().enumerate() {
            parts.push(of_number(own, 2 * pair + number, value as u8));
        }
    }

    fn summed(board: Occupancy, views: &mut [List; 2]) {
        for (view, states) in views.iter_mut().zip(board.states) {
            for (row, states) in states.into_iter().enumerate() {
                (0..JOINED_SIDE).for_each(|place| view.push(of_joined_windows(row, place, states)));
            }
        }
        for side in 0..2 {
            for pair in 0..JOINED_NUMBERS {
                views[side].push(of_joined_numbers(true, pair, board.numbers[side]));
                views[1 - side].push(of_joined_numbers(false, pair, board.numbers[side]));
            }
        }
    }

    #[inline]
    fn changed(old: Occupancy, new: Occupancy, views: &mut [Turnover; 2]) {
        for row in 0..SIDE {
            // Where the state changes in one view, it does in the other.
            let changes = old.states[0][row] ^ new.states[0][row];
            for place in 0..JOINED_SIDE {
                let changed = (changes >> (JOINED_BITS * place)) as u16 != 0;
                for (view, (old, new)) in views.iter_mut().zip(old.states.iter().zip(&new.states)) {
                    view.lost.push_if(changed, of_joined_windows(row, place, old[row]));
                    view.gained.push_if(changed, of_joined_windows(row, place, new[row]));
                }
            }
        }
        for side in 0..2 {
            let (old, new) = (old.numbers[side], new.numbers[side]);
            for pair in 0..JOINED_NUMBERS {
                let changed = old[2 * pair..][..2] != new[2 * pair..][..2];
                for (view, own) in [(side, true), (1 - side, false)] {
                    views[view].lost.push_if(changed, of_joined_numbers(own, pair, old));
                    views[view].gained.push_if(changed, of_joined_numbers(own, pair, new));
                }
            }
        }
    }
}

/// The joined feature of two windows, whose state is part of their row's.
#[inline]
const fn of_joined_windows(row: usize, place: usize, states: u64) -> usize {
    let state = (states >> (JOINED_BITS * place)) as usize % (1 << JOINED_BITS);
    JOINED_STATES * (JOINED_SIDE * row + place) + state
}

/// The joined feature of two numbers, the viewer's own or the other side's.
#[inline]
const fn of_joined_numbers(own: bool, pair: usize, numbers: [u8; NUMBERS]) -> usize {
    let side = if own { 0 } else { JOINED_OF_SIDE };
    let first = if pair == 0 { 0 } else { STRIKES * STRIKES };
    let (one, other) = (numbers[2 * pair] as usize, numbers[2 * pair + 1] as usize);
    JOINED_WINDOWS + side + first + VALUES[pair] * one + other
}

/// The feature of a number, the viewer's own or the other side's.
#[inline]
const fn of_number(own: bool, number: usize, value: u8) -> usize {
    let side = if own { 0 } else { OF_SIDE };
    WINDOWS * STATES + side + FIRSTS[number] + value as usize
}

/// The feature of a window, whose state is a byte of its row's.
#[inline]
const fn of_window(row: usize, column: usize, states: u64) -> usize {
    STATES * (SIDE * row + column) + (states >> (8 * column)) as usize % 256
}

/// Where a symmetry of the board takes the cell of this row and column: bit 0 of its number turns it upside down, bit 1 left to
/// right, bit 2 swaps rows and columns.
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
