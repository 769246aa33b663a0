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

use agon_game::{Position, Side};
use agon_rules::renju::{Move, POINTS, Point, Renju, SIZE};
use agon_search::evaluate::LARGEST;
use agon_search::pvs::{Found, Request, WIN, from_table, to_table, told};
use agon_search::shared::{Bound, Entry, Shared};
use agon_search::{Info, Limits, Meter, Stopped};

use super::evaluation::urgency;
use super::threats::relevant;
use super::{Board, Cells, Fours, Threats, Trait};

/// The most plies from the root.
const LONGEST: i32 = 120;

/// The deepest iteration.
const DEEPEST: i32 = 60;

/// Nodes that a search for fours may visit at a node, at its leaves and further up.
const FOUR_NODES: [u64; 2] = [100, 600];

/// How many plies beyond the depth threats are still answered.
const LONGEST_DEFENCE: i32 = 4;

/// From this depth on nodes look for wins by threats.
const THREAT_DEPTH: i32 = 3;

/// How many plies a win by threats is taken to need, as its length is not known.
const THREAT_PLIES: i32 = 20;

/// Nodes that the searches for fours and for threats may visit at the root, if time allows.
const ROOT_NODES: u64 = 50_000;

/// Keys of what a board does not hold.
const TURN_KEY: u64 = 0x510e_527f_ade6_82d1;
const PASSED_KEY: u64 = 0x9b05_688c_2b3e_6c1f;

/// The points near each point: at most two steps of a king away, or four on a line.
static NEAR: [Cells; POINTS] = {
    let mut near = [Cells::EMPTY; POINTS];
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
pub struct Search {
    table: Shared,
    fours: Fours,
    threats: Threats,
    /// How often a point has refuted, for both sides.
    history: [[i32; POINTS]; 2],
    skill: Skill,
}

impl Search {
    /// A search whose tables take at most this many bytes together.
    pub fn new(bytes: usize, skill: Skill) -> Self {
        Self {
            table: Shared::new(bytes / 2),
            fours: Fours::new(bytes / 8),
            threats: Threats::new(bytes / 8 * 3),
            history: [[0; POINTS]; 2],
            skill,
        }
    }

    /// Searches a position in which a stone may be put anywhere (after the opening's three turns), and tells the listener
    /// of every line that it finishes, the best last. `None` when the game is over. A request that allows nothing gets
    /// a legal move all the same.
    pub fn think(
        &mut self,
        position: &Renju,
        request: &Request,
        listener: &mut dyn FnMut(&Info<Move>),
    ) -> Option<Found<Move>> {
        if position.outcome().is_some() {
            return None;
        }
        self.table.age();
        for count in self.history.as_flattened_mut() {
            *count /= 8;
        }
        let meter = Meter::new(request.limits).stopped_by(request.stop.clone());
        let mut walk =
            Walk { board: Board::new(position.board()), meter, root_moves: Vec::new(), deepest: 0, search: self };
        Some(walk.run(position, request, listener))
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
struct Walk<'a> {
    search: &'a mut Search,
    board: Board,
    meter: Meter,
    root_moves: Vec<RootMove>,
    deepest: i32,
}

/// A win in so many plies from the root, as a value.
const fn win_in(plies: i32) -> i32 {
    WIN - plies
}

impl Walk<'_> {
    fn run(&mut self, position: &Renju, request: &Request, listener: &mut dyn FnMut(&Info<Move>)) -> Found<Move> {
        let (side, passed) = (position.turn(), position.passes() == 1);
        if let Some(found) = self.decided(side, request) {
            listener(&self.info(&found, 1, 1));
            return found;
        }
        self.list_root(position);
        let lines = request.lines.clamp(1, self.root_moves.len().max(1));
        let (mut depth, mut stable) = (0, 0);
        let mut best = self.root_moves.first().cloned().unwrap_or(RootMove { cell: None, value: 0 });
        while depth < DEEPEST && self.meter.allows_depth(depth as u32 + 1) {
            let last = best.clone();
            let finished = (0..lines).try_for_each(|rank| self.root(side, passed, rank, depth + 1));
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
            if let Some(soft) = request.soft {
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
        Found { line, value: best.value, depth: depth as u32, nodes: self.meter.nodes() }
    }

    /// A win at once, by fours, or by threats.
    fn decided(&mut self, side: Side, request: &Request) -> Option<Found<Move>> {
        let Skill { threats, fours, .. } = self.search.skill;
        let board = &mut self.board;
        let most = request.limits.nodes.map_or(ROOT_NODES, |nodes| (nodes / 4).min(ROOT_NODES));
        let time = request.soft.or(request.limits.time).map(|time| time / 4);
        let limits = |nodes| Limits { time, nodes: Some(nodes), depth: None };
        let line: Vec<u8> = if let Some(five) = board.having(side, Trait::Five).first() {
            vec![five]
        } else if self.search.fours.wins(board, side, limits(most.min(fours))) == Ok(true) {
            self.search.fours.line().collect()
        } else if threats && self.search.threats.wins(board, side, limits(most)) == Ok(Some(true)) {
            self.search.threats.line(board, limits(ROOT_NODES)).ok()?
        } else {
            return None;
        };
        let value = win_in(line.len() as i32);
        Some(Found { line: line.into_iter().map(as_move).collect(), value, depth: 1, nodes: self.meter.nodes() })
    }

    /// The moves of the root in the order of their promise: relevant defences alone where there is something to defend.
    fn list_root(&mut self, position: &Renju) {
        let side = position.turn();
        let fives = self.board.having(side.other(), Trait::Five);
        let defences = if fives.is_empty() { self.defences(side, 1) } else { Some(fives) };
        let mut ordered = self.candidates(side, defences);
        ordered.retain(|&(_, cell)| self.board.may_play(side, cell));
        let moves = ordered.into_iter().map(|(_, cell)| RootMove { cell: Some(cell), value: -WIN });
        self.root_moves = moves.collect();
        if position.may_pass() {
            self.root_moves.push(RootMove { cell: None, value: -WIN });
        }
    }

    /// Finds the best of the root's moves from place `rank` on, and puts it there.
    fn root(&mut self, side: Side, passed: bool, rank: usize, depth: i32) -> Result<(), Stopped> {
        let mut alpha = -WIN;
        let wide = 24.max(12 + 2 * depth as usize);
        for number in rank..self.root_moves.len() {
            // What looks bad is looked at only if all that looks good loses.
            if number >= rank + wide && alpha > -LARGEST && self.root_moves[number].cell.is_some() {
                continue;
            }
            let cell = self.root_moves[number].cell;
            let value = match cell {
                // Doing nothing lets the other side end the game: worth a look only where that would be welcome.
                None if passed => 0,
                None if alpha >= 0 => continue,
                None => -self.node(side.other(), -WIN, -alpha, depth - 1, 1, true)?,
                Some(cell) => {
                    self.board.place(cell, side);
                    let found = self.root_reply(side, number > rank, alpha, depth);
                    self.board.take_back();
                    found?
                }
            };
            self.root_moves[number].value = value;
            if value > alpha || number == rank {
                alpha = alpha.max(value);
                let best = self.root_moves.remove(number);
                self.root_moves.insert(rank, best);
            }
        }
        Ok(())
    }

    fn root_reply(&mut self, side: Side, narrow: bool, alpha: i32, depth: i32) -> Result<i32, Stopped> {
        let other = side.other();
        if narrow {
            let value = -self.node(other, -alpha - 1, -alpha, depth - 1, 1, false)?;
            if value <= alpha {
                return Ok(value);
            }
        }
        Ok(-self.node(other, -WIN, -alpha, depth - 1, 1, false)?)
    }

    /// The value of a position for the side to move; `passed` if the other side has just passed.
    fn node(
        &mut self,
        side: Side,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: i32,
        passed: bool,
    ) -> Result<i32, Stopped> {
        self.meter.node()?;
        self.deepest = self.deepest.max(ply);
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
            let found = self.node(other, -beta, -alpha, depth, ply + 1, false);
            self.board.take_back();
            return found.map(|value| -value);
        }
        if ply >= LONGEST {
            return Ok(self.estimate(side));
        }
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
        let known = self.search.table.find(key);
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
        if let Some(value) = self.wins_by_threats(side, depth, ply) {
            self.keep(key, None, value, ply, DEEPEST, Bound::Exact);
            return Ok(value);
        }
        let defences = self.defences(side, depth);
        if depth <= 0 {
            // A threat must be answered before the position can be judged; but not threats without end.
            if defences.is_none() || depth < -LONGEST_DEFENCE {
                return Ok(self.estimate(side).max(if passed { 0 } else { -WIN }));
            }
        }
        self.moves(Node { side, alpha, beta, depth, ply, passed, key }, known, defences)
    }

    /// Tries the moves of a node that nothing has decided.
    fn moves(&mut self, node: Node, known: Option<Entry>, defences: Option<Cells>) -> Result<i32, Stopped> {
        let Node { side, mut alpha, beta, depth, ply, passed, key } = node;
        let other = side.other();
        let mut ordered = self.candidates(side, defences);
        if let Some(best) = known.map(|entry| entry.best).filter(|&best| best > 0)
            && let Some(at) = ordered.iter().position(|&(_, cell)| u16::from(cell) + 1 == best)
        {
            ordered[..=at].rotate_right(1);
        }
        let wide = if defences.is_some() { POINTS } else { 6 + 4 * depth.max(0) as usize };
        let (first_alpha, mut best, mut best_cell) = (alpha, if passed { 0 } else { -WIN }, None);
        let mut tried = 0;
        for &(_, cell) in &ordered {
            if tried >= wide && best > -LARGEST {
                break;
            }
            if !self.board.may_play(side, cell) {
                continue;
            }
            let class = self.board.class(side, cell);
            let quiet = !class.has(Trait::Four) && !class.has(Trait::Three) && defences.is_none();
            self.board.place(cell, side);
            let found = self.reply(other, alpha, beta, depth, ply, (tried, quiet));
            self.board.take_back();
            let value = found?;
            tried += 1;
            if value > best {
                best = value;
                best_cell = Some(cell);
                alpha = alpha.max(value);
                if value >= beta {
                    self.reward(side, cell, depth);
                    break;
                }
            }
        }
        // Doing nothing is allowed too; it is worth a try where everything else loses.
        if best < -LARGEST && depth > 0 && !passed {
            let value = -self.node(other, -beta, -alpha, depth - 1, ply + 1, true)?;
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
        self.keep(key, best_cell, best, ply, depth, bound);
        Ok(best)
    }

    /// The value of the position behind a move, for the side that made it: late quiet moves less deep at first, and all
    /// but the first with a window that only asks whether they are better.
    fn reply(
        &mut self,
        other: Side,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: i32,
        (tried, quiet): (usize, bool),
    ) -> Result<i32, Stopped> {
        if tried > 0 {
            let mut reduced = depth - 1;
            if quiet && depth >= 3 && tried >= 3 {
                reduced -= (0.4 + f64::from(depth).ln() * (tried as f64).ln() / 2.2) as i32;
            }
            let mut value = -self.node(other, -alpha - 1, -alpha, reduced.max((depth - 1).min(0)), ply + 1, false)?;
            if value > alpha && reduced < depth - 1 {
                value = -self.node(other, -alpha - 1, -alpha, depth - 1, ply + 1, false)?;
            }
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.node(other, -beta, -alpha, depth - 1, ply + 1, false)?)
    }

    /// The value of a win by fours, or in deeper nodes by threats, of the side to move.
    fn wins_by_threats(&mut self, side: Side, depth: i32, ply: i32) -> Option<i32> {
        let board = &mut self.board;
        if !board.having(side, Trait::Four).is_empty() {
            let nodes = FOUR_NODES[usize::from(depth > 0)].min(self.search.skill.fours);
            if self.search.fours.wins(board, side, Limits::nodes(nodes)) == Ok(true) {
                return Some(win_in(ply + self.search.fours.line().count() as i32));
            }
        }
        if depth >= THREAT_DEPTH && self.search.skill.threats {
            // A part of what the node will cost.
            let nodes = 6_u64 << depth.min(11);
            if self.search.threats.wins(board, side, Limits::nodes(nodes)) == Ok(Some(true)) {
                return Some(win_in(ply + THREAT_PLIES));
            }
        }
        None
    }

    /// The defences that can matter, if the other side would win by fours were it its turn.
    fn defences(&mut self, side: Side, depth: i32) -> Option<Cells> {
        let other = side.other();
        let board = &mut self.board;
        if board.having(other, Trait::Four).is_empty() {
            return None;
        }
        let nodes = FOUR_NODES[usize::from(depth > 0)].min(self.search.skill.fours);
        if self.search.fours.wins(board, other, Limits::nodes(nodes)) != Ok(true) {
            return None;
        }
        let line: Vec<u8> = self.search.fours.line().collect();
        Some(relevant(board, other, &line))
    }

    /// The points where a stone may be good, the best first: the defences, if only they matter.
    fn candidates(&self, side: Side, defences: Option<Cells>) -> Vec<(i32, u8)> {
        let board = &self.board;
        let cells = defences.unwrap_or_else(|| {
            let stones = board.stones(side).or(board.stones(side.other()));
            let near = stones.iter().fold(Cells::EMPTY, |near, cell| near.or(NEAR[cell as usize % POINTS]));
            let open = board.empties();
            // Far from all stones nothing is to be won; where only such points are left, they have to do.
            if open.and(near).is_empty() { open } else { open.and(near) }
        });
        let mut ordered: Vec<(i32, u8)> = cells
            .iter()
            .map(|cell| {
                let promise = urgency(board.class(side, cell), board.class(side.other(), cell));
                (promise + self.search.history[side.index()][cell as usize % POINTS] / 64, cell)
            })
            .collect();
        ordered.sort_unstable_by_key(|&(promise, cell)| (std::cmp::Reverse(promise), cell));
        ordered
    }

    fn reward(&mut self, side: Side, cell: u8, depth: i32) {
        let count = &mut self.search.history[side.index()][cell as usize % POINTS];
        // Never beyond 16 384.
        *count += depth * depth * 8 - *count * (depth * depth).min(1_024) / 2_048;
    }

    fn estimate(&self, side: Side) -> i32 {
        let Skill { noise, seed, .. } = self.search.skill;
        let mut value = self.board.values().of(side);
        if noise > 0 {
            let drawn = (self.board.hash() ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            value += (drawn % (2 * noise as u64 + 1)) as i32 - noise;
        }
        value.clamp(-LARGEST, LARGEST)
    }

    const fn key(&self, side: Side, passed: bool) -> u64 {
        let turn = match side {
            Side::First => 0,
            Side::Second => TURN_KEY,
        };
        self.board.hash() ^ turn ^ if passed { PASSED_KEY } else { 0 }
    }

    fn keep(&self, key: u64, best: Option<u8>, value: i32, ply: i32, depth: i32, bound: Bound) {
        let best = best.map_or(0, |cell| u16::from(cell) + 1);
        let depth = depth.clamp(0, 255) as u8;
        self.search.table.keep(key, Entry { best, value: to_table(value, ply), estimate: 0, depth, bound });
    }

    /// The line that begins with a move, as far as the table remembers it; a win by fours to its end.
    fn line(&mut self, side: Side, first: &RootMove) -> Vec<Move> {
        let Some(cell) = first.cell else { return vec![Move::Pass] };
        let mut line = vec![as_move(cell)];
        self.board.place(cell, side);
        let (mut placed, mut side) = (1, side.other());
        while placed < DEEPEST {
            if !self.board.having(side.other(), Trait::Five).is_empty()
                && self.board.having(side, Trait::Five).is_empty()
            {
                let block =
                    self.board.having(side.other(), Trait::Five).iter().find(|&cell| self.board.may_play(side, cell));
                let Some(block) = block else { break };
                line.push(as_move(block));
                self.board.place(block, side);
            } else if self.search.fours.wins(&mut self.board, side, Limits::nodes(FOUR_NODES[1])) == Ok(true) {
                line.extend(self.search.fours.line().map(as_move));
                break;
            } else {
                let known = self.search.table.find(self.key(side, false)).map(|entry| entry.best);
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

    fn tell(&mut self, side: Side, depth: i32, rank: usize, listener: &mut dyn FnMut(&Info<Move>)) {
        let Some(root_move) = self.root_moves.get(rank).cloned() else { return };
        let line = self.line(side, &root_move);
        let found = Found { line, value: root_move.value, depth: depth as u32, nodes: self.meter.nodes() };
        listener(&self.info(&found, depth, rank + 1));
    }

    fn info(&self, found: &Found<Move>, depth: i32, rank: usize) -> Info<Move> {
        Info {
            depth: depth as u32,
            selective_depth: self.deepest.max(depth) as u32,
            rank,
            value: told(found.value),
            nodes: self.meter.nodes(),
            elapsed: self.meter.elapsed(),
            moves: found.line.clone(),
        }
    }
}

/// A point of the searches as a move; what is no point is a PASS.
fn as_move(cell: u8) -> Move {
    Point::from_index(cell.into()).map_or(Move::Pass, Move::Stone)
}

/// What a node's moves are tried for.
#[derive(Clone, Copy)]
struct Node {
    side: Side,
    alpha: i32,
    beta: i32,
    depth: i32,
    ply: i32,
    passed: bool,
    key: u64,
}
