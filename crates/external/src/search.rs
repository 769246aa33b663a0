//! UCT on saved states: Monte Carlo tree search for any game whose rules save states and play games to their ends.
//!
//! L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, 2006. Leaves are requested in batches, since a round
//! trip to the rules costs more than most rules do; a virtual loss keeps the lines of a batch apart.

use std::time::{Duration, Instant};

use agon_game::seed::Stream;
use agon_game::{GameScore, Outcome, Side};

use crate::limits::QUESTION_TIMEOUT;
use crate::process::Answer;
use crate::rules::Rules;
use crate::situation::{Situation, Stage};
use crate::state::{move_texts, play_question, saved_text};

/// Number of leaves requested at once.
const BATCH: usize = 16;

/// Number of leaves requested first, to measure the duration of one.
const FIRST_BATCH: usize = 2;

/// Weight of exploration for rarely visited edges.
const EXPLORATION: f64 = 1.0;

/// Weight of the share of the score relative to the result.
const SCORE_PART: f64 = 0.1;

/// Maximum number of distinct outcomes of one move if chance decides.
const MAX_OUTCOMES: usize = 6;

/// Nodes of a tree.
const MAX_NODES: usize = 1_000_000;

/// Playouts after which the lines are reported first; later reports each come after a quarter more.
const FIRST_REPORT: u64 = 64;

/// What ends a search.
pub(crate) struct Budget<'a> {
    pub playouts: u64,
    pub until: Option<Instant>,
    /// Last measured duration of a leaf, if known.
    pub leaf: Option<Duration>,
    /// Memory of the tree, in bytes.
    pub memory: usize,
    /// Number of lines in each report.
    pub lines: usize,
    pub stopped: &'a dyn Fn() -> bool,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub text: String,
    /// The share of the points that the side to move expects, from 0 to 1.
    pub expected: f64,
    /// The moves that both sides would play.
    pub line: Vec<String>,
    pub playouts: u64,
    /// Duration of a leaf.
    pub leaf: Option<Duration>,
}

struct Edge {
    text: String,
    outcomes: Vec<usize>,
    visits: f64,
    /// Sum of the points of the side to move.
    points: f64,
}

impl Edge {
    /// Memory that it takes, about: itself, its text, and its first outcomes.
    const fn bytes(&self) -> usize {
        size_of::<Self>() + self.text.len() + 4 * size_of::<usize>()
    }
}

struct Node {
    saved: String,
    /// `None` when the game is over.
    side: Option<Side>,
    /// Points of the first side, for a finished game.
    first_points: Option<f64>,
    edges: Vec<Edge>,
    visits: f64,
}

struct Tree<'a> {
    rules: &'a Rules,
    nodes: Vec<Node>,
    /// Memory that the nodes take, about.
    bytes: usize,
    stream: Stream,
}

/// A line from the root to an edge whose outcome is not known yet, or to the end of a game.
struct Descent {
    path: Vec<(usize, usize)>,
    /// Points of the first side, if the line ends with the game.
    first_points: Option<f64>,
    /// The number from which the chance of the last move is drawn.
    chance: u64,
}

/// Searches a saved state and reports the best lines, the best first, from time to time; `None` when the game is over
/// there.
///
/// # Errors
/// What the rules did wrong.
pub(crate) fn search(
    rules: &Rules,
    saved: &str,
    seed: u64,
    budget: &Budget<'_>,
    report: &mut dyn FnMut(&[Found]),
) -> Result<Option<Found>, String> {
    let mut tree = Tree { rules, nodes: Vec::new(), bytes: 0, stream: Stream::new(seed, "mcts") };
    let answers = rules.ask_all(&format!("LOAD {saved}\nMOVES\n"), 2)?;
    let [Answer::Lines(loaded), moves] = &answers[..] else {
        return Err("they refuse a state that they saved".to_owned());
    };
    let Stage::Turn(side) = Situation::read(loaded)?.stage else { return Ok(None) };
    let Answer::Lines(moves) = moves else { return Err("they list no moves".to_owned()) };
    let moves = move_texts(moves)?;
    if moves.is_empty() {
        return Err(format!("they list no moves, though it is the turn of {side}"));
    }
    tree.add(saved.to_owned(), side, moves);
    let (mut playouts, mut leaf, mut next_report) = (0, budget.leaf, FIRST_REPORT);
    let has_room = |tree: &Tree<'_>| tree.nodes.len() < MAX_NODES && tree.bytes < budget.memory;
    while playouts < budget.playouts && has_room(&tree) && !(budget.stopped)() {
        let asked = Instant::now();
        let left = budget.until.map(|until| until.saturating_duration_since(asked));
        let most = if playouts == 0 { FIRST_BATCH } else { BATCH };
        let batch = batch(left, leaf, most).min((budget.playouts - playouts) as usize);
        // Whatever its clock, it must have searched at least one move.
        if batch == 0 && playouts > 0 {
            break;
        }
        let batch = batch.max(1);
        tree.step(batch)?;
        playouts += batch as u64;
        leaf = Some(asked.elapsed() / batch as u32);
        if playouts >= next_report && playouts < budget.playouts {
            report(&tree.lines(budget.lines, playouts, leaf));
            next_report = playouts + playouts / 4;
        }
    }
    let lines = tree.lines(budget.lines, playouts, leaf);
    if !lines.is_empty() {
        report(&lines);
    }
    Ok(lines.into_iter().next())
}

/// Returns the number of leaves to request at once, from the time left and the duration of a leaf: rules may be slow,
/// an answer in progress is waited for, and it has a limit. With enough time it is `most`, so that a search of a number
/// of playouts is always the same.
fn batch(left: Option<Duration>, leaf: Option<Duration>, most: usize) -> usize {
    let left = left.unwrap_or(Duration::MAX).min(QUESTION_TIMEOUT / 2);
    match leaf {
        _ if left.is_zero() => 0,
        None => most,
        Some(leaf) => (left.as_nanos() / leaf.as_nanos().max(1)).min(most as u128) as usize,
    }
}

impl Tree<'_> {
    /// Adds a node, its moves in random order.
    fn add(&mut self, saved: String, side: Side, mut moves: Vec<String>) -> usize {
        for at in (1..moves.len()).rev() {
            moves.swap(at, self.stream.below(at + 1));
        }
        let edge = |text| Edge { text, outcomes: Vec::new(), visits: 0.0, points: 0.0 };
        let edges: Vec<Edge> = moves.into_iter().map(edge).collect();
        self.bytes += size_of::<Node>() + saved.len() + edges.iter().map(Edge::bytes).sum::<usize>();
        self.nodes.push(Node { saved, side: Some(side), first_points: None, edges, visits: 0.0 });
        self.nodes.len() - 1
    }

    /// Descends some lines, requests their leaves at once, and learns from the results.
    fn step(&mut self, lines: usize) -> Result<(), String> {
        let mut open = Vec::with_capacity(lines);
        let mut questions = String::new();
        for _ in 0..lines {
            let descent = self.descend();
            if let Some(points) = descent.first_points {
                self.learn(&descent.path, points);
                continue;
            }
            let &(node, edge) = descent.path.last().ok_or("a line without a move")?;
            let Node { saved, side, edges, .. } = &self.nodes[node];
            let side = side.ok_or("a move after the end")?;
            let playout = self.stream.next() >> 11;
            let play = play_question(side, descent.chance, &edges[edge].text);
            questions += &format!("LOAD {saved}\n{play}SAVE\nMOVES\nPLAYOUT {playout}\n");
            open.push(descent);
        }
        if open.is_empty() {
            return Ok(());
        }
        let answers = self.rules.ask_all(&questions, 5 * open.len())?;
        for (descent, answers) in open.into_iter().zip(answers.chunks(5)) {
            self.take_leaf(&descent, answers)?;
        }
        Ok(())
    }

    fn take_leaf(&mut self, descent: &Descent, answers: &[Answer]) -> Result<(), String> {
        let [Answer::Lines(_), Answer::Lines(played), Answer::Lines(saved), listed, playout] = answers else {
            return Err("they refuse a move that they list, or a state that they saved".to_owned());
        };
        let &(parent, edge) = descent.path.last().ok_or("a line without a move")?;
        let Situation { stage, score, .. } = Situation::read(played)?;
        let (node, points) = match stage {
            Stage::Over(ending) => {
                let points = points_of(ending.outcome, score);
                let saved = String::new();
                self.nodes.push(Node { saved, side: None, first_points: Some(points), edges: Vec::new(), visits: 0.0 });
                (self.nodes.len() - 1, points)
            }
            Stage::Turn(side) => {
                let (Answer::Lines(listed), Answer::Lines(playout)) = (listed, playout) else {
                    return Err("they refuse MOVES or PLAYOUT while the game goes on".to_owned());
                };
                let moves = move_texts(listed)?;
                if moves.is_empty() {
                    return Err(format!("they list no moves, though it is the turn of {side}"));
                }
                let Situation { stage: Stage::Over(ending), score, .. } = Situation::read(playout)? else {
                    return Err("they answered PLAYOUT with a game that goes on".to_owned());
                };
                (self.add(saved_text(saved)?, side, moves), points_of(ending.outcome, score))
            }
        };
        self.nodes[parent].edges[edge].outcomes.push(node);
        self.learn(&descent.path, points);
        Ok(())
    }

    /// Goes from the root to an edge without an outcome, or to an end; each edge on the way is counted as visited.
    fn descend(&mut self) -> Descent {
        let mut path = Vec::new();
        let mut node = 0;
        loop {
            if let Some(points) = self.nodes[node].first_points {
                return Descent { path, first_points: Some(points), chance: 0 };
            }
            let edge = self.choose(node);
            self.nodes[node].visits += 1.0;
            self.nodes[node].edges[edge].visits += 1.0;
            path.push((node, edge));
            let known = self.nodes[node].edges[edge].outcomes.len();
            let wanted = if self.rules.description.chance { MAX_OUTCOMES } else { 1 };
            // Outcomes are drawn as they come until there are enough.
            if known < wanted && (known == 0 || self.nodes[node].edges[edge].visits as usize > known * known) {
                return Descent { path, first_points: None, chance: self.stream.next() >> 11 };
            }
            node = self.nodes[node].edges[edge].outcomes[self.stream.below(known)];
        }
    }

    fn choose(&self, node: usize) -> usize {
        let Node { edges, visits, .. } = &self.nodes[node];
        let log = (visits + 1.0).ln();
        let value = |edge: &Edge| match edge.visits {
            0.0 => f64::INFINITY,
            visits => edge.points / visits + EXPLORATION * (log / visits).sqrt(),
        };
        let values = edges.iter().map(value).enumerate();
        values.fold((0, f64::NEG_INFINITY), |best, (at, value)| if value > best.1 { (at, value) } else { best }).0
    }

    fn learn(&mut self, path: &[(usize, usize)], first_points: f64) {
        for &(node, edge) in path {
            let points = match self.nodes[node].side {
                Some(Side::First) => first_points,
                _ => 1.0 - first_points,
            };
            self.nodes[node].edges[edge].points += points;
        }
    }

    /// The lines that begin with the moves that were visited most, at most `count` and at least one.
    fn lines(&self, count: usize, playouts: u64, leaf: Option<Duration>) -> Vec<Found> {
        let edges = &self.nodes[0].edges;
        let mut first: Vec<usize> = (0..edges.len()).filter(|&at| edges[at].visits > 0.0).collect();
        // Of equals the last one is the best, as `max_by` chooses below.
        first.sort_by(|&one, &other| edges[other].visits.total_cmp(&edges[one].visits).then(other.cmp(&one)));
        first.truncate(count.max(1));
        let found = |at: usize| {
            let expected = edges[at].points / edges[at].visits;
            Found { text: edges[at].text.clone(), expected, line: self.line_from(at), playouts, leaf }
        };
        first.into_iter().map(found).collect()
    }

    /// The moves that follow on a move of the root, each the one that was visited most.
    fn line_from(&self, first: usize) -> Vec<String> {
        let most = |node: &Node| {
            let edges = node.edges.iter().enumerate().filter(|(_, edge)| edge.visits > 0.0);
            edges.max_by(|(_, one), (_, other)| one.visits.total_cmp(&other.visits)).map(|(at, _)| at)
        };
        let (mut line, mut node, mut at) = (Vec::new(), &self.nodes[0], Some(first));
        while let Some(edge) = at.map(|at| &node.edges[at]) {
            line.push(edge.text.clone());
            // Where chance decides, the line ends; else leaves of one batch may stand for one outcome.
            let is_open = self.rules.description.chance && edge.outcomes.len() > 1;
            let visits = |at: &usize| self.nodes[*at].visits;
            match edge.outcomes.iter().max_by(|one, other| visits(one).total_cmp(&visits(other))) {
                Some(&next) if line.len() < 30 && !is_open => node = &self.nodes[next],
                _ => break,
            }
            at = most(node);
        }
        line
    }
}

/// Returns the points of the first side: the result, and to a small part its share of the score, so that among winning
/// moves the one with the higher score is preferred.
fn points_of(outcome: Outcome, score: Option<[GameScore; 2]>) -> f64 {
    let result = match outcome {
        Outcome::Win(Side::First) => 1.0,
        Outcome::Win(Side::Second) => 0.0,
        Outcome::Draw => 0.5,
    };
    let Some([first, second]) = score.map(|score| score.map(|score| f64::from(score.halves()))) else { return result };
    let all = first.abs() + second.abs();
    let share = if all == 0.0 { 0.5 } else { 0.5 + (first - second) / all / 2.0 };
    (1.0 - SCORE_PART) * result + SCORE_PART * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_decides_between_equal_results() {
        let points = |outcome, score: [i32; 2]| points_of(outcome, Some(score.map(GameScore::from_halves)));
        let won = Outcome::Win(Side::First);
        assert!(points(won, [8, 2]) > points(won, [6, 4]) && points(won, [6, 4]) > points(Outcome::Draw, [9, 1]));
        assert!((points(Outcome::Draw, [0, 0]) - points_of(Outcome::Draw, None)).abs() < 1e-12);
        assert!((0.0..=1.0).contains(&points(Outcome::Win(Side::Second), [-4, 4])));
    }

    #[test]
    fn no_more_is_asked_than_there_is_time_for() {
        let ms = |time| Some(Duration::from_millis(time));
        assert_eq!(batch(None, ms(100), 16), 16, "playouts alone bound it");
        assert_eq!(batch(None, ms(500), 16), 5, "all of them are one question, which has a limit");
        assert_eq!((batch(ms(50), None, 2), batch(ms(0), ms(1), 2)), (2, 0));
        assert_eq!((batch(ms(50), ms(10), 16), batch(ms(50), ms(60), 16), batch(ms(50), ms(1), 16)), (5, 0, 16));
        assert_eq!(batch(ms(50), Some(Duration::ZERO), 16), 16);
    }
}
