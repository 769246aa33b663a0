//! A move, and the lists of them.

use super::Bacteria;
use super::board::{Cells, distance, neighbours, ring};

/// A division, a leap or PASS. Its `Display` is the judge's notation: `x1 y1 x2 y2`, row and column of the source and
/// of the destination from 1, or `-1 -1 -1 -1`.
///
/// Two divisions from different sources to the same destination differ as moves but lead to the same position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    /// The move of a side that can do nothing else. Its [`from`](Self::from) and [`to`](Self::to) are no cells.
    pub const PASS: Self = Self { from: 63, to: 63 };

    /// The move between two cells, each from 0 to 48.
    ///
    /// ```
    /// use agon_rules::bacteria::Move;
    /// assert_eq!(Move::new(0, 8).to_string(), "1 1 2 2");
    /// assert_eq!(Move::PASS.to_string(), "-1 -1 -1 -1");
    /// ```
    #[inline]
    pub const fn new(from: usize, to: usize) -> Self {
        Self { from: from as u8, to: to as u8 }
    }

    /// The cell that divides or leaps.
    #[inline]
    pub const fn from(self) -> usize {
        self.from as usize
    }

    /// The cell that is filled.
    #[inline]
    pub const fn to(self) -> usize {
        self.to as usize
    }

    /// Whether this is PASS.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.to == Self::PASS.to
    }

    /// Whether the source is emptied.
    ///
    /// ```
    /// use agon_rules::bacteria::Move;
    /// assert!(Move::new(0, 2).is_leap());
    /// assert!(!Move::new(0, 1).is_leap());
    /// assert!(!Move::PASS.is_leap());
    /// ```
    #[inline]
    pub const fn is_leap(self) -> bool {
        distance(self.from(), self.to()) == 2
    }
}

impl Bacteria {
    /// Appends every move that [`read_move`](agon_game::Position::read_move) accepts: as
    /// [`legal_moves`](agon_game::Position::legal_moves), but with each division once for each of its sources.
    ///
    /// ```
    /// use agon_game::Position;
    /// use agon_rules::bacteria::Bacteria;
    /// let dish: Bacteria = "xx5/7/7/7/7/7/6o x".parse()?;
    /// let (mut moves, mut all) = (Vec::new(), Vec::new());
    /// dish.legal_moves(&mut moves);
    /// dish.all_sources(&mut all);
    /// assert_eq!((moves.len(), all.len()), (4 + 11, 6 + 11));
    /// # Ok::<(), agon_rules::bacteria::FenError>(())
    /// ```
    pub fn all_sources(&self, moves: &mut Vec<Move>) {
        let own = self.own();
        self.list(moves, |to| Cells(neighbours(to) & own));
    }

    /// Appends the divisions by destination, from the sources that `sources` names for each; then the leaps by source
    /// and destination; or PASS if there are none of either; or nothing if the game is over.
    #[inline]
    pub(super) fn list(&self, moves: &mut Vec<Move>, sources: impl Fn(usize) -> Cells) {
        if self.is_over() {
            return;
        }
        let own = self.own();
        for to in Cells(self.divisions()) {
            moves.extend(sources(to).map(|from| Move::new(from, to)));
        }
        let empty = self.empty();
        // By source, not by destination: the loops over a ring are then longer and end less surprisingly.
        for from in Cells(own) {
            moves.extend(Cells(ring(from) & empty).map(|to| Move::new(from, to)));
        }
        if self.within_two() == 0 {
            moves.push(Move::PASS);
        }
    }
}
