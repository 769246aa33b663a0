//! Staged move generation for Bacteria War.

use agon_game::Position;
use agon_rules::bacteria::board::{Cells, bit, dilate, neighbours, ring, size};
use agon_rules::bacteria::{Bacteria, Move};

use super::moves::{history_key, reach};
use super::search::{MoveContext, MovePicker, PickedMove, ScoredMove, SearchHistory, Tuning, take_best};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PickStage {
    TtMove,
    /// Generating divisions, and leaps that infect.
    Find,
    Good,
    /// Returning the leaps that infect nothing.
    Minor,
}

/// Hands out the hash move, then divisions and leaps that infect by gain and history, then the other leaps, which are
/// hardly ever good.
#[derive(Clone, Debug)]
pub struct BacteriaPicker {
    stage: PickStage,
    tt_move: Option<Move>,
    /// The index of the next move in the list of generated moves.
    at: usize,
}

const CELL: i32 = 100;

/// Returns the change of the lead by a move, in hundredths of a cell.
#[inline]
fn gain(m: Move, opponent: u64) -> i32 {
    CELL * (2 * size(neighbours(m.to()) & opponent) as i32 + i32::from(!m.is_leap() && !m.is_pass()))
}

impl BacteriaPicker {
    /// Generates the divisions and the leaps that infect.
    fn generate(
        &self,
        position: &Bacteria,
        move_list: &mut Vec<ScoredMove<Move>>,
        history: &SearchHistory,
        context: MoveContext,
        tuning: &Tuning,
    ) {
        let side = position.turn();
        let (own, opponent, empty) = (position.cells(side), position.cells(side.other()), position.empty());
        let near = dilate(own);
        let mut put = |m: Move, gain: i32, risk: u32| {
            if Some(m) != self.tt_move {
                let history = history.value(context, history_key(m), tuning);
                let score = tuning.order_gain * gain + history - tuning.order_risk * risk as i32;
                move_list.push(ScoredMove { score, gain, m });
            }
        };
        let infecting = dilate(opponent) & empty;
        for to in Cells((near | infecting & dilate(near)) & empty) {
            let infected = size(neighbours(to) & opponent) as i32;
            if near & bit(to) != 0 {
                let source = (neighbours(to) & own).trailing_zeros() as usize;
                put(Move::new(source, to), CELL * (2 * infected + 1), 0);
            }
            if infected > 0 {
                for from in Cells(ring(to) & own) {
                    // From the cell left behind, the opponent infects its neighbours.
                    put(Move::new(from, to), 2 * CELL * infected, size(neighbours(from) & own));
                }
            }
        }
        if self.tt_move.is_none() && reach(own) & empty == 0 {
            put(Move::PASS, 0, 0);
        }
    }

    fn generate_minor(
        &self,
        position: &Bacteria,
        move_list: &mut Vec<ScoredMove<Move>>,
        history: &SearchHistory,
        context: MoveContext,
        tuning: &Tuning,
    ) {
        let side = position.turn();
        let (own, opponent, empty) = (position.cells(side), position.cells(side.other()), position.empty());
        let quiet = empty & !dilate(opponent);
        for from in Cells(own) {
            let risk = tuning.order_risk * size(neighbours(from) & own) as i32;
            for m in Cells(ring(from) & quiet).map(|to| Move::new(from, to)) {
                if Some(m) != self.tt_move {
                    let score = history.value(context, history_key(m), tuning) - risk;
                    move_list.push(ScoredMove { score, gain: 0, m });
                }
            }
        }
    }
}

impl MovePicker<Bacteria> for BacteriaPicker {
    #[inline]
    fn new(tt_move: Option<Move>, move_list: &[ScoredMove<Move>]) -> Self {
        Self { stage: PickStage::TtMove, tt_move, at: move_list.len() }
    }

    #[inline]
    fn next(
        &mut self,
        position: &Bacteria,
        move_list: &mut Vec<ScoredMove<Move>>,
        history: &SearchHistory,
        context: MoveContext,
        tuning: &Tuning,
    ) -> Option<PickedMove<Move>> {
        if self.stage == PickStage::TtMove {
            self.stage = PickStage::Find;
            if let Some(m) = self.tt_move {
                let opponent = position.cells(position.turn().other());
                return Some(PickedMove { m, gain: gain(m, opponent), late: false });
            }
        }
        if self.stage == PickStage::Find {
            self.generate(position, move_list, history, context, tuning);
            self.stage = PickStage::Good;
        }
        if self.stage == PickStage::Good {
            if let Some(ScoredMove { m, gain, .. }) = take_best(move_list, self.at) {
                self.at += 1;
                return Some(PickedMove { m, gain, late: false });
            }
            self.generate_minor(position, move_list, history, context, tuning);
            self.stage = PickStage::Minor;
        }
        let ScoredMove { m, gain, .. } = take_best(move_list, self.at)?;
        self.at += 1;
        Some(PickedMove { m, gain, late: true })
    }
}
