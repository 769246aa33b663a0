//! The terms of the rules taken literally, on an array of characters, as slowly as they are written.
//!
//! Shares nothing with the crate except the numbering of points.

use std::collections::{BTreeMap, BTreeSet};

/// A board, row by row; `.`, `B` or `W`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naive(pub [[char; 15]; 15]);

/// Row and column from 0.
pub type At = (i32, i32);

/// Steps along the four directions of lines.
const STEPS: [At; 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

impl Naive {
    pub fn new(black: &[At], white: &[At]) -> Self {
        let mut board = Self([['.'; 15]; 15]);
        for (colour, stones) in [('B', black), ('W', white)] {
            for &at in stones {
                board.set(at, colour);
            }
        }
        board
    }

    /// The colour of a point; blank outside the board.
    pub fn colour(&self, (row, column): At) -> char {
        if (0..15).contains(&row) && (0..15).contains(&column) { self.0[row as usize][column as usize] } else { ' ' }
    }

    fn set(&mut self, (row, column): At, colour: char) {
        self.0[row as usize][column as usize] = colour;
    }

    fn with(&self, at: At, colour: char) -> Self {
        let mut board = self.clone();
        board.set(at, colour);
        board
    }

    /// The unbroken row of a stone in one direction.
    fn row(&self, at: At, step: At) -> Vec<At> {
        let colour = self.colour(at);
        let mut row = vec![at];
        for sign in [-1, 1] {
            let mut next = (at.0 + sign * step.0, at.1 + sign * step.1);
            while self.colour(next) == colour {
                row.push(next);
                next = (next.0 + sign * step.0, next.1 + sign * step.1);
            }
        }
        row.sort_unstable();
        row
    }

    /// Whether a black stone there is in a FIVE.
    fn five(&self, at: At) -> bool {
        STEPS.iter().any(|&step| self.row(at, step).len() == 5)
    }

    /// Whether a stone there has won.
    pub fn won(&self, at: At) -> bool {
        STEPS.iter().any(|&step| {
            let length = self.row(at, step).len();
            length == 5 || self.colour(at) == 'W' && length > 5
        })
    }

    /// The empty points of the line through a point, near enough to matter.
    fn empties(&self, at: At, step: At) -> impl Iterator<Item = At> {
        (-6..=6).map(move |n| (at.0 + n * step.0, at.1 + n * step.1)).filter(|&other| self.colour(other) == '.')
    }

    /// The FOURs in one direction that include a black stone, each with the points that make a FIVE of it.
    fn fours(&self, at: At, step: At) -> BTreeMap<Vec<At>, BTreeSet<At>> {
        let mut fours: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for fifth in self.empties(at, step) {
            let row = self.with(fifth, 'B').row(fifth, step);
            if row.len() == 5 && row.contains(&at) {
                let four: Vec<At> = row.into_iter().filter(|&stone| stone != fifth).collect();
                fours.entry(four).or_default().insert(fifth);
            }
        }
        fours
    }

    /// The STRAIGHT FOUR in one direction that holds a black stone.
    fn straight_four(&self, at: At, step: At) -> Option<Vec<At>> {
        self.fours(at, step)
            .into_iter()
            .find(|(four, fifths)| fifths.len() == 2 && self.row(at, step) == *four)
            .map(|(four, _)| four)
    }

    /// The THREEs in one direction that include a black stone, each with the points that make a STRAIGHT FOUR of it.
    fn threes(&self, at: At, step: At) -> BTreeMap<Vec<At>, BTreeSet<At>> {
        let mut threes: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for fourth in self.empties(at, step) {
            let after = self.with(fourth, 'B');
            if after.five(fourth) {
                continue;
            }
            if let Some(four) = after.straight_four(fourth, step).filter(|four| four.contains(&at)) {
                let three: Vec<At> = four.into_iter().filter(|&stone| stone != fourth).collect();
                threes.entry(three).or_default().insert(fourth);
            }
        }
        threes
    }

    /// Why a black stone on an empty point is against the rules.
    pub fn forbidden(&self, at: At) -> Option<&'static str> {
        let after = self.with(at, 'B');
        if after.five(at) {
            return None;
        }
        if STEPS.iter().any(|&step| after.row(at, step).len() > 5) {
            return Some("overline");
        }
        if STEPS.iter().map(|&step| after.fours(at, step).len()).sum::<usize>() >= 2 {
            return Some("double four");
        }
        let threes: Vec<_> = STEPS.iter().flat_map(|&step| after.threes(at, step)).collect();
        if threes.len() < 2 {
            return None;
        }
        let valid = threes
            .iter()
            .filter(|(_, fourths)| fourths.iter().any(|&fourth| after.forbidden(fourth).is_none()))
            .count();
        (valid >= 2).then_some("double three")
    }

    /// All points that are empty.
    pub fn all_empties(&self) -> Vec<At> {
        (0..15).flat_map(|row| (0..15).map(move |column| (row, column))).filter(|&at| self.colour(at) == '.').collect()
    }

    /// The number of sequences of `depth` turns after `turns` turns, the last `passes` of them passes.
    pub fn perft(&self, depth: u32, colour: char, turns: u32, passes: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let other = if colour == 'B' { 'W' } else { 'B' };
        let mut nodes = 0;
        for at in self.all_empties() {
            let distance = (at.0 - 7).abs().max((at.1 - 7).abs());
            if turns < 3 && distance > turns as i32 || colour == 'B' && self.forbidden(at).is_some() {
                continue;
            }
            let after = self.with(at, colour);
            if depth == 1 {
                nodes += 1;
            } else if !after.won(at) {
                nodes += after.perft(depth - 1, other, turns + 1, 0);
            }
        }
        // Two passes in a row end the game: the second is a separate line, but nothing follows it.
        if turns >= 3 && (passes == 0 || depth == 1) {
            nodes += self.perft(depth - 1, other, turns + 1, passes + 1);
        }
        nodes
    }
}
