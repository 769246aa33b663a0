//! The tree from which the proved book grows: a proof-number search (L. V. Allis, "Searching for Solutions in Games and
//! Artificial Intelligence", 1994) whose leaves are searches for threats.
//!
//! In a position of the tree Black is to move, and the search for threats does not win it. Black's moves are
//! alternatives: the smallest proof number counts. After a move, White's PASS comes first: if Black wins then, the
//! relevance zone of that win ([`crate::verifier::relevance_zone`]) contains the answers that need a search, and the
//! search for threats immediately wins nearly all of these. The others are positions of the tree; their proof numbers
//! are added up.

use std::collections::HashMap;

use agon_engines::renju::book::{FourthMove, FourthStatus, Opening, ProvedBook};
use agon_game::Side;
use agon_jobs::{Instant, Stop};
use agon_rules::renju::{Point, PointSet, Stones};

use super::finding::{Effort, Finding};
use super::node::{FourthNode, MoveStatus, NEVER, ProofNode};
use crate::threat_win::NoWin;

/// Increment of a proof number until the PASS is refuted.
const QUIET_GUESS: u32 = 8;

/// Estimated proof number of White's fourth moves before any search: moves in progress are finished first, unless they
/// turn out to be hard, and show what wins against the others.
const NEW_FOURTH: u32 = 12;

/// Searched positions that count as one proof number when the next of White's fourth moves is chosen.
const WORK: u64 = 300;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GrowthCounts {
    /// White's fourth moves that are refuted.
    pub refuted: usize,
    pub fourths: usize,
    pub positions: usize,
    /// Positions searched since the beginning, including known ones.
    pub searched: u64,
}

#[derive(Debug)]
pub struct ProofTree {
    openings: Vec<Stones>,
    /// The opening that alone is searched.
    only: Option<usize>,
    fourths: Vec<FourthNode>,
    pub(super) nodes: HashMap<Stones, ProofNode>,
    /// Results of searches for threats, with their nodes.
    pub(super) leaves: HashMap<Stones, (u64, Result<(), NoWin>)>,
    /// Points of rank 1 of relevance zones.
    pub(super) zones: HashMap<Stones, PointSet>,
    pub(super) moves: HashMap<Stones, Vec<u8>>,
    pub(super) searched: u64,
}

/// External inputs of a growing tree.
pub struct GrowthContext<'a> {
    /// Receives every result immediately.
    pub record: &'a mut dyn FnMut(&Finding),
    pub threads: usize,
    pub stop: Stop,
}

impl ProofTree {
    /// A tree of the positions after these three stones, White to move; `known` was found before.
    pub fn new(openings: &[Stones], known: impl IntoIterator<Item = Finding>) -> Self {
        let mut tree = Self {
            openings: openings.to_vec(),
            only: None,
            fourths: Vec::new(),
            nodes: HashMap::new(),
            leaves: HashMap::new(),
            zones: HashMap::new(),
            moves: HashMap::new(),
            searched: 0,
        };
        let mut spent: HashMap<Stones, Effort> = HashMap::new();
        for finding in known {
            if let Finding::Spent(stones, effort) = finding {
                spent.insert(stones, effort);
            } else {
                tree.learn(&finding);
            }
        }
        for (opening, stones) in openings.iter().enumerate() {
            // Moves far from the centre are the easiest, and show what wins against the others.
            let mut points: Vec<Point> =
                stones.empties().iter().filter_map(|cell| Point::from_index(cell.into())).collect();
            points.sort_by_key(|point| std::cmp::Reverse(point.distance_from_centre()));
            let cells = points.into_iter().map(|point| Some(point.index() as u8));
            for cell in [None].into_iter().chain(cells) {
                let stones = cell.map_or(*stones, |cell| stones.with(Side::Second, cell));
                tree.nodes.entry(stones).or_insert_with(ProofNode::new);
                let recorded = spent.get(&stones).copied().unwrap_or_default();
                tree.fourths.push(FourthNode { opening, cell, stones, work: 0, time: recorded.time, recorded });
            }
        }
        tree
    }

    /// The same, which searches after one of the openings only.
    #[must_use]
    pub fn limited_to(self, opening: Option<usize>) -> Self {
        Self { only: opening, ..self }
    }

    pub(super) fn learn(&mut self, finding: &Finding) {
        match finding {
            Finding::Leaf(stones, nodes, verdict) => {
                self.leaves.insert(*stones, (*nodes, *verdict));
            }
            Finding::Zone(stones, cells) => {
                self.zones.insert(*stones, *cells);
            }
            Finding::Moves(stones, moves) => {
                self.moves.insert(*stones, moves.clone());
            }
            Finding::Spent(..) => {}
        }
    }

    pub fn counts(&self) -> GrowthCounts {
        let refuted = self.fourths.iter().filter(|fourth| self.proof(&fourth.stones) == 0).count();
        GrowthCounts { refuted, fourths: self.fourths.len(), positions: self.nodes.len(), searched: self.searched }
    }

    /// Grows the tree by one move of Black, or part of it; returns `false` if nothing is left to do.
    pub fn step(&mut self, growth: &mut GrowthContext) -> bool {
        let Some(number) = self.easiest() else { return false };
        let fourth = &self.fourths[number];
        let (opening, root) = (fourth.opening, fourth.stones);
        let siblings = self.fourths.iter().filter(|fourth| fourth.opening == opening).map(|fourth| fourth.stones);
        let siblings: Vec<Stones> = siblings.collect();
        let (before, start) = (self.searched, Instant::now());
        self.descend(root, siblings, growth);
        let fourth = &mut self.fourths[number];
        fourth.work += 1 + self.searched - before;
        fourth.time += start.elapsed().as_millis() as u64;
        true
    }

    /// Returns the effort for those of White's fourth moves that have been worked on since the last call.
    pub fn take_efforts(&mut self) -> Vec<Finding> {
        let efforts = self.fourths.iter().map(|fourth| Effort {
            searches: fourth.work,
            time: fourth.time,
            proof: self.proof(&fourth.stones),
        });
        let efforts: Vec<Effort> = efforts.collect();
        let changed = self.fourths.iter_mut().zip(efforts).filter(|(fourth, effort)| {
            // While known results are read again it has less than before.
            effort.searches > fourth.recorded.searches || effort.proof == 0 && fourth.recorded.proof > 0
        });
        changed
            .map(|(fourth, effort)| {
                fourth.recorded = effort;
                Finding::Spent(fourth.stones, effort)
            })
            .collect()
    }

    /// The most promising of White's fourth moves, in the opening with the least work so far.
    fn easiest(&self) -> Option<usize> {
        let mut work = vec![0; self.openings.len()];
        for fourth in &self.fourths {
            work[fourth.opening] += fourth.work;
        }
        let promise = |fourth: &FourthNode| {
            let new = self.nodes.get(&fourth.stones).is_some_and(|node| node.moves.is_none());
            let proof = if new { NEW_FOURTH } else { self.proof(&fourth.stones) };
            (work[fourth.opening], u64::from(proof) + fourth.work / WORK)
        };
        let open = self.fourths.iter().enumerate().filter(|(_, fourth)| {
            let proof = self.proof(&fourth.stones);
            proof > 0 && proof < NEVER && self.only.is_none_or(|only| only == fourth.opening)
        });
        open.min_by_key(|(_, fourth)| promise(fourth)).map(|(number, _)| number)
    }

    /// Returns the proof number of a position; 0 if it has no node, since a leaf wins it.
    pub(super) fn proof(&self, stones: &Stones) -> u32 {
        self.nodes.get(stones).map_or(0, |node| node.proof)
    }

    /// Goes down to the position that decides most, searches there, and updates the positions on the way up.
    fn descend(&mut self, root: Stones, mut siblings: Vec<Stones>, growth: &mut GrowthContext) {
        let mut path = vec![root];
        let mut stones = root;
        loop {
            self.update(&stones, growth);
            let Some(node) = self.nodes.get(&stones) else { break };
            if node.proof == 0 || node.proof >= NEVER {
                break;
            }
            if node.moves.is_none() {
                self.expand(&stones, &siblings, growth);
                break;
            }
            let Some(number) = node.best() else {
                self.try_next_move(&stones, growth);
                break;
            };
            if !node.tried[number].unsearched.is_empty() {
                self.search_answers(&stones, number, growth);
                break;
            }
            // The hardest answer decides soonest whether the move is any good.
            let children = &node.tried[number].children;
            let hardest =
                children.iter().filter(|child| self.proof(child) < NEVER).max_by_key(|child| self.proof(child));
            let Some(&child) = hardest else { break };
            siblings.clone_from(children);
            stones = child;
            path.push(child);
        }
        for stones in path.iter().rev() {
            self.update(stones, growth);
        }
    }

    /// Computes the proof number of a position afresh from those below it.
    fn update(&mut self, stones: &Stones, growth: &mut GrowthContext) {
        let Some(mut node) = self.nodes.remove(stones) else { return };
        if !node.is_leaf {
            for tried in &mut node.tried {
                if tried.status == MoveStatus::Quiet && tried.children.iter().all(|child| self.proof(child) == 0) {
                    self.list_answers(stones, tried, growth);
                }
                let sum = tried.children.iter().map(|child| self.proof(child)).fold(0_u32, u32::saturating_add);
                let rest = tried.unsearched.len().div_ceil(8) as u32;
                let guess = match tried.status {
                    MoveStatus::Lost => NEVER,
                    MoveStatus::Quiet => QUIET_GUESS,
                    MoveStatus::Answered => 0,
                };
                tried.proof = sum.saturating_add(rest + guess).min(NEVER);
            }
            node.update();
        }
        self.nodes.insert(*stones, node);
    }

    pub fn book(&self) -> ProvedBook {
        let mut moves = HashMap::new();
        let mut openings: Vec<Opening> =
            self.openings.iter().map(|&stones| Opening { stones, fourths: Vec::new() }).collect();
        for fourth in &self.fourths {
            let proof = self.proof(&fourth.stones);
            if proof == 0 {
                self.collect(fourth.stones, &mut moves);
            }
            let status =
                if proof == 0 { FourthStatus::Refuted } else { FourthStatus::Open((fourth.work > 0).then_some(proof)) };
            openings[fourth.opening].fourths.push(FourthMove { cell: fourth.cell, status });
        }
        ProvedBook::new(openings, moves)
    }

    /// Enters a proved position and those below it.
    fn collect(&self, root: Stones, moves: &mut HashMap<Stones, u8>) {
        let mut waiting = vec![root];
        while let Some(stones) = waiting.pop() {
            let Some(node) = self.nodes.get(&stones).filter(|node| !node.is_leaf) else { continue };
            let Some(tried) = node.tried.iter().find(|tried| tried.proof == 0) else { continue };
            if moves.insert(stones, tried.cell).is_none() {
                waiting.extend(&tried.children);
                // Once a move is no longer quiet, the PASS is not a child any more.
                waiting.push(stones.with(Side::First, tried.cell));
            }
        }
    }
}
