//! Relevance zones: proofs that need not try every answer.
//!
//! [`verify`](super::exhaustive::verify) tries all answers to every threat, about two hundred. Nearly all of them
//! change nothing: the moves that win after a PASS win anyway. This module checks wins of Black just as strictly, but
//! collects with each proof the points on which one more white stone could matter, and tries only those. Together,
//! these points form the win's *relevance zone*.
//!
//! # Why that is enough
//! Take the tree of a proof: Black's moves, and the answers of White that were tried. Add white stones *F* to all its
//! positions. They cannot make a row of black stones longer, nor give Black another four or three. So Black's moves
//! still win unless
//!
//! 1. a stone of *F* lies where Black plays or threatens a five;
//! 2. White gets a four: then some five points in a row, none black, hold four stones of White's, some of them of *F*;
//! 3. Black's move makes two threes or more, and article 9.3 decides whether it is forbidden.
//!
//! In the third case a move is allowed because the points that would make fours of its threes are forbidden. A point
//! matters if a white stone there could lift one of these prohibitions: within five steps of a point forbidden by an
//! overline or a double four, and anywhere if a double three forbids it. The stones of *F* are the answers that were
//! not tried, one for each such answer on the path from the root. The *rank* of a stone is the number of stones of *F*
//! that were added at the same time or later. Of the stones of *F* in a window of the second kind, take the one with
//! the highest rank,
//! *r*: at most *r* of the window's stones are of *F*, so at least 4 − *r* are in the tree. Hence a stone of rank *r*
//! changes nothing if it avoids [`RelevanceZone::at`]`(r)`: the points of the first kind, and the empty points of those
//! windows without a black stone that contain at least 4 − *r* white stones of the tree.
//!
//! A move of Black is proved by the win after a PASS, whose points of rank 1 are tried one by one. The zone of the move
//! at rank *r* consists of the zones of these wins at rank *r*, and of the zone of the win after the PASS at rank *r* +
//! 1, since there the answer that was not tried is an additional stone. The idea comes from the null move in λ-search
//! (T. Thomsen, "Lambda Search in Game Trees", 2000); the ranks make it valid for PASSes within PASSes.

use std::collections::HashMap;

use agon_game::Side;
use agon_rules::renju::{Axis, Board, Forbidden, POINTS, Point, PointSet, Stones, Window, forbidden};

use super::script::{PASS, Script, Word};

/// The highest rank that is distinguished; above it every point matters.
const RANKS: usize = 3;

/// The points on which one more white stone could matter to a win of Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelevanceZone([PointSet; RANKS]);

impl RelevanceZone {
    pub(super) const NOTHING: Self = Self([PointSet::EMPTY; RANKS]);

    /// The points that matter at a rank, from 1: see [the module](self). A single stone that is added to the position
    /// has rank 1.
    pub fn at(&self, rank: usize) -> PointSet {
        self.0.get(rank - 1).copied().unwrap_or(PointSet::ALL)
    }

    /// Adds the points of another zone, rank by rank.
    pub(super) fn join(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = own.or(other);
        }
    }

    /// Adds points that matter at every rank.
    pub(super) fn add(&mut self, cells: PointSet) {
        self.join(&Self([cells; RANKS]));
    }

    /// The zone in which one more answer is not tried: each rank becomes the next one here.
    pub(super) fn deeper(&self) -> Self {
        Self(std::array::from_fn(|rank| self.at(rank + 2)))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WinPlan {
    /// By continuous fours: Black's stones and White's answers in turn. The answers are ignored, since each four leaves
    /// White only one.
    Fours(Vec<u8>),
    /// By a stone on this point, after which the plan is requested again.
    Stone(u8),
    /// By an earlier proof of this module, with this zone.
    Proved(RelevanceZone),
}

/// The five points in a row along one of the four lines through a point: windows.
struct Windows {
    /// The difference between the numbers of neighbours.
    step: u32,
    /// First points of the windows that are on the board.
    starts: PointSet,
}

static WINDOWS: [Windows; 4] =
    [Windows::along(0, 1), Windows::along(1, 0), Windows::along(1, 1), Windows::along(1, -1)];

impl Windows {
    const fn along(down: i32, right: i32) -> Self {
        let mut starts = PointSet::EMPTY;
        let mut cell = 0;
        while cell < POINTS as i32 {
            let (row, column) = (cell / 15 + 4 * down, cell % 15 + 4 * right);
            if row < 15 && column >= 0 && column < 15 {
                starts.insert(cell as u8);
            }
            cell += 1;
        }
        Self { step: (15 * down + right) as u32, starts }
    }

    /// Counts the points of `own` in the windows without a point of `other`. A window is represented by its first
    /// point.
    fn count(&self, own: PointSet, other: PointSet) -> WindowCounts {
        let row = |set: PointSet| {
            let mut at = [set; 5];
            for step in 1..5 {
                at[step] = at[step - 1].shift_down(self.step);
            }
            at
        };
        let open = self.starts.without(row(other).into_iter().fold(PointSet::EMPTY, PointSet::or));
        // All windows are counted together: the bits of a count are three sets.
        let [a, b, c, d, e] = row(own).map(|set| set.and(open));
        let add = |a: PointSet, b: PointSet, c: PointSet| (a.xor(b).xor(c), a.and(b).or(c.and(a.xor(b))));
        let (sum, carry) = add(a, b, c);
        let (ones, other_carry) = add(sum, d, e);
        let (twos, fours) = (carry.xor(other_carry), carry.and(other_carry));
        WindowCounts {
            at_least: [ones.or(twos).or(fours), twos.or(fours), twos.and(ones).or(fours), fours],
            exactly_four: fours.without(ones),
        }
    }

    /// All points of these windows.
    fn points(&self, windows: PointSet) -> PointSet {
        let mut points = windows;
        if !windows.is_empty() {
            let mut at = windows;
            for _ in 1..5 {
                at = at.shift_up(self.step);
                points = points.or(at);
            }
        }
        points
    }
}

struct WindowCounts {
    /// The windows with at least one, two, three and four points.
    at_least: [PointSet; 4],
    exactly_four: PointSet,
}

/// Returns, by rank, the empty points where absent white stones could help to make a four.
fn white_fours(stones: &Stones) -> RelevanceZone {
    let empties = stones.empties();
    let mut fours = RelevanceZone::NOTHING;
    for windows in &WINDOWS {
        let counts = windows.count(stones.white, stones.black);
        for (rank, points) in fours.0.iter_mut().enumerate() {
            *points = points.or(windows.points(counts.at_least[RANKS - 1 - rank]).and(empties));
        }
    }
    fours
}

/// Proves that Black, to move, wins, and finds the win's relevance zone. `plan` names Black's plan in each position;
/// the rules check it.
#[derive(Debug)]
pub struct ZoneProver<A> {
    plan: A,
    proved: HashMap<Stones, RelevanceZone>,
    limit: usize,
    script: Script,
}

impl<A: FnMut(&Stones) -> Option<WinPlan>> ZoneProver<A> {
    /// A prover of at most `limit` positions with Black to move.
    pub fn new(limit: usize, plan: A) -> Self {
        Self { plan, proved: HashMap::new(), limit, script: Script::default() }
    }

    /// Returns the proof in the format of a certificate ([`super::certificate`]).
    pub fn into_script(self) -> Vec<u8> {
        self.script.into_bytes()
    }

    /// Proves a win and returns its zone.
    ///
    /// # Errors
    /// [`ProofError`] with the first position in which Black's plan does not win, or at the limit.
    pub fn prove(&mut self, stones: &Stones) -> Result<RelevanceZone, ProofError> {
        if let Some(&known) = self.proved.get(stones) {
            self.script.repeat(stones);
            return Ok(known);
        }
        self.script.begin(stones);
        let found = match (self.plan)(stones).ok_or(ProofError::NoPlan { stones: *stones })? {
            WinPlan::Fours(line) => self.fours(stones, &line)?,
            WinPlan::Stone(cell) => self.stone(stones, cell)?,
            WinPlan::Proved(zone) => {
                self.script.say(Word::Known);
                zone
            }
        };
        if self.proved.len() == self.limit {
            return Err(ProofError::Limit { limit: self.limit });
        }
        self.proved.insert(*stones, found);
        Ok(found)
    }

    /// Proves a move of Black against all answers.
    fn stone(&mut self, stones: &Stones, cell: u8) -> Result<RelevanceZone, ProofError> {
        self.script.say(Word::Point(cell));
        let (mut zone, next) = stone(stones, cell)?;
        match next {
            AfterStone::Won => {}
            AfterStone::Forced(position) => zone.join(&self.prove(&position)?),
            AfterStone::Quiet(after) => {
                self.script.say(Word::Point(PASS));
                let passed = self.prove(&after)?;
                zone.join(&passed.deeper());
                for answer in passed.at(1).and(after.empties()).iter() {
                    self.script.say(Word::Point(answer));
                    zone.join(&self.prove(&after.with(Side::Second, answer))?);
                }
                self.script.say(Word::End);
            }
        }
        Ok(zone)
    }

    /// A win by continuous fours.
    fn fours(&mut self, stones: &Stones, line: &[u8]) -> Result<RelevanceZone, ProofError> {
        let mut zone = RelevanceZone::NOTHING;
        let mut position = *stones;
        for &cell in line.iter().step_by(2) {
            self.script.say(Word::Point(cell));
            let (found, next) = stone(&position, cell)?;
            zone.join(&found);
            position = match next {
                AfterStone::Won => return Ok(zone),
                AfterStone::Forced(position) => position,
                AfterStone::Quiet(stones) => return Err(ProofError::NoPlan { stones }),
            };
        }
        Err(ProofError::NoPlan { stones: position })
    }
}

/// White's options after a stone of Black.
pub(super) enum AfterStone {
    /// None: it made a five, or threatens more than one.
    Won,
    /// One point on which it must stop a five: the position after that.
    Forced(Stones),
    /// Any move: the position after Black's stone.
    Quiet(Stones),
}

/// Plays Black's stone on a point, checked by the rules, and returns the zone that the stone itself contributes.
pub(super) fn stone(stones: &Stones, cell: u8) -> Result<(RelevanceZone, AfterStone), ProofError> {
    let mut zone = white_fours(stones);
    let Some(after) = place(stones, cell, &mut zone)? else { return Ok((zone, AfterStone::Won)) };
    let fives = fives(&after);
    zone.add(fives);
    let next = match (fives.first(), fives.len()) {
        (Some(answer), 1) => AfterStone::Forced(after.with(Side::Second, answer)),
        // White can stop one of them.
        (Some(_), _) => AfterStone::Won,
        (None, _) => AfterStone::Quiet(after),
    };
    Ok((zone, next))
}

/// Plays Black's stone on a point, after which White must have no five; `None` if it wins.
fn place(stones: &Stones, cell: u8, zone: &mut RelevanceZone) -> Result<Option<Stones>, ProofError> {
    let refused = || ProofError::Stone { cell, stones: *stones };
    let board = stones.board();
    let point = Point::from_index(cell.into()).filter(|&point| board.owner(point).is_none()).ok_or_else(refused)?;
    if forbidden(&board, point).is_some() {
        return Err(refused());
    }
    zone.add([cell].into_iter().collect());
    if board.wins(Side::First, point) {
        return Ok(None);
    }
    zone.add(maybe_forbidding(&board, point));
    let after = stones.with(Side::First, cell);
    if white_fives(&after).is_empty() { Ok(Some(after)) } else { Err(refused()) }
}

/// Returns the points where a white stone could make an allowed black stone with two or more threes forbidden after
/// all: near a point that would make a four of one of them and is forbidden itself. A white stone may break what
/// forbids that point; it cannot break what allows another.
fn maybe_forbidding(board: &Board, point: Point) -> PointSet {
    let mut zone = PointSet::EMPTY;
    let raises = |&line: &Axis| {
        let raises = board.window(Side::First, point, line).raises();
        let steps = (0..u16::BITS).filter(move |bit| raises >> bit & 1 == 1);
        (raises != 0).then(|| steps.filter_map(move |bit| point.along(line, bit as i8 - Window::CENTRE as i8)))
    };
    let threes: Vec<_> = Axis::ALL.iter().filter_map(raises).collect();
    if threes.len() < 2 {
        return zone;
    }
    let mut after = board.clone();
    after.place(point, Side::First);
    for raise in threes.into_iter().flatten() {
        match forbidden(&after, raise) {
            None => {}
            Some(Forbidden::DoubleThree(_)) => return PointSet::ALL,
            Some(_) => {
                for line in Axis::ALL {
                    let near = (-5..=5).filter_map(|steps| raise.along(line, steps));
                    zone = zone.or(near.collect());
                }
            }
        }
    }
    zone
}

/// Returns the points where White would make a five, or a longer row.
pub(crate) fn white_fives(stones: &Stones) -> PointSet {
    let fives = WINDOWS.iter().map(|windows| {
        let [.., four] = windows.count(stones.white, stones.black).at_least;
        windows.points(four)
    });
    fives.fold(PointSet::EMPTY, PointSet::or).and(stones.empties())
}

/// Returns the points where Black would make a five.
pub(crate) fn fives(stones: &Stones) -> PointSet {
    let points = WINDOWS.iter().map(|windows| {
        let four = windows.count(stones.black, stones.white).exactly_four;
        windows.points(four)
    });
    let points = points.fold(PointSet::EMPTY, PointSet::or);
    let points = points.and(stones.empties());
    if points.is_empty() {
        return points;
    }
    let board = stones.board();
    let wins = |&cell: &u8| Point::from_index(cell.into()).is_some_and(|point| board.wins(Side::First, point));
    points.iter().filter(wins).collect()
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofError {
    #[error("no winning move is known in {stones}")]
    NoPlan { stones: Stones },
    #[error("a stone on {} does not win in {stones}", letters(*.cell))]
    Stone { cell: u8, stones: Stones },
    #[error("the proof has more than {limit} moves of Black's")]
    Limit { limit: usize },
}

fn letters(cell: u8) -> String {
    Point::from_index(cell.into()).map_or_else(|| cell.to_string(), Point::letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_game::seed::Stream;

    /// Every five points in a row, one after the other.
    fn windows() -> Vec<PointSet> {
        let mut windows = Vec::new();
        for point in (0..POINTS as u8).filter_map(|cell| Point::from_index(cell.into())) {
            for line in Axis::ALL {
                let points: Vec<Point> = (0..5).filter_map(|steps| point.along(line, steps)).collect();
                if points.len() == 5 {
                    windows.push(points.into_iter().collect());
                }
            }
        }
        windows
    }

    #[test]
    fn counting_all_windows_at_once_is_counting_each() {
        let windows = windows();
        assert_eq!(windows.len(), 572);
        let mut stream = Stream::new(1, "windows");
        let mut seen = [0; 2];
        for _ in 0..2_000 {
            let (mut stones, share) = (Stones::default(), 10 + stream.below(60));
            for cell in 0..POINTS as u8 {
                if stream.below(100) < share {
                    stones = stones.with(if stream.below(4) == 0 { Side::First } else { Side::Second }, cell);
                }
            }
            let with = |own: PointSet, other: PointSet, counts: &[u32]| {
                let held = windows.iter().filter(|window| window.and(other).is_empty());
                let held = held.filter(|window| counts.contains(&window.and(own).len()));
                held.fold(PointSet::EMPTY, |points, window| points.or(*window)).and(stones.empties())
            };
            let (black, white) = (stones.black, stones.white);
            assert_eq!(white_fives(&stones), with(white, black, &[4, 5]), "{stones}");
            let fours = white_fours(&stones);
            assert_eq!(fours.at(1), with(white, black, &[3, 4, 5]), "{stones}");
            assert_eq!(fours.at(2), with(white, black, &[2, 3, 4, 5]), "{stones}");
            assert_eq!(fours.at(3), with(white, black, &[1, 2, 3, 4, 5]), "{stones}");
            let swapped = Stones { black: white, white: black };
            let board = swapped.board();
            let wins = |cell: &u8| Point::from_index((*cell).into()).is_some_and(|at| board.wins(Side::First, at));
            let expected: PointSet = with(white, black, &[4]).iter().filter(wins).collect();
            assert_eq!(fives(&swapped), expected, "{swapped}");
            seen[0] += white_fives(&stones).len();
            seen[1] += expected.len();
        }
        assert!(seen.iter().all(|&seen| seen > 1_000), "{seen:?}");
    }
}
