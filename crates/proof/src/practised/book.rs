//! Converting a tree to a practised book.

use std::collections::{HashMap, HashSet};

use agon_engines::renju::book::PractisedBook;
use agon_game::Side;
use agon_rules::renju::Stones;
use agon_search::evaluate::MAX_EVALUATION;

use super::book_node::LOST;
use super::expansion::{Candidate, DropOutExpansion, Successor};

/// A move is kept if at least this many positions behind it were searched: with less a search at the board knows more.
const MIN_SEARCHED: usize = 6;

impl DropOutExpansion {
    /// The moves that have held: in each repertoire the best of its side, against every searched move of the other. If
    /// all of its moves lose, the one whose refutation took the most searches, since it is the hardest to find.
    pub fn book(&self) -> PractisedBook {
        let (mut moves, sizes) = (HashMap::new(), self.sizes());
        for side in Side::BOTH {
            let mut waiting: Vec<usize> =
                self.roots[side.index()].iter().filter_map(|stones| self.at.get(stones).copied()).collect();
            let mut seen = HashSet::new();
            while let Some(at) = waiting.pop() {
                let node = &self.nodes[at];
                if !seen.insert(at) {
                    continue;
                }
                let behind = |candidate: &Candidate| match candidate.successor {
                    Successor::Node(next) => Some(next),
                    Successor::Unknown | Successor::UnderWay => None,
                };
                if node.turn != side {
                    waiting.extend(node.candidates.iter().filter_map(behind));
                    continue;
                }
                let size = |candidate: &Candidate| match node.value {
                    ..=LOST => behind(candidate).map_or(0, |next| sizes[next]),
                    _ => 0,
                };
                // Among equals the first, which the search considered better.
                let best = node.candidates.iter().rev().max_by_key(|candidate| (candidate.value, size(candidate)));
                let Some(best) = best else { continue };
                let next = behind(best);
                // If every searched move loses, a few searches are enough.
                if best.value >= MAX_EVALUATION || next.is_some_and(|next| self.is_tried(next)) {
                    moves.insert(node.stones, best.cell);
                    waiting.extend(next);
                }
            }
        }
        PractisedBook::new(moves)
    }

    /// Returns the number of searches below each node, including its own; those reached by several lines count more
    /// than once.
    fn sizes(&self) -> Vec<u64> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(self.nodes[at].stones.len()));
        let mut sizes = vec![1_u64; self.nodes.len()];
        for at in order {
            for candidate in &self.nodes[at].candidates {
                if let Successor::Node(next) = candidate.successor {
                    sizes[at] = sizes[at].saturating_add(sizes[next]);
                }
            }
        }
        sizes
    }

    /// Returns true if enough has been searched below a node.
    fn is_tried(&self, at: usize) -> bool {
        let mut reached = vec![at];
        let mut next = 0;
        while let Some(&at) = reached.get(next).filter(|_| reached.len() < MIN_SEARCHED) {
            for candidate in &self.nodes[at].candidates {
                if let Successor::Node(behind) = candidate.successor
                    && !reached.contains(&behind)
                {
                    reached.push(behind);
                }
            }
            next += 1;
        }
        reached.len() >= MIN_SEARCHED
    }

    /// The value of each first position of a repertoire to the side whose it is, in hundredths, as far as it was
    /// searched; the worst first.
    pub fn values(&self, side: Side) -> Vec<(Stones, i32)> {
        let node = |stones: &Stones| self.at.get(stones).map(|&at| &self.nodes[at]);
        let mut values: Vec<(Stones, i32)> = self.roots[side.index()]
            .iter()
            .filter_map(node)
            .map(|node| (node.stones, if node.turn == side { node.value } else { -node.value }))
            .collect();
        values.sort_by_key(|&(_, value)| value);
        values
    }
}
