//! Which points are tried, and in which order.

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

impl RenjuSearcher<'_> {
    /// The points where a stone may be good, the best first: the defences, if only they matter.
    pub(super) fn candidates(&self, side: Side, defences: Option<PointSet>, last: Last) -> Vec<(i32, u8)> {
        let (board, tuning) = (&self.board, self.tuning);
        let history = &self.search.history[side.index()];
        let replies = match last {
            Last::Stone { cell, .. } => Some(&self.search.replies[side.index()][cell as usize % POINTS]),
            Last::Pass | Last::NullMove => None,
        };
        let cells = defences.unwrap_or_else(|| {
            let stones = board.stones(side).or(board.stones(side.other()));
            let near = stones.iter().fold(PointSet::EMPTY, |near, cell| near.or(NEAR[cell as usize % POINTS]));
            let open = board.empties();
            // Far from all stones nothing is to be won; where only such points are left, they have to do.
            if open.and(near).is_empty() { open } else { open.and(near) }
        });
        let mut ordered: Vec<(i32, u8)> = cells
            .iter()
            .map(|cell| {
                let promise = urgency(board.class(side, cell), board.class(side.other(), cell));
                let known = history[cell as usize % POINTS] / tuning.order_history
                    + replies.map_or(0, |replies| i32::from(replies[cell as usize % POINTS])) / tuning.order_reply;
                (promise + known, cell)
            })
            .collect();
        ordered.sort_unstable_by_key(|&(promise, cell)| (std::cmp::Reverse(promise), cell));
        ordered
    }

    /// Updates the histories after a cutoff by a stone: those tried before it get the negative bonus.
    pub(super) fn learn(&mut self, side: Side, last: Last, cell: u8, tried: &[u8], depth: i32) {
        let bonus = (16 * depth * depth).clamp(0, MAX_HISTORY / 8);
        let history = &mut self.search.history[side.index()];
        for (&cell, bonus) in tried.iter().map(|cell| (cell, -bonus)).chain([(&cell, bonus)]) {
            let count = &mut history[cell as usize % POINTS];
            *count += bonus - *count * bonus.abs() / MAX_HISTORY;
            if let Last::Stone { cell: last, .. } = last {
                let count = &mut self.search.replies[side.index()][last as usize % POINTS][cell as usize % POINTS];
                *count += (bonus - i32::from(*count) * bonus.abs() / MAX_HISTORY) as i16;
            }
        }
    }
}
