//! Input features of the network: what a stone of either side would make on every empty point.
//!
//! A point's kind for Black and its kind for White (see [`super::class`]) are one feature together, because a stone
//! that makes a three and stops one is worth more than two stones that do one of these each. Where on the board a point
//! lies does not matter: the kinds know of the edges. So the network sees a bag of points, which is the same under all
//! symmetries.
//!
//! Of points near to stones a network may also see the [codes](super::lines) of their four lines and the pair, point by
//! point: all that is known of them, and what meets where.
//!
//! The rules are not the same for both sides, and whoever is to move has the first choice of all points. So nothing is
//! shared between the sides: the two views of a [`Features`] have rows of their own, as if they were one hidden layer
//! of twice the size, and there is an output for each side to move: what a [`Features`] calls stages.

use agon_game::{Position, Side};
use agon_rules::renju::{POINTS, Renju};
use agon_search::nnue::{Features, List, PointRows};

use super::PatternBoard;
use super::class::TAKEN;
use super::lines::{BLANKS, CODES};

/// Kinds of a side, [`TAKEN`] the highest.
const KINDS: u16 = TAKEN as u16 + 1;

/// How many pairs of kinds there are; Black's kind counts 48 times as much as White's.
pub const PAIRS: usize = (KINDS * KINDS) as usize;

/// The pair of a taken point.
pub(super) const GONE: u16 = PAIRS as u16 - 1;

/// The pair of kinds of a point; [`GONE`] of a taken one.
#[inline]
pub(super) fn pair(board: &PatternBoard, cell: u8) -> u16 {
    let [black, white] = Side::BOTH.map(|side| u16::from(board.class(side, cell).kind()));
    black * KINDS + white
}

/// Whether a pair is a feature: that of a taken point is none, nor is one where a stone of neither side makes anything.
#[inline]
pub(super) const fn matters(pair: u16) -> bool {
    pair != GONE && pair != 0
}

/// The features of a point of this pair, whose lines have these codes; `None` of a taken one and where no stone is
/// near.
#[inline]
pub(super) fn point_rows(pair: u16, [a, b, c, d]: [u16; 4]) -> Option<PointRows> {
    (pair != GONE && a.max(b).max(c).max(d) >= BLANKS).then_some([a, b, c, d, CODES as u16 + pair])
}

/// What the features of a position follow from: the pair of kinds and the line codes of every point, and whose
/// turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds {
    pairs: [u16; POINTS],
    codes: [[u16; 4]; POINTS],
    turn: Side,
}

impl Kinds {
    /// Those of a board, with this side to move.
    pub fn from_board(board: &PatternBoard, turn: Side) -> Self {
        let pairs = std::array::from_fn(|cell| pair(board, cell as u8));
        Self { pairs, codes: std::array::from_fn(|cell| board.line_codes(cell as u8)), turn }
    }
}

/// The pairs of kinds as features of a network.
#[derive(Clone, Copy, Debug)]
pub struct Pairs;

impl Features<Renju> for Pairs {
    const NAME: &'static str = "renju pairs of kinds";
    const COUNT: usize = 2 * PAIRS;
    const ACTIVE: usize = POINTS;
    const STAGES: usize = Side::BOTH.len();
    const POINTS: usize = CODES + PAIRS;
    type Board = Kinds;

    fn board(position: &Renju) -> Kinds {
        Kinds::from_board(&PatternBoard::new(position.board()), position.turn())
    }

    fn stage(board: Kinds) -> usize {
        board.turn.index()
    }

    fn present(board: Kinds, views: &mut [List; 2]) {
        for pair in board.pairs.into_iter().filter(|&pair| matters(pair)) {
            views[0].push(pair.into());
            views[1].push(PAIRS + usize::from(pair));
        }
    }

    fn points(board: &Kinds, points: &mut Vec<PointRows>) {
        points.extend(board.pairs.iter().zip(board.codes).filter_map(|(&pair, codes)| point_rows(pair, codes)));
    }
}
