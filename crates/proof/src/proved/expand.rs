//! Expanding a position of the proof tree: Black's moves, White's answers, and the searches behind them.

use std::collections::HashMap;
use std::convert::Infallible;

use agon_engines::renju::book::{LEAF_NODES, LEAF_TABLE_BYTES, PractisedBook};
use agon_engines::renju::evaluation::urgency;
use agon_engines::renju::search::{RenjuSearch, Skill};
use agon_engines::renju::{PatternBoard, Threats};
use agon_game::Side;
use agon_jobs::pool;
use agon_rules::renju::{Point, Stones, forbidden};
use agon_search::{Score, SearchLimits, Task};

use super::finding::Finding;
use super::node::{BlackMove, MoveStatus, NEVER, ProofNode};
use super::tree::{GrowthContext, ProofTree};
use crate::threat_win::{NoWin, prove_by_threats};
use crate::verifier::relevance_zone::{fives, white_fives};

/// Nodes of the first search for threats in a position; the second has [`LEAF_NODES`].
const FIRST_NODES: u64 = 40_000;

/// Nodes of the search for threats that provides Black's move. It wins a third of the positions that are not won with
/// [`LEAF_NODES`] (14 of 40), in a few seconds. Such a position is not a leaf, since that is too long for a game, but
/// its move is known.
const THREAT_NODES: u64 = 1_000_000;

/// Nodes of the search that names Black's moves, where threats do not, and its lines.
const MOVE_NODES: u64 = 100_000;
const MOVE_LINES: usize = 12;

const MOVE_BYTES: usize = 8 << 20;

/// Number of moves tried first because they won sibling positions.
const HINTS: usize = 3;

/// After this many answers without a quick win the others wait.
const MAX_OPEN: usize = 12;

impl ProofTree {
    /// Names Black's moves, after one more search for threats.
    pub(super) fn expand(&mut self, stones: &Stones, siblings: &[Stones], growth: &mut GrowthContext) {
        let verdict = self.search_leaf(stones, LEAF_NODES, growth);
        if verdict.is_ok() {
            if let Some(node) = self.nodes.get_mut(stones) {
                (node.is_leaf, node.proof) = (true, 0);
            }
            return;
        }
        let moves = match self.moves.get(stones) {
            Some(moves) => moves.clone(),
            None => {
                let by_threats = if verdict == Err(NoWin::Limit) { winning_threat(stones) } else { None };
                let moves =
                    by_threats.map_or_else(|| moves_to_try(stones, self.hints(stones, siblings)), |cell| vec![cell]);
                self.record(&Finding::Moves(*stones, moves), growth);
                self.moves.get(stones).cloned().unwrap_or_default()
            }
        };
        if let Some(node) = self.nodes.get_mut(stones) {
            node.moves = Some(moves);
            node.update();
        }
        self.try_next_move(stones, growth);
    }

    /// The moves that won most of the sibling positions.
    fn hints(&self, stones: &Stones, siblings: &[Stones]) -> Vec<u8> {
        let mut wins: HashMap<u8, usize> = HashMap::new();
        let empties = stones.empties();
        for node in siblings.iter().filter_map(|stones| self.nodes.get(stones)) {
            if let Some(tried) = node.tried.iter().find(|tried| tried.proof == 0)
                && empties.contains(tried.cell)
            {
                *wins.entry(tried.cell).or_default() += 1;
            }
        }
        let mut wins: Vec<(u8, usize)> = wins.into_iter().collect();
        wins.sort_unstable_by_key(|&(cell, count)| (std::cmp::Reverse(count), cell));
        wins.into_iter().map(|(cell, _)| cell).take(HINTS).collect()
    }

    /// Tries the next of Black's moves.
    pub(super) fn try_next_move(&mut self, stones: &Stones, growth: &mut GrowthContext) {
        let Some(node) = self.nodes.get(stones) else { return };
        let Some(&cell) = node.moves.as_ref().and_then(|moves| moves.get(node.tried.len())) else { return };
        let tried = self.open_move(stones, cell, growth);
        let is_open = !tried.unsearched.is_empty();
        let Some(node) = self.nodes.get_mut(stones) else { return };
        node.tried.push(tried);
        let number = node.tried.len() - 1;
        if is_open {
            self.search_answers(stones, number, growth);
        }
    }

    /// Tries a move of Black's: by its threat, or by White's PASS. White's answers are not searched yet.
    fn open_move(&mut self, stones: &Stones, cell: u8, growth: &mut GrowthContext) -> BlackMove {
        let mut tried = BlackMove {
            cell,
            status: MoveStatus::Answered,
            children: Vec::new(),
            unsearched: Vec::new(),
            proof: NEVER,
        };
        let after = stones.with(Side::First, cell);
        let legal = Point::from_index(cell.into()).is_some_and(|point| forbidden(&stones.board(), point).is_none());
        if !legal || !white_fives(&after).is_empty() {
            tried.status = MoveStatus::Lost;
            return tried;
        }
        let fives = fives(&after);
        if fives.is_empty() {
            tried.status = MoveStatus::Quiet;
            tried.children.push(after);
            if self.search_leaf(&after, FIRST_NODES, growth).is_ok() {
                self.list_answers(stones, &mut tried, growth);
            } else {
                self.nodes.entry(after).or_insert_with(ProofNode::new);
            }
        } else {
            tried.unsearched = fives.iter().collect();
        }
        tried
    }

    /// Lists the answers of White's that matter, now that Black is known to win after a PASS.
    pub(super) fn list_answers(&mut self, stones: &Stones, tried: &mut BlackMove, growth: &mut GrowthContext) {
        let after = stones.with(Side::First, tried.cell);
        tried.status = MoveStatus::Answered;
        tried.children.clear();
        let mut cells = after.empties();
        if let Some((nodes, Ok(()))) = self.leaves.get(&after) {
            if !self.zones.contains_key(&after)
                && let Ok(win) = prove_by_threats(&after, *nodes)
            {
                self.record(&Finding::Zone(after, win.zone.at(1)), growth);
            }
            cells = self.zones.get(&after).map_or(cells, |zone| zone.and(cells));
        }
        // The best last, because they are taken from the end.
        let board = PatternBoard::new(&after.board());
        tried.unsearched = cells.iter().collect();
        tried.unsearched.sort_by_key(|&cell| urgency(board.class(Side::Second, cell), board.class(Side::First, cell)));
    }

    /// Searches White's answers to a move, until too many are open.
    pub(super) fn search_answers(&mut self, stones: &Stones, number: usize, growth: &mut GrowthContext) {
        let Some(tried) = self.nodes.get_mut(stones).and_then(|node| node.tried.get_mut(number)) else { return };
        let after = stones.with(Side::First, tried.cell);
        let (mut rest, mut open) = (std::mem::take(&mut tried.unsearched), Vec::new());
        while !rest.is_empty() && open.len() < MAX_OPEN && !growth.stop.is_raised() {
            let batch = rest.split_off(rest.len().saturating_sub(4 * growth.threads));
            let batch: Vec<Stones> = batch.iter().map(|&cell| after.with(Side::Second, cell)).collect();
            self.search_all(&batch, growth);
            for child in batch {
                match self.leaves.get(&child) {
                    Some((_, Ok(()))) => {}
                    Some(_) => open.push(child),
                    // It was stopped.
                    None => rest.extend(child.white.without(stones.white).iter()),
                }
            }
        }
        for child in &open {
            self.nodes.entry(*child).or_insert_with(ProofNode::new);
        }
        if let Some(tried) = self.nodes.get_mut(stones).and_then(|node| node.tried.get_mut(number)) {
            tried.children.extend(open);
            tried.unsearched = rest;
        }
    }

    /// Searches for wins by threats in the positions that were not searched before, on all threads.
    fn search_all(&mut self, positions: &[Stones], growth: &mut GrowthContext) {
        // Known results count as well, so that the same tree grows after a stop.
        self.searched += positions.len() as u64;
        let new: Vec<Stones> = positions.iter().filter(|stones| !self.leaves.contains_key(stones)).copied().collect();
        let search = |at: usize| {
            let verdict = prove_by_threats(&new[at], FIRST_NODES).map(|_| ());
            Ok::<_, Infallible>(Finding::Leaf(new[at], FIRST_NODES, verdict))
        };
        let stop = growth.stop.clone();
        let Ok(_) = pool::map(new.len(), growth.threads, &stop, || search, |finding| self.record(finding, growth));
    }

    fn record(&mut self, finding: &Finding, growth: &mut GrowthContext) {
        (growth.record)(finding);
        self.learn(finding);
    }

    /// Searches for a win by threats, unless as many nodes were searched before or there is none.
    fn search_leaf(&mut self, stones: &Stones, nodes: u64, growth: &mut GrowthContext) -> Result<(), NoWin> {
        self.searched += 1;
        match self.leaves.get(stones) {
            Some(&(searched, verdict)) if searched >= nodes || verdict != Err(NoWin::Limit) => verdict,
            _ => {
                let found = prove_by_threats(stones, nodes);
                let verdict = found.as_ref().map(|_| ()).map_err(|&none| none);
                self.record(&Finding::Leaf(*stones, nodes, verdict), growth);
                if let Ok(win) = found {
                    self.record(&Finding::Zone(*stones, win.zone.at(1)), growth);
                }
                verdict
            }
        }
    }
}

/// The first move of a win by threats that takes long to find.
fn winning_threat(stones: &Stones) -> Option<u8> {
    let mut threats = Threats::new(LEAF_TABLE_BYTES);
    let limits = SearchLimits::nodes(THREAT_NODES);
    threats.winning_move(&mut PatternBoard::new(&stones.board()), Side::First, limits).ok()?
}

/// Returns Black's candidate moves: the one that held in practice, the given ones, those of a search; none if a search
/// finds that all lose.
fn moves_to_try(stones: &Stones, given: Vec<u8>) -> Vec<u8> {
    let Some(position) = stones.position(Side::First) else { return Vec::new() };
    let practised = PractisedBook::own().ok().and_then(|book| book.reply(&position));
    let practised = practised.and_then(agon_rules::renju::Move::point).map(|point| point.index() as u8);
    let mut moves: Vec<u8> =
        practised.into_iter().chain(given.into_iter().filter(|&cell| practised != Some(cell))).collect();
    let task = Task { limits: SearchLimits::nodes(MOVE_NODES), multipv: MOVE_LINES, ..Task::default() };
    let mut lines: Vec<Option<u8>> = vec![None; MOVE_LINES];
    let mut lost = false;
    RenjuSearch::new(MOVE_BYTES, Skill::FULL).start(&position, &task, &mut |info| {
        let cell = info.pv.first().and_then(|m| m.point()).map(|point| point.index() as u8);
        if let Some(line) = lines.get_mut(info.multipv - 1) {
            *line = cell;
        }
        if info.multipv == 1 {
            lost = matches!(info.score, Score::Loss(_));
        }
    });
    if lost {
        return Vec::new();
    }
    for cell in lines.into_iter().flatten() {
        if !moves.contains(&cell) {
            moves.push(cell);
        }
    }
    moves
}
