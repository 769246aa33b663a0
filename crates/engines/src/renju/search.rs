//! Principal variation search among threats.
//!
//! The kit's search ([`agon_search::pvs`]) plays on copies of positions and asks for all moves; here a copy of the board
//! costs more than a stone, most nodes are decided by fours before any move is made, and a threat leaves only the
//! defences that can matter to it. So this is a search of its own, on the kit's table, meter and clock. What is special:
//!
//! - every node looks for a win by fours of the side to move, and deeper ones for a win by threats;
//! - where the other side would win by fours if nothing were done, only the defences that can matter ([`super::threats`]) are tried;
//! - elsewhere the points are tried in the order of what both sides would make there, a shallow search only the first;
//! - a PASS is tried where everything else loses, and after a PASS nobody needs to lose: passing again is a draw.

use agon_game::hash::fibonacci;
use agon_game::{Position, Side};
use agon_rules::renju::{Move, POINTS, Point, PointSet, Renju, SIZE};
use agon_search::evaluate::LARGEST;
use agon_search::pvs::{SearchResult, WIN, from_table, score, to_table};
use agon_search::transposition::{Bound, TableEntry, TranspositionTable};
use agon_search::{Info, Meter, SearchLimits, Stopped, Task};

use super::evaluation::urgency;
use super::threats::{self, relevant};
use super::{Evaluation, Fours, PatternBoard, Threats, Trait, Tuning};

/// The most plies from the root.
const MAX_PLY: i32 = 120;

/// The deepest iteration.
const MAX_DEPTH: i32 = 60;

/// Experience with a move is at most this, and at least its negative.
const MAX_HISTORY: i32 = 16_384;

/// How many plies a win by threats is taken to need, as its length is not known.
const THREAT_PLIES: i32 = 20;

/// From this iteration on the root's window is narrow at first.
const LEAST_ASPIRATION: i32 = 4;

/// Nodes that the searches for fours and for threats may visit at the root, if time allows.
const ROOT_NODES: u64 = 50_000;

/// Nodes of the searches for fours along a line that is reported: with no time left a move must not cost more than they do.
const LINE_NODES: u64 = 1_000;

/// Keys of what a board does not hold.
const TURN_KEY: u64 = 0x510e_527f_ade6_82d1;
const PASSED_KEY: u64 = 0x9b05_688c_2b3e_6c1f;

/// The points near each point: at most two steps of a king away, or four on a line.
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

/// How a search differs from the strongest, to be a weaker player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill {
    /// Whether it looks for wins by threats, and how many nodes one search for fours may visit at most.
    pub threats: bool,
    /// At most so many nodes for a search for fours.
    pub fours: u64,
    /// How wrong it judges, in the evaluation's hundredths.
    pub noise: i32,
    /// What it misjudges follows from this.
    pub seed: u64,
}

impl Skill {
    /// All that there is.
    pub const FULL: Self = Self { threats: true, fours: u64::MAX, noise: 0, seed: 0 };
}

/// A search with all that it learns.
#[derive(Debug)]
pub struct RenjuSearch {
    table: TranspositionTable,
    fours: Fours,
    threats: Threats,
    /// How often a point has refuted, for both sides.
    history: [[i32; POINTS]; 2],
    /// How often a point has refuted the last stone, for both sides.
    replies: [Vec<[i16; POINTS]>; 2],
    skill: Skill,
    tuning: Tuning,
    evaluation: Evaluation,
}

impl RenjuSearch {
    /// A search whose tables take at most this many bytes together.
    pub fn new(bytes: usize, skill: Skill) -> Self {
        Self::tuned(bytes, skill, Tuning::default())
    }

    /// The same with other parameters.
    pub fn tuned(bytes: usize, skill: Skill, tuning: Tuning) -> Self {
        Self {
            table: TranspositionTable::new(bytes / 2),
            fours: Fours::new(bytes / 8),
            threats: Threats::new(bytes / 8 * 3),
            history: [[0; POINTS]; 2],
            replies: std::array::from_fn(|_| vec![[0; POINTS]; POINTS]),
            skill,
            tuning,
            evaluation: Evaluation::Classic,
        }
    }

    /// The same search, believing something else.
    pub fn believing(self, evaluation: Evaluation) -> Self {
        Self { evaluation, ..self }
    }

    /// Searches a position in which a stone may be put anywhere (after the opening's three turns), and tells the listener
    /// of every line that it finishes, the best last. `None` when the game is over. A task that allows nothing gets
    /// a legal move all the same.
    pub fn think(
        &mut self,
        position: &Renju,
        task: &Task,
        listener: &mut dyn FnMut(&Info<Move>),
    ) -> Option<SearchResult<Move>> {
        if position.outcome().is_some() {
            return None;
        }
        self.table.age();
        for count in self.history.as_flattened_mut() {
            *count /= 8;
        }
        for count in self.replies.iter_mut().flatten().flatten() {
            *count /= 2;
        }
        let meter = Meter::new(task.limits).stopped_by(task.stop.clone());
        let (tuning, board) = (self.tuning, PatternBoard::new(position.board()));
        let mut searcher = RenjuSearcher { board, tuning, meter, root_moves: Vec::new(), seldepth: 0, search: self };
        Some(searcher.run(position, task, listener))
    }
}

/// A move of the root.
#[derive(Clone, Debug)]
struct RootMove {
    /// `None` for a PASS.
    cell: Option<u8>,
    value: i32,
}

/// One search.
struct RenjuSearcher<'a> {
    search: &'a mut RenjuSearch,
    tuning: Tuning,
    board: PatternBoard,
    meter: Meter,
    root_moves: Vec<RootMove>,
    seldepth: i32,
}

/// A win in so many plies from the root, as a value.
const fn win_in(plies: i32) -> i32 {
    WIN - plies
}

impl RenjuSearcher<'_> {
    fn run(&mut self, position: &Renju, task: &Task, listener: &mut dyn FnMut(&Info<Move>)) -> SearchResult<Move> {
        let (side, passed) = (position.turn(), position.passes() == 1);
        if let Some(found) = self.decided(side, task) {
            listener(&self.info(&found, 1, 1));
            return found;
        }
        self.list_root(position);
        let lines = task.multipv.clamp(1, self.root_moves.len().max(1));
        let (mut depth, mut stable) = (0, 0);
        let mut best = self.root_moves.first().cloned().unwrap_or(RootMove { cell: None, value: 0 });
        while depth < MAX_DEPTH && self.meter.allows_depth(depth as u32 + 1) {
            let last = best.clone();
            let finished = (0..lines).try_for_each(|rank| self.aspire(side, passed, rank, depth + 1));
            // Stopped half-way, the best so far is at least as good as the last iteration's, which was tried first.
            if let Some(first) = self.root_moves.first() {
                best = first.clone();
            }
            if finished.is_err() {
                break;
            }
            depth += 1;
            for rank in (0..lines).rev() {
                self.tell(side, depth, rank, listener);
            }
            stable = if last.cell == best.cell { stable + 1 } else { 0 };
            if let Some(soft) = task.limits.soft {
                let forced = self.root_moves.len() == 1;
                let decided = best.value.abs() > LARGEST && (depth > 6 || best.value > 0);
                let fallen = f64::from((last.value - best.value).clamp(0, 400)) / 400.0;
                let patience = (1.2 - 0.1 * f64::from(stable)).max(0.6) + fallen;
                if forced || decided || self.meter.elapsed() >= soft.mul_f64(patience) {
                    break;
                }
            }
        }
        let line = self.line(side, &best);
        SearchResult { line, value: best.value, depth: depth as u32, nodes: self.meter.nodes() }
    }

    /// A win at once, by fours, or by threats.
    fn decided(&mut self, side: Side, task: &Task) -> Option<SearchResult<Move>> {
        let line = self.winning_line(side, task)?;
        let value = win_in(line.len() as i32);
        Some(SearchResult { line: line.into_iter().map(as_move).collect(), value, depth: 1, nodes: self.meter.nodes() })
    }

    /// Its line, as far as a quarter of what the task allows goes.
    fn winning_line(&mut self, side: Side, task: &Task) -> Option<Vec<u8>> {
        let (board, search) = (&mut self.board, &mut *self.search);
        if let Some(five) = board.having(side, Trait::Five).first() {
            return Some(vec![five]);
        }
        let time = task.limits.soft.or(task.limits.time).map(|time| time / 4);
        let nodes = |price: u64| task.limits.nodes.map_or(ROOT_NODES, |nodes| (nodes / 4 / price).min(ROOT_NODES));
        let limits = |nodes| SearchLimits { time, nodes: Some(nodes), ..SearchLimits::default() };
        let meter = |nodes| Meter::new(limits(nodes)).stopped_by(task.stop.clone());
        let by_fours = search.fours.wins_within(board, side, meter(nodes(1).min(search.skill.fours)));
        self.meter.add(search.fours.nodes());
        if by_fours == Ok(true) {
            return Some(search.fours.line().collect());
        }
        if !search.skill.threats {
            return None;
        }
        let by_threats = search.threats.wins_within(board, side, meter(nodes(threats::FOURS)));
        self.meter.add(search.threats.all_nodes());
        if by_threats != Ok(Some(true)) {
            return None;
        }
        search.threats.line(board, limits(ROOT_NODES)).ok()
    }

    /// Whether a side, to move, wins by fours, as far as the nodes of one search for them at this depth go.
    fn wins_by_fours(&mut self, side: Side, depth: i32) -> Result<bool, Stopped> {
        let nodes = if depth > 0 { self.tuning.fours } else { self.tuning.leaf_fours };
        let meter = self.meter.within((nodes as u64).min(self.search.skill.fours));
        let found = self.search.fours.wins_within(&mut self.board, side, meter);
        self.meter.add(self.search.fours.nodes());
        // What was not found for want of time is not to be taken for what is not there.
        if found.is_err() && self.meter.is_late() { Err(Stopped) } else { Ok(found == Ok(true)) }
    }

    /// The moves of the root in the order of their promise: relevant defences alone where there is something to defend.
    fn list_root(&mut self, position: &Renju) {
        let side = position.turn();
        let fives = self.board.having(side.other(), Trait::Five);
        let defences = if fives.is_empty() { self.defences(side, 1).unwrap_or(None) } else { Some(fives) };
        let mut ordered = self.candidates(side, defences, Last::NullMove);
        ordered.retain(|&(_, cell)| self.board.may_play(side, cell));
        let moves = ordered.into_iter().map(|(_, cell)| RootMove { cell: Some(cell), value: -WIN });
        self.root_moves = moves.collect();
        if position.may_pass() {
            self.root_moves.push(RootMove { cell: None, value: -WIN });
        }
    }

    /// Finds the best of the root's moves from place `rank` on, and puts it there: at first within a window around the
    /// last iteration's value.
    fn aspire(&mut self, side: Side, passed: bool, rank: usize, depth: i32) -> Result<(), Stopped> {
        let last = self.root_moves.get(rank).map_or(0, |root_move| root_move.value);
        let mut half = self.tuning.aspiration;
        let narrow = depth >= LEAST_ASPIRATION && last.abs() <= LARGEST;
        let (mut low, mut high) = if narrow { (last - half, last + half) } else { (-WIN, WIN) };
        loop {
            let value = self.root(side, passed, rank, depth, (low, high))?;
            half *= 4;
            if value <= low && low > -WIN {
                low = if half > LARGEST { -WIN } else { (last - half).max(-WIN) };
            } else if value >= high && high < WIN {
                high = if half > LARGEST { WIN } else { (last + half).min(WIN) };
            } else {
                return Ok(());
            }
        }
    }

    /// Tries the root's moves from place `rank` on within a window, puts the best there, and returns its value.
    fn root(
        &mut self,
        side: Side,
        passed: bool,
        rank: usize,
        depth: i32,
        (mut alpha, beta): (i32, i32),
    ) -> Result<i32, Stopped> {
        let wide = 24.max(12 + 2 * depth as usize);
        let mut best = -WIN;
        for number in rank..self.root_moves.len() {
            // What looks bad is looked at only if all that looks good loses.
            if number >= rank + wide && best > -LARGEST && self.root_moves[number].cell.is_some() {
                continue;
            }
            let cell = self.root_moves[number].cell;
            let value = match cell {
                // Doing nothing lets the other side end the game: worth a look only where that would be welcome.
                None if passed => 0,
                None if alpha >= 0 => continue,
                None => -self.node(side.other(), -beta, -alpha, depth - 1, 1, Last::Pass)?,
                Some(cell) => {
                    self.board.place(cell, side);
                    let found = self.root_reply(side, cell, number > rank, (alpha, beta), depth);
                    self.board.take_back();
                    found?
                }
            };
            self.root_moves[number].value = value;
            best = best.max(value);
            if value > alpha || number == rank {
                alpha = alpha.max(value);
                let first = self.root_moves.remove(number);
                self.root_moves.insert(rank, first);
            }
            if value >= beta {
                break;
            }
        }
        Ok(best)
    }

    fn root_reply(
        &mut self,
        side: Side,
        cell: u8,
        narrow: bool,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> Result<i32, Stopped> {
        let (other, last) = (side.other(), Last::Stone { cell, calm: false });
        if narrow {
            let value = -self.node(other, -alpha - 1, -alpha, depth - 1, 1, last)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.node(other, -beta, -alpha, depth - 1, 1, last)?)
    }

    /// The value of a position for the side to move.
    fn node(
        &mut self,
        side: Side,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: i32,
        last: Last,
    ) -> Result<i32, Stopped> {
        self.meter.node()?;
        self.seldepth = self.seldepth.max(ply);
        let other = side.other();
        if !self.board.having(side, Trait::Five).is_empty() {
            return Ok(win_in(ply + 1));
        }
        let fives = self.board.having(other, Trait::Five);
        if let Some(block) = fives.first() {
            if fives.len() > 1 || !self.board.may_play(side, block) {
                return Ok(-win_in(ply + 2));
            }
            // The only move costs no depth.
            self.board.place(block, side);
            let found = self.node(other, -beta, -alpha, depth, ply + 1, Last::Stone { cell: block, calm: false });
            self.board.take_back();
            return found.map(|value| -value);
        }
        if ply >= MAX_PLY {
            return Ok(self.estimate(side, last));
        }
        let passed = matches!(last, Last::Pass);
        // Passing again would draw.
        if passed {
            alpha = alpha.max(0);
        }
        alpha = alpha.max(-win_in(ply + 2));
        beta = beta.min(win_in(ply + 3));
        if alpha >= beta {
            return Ok(alpha);
        }
        let key = self.key(side, passed);
        let known = self.search.table.probe(key);
        if let Some(entry) = known {
            let value = from_table(entry.value, ply);
            let deep = i32::from(entry.depth) >= depth || value.abs() > LARGEST;
            if deep
                && (entry.bound.is_lower() && value >= beta
                    || entry.bound.is_upper() && value <= alpha
                    || entry.bound == Bound::Exact)
            {
                return Ok(value);
            }
        }
        if depth <= 0 {
            return self.leaf(NodeWindow { side, alpha, beta, depth, ply, last, key }, known);
        }
        if let Some(value) = self.fours_win(side, depth, ply, last)? {
            self.store(key, None, value, ply, MAX_DEPTH, Bound::Exact);
            return Ok(value);
        }
        let defences = self.defences(side, depth)?;
        let mut estimate = None;
        if defences.is_none() && beta - alpha == 1 {
            let value = self.estimate(side, last);
            if let Some(value) = self.static_pruning(NodeWindow { side, alpha, beta, depth, ply, last, key }, value)? {
                return Ok(value);
            }
            estimate = Some(value);
        }
        if self.tuning.threat_nodes > 0 && depth >= self.tuning.threat_depth && self.search.skill.threats {
            // A part of what the node will cost.
            let nodes = (self.tuning.threat_nodes as u64) << depth.min(11);
            let found = self.search.threats.wins_within(&mut self.board, side, self.meter.within(nodes));
            self.meter.add(self.search.threats.all_nodes());
            if found == Ok(Some(true)) {
                let value = win_in(ply + THREAT_PLIES);
                self.store(key, None, value, ply, MAX_DEPTH, Bound::Exact);
                return Ok(value);
            }
        }
        if depth >= self.tuning.reduction_depth && known.is_none_or(|entry| entry.best == 0) {
            depth -= 1;
        }
        self.moves(NodeWindow { side, alpha, beta, depth, ply, last, key }, known, defences, estimate)
    }

    /// The value of a position at the end of the depth: the estimate, unless fours of either side say otherwise. Those
    /// that could not change on which side of the window it lies are not looked for.
    fn leaf(&mut self, node: NodeWindow, known: Option<TableEntry>) -> Result<i32, Stopped> {
        let NodeWindow { side, alpha, beta, depth, ply, last, key } = node;
        let estimate = self.estimate(side, last);
        if estimate < beta
            && let Some(value) = self.fours_win(side, depth, ply, last)?
        {
            self.store(key, None, value, ply, MAX_DEPTH, Bound::Exact);
            return Ok(value);
        }
        // A threat must be answered before the position can be judged; but not threats without end.
        if estimate <= alpha || depth < -self.tuning.defence_plies {
            return Ok(estimate);
        }
        let defences = self.defences(side, depth)?;
        if defences.is_none() {
            return Ok(estimate);
        }
        if estimate >= beta
            && let Some(value) = self.fours_win(side, depth, ply, last)?
        {
            self.store(key, None, value, ply, MAX_DEPTH, Bound::Exact);
            return Ok(value);
        }
        self.moves(node, known, defences, None)
    }

    /// The value of a node without fours of either side, if it is so far outside a null window that a shallow look
    /// will do.
    fn static_pruning(&mut self, node: NodeWindow, estimate: i32) -> Result<Option<i32>, Stopped> {
        let NodeWindow { side, alpha, beta, depth, ply, last, .. } = node;
        let tuning = self.tuning;
        if beta.abs() > LARGEST {
            return Ok(None);
        }
        if depth <= tuning.reverse_depth && estimate - tuning.reverse_margin * depth >= beta {
            return Ok(Some(estimate));
        }
        if depth <= tuning.razor_depth && estimate + tuning.razor_margin * depth <= alpha {
            return Ok(Some(estimate));
        }
        if depth >= tuning.null_depth && estimate >= beta && matches!(last, Last::Stone { .. }) {
            let behind = depth - tuning.null_base - depth / tuning.null_divisor;
            let value = -self.node(side.other(), -beta, 1 - beta, behind, ply + 1, Last::NullMove)?;
            if value >= beta {
                // A win found by doing nothing is not proved.
                return Ok(Some(if value > LARGEST { beta } else { value }));
            }
        }
        Ok(None)
    }

    /// Tries the moves of a node that nothing has decided. The estimate is asked for where moves may be left out for it.
    fn moves(
        &mut self,
        node: NodeWindow,
        known: Option<TableEntry>,
        defences: Option<PointSet>,
        estimate: Option<i32>,
    ) -> Result<i32, Stopped> {
        let NodeWindow { side, mut alpha, beta, depth, ply, last, key } = node;
        let tuning = self.tuning;
        let (other, passed) = (side.other(), matches!(last, Last::Pass));
        let mut ordered = self.candidates(side, defences, last);
        if let Some(best) = known.map(|entry| entry.best).filter(|&best| best > 0)
            && let Some(at) = ordered.iter().position(|&(_, cell)| u16::from(cell) + 1 == best)
        {
            ordered[..=at].rotate_right(1);
        }
        let wide = match defences {
            Some(_) => POINTS,
            None => (tuning.count_base + tuning.count_slope * depth.max(0)) as usize,
        };
        let hopeless = depth <= tuning.futility_depth
            && estimate.is_some_and(|estimate| estimate + tuning.futility_margin * depth <= alpha);
        let (first_alpha, mut best, mut best_cell) = (alpha, if passed { 0 } else { -WIN }, None);
        let mut tried: Vec<u8> = Vec::with_capacity(wide.min(32));
        for &(_, cell) in &ordered {
            if tried.len() >= wide && best > -LARGEST {
                break;
            }
            let class = self.board.class(side, cell);
            let quiet = !class.has(Trait::Four) && !class.has(Trait::Three) && defences.is_none();
            if quiet && hopeless && !tried.is_empty() && best > -LARGEST {
                continue;
            }
            if !self.board.may_play(side, cell) {
                continue;
            }
            self.board.place(cell, side);
            let last = Last::Stone { cell, calm: defences.is_none() };
            let found = self.reply(other, (alpha, beta), depth, ply, (tried.len(), quiet), last);
            self.board.take_back();
            let value = found?;
            if value > best {
                best = value;
                best_cell = Some(cell);
                alpha = alpha.max(value);
                if value >= beta {
                    self.learn(side, last, cell, &tried, depth);
                    break;
                }
            }
            tried.push(cell);
        }
        // Doing nothing is allowed too; it is worth a try where everything else loses.
        if best < -LARGEST && depth > 0 && !passed {
            let value = -self.node(other, -beta, -alpha, depth - 1, ply + 1, Last::Pass)?;
            if value > best {
                (best, best_cell) = (value, None);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(key, best_cell, best, ply, depth, bound);
        Ok(best)
    }

    /// The value of the position behind a move, for the side that made it: late quiet moves less deep at first, and all
    /// but the first with a window that only asks whether they are better.
    fn reply(
        &mut self,
        other: Side,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: i32,
        (tried, quiet): (usize, bool),
        last: Last,
    ) -> Result<i32, Stopped> {
        let tuning = self.tuning;
        if tried > 0 {
            let mut reduced = depth - 1;
            if quiet && depth >= 3 && tried >= 3 {
                let logs = f64::from(depth).ln() * (tried as f64).ln();
                let principal = if beta - alpha > 1 { tuning.late_principal } else { 0 };
                let hundredths = tuning.late_base - principal + (f64::from(tuning.late_slope) * logs) as i32;
                reduced -= hundredths.max(0) / 100;
            }
            let shallow = reduced.max((depth - 1).min(0));
            let mut value = -self.node(other, -alpha - 1, -alpha, shallow, ply + 1, last)?;
            if value > alpha && reduced < depth - 1 {
                value = -self.node(other, -alpha - 1, -alpha, depth - 1, ply + 1, last)?;
            }
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.node(other, -beta, -alpha, depth - 1, ply + 1, last)?)
    }

    /// The value of a win by fours of the side to move. It is not looked for where a stone of the other side's cannot have
    /// made it: but White may have got it by what is now forbidden to Black.
    fn fours_win(&mut self, side: Side, depth: i32, ply: i32, last: Last) -> Result<Option<i32>, Stopped> {
        let has_fours = !self.board.having(side, Trait::Four).is_empty();
        let forbids = side == Side::Second
            && !self
                .board
                .having(Side::First, Trait::Forbidden)
                .or(self.board.having(Side::First, Trait::MaybeForbidden))
                .is_empty();
        let may_win = has_fours && (forbids || !last.is_calm());
        let wins = may_win && self.wins_by_fours(side, depth)?;
        Ok(wins.then(|| win_in(ply + self.search.fours.line().count() as i32)))
    }

    /// The defences that can matter, if the other side would win by fours were it its turn.
    fn defences(&mut self, side: Side, depth: i32) -> Result<Option<PointSet>, Stopped> {
        let other = side.other();
        if self.board.having(other, Trait::Four).is_empty() || !self.wins_by_fours(other, depth)? {
            return Ok(None);
        }
        let line: Vec<u8> = self.search.fours.line().collect();
        Ok(Some(relevant(&mut self.board, other, &line)))
    }

    /// The points where a stone may be good, the best first: the defences, if only they matter.
    fn candidates(&self, side: Side, defences: Option<PointSet>, last: Last) -> Vec<(i32, u8)> {
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

    /// A stone has refuted the last one, and those tried before it have not.
    fn learn(&mut self, side: Side, last: Last, cell: u8, tried: &[u8], depth: i32) {
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

    /// What the position seems to be worth to the side to move; after a PASS not less than a draw.
    fn estimate(&mut self, side: Side, last: Last) -> i32 {
        let Skill { noise, seed, .. } = self.search.skill;
        let mut value = self.search.evaluation.value(&self.board, side);
        if noise > 0 {
            let drawn = fibonacci(self.board.hash() ^ seed) >> 40;
            value += (drawn % (2 * noise as u64 + 1)) as i32 - noise;
        }
        value.clamp(if matches!(last, Last::Pass) { 0 } else { -LARGEST }, LARGEST)
    }

    const fn key(&self, side: Side, passed: bool) -> u64 {
        let turn = match side {
            Side::First => 0,
            Side::Second => TURN_KEY,
        };
        self.board.hash() ^ turn ^ if passed { PASSED_KEY } else { 0 }
    }

    fn store(&self, key: u64, best: Option<u8>, value: i32, ply: i32, depth: i32, bound: Bound) {
        let best = best.map_or(0, |cell| u16::from(cell) + 1);
        let depth = depth.clamp(0, 255) as u8;
        self.search.table.store(key, TableEntry { best, value: to_table(value, ply), estimate: 0, depth, bound });
    }

    /// The line that begins with a move, as far as the table remembers it; a win by fours to its end.
    fn line(&mut self, side: Side, first: &RootMove) -> Vec<Move> {
        let Some(cell) = first.cell else { return vec![Move::Pass] };
        let mut line = vec![as_move(cell)];
        self.board.place(cell, side);
        let (mut placed, mut side, mut nodes) = (1, side.other(), LINE_NODES);
        while placed < MAX_DEPTH {
            if !self.board.having(side.other(), Trait::Five).is_empty()
                && self.board.having(side, Trait::Five).is_empty()
            {
                let block =
                    self.board.having(side.other(), Trait::Five).iter().find(|&cell| self.board.may_play(side, cell));
                let Some(block) = block else { break };
                line.push(as_move(block));
                self.board.place(block, side);
            } else if self.line_wins(side, &mut nodes) {
                line.extend(self.search.fours.line().map(as_move));
                break;
            } else {
                let known = self.search.table.probe(self.key(side, false)).map(|entry| entry.best);
                let Some(cell) = known.and_then(|best| best.checked_sub(1)).and_then(|cell| u8::try_from(cell).ok())
                else {
                    break;
                };
                if usize::from(cell) >= POINTS || !self.board.is_open(cell) || !self.board.may_play(side, cell) {
                    break;
                }
                line.push(as_move(cell));
                self.board.place(cell, side);
            }
            placed += 1;
            side = side.other();
        }
        for _ in 0..placed {
            self.board.take_back();
        }
        line
    }

    /// Whether a side, to move, wins by fours, as far as the nodes that are left for a line go.
    fn line_wins(&mut self, side: Side, left: &mut u64) -> bool {
        let most = (self.tuning.fours as u64).min(*left);
        let won = self.search.fours.wins(&mut self.board, side, SearchLimits::nodes(most));
        *left -= self.search.fours.nodes().min(*left);
        won == Ok(true)
    }

    fn tell(&mut self, side: Side, depth: i32, rank: usize, listener: &mut dyn FnMut(&Info<Move>)) {
        let Some(root_move) = self.root_moves.get(rank).cloned() else { return };
        let line = self.line(side, &root_move);
        let found = SearchResult { line, value: root_move.value, depth: depth as u32, nodes: self.meter.nodes() };
        listener(&self.info(&found, depth, rank + 1));
    }

    fn info(&self, found: &SearchResult<Move>, depth: i32, rank: usize) -> Info<Move> {
        Info {
            depth: depth as u32,
            seldepth: self.seldepth.max(depth) as u32,
            multipv: rank,
            score: score(found.value),
            nodes: self.meter.nodes(),
            elapsed: self.meter.elapsed(),
            pv: found.line.clone(),
        }
    }
}

/// A point of the searches as a move; what is no point is a PASS.
fn as_move(cell: u8) -> Move {
    Point::from_index(cell.into()).map_or(Move::Pass, Move::Stone)
}

/// What was played last.
#[derive(Clone, Copy)]
enum Last {
    /// A stone; `calm` if the side to move would not have won by fours without it. Then it does not with it either, as
    /// another's stone is no help (but see [`RenjuSearcher::fours_win`]).
    Stone {
        cell: u8,
        calm: bool,
    },
    Pass,
    /// Nothing, to see what the position is worth even so: not as PASS, which the other side could answer by PASS.
    NullMove,
}

impl Last {
    const fn is_calm(self) -> bool {
        matches!(self, Self::Stone { calm: true, .. })
    }
}

/// What a node's moves are tried for.
#[derive(Clone, Copy)]
struct NodeWindow {
    side: Side,
    alpha: i32,
    beta: i32,
    depth: i32,
    ply: i32,
    last: Last,
    key: u64,
}
