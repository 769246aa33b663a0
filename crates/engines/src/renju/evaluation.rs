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
pub struct Weights([[[i32; 2]; 64]; 2]);

impl Weights {
    /// How the sums change with a point's class.
    #[inline]
    pub(super) fn change(&self, side: Side, old: Class, new: Class) -> Values {
        let table = &self.0[side.index()];
        let (old, new) = (table[old.kind() as usize % 64], table[new.kind() as usize % 64]);
        Values([new[0] - old[0], new[1] - old[1]])
    }
}

/// Hundredths for a point by its best shape when its side is to move, and when it is not.
const BEST: [[i32; 2]; 9] = [[0, 0], [2, 1], [6, 4], [9, 6], [26, 18], [22, 15], [90, 50], [60, 45], [400, 260]];

/// The weights.
pub static WEIGHTS: Weights = {
    let mut weights = [[[0; 2]; 64]; 2];
    let mut best = 0;
    while best < BEST.len() {
        let mut second = 0;
        while second <= best {
            let kind = best * (best + 1) / 2 + second;
            let mut own_turn = 0;
            while own_turn < 2 {
                let mut value = BEST[best][own_turn] + BEST[second][own_turn] / 2;
                if second >= Shape::Three as usize {
                    value += [200, 120][own_turn];
                }
                // A black stone's own turn is Black's, 0; a white one's is White's, 1.
                weights[0][kind][own_turn] = value;
                weights[1][kind][1 - own_turn] = -value;
                own_turn += 1;
            }
            second += 1;
        }
        best += 1;
    }
    Weights(weights)
};
