//! A player that looks one stone ahead.

use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::renju::{Axis, Board, Move, Point, Points, Renju, Window, forbidden};
use agon_search::{Engine, Info, Task};

/// Plays the stone that looks best in isolation: it wins if it can, stops a five, makes fours and threes that cannot be
/// stopped or stops the opponent's, and otherwise plays where most fives of either side are still possible. Passes only
/// if it may not put a stone anywhere.
///
/// It does not search, so it falls for any threat that takes two stones to see, and needs well under a millisecond.
#[derive(Clone, Debug)]
pub struct Greedy {
    stream: Stream,
}

impl Greedy {
    /// A greedy player; the seed decides between stones that look equally good.
    pub fn new(seed: u64) -> Self {
        Self { stream: Stream::new(seed, "greedy") }
    }
}

impl Engine<Renju> for Greedy {
    fn search(&mut self, position: &Renju, _: &Task, _: &mut dyn FnMut(&Info<Move>)) -> Option<Move> {
        if position.outcome().is_some() {
            return None;
        }
        let near = neighbourhood(position.board());
        let mut points: Vec<Point> = position.stone_moves().collect();
        // Points far from all stones are useless, and used only if no others are left.
        if points.iter().any(|&point| near.contains(point)) {
            points.retain(|&point| near.contains(point));
        }
        let scored: Vec<(u32, Point)> = points.into_iter().map(|point| (score(position, point), point)).collect();
        let Some(&(best, _)) = scored.iter().max_by_key(|(score, _)| score) else { return Some(Move::Pass) };
        let best: Vec<Point> = scored.into_iter().filter(|&(score, _)| score == best).map(|(_, point)| point).collect();
        Some(Move::Stone(best[self.stream.below(best.len())]))
    }

    fn set_seed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}

/// The points at most two steps of a king away from a stone.
pub(super) fn neighbourhood(board: &Board) -> Points {
    let mut near = Points::default();
    for stone in Side::BOTH.into_iter().flat_map(|side| board.stones(side).iter()) {
        for row in stone.row().saturating_sub(2)..=stone.row() + 2 {
            near.extend(
                (stone.column().saturating_sub(2)..=stone.column() + 2).filter_map(|column| Point::new(row, column)),
            );
        }
    }
    near
}

/// Returns the value of a stone of the side to move on an empty point: what it makes, and what it denies the opponent.
fn score(position: &Renju, point: Point) -> u32 {
    let (board, side) = (position.board(), position.turn());
    let (mine, theirs) = (Promise::at(board, side, point), Promise::at(board, side.other(), point));
    // Points forbidden to Black need not be denied to it.
    let harmless = side == Side::Second && theirs.threatens() && forbidden(board, point).is_some();
    let feared = if harmless { 0 } else { theirs.weight(&[50_000, 8_000, 4_000, 3_000, 200, 100]) };
    mine.weight(&[1_000_000, 20_000, 15_000, 5_000, 300, 150]) + feared + 2 * mine.room + theirs.room
}

/// The result of a stone.
struct Promise {
    wins: bool,
    /// The points where a five would follow.
    fives: usize,
    /// Number of lines on which it makes a three.
    threes: usize,
    /// The fives that are possible with it, weighted by the stones that they already have.
    room: u32,
}

impl Promise {
    fn at(board: &Board, side: Side, point: Point) -> Self {
        let windows = Axis::ALL.map(|direction| board.window(side, point, direction).placed());
        let mut after = board.clone();
        after.place(point, side);
        let line = |direction| (-4..=4).filter_map(move |steps| point.along(direction, steps));
        let ends = |direction| line(direction).filter(|&end| after.owner(end).is_none() && after.wins(side, end));
        Self {
            wins: board.wins(side, point),
            fives: Axis::ALL.into_iter().flat_map(ends).count(),
            threes: windows.iter().filter(|window| window.raises() != 0).count(),
            room: windows.into_iter().map(room).sum(),
        }
    }

    /// Returns true if the opponent must react to it.
    const fn threatens(&self) -> bool {
        self.wins || self.fives > 0 || self.threes > 0
    }

    /// Returns the weight of the strongest thing it makes: a win; two ways to a five; a four and a three; two threes;
    /// one three; one four.
    const fn weight(&self, weights: &[u32; 6]) -> u32 {
        match (self.wins, self.fives, self.threes) {
            (true, ..) => weights[0],
            (_, 2.., _) => weights[1],
            (_, 1, 1..) => weights[2],
            (_, _, 2..) => weights[3],
            (_, 0, 1) => weights[4],
            (_, 1, 0) => weights[5],
            (_, 0, 0) => 0,
        }
    }
}

/// The fives of one line that hold the centre and no stone of the opponent, weighted by their stones.
fn room(window: Window) -> u32 {
    const WEIGHTS: [u32; 6] = [0, 1, 4, 12, 30, 60];
    let five = |from: u32| 0b1_1111 << from;
    (1..=Window::CENTRE)
        .filter(|&from| (window.own | window.empty) & five(from) == five(from))
        .map(|from| WEIGHTS[(window.own & five(from)).count_ones() as usize])
        .sum()
}
