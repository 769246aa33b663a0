//! What a position looks like it is worth: a weight for every kind of empty point, summed.

use std::ops::AddAssign;

use agon_game::Side;

use super::Board;
use super::class::{Class, TAKEN};
use super::weights::FITTED;

/// The sums of the weights from Black's view, with either side to move: what a point promises depends on who plays there
/// first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values([i32; 2]);

impl Values {
    /// The worth for the side to move, in hundredths of an open two or so.
    #[inline]
    pub const fn of(self, turn: Side) -> i32 {
        match turn {
            Side::First => self.0[0],
            Side::Second => -self.0[1],
        }
    }
}

impl AddAssign for Values {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0[0] += other.0[0];
        self.0[1] += other.0[1];
    }
}

/// The weights of every kind of point, by whose stone it would be and by the side to move, from Black's view.
struct Weights([[[i32; 2]; 64]; 2]);

impl Weights {
    /// How the sums change with a point's class.
    #[inline]
    fn change(&self, side: Side, old: Class, new: Class) -> Values {
        let table = &self.0[side.index()];
        let (old, new) = (table[old.kind() as usize % 64], table[new.kind() as usize % 64]);
        Values([new[0] - old[0], new[1] - old[1]])
    }
}

/// How many kinds of empty points have weights.
pub const KINDS: usize = TAKEN as usize;

/// A difference of this much multiplies the odds of winning by e.
pub const SCALE: f64 = 400.0;

/// The weights.
static WEIGHTS: Weights = {
    let mut weights = [[[0; 2]; 64]; 2];
    let mut kind = 0;
    while kind < KINDS {
        let mut own_turn = 0;
        while own_turn < 2 {
            // A black stone's own turn is Black's, 0; a white one's is White's, 1.
            weights[0][kind][own_turn] = FITTED[0][kind][own_turn];
            weights[1][kind][1 - own_turn] = -FITTED[1][kind][own_turn];
            own_turn += 1;
        }
        kind += 1;
    }
    Weights(weights)
};

/// How the evaluation's sums change with a point's class.
#[inline]
pub(super) fn change(side: Side, old: Class, new: Class) -> Values {
    WEIGHTS.change(side, old, new)
}

/// The weight of a kind of points of a side, from its view, with it to move or not.
pub const fn weight(side: Side, kind: usize, own_turn: bool) -> i32 {
    FITTED[side.index()][kind][if own_turn { 0 } else { 1 }]
}

/// How many empty points of each kind there are for a side.
pub fn kinds(board: &Board, side: Side) -> [u8; KINDS] {
    let mut counts = [0; KINDS];
    for cell in board.empties().iter() {
        if let Some(count) = counts.get_mut(board.class(side, cell).kind() as usize) {
            *count += 1;
        }
    }
    counts
}

/// How good a stone looks before any search: what it makes, and what it keeps the other side from.
#[inline]
pub fn urgency(side: Side, mine: Class, theirs: Class) -> i32 {
    let own = weight(side, mine.kind() as usize % KINDS, true);
    let other = weight(side.other(), theirs.kind() as usize % KINDS, false);
    2 * own + other
}
