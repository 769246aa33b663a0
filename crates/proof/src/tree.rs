//! Growing the book: a proof-number search over its positions (L. V. Allis, "Searching for Solutions in Games and Artificial
//! Intelligence", 1994), whose leaves are searches for threats.
//!
//! In a position of the tree Black is to move, and the search for threats does not win it. Black's moves are alternatives:
//! the least proof number counts. After a move, White's PASS comes first: when Black wins then, what that win relies on
//! ([`crate::relevance_zone`]) says which answers need a look, and of those the search for threats wins nearly all at once.
//! The others are positions of the tree; their proof numbers are summed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use agon_engines::renju::PatternBoard;
use agon_engines::renju::book::{FourthMove, FourthStatus, LEAF_NODES, Opening, ProvedBook};
use agon_engines::renju::evaluation::urgency;
use agon_engines::renju::search::{RenjuSearch, Skill};
use agon_game::Side;
use agon_rules::renju::{Point, PointSet, Stones, forbidden};
use agon_search::{Score, SearchLimits, Stop, Task};

use crate::finding::Finding;
use crate::leaf::{NoWin, examine};
use crate::relevance_zone::{fives, white_fives};

/// Nodes of the first search for threats in a position; the second has [`LEAF_NODES`].
const FIRST_NODES: u64 = 40_000;

/// Nodes and lines of the search that names Black's moves.
const MOVE_NODES: u64 = 100_000;
const MOVE_LINES: usize = 12;

/// Bytes of its tables.
const MOVE_BYTES: usize = 8 << 20;

/// Moves that have won beside a position and are tried first in it.
const HINTS: usize = 3;

/// After so many answers without a quick win the others wait.
const MANY_OPEN: usize = 12;

/// A proof number that means: never.
const NEVER: u32 = u32::MAX / 4;

/// What the proof number of a move not looked at yet is taken to be: the first, and each one more.
const FIRST_GUESS: u32 = 3;
const NEXT_GUESS: u32 = 4;

/// What is added while not even the PASS is refuted.
const QUIET_GUESS: u32 = 8;

/// The proof number that one of White's fourth moves is taken to have before anything was looked at: those that were begun
/// are finished first, unless they turn out to be hard, and show what wins against the others.
const NEW_BRANCH: u32 = 12;

/// Examined positions that count as one proof number when the next of White's fourth moves is chosen.
const WORK: u64 = 300;

/// A position with Black to move that the search for threats has not won at first.
#[derive(Debug)]
struct ProofNode {
    proof: u32,
    /// Whether the search for threats wins it, after all.
    leaf: bool,
    attacks: Vec<BlackMove>,
    /// Black's moves, once they were asked for; how many of them are looked at is the number of attacks.
    moves: Option<Vec<u8>>,
}

/// A move of Black's.
#[derive(Debug)]
struct BlackMove {
    cell: u8,
    stage: MoveStatus,
    /// The positions after White's answers that were not won at once; while it is quiet, after the PASS alone.
    children: Vec<Stones>,
    /// White's answers that nobody has looked at.
    rest: Vec<u8>,
    proof: u32,
}

/// What is known of a move of Black's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MoveStatus {
    /// It is forbidden, or White wins at once.
    Lost,
    /// Whether Black wins after a PASS is not known yet.
    Quiet,
    /// Black does, and the answers that matter are known.
    Answered,
}

/// One of White's fourth moves.
#[derive(Debug)]
struct FourthMoveNode {
    opening: usize,
    cell: Option<u8>,
    stones: Stones,
    /// How many positions were examined for it.
    work: u64,
}

/// How far a book has grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GrowthCounts {
    /// White's fourth moves that are refuted.
    pub refuted: usize,
    /// All of them.
    pub fourths: usize,
    /// Positions of the tree.
    pub positions: usize,
    /// Positions examined since the beginning.
    pub examined: u64,
}

/// A tree that grows into a book.
#[derive(Debug)]
pub struct ProofTree {
    openings: Vec<Stones>,
    branches: Vec<FourthMoveNode>,
    nodes: HashMap<Stones, ProofNode>,
    leaves: HashMap<Stones, (u64, Result<(), NoWin>)>,
    relied: HashMap<Stones, PointSet>,
    moves: HashMap<Stones, Vec<u8>>,
    examined: u64,
}

/// Who is told of every answer at once, how many threads may examine positions, and what ends it.
pub struct Growing<'a> {
    /// Keeps what was found out.
    pub keep: &'a mut dyn FnMut(&Finding),
    /// Threads.
    pub jobs: usize,
    /// Raised when it must end.
    pub stop: Stop,
}

impl ProofTree {
    /// A tree of the positions after these three stones, White to move; what was found out before is known at once.
    pub fn new(openings: &[Stones], known: impl IntoIterator<Item = Finding>) -> Self {
        let mut tree = Self {
            openings: openings.to_vec(),
            branches: Vec::new(),
            nodes: HashMap::new(),
            leaves: HashMap::new(),
            relied: HashMap::new(),
            moves: HashMap::new(),
            examined: 0,
        };
        for answer in known {
            tree.learn(&answer);
        }
        for (opening, stones) in openings.iter().enumerate() {
            // Those far from the centre are the easiest, and show what wins against the others.
            let mut points: Vec<Point> =
                stones.empties().iter().filter_map(|cell| Point::from_index(cell.into())).collect();
            points.sort_by_key(|point| std::cmp::Reverse(point.distance_from_centre()));
            let cells = points.into_iter().map(|point| Some(point.index() as u8));
            for cell in [None].into_iter().chain(cells) {
                let stones = cell.map_or(*stones, |cell| stones.with(Side::Second, cell));
                tree.nodes.entry(stones).or_insert_with(ProofNode::new);
                tree.branches.push(FourthMoveNode { opening, cell, stones, work: 0 });
            }
        }
        tree
    }

    fn learn(&mut self, answer: &Finding) {
        match answer {
            Finding::Leaf(stones, nodes, verdict) => {
                self.leaves.insert(*stones, (*nodes, *verdict));
            }
            Finding::Zone(stones, cells) => {
                self.relied.insert(*stones, *cells);
            }
            Finding::Moves(stones, moves) => {
                self.moves.insert(*stones, moves.clone());
            }
        }
    }

    /// How far it has grown.
    pub fn progress(&self) -> GrowthCounts {
        let refuted = self.branches.iter().filter(|branch| self.proof(&branch.stones) == 0).count();
        GrowthCounts { refuted, fourths: self.branches.len(), positions: self.nodes.len(), examined: self.examined }
    }

    /// Grows it by one move of Black's, or a part of it; `false` when there is nothing more to do.
    pub fn step(&mut self, growing: &mut Growing) -> bool {
        let Some(number) = self.easiest() else { return false };
        let branch = &self.branches[number];
        let (opening, root) = (branch.opening, branch.stones);
        let beside = self.branches.iter().filter(|branch| branch.opening == opening).map(|branch| branch.stones);
        let beside: Vec<Stones> = beside.collect();
        let before = self.examined;
        self.descend(root, beside, growing);
        self.branches[number].work += 1 + self.examined - before;
        true
    }

    /// The most promising of White's fourth moves, in the opening with the least work so far.
    fn easiest(&self) -> Option<usize> {
        let mut work = vec![0; self.openings.len()];
        for branch in &self.branches {
            work[branch.opening] += branch.work;
        }
        let promise = |branch: &FourthMoveNode| {
            let new = self.nodes.get(&branch.stones).is_some_and(|node| node.moves.is_none());
            let proof = if new { NEW_BRANCH } else { self.proof(&branch.stones) };
            (work[branch.opening], u64::from(proof) + branch.work / WORK)
        };
        let open = self.branches.iter().enumerate().filter(|(_, branch)| {
            let proof = self.proof(&branch.stones);
            proof > 0 && proof < NEVER
        });
        open.min_by_key(|(_, branch)| promise(branch)).map(|(number, _)| number)
    }

    fn proof(&self, stones: &Stones) -> u32 {
        self.nodes.get(stones).map_or(0, |node| node.proof)
    }

    /// Goes down to what decides most, looks at it, and carries what was found out up again.
    fn descend(&mut self, root: Stones, mut beside: Vec<Stones>, growing: &mut Growing) {
        let mut path = vec![root];
        let mut stones = root;
        loop {
            self.refresh(&stones, growing);
            let Some(node) = self.nodes.get(&stones) else { break };
            if node.proof == 0 || node.proof >= NEVER {
                break;
            }
            if node.moves.is_none() {
                self.expand(&stones, &beside, growing);
                break;
            }
            let Some(number) = node.best() else {
                self.attack(&stones, growing);
                break;
            };
            if !node.attacks[number].rest.is_empty() {
                self.answers(&stones, number, growing);
                break;
            }
            // What looks hardest decides soonest whether the move is any good.
            let children = &node.attacks[number].children;
            let hardest =
                children.iter().filter(|child| self.proof(child) < NEVER).max_by_key(|child| self.proof(child));
            let Some(&child) = hardest else { break };
            beside.clone_from(children);
            stones = child;
            path.push(child);
        }
        for stones in path.iter().rev() {
            self.refresh(stones, growing);
        }
    }

    /// Computes the proof number of a position afresh from those below it.
    fn refresh(&mut self, stones: &Stones, growing: &mut Growing) {
        let Some(mut node) = self.nodes.remove(stones) else { return };
        if !node.leaf {
            for attack in &mut node.attacks {
                if attack.stage == MoveStatus::Quiet && attack.children.iter().all(|child| self.proof(child) == 0) {
                    self.passed(stones, attack, growing);
                }
                let sum = attack.children.iter().map(|child| self.proof(child)).fold(0_u32, u32::saturating_add);
                let rest = attack.rest.len().div_ceil(8) as u32;
                let guess = match attack.stage {
                    MoveStatus::Lost => NEVER,
                    MoveStatus::Quiet => QUIET_GUESS,
                    MoveStatus::Answered => 0,
                };
                attack.proof = sum.saturating_add(rest + guess).min(NEVER);
            }
            node.refresh();
        }
        self.nodes.insert(*stones, node);
    }

    /// Names Black's moves, after one more search for threats.
    fn expand(&mut self, stones: &Stones, beside: &[Stones], growing: &mut Growing) {
        let verdict = self.leaf(stones, LEAF_NODES, growing);
        if verdict.is_ok() {
            if let Some(node) = self.nodes.get_mut(stones) {
                (node.leaf, node.proof) = (true, 0);
            }
            return;
        }
        let moves = match self.moves.get(stones) {
            Some(moves) => moves.clone(),
            None => {
                let moves = self.hints(stones, beside);
                let answer = Finding::Moves(*stones, candidates(stones, moves));
                (growing.keep)(&answer);
                self.learn(&answer);
                self.moves.get(stones).cloned().unwrap_or_default()
            }
        };
        if let Some(node) = self.nodes.get_mut(stones) {
            node.moves = Some(moves);
            node.refresh();
        }
        self.attack(stones, growing);
    }

    /// The moves that won most of the positions beside this one.
    fn hints(&self, stones: &Stones, beside: &[Stones]) -> Vec<u8> {
        let mut wins: HashMap<u8, usize> = HashMap::new();
        let empties = stones.empties();
        for node in beside.iter().filter_map(|stones| self.nodes.get(stones)) {
            if let Some(attack) = node.attacks.iter().find(|attack| attack.proof == 0)
                && empties.contains(attack.cell)
            {
                *wins.entry(attack.cell).or_default() += 1;
            }
        }
        let mut wins: Vec<(u8, usize)> = wins.into_iter().collect();
        wins.sort_unstable_by_key(|&(cell, count)| (std::cmp::Reverse(count), cell));
        wins.into_iter().map(|(cell, _)| cell).take(HINTS).collect()
    }

    /// Looks at the next of Black's moves.
    fn attack(&mut self, stones: &Stones, growing: &mut Growing) {
        let Some(node) = self.nodes.get(stones) else { return };
        let Some(&cell) = node.moves.as_ref().and_then(|moves| moves.get(node.attacks.len())) else { return };
        let attack = self.look(stones, cell, growing);
        let unseen = !attack.rest.is_empty();
        let Some(node) = self.nodes.get_mut(stones) else { return };
        node.attacks.push(attack);
        let number = node.attacks.len() - 1;
        if unseen {
            self.answers(stones, number, growing);
        }
    }

    /// What a move of Black's comes to, White's answers not looked at yet.
    fn look(&mut self, stones: &Stones, cell: u8, growing: &mut Growing) -> BlackMove {
        let mut attack =
            BlackMove { cell, stage: MoveStatus::Answered, children: Vec::new(), rest: Vec::new(), proof: NEVER };
        let after = stones.with(Side::First, cell);
        let legal = Point::from_index(cell.into()).is_some_and(|point| forbidden(&stones.board(), point).is_none());
        if !legal || !white_fives(&after).is_empty() {
            attack.stage = MoveStatus::Lost;
            return attack;
        }
        let fives = fives(&after);
        if fives.is_empty() {
            attack.stage = MoveStatus::Quiet;
            attack.children.push(after);
            if self.leaf(&after, FIRST_NODES, growing).is_ok() {
                self.passed(stones, &mut attack, growing);
            } else {
                self.nodes.entry(after).or_insert_with(ProofNode::new);
            }
        } else {
            attack.rest = fives.iter().collect();
        }
        attack
    }

    /// Lists White's answers once it is known that Black wins after a PASS.
    fn passed(&mut self, stones: &Stones, attack: &mut BlackMove, growing: &mut Growing) {
        let after = stones.with(Side::First, attack.cell);
        attack.stage = MoveStatus::Answered;
        attack.children.clear();
        let mut cells = after.empties();
        if let Some((nodes, Ok(()))) = self.leaves.get(&after) {
            if !self.relied.contains_key(&after)
                && let Ok(zone) = examine(&after, *nodes)
            {
                let answer = Finding::Zone(after, zone.at(1));
                (growing.keep)(&answer);
                self.learn(&answer);
            }
            cells = self.relied.get(&after).map_or(cells, |relied| relied.and(cells));
        }
        // The best last, as they are taken from the end.
        let board = PatternBoard::new(&after.board());
        attack.rest = cells.iter().collect();
        attack.rest.sort_by_key(|&cell| urgency(board.class(Side::Second, cell), board.class(Side::First, cell)));
    }

    /// Looks at White's answers to a move, until too many are open.
    fn answers(&mut self, stones: &Stones, number: usize, growing: &mut Growing) {
        let Some(attack) = self.nodes.get_mut(stones).and_then(|node| node.attacks.get_mut(number)) else { return };
        let after = stones.with(Side::First, attack.cell);
        let (mut rest, mut open) = (std::mem::take(&mut attack.rest), Vec::new());
        while !rest.is_empty() && open.len() < MANY_OPEN && !growing.stop.is_raised() {
            let batch = rest.split_off(rest.len().saturating_sub(4 * growing.jobs));
            let batch: Vec<Stones> = batch.iter().map(|&cell| after.with(Side::Second, cell)).collect();
            self.examine_all(&batch, growing);
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
        if let Some(attack) = self.nodes.get_mut(stones).and_then(|node| node.attacks.get_mut(number)) {
            attack.children.extend(open);
            attack.rest = rest;
        }
    }

    /// Looks for wins by threats in positions that nobody has examined, on all threads.
    fn examine_all(&mut self, positions: &[Stones], growing: &mut Growing) {
        // Those that were known count too, so that the same tree grows after a stop.
        self.examined += positions.len() as u64;
        let new: Vec<Stones> = positions.iter().filter(|stones| !self.leaves.contains_key(stones)).copied().collect();
        let (next, stop) = (AtomicUsize::new(0), &growing.stop);
        let (sender, found) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..growing.jobs.min(new.len()) {
                let (sender, next, new) = (sender.clone(), &next, &new);
                scope.spawn(move || {
                    while let Some(stones) = new.get(next.fetch_add(1, Ordering::Relaxed)).filter(|_| !stop.is_raised())
                    {
                        let verdict = examine(stones, FIRST_NODES).map(|_| ());
                        if sender.send(Finding::Leaf(*stones, FIRST_NODES, verdict)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for answer in found {
                (growing.keep)(&answer);
                self.learn(&answer);
            }
        });
    }

    /// Looks for a win by threats, unless as many nodes were searched before or there is none.
    fn leaf(&mut self, stones: &Stones, nodes: u64, growing: &mut Growing) -> Result<(), NoWin> {
        self.examined += 1;
        match self.leaves.get(stones) {
            Some(&(tried, verdict)) if tried >= nodes || verdict != Err(NoWin::Limit) => verdict,
            _ => {
                let found = examine(stones, nodes);
                let verdict = found.map(|_| ());
                let mut answers = vec![Finding::Leaf(*stones, nodes, verdict)];
                answers.extend(found.map(|zone| Finding::Zone(*stones, zone.at(1))));
                for answer in answers {
                    (growing.keep)(&answer);
                    self.learn(&answer);
                }
                verdict
            }
        }
    }

    /// What is proved by now.
    pub fn book(&self) -> ProvedBook {
        let mut moves = HashMap::new();
        let mut openings: Vec<Opening> =
            self.openings.iter().map(|&stones| Opening { stones, fourths: Vec::new() }).collect();
        for branch in &self.branches {
            let proof = self.proof(&branch.stones);
            if proof == 0 {
                self.collect(branch.stones, &mut moves);
            }
            let status =
                if proof == 0 { FourthStatus::Refuted } else { FourthStatus::Open((branch.work > 0).then_some(proof)) };
            openings[branch.opening].fourths.push(FourthMove { cell: branch.cell, status });
        }
        ProvedBook::new(openings, moves)
    }

    /// Enters a proved position and those below it.
    fn collect(&self, root: Stones, moves: &mut HashMap<Stones, u8>) {
        let mut waiting = vec![root];
        while let Some(stones) = waiting.pop() {
            let Some(node) = self.nodes.get(&stones).filter(|node| !node.leaf) else { continue };
            let Some(attack) = node.attacks.iter().find(|attack| attack.proof == 0) else { continue };
            if moves.insert(stones, attack.cell).is_none() {
                waiting.extend(&attack.children);
                // Where a move was quiet at first, the PASS is no child any more.
                waiting.push(stones.with(Side::First, attack.cell));
            }
        }
    }
}

impl ProofNode {
    const fn new() -> Self {
        Self { proof: 1, leaf: false, attacks: Vec::new(), moves: None }
    }

    /// The proof number that the next move, not looked at yet, is taken to have.
    fn guess(&self) -> u32 {
        match &self.moves {
            None => 1,
            Some(moves) if self.attacks.len() < moves.len() => FIRST_GUESS + NEXT_GUESS * self.attacks.len() as u32,
            Some(_) => NEVER,
        }
    }

    /// The most promising move, unless the next one is more promising.
    fn best(&self) -> Option<usize> {
        let guess = self.guess();
        let (number, attack) = self.attacks.iter().enumerate().min_by_key(|(_, attack)| attack.proof)?;
        (attack.proof <= guess).then_some(number)
    }

    fn refresh(&mut self) {
        let least = self.attacks.iter().map(|attack| attack.proof).min().unwrap_or(NEVER);
        self.proof = least.min(self.guess());
    }
}

/// Black's moves that are worth a try, these first; none where a search says that all lose.
fn candidates(stones: &Stones, mut moves: Vec<u8>) -> Vec<u8> {
    let Some(position) = stones.position(Side::First) else { return Vec::new() };
    let task = Task { limits: SearchLimits::nodes(MOVE_NODES), multipv: MOVE_LINES, ..Task::default() };
    let mut lines: Vec<Option<u8>> = vec![None; MOVE_LINES];
    let mut lost = false;
    RenjuSearch::new(MOVE_BYTES, Skill::FULL).think(&position, &task, &mut |info| {
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
