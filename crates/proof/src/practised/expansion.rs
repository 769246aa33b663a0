//! The tree of drop-out expansion, and its growth.
//!
//! It grows where this costs least: each ply costs a little, and a move costs more the worse it is than the best move
//! beside it. There are two repertoires, Black's and White's. In each, the side that owns it plays little but its best
//! moves, and the other side anything that is not much worse.

use std::collections::{BTreeSet, HashMap, HashSet};

use agon_engines::renju::book::Symmetry;
use agon_game::{Position, Side};
use agon_rules::renju::{Move, Point, Renju, Stones};
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::value::WIN;

use super::book_node::{BookNode, LOST};
use super::value::{chance, discounted};

/// Cost of a ply. A higher cost makes the tree broad, and its lines end where they look good, which a network
/// overrates: the true value of a best line of twenty plies only shows when it is continued.
const PLY: f64 = 0.2;

/// The cost, in plies, of a move that turns a certain win into a certain loss: of the side whose repertoire it is,
const OWN_DROP: f64 = 30.0;

const OTHER_DROP: f64 = 25.0;

/// The cost of an end of the tree that is as good as decided.
const DECIDED: f64 = 5.0;

/// One position out of this many is of White's repertoire, the others of Black's.
const WHITES: usize = 4;

/// The node behind a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Successor {
    Unknown,
    /// The search is in progress, or failed.
    UnderWay,
    /// The number of the node.
    Node(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) cell: u8,
    /// Value for the side to move: by the search of its own position, until the position after it has been searched.
    pub(super) value: i32,
    pub(super) successor: Successor,
}

/// A searched position in the tree.
#[derive(Clone, Debug)]
pub(super) struct ExpansionNode {
    pub(super) stones: Stones,
    pub(super) turn: Side,
    pub(super) candidates: Vec<Candidate>,
    parents: Vec<usize>,
    /// True if its search has found that every move loses.
    is_lost: bool,
    /// Value for the side to move.
    pub(super) value: i32,
    /// For each repertoire the cost of the cheapest end below.
    costs: [f64; 2],
}

/// The tree of searched positions, which selects the next ones.
#[derive(Clone, Debug)]
pub struct DropOutExpansion {
    pub(super) nodes: Vec<ExpansionNode>,
    pub(super) at: HashMap<Stones, usize>,
    /// The first positions of each repertoire.
    pub(super) roots: [Vec<Stones>; 2],
    /// The positions left to search of each game that is followed, the next one last.
    games: Vec<Vec<Stones>>,
    waiting: HashSet<Stones>,
    unsearchable: HashSet<Stones>,
}

impl DropOutExpansion {
    /// Creates a tree from earlier searches, which need not be repeated.
    pub fn new(known: impl IntoIterator<Item = BookNode>) -> Self {
        let mut expansion = Self {
            nodes: Vec::new(),
            at: HashMap::new(),
            roots: Side::BOTH.map(roots),
            games: Vec::new(),
            waiting: HashSet::new(),
            unsearchable: HashSet::new(),
        };
        expansion.remember(known);
        expansion
    }

    /// Adds earlier searches.
    pub fn remember(&mut self, known: impl IntoIterator<Item = BookNode>) {
        // From the ends up each value is computed once.
        let mut known: Vec<BookNode> = known.into_iter().collect();
        known.sort_by_key(|node| std::cmp::Reverse(node.stones.len()));
        for node in known {
            self.add(node);
        }
    }

    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of positions that have been searched, are in progress, or failed.
    pub fn begun(&self) -> usize {
        self.nodes.len() + self.waiting.len() + self.unsearchable.len()
    }

    /// Plays a game through from its third move on, up to a PASS: its positions are searched before all others, one
    /// after the other until the game is decided. False if it is of fewer than three moves.
    pub fn follow(&mut self, moves: &[Move]) -> bool {
        let (mut position, mut line) = (Renju::default(), Vec::new());
        for &m in moves {
            if m == Move::Pass || position.check(m).is_err() {
                break;
            }
            position.play_unchecked(m, &mut ());
            if position.ply() >= 3 && position.outcome().is_none() {
                line.push(Symmetry::canonical(&Stones::from_board(position.board())).0);
            }
        }
        let begins = line.first().is_some_and(|first| self.roots.iter().any(|roots| roots.contains(first)));
        if begins {
            line.reverse();
            self.games.push(line);
        }
        begins
    }

    /// The next position to search; it counts as in progress until [`Self::learn`] or [`Self::give_up`] is called for
    /// it. `None` if everything left is in progress, or everything is decided.
    pub fn next_search(&mut self) -> Option<Stones> {
        let stones = self.next_of_games().or_else(|| self.next_of_repertoires())?;
        self.waiting.insert(stones);
        Some(stones)
    }

    /// The next position of a game that is followed.
    fn next_of_games(&mut self) -> Option<Stones> {
        for line in &mut self.games {
            while let Some(stones) = line.last() {
                let node = self.at.get(stones);
                if node.is_none() && !self.unsearchable.contains(stones) {
                    break;
                }
                line.pop();
                if node.is_some_and(|&node| self.nodes[node].value.abs() > MAX_EVALUATION) {
                    line.clear();
                }
            }
        }
        self.games.retain(|line| !line.is_empty());
        self.games.iter().filter_map(|line| line.last()).find(|&stones| !self.waiting.contains(stones)).copied()
    }

    /// The cheapest end of one repertoire, or else of the other: White's less often, since Black wins with the right
    /// moves.
    fn next_of_repertoires(&mut self) -> Option<Stones> {
        let side = if self.begun().is_multiple_of(WHITES) { Side::Second } else { Side::First };
        self.descend(side).or_else(|| self.descend(side.other()))
    }

    /// Goes down to the cheapest end of a repertoire that is not under way.
    fn descend(&mut self, side: Side) -> Option<Stones> {
        // Each root with its node and that node's chance to win for the other side, which chooses among the roots.
        let root = |stones: &Stones| {
            let node = self.at.get(stones).map(|&at| {
                let node = &self.nodes[at];
                (at, chance(if node.turn == side { -node.value } else { node.value }))
            });
            (*stones, node)
        };
        let roots: Vec<(Stones, Option<(usize, f64)>)> = self.roots[side.index()].iter().map(root).collect();
        let best = roots.iter().filter_map(|(_, node)| node.map(|(_, chance)| chance)).fold(0.0, f64::max);
        let cost = |(stones, node): &(Stones, Option<(usize, f64)>)| match node {
            Some((at, chance)) => self.nodes[*at].costs[side.index()] + OTHER_DROP * (best - chance),
            None if self.is_begun(stones) => f64::INFINITY,
            None => 0.0,
        };
        let cheapest = roots.iter().map(|root| (cost(root), root)).min_by(|a, b| a.0.total_cmp(&b.0));
        let &(root, start) = cheapest.filter(|(cost, _)| cost.is_finite())?.1;
        let Some((start, _)) = start else { return Some(root) };
        let mut at = start;
        loop {
            let number = self.cheapest(at, side)?;
            let node = &self.nodes[at];
            let candidate = &node.candidates[number];
            if let Successor::Node(next) = candidate.successor {
                at = next;
                continue;
            }
            let (stones, _) = Symmetry::canonical(&node.stones.with(node.turn, candidate.cell));
            self.nodes[at].candidates[number].successor = Successor::UnderWay;
            self.update(at);
            if !self.is_begun(&stones) {
                return Some(stones);
            }
            // Another move, or a game, has led there before.
            at = start;
        }
    }

    /// Adds the result of a search; ignored for a position that is not in progress.
    pub fn learn(&mut self, node: BookNode) {
        if self.waiting.remove(&node.stones) {
            self.add(node);
        }
    }

    /// Adds a node to the tree, unless its position already has one.
    fn add(&mut self, node: BookNode) {
        let BookNode { stones, moves } = node;
        let Some(turn) = stones.turn().filter(|_| !self.at.contains_key(&stones)) else { return };
        let number = self.nodes.len();
        let is_lost = !moves.is_empty() && moves.iter().all(|&(_, value)| value < LOST);
        let candidate = |(cell, value)| {
            let value = discounted(value, turn, stones.len());
            Candidate { cell, value, successor: Successor::Unknown }
        };
        let candidates = moves.into_iter().map(candidate).collect();
        let parents = self.link_parents(&stones, turn.other(), number);
        self.nodes.push(ExpansionNode { stones, turn, candidates, parents, is_lost, value: 0, costs: [0.0; 2] });
        self.at.insert(stones, number);
        self.link_successors(number);
        self.update(number);
    }

    /// Links all moves of the tree that lead to these stones to their node; returns the nodes they come from.
    fn link_parents(&mut self, stones: &Stones, mover: Side, number: usize) -> Vec<usize> {
        let mut parents = Vec::new();
        for cell in stones.of_side(mover).iter() {
            let (before, symmetry) = Symmetry::canonical(&stones.remove(cell));
            let Some(&parent) = self.at.get(&before).filter(|parent| !parents.contains(*parent)) else { continue };
            let candidates = &mut self.nodes[parent].candidates;
            // On a symmetric board, two moves may lead to the same stones.
            let mut leading = candidates
                .iter_mut()
                .filter(|candidate| Symmetry::canonical(&before.with(mover, candidate.cell)).0 == *stones)
                .peekable();
            let cell = symmetry.cell(cell);
            if leading.peek().is_some() {
                leading.for_each(|candidate| candidate.successor = Successor::Node(number));
            } else if is_legal(&before, mover, cell) {
                candidates.push(Candidate { cell, value: 0, successor: Successor::Node(number) });
            } else {
                continue;
            }
            parents.push(parent);
        }
        parents
    }

    /// Links the moves of a new node to the nodes behind them, including moves that its own search did not name.
    fn link_successors(&mut self, number: usize) {
        let ExpansionNode { stones, turn, .. } = self.nodes[number];
        let turned = Symmetry::ALL.map(|symmetry| (symmetry, symmetry.stones(&stones)));
        for cell in stones.empties().iter() {
            let afters = turned.iter().map(|(symmetry, stones)| stones.with(turn, symmetry.cell(cell)));
            let Some(after) = afters.min() else { continue };
            let Some(&next) = self.at.get(&after) else { continue };
            let successor = Successor::Node(next);
            let candidates = &mut self.nodes[number].candidates;
            match candidates.iter_mut().find(|candidate| candidate.cell == cell) {
                Some(found) => found.successor = successor,
                None if is_legal(&stones, turn, cell) => candidates.push(Candidate { cell, value: 0, successor }),
                None => continue,
            }
            self.nodes[next].parents.push(number);
        }
    }

    /// Marks a position whose search failed: its value stays unknown, and it is never searched again.
    pub fn give_up(&mut self, stones: &Stones) {
        if self.waiting.remove(stones) {
            self.unsearchable.insert(*stones);
        }
    }

    /// Returns true if the search of a position without a node is in progress or has failed.
    fn is_begun(&self, stones: &Stones) -> bool {
        self.waiting.contains(stones) || self.unsearchable.contains(stones)
    }

    /// Computes values and costs afresh: of a node that has changed, of its parents, and so on up as far as they
    /// change.
    fn update(&mut self, changed: usize) {
        let mut waiting = vec![changed];
        while let Some(at) = waiting.pop() {
            let before = (self.nodes[at].value, self.nodes[at].costs);
            self.revalue(at);
            self.nodes[at].costs = Side::BOTH.map(|side| {
                let cheapest = self.cheapest(at, side);
                cheapest.map_or(f64::INFINITY, |number| self.cost(at, number, side))
            });
            if at == changed || before != (self.nodes[at].value, self.nodes[at].costs) {
                waiting.extend(&self.nodes[at].parents);
            }
        }
    }

    /// Takes the values of a node's moves from the nodes behind them, and its own from the best.
    fn revalue(&mut self, at: usize) {
        // If all searched moves lose, others may still not, unless the search says so.
        let node = &self.nodes[at];
        let mut best = match node.candidates.is_empty() {
            true => 0,
            false if node.is_lost => -WIN,
            false => LOST,
        };
        for number in 0..self.nodes[at].candidates.len() {
            if let Successor::Node(next) = self.nodes[at].candidates[number].successor {
                self.nodes[at].candidates[number].value = -self.nodes[next].value;
            }
            best = best.max(self.nodes[at].candidates[number].value);
        }
        self.nodes[at].value = best;
    }

    /// The move that leads to the cheapest end, if any leads to one.
    fn cheapest(&self, at: usize, side: Side) -> Option<usize> {
        if self.nodes[at].value.abs() > MAX_EVALUATION {
            return None;
        }
        let costs = (0..self.nodes[at].candidates.len()).map(|number| (self.cost(at, number, side), number));
        costs.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(cost, _)| cost.is_finite()).map(|(_, number)| number)
    }

    /// Returns the cost of following a move to the cheapest leaf below it, in the repertoire of a side.
    fn cost(&self, at: usize, number: usize, side: Side) -> f64 {
        let node = &self.nodes[at];
        let candidate = &node.candidates[number];
        let below = match candidate.successor {
            Successor::UnderWay => f64::INFINITY,
            Successor::Node(next) => self.nodes[next].costs[side.index()],
            Successor::Unknown if candidate.value.abs() > MAX_EVALUATION => f64::INFINITY,
            Successor::Unknown => DECIDED * (2.0 * chance(candidate.value) - 1.0).abs(),
        };
        let drop = if node.turn == side { OWN_DROP } else { OTHER_DROP };
        PLY + drop * (chance(node.value) - chance(candidate.value)) + below
    }
}

/// Returns the positions at which a side's repertoire starts: Black's before its third move, after any second move of
/// White; White's after that, whatever both moves were, since not every game lets the champion choose the second.
fn roots(side: Side) -> Vec<Stones> {
    let stones = match side {
        Side::First => 2,
        Side::Second => 3,
    };
    let mut before = vec![Renju::default()];
    for _ in 0..stones {
        let mut after = Vec::new();
        for position in before {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for m in moves {
                let mut next = position.clone();
                next.play_unchecked(m, &mut ());
                after.push(next);
            }
        }
        before = after;
    }
    let stones: BTreeSet<Stones> =
        before.iter().map(|position| Symmetry::canonical(&Stones::from_board(position.board())).0).collect();
    stones.into_iter().collect()
}

/// Returns true if a stone is legal there for the side to move.
fn is_legal(stones: &Stones, turn: Side, cell: u8) -> bool {
    let point = Point::from_index(cell.into());
    let position = stones.position(turn);
    position.zip(point).is_some_and(|(position, point)| position.check(Move::Stone(point)).is_ok())
}
