//! A second implementation of the task, as plain as possible: arrays, loops, no cleverness, nothing shared with the
//! rules.

use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Show, Side};

use crate::domineering::{after, moves, read, start};
use agon_rules::domineering::Domineering;

/// The game in arrays. Rows and columns count from 1, as in the task.
#[derive(Clone)]
pub struct Naive {
    pub weights: Vec<Vec<i32>>,
    pub covered: Vec<Vec<bool>>,
    /// Twice the points of H and V.
    pub halves: [i32; 2],
    /// 0 when H is to move, 1 when V is.
    pub turn: usize,
    pub last_pass: bool,
    pub passed_out: bool,
}

impl Naive {
    /// A start, from the lines that the judge sends.
    pub fn new(preamble: &str) -> Self {
        let weights: Vec<Vec<i32>> =
            preamble.lines().map(|line| line.split(' ').map(|n| n.parse().expect("a number")).collect()).collect();
        let covered = weights.iter().map(|row| vec![false; row.len()]).collect();
        Self { weights, covered, halves: [0, 5], turn: 0, last_pass: false, passed_out: false }
    }

    fn other_half(side: usize, x: i32, y: i32) -> (i32, i32) {
        if side == 0 { (x, y + 1) } else { (x + 1, y) }
    }

    fn is_empty(&self, x: i32, y: i32) -> bool {
        let (rows, columns) = (self.weights.len() as i32, self.weights[0].len() as i32);
        x >= 1 && x <= rows && y >= 1 && y <= columns && !self.covered[x as usize - 1][y as usize - 1]
    }

    fn fits(&self, side: usize, x: i32, y: i32) -> bool {
        let (x2, y2) = Self::other_half(side, x, y);
        self.is_empty(x, y) && self.is_empty(x2, y2)
    }

    fn places(&self, side: usize) -> Vec<(i32, i32)> {
        let mut places = Vec::new();
        for x in 1..=8 {
            for y in 1..=8 {
                if self.fits(side, x, y) {
                    places.push((x, y));
                }
            }
        }
        places
    }

    pub fn is_over(&self) -> bool {
        self.passed_out || (self.places(0).is_empty() && self.places(1).is_empty())
    }

    pub fn accepts(&self, x: i32, y: i32) -> bool {
        !self.is_over() && ((x, y) == (-1, -1) || self.fits(self.turn, x, y))
    }

    pub fn play(&mut self, x: i32, y: i32) {
        if (x, y) == (-1, -1) {
            self.passed_out = self.last_pass;
            self.last_pass = true;
        } else {
            for (x, y) in [(x, y), Self::other_half(self.turn, x, y)] {
                self.covered[x as usize - 1][y as usize - 1] = true;
                self.halves[self.turn] += 2 * self.weights[x as usize - 1][y as usize - 1];
            }
            self.last_pass = false;
        }
        self.turn = 1 - self.turn;
    }

    pub fn legal(&self) -> Vec<(i32, i32)> {
        if self.is_over() {
            return Vec::new();
        }
        let mut legal = self.places(self.turn);
        legal.push((-1, -1));
        legal
    }

    pub fn outcome(&self) -> Option<Outcome> {
        let [h, v] = self.halves;
        if !self.is_over() {
            return None;
        }
        match h - v {
            1.. => Some(Outcome::Win(Side::First)),
            0 => Some(Outcome::Draw),
            _ => Some(Outcome::Win(Side::Second)),
        }
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let below = |(x, y)| {
            let mut next = self.clone();
            next.play(x, y);
            next.perft(depth - 1)
        };
        self.legal().into_iter().map(below).sum()
    }
}

fn check(position: &Domineering, naive: &Naive) {
    assert_eq!(position.outcome(), naive.outcome(), "{position}");
    assert_eq!(position.scores().map(agon_game::GameScore::halves), naive.halves, "{position}");
    assert_eq!(position.turn().index(), naive.turn, "{position}");
    for x in -2..=10 {
        for y in -2..=10 {
            let read = position.read_move(&format!("{x} {y}"));
            assert_eq!(read.is_ok(), naive.accepts(x, y), "({x},{y}) in {position}: {read:?}");
        }
    }
    let listed: Vec<String> = moves(position).iter().map(ToString::to_string).collect();
    let legal: Vec<String> = naive.legal().iter().map(|(x, y)| format!("{x} {y}")).collect();
    assert_eq!(listed, legal, "{position}");
}

/// Every MOVE in and around the board is legal by one exactly when it is by the other, in random games on every size.
#[test]
fn two_readings_of_the_task_agree() {
    for rows in 1..=8 {
        for columns in 1..=8 {
            for seed in 0..3 {
                let mut position = start(rows, columns, seed);
                let mut naive = Naive::new(&position.preamble());
                let mut stream = Stream::new(seed, "game");
                check(&position, &naive);
                while position.outcome().is_none() {
                    let legal = naive.legal();
                    let (x, y) = legal[stream.below(legal.len())];
                    position = after(&position, position.read_move(&format!("{x} {y}")).expect("checked"));
                    naive.play(x, y);
                    check(&position, &naive);
                }
            }
        }
    }
}

/// They also agree from positions that did not start from an empty board.
#[test]
fn two_readings_of_bare_positions_agree() {
    for (text, covered, turn, last_pass) in [
        ("12/30 #./.. V 1 2.5 0", vec![(1, 1)], 1, true),
        ("123/012/301 .#./.../#.. H 1 2.5 0", vec![(1, 2), (3, 1)], 0, true),
        ("123/012/301 .#./#.#/.#. H 0 2.5 0", vec![(1, 2), (2, 1), (2, 3), (3, 2)], 0, false),
        ("1230 ..## V 0 2.5 0", vec![(1, 3), (1, 4)], 1, false),
    ] {
        let position = read(text);
        let mut naive = Naive::new(&position.preamble());
        (naive.turn, naive.last_pass) = (turn, last_pass);
        for &(row, column) in &covered {
            naive.covered[row - 1][column - 1] = true;
        }
        check(&position, &naive);
        let bare = Domineering::bare(*position.board(), position.bonus(), covered, position.turn(), last_pass);
        assert_eq!(bare, Ok(position), "{text}");
    }
}
