//! Drop-out expansion: the openings played through by searches, to find the moves that hold.
//!
//! A tree of positions, each searched once for its best few moves. What a move is worth is what the position behind it is
//! worth, once that was searched too, and so on from the ends up: a position that looked good and whose best answers turn
//! out bad becomes bad, and the next best move before it takes its place.
//!
//! The tree grows where it costs least to go: a ply costs a little, a move costs the more the worse it is than the best beside it
//! ("drop-out expansion": T. R. Lincke, "Strategies for the Automatic Construction of Opening Books", Computers and Games
//! 2000). There are two repertoires, Black's and White's. In each the side whose it is plays little but its best moves, and
//! the other side whatever is not much worse.
//!
//! Games that were played can be given too: their positions are searched before all others. A move counts wherever the
//! position behind it was searched, whether or not its own position's search thought of it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use agon_engines::renju::book::{PractisedBook, Symmetry, notation};
use agon_engines::renju::search::{RenjuSearch, Skill};
use agon_engines::renju::{Evaluation, Tuning};
use agon_game::{Position, Side};
use agon_rules::renju::{Move, Point, Renju, Stones};
use agon_search::evaluate::LARGEST;
use agon_search::value::WIN;
use agon_search::{Score, SearchLimits, Stop, Task};

/// How many moves of a position are looked at: up to three stones, when most of them are not much worse than the best,
const FIRST_LINES: usize = 24;

/// and later.
const LINES: usize = 6;

/// Bytes of a search's tables.
const TABLE_BYTES: usize = 8 << 20;

/// What a ply costs. With more the tree gets broad and its lines end where they look good, which a network believes too
/// easily: what the best line of twenty plies is worth is seen by going on with it.
const PLY: f64 = 0.2;

/// What a move costs that turns a certain win into a certain loss, in plies: of the side whose repertoire it is,
const OWN_DROP: f64 = 30.0;

/// and of the other.
const OTHER_DROP: f64 = 25.0;

/// What an end of the tree costs that is as good as decided.
const DECIDED: f64 = 5.0;

/// One position in so many is of White's repertoire, the others of Black's.
const WHITES: usize = 4;

/// The value of a position of which all moves lose that were looked at, to the side that has them.
pub const LOST: i32 = -LARGEST;

/// Hundredths that mean odds of e : 1.
const SCALE: f64 = 400.0;

/// With so many stones a search's value is what it says,
const FEW: u32 = 12;

/// and with so many it is half of it,
const MANY: u32 = 28;

/// less this many hundredths to Black.
const LATE: f64 = 200.0;

/// A move is kept if at least so many positions behind it were searched: with less a search at the board knows more.
const LEAST_SEARCHED: usize = 6;

/// A position's best moves, as a search found them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookNode {
    /// The position: whose turn it is follows from the stones.
    pub stones: Stones,
    /// Moves and what they are worth to the side to move, in hundredths, those of a decided game beyond [`LARGEST`]; the
    /// best first.
    pub moves: Vec<(u8, i32)>,
}

/// Searches a position for its best moves with so many nodes. `None` when it was stopped, or nothing can be played.
pub fn examine(stones: &Stones, nodes: u64, stop: &Stop) -> Option<BookNode> {
    let position = stones.position(stones.turn()?)?;
    let lines = if stones.len() <= 3 { FIRST_LINES } else { LINES };
    let task = Task { limits: SearchLimits::nodes(nodes), multipv: lines, stop: stop.clone(), ..Task::default() };
    let mut search = RenjuSearch::tuned(TABLE_BYTES, Skill::FULL, Tuning::default()).believing(Evaluation::built_in());
    let mut told: Vec<Option<(u8, i32)>> = vec![None; lines];
    let found = search.think(&position, &task, &mut |info| {
        let value = match info.score {
            Score::Centi(centi) => centi.clamp(-LARGEST, LARGEST),
            Score::Win(_) => WIN,
            Score::Loss(_) => -WIN,
        };
        if let (Some(place), Some(&Move::Stone(point))) = (told.get_mut(info.multipv - 1), info.pv.first()) {
            *place = Some((point.index() as u8, value));
        }
    })?;
    let mut moves: Vec<(u8, i32)> = told.into_iter().flatten().collect();
    if let (true, Some(&Move::Stone(point))) = (moves.is_empty(), found.line.first()) {
        // It had not even finished a first look.
        moves.push((point.index() as u8, found.value.clamp(-LARGEST, LARGEST)));
    }
    moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
    (!stop.is_raised() && !moves.is_empty()).then_some(BookNode { stones: *stones, moves })
}

/// The same stones, turned the one way of eight that comes first, and that way.
fn canonical(stones: &Stones) -> (Stones, Symmetry) {
    let turned = Symmetry::ALL.map(|symmetry| (symmetry.stones(stones), symmetry));
    turned.into_iter().min_by_key(|&(turned, _)| turned).unwrap_or((*stones, Symmetry::ALL[0]))
}

/// What is behind a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Successor {
    /// Nothing was looked at.
    Unknown,
    /// It is being searched.
    Waiting,
    /// A node.
    Node(usize),
}

#[derive(Clone, Debug)]
struct Candidate {
    cell: u8,
    /// What it is worth to the side to move: as its own position's search found, until the one behind it was searched.
    value: i32,
    behind: Successor,
}

#[derive(Clone, Debug)]
struct ExpansionNode {
    stones: Stones,
    turn: Side,
    candidates: Vec<Candidate>,
    parents: Vec<usize>,
    /// Whether its search has found that every move loses.
    is_lost: bool,
    /// To the side to move.
    value: i32,
    /// For each repertoire what it costs to go to the cheapest end below.
    costs: [f64; 2],
}

/// The tree.
#[derive(Clone, Debug)]
pub struct DropOutExpansion {
    nodes: Vec<ExpansionNode>,
    at: HashMap<Stones, usize>,
    /// Where each repertoire begins.
    roots: [Vec<Stones>; 2],
    /// What is left to search of each game that is followed, the next position last.
    games: Vec<Vec<Stones>>,
    /// The positions that are being searched.
    waiting: HashSet<Stones>,
}

impl DropOutExpansion {
    /// A tree of what is known, which need not be searched again.
    pub fn new(known: impl IntoIterator<Item = BookNode>) -> Self {
        let mut practice = Self {
            nodes: Vec::new(),
            at: HashMap::new(),
            roots: Side::BOTH.map(roots),
            games: Vec::new(),
            waiting: HashSet::new(),
        };
        practice.remember(known);
        practice
    }

    /// Takes in what was searched before.
    pub fn remember(&mut self, known: impl IntoIterator<Item = BookNode>) {
        // From the ends up each value is computed once.
        let mut known: Vec<BookNode> = known.into_iter().collect();
        known.sort_by_key(|examined| std::cmp::Reverse(examined.stones.len()));
        for examined in known {
            self.add(examined);
        }
    }

    /// How many positions were searched.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Plays a game through from its third move on, up to a PASS: its positions are searched before all others, one after
    /// the other until the game is decided. False if it is of fewer than three moves.
    pub fn follow(&mut self, moves: &[Move]) -> bool {
        let (mut position, mut line) = (Renju::default(), Vec::new());
        for &m in moves {
            if m == Move::Pass || position.check(m).is_err() {
                break;
            }
            position.play(m, &mut ());
            if position.ply() >= 3 && position.outcome().is_none() {
                line.push(canonical(&Stones::of(position.board())).0);
            }
        }
        let begins = line.first().is_some_and(|first| self.roots.iter().any(|roots| roots.contains(first)));
        if begins {
            line.reverse();
            self.games.push(line);
        }
        begins
    }

    /// The position to be searched next, which is waited for until [`Self::learn`] is told about it. `None` if all that
    /// could be is being searched, or everything is decided.
    pub fn ask(&mut self) -> Option<Stones> {
        let stones = self.ask_games().or_else(|| self.ask_repertoires())?;
        self.waiting.insert(stones);
        Some(stones)
    }

    /// The next position of a game.
    fn ask_games(&mut self) -> Option<Stones> {
        for line in &mut self.games {
            while let Some(&node) = line.last().and_then(|stones| self.at.get(stones)) {
                line.pop();
                if self.nodes[node].value.abs() > LARGEST {
                    line.clear();
                }
            }
        }
        self.games.retain(|line| !line.is_empty());
        self.games.iter().filter_map(|line| line.last()).find(|&stones| !self.waiting.contains(stones)).copied()
    }

    /// The cheapest end of one repertoire, or else of the other: White's now and then, since it is lost if Black knows how.
    fn ask_repertoires(&mut self) -> Option<Stones> {
        let asked = self.nodes.len() + self.waiting.len();
        let side = if asked.is_multiple_of(WHITES) { Side::Second } else { Side::First };
        self.descend(side).or_else(|| self.descend(side.other()))
    }

    /// Goes down to the cheapest end of a repertoire that nobody waits for.
    fn descend(&mut self, side: Side) -> Option<Stones> {
        let roots: Vec<(Stones, Option<usize>)> =
            self.roots[side.index()].iter().map(|stones| (*stones, self.at.get(stones).copied())).collect();
        // The other side chooses among them, as it does further down.
        let worth = |&node: &usize| {
            let node = &self.nodes[node];
            chance(if node.turn == side { -node.value } else { node.value })
        };
        let best = roots.iter().filter_map(|(_, node)| node.as_ref().map(worth)).fold(0.0, f64::max);
        let cost = |(stones, node): &(Stones, Option<usize>)| match node {
            Some(node) => self.nodes[*node].costs[side.index()] + OTHER_DROP * (best - worth(node)),
            None if self.waiting.contains(stones) => f64::INFINITY,
            None => 0.0,
        };
        let cheapest = roots.iter().map(|root| (cost(root), root)).min_by(|a, b| a.0.total_cmp(&b.0));
        let &(root, start) = cheapest.filter(|(cost, _)| cost.is_finite())?.1;
        let Some(start) = start else { return Some(root) };
        let mut at = start;
        loop {
            let number = self.cheapest(at, side)?;
            let node = &self.nodes[at];
            let candidate = &node.candidates[number];
            if let Successor::Node(next) = candidate.behind {
                at = next;
                continue;
            }
            let (stones, _) = canonical(&node.stones.with(node.turn, candidate.cell));
            self.nodes[at].candidates[number].behind = Successor::Waiting;
            self.update(at);
            if !self.waiting.contains(&stones) {
                return Some(stones);
            }
            // Another move, or a game, led there before.
            at = start;
        }
    }

    /// Takes what a search has found; nothing if nobody waits for it.
    pub fn learn(&mut self, examined: BookNode) {
        if self.waiting.remove(&examined.stones) {
            self.add(examined);
        }
    }

    /// Makes a node of it, unless there is one.
    fn add(&mut self, examined: BookNode) {
        let BookNode { stones, moves } = examined;
        let Some(turn) = stones.turn().filter(|_| !self.at.contains_key(&stones)) else { return };
        let number = self.nodes.len();
        let is_lost = !moves.is_empty() && moves.iter().all(|&(_, value)| value < LOST);
        let believed = |value| believed(value, turn, stones.len());
        let candidates = moves.into_iter().map(|(cell, value)| Candidate {
            cell,
            value: believed(value),
            behind: Successor::Unknown,
        });
        let candidates = candidates.collect();
        let parents = self.lead(&stones, turn.other(), number);
        self.nodes.push(ExpansionNode { stones, turn, candidates, parents, is_lost, value: 0, costs: [0.0; 2] });
        self.at.insert(stones, number);
        self.look_ahead(number);
        self.update(number);
    }

    /// Lets all moves of the tree that make these stones lead to their node; returns whence.
    fn lead(&mut self, stones: &Stones, mover: Side, number: usize) -> Vec<usize> {
        let mut parents = Vec::new();
        for cell in stones.of_side(mover).iter() {
            let (before, symmetry) = canonical(&stones.remove(cell));
            let Some(&parent) = self.at.get(&before).filter(|parent| !parents.contains(*parent)) else { continue };
            let candidates = &mut self.nodes[parent].candidates;
            // On a symmetric board two moves may make the same stones.
            let mut leading = candidates
                .iter_mut()
                .filter(|candidate| canonical(&before.with(mover, candidate.cell)).0 == *stones)
                .peekable();
            let cell = symmetry.cell(cell);
            if leading.peek().is_some() {
                leading.for_each(|candidate| candidate.behind = Successor::Node(number));
            } else if is_legal(&before, mover, cell) {
                candidates.push(Candidate { cell, value: 0, behind: Successor::Node(number) });
            } else {
                continue;
            }
            parents.push(parent);
        }
        parents
    }

    /// Finds the nodes behind the moves of a new one, those among them that its search did not think of.
    fn look_ahead(&mut self, number: usize) {
        let ExpansionNode { stones, turn, .. } = self.nodes[number];
        let turned = Symmetry::ALL.map(|symmetry| (symmetry, symmetry.stones(&stones)));
        for cell in stones.empties().iter() {
            let afters = turned.iter().map(|(symmetry, stones)| stones.with(turn, symmetry.cell(cell)));
            let Some(after) = afters.min() else { continue };
            let Some(&next) = self.at.get(&after) else { continue };
            let behind = Successor::Node(next);
            let candidates = &mut self.nodes[number].candidates;
            match candidates.iter_mut().find(|candidate| candidate.cell == cell) {
                Some(found) => found.behind = behind,
                None if is_legal(&stones, turn, cell) => candidates.push(Candidate { cell, value: 0, behind }),
                None => continue,
            }
            self.nodes[next].parents.push(number);
        }
    }

    /// A position that was asked for could not be searched: it is never asked for again.
    pub fn give_up(&mut self, stones: &Stones) {
        self.learn(BookNode { stones: *stones, moves: Vec::new() });
    }

    /// Puts values and costs right: of a node that has changed, of those before it, and so on up as far as they change.
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

    /// What a node's moves are worth, and so it.
    fn revalue(&mut self, at: usize) {
        // That all moves lose that were looked at does not mean that all lose, unless the search has said so.
        let node = &self.nodes[at];
        let mut best = match node.candidates.is_empty() {
            true => 0,
            false if node.is_lost => -WIN,
            false => LOST,
        };
        for number in 0..self.nodes[at].candidates.len() {
            if let Successor::Node(next) = self.nodes[at].candidates[number].behind {
                self.nodes[at].candidates[number].value = -self.nodes[next].value;
            }
            best = best.max(self.nodes[at].candidates[number].value);
        }
        self.nodes[at].value = best;
    }

    /// The move that leads to the cheapest end, if any leads to one.
    fn cheapest(&self, at: usize, side: Side) -> Option<usize> {
        if self.nodes[at].value.abs() > LARGEST {
            return None;
        }
        let costs = (0..self.nodes[at].candidates.len()).map(|number| (self.cost(at, number, side), number));
        costs.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(cost, _)| cost.is_finite()).map(|(_, number)| number)
    }

    /// What it costs to go by a move to the cheapest end behind it, in the repertoire of a side.
    fn cost(&self, at: usize, number: usize, side: Side) -> f64 {
        let node = &self.nodes[at];
        let candidate = &node.candidates[number];
        let below = match candidate.behind {
            Successor::Waiting => f64::INFINITY,
            Successor::Node(next) => self.nodes[next].costs[side.index()],
            Successor::Unknown if candidate.value.abs() > LARGEST => f64::INFINITY,
            Successor::Unknown => DECIDED * (2.0 * chance(candidate.value) - 1.0).abs(),
        };
        let drop = if node.turn == side { OWN_DROP } else { OTHER_DROP };
        PLY + drop * (chance(node.value) - chance(candidate.value)) + below
    }

    /// The moves that have held: in each repertoire the best of the side whose it is, against all that was tried. Where all
    /// of its moves lose, that whose refutation took the most searches: it is the hardest to find.
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
                let behind = |candidate: &Candidate| match candidate.behind {
                    Successor::Node(next) => Some(next),
                    Successor::Unknown | Successor::Waiting => None,
                };
                if node.turn != side {
                    waiting.extend(node.candidates.iter().filter_map(behind));
                    continue;
                }
                let size = |candidate: &Candidate| match node.value {
                    ..=LOST => behind(candidate).map_or(0, |next| sizes[next]),
                    _ => 0,
                };
                // Of equals the first: the better one by the search.
                let best = node.candidates.iter().rev().max_by_key(|candidate| (candidate.value, size(candidate)));
                let Some(best) = best else { continue };
                let next = behind(best);
                // Where all loses that was looked at, little has to be.
                if best.value >= LARGEST || next.is_some_and(|next| self.is_tried(next)) {
                    moves.insert(node.stones, best.cell);
                    waiting.extend(next);
                }
            }
        }
        PractisedBook::new(moves)
    }

    /// How many searches lie behind each node, itself among them, those that several lines lead to more than once.
    fn sizes(&self) -> Vec<u64> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(self.nodes[at].stones.len()));
        let mut sizes = vec![1_u64; self.nodes.len()];
        for at in order {
            for candidate in &self.nodes[at].candidates {
                if let Successor::Node(next) = candidate.behind {
                    sizes[at] = sizes[at].saturating_add(sizes[next]);
                }
            }
        }
        sizes
    }

    /// Whether enough was searched behind a node.
    fn is_tried(&self, at: usize) -> bool {
        let mut reached = vec![at];
        let mut next = 0;
        while let Some(&at) = reached.get(next).filter(|_| reached.len() < LEAST_SEARCHED) {
            for candidate in &self.nodes[at].candidates {
                if let Successor::Node(behind) = candidate.behind
                    && !reached.contains(&behind)
                {
                    reached.push(behind);
                }
            }
            next += 1;
        }
        reached.len() >= LEAST_SEARCHED
    }

    /// What each position at the beginning of a repertoire is worth to the side whose it is, in hundredths, as far as it
    /// was searched; the worst first.
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

/// The positions from which a side has to know: Black before its third move, whatever White's second was, White after
/// it, whatever both were: not every game leaves the second to the champion.
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
                next.play(m, &mut ());
                after.push(next);
            }
        }
        before = after;
    }
    let stones: BTreeSet<Stones> = before.iter().map(|position| canonical(&Stones::of(position.board())).0).collect();
    stones.into_iter().collect()
}

/// Whether a stone may be put there by a side whose turn it is.
fn is_legal(stones: &Stones, turn: Side, cell: u8) -> bool {
    let point = Point::from_index(cell.into());
    let position = stones.position(turn);
    position.zip(point).is_some_and(|(position, point)| position.check(Move::Stone(point)).is_ok())
}

/// What a search's value to the side to move is worth with so many stones on the board, in the hundredths of an opening's.
///
/// A search is believed less the more stones there are, and believed to look too kindly on Black, whose attacks run dry:
/// in 508 457 positions from games begun from positions of the practised book a value of +600 to Black was
/// worth 0.83 points with fewer than 14 stones, 0.63 with 20 to 27 and 0.56 with 28 to 39, and a value of 0 half a point, 0.40 and 0.37.
/// Without this the best line of the tree is the longest, since it is the best of the most mistakes.
fn believed(value: i32, turn: Side, stones: u32) -> i32 {
    if value.abs() > LARGEST {
        return value;
    }
    let late = (f64::from(stones.clamp(FEW, MANY) - FEW)) / f64::from(MANY - FEW);
    let black = f64::from(if turn == Side::First { value } else { -value });
    let black = (black / (1.0 + late) - LATE * late).round() as i32;
    (if turn == Side::First { black } else { -black }).clamp(-LARGEST, LARGEST)
}

/// The chance to win that a value means.
fn chance(value: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(value) / SCALE).exp())
}

/// As a line: the stones, then the moves with their values, decided games as `win` and `loss`.
impl fmt::Display for BookNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&notation::stones(&self.stones))?;
        for &(cell, value) in &self.moves {
            let cell = notation::cell(cell);
            match value {
                WIN.. => write!(f, " {cell}:win")?,
                value if value < LOST => write!(f, " {cell}:loss")?,
                value => write!(f, " {cell}:{value}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for BookNode {
    type Err = BookNodeError;

    fn from_str(line: &str) -> Result<Self, BookNodeError> {
        let read = || {
            let mut words = line.split(' ');
            let stones = notation::read_stones(words.next()?)?;
            let read = |word: &str| {
                let (cell, value) = word.split_once(':')?;
                let value = match value {
                    "win" => WIN,
                    "loss" => -WIN,
                    _ => value.parse().ok().filter(|value| (-LARGEST..=LARGEST).contains(value))?,
                };
                Some((notation::read_cell(cell).filter(|&cell| stones.empties().contains(cell))?, value))
            };
            let moves = words.map(read).collect::<Option<Vec<_>>>()?;
            stones.turn()?;
            Some(Self { stones, moves })
        };
        read().ok_or_else(|| BookNodeError { line: line.chars().take(60).collect() })
    }
}

/// A line that practice did not write.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{line}` is no position with its best moves")]
pub struct BookNodeError {
    /// The refused line.
    pub line: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_values_are_believed_less() {
        assert_eq!([3, 12].map(|stones| believed(640, Side::First, stones)), [640; 2]);
        assert_eq!([28, 60].map(|stones| believed(640, Side::First, stones)), [120; 2]);
        // To White the same position.
        assert_eq!(believed(-640, Side::Second, 28), -120);
        assert_eq!([WIN, -WIN].map(|value| believed(value, Side::First, 40)), [WIN, -WIN]);
        // More is never worth less, and nothing becomes decided.
        for stones in [0, 17, 40] {
            let values: Vec<i32> =
                (-LARGEST..=LARGEST).step_by(50).map(|value| believed(value, Side::Second, stones)).collect();
            assert!(values.is_sorted() && values.iter().all(|value| value.abs() <= LARGEST));
        }
    }
}
