//! Input features of the network: what a stone of either side would make on every empty point.
//!
//! A point's kind for Black and its kind for White (see [`super::class`]) form one feature, because a stone that makes
//! a three and stops one is worth more than two stones that each do one of these. The place of a point on the board
//! does not matter: the kinds reflect the edges. So the network sees a multiset of points, which is invariant under all
//! symmetries.
//!
//! For points near stones, a network may also see the [codes](super::lines) of their four lines and the pair, point by
//! point, including how they combine.
//!
//! The rules differ between the sides, and the side to move has first choice of all points. So the sides share nothing:
//! the two views of a [`Features`] have separate rows, as if they were one hidden layer of twice the size, and there is
//! an output for each side to move, in place of the stages of a [`Features`].

use agon_game::{Position, Side};
use agon_rules::renju::{POINTS, Renju};
use agon_search::nnue::{Features, List, PointRows};

use super::PatternBoard;
use super::class::TAKEN;
use super::lines::{BLANKS, CODES};

/// Kinds of a side, [`TAKEN`] the highest.
const KINDS: u16 = TAKEN as u16 + 1;

/// Number of pairs of kinds; Black's kind is multiplied by 48.
pub const PAIRS: usize = (KINDS * KINDS) as usize;

/// Pair of an occupied point.
pub(super) const GONE: u16 = PAIRS as u16 - 1;

/// Returns the pair of kinds of a point; [`GONE`] for an occupied one.
#[inline]
pub(super) fn pair(board: &PatternBoard, cell: u8) -> u16 {
    let [black, white] = Side::BOTH.map(|side| u16::from(board.class(side, cell).kind()));
    black * KINDS + white
}

/// Returns true if a pair is a feature: not that of an occupied point, or of one where neither side makes anything.
#[inline]
pub(super) const fn matters(pair: u16) -> bool {
    pair != GONE && pair != 0
}

/// Returns the features of a point with this pair and these line codes; `None` for an occupied point, or if no stone is
/// near.
#[inline]
pub(super) fn point_rows(pair: u16, [a, b, c, d]: [u16; 4]) -> Option<PointRows> {
    (pair != GONE && a.max(b).max(c).max(d) >= BLANKS).then_some([a, b, c, d, CODES as u16 + pair])
}

/// Data that determine the features of a position: the pair of kinds and the line codes of every point, and the side to
/// move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds {
    pairs: [u16; POINTS],
    codes: [[u16; 4]; POINTS],
    turn: Side,
}

impl Kinds {
    /// Computes them for a board, with this side to move.
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
