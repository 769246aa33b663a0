//! The value of every move of a position.

use agon_game::{Position, Side};
use agon_rules::domineering::{Domineering, Move};
use agon_search::{SearchLimits, Stopped};

use super::Solver;
use super::search::NO_LIMIT;
use super::solution::{needed, signed, signed_bounds};
use super::solver::root;

/// Proved bounds of a move: the first side's future points minus the second's, including this move, under perfect play
/// of both for the score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveBounds {
    pub m: Move,
    /// Proved lower bound, in points.
    pub low: i32,
    /// Proved upper bound, in points.
    pub high: i32,
}

impl MoveBounds {
    /// Returns the value once it is proved.
    pub fn value(&self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// Moves in the order of [`Position::legal_moves`].
    pub moves: Vec<MoveBounds>,
    /// Value of the position for the first side: exact if it is proved, otherwise the estimate of a search of a few
    /// plies.
    pub estimate: i32,
    /// A complete game in which both sides play for the best score; empty if it was not found in time.
    pub line: Vec<Move>,
}

impl Analysis {
    /// Returns the proved lower and upper bound of the position for the first side.
    pub fn bounds(&self, position: &Domineering) -> (i32, i32) {
        let best = |of: fn(&MoveBounds) -> i32| {
            let all = self.moves.iter().map(of);
            match position.turn() {
                Side::First => all.max(),
                Side::Second => all.min(),
            }
        };
        (best(|bounds| bounds.low).unwrap_or(0), best(|bounds| bounds.high).unwrap_or(0))
    }
}

/// Nodes of an estimate: a few plies in the middle of a game, within some milliseconds.
const LOOK_NODES: u64 = 20_000;

/// A move in the view of its side.
struct Worth {
    m: Move,
    low: i32,
    high: i32,
}

impl Solver {
    /// Proves the value of every move of a position: first which of them win, then the values, best moves first. If the
    /// limits end it early, the other bounds are those of the strips. `progress` receives the number of completed
    /// steps, and their total.
    ///
    /// # Panics
    /// If the position is of another board.
    ///
    /// ```
    /// use agon_engines::domineering::Solver;
    /// use agon_rules::domineering::Domineering;
    /// use agon_search::SearchLimits;
    /// let position: Domineering = "12/31 ../.. H 0 2.5 0".parse()?;
    /// let mut solver = Solver::new(position.board(), 1 << 16);
    /// let analysis = solver.analyse(&position, SearchLimits::default(), &mut |_, _| {});
    /// // Either domino takes the whole board, as V must then pass; after a PASS it is V that takes a column.
    /// assert_eq!(analysis.bounds(&position), (7, 7));
    /// let values: Vec<Option<i32>> = analysis.moves.iter().map(|bounds| bounds.value()).collect();
    /// assert_eq!(values, [Some(7), Some(7), Some(-7)]);
    /// assert_eq!(analysis.line.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse(
        &mut self,
        position: &Domineering,
        limits: SearchLimits,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Analysis {
        self.ask(position, limits);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut worths: Vec<Worth> = moves.into_iter().map(|m| self.first_sight(position, m)).collect();
        let mut line = Vec::new();
        // Bounds proved before the limits were reached are kept.
        let _ = self.prove_moves(position, &mut worths, &mut line, progress);
        worths.sort_by_key(|worth| worth.m.anchor().unwrap_or(usize::MAX));
        let side = position.turn();
        let best = |of: fn(&Worth) -> i32| worths.iter().map(of).max().unwrap_or(0);
        let (low, high) = (best(|worth| worth.low), best(|worth| worth.high));
        let estimate = if low == high { low } else { self.look(position).clamp(low, high) };
        let moves = worths.into_iter().map(|Worth { m, low, high }| {
            let (low, high) = signed_bounds(side, low, high);
            MoveBounds { m, low, high }
        });
        Analysis { moves: moves.collect(), estimate: signed(side, estimate), line }
    }

    /// Returns the estimated value of a position for the first side, by a search of a few plies.
    ///
    /// # Panics
    /// If the position is of another board.
    pub fn estimate(&mut self, position: &Domineering) -> i32 {
        self.ask(position, SearchLimits::default());
        signed(position.turn(), self.look(position))
    }

    /// The same for the side to move. It does not count towards the question's nodes.
    fn look(&mut self, position: &Domineering) -> i32 {
        let (low, high) = self.bounds(position.empty(), position.turn());
        let mut points = i32::midpoint(low, high);
        let candidates = self.candidates(position);
        let asked = self.count_anew(SearchLimits::nodes(LOOK_NODES));
        for depth in 1..=candidates.len() as u32 {
            match self.best_within(position, &candidates, depth) {
                Ok((_, found)) => points = found,
                Err(Stopped) => break,
            }
        }
        self.count_on(asked);
        // A PASS after a PASS ends the game.
        if position.last_pass() { points.max(0) } else { points }
    }

    fn prove_moves(
        &mut self,
        position: &Domineering,
        worths: &mut [Worth],
        line: &mut Vec<Move>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Stopped> {
        let [_, win] = needed(position);
        let steps = 2 * worths.len() + 1;
        // The rest is cheaper once the table knows the best moves.
        worths.sort_by_key(|worth| -(worth.low + 3 * worth.high));
        for (done, worth) in worths.iter_mut().enumerate() {
            progress(done, steps);
            self.narrow(position, worth, win)?;
        }
        progress(worths.len(), steps);
        let value = self.find_value(position)?;
        *line = self.principal_line(*position)?;
        worths.sort_by_key(|worth| -worth.high);
        for (done, worth) in worths.iter_mut().enumerate() {
            progress(steps / 2 + 1 + done, steps);
            // MTD(f) again, starting from the value of the best move.
            let mut guess = value;
            while worth.low < worth.high {
                guess = self.narrow(position, worth, guess.clamp(worth.low + 1, worth.high))?;
            }
        }
        Ok(())
    }

    /// Searches whether a move is worth at least `points`; returns the resulting bound.
    fn narrow(&mut self, position: &Domineering, worth: &mut Worth, points: i32) -> Result<i32, Stopped> {
        let found = self.move_reaches(position, worth.m, points, NO_LIMIT)?;
        found.narrow(points, &mut worth.low, &mut worth.high);
        Ok(found.points())
    }

    /// Returns a game in which both sides play for the best score.
    fn principal_line(&mut self, mut position: Domineering) -> Result<Vec<Move>, Stopped> {
        let mut line = Vec::new();
        while position.outcome().is_none() {
            let value = self.find_value(&position)?;
            let m = self.root_reaches(&position, value)?.1.unwrap_or(Move::PASS);
            line.push(m);
            position.play_unchecked(m, &mut ());
        }
        Ok(line)
    }

    /// Returns the bounds of a move by the strips.
    fn first_sight(&self, position: &Domineering, m: Move) -> Worth {
        let (low, high) = self.search.first_sight(root(position), m.anchor());
        Worth { m, low, high }
    }
}
