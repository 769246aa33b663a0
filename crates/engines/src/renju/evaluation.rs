//! The hand-made static evaluation: a weight for every kind of empty point, summed.

use agon_game::Side;
use agon_rules::renju::POINTS;

use super::PatternBoard;
use super::class::Class;
use super::shape::Shape;

/// The weight of a point by its best shape: of the side to move, and of the other. The second best counts half.
const BEST: [[i32; 2]; 9] = [[0, 0], [2, 1], [6, 4], [9, 6], [26, 18], [22, 15], [90, 50], [60, 45], [400, 260]];

/// Additional value of a point on which two threes, or a four and a three, meet.
const BOTH: [i32; 2] = [200, 120];

/// Weights by kind, for the side to move and for the other. Points that make a five, are forbidden or occupied have
/// none: their value is found by search.
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

/// Returns the static evaluation for the side to move, in hundredths of the value of a point where it would make a
/// three. The weights of a point depend on the side to move.
pub fn worth(board: &PatternBoard, turn: Side) -> i32 {
    let weight = |side, cell| WEIGHTS[board.class(side, cell).kind() as usize % 64];
    (0..POINTS as u8).map(|cell| weight(turn, cell)[0] - weight(turn.other(), cell)[1]).sum()
}

/// Returns the move-ordering score of a stone: what it makes, and what it denies the other side.
#[inline]
pub fn urgency(mine: Class, theirs: Class) -> i32 {
    let [own, _] = WEIGHTS[mine.kind() as usize % 64];
    let [_, other] = WEIGHTS[theirs.kind() as usize % 64];
    2 * own + other
}
