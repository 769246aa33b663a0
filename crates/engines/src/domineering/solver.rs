//! Perfect play: what a position is worth, proved.

use agon_game::{Position, Side};
use agon_rules::domineering::cells::{dominoes, each, places};
use agon_rules::domineering::{Board, Domineering, Move};
use agon_search::{Limits, Meter, Stopped, Table};

use super::canonical::canonical;
use super::field::{Field, seen_by};
use super::strips::Strips;

/// What is known of a canonical position before it is searched, in the view of its side to move.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// Its empty cells.
    empty: u64,
    /// The value is at least this, in points.
    low: i32,
    /// The value is at most this, in points.
    high: i32,
    /// What the value seems to be, in quarters of a point.
    estimate: i32,
}

/// A move and where it leads.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// The position behind it, in the view of the opponent.
    known: Known,
    /// What the mover is paid for it, in points: the domino, and what becomes safe by it.
    gain: i32,
    anchor: u8,
}

/// What a search found out: a value in quarters of a point.
#[derive(Clone, Copy, Debug)]
struct Found {
    value: i32,
    /// Whether it is a bound of the true value, and not of an estimate.
    proven: bool,
}

const A: i32 = 100; const B: i32 = 100;
/// Deeper than any game.
const NO_LIMIT: u32 = 1_000;

/// Solves positions of one board.
pub struct Solver {
    board: Board,
    fields: [Field; 2],
    strips: [Strips; 2],
    /// By side to move.
    tables: [Table; 2],
    children: Vec<Child>,
    meter: Meter,
}

impl Solver {
    /// A solver for a board whose transposition tables take at most this many bytes (its bounds take up to 30 MB more).
    pub fn new(board: &Board, table_bytes: usize) -> Self {
        let fields = Side::BOTH.map(|side| Field::new(board, side));
        let strips = [0, 1].map(|side: usize| Strips::new(&fields[side]));
        let tables = [0, 1].map(|_| Table::new(table_bytes / 2));
        Self { board: *board, fields, strips, tables, children: Vec::new(), meter: Meter::new(Limits::default()) }
    }

    /// test hook
    pub fn nodes(&self) -> u64 { self.meter.nodes() }

    /// value in points first minus second
    pub fn value(&mut self, position: &Domineering, limits: Limits, schedule: &[u32]) -> Result<i32, Stopped> {
        self.meter = Meter::new(limits);
        let side = position.turn();
        let mut root = self.root(position.empty(), side);
        if position.last_pass() { root.low = root.low.max(0); root.high = root.high.max(0); }
        let mut guess = root.estimate.div_euclid(4);
        for &depth in schedule.iter().chain(&[NO_LIMIT]) {
            let (mut low, mut high) = (root.low, root.high);
            while low < high {
                let beta = if guess <= low { low + 1 } else { guess.min(high) };
                let found = self.reach(position, root, beta, depth)?;
                guess = found.value.div_euclid(4);
                if found.value >= 4 * beta - 2 { low = guess.max(beta) } else { high = guess.min(beta - 1) }
            }
            guess = low;
        }
        let sign = if side == Side::First { 1 } else { -1 };
        Ok(sign * guess)
    }

    /// win test
    pub fn wins(&mut self, position: &Domineering, limits: Limits, schedule: &[u32]) -> Result<bool, Stopped> {
        self.meter = Meter::new(limits);
        let side = position.turn();
        let root = self.root(position.empty(), side);
        let lead = if side == Side::First { position.lead().halves() } else { -position.lead().halves() };
        let beta = (-lead).div_euclid(2) + 1;
        for &depth in schedule.iter().chain(&[NO_LIMIT]) {
            let found = self.reach(position, root, beta, depth)?;
            if found.proven { return Ok(found.value >= 4 * beta); }
        }
        unreachable!()
    }

    fn root(&self, empty: u64, side: Side) -> Known {
        let canonical = canonical(empty);
        let credit = self.credit(canonical.safe_seen(Side::First), canonical.safe_seen(Side::Second));
        let credit = if side == Side::First { credit } else { -credit };
        let known = self.known(canonical.empty, side);
        Known { empty, low: known.low + credit, high: known.high + credit, estimate: known.estimate + 4 * credit }
    }

    fn reach(&mut self, position: &Domineering, root: Known, beta: i32, depth: u32) -> Result<Found, Stopped> {
        let side = position.turn();
        if position.last_pass() {
            let f = self.moves(position.empty(), side, beta, depth)?;
            if f.value < 0 { return Ok(Found { value: 0, proven: true }) }
            return Ok(f);
        }
        self.search(root, side, beta, depth)
    }

    /// In points, first minus second.
    fn credit(&self, lying: u64, standing: u64) -> i32 {
        let mut credit = 0;
        if lying != 0 {
            credit += self.fields[0].packing(lying);
        }
        if standing != 0 {
            credit -= self.fields[1].packing(standing);
        }
        credit
    }

    /// Whether the side to move can get at least `beta` points more than its opponent from here, the last turn not
    /// having been a PASS. A value of at least `beta` is a lower bound, a smaller one an upper bound.
    fn search(&mut self, known: Known, side: Side, beta: i32, depth: u32) -> Result<Found, Stopped> {
        let before = self.meter.nodes();
        let mut found = self.moves(known.empty, side, beta, depth)?;
        if found.value < 0 && found.value < 4 * beta - 2 {
            found = self.pass(found, known.empty, side, beta, depth)?;
        }
        let (mut low, mut high) = (known.low, known.high);
        if found.proven {
            if found.value >= 4 * beta { low = low.max(found.value / 4) } else { high = high.min(found.value.div_euclid(4)) }
        }
        let worth = (self.meter.nodes() - before + 1).ilog2();
        self.tables[side.index()].keep(known.empty, pack(low, high, known.estimate.clamp(4 * low, 4 * high), worth));
        Ok(found)
    }

    /// `search` for the moves that are no PASS.
    fn moves(&mut self, empty: u64, side: Side, beta: i32, depth: u32) -> Result<Found, Stopped> {
        self.meter.node()?;
        let start = self.children.len();
        let mut best = Found { value: i32::MIN / 2, proven: true };
        for anchor in each(places(empty, side)) {
            let child = self.child(empty, side, anchor);
            let low = child.gain - child.known.high;
            if low >= beta {
                self.children.truncate(start);
                return Ok(Found { value: 4 * low, proven: true });
            }
            let high = child.gain - child.known.low;
            if high < beta {
                best.value = best.value.max(4 * high);
            } else {
                self.children.push(child);
            }
        }
        // Only those that the strips leave open are looked up, and all at once: the processor then waits for all of
        // these reads from memory together.
        let table = &self.tables[side.other().index()];
        for child in &mut self.children[start..] {
            if let Some(word) = table.find(child.known.empty) {
                [child.known.low, child.known.high, child.known.estimate] = unpack(word);
            }
        }
        let mut end = start;
        for i in start..self.children.len() {
            let child = self.children[i];
            let low = child.gain - child.known.high;
            if low >= beta {
                self.children.truncate(start);
                return Ok(Found { value: 4 * low, proven: true });
            }
            let high = child.gain - child.known.low;
            if high < beta {
                best.value = best.value.max(4 * high);
            } else {
                self.children[end] = child;
                end += 1;
            }
        }
        self.children.truncate(end);
        for i in start..end {
            let next = (i..end).max_by_key(|&j| 4 * self.children[j].gain - self.children[j].known.estimate).unwrap_or(i);
            self.children.swap(i, next);
            let Child { known, gain, .. } = self.children[i];
            let found = if depth <= 1 {
                Found { value: known.estimate, proven: false }
            } else {
                self.search(known, side.other(), gain - beta + 1, depth - 1)?
            };
            let value = 4 * gain - found.value;
            if value >= 4 * beta - 2 {
                self.children.truncate(start);
                return Ok(Found { value, proven: found.proven });
            }
            best = Found { value: best.value.max(value), proven: best.proven && found.proven };
        }
        self.children.truncate(start);
        Ok(best)
    }

    /// Adds the PASS to what the moves have found: less than `beta`, and less than 0.
    #[cold]
    fn pass(&mut self, mut found: Found, empty: u64, side: Side, beta: i32, depth: u32) -> Result<Found, Stopped> {
        // After a PASS the opponent ends the game if that is best for it, so a PASS is never worth more than 0.
        let other = self.known(empty, side.other());
        let mut most = (-other.low).min(0);
        if most >= beta {
            let reply = self.moves(empty, side.other(), 1 - beta, depth.saturating_sub(1).max(1))?;
            found.proven &= reply.proven;
            if reply.value < 4 * (1 - beta) - 2 {
                return Ok(Found { value: 4 * beta, proven: reply.proven });
            }
            most = beta - 1;
        }
        found.value = found.value.max(4 * most);
        Ok(found)
    }

    fn child(&self, empty: u64, side: Side, anchor: usize) -> Child {
        let canonical = canonical(empty & !dominoes(1 << anchor, side));
        let mut gain = i32::from(self.board.pay(side, anchor));
        if canonical.safe != [0, 0] {
            let credit = self.credit(canonical.safe_seen(Side::First), canonical.safe_seen(Side::Second));
            gain += if side == Side::First { credit } else { -credit };
        }
        Child { known: self.known(canonical.empty, side.other()), gain, anchor: anchor as u8 }
    }

    /// What the table knows of a canonical position, else what the strips say.
    #[inline]
    fn known(&self, empty: u64, side: Side) -> Known {
        if empty == 0 {
            return Known { empty, low: 0, high: 0, estimate: 0 };
        }
        let other = side.other();
        let (mine, theirs) = (&self.strips[side.index()], &self.strips[other.index()]);
        let high = i32::from(mine.to_move(seen_by(side, empty))) * mine.unit();
        let low = -i32::from(theirs.to_wait(seen_by(other, empty))) * theirs.unit();
        Known { empty, low: (low + 1).div_euclid(2), high: high.div_euclid(2), estimate: (A * low + B * high) / 100 }
    }
}

fn pack(low: i32, high: i32, estimate: i32, worth: u32) -> u64 {
    let field = |number: i32| u64::from(number as u16);
    field(low) | field(high) << 16 | field(estimate) << 32 | u64::from(worth) << 56
}

fn unpack(word: u64) -> [i32; 3] {
    [0, 16, 32].map(|shift| i32::from((word >> shift) as i16))
}
