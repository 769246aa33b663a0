//! What the network sees: windows of the board, and a few numbers that no window can tell.
//!
//! The 36 overlapping windows of 2 × 2 cells, each in one of its 81 states, are what public Ataxx programs feed their
//! networks. They say which cells have neighbours, and two that overlap in a pair of cells tell each other's. What a
//! leap from two cells away can do is more than windows so small can see, so four numbers of each side are added, each
//! as one feature of several: the most that its best division and its best move infect, how many cells it could lose at
//! once, and how many it can divide into.

use agon_game::Side;
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{BOARD, CELLS, WIDTH, dilate, size};
use agon_search::nnue::{Features, List, Turnover};

use super::classic::{around, most};
use super::moves::reach;

/// States of a window: three to the four.
const STATES: usize = 81;

/// Windows of the board.
const WINDOWS: usize = (WIDTH - 1) * (WIDTH - 1);

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

/// Cells that are the upper left one of a window.
const CORNERS: u64 = corners();

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

impl Features<Bacteria> for Windows {
    const NAME: &'static str = "bacteria 2x2 and numbers";
    const COUNT: usize = WINDOWS * STATES + 2 * OF_SIDE;
    const ACTIVE: usize = WINDOWS + 2 * NUMBERS;
    const STAGES: usize = (CELLS as u32 / STAGE) as usize;
    type Board = Occupancy;

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
        for corner in Corners(CORNERS) {
            let [first, second] = states(board.cells, corner);
            views[0].push(first);
            views[1].push(second);
        }
        for side in 0..2 {
            for number in 0..NUMBERS {
                let value = board.numbers[side][number];
                views[side].push(of_number(true, number, value));
                views[1 - side].push(of_number(false, number, value));
            }
        }
    }

    #[inline]
    fn changed(old: Occupancy, new: Occupancy, views: &mut [Turnover; 2]) {
        let cells = (old.cells[0] ^ new.cells[0]) | (old.cells[1] ^ new.cells[1]);
        // The windows that a cell is in begin at the cell itself, left of it, above it, and left of that.
        let touched = cells | cells >> 1 | cells >> WIDTH | cells >> (WIDTH + 1);
        for corner in Corners(touched & CORNERS) {
            let (before, after) = (states(old.cells, corner), states(new.cells, corner));
            for ((view, before), after) in views.iter_mut().zip(before).zip(after) {
                view.lost.push(before);
                view.gained.push(after);
            }
        }
        for side in 0..2 {
            for number in 0..NUMBERS {
                let (before, after) = (old.numbers[side][number], new.numbers[side][number]);
                for (view, own) in [(side, true), (1 - side, false)] {
                    views[view].lost.push_if(before != after, of_number(own, number, before));
                    views[view].gained.push_if(before != after, of_number(own, number, after));
                }
            }
        }
    }
}

/// The feature of a number, the viewer's own or the other side's.
#[inline]
const fn of_number(own: bool, number: usize, value: u8) -> usize {
    let side = if own { 0 } else { OF_SIDE };
    WINDOWS * STATES + side + FIRSTS[number] + value as usize
}

/// The features of the window at a corner, in the first side's view and in the second's.
#[inline]
fn states([first, second]: [u64; 2], corner: usize) -> [usize; 2] {
    // Two cells of the upper row, then two of the lower.
    let window = |cells: u64| (cells >> corner & 0b11 | cells >> (corner + WIDTH - 2) & 0b1100) as usize;
    let (first, second) = (window(first), window(second));
    let base = usize::from(BASES[corner % BASES.len()]);
    [base + usize::from(STATE[first | second << 4]), base + usize::from(STATE[second | first << 4])]
}

/// The first feature of the window at each corner.
static BASES: [u16; 64] = bases();

/// The state of a window from its own cells, four bits, and the opponent's, four bits above them.
static STATE: [u8; 256] = state_table();

/// Walks over the corners of a set.
struct Corners(u64);

impl Iterator for Corners {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        (self.0 != 0).then(|| {
            let corner = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            corner
        })
    }
}

const fn corners() -> u64 {
    let mut corners = 0;
    let mut window = 0;
    while window < WINDOWS {
        corners |= 1 << (window / (WIDTH - 1) * WIDTH + window % (WIDTH - 1));
        window += 1;
    }
    corners
}

const fn bases() -> [u16; 64] {
    let mut bases = [0; 64];
    let mut window = 0;
    while window < WINDOWS {
        bases[window / (WIDTH - 1) * WIDTH + window % (WIDTH - 1)] = (window * STATES) as u16;
        window += 1;
    }
    bases
}

const fn state_table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut cells = 0;
    while cells < 256 {
        let (mut state, mut power, mut cell) = (0, 1, 0);
        while cell < 4 {
            let digit = (cells >> cell & 1) + 2 * (cells >> (cell + 4) & 1);
            state += power * digit;
            power *= 3;
            cell += 1;
        }
        // A cell has one owner; what would have two is no window.
        table[cells] = if state < STATES { state as u8 } else { 0 };
        cells += 1;
    }
    table
}
