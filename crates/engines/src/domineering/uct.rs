//! A Monte Carlo tree search that asks the strips instead of playing games out.

use agon_game::{Position, Side};
use agon_rules::domineering::{Domineering, Move};
use agon_search::time::Shares;
use agon_search::{Engine, Info, Meter, SearchLimits, Task, TimeControl};

use super::Solver;
use super::champion::RESERVE;
use super::search::BoundedMove;
use super::solution::needed;

/// Searches for the win with UCT (Kocsis and Szepesvári 2006), with a prior for every move (PUCT: Rosin 2011). It plays
/// no random games: the probability that a move wins follows from the [strips](super::strips), and is certain where
/// their bounds decide.
///
/// It does not use proofs, so as an opponent it thinks very differently from the champion.
#[derive(Default)]
pub struct Uct {
    /// Nodes for each move instead of a share of the clock.
    nodes: Option<u64>,
    /// Provides bounds for the board; it never searches.
    solver: Option<Solver>,
}

impl Uct {
    /// Creates a player that visits `nodes` nodes for each move regardless of the clock, so that it plays the same game
    /// everywhere.
    pub const fn visiting(nodes: u64) -> Self {
        Self { nodes: Some(nodes), solver: None }
    }
}

impl Engine<Domineering> for Uct {
    fn search(&mut self, position: &Domineering, task: &Task, _: &mut dyn FnMut(&Info<Move>)) -> Option<Move> {
        if position.outcome().is_some() {
            return None;
        }
        let share = |clock: TimeControl| clock.moves_to_go.map_or(SHARE, |moves| SHARE.max(80 / moves.max(1)));
        let share = task.clock.map_or(100, share);
        let limits = self.nodes.map_or_else(|| Shares::new(task, RESERVE).share(share), SearchLimits::nodes);
        // Preparing a new solver uses part of the time.
        let meter = Meter::new(limits);
        let [_, win] = needed(position);
        if position.last_pass() && win <= 0 {
            return Some(Move::PASS);
        }
        let solver = match &mut self.solver {
            Some(solver) if solver.board() == position.board() => solver,
            other => other.insert(Solver::new(position.board(), 0)),
        };
        let root = UctNode { empty: position.empty(), side: position.turn(), needed: win, ..UctNode::ROOT };
        Some(UctTree { solver, nodes: vec![root], edges: Vec::new() }.search(meter).map_or(Move::PASS, Move::at))
    }
}

/// Maximum share of the remaining time for a move, in percent: a game has about a dozen moves of one side, and the
/// later ones are easier.
const SHARE: u32 = 12;

/// Weight of a move's prior relative to its visits.
const EXPLORATION: f32 = 1.0;

/// An estimate that is this many quarters of a point better makes a move e times as likely to be the best.
const PRIOR_SCALE: f32 = 4.0;

/// An estimate that is this many quarters of a point better makes a win e times as likely relative to a loss.
const WIN_SCALE: f32 = 8.0;

/// The largest tree: 20 bytes an edge, 40 MB.
const MAX_EDGES: usize = 2_000_000;

#[derive(Clone, Copy)]
struct UctNode {
    empty: u64,
    side: Side,
    /// Lead that the side to move still needs.
    needed: i32,
    visits: u32,
    /// Its edges: the first, and their number; none until it has been visited twice.
    first: u32,
    count: u32,
}

impl UctNode {
    const ROOT: Self = Self { empty: 0, side: Side::First, needed: 0, visits: 0, first: 0, count: 0 };
}

/// A move, and everything known about it in the view of its mover.
#[derive(Clone, Copy)]
struct Edge {
    anchor: u8,
    /// True if the bounds decide it, so that there is nothing to find below.
    decided: bool,
    gain: i16,
    prior: f32,
    visits: u32,
    /// The sum over all visits of how likely it wins; before the first, how likely it seems.
    wins: f32,
    /// The position behind it; 0 before it was visited.
    node: u32,
}

impl Edge {
    fn value(&self) -> f32 {
        self.wins / self.visits.max(1) as f32
    }
}

struct UctTree<'a> {
    solver: &'a Solver,
    nodes: Vec<UctNode>,
    edges: Vec<Edge>,
}

impl UctTree<'_> {
    /// The anchor of the move visited most; `None` when there is none.
    fn search(mut self, mut meter: Meter) -> Option<usize> {
        self.expand(0);
        let mut path = Vec::new();
        let moves = self.nodes[0].count as usize;
        while moves > 1 && meter.node().is_ok() && self.edges.len() < MAX_EDGES {
            self.visit(&mut path);
        }
        let best = self.edges[..moves].iter().max_by(|a, b| {
            let worth = |edge: &Edge| (edge.visits, edge.value());
            worth(a).partial_cmp(&worth(b)).expect("no value is undefined")
        })?;
        Some(usize::from(best.anchor))
    }

    /// Walks from the root to an unvisited move, and updates all moves on the path.
    fn visit(&mut self, path: &mut Vec<u32>) {
        path.clear();
        let mut at = 0;
        // From the point of view of the side that makes the last move of the path.
        let mut value = loop {
            let edge = self.selected(at);
            path.push(edge);
            let Edge { visits, decided, node, .. } = self.edges[edge as usize];
            if visits == 0 || decided {
                break self.edges[edge as usize].value();
            }
            if node == 0 {
                break 1.0 - self.grow(at, edge);
            }
            at = node as usize;
        };
        for &edge in path.iter().rev() {
            let edge = &mut self.edges[edge as usize];
            // The first visit replaces the prior value.
            edge.wins = if edge.visits == 0 { value } else { edge.wins + value };
            edge.visits += 1;
            let node = edge.node as usize;
            if node != 0 {
                self.nodes[node].visits += 1;
            }
            value = 1.0 - value;
        }
        self.nodes[0].visits += 1;
    }

    /// The edge of a node that most deserves a visit.
    fn selected(&self, at: usize) -> u32 {
        let UctNode { first, count, visits, .. } = self.nodes[at];
        let explore = EXPLORATION * (visits.max(1) as f32).sqrt();
        let score = |edge: &Edge| edge.value() + explore * edge.prior / (1 + edge.visits) as f32;
        let edges = &self.edges[first as usize..][..count as usize];
        let best = edges.iter().enumerate().max_by(|(_, a), (_, b)| score(a).total_cmp(&score(b)));
        first + best.map_or(0, |(i, _)| i as u32)
    }

    /// Makes the position behind a move; returns how likely its side to move wins.
    fn grow(&mut self, at: usize, edge: u32) -> f32 {
        let UctNode { empty, side, needed, .. } = self.nodes[at];
        let Edge { anchor, gain, .. } = self.edges[edge as usize];
        let gain = i32::from(gain);
        let behind = self.solver.search.child(empty, side, usize::from(anchor)).known.empty;
        let node = self.nodes.len();
        let needed = gain - needed + 1;
        self.nodes.push(UctNode { empty: behind, side: side.other(), needed, ..UctNode::ROOT });
        self.edges[edge as usize].node = node as u32;
        self.expand(node)
    }

    /// Gives a node its edges; returns the best of their values.
    fn expand(&mut self, at: usize) -> f32 {
        let UctNode { empty, side, needed, .. } = self.nodes[at];
        let first = self.edges.len();
        let (mut best, mut priors) = (0.0_f32, 0.0);
        for child in self.solver.moves(empty, side) {
            let edge = edge(&child, needed);
            best = best.max(edge.wins);
            priors += edge.prior;
            self.edges.push(edge);
        }
        for edge in &mut self.edges[first..] {
            edge.prior /= priors;
        }
        let node = &mut self.nodes[at];
        (node.first, node.count) = (first as u32, (self.edges.len() - first) as u32);
        best
    }
}

/// A move before its first visit. Its prior is not yet a share of all.
fn edge(child: &BoundedMove, needed: i32) -> Edge {
    // A half of a point decides.
    let spare = (child.estimate() - 4 * needed + 2) as f32;
    let (decided, wins) = if child.low() >= needed {
        (true, 1.0)
    } else if child.high() < needed {
        (true, 0.0)
    } else {
        (false, 1.0 / (1.0 + (-spare / WIN_SCALE).exp()))
    };
    let prior = (spare / PRIOR_SCALE).clamp(-40.0, 40.0).exp();
    Edge { anchor: child.anchor as u8, decided, gain: child.gain as i16, prior, visits: 0, wins, node: 0 }
}
