//! Sets of cells as words of 64 bits, and the places for dominoes in them.
//!
//! Bit 8·row + column, both from 0, is a cell, whatever the size of the board: a smaller board leaves bits unused,
//! which never count as empty. So one shift by 1 or by 8 finds every place for a domino on any board. A domino and its
//! place are named by the *anchor*, the cell with the smaller row and column.

use agon_game::Side;

/// Maximum number of rows, and of columns, of a board.
pub const SIZE: usize = 8;

/// Distance from a domino's anchor to its other cell: 1 for H, 8 for V.
pub const STEP: [usize; 2] = [1, SIZE];

/// All cells but the last column, which anchor no horizontal domino.
const BEFORE_LAST_COLUMN: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Returns the anchors of every place that `side` has on these empty cells.
///
/// ```
/// use agon_game::Side;
/// use agon_rules::domineering::cells::places;
/// let top_row = 0xff;
/// assert_eq!(places(top_row, Side::First).count_ones(), 7);
/// assert_eq!(places(top_row, Side::Second), 0);
/// ```
#[inline]
pub const fn places(empty: u64, side: Side) -> u64 {
    match side {
        Side::First => empty & (empty >> 1) & BEFORE_LAST_COLUMN,
        // The shift brings in zeros, so the last row needs no mask.
        Side::Second => empty & (empty >> SIZE),
    }
}

/// Returns the two cells of every domino of `side` anchored at one of `anchors`.
///
/// ```
/// use agon_game::Side;
/// use agon_rules::domineering::cells::dominoes;
/// assert_eq!(dominoes(1, Side::First), 0b11);
/// assert_eq!(dominoes(1, Side::Second), 0x101);
/// ```
#[inline]
pub const fn dominoes(anchors: u64, side: Side) -> u64 {
    anchors | (anchors << STEP[side.index()])
}

/// Iterates over the cells of a set, lowest first.
///
/// ```
/// use agon_rules::domineering::cells::each;
/// assert_eq!(each(0b1001).collect::<Vec<_>>(), [0, 3]);
/// ```
#[inline]
pub fn each(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        cell
    })
}

/// Returns the cell in this row and column, both from 0 to 7.
#[inline]
pub const fn cell(row: usize, column: usize) -> usize {
    SIZE * row + column
}

/// Counts the lines of `depth` plies (see [`agon_game::perft`]) on these empty cells; `passed` is true if the last ply
/// was a PASS. Weights, scores and dominoes do not matter.
pub fn lines(empty: u64, turn: Side, passed: bool, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mine = places(empty, turn);
    if mine == 0 && places(empty, turn.other()) == 0 {
        return 0;
    }
    if depth == 1 {
        return u64::from(mine.count_ones()) + 1;
    }
    // A second PASS in a row ends the game, so there are no lines below it.
    let below_pass = if passed { 0 } else { lines(empty, turn.other(), true, depth - 1) };
    each(mine)
        .map(|anchor| lines(empty & !dominoes(1 << anchor, turn), turn.other(), false, depth - 1))
        .fold(below_pass, |sum, below| sum + below)
}
