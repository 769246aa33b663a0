//! What a win relies on: proofs by the rules alone that need not try every answer.
//!
//! [`verify`](crate::exhaustive::verify) tries all answers to every threat, some two hundred. Nearly all of them change nothing: the win
//! after a PASS goes through all the same. This module proves wins of Black in the same spirit, trusting nobody who names
//! a move, but collects with each proof the points on which one more white stone could matter, and tries only those.
//!
//! # Why that is enough
//! Take the tree of a proof: Black's moves, and White's answers that were tried. Add white stones *F* to all its positions.
//! They cannot make a black stone's row longer, nor another four or three of Black's. So Black's moves still win unless
//!
//! 1. a stone of *F* lies where Black plays or threatens a five;
//! 2. White gets a four: then some five points in a row, none black, hold four stones of White's, some of them of *F*;
//! 3. Black's move makes two threes or more, and article 9.3 decides whether it is forbidden.
//!
//! In the third case every point is taken to matter. The stones of *F* are the answers that were not tried, one for each
//! such answer on the way from the root. Call the *rank* of a stone the number of stones of *F* that were added not before
//! it. Of the stones of *F* in a window of the second kind take that of the highest rank, *r*: at most *r* of the window's
//! stones are of *F*, so at least 4 − *r* are in the tree. Hence a stone of rank *r* changes nothing if it avoids
//! [`RelevanceZone::at`]`(r)`: the points of the first kind, and the empty points of those windows without a black stone that
//! hold 4 − *r* white stones of the tree or more.
//!
//! A move of Black's is proved by the win after a PASS, whose rank-1 points are tried one by one. What the move relies on at
//! rank *r* is what these wins rely on, and what the win after the PASS relies on at rank *r* + 1, since there the answer that
//! was not tried is one stone more. The idea is that of the null move in λ-search (T. Thomsen, "Lambda Search in Game
//! Trees", 2000); the ranks make it hold for PASSes within PASSes.

use std::collections::HashMap;

use agon_game::Side;
use agon_rules::renju::{Axis, Board, Forbidden, POINTS, Point, PointSet, Stones, Window, forbidden};

/// The highest rank that is told apart; above it every point matters.
const RANKS: usize = 3;

/// The points on which one more white stone could matter to a win of Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RelevanceZone([PointSet; RANKS]);

impl RelevanceZone {
    const NOTHING: Self = Self([PointSet::EMPTY; RANKS]);

    /// Those that matter at a rank, from 1: see the module's text. A single stone that is added to the position has
    /// rank 1.
    pub fn at(&self, rank: usize) -> PointSet {
        self.0.get(rank - 1).copied().unwrap_or(PointSet::ALL)
    }

    /// The sets of all ranks that are told apart.
    pub const fn sets(&self) -> &[PointSet; RANKS] {
        &self.0
    }

    /// A win that relies on both.
    fn and(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = own.or(other);
        }
    }

    /// A win that relies on these points, whatever the rank.
    fn points(&mut self, cells: PointSet) {
        self.and(&Self([cells; RANKS]));
    }

    /// What is relied on when one answer more is not tried.
    fn deeper(&self) -> Self {
        Self(std::array::from_fn(|rank| self.at(rank + 2)))
    }
}

/// What Black means to do in a position that it has won.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WinPlan {
    /// To win by continuous fours: its stones and the answers in turn. The answers are not looked at, as the rules tell
    /// them.
    Fours(Vec<u8>),
    /// To put a stone on this point.
    Stone(u8),
    /// What another prover has proved.
    Proved(RelevanceZone),
}

/// Every five points in a row.
static WINDOWS: [PointSet; 572] = {
    let mut windows = [PointSet::EMPTY; 572];
    let steps: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];
    let (mut count, mut cell) = (0, 0);
    while cell < POINTS as i32 {
        let mut direction = 0;
        while direction < 4 {
            let (row, column) = (cell / 15 + 4 * steps[direction].0, cell % 15 + 4 * steps[direction].1);
            if row >= 0 && row < 15 && column < 15 {
                let mut step = 0;
                while step < 5 {
                    windows[count].insert((cell + step * (15 * steps[direction].0 + steps[direction].1)) as u8);
                    step += 1;
                }
                count += 1;
            }
            direction += 1;
        }
        cell += 1;
    }
    windows
};

/// What White has on the board, with Black to move or to answer.
struct Menace {
    /// Where a white stone would make a five now.
    fives: PointSet,
    /// By rank, where white stones that are not there could help to a four.
    help: RelevanceZone,
}

impl Menace {
    fn of(stones: &Stones) -> Self {
        let empties = stones.empties();
        // By the number of white stones in the window, the empty points of such windows.
        let mut open = [PointSet::EMPTY; 6];
        for window in &WINDOWS {
            if window.and(stones.black).is_empty() {
                let count = window.and(stones.white).len() as usize;
                open[count] = open[count].or(*window);
            }
        }
        let mut total = open[4].or(open[5]);
        let fives = total.and(empties);
        let help = RelevanceZone(std::array::from_fn(|rank| {
            total = total.or(open[3 - rank]);
            total.and(empties)
        }));
        Self { fives, help }
    }
}

/// Proves that Black, to move, wins, and tells what the win relies on. `attack` names Black's plan in each position; what it
/// says is checked by the rules.
#[derive(Debug)]
pub struct Prover<A> {
    attack: A,
    proved: HashMap<Stones, RelevanceZone>,
    limit: usize,
}

impl<A: FnMut(&Stones) -> Option<WinPlan>> Prover<A> {
    /// A prover that proves so many positions with Black to move at most.
    pub fn new(limit: usize, attack: A) -> Self {
        Self { attack, proved: HashMap::new(), limit }
    }

    /// How many positions with Black to move were proved.
    pub fn proved(&self) -> usize {
        self.proved.len()
    }

    /// Proves a win.
    ///
    /// # Errors
    /// [`ProofError`] with the first position in which Black's plan does not win, or at the limit.
    pub fn prove(&mut self, stones: &Stones) -> Result<RelevanceZone, ProofError> {
        if let Some(&known) = self.proved.get(stones) {
            return Ok(known);
        }
        let found = match (self.attack)(stones).ok_or(ProofError::NoPlan { stones: *stones })? {
            WinPlan::Fours(line) => fours(stones, &line)?,
            WinPlan::Stone(cell) => self.stone(stones, cell)?,
            WinPlan::Proved(zone) => zone,
        };
        if self.proved.len() == self.limit {
            return Err(ProofError::Limit { limit: self.limit });
        }
        self.proved.insert(*stones, found);
        Ok(found)
    }

    /// A move of Black's, and whatever White does then.
    fn stone(&mut self, stones: &Stones, cell: u8) -> Result<RelevanceZone, ProofError> {
        let mut relied = Menace::of(stones).help;
        let Some(after) = place(stones, cell, &mut relied)? else { return Ok(relied) };
        let fives = fives(&after);
        relied.points(fives);
        match (fives.first(), fives.len()) {
            (Some(answer), 1) => relied.and(&self.prove(&after.with(Side::Second, answer))?),
            (Some(_), _) => {}
            (None, _) => {
                let passed = self.prove(&after)?;
                relied.and(&passed.deeper());
                for answer in passed.at(1).and(after.empties()).iter() {
                    relied.and(&self.prove(&after.with(Side::Second, answer))?);
                }
            }
        }
        Ok(relied)
    }
}

/// Checks a win by continuous fours.
fn fours(stones: &Stones, line: &[u8]) -> Result<RelevanceZone, ProofError> {
    let mut relied = RelevanceZone::NOTHING;
    let mut stones = *stones;
    for &cell in line.iter().step_by(2) {
        relied.and(&Menace::of(&stones).help);
        let Some(after) = place(&stones, cell, &mut relied)? else { return Ok(relied) };
        let fives = fives(&after);
        relied.points(fives);
        match (fives.first(), fives.len()) {
            (None, _) => return Err(ProofError::NoPlan { stones: after }),
            (Some(answer), 1) => stones = after.with(Side::Second, answer),
            // White can stop one of them.
            (Some(_), _) => return Ok(relied),
        }
    }
    Err(ProofError::NoPlan { stones })
}

/// Black's stone on a point, after which White must have no five; `None` when it wins.
fn place(stones: &Stones, cell: u8, relied: &mut RelevanceZone) -> Result<Option<Stones>, ProofError> {
    let refused = || ProofError::Stone { cell, stones: *stones };
    let board = stones.board();
    let point = Point::from_index(cell.into()).filter(|&point| board.owner(point).is_none()).ok_or_else(refused)?;
    if forbidden(&board, point).is_some() {
        return Err(refused());
    }
    relied.points([cell].into_iter().collect());
    if board.wins(Side::First, point) {
        return Ok(None);
    }
    relied.points(doubts(&board, point));
    let after = stones.with(Side::First, cell);
    if Menace::of(&after).fives.is_empty() { Ok(Some(after)) } else { Err(refused()) }
}

/// Where a white stone could make a black one, which makes two threes or more and is allowed, forbidden after all: near a
/// point that would raise one of them and is forbidden itself. What forbids that point may be broken; what allows another
/// may not.
fn doubts(board: &Board, point: Point) -> PointSet {
    let mut doubts = PointSet::EMPTY;
    let raises = |&line: &Axis| {
        let raises = board.window(Side::First, point, line).raises();
        let steps = (0..u16::BITS).filter(move |bit| raises >> bit & 1 == 1);
        (raises != 0).then(|| steps.filter_map(move |bit| point.along(line, bit as i8 - Window::CENTRE as i8)))
    };
    let threes: Vec<_> = Axis::ALL.iter().filter_map(raises).collect();
    if threes.len() < 2 {
        return doubts;
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
                    doubts = doubts.or(near.collect());
                }
            }
        }
    }
    doubts
}

/// Where White would make a five, or a longer row.
pub(crate) fn white_fives(stones: &Stones) -> PointSet {
    Menace::of(stones).fives
}

/// Where Black would make a five.
pub(crate) fn fives(stones: &Stones) -> PointSet {
    let mut hopes = PointSet::EMPTY;
    for window in &WINDOWS {
        if window.and(stones.white).is_empty() && window.and(stones.black).len() == 4 {
            hopes = hopes.or(*window);
        }
    }
    let hopes = hopes.and(stones.empties());
    if hopes.is_empty() {
        return hopes;
    }
    let board = stones.board();
    let wins = |&cell: &u8| Point::from_index(cell.into()).is_some_and(|point| board.wins(Side::First, point));
    hopes.iter().filter(wins).collect()
}

/// Why a win was not proved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofError {
    /// Black has no plan, or one that does not win.
    #[error("no winning move is known in {stones}")]
    NoPlan {
        /// The position.
        stones: Stones,
    },
    /// Black may not or must not move there.
    #[error("a stone on {} does not win in {stones}", letters(*.cell))]
    Stone {
        /// The point, by its number.
        cell: u8,
        /// The position.
        stones: Stones,
    },
    /// The proof is longer than it may be.
    #[error("the proof has more than {limit} moves of Black's")]
    Limit {
        /// The number of moves allowed.
        limit: usize,
    },
}

fn letters(cell: u8) -> String {
    Point::from_index(cell.into()).map_or_else(|| cell.to_string(), Point::letters)
}
