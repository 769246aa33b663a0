//! Bounds from strips of two rows.
//!
//! A fence between rows takes places only from the side whose dominoes cross rows. So the other side, here called Left,
//! can only gain when the board is cut into strips of one or two rows: its value there is an upper bound for the board.
//! And the value of a sum of independent strips is bounded by their *thermographs* (Conway, *On Numbers and Games*,
//! chapter 9; Berlekamp, "The economist's view of combinatorial games", 1996; the strategy of *Winning Ways*, chapter
//! 6, "thermostrat"): if every move costs a tax of `t`, Left gets Lₜ from a strip if it moves first there and Rₜ if its
//! opponent does, and then for every t
//!
//! - with Left to move the whole is worth at most Σ Lₜ + t,
//! - with its opponent to move at most Σ Lₜ − max (Lₜ − Rₜ), the best strip being answered first.
//!
//! The thermographs of all sets of empty cells of a strip, 2¹⁶ on a board with 8 columns, are computed from those of
//! its smaller sets, each rounded up at sixteen taxes.

use std::marker::PhantomData;

use super::cell_set::CellSet;
use super::side_view::SideView;

/// Number of taxes in a thermograph: 0, 1, … 15 units.
pub const TAXES: usize = 16;

/// Both walls of a thermograph in units, by tax: Lₜ and Rₜ.
type Walls = [[i8; TAXES]; 2];

/// A number for every tax.
type Curve = [i16; TAXES];

const TAX: Curve = {
    let mut tax = [0; TAXES];
    let mut t = 0;
    while t < TAXES {
        tax[t] = t as i16;
        t += 1;
    }
    tax
};

// Sums over all taxes wrap, though none overflows: checked sums are not vectorised, and in builds with overflow checks,
// such as tests, filling the tables would take most of the time of a game.

/// Above everything that points can reach, with room for additions.
const INFINITE: i16 = 8_000;

/// Tables of thermographs for one side's strips on one board: 14.7 MB, and 300 MB for a board with 10 columns.
#[derive(Clone)]
pub struct Strips<S> {
    /// Indexed by pair of rows and set of empty cells in it.
    walls: Vec<Walls>,
    /// Value of a single row for Left, in units, rounded up, indexed by row and set of empty cells in it.
    rows: Vec<i16>,
    /// Half points per unit: 1 for the weights of ALPHANO. Larger weights are rounded up to larger units, which makes
    /// the bounds wider but never wrong.
    unit: i32,
    cells: PhantomData<S>,
}

impl<S: CellSet> Strips<S> {
    /// The pairs of neighbouring rows.
    const PAIRS: usize = S::SIZE - 1;
    /// Cells of a pair of rows.
    const PAIR: usize = 2 * S::SIZE;

    /// Computes the tables for Left, whose dominoes lie along the rows of the view.
    pub fn new(view: &SideView<S>) -> Self {
        let all = view.cells();
        let weight = |row: usize| {
            let cells = (all.rows(row, 2) as u64).each().map(|cell| S::SIZE * row + cell);
            cells.map(|cell| 2 * i32::from(view.weight(cell))).sum()
        };
        // A strip holds as many dominoes as a row has cells, each rounded up by less than a unit.
        let heaviest: i32 = (0..Self::PAIRS).map(weight).max().unwrap_or(0);
        let unit = (heaviest / (i32::from(i8::MAX) - Self::PAIR as i32) + 1).max(1);
        let in_units = |points: u16| pay_up(2 * i32::from(points), unit);
        let row = |row: usize| (0..1 << S::SIZE).map(move |cells| in_units(view.row_packing(row, cells)));
        let rows = (0..S::SIZE).flat_map(row).collect();
        let walls = vec![[[0; TAXES]; 2]; Self::PAIRS << Self::PAIR];
        let mut strips = Self { walls, rows, unit, cells: PhantomData };
        for row in 0..Self::PAIRS {
            strips.fill(view, row, all.rows(row, 2));
        }
        strips
    }

    /// Returns the number of half points per unit of the bounds.
    pub const fn unit(&self) -> i32 {
        self.unit
    }

    /// Computes the walls of all sets of cells of the strip that begins with this row.
    fn fill(&mut self, view: &SideView<S>, row: usize, all: usize) {
        let (size, pair) = (S::SIZE, Self::PAIR);
        let pay = |cell: usize, step: usize| {
            let cell = size * row + cell;
            2 * i32::from(view.weight(cell)) + 2 * i32::from(view.weight(cell + step))
        };
        // Left's pay is rounded up and its opponent's down.
        let lying: Vec<i16> = (0..pair - 1).map(|cell| pay_up(pay(cell, 1), self.unit)).collect();
        let standing: Vec<i16> = (0..size).map(|cell| (pay(cell, size) / self.unit) as i16).collect();
        let before_last = ((1 << (size - 1)) - 1) * (1 | 1 << size);
        let mut set: usize = 0;
        // All subsets, smaller numbers first: every move leads to a smaller one.
        while set != all {
            set = set.wrapping_sub(all) & all;
            let (left, right) = (set & (set >> 1) & before_last, set & (set >> size));
            let walls = if right == 0 {
                let units = self.alone(row, set & ((1 << size) - 1)) + self.alone(row + 1, set >> size);
                [[units; TAXES]; 2]
            } else if left == 0 {
                [[-(right as u64).each().map(|cell| standing[cell]).sum::<i16>(); TAXES]; 2]
            } else {
                let mut scaffolds: [Curve; 2] = [[-INFINITE; TAXES], [INFINITE; TAXES]];
                for cell in (left as u64).each() {
                    let right_wall = &self.walls[row << pair | set & !(0b11 << cell)][1];
                    for t in 0..TAXES {
                        let value = i16::from(right_wall[t]).wrapping_add(lying[cell]);
                        scaffolds[0][t] = scaffolds[0][t].max(value);
                    }
                }
                for cell in (right as u64).each() {
                    let left_wall = &self.walls[row << pair | set & !((1 | 1 << size) << cell)][0];
                    for t in 0..TAXES {
                        let value = i16::from(left_wall[t]).wrapping_sub(standing[cell]);
                        scaffolds[1][t] = scaffolds[1][t].min(value);
                    }
                }
                for t in 0..TAXES {
                    scaffolds[0][t] = scaffolds[0][t].wrapping_sub(TAX[t]);
                    scaffolds[1][t] = scaffolds[1][t].wrapping_add(TAX[t]);
                }
                // The scaffolds meet at the mast. Left's falls and its opponent's rises with the tax, so the higher of
                // the two is above the mast at every tax, and the left wall is whichever of mast and scaffold is
                // higher.
                let mast = (0..TAXES).map(|t| scaffolds[0][t].max(scaffolds[1][t])).min().unwrap_or(INFINITE);
                [scaffolds[0].map(|units| units.max(mast)), scaffolds[1].map(|units| units.min(mast))]
            };
            self.walls[row << pair | set] = walls.map(|wall| wall.map(|units| units as i8));
        }
    }

    /// The most that Left, to move, can still get more than its opponent, in units.
    #[inline]
    pub fn to_move(&self, empty: S) -> i16 {
        // The best cut of the rows so far, for each tax, by dynamic programming: a strip of one row, or of two.
        let [mut before, mut sum]: [Curve; 2] = [[0; TAXES]; 2];
        for row in 0..S::SIZE {
            let alone = self.alone(row, empty.rows(row, 1));
            let mut next: Curve = [0; TAXES];
            if row == 0 {
                next = [alone; TAXES];
            } else {
                let [left, _] = self.pair(row - 1, empty);
                for t in 0..TAXES {
                    next[t] = sum[t].wrapping_add(alone).min(before[t].wrapping_add(i16::from(left[t])));
                }
            }
            (before, sum) = (sum, next);
        }
        least(|t| sum[t].wrapping_add(TAX[t]))
    }

    /// Returns the maximum future lead of Left, in units, with its opponent to move.
    #[inline]
    pub fn to_wait(&self, empty: S) -> i16 {
        let [mut before, mut sum]: [Curve; 2] = [[0; TAXES]; 2];
        // The same with one strip answered: Σ Lₜ − (Lₜ − Rₜ) of that strip.
        let [mut answered_before, mut answered]: [Curve; 2] = [[0; TAXES]; 2];
        for row in 0..S::SIZE {
            let alone = self.alone(row, empty.rows(row, 1));
            let (mut next, mut next_answered): (Curve, Curve) = ([alone; TAXES], [alone; TAXES]);
            if row > 0 {
                let [left, right] = self.pair(row - 1, empty);
                for t in 0..TAXES {
                    let (left, right) = (i16::from(left[t]), i16::from(right[t]));
                    next[t] = sum[t].wrapping_add(alone).min(before[t].wrapping_add(left));
                    let kept = answered[t].wrapping_add(alone).min(answered_before[t].wrapping_add(left));
                    next_answered[t] = kept.min(before[t].wrapping_add(right));
                }
            }
            (before, sum) = (sum, next);
            (answered_before, answered) = (answered, next_answered);
        }
        least(|t| answered[t])
    }

    #[inline]
    fn pair(&self, row: usize, empty: S) -> &Walls {
        &self.walls[row << Self::PAIR | empty.rows(row, 2)]
    }

    /// Returns the value of this set of cells of a row for Left, taken separately.
    #[inline]
    fn alone(&self, row: usize, cells: usize) -> i16 {
        self.rows[row << S::SIZE | cells]
    }
}

const fn pay_up(halves: i32, unit: i32) -> i16 {
    ((halves + unit - 1) / unit) as i16
}

#[inline]
fn least(of: impl Fn(usize) -> i16) -> i16 {
    let mut least = i16::MAX;
    for t in 0..TAXES {
        least = least.min(of(t));
    }
    least
}
