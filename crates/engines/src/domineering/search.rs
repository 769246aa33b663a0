//! The search: whether a position is worth at least a number of points. docs/engines/domineering.md explains it.

use agon_game::Side;
use agon_search::{Meter, ProofTable, SearchLimits, Stop, Stopped};

use super::canonical::canonical;
use super::cell_set::CellSet;
use super::side_view::SideView;
use super::strips::Strips;

/// Bounds of a canonical position without a search, for its side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticBounds<S = u64> {
    pub empty: S,
    /// Lower bound, in points.
    low: i32,
    /// Upper bound, in points.
    high: i32,
    /// The static evaluation, in quarters of a point.
    estimate: i32,
}

/// A move with the bounds of the position behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundedMove<S = u64> {
    /// The position behind it, in the view of the opponent.
    pub known: StaticBounds<S>,
    /// Pay of the mover, in points: for the domino, and for what becomes safe through it.
    pub gain: i32,
    /// The anchor of the domino.
    pub anchor: usize,
}

impl<S> BoundedMove<S> {
    /// The move is worth at least this.
    pub(super) const fn low(&self) -> i32 {
        self.gain - self.known.high
    }

    /// The move is worth at most this.
    pub(super) const fn high(&self) -> i32 {
        self.gain - self.known.low
    }

    /// The static evaluation of the move, in quarters of a point.
    pub(super) const fn estimate(&self) -> i32 {
        4 * self.gain - self.known.estimate
    }
}

/// The result of a null-window search: whether a position is worth at least a number of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NullWindowResult {
    /// Lower bound if the answer is yes, upper bound if it is no. In quarters of a point: estimates are finer than
    /// values.
    value: i32,
    /// True if the answer is proved rather than estimated for lack of depth.
    pub proven: bool,
}

impl NullWindowResult {
    pub(super) const OVER: Self = Self::proven(0);

    const fn proven(points: i32) -> Self {
        Self { value: 4 * points, proven: true }
    }

    pub(super) const fn reaches(self, points: i32) -> bool {
        // Estimates are rounded; proved values are integers.
        self.value >= 4 * points - 2
    }

    /// Combines two moves that do not reach the goal.
    pub(super) fn or(self, other: Self) -> Self {
        Self { value: self.value.max(other.value), proven: self.proven && other.proven }
    }

    /// The value in whole points; exact when it is proved.
    pub(super) const fn points(self) -> i32 {
        (self.value + 2).div_euclid(4)
    }

    /// Tightens the bounds with the answer to the question about `points`.
    pub(super) fn narrow(self, points: i32, low: &mut i32, high: &mut i32) {
        if self.reaches(points) {
            *low = (*low).max(self.points());
        } else {
            *high = (*high).min(self.points());
        }
    }
}

pub(super) const NO_LIMIT: u32 = u32::MAX;

/// Below the value of every move.
const LOWEST: i32 = -100_000;

/// A position as far as its value goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root<S = u64> {
    pub empty: S,
    pub turn: Side,
    pub last_pass: bool,
}

/// A search on one board, with everything it has proved.
pub(super) struct Search<S> {
    views: [SideView<S>; 2],
    strips: [Strips<S>; 2],
    /// By side to move. A key is the set of empty cells of a canonical position; nothing else matters.
    tables: [ProofTable<S>; 2],
    /// The moves of all positions from the root to the current one.
    children: Vec<BoundedMove<S>>,
    pub meter: Meter,
    pub stop: Stop,
}

impl<S: CellSet> Search<S> {
    /// A search on the board with these cells, and weights by cell.
    pub(super) fn new(cells: S, weights: &[u8], table_bytes: usize) -> Self {
        let views = Side::BOTH.map(|side| SideView::new(cells, weights, side));
        let strips = [Strips::new(&views[0]), Strips::new(&views[1])];
        let tables = [ProofTable::new(table_bytes / 2), ProofTable::new(table_bytes / 2)];
        let meter = Meter::new(SearchLimits::default());
        Self { views, strips, tables, children: Vec::new(), meter, stop: Stop::default() }
    }

    /// Resets the count for a new question; returns the previous meter.
    pub(super) fn count_anew(&mut self, limits: SearchLimits) -> Meter {
        std::mem::replace(&mut self.meter, Meter::new(limits).stopped_by(self.stop.clone()))
    }

    /// Returns the bounds of the future lead of `side` if it is to move on these empty cells and the last turn was not
    /// a PASS, without a search.
    pub(super) fn bounds(&self, empty: S, side: Side) -> (i32, i32) {
        let (empty, credit) = self.reduced(empty, side);
        let known = self.known(empty, side);
        (known.low + credit, known.high + credit)
    }

    /// Iterates over the dominoes that a side can place on these empty cells, with their bounds by the strips.
    pub(super) fn moves(&self, empty: S, side: Side) -> impl Iterator<Item = BoundedMove<S>> {
        empty.places(side).each().map(move |anchor| self.child(empty, side, anchor))
    }

    /// Returns the bounds of a legal move, a PASS if it has no anchor, without a search.
    pub(super) fn first_sight(&self, root: Root<S>, anchor: Option<usize>) -> (i32, i32) {
        match anchor {
            Some(anchor) => {
                let child = self.child(root.empty, root.turn, anchor);
                (child.low(), child.high())
            }
            None if root.last_pass => (0, 0),
            // The opponent then plays, or ends the game.
            None => ((-self.bounds(root.empty, root.turn.other()).1).min(0), 0),
        }
    }

    /// Returns a legal domino with all its known bounds.
    pub(super) fn seen(&self, root: Root<S>, anchor: usize) -> BoundedMove<S> {
        let mut child = self.child(root.empty, root.turn, anchor);
        probe(&self.tables[root.turn.other().index()], &mut child);
        child
    }

    /// Searches whether a legal move, a PASS if it has no anchor, is worth at least `points`: the future lead of its
    /// side, including the pay of the move. Looks `depth` plies beyond the move.
    pub(super) fn move_reaches(
        &mut self,
        root: Root<S>,
        anchor: Option<usize>,
        points: i32,
        depth: u32,
    ) -> Result<NullWindowResult, Stopped> {
        match anchor {
            Some(anchor) => {
                let child = self.seen(root, anchor);
                self.child_reaches(&child, root.turn, points, depth)
            }
            // The end of the game.
            None if root.last_pass => Ok(NullWindowResult::proven(0)),
            None => self.pass_reaches(root.empty, root.turn, points, depth),
        }
    }

    /// Searches whether a canonical position is worth at least `points`, if the last turn was not a PASS.
    fn reaches(
        &mut self,
        known: StaticBounds<S>,
        side: Side,
        points: i32,
        depth: u32,
    ) -> Result<NullWindowResult, Stopped> {
        let before = self.meter.nodes();
        let mut found = self.domino_reaches(known.empty, side, points, depth)?;
        // A PASS is never worth more than 0, because the opponent may pass as well.
        if found.value < 0 && !found.reaches(points) {
            let pass = self.pass_reaches(known.empty, side, points, depth)?;
            found = found.or(pass);
        }
        if found.proven {
            let StaticBounds { mut low, mut high, .. } = known;
            found.narrow(points, &mut low, &mut high);
            let estimate = known.estimate.clamp(4 * low, 4 * high);
            let worth = (self.meter.nodes() - before + 1).ilog2();
            self.tables[side.index()].store(known.empty, pack([low, high, estimate], worth));
        }
        Ok(found)
    }

    /// Searches whether the best domino is worth at least `points`.
    fn domino_reaches(&mut self, empty: S, side: Side, points: i32, depth: u32) -> Result<NullWindowResult, Stopped> {
        self.meter.node()?;
        let first = self.children.len();
        let found = self.best_child(empty, side, points, depth);
        self.children.truncate(first);
        found
    }

    /// `domino_reaches`, leaving its moves behind.
    fn best_child(&mut self, empty: S, side: Side, points: i32, depth: u32) -> Result<NullWindowResult, Stopped> {
        let first = self.children.len();
        let mut best = NullWindowResult::proven(LOWEST);
        for anchor in empty.places(side).each() {
            let child = self.child(empty, side, anchor);
            if child.low() >= points {
                return Ok(NullWindowResult::proven(child.low()));
            }
            if child.high() >= points {
                self.children.push(child);
            } else {
                best.value = best.value.max(4 * child.high());
            }
        }
        // Only moves that the strips leave open are looked up, all together, so that the processor waits for these
        // memory reads in parallel.
        let other = side.other();
        for child in &mut self.children[first..] {
            probe(&self.tables[other.index()], child);
        }
        if let Some(child) = self.children[first..].iter().find(|child| child.low() >= points) {
            return Ok(NullWindowResult::proven(child.low()));
        }
        for i in first..self.children.len() {
            let rest = &self.children[i..];
            let Some((next, _)) = rest.iter().enumerate().max_by_key(|(_, child)| child.estimate()) else { break };
            self.children.swap(i, i + next);
            let child = self.children[i];
            let found = self.child_reaches(&child, side, points, depth)?;
            best = best.or(found);
            if found.reaches(points) {
                return Ok(found);
            }
        }
        Ok(best)
    }

    /// Searches whether a move that has been looked up is worth at least `points`.
    fn child_reaches(
        &mut self,
        child: &BoundedMove<S>,
        side: Side,
        points: i32,
        depth: u32,
    ) -> Result<NullWindowResult, Stopped> {
        if child.low() >= points {
            return Ok(NullWindowResult::proven(child.low()));
        }
        if child.high() < points {
            return Ok(NullWindowResult::proven(child.high()));
        }
        if depth == 0 {
            return Ok(NullWindowResult { value: child.estimate(), proven: false });
        }
        let found = self.reaches(child.known, side.other(), child.gain - points + 1, depth - 1)?;
        Ok(NullWindowResult { value: 4 * child.gain - found.value, proven: found.proven })
    }

    /// Searches whether a PASS that does not end the game is worth at least `points`. The opponent then plays its best
    /// domino, or ends the game with a PASS of its own.
    #[cold]
    fn pass_reaches(&mut self, empty: S, side: Side, points: i32, depth: u32) -> Result<NullWindowResult, Stopped> {
        if points > 0 {
            return Ok(NullWindowResult::proven(0));
        }
        let other = side.other();
        // If the opponent, to move, gets more than 0, it does so with a domino.
        let (low, _) = self.bounds(empty, other);
        if low > 0 && -low < points {
            return Ok(NullWindowResult::proven(-low));
        }
        let reply = self.domino_reaches(empty, other, 1 - points, depth.saturating_sub(1))?;
        Ok(NullWindowResult { value: (-reply.value).min(0), proven: reply.proven })
    }

    /// Returns the bounds of a domino by the strips.
    #[inline]
    pub(super) fn child(&self, empty: S, side: Side, anchor: usize) -> BoundedMove<S> {
        let (left, credit) = self.reduced(empty & !S::of(anchor).dominoes(side), side);
        let gain = self.pay(side, anchor) + credit;
        BoundedMove { known: self.known(left, side.other()), gain, anchor }
    }

    /// Returns the pay of a domino.
    #[inline]
    fn pay(&self, side: Side, anchor: usize) -> i32 {
        let weight = |cell: usize| i32::from(self.views[0].weight(cell));
        weight(anchor) + weight(anchor + S::step(side))
    }

    /// Returns the canonical position of these empty cells, and the points that `side` has safe in the removed cells,
    /// minus those of its opponent.
    #[inline]
    fn reduced(&self, empty: S, side: Side) -> (S, i32) {
        let canonical = canonical(empty);
        let mut credit = 0;
        if canonical.safe != [S::EMPTY; 2] {
            let safe = |side: Side| self.views[side.index()].packing(canonical.safe_seen(side));
            let [mine, theirs] = [side, side.other()].map(safe);
            credit = mine - theirs;
        }
        (canonical.empty, credit)
    }

    /// Returns the bounds of a canonical position by the strips, with `side` to move.
    #[inline]
    fn known(&self, empty: S, side: Side) -> StaticBounds<S> {
        if empty == S::EMPTY {
            return StaticBounds { empty, low: 0, high: 0, estimate: 0 };
        }
        let other = side.other();
        let (mine, theirs) = (&self.strips[side.index()], &self.strips[other.index()]);
        // In half points.
        let high = i32::from(mine.to_move(empty.seen_by(side))) * mine.unit();
        let low = -i32::from(theirs.to_wait(empty.seen_by(other))) * theirs.unit();
        // The upper bound says more: it is weighed three times as heavily (docs/engines/domineering.md).
        let estimate = i32::midpoint(low, 3 * high);
        StaticBounds { empty, low: (low + 1).div_euclid(2), high: high.div_euclid(2), estimate }
    }
}

/// The value between these bounds, by MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): one question after another,
/// each next to the answer of the previous one. The closer a question is to the value, the more it costs, so the way
/// there costs little.
pub(super) fn value_between(
    (mut low, mut high): (i32, i32),
    mut guess: i32,
    mut ask: impl FnMut(i32) -> Result<NullWindowResult, Stopped>,
) -> Result<i32, Stopped> {
    while low < high {
        let points = guess.clamp(low + 1, high);
        let found = ask(points)?;
        guess = found.points();
        if found.reaches(points) {
            low = guess.clamp(points, high);
        } else {
            high = guess.clamp(low, points - 1);
        }
    }
    Ok(low)
}

/// Takes over the bounds that the table of the side to move holds for a position.
#[inline]
fn probe<S: CellSet>(table: &ProofTable<S>, child: &mut BoundedMove<S>) {
    if let Some(word) = table.probe(child.known.empty) {
        [child.known.low, child.known.high, child.known.estimate] = unpack(word);
    }
}

fn pack(numbers: [i32; 3], worth: u32) -> u64 {
    let [low, high, estimate] = numbers.map(|number| u64::from(number as u16));
    low | high << 16 | estimate << 32 | u64::from(worth) << 56
}

fn unpack(word: u64) -> [i32; 3] {
    [0, 16, 32].map(|shift| i32::from((word >> shift) as i16))
}
