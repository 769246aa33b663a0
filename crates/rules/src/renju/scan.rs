//! Judges all empty points of a board at once, by the bits of its rows.
//!
//! Each question of [`Window`](super::Window) about one point is asked here about every point of a row, with the same
//! few operations on words, so that a compiler can handle all rows together. Only article 9.3, whether a three counts,
//! needs to examine single points, and only those with threes on two lines.

use agon_game::Side;

use super::point::Points;
use super::{Board, SIZE};

/// How far a stone's surroundings reach, as in a window.
const REACH: usize = 5;

/// Rows in the tables: those of the board and an empty one, so that their number is a power of two.
const ROWS: usize = SIZE + 1;

/// Rows with an empty margin above and below.
type Padded = [u16; ROWS + 2 * REACH];

/// A bit for each point.
type Bits = [u16; ROWS];

fn padded(points: Points) -> Padded {
    let mut rows = [0; ROWS + 2 * REACH];
    rows[REACH..REACH + SIZE].copy_from_slice(&points.rows());
    rows
}

/// The result of a black stone on each point.
#[derive(Default)]
struct Found {
    /// An unbroken row of exactly five.
    five: Bits,
    /// An overline.
    overline: Bits,
    /// A four, and a second one.
    four: Bits,
    fours: Bits,
    /// A three, and another one on a second line.
    three: Bits,
    threes: Bits,
}

/// The points that are forbidden whatever article 9.3 says, and those with threes on two lines, for which it decides.
pub(super) fn scan(board: &Board) -> (Points, Points) {
    let (own, empty) = (padded(board.stones(Side::First)), padded(board.empties()));
    let mut found = Found::default();
    // In the order of `Axis`: the row and the column that one step adds.
    look::<0, 1>(&own, &empty, &mut found);
    look::<1, 0>(&own, &empty, &mut found);
    look::<1, 1>(&own, &empty, &mut found);
    look::<-1, 1>(&own, &empty, &mut found);
    let open = board.empties().rows();
    let of = |bits: &dyn Fn(usize) -> u16| Points::from_rows(std::array::from_fn(|row| open[row] & bits(row)));
    // A five beats everything (section 2; article 9.1).
    let sure = |row: usize| (found.overline[row] | found.fours[row]) & !found.five[row];
    let asked = |row: usize| found.threes[row] & !found.five[row] & !sure(row);
    (of(&sure), of(&asked))
}

/// The rows whose bits lie `STEPS` further on an axis, each in the place of the point that looks at it.
#[inline]
fn shifted<const DOWN: isize, const RIGHT: isize, const STEPS: isize>(rows: &Padded) -> Bits {
    let (first, columns) = (REACH.wrapping_add_signed(DOWN * STEPS), RIGHT * STEPS);
    let mut bits = [0; ROWS];
    bits.copy_from_slice(&rows[first..first + ROWS]);
    bits.map(|row| if columns < 0 { row << -columns } else { row >> columns })
}

/// The rows of every place around a point, from [`REACH`] before it to [`REACH`] after it.
#[inline]
fn around<const DOWN: isize, const RIGHT: isize>(rows: &Padded) -> [Bits; 2 * REACH + 1] {
    [
        shifted::<DOWN, RIGHT, -5>(rows),
        shifted::<DOWN, RIGHT, -4>(rows),
        shifted::<DOWN, RIGHT, -3>(rows),
        shifted::<DOWN, RIGHT, -2>(rows),
        shifted::<DOWN, RIGHT, -1>(rows),
        shifted::<DOWN, RIGHT, 0>(rows),
        shifted::<DOWN, RIGHT, 1>(rows),
        shifted::<DOWN, RIGHT, 2>(rows),
        shifted::<DOWN, RIGHT, 3>(rows),
        shifted::<DOWN, RIGHT, 4>(rows),
        shifted::<DOWN, RIGHT, 5>(rows),
    ]
}

/// The places of `N` successive points starting with `from`, without the middle ones.
const fn others<const N: usize>(from: isize) -> [isize; N] {
    let (mut places, mut at) = ([0; N], 0);
    while at < N {
        places[at] = from + at as isize + (from + at as isize >= 0) as isize;
        at += 1;
    }
    places
}

/// The surroundings of the points of one row: bit by bit, whether a place has a black stone or is empty.
#[derive(Clone, Copy)]
struct Around<'a> {
    own: &'a [Bits; 2 * REACH + 1],
    empty: &'a [Bits; 2 * REACH + 1],
    row: usize,
}

impl Around<'_> {
    #[inline]
    fn own(self, steps: isize) -> u16 {
        self.own[REACH.wrapping_add_signed(steps)][self.row]
    }

    #[inline]
    fn empty(self, steps: isize) -> u16 {
        self.empty[REACH.wrapping_add_signed(steps)][self.row]
    }

    /// A four: of the five points that begin `FROM` steps away, all but one are stones, and none is next to them.
    #[inline]
    fn four<const FROM: isize>(self) -> u16 {
        let [a, b, c, d] = const { others(FROM) };
        let (o, e) = (|steps| self.own(steps), |steps| self.empty(steps));
        let one_of = |x: isize, y: isize| o(x) & e(y) | e(x) & o(y);
        let three_stones = o(a) & o(b) & one_of(c, d) | one_of(a, b) & o(c) & o(d);
        three_stones & !o(FROM - 1) & !o(FROM + 5)
    }

    /// A three: of the four points that begin `FROM` steps away, one is empty; a stone there makes a straight four.
    #[inline]
    fn three<const FROM: isize>(self) -> u16 {
        let [a, b, c] = const { others(FROM) };
        let (o, e) = (|steps| self.own(steps), |steps| self.empty(steps));
        let two_stones = o(a) & o(b) & e(c) | (o(a) & e(b) | e(a) & o(b)) & o(c);
        two_stones & e(FROM - 1) & e(FROM + 4) & !o(FROM - 2) & !o(FROM + 5)
    }
}

/// Looks along one axis. All places are constants: compilers take 16 rows at once only in a loop without another one.
#[inline]
fn look<const DOWN: isize, const RIGHT: isize>(own: &Padded, empty: &Padded, found: &mut Found) {
    let (own, empty) = (&around::<DOWN, RIGHT>(own), &around::<DOWN, RIGHT>(empty));
    for row in 0..ROWS {
        let around = Around { own, empty, row };
        let o = |steps: isize| around.own(steps);
        let (b1, a1) = (o(-1), o(1));
        let (b2, a2) = (b1 & o(-2), a1 & o(2));
        let (b3, a3) = (b2 & o(-3), a2 & o(3));
        let (b4, a4) = (b3 & o(-4), a3 & o(4));
        let overline = b4 & o(-5) | b4 & a1 | b3 & a2 | b2 & a3 | b1 & a4 | a4 & o(5);
        found.overline[row] |= overline;
        found.five[row] |= (b4 | b3 & a1 | b2 & a2 | b1 & a3 | a4) & !overline;

        let [a, b, c, d, e] =
            [around.four::<-4>(), around.four::<-3>(), around.four::<-2>(), around.four::<-1>(), around.four::<0>()];
        // Two fives that begin one step apart are of the same four stones: a straight four.
        for new in [a, b & !a, c & !b, d & !c, e & !d] {
            found.fours[row] |= found.four[row] & new;
            found.four[row] |= new;
        }

        let three = around.three::<-3>() | around.three::<-2>() | around.three::<-1>() | around.three::<0>();
        found.threes[row] |= found.three[row] & three;
        found.three[row] |= three;
    }
}
