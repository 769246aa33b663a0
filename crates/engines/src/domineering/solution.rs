//! Questions for the [`Solver`]: the winner, the value of a position, the best moves.

use agon_game::{Outcome, Position, Side};
use agon_rules::domineering::{Domineering, Move};
use agon_search::{Meter, SearchLimits, Stopped};

use super::Solver;
use super::search::{NO_LIMIT, NullWindowResult, value_between};

/// The goal of perfect play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Win, otherwise draw, by any margin.
    Win,
    /// The most points more than the opponent.
    Score,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    pub outcome: Outcome,
    /// The points that the first side gets from here on minus those of the second, under perfect play for the score by
    /// both; `None` if only the win was in question.
    pub value: Option<i32>,
    /// All moves that achieve the goal, in the order of [`Position::legal_moves`]; none when the game is over.
    pub best: Vec<Move>,
}

impl Solver {
    /// Solves a position: its value and all of its best moves.
    ///
    /// # Errors
    /// [`Stopped`] when that takes more than the limits.
    ///
    /// # Panics
    /// If the position is of another board.
    ///
    /// ```
    /// use agon_engines::domineering::{Goal, Solver};
    /// use agon_rules::domineering::Domineering;
    /// use agon_search::SearchLimits;
    /// let position: Domineering = "12/31 ../.. H 0 2.5 0".parse()?;
    /// let mut solver = Solver::new(position.board(), 1 << 16);
    /// let solution = solver.solve(&position, Goal::Score, SearchLimits::default())?;
    /// assert_eq!(solution.value, Some(7));
    /// assert_eq!(solution.best.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&mut self, position: &Domineering, goal: Goal, limits: SearchLimits) -> Result<Solution, Stopped> {
        self.ask(position, limits);
        let (value, least, outcome) = match goal {
            Goal::Score => {
                let points = self.find_value(position)?;
                (Some(signed(position.turn(), points)), points, outcome_after(position, points))
            }
            Goal::Win => {
                let (least, outcome) = self.find_outcome(position)?;
                (None, least, outcome)
            }
        };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = Vec::new();
        for m in moves {
            if self.move_reaches(position, m, least, NO_LIMIT)?.reaches(least) {
                best.push(m);
            }
        }
        Ok(Solution { outcome, value, best })
    }

    /// The points that the first side gets from here on minus those of the second, under perfect play by both.
    ///
    /// # Errors
    /// [`Stopped`] when that takes more than the limits.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn value(&mut self, position: &Domineering, limits: SearchLimits) -> Result<i32, Stopped> {
        self.ask(position, limits);
        Ok(signed(position.turn(), self.find_value(position)?))
    }

    /// Returns the outcome of the game under perfect play.
    ///
    /// # Errors
    /// [`Stopped`] when that takes more than the limits.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn outcome(&mut self, position: &Domineering, limits: SearchLimits) -> Result<Outcome, Stopped> {
        self.ask(position, limits);
        Ok(self.find_outcome(position)?.1)
    }

    /// Starts counting for a new question.
    pub(super) fn ask(&mut self, position: &Domineering, limits: SearchLimits) {
        assert_eq!(position.board(), self.board(), "a solver knows one board");
        self.search.count_anew(limits);
    }

    /// Starts a separate count for a question, and returns the previous meter.
    pub(super) fn count_anew(&mut self, limits: SearchLimits) -> Meter {
        self.search.count_anew(limits)
    }

    /// Continues counting for the previous question.
    pub(super) fn count_on(&mut self, asked: Meter) {
        self.search.meter = asked;
    }

    /// Returns whether the side to move can lead by at least `points` in the future, with a move that does; if none
    /// does, the maximum that any can reach.
    pub(super) fn root_reaches(
        &mut self,
        position: &Domineering,
        points: i32,
    ) -> Result<(NullWindowResult, Option<Move>), Stopped> {
        let mut moves = self.candidates(position);
        moves.push(Move::PASS);
        self.any_reaches(position, &moves, points, NO_LIMIT)
    }

    /// The same for some of the moves, looking `depth` plies beyond them.
    fn any_reaches(
        &mut self,
        position: &Domineering,
        moves: &[Move],
        points: i32,
        depth: u32,
    ) -> Result<(NullWindowResult, Option<Move>), Stopped> {
        let mut best: Option<NullWindowResult> = None;
        for &m in moves {
            let found = self.move_reaches(position, m, points, depth)?;
            if found.reaches(points) {
                return Ok((found, Some(m)));
            }
            best = Some(best.map_or(found, |best| best.or(found)));
        }
        Ok((best.unwrap_or(NullWindowResult::OVER), None))
    }

    /// Returns the best of some moves, at least one, and its value, looking `depth` plies beyond them.
    pub(super) fn best_within(
        &mut self,
        position: &Domineering,
        moves: &[Move],
        depth: u32,
    ) -> Result<(Move, i32), Stopped> {
        let (mut low, mut high, mut best) = (MIN_SCORE, -MIN_SCORE, moves[0]);
        let mut guess = self.move_reaches(position, best, 0, 0)?.points();
        // As in `find_value`, except that nothing is known about estimates beforehand.
        while low < high {
            let points = guess.max(low + 1);
            let (found, m) = self.any_reaches(position, moves, points, depth)?;
            guess = found.points();
            match m {
                Some(m) => (low, best) = (guess.max(points), m),
                None => high = guess.min(points - 1),
            }
        }
        Ok((best, low))
    }

    /// Returns the value for the side to move.
    pub(super) fn find_value(&mut self, position: &Domineering) -> Result<i32, Stopped> {
        if position.outcome().is_some() {
            return Ok(0);
        }
        let (mut low, mut high) = self.bounds(position.empty(), position.turn());
        if position.last_pass() {
            (low, high) = (low.max(0), high.max(0));
        }
        value_between((low, high), i32::midpoint(low, high), |points| Ok(self.root_reaches(position, points)?.0))
    }

    /// The points from which on a move achieves the best outcome, and that outcome.
    fn find_outcome(&mut self, position: &Domineering) -> Result<(i32, Outcome), Stopped> {
        if let Some(outcome) = position.outcome() {
            return Ok((0, outcome));
        }
        let side = position.turn();
        let [draw, win] = needed(position);
        if self.root_reaches(position, win)?.0.reaches(win) {
            return Ok((win, Outcome::Win(side)));
        }
        if draw < win && self.root_reaches(position, draw)?.0.reaches(draw) {
            return Ok((draw, Outcome::Draw));
        }
        Ok((MIN_SCORE, Outcome::Win(side.other())))
    }
}

/// Every move is worth more.
const MIN_SCORE: i32 = -10_000;

/// The points more than the opponent that the side to move still needs for a draw, and for a win. They are the same
/// when no draw is possible.
pub(super) fn needed(position: &Domineering) -> [i32; 2] {
    let lead = signed(position.turn(), position.lead().halves());
    [(1 - lead).div_euclid(2), (2 - lead).div_euclid(2)]
}

/// A number in the view of the first side, in the view of `side`, and the other way round.
pub(super) const fn signed(side: Side, number: i32) -> i32 {
    match side {
        Side::First => number,
        Side::Second => -number,
    }
}

/// The same for bounds, the lower one first.
pub(super) fn signed_bounds(side: Side, low: i32, high: i32) -> (i32, i32) {
    let [one, other] = [low, high].map(|points| signed(side, points));
    (one.min(other), one.max(other))
}

/// The outcome when the side to move gets `points` more than its opponent.
fn outcome_after(position: &Domineering, points: i32) -> Outcome {
    let lead = signed(position.turn(), position.lead().halves()) + 2 * points;
    let [mine, theirs] = [lead, 0];
    match position.turn() {
        Side::First => Outcome::by_score(mine, theirs),
        Side::Second => Outcome::by_score(theirs, mine),
    }
}
