//! What a position looks like it is worth: a weight for every kind of empty point, summed.

use std::ops::AddAssign;

use agon_game::Side;

use super::class::Class;
use super::shape::Shape;

/// The sums of the weights from Black's view, with either side to move: what a point promises depends on who plays there
/// first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values([i32; 2]);

impl Values {
    /// The worth for the side to move, in hundredths of a point where its three would be.
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

/// The weight of a point by its best shape: of the side to move, and of the other. The second best counts half.
const BEST: [[i32; 2]; 9] = [[0, 0], [2, 1], [6, 4], [9, 6], [26, 18], [22, 15], [90, 50], [60, 45], [400, 260]];

/// What a point is worth beyond that on which two threes, or a four and a three, meet.
const BOTH: [i32; 2] = [200, 120];

/// The weights by kind: of the side to move, and of the other. Points that make a five, are forbidden or taken have none:
/// what they are worth is seen by search.
static WEIGHTS: [[i32; 2]; 64] = {
    let mut weights = [[0; 2]; 64];
    let mut best = 0;
    while best < BEST.len() {
        let mut second = 0;
        while second <= best {
            let mut of = 0;
            while of < 2 {
                let both = if second >= Shape::Three as usize { BOTH[of] } else { 0 };
                weights[best * (best + 1) / 2 + second][of] = BEST[best][of] + BEST[second][of] / 2 + both;
                of += 1;
            }
            second += 1;
        }
        best += 1;
    }
    weights
};

/// How the sums change with the class of a point for a side.
#[inline]
pub(super) fn change(side: Side, old: Class, new: Class) -> Values {
    let (old, new) = (WEIGHTS[old.kind() as usize % 64], WEIGHTS[new.kind() as usize % 64]);
    let [own, other] = [new[0] - old[0], new[1] - old[1]];
    match side {
        Side::First => Values([own, other]),
        Side::Second => Values([-other, -own]),
    }
}

/// How good a stone looks before any search: what it makes, and what it keeps the other side from.
#[inline]
pub fn urgency(mine: Class, theirs: Class) -> i32 {
    let [own, _] = WEIGHTS[mine.kind() as usize % 64];
    let [_, other] = WEIGHTS[theirs.kind() as usize % 64];
    2 * own + other
}
