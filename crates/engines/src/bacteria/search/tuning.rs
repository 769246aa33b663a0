//! The parameters of the search, and the table of late-move reductions.

agon_search::parameters! {
    /// The margins and depths of the search. Values are hundredths of the game's unit, depths are plies; the defaults
    /// are those of Bacteria War.
    pub struct Tuning {
        /// Half the first aspiration window, around the last iteration's value.
        aspiration_delta: 45 in 5..=400 step 8,
        /// Internal iterative reduction: from this depth on a node without a move of the table is searched one ply less
        /// deep.
        iir_depth: 4 in 2..=99 step 1,
        /// From this depth on the table is probed and nodes are stored. Below it, a probe costs more time than the
        /// search it saves, as most of a table is not in the caches; counted in nodes, 1 would be best.
        tt_depth: 3 in 1..=99 step 1,
        /// Reverse futility: up to this depth a node whose evaluation is far above the window is cut.
        rfp_depth: 5 in 0..=20 step 1,
        /// Reverse futility: how far above, per ply.
        rfp_margin: 115 in 10..=600 step 12,
        /// The same if the side to move has improved since its last move.
        rfp_improving: 69 in 0..=600 step 12,
        /// Futility: up to this depth a move whose gain does not lift the evaluation near the window is left out.
        futility_depth: 8 in 0..=20 step 1,
        /// Futility: how near, at any depth.
        futility_base: 128 in 0..=1000 step 20,
        /// Futility: how much nearer per ply.
        futility_margin: 143 in 0..=600 step 12,
        /// Futility pruning: how many hundredths of a late move's reduction reduce its depth here.
        futility_lmr: 100 in 0..=100 step 10,
        /// Null move: from this depth on.
        nmp_depth: 3 in 1..=99 step 1,
        /// Null move: by how many plies the search behind it is shallower,
        nmp_base: 3 in 1..=8 step 1,
        /// and how many plies of depth add one more.
        nmp_divisor: 4 in 1..=20 step 1,
        /// Null move: how far above the window the evaluation must be.
        nmp_margin: -23 in -400..=800 step 20,
        /// Late-move reductions: reduction in hundredths of a ply of any late move,
        lmr_base: 23 in -200..=300 step 12,
        /// and hundredths of a ply for ln(depth) · ln(number of the move).
        lmr_slope: 69 in 0..=200 step 5,
        /// Decrease in nodes of the principal variation, in hundredths of a ply.
        lmr_pv: 49 in 0..=300 step 20,
        /// Increase in expected cut nodes, in hundredths of a ply.
        lmr_cut_node: 28 in 0..=300 step 20,
        /// Increase if the side to move has not improved since its last move, in hundredths of a ply.
        lmr_not_improving: 21 in 0..=300 step 15,
        /// Units of history per ply of reduction.
        lmr_history: 8928 in 1000..=32000 step 800,
        /// Late-move pruning of moves that are hardly ever best: from this move on, up to this depth.
        lmp_minor_count: 3 in 0..=200 step 1,
        lmp_minor_depth: 8 in 0..=99 step 1,
        /// Late-move pruning: up to this depth only the first moves are tried,
        lmp_depth: 4 in 0..=20 step 1,
        lmp_base: 4 in 1..=100 step 1,
        /// and how many more per ply squared.
        lmp_slope: 2 in 0..=50 step 1,
        /// History pruning: up to this depth moves with a bad history are left out:
        history_pruning_depth: 4 in 0..=20 step 1,
        /// below how many units of it per ply.
        history_pruning_margin: 1846 in 0..=32000 step 200,
        /// Singular extensions: from this depth on.
        singular_depth: 6 in 3..=99 step 1,
        /// Singular extensions: how far below the first move all others must be, in hundredths of the unit per ply.
        singular_margin: 9 in 1..=200 step 4,
        /// Twice singular: how much further below.
        singular_double_margin: 56 in 0..=1000 step 15,
        /// Order of moves: how many units of history a hundredth of gain is worth.
        order_gain: 32 in 0..=400 step 4,
        /// Order of moves: how many units of history each thing that a move leaves in danger costs.
        order_risk: 1143 in 0..=8000 step 100,
        /// The weight of the continuation history, in hundredths of the main history.
        cont_hist_weight: 76 in 0..=400 step 10,
        /// History: bonus per ply of depth,
        history_bonus_slope: 160 in 10..=1000 step 20,
        history_bonus_max: 1600 in 100..=8000 step 100,
        /// Weight of the correction history in the static evaluation, in hundredths,
        correction_weight: 83 in 0..=400 step 10,
        /// and its learning rate: thousandths of the difference per ply of depth.
        correction_rate: 12 in 0..=200 step 2,
    }
}

/// Depths and move numbers above this are treated like the last one in the table.
const REDUCTIONS: usize = 64;

/// Reductions by depth and number of the move, in hundredths of a ply: a base and a slope times the product of both
/// logarithms, as chess programs have them.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[i16; REDUCTIONS]; REDUCTIONS]>);

impl Reductions {
    pub(super) fn new(tuning: &Tuning) -> Self {
        let mut table = Box::new([[0; REDUCTIONS]; REDUCTIONS]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (count, reduction) in row.iter_mut().enumerate().skip(1) {
                let logs = (depth as f64).ln() * (count as f64).ln();
                *reduction = (f64::from(tuning.lmr_base) + f64::from(tuning.lmr_slope) * logs) as i16;
            }
        }
        Self(table)
    }

    /// In hundredths of a ply.
    #[inline]
    pub(super) fn of(&self, depth: i32, count: i32) -> i32 {
        i32::from(self.0[(depth as usize).min(REDUCTIONS - 1)][(count as usize).min(REDUCTIONS - 1)])
    }
}
