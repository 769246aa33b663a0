//! Perfect play: a search that proves what a position is worth.
//!
//! An alpha-beta search with null windows: every question is whether the side to move can get at least a number of
//! points more than its opponent from here on. Positions are [canonical](mod@super::canonical), [strips](super::strips)
//! bound what they are worth and say which move to try first, and a table remembers the bounds that were proved.
//! docs/engines/domineering.md explains all of it.

use agon_game::{Position, Side};
use agon_rules::domineering::cells::{dominoes, each, places};
use agon_rules::domineering::{Domineering, Move, WeightedBoard};
use agon_search::{Meter, ProofTable, SearchLimits, Stop, Stopped};

use super::canonical::canonical;
use super::side_view::{SideView, seen_by};
use super::strips::Strips;

/// What is known of a canonical position without a search, for its side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticBounds {
    pub empty: u64,
    /// It is worth at least this, in points.
    low: i32,
    /// It is worth at most this, in points.
    high: i32,
    /// The static evaluation, in quarters of a point.
    estimate: i32,
}

/// A move with the bounds of the position behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundedMove {
    /// The position behind it, in the view of the opponent.
    pub known: StaticBounds,
    /// What the mover is paid for it, in points: by the domino, and by what becomes safe through it.
    pub gain: i32,
    /// The anchor of the domino.
    pub anchor: usize,
}

impl BoundedMove {
    /// The move is worth at least this.
    pub const fn low(&self) -> i32 {
        self.gain - self.known.high
    }

    /// The move is worth at most this.
    pub const fn high(&self) -> i32 {
        self.gain - self.known.low
    }

    /// The static evaluation of the move, in quarters of a point.
    pub const fn estimate(&self) -> i32 {
        4 * self.gain - self.known.estimate
    }
}

/// The result of a null-window search: whether a position is worth at least a number of points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NullWindowResult {
    /// When it is, it is worth at least this; when it is not, at most this. In quarters of a point: estimates are finer
    /// than values.
    value: i32,
    /// Whether that is proved, and not only estimated where the search had no depth left.
    pub proven: bool,
}

impl NullWindowResult {
    pub const OVER: Self = Self::proven(0);

    const fn proven(points: i32) -> Self {
        Self { value: 4 * points, proven: true }
    }

    pub const fn reaches(self, points: i32) -> bool {
        // An estimate is rounded; what is proved is a whole number.
        self.value >= 4 * points - 2
    }

    /// What two moves that do not reach something are worth together.
    pub fn or(self, other: Self) -> Self {
        Self { value: self.value.max(other.value), proven: self.proven && other.proven }
    }

    /// The value in whole points; exact when it is proved.
    pub const fn points(self) -> i32 {
        (self.value + 2).div_euclid(4)
    }
}

pub(super) const NO_LIMIT: u32 = u32::MAX;

/// Below the value of every move.
const LOWEST: i32 = -100_000;

pub struct Solver {
    board: WeightedBoard,
    views: [SideView; 2],
    strips: [Strips; 2],
    /// By side to move. A key is the set of empty cells of a canonical position: nothing else matters.
    tables: [ProofTable; 2],
    /// The moves of all positions from the root to the current one.
    children: Vec<BoundedMove>,
    pub(super) meter: Meter,
    pub(super) stop: Stop,
}

impl Solver {
    /// A solver for the positions of this board. Its transposition tables take at most this many bytes, those of its
    /// bounds up to 30 MB more; it takes some 30 ms to compute them.
    pub fn new(board: &WeightedBoard, table_bytes: usize) -> Self {
        let views = Side::BOTH.map(|side| SideView::new(board, side));
        let strips = [Strips::new(&views[0]), Strips::new(&views[1])];
        let tables = [ProofTable::new(table_bytes / 2), ProofTable::new(table_bytes / 2)];
        let meter = Meter::new(SearchLimits::default());
        Self { board: *board, views, strips, tables, children: Vec::new(), meter, stop: Stop::default() }
    }

    /// Ends every later question when this is raised.
    pub fn stop_by(&mut self, stop: Stop) {
        self.stop = stop;
    }

    pub const fn board(&self) -> &WeightedBoard {
        &self.board
    }

    /// The nodes visited since the last question was asked.
    pub const fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// What `side` can still get at least and at most more than its opponent, if it is to move on these empty cells and
    /// the last turn was not a PASS: what is known without a search.
    ///
    /// ```
    /// use agon_engines::domineering::Solver;
    /// use agon_game::Side;
    /// use agon_rules::domineering::{WeightedBoard, Bonus, Domineering};
    /// use agon_search::SearchLimits;
    /// let board = WeightedBoard::drawn(4, 4, 3, 1)?;
    /// let mut solver = Solver::new(&board, 1 << 16);
    /// let (low, high) = solver.bounds(board.cells(), Side::First);
    /// let value = solver.value(&Domineering::new(board, Bonus::default()), SearchLimits::default())?;
    /// assert!(low <= value && value <= high);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(&self, empty: u64, side: Side) -> (i32, i32) {
        let (empty, credit) = self.reduced(empty, side);
        let known = self.known(empty, side);
        (known.low + credit, known.high + credit)
    }

    /// The dominoes that a side can place on these empty cells, with what the strips say of each.
    pub(super) fn moves(&self, empty: u64, side: Side) -> impl Iterator<Item = BoundedMove> {
        each(places(empty, side)).map(move |anchor| self.child(empty, side, anchor))
    }

    /// The dominoes that the side to move can place, and the static evaluation of each after the best answer, in
    /// quarters of a point.
    pub(super) fn replies(&self, position: &Domineering) -> Vec<(Move, i32)> {
        let side = position.turn();
        let seen = |child: BoundedMove| {
            let answers = self.moves(child.known.empty, side.other());
            let best = answers.map(|answer| answer.estimate()).max();
            (Move::at(child.anchor), best.map_or(child.estimate(), |best| 4 * child.gain - best))
        };
        self.moves(position.empty(), side).map(seen).collect()
    }

    /// The dominoes that the side to move can place, the most promising first.
    pub(super) fn candidates(&self, position: &Domineering) -> Vec<Move> {
        let mut moves: Vec<BoundedMove> = self.moves(position.empty(), position.turn()).collect();
        moves.sort_by_key(|child| -child.estimate());
        moves.into_iter().map(|child| Move::at(child.anchor)).collect()
    }

    /// The most that a domino can be worth, as far as it is known without a search.
    pub(super) fn most(&self, position: &Domineering, m: Move) -> Option<i32> {
        let mut child = self.child(position.empty(), position.turn(), m.anchor()?);
        probe(&self.tables[position.turn().other().index()], &mut child);
        Some(child.high())
    }

    /// Whether a legal move is worth at least `points`: what its side will get more than its opponent from here on,
    /// the pay of the move included. The search looks `depth` plies beyond the move.
    pub(super) fn move_reaches(
        &mut self,
        position: &Domineering,
        m: Move,
        points: i32,
        depth: u32,
    ) -> Result<NullWindowResult, Stopped> {
        let (empty, side) = (position.empty(), position.turn());
        if let Some(anchor) = m.anchor() {
            let mut child = self.child(empty, side, anchor);
            probe(&self.tables[side.other().index()], &mut child);
            return self.child_reaches(&child, side, points, depth);
        }
        if position.last_pass() {
            // The end of the game.
            return Ok(NullWindowResult::proven(0));
        }
        self.pass_reaches(empty, side, points, depth)
    }

    /// Whether a canonical position is worth at least `points`, the last turn not having been a PASS.
    fn reaches(
        &mut self,
        known: StaticBounds,
        side: Side,
        points: i32,
        depth: u32,
    ) -> Result<NullWindowResult, Stopped> {
        let before = self.meter.nodes();
        let mut found = self.domino_reaches(known.empty, side, points, depth)?;
        // A PASS is never worth more than 0: after it the opponent, too, may pass.
        if found.value < 0 && !found.reaches(points) {
            let pass = self.pass_reaches(known.empty, side, points, depth)?;
            found = found.or(pass);
        }
        if found.proven {
            let StaticBounds { mut low, mut high, .. } = known;
            if found.reaches(points) {
                low = low.max(found.points());
            } else {
                high = high.min(found.points());
            }
            let estimate = known.estimate.clamp(4 * low, 4 * high);
            let worth = (self.meter.nodes() - before + 1).ilog2();
            self.tables[side.index()].store(known.empty, pack([low, high, estimate], worth));
        }
        Ok(found)
    }

    /// Whether the best domino is worth at least `points`.
    fn domino_reaches(&mut self, empty: u64, side: Side, points: i32, depth: u32) -> Result<NullWindowResult, Stopped> {
        self.meter.node()?;
        let first = self.children.len();
        let found = self.best_child(empty, side, points, depth);
        self.children.truncate(first);
        found
    }

    /// `domino_reaches`, leaving its moves behind.
    fn best_child(&mut self, empty: u64, side: Side, points: i32, depth: u32) -> Result<NullWindowResult, Stopped> {
        let first = self.children.len();
        let mut best = NullWindowResult::proven(LOWEST);
        for anchor in each(places(empty, side)) {
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
        // Only what the strips leave open is looked up, and all at once: the processor waits for all of these reads
        // from memory together.
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

    /// Whether a move that was looked up is worth at least `points`.
    fn child_reaches(
        &mut self,
        child: &BoundedMove,
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

    /// Whether a PASS that does not end the game is worth at least `points`. The opponent then plays its best
    /// domino, or ends the game by a PASS of its own.
    #[cold]
    fn pass_reaches(&mut self, empty: u64, side: Side, points: i32, depth: u32) -> Result<NullWindowResult, Stopped> {
        if points > 0 {
            return Ok(NullWindowResult::proven(0));
        }
        let other = side.other();
        // When the opponent, to move, gets more than 0, it gets that by a domino.
        let (low, _) = self.bounds(empty, other);
        if low > 0 && -low < points {
            return Ok(NullWindowResult::proven(-low));
        }
        let reply = self.domino_reaches(empty, other, 1 - points, depth.saturating_sub(1))?;
        Ok(NullWindowResult { value: (-reply.value).min(0), proven: reply.proven })
    }

    /// What the strips say of a domino.
    #[inline]
    pub(super) fn child(&self, empty: u64, side: Side, anchor: usize) -> BoundedMove {
        let (left, credit) = self.reduced(empty & !dominoes(1 << anchor, side), side);
        let gain = i32::from(self.board.pay(side, anchor)) + credit;
        BoundedMove { known: self.known(left, side.other()), gain, anchor }
    }

    /// The canonical position of these empty cells, and the points that `side` has safe in what was left out of it,
    /// less those of its opponent.
    #[inline]
    fn reduced(&self, empty: u64, side: Side) -> (u64, i32) {
        let canonical = canonical(empty);
        let mut credit = 0;
        if canonical.safe != [0, 0] {
            let safe = |side: Side| self.views[side.index()].packing(canonical.safe_seen(side));
            let [mine, theirs] = [side, side.other()].map(safe);
            credit = mine - theirs;
        }
        (canonical.empty, credit)
    }

    /// What the strips say of a canonical position with `side` to move.
    #[inline]
    fn known(&self, empty: u64, side: Side) -> StaticBounds {
        if empty == 0 {
            return StaticBounds { empty, low: 0, high: 0, estimate: 0 };
        }
        let other = side.other();
        let (mine, theirs) = (&self.strips[side.index()], &self.strips[other.index()]);
        // In half points.
        let high = i32::from(mine.to_move(seen_by(side, empty))) * mine.unit();
        let low = -i32::from(theirs.to_wait(seen_by(other, empty))) * theirs.unit();
        // The upper bound says more: it is weighed three times as heavily (docs/engines/domineering.md).
        let estimate = i32::midpoint(low, 3 * high);
        StaticBounds { empty, low: (low + 1).div_euclid(2), high: high.div_euclid(2), estimate }
    }
}

/// Takes over the bounds that the table of the side to move holds for a position.
#[inline]
fn probe(table: &ProofTable, child: &mut BoundedMove) {
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
