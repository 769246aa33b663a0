//! The parameters of the search.

agon_search::parameters! {
    /// Budgets, margins and depths of the search. Values are hundredths of the evaluation's unit, depths are plies.
    pub struct Tuning {
        /// Nodes that a search for fours may visit.
        fours_nodes: 18 in 0..=100_000 step 10,
        /// Maximum plies of fours in the quiescence search.
        q_fours: 8 in 0..=20 step 1,
        /// Number of plies beyond the depth at which threats are still answered.
        defence_plies: 2 in 0..=20 step 1,
        /// Half the first aspiration window, around the last iteration's value.
        aspiration_delta: 40 in 5..=2000 step 10,
        /// Internal iterative reduction: from this depth on a node without a move of the table is searched one ply less
        /// deep.
        iir_depth: 4 in 2..=99 step 1,
        /// Reverse futility: up to this depth a node whose evaluation is far above the window is cut.
        rfp_depth: 12 in 0..=60 step 1,
        /// Reverse futility: how far above, per ply.
        rfp_margin: 100 in 5..=1000 step 10,
        /// Razoring: up to this depth a node whose evaluation is far below the window only tries fours.
        razoring_depth: 2 in 0..=20 step 1,
        /// Razoring: how far below, per ply.
        razoring_margin: 300 in 5..=1000 step 10,
        /// Futility: up to this depth a quiet move is left out if the evaluation is far below the window.
        futility_depth: 4 in 0..=20 step 1,
        /// Futility: how far below, per ply.
        futility_margin: 200 in 5..=1000 step 10,
        /// Null move: from this depth on.
        nmp_depth: 3 in 1..=99 step 1,
        /// Null move: by how many plies the search behind it is shallower,
        nmp_base: 4 in 1..=8 step 1,
        /// and how many plies of depth add one more.
        nmp_divisor: 1 in 1..=20 step 1,
        /// Late-move reductions of quiet moves, in hundredths of a ply: of any late move,
        lmr_base: 57 in -200..=300 step 15,
        /// and for ln(depth) · ln(number of the move).
        lmr_slope: 45 in 0..=200 step 5,
        /// Decrease in nodes of the principal variation, in hundredths of a ply.
        lmr_pv: 0 in 0..=300 step 20,
        /// Late-move pruning: only the first moves of a shallow node are tried: this many,
        lmp_base: 5 in 1..=225 step 1,
        /// and this many more per ply.
        lmp_slope: 2 in 0..=100 step 1,
        /// Order of moves: how many units of history count as much as a hundredth of urgency.
        order_history: 64 in 8..=4096 step 8,
        /// Order of moves: the same for replies to the last move.
        order_cont_hist: 64 in 8..=4096 step 8,
        /// Weight of the correction in the static evaluation, in hundredths,
        correction_weight: 200 in 0..=400 step 10,
        /// and how fast corrections follow, in thousandths for each ply of depth.
        correction_rate: 30 in 1..=250 step 5,
        /// Reductions, in hundredths of a ply: more in nodes that are expected to fail high,
        lmr_cut_node: 120 in -200..=300 step 15,
        /// more where the static evaluation has not risen since this side's last turn,
        lmr_not_improving: 80 in -200..=300 step 15,
        /// and by how much less for a hundred of what history counts in the order of moves.
        lmr_history: 60 in 0..=400 step 10,
        /// Singular extension: from this depth on,
        singular_depth: 6 in 3..=99 step 1,
        /// how far below the move of the table the others must be, for each ply of depth,
        singular_margin: 10 in 1..=200 step 2,
        /// and how far below that for a second ply.
        singular_double: 100 in 0..=2000 step 20,
    }
}
