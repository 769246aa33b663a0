//! Selection and ordering of points.

use agon_game::Side;
use agon_rules::renju::{POINTS, PointSet, SIZE};

use super::state::{Last, RenjuSearcher};
use crate::renju::evaluation::urgency;

/// The history of a move stays within ± this.
const MAX_HISTORY: i32 = 16_384;

/// The points near each point: at most two king's moves away, or three on a line.
static NEAR: [PointSet; POINTS] = {
    let mut near = [PointSet::EMPTY; POINTS];
    let size = SIZE as i32;
    let mut cell = 0;
    while cell < POINTS as i32 {
        let mut other = 0;
        while other < POINTS as i32 {
            let rows = (cell / size - other / size).abs();
            let columns = (cell % size - other % size).abs();
            let in_line = rows == 0 || columns == 0 || rows == columns;
            if rows <= 2 && columns <= 2 || in_line && rows <= 3 && columns <= 3 {
                near[cell as usize].insert(other as u8);
            }
            other += 1;
        }
        cell += 1;
    }
    near
};

/// Moves with their scores. The best is selected only on demand: most nodes need one or two.
pub(super) struct MoveList {
    moves: [(i32, u8); POINTS],
    next: usize,
    count: usize,
}

impl Iterator for MoveList {
    type Item = u8;

    /// The best of the remaining points; of equal ones the first on the board.
    fn next(&mut self) -> Option<u8> {
        let left = &mut self.moves[self.next..self.count];
        let at = (0..left.len()).max_by_key(|&at| (left[at].0, std::cmp::Reverse(left[at].1)))?;
        left.swap(0, at);
        self.next += 1;
        left.first().map(|&(_, cell)| cell)
    }
}

impl RenjuSearcher<'_> {
    /// The points where a stone may be good, the best first: the defences, if only they matter; the move of the table
    /// before all others.
    pub(super) fn candidates(
        &self,
        side: Side,
        defences: Option<PointSet>,
        last: Last,
        tt_move: Option<u8>,
    ) -> MoveList {
        let board = &self.board;
        let cells = defences.unwrap_or_else(|| {
            let stones = board.stones(side).or(board.stones(side.other()));
            let near = stones.iter().fold(PointSet::EMPTY, |near, cell| near.or(NEAR[cell as usize % POINTS]));
            let open = board.empties();
            // Points far from all stones are useless, and used only if no others are left.
            if open.and(near).is_empty() { open } else { open.and(near) }
        });
        let mut list = MoveList { moves: [(0, 0); POINTS], next: 0, count: 0 };
        for cell in cells.iter() {
            let promise = urgency(board.class(side, cell), board.class(side.other(), cell));
            let score = promise + self.history_score(side, last, cell);
            list.moves[list.count] = (if Some(cell) == tt_move { i32::MAX } else { score }, cell);
            list.count += 1;
        }
        list
    }

    /// Returns the history score of a point, in hundredths of urgency.
    pub(super) fn history_score(&self, side: Side, last: Last, cell: u8) -> i32 {
        let (search, tuning, cell) = (&*self.search, self.tuning, cell as usize % POINTS);
        let mut score = search.history[side.index()][cell] / tuning.order_history;
        if let Last::Stone { cell: last, .. } = last {
            score += i32::from(search.cont_hist[side.index()][last as usize % POINTS][cell]) / tuning.order_cont_hist;
        }
        score
    }

    /// Updates the histories after a cutoff by a stone: those tried before it get the negative bonus.
    pub(super) fn update_history(&mut self, side: Side, last: Last, cell: u8, tried: &[u8], depth: i32) {
        let bonus = (16 * depth * depth).clamp(0, MAX_HISTORY / 8);
        let history = &mut self.search.history[side.index()];
        for (&cell, bonus) in tried.iter().map(|cell| (cell, -bonus)).chain([(&cell, bonus)]) {
            let count = &mut history[cell as usize % POINTS];
            *count += bonus - *count * bonus.abs() / MAX_HISTORY;
            if let Last::Stone { cell: last, .. } = last {
                let count = &mut self.search.cont_hist[side.index()][last as usize % POINTS][cell as usize % POINTS];
                *count += (bonus - i32::from(*count) * bonus.abs() / MAX_HISTORY) as i16;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_game::Side;
    use agon_search::{SearchLimits, Task};

    use crate::renju::bench;
    use crate::renju::search::{RenjuSearch, Skill};

    #[test]
    fn replies_are_learnt_for_the_stone_before() {
        let mut search = RenjuSearch::new(1 << 20, Skill::FULL);
        let position = bench::position(bench::GAMES[3]).expect("a position");
        let task = Task { limits: SearchLimits::nodes(20_000), ..Task::default() };
        search.start(&position, &task, &mut |_| {}).expect("a move");
        for side in Side::BOTH {
            let cont_hist = search.state.cont_hist[side.index()].iter().enumerate();
            let known = cont_hist.flat_map(|(last, cont_hist)| {
                let known = cont_hist.iter().enumerate().filter(|&(_, &count)| count != 0);
                known.map(move |(cell, _)| (last, cell))
            });
            let known: Vec<(usize, usize)> = known.collect();
            assert!(known.len() > 100, "{known:?}");
            // No stone can answer one on the same point.
            assert!(known.iter().all(|(last, cell)| last != cell), "{known:?}");
        }
    }
}
