//! Renju: a win by fours and threes if there is one, else the best lines.

use std::time::Duration;

use agon_engines::renju::Threats;
use agon_game::Position as _;
use agon_proof::solution::{ThreatMode, ThreatSolution, solve};
use agon_proof::verifier::LineError;
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{Engine, Info, Instant, Score, SearchLimits, Task};
use serde_json::{Value, json};

use super::lines::numbers;

/// Findings about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenjuFindings {
    pub best: Option<Move>,
    /// A forced win of the side to move, to its last stone.
    pub win: Option<Vec<Move>>,
    /// The points that are forbidden to Black.
    pub forbidden: Vec<Point>,
}

/// Time for the engine before quieter wins are searched, and time for that search. The engine continues afterwards; a
/// search with less than four times both skips it, as does one with a node limit.
const FIRST_SEARCH: Duration = Duration::from_secs(2);
const WIDE_SEARCH: Duration = Duration::from_secs(3);

/// Looks for a win by fours and threes for this long, and lets the engine think if there is none; in a long analysis it
/// also looks for a win by any moves that threaten one by fours. The listener hears the win as the best line, or the
/// engine's lines.
///
/// # Errors
/// [`LineError`] if the rules refuse the win that was found: then a search is wrong.
pub fn analyse(
    position: &Renju,
    task: &Task,
    threats: &mut Threats,
    looking: Duration,
    engine: &mut dyn Engine<Renju>,
    listener: &mut dyn FnMut(&Info<Move>),
) -> Result<RenjuFindings, LineError> {
    let begin = Instant::now();
    // A win that is proved is the best line, so it must be known before others are shown.
    let limits = SearchLimits { nodes: task.limits.nodes, ..SearchLimits::time(looking) };
    let mut found = solve(threats, position, ThreatMode::Threats, limits, &task.stop)?;
    let left = || task.limits.time.map(|time| time.saturating_sub(begin.elapsed()));
    let mut thought = Thought::default();
    if !is_win(&found) {
        let long = left().is_none_or(|left| left >= 4 * (FIRST_SEARCH + WIDE_SEARCH));
        if long && task.limits.nodes.is_none() && position.outcome().is_none() {
            thought.search(position, task, Some(FIRST_SEARCH), begin, engine, listener);
            if thought.win.is_none() && !task.stop.is_raised() {
                found = solve(threats, position, ThreatMode::Any, SearchLimits::time(WIDE_SEARCH), &task.stop)?;
            }
        }
        if !is_win(&found) && thought.win.is_none() {
            thought.search(position, task, left(), begin, engine, listener);
        }
    }
    if is_win(&found) {
        let plies = found.line.len() as u32;
        listener(&Info {
            depth: plies,
            seldepth: plies,
            multipv: 1,
            score: Score::Win(plies),
            nodes: found.nodes,
            hashfull: None,
            elapsed: begin.elapsed(),
            pv: found.line.clone(),
        });
        thought = Thought { best: found.line.first().copied(), win: Some(found.line), ..thought };
    }
    let forbidden =
        if position.outcome().is_some() { Vec::new() } else { position.forbidden_points().iter().collect() };
    Ok(RenjuFindings { best: thought.best, win: thought.win, forbidden })
}

fn is_win(found: &ThreatSolution) -> bool {
    found.win == Some(true) && !found.line.is_empty()
}

/// An engine's thinking, which may be interrupted.
#[derive(Default)]
struct Thought {
    best: Option<Move>,
    win: Option<Vec<Move>>,
    /// The depth whose lines were all heard.
    depth: u32,
}

impl Thought {
    /// Runs the engine for this time. Its earlier findings are in its table, and are not reported again.
    fn search(
        &mut self,
        position: &Renju,
        task: &Task,
        time: Option<Duration>,
        begin: Instant,
        engine: &mut dyn Engine<Renju>,
        listener: &mut dyn FnMut(&Info<Move>),
    ) {
        let heard = self.depth;
        let task = Task { limits: SearchLimits { time, ..task.limits }, ..task.clone() };
        let best = engine.search(position, &task, &mut |info| {
            if info.depth <= heard && heard > 0 {
                return;
            }
            // The search has its own ways to find a win.
            if info.multipv == 1 {
                let whole = info.score == Score::Win(info.pv.len() as u32);
                self.win = whole.then(|| info.pv.clone());
                self.depth = info.depth;
            }
            if heard > 0 { listener(&Info { elapsed: begin.elapsed(), ..info.clone() }) } else { listener(info) }
        });
        self.best = best.or(self.best);
    }
}

/// Returns the best lines of one of the first three turns, in which an engine plays known moves: every continuation up
/// to the fourth is searched, and both sides are assumed to choose their best. These searches share the limits.
pub fn analyse_opening(
    position: &Renju,
    task: &Task,
    engine: &mut dyn Engine<Renju>,
    listener: &mut dyn FnMut(&Info<Move>),
) -> RenjuFindings {
    let begin = Instant::now();
    let each = u32::try_from(after_opening(position)).unwrap_or(u32::MAX).max(1);
    let limits = SearchLimits {
        time: task.limits.time.map(|time| time / each),
        nodes: task.limits.nodes.map(|nodes| (nodes / u64::from(each)).max(1)),
        ..task.limits
    };
    let task_each = Task { limits, multipv: 1, ..task.clone() };
    let mut nodes = 0;
    let mut lines: Vec<Info<Move>> =
        next_turns(position).filter_map(|(m, next)| line_after(m, &next, &task_each, engine, &mut nodes)).collect();
    // Lines for the side to move, the best first; the order of the moves decides between equal ones.
    lines.sort_by_key(|info| std::cmp::Reverse(rank(info.score)));
    for (line, multipv) in lines.iter_mut().zip(1..) {
        (line.multipv, line.nodes, line.elapsed) = (multipv, nodes, begin.elapsed());
    }
    for line in lines.iter().take(task.multipv.max(1)).rev() {
        listener(line);
    }
    let best = lines.first().and_then(|line| line.pv.first().copied());
    RenjuFindings { best, win: None, forbidden: position.forbidden_points().iter().collect() }
}

/// Turns that end the opening.
const OPENING_PLIES: u32 = 3;

/// Returns the number of positions after the opening that can follow.
fn after_opening(position: &Renju) -> usize {
    if position.ply() >= OPENING_PLIES { 1 } else { next_turns(position).map(|(_, next)| after_opening(&next)).sum() }
}

fn next_turns(position: &Renju) -> impl Iterator<Item = (Move, Renju)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let position = position.clone();
    moves.into_iter().filter(|m| *m != Move::Pass).map(move |m| {
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        (m, next)
    })
}

/// Returns the line of a move, with the score for its side; `None` if the search was stopped before it found one.
fn line_after(
    m: Move,
    next: &Renju,
    task: &Task,
    engine: &mut dyn Engine<Renju>,
    nodes: &mut u64,
) -> Option<Info<Move>> {
    let mut best: Option<Info<Move>> = None;
    if next.ply() >= OPENING_PLIES {
        engine.search(next, task, &mut |info| {
            if info.multipv == 1 {
                best = Some(info.clone());
            }
        });
        *nodes += best.as_ref().map_or(0, |info| info.nodes);
    } else {
        for (reply, after) in next_turns(next) {
            let line = line_after(reply, &after, task, engine, nodes);
            let better = |line: &Info<Move>| best.as_ref().is_none_or(|best| rank(line.score) > rank(best.score));
            if line.as_ref().is_some_and(better) {
                best = line;
            }
        }
    }
    let mut line = best?;
    line.score = match line.score {
        Score::Centi(value) => Score::Centi(-value),
        Score::Win(plies) => Score::Loss(plies + 1),
        Score::Loss(plies) => Score::Win(plies + 1),
    };
    line.pv.insert(0, m);
    line.depth += 1;
    line.seldepth += 1;
    Some(line)
}

/// Orders scores: an early win is the best, an early loss the worst.
fn rank(score: Score) -> i64 {
    const WON: i64 = 1 << 40;
    match score {
        Score::Centi(value) => value.into(),
        Score::Win(plies) => WON - i64::from(plies),
        Score::Loss(plies) => i64::from(plies) - WON,
    }
}

impl RenjuFindings {
    /// The forbidden points and the win as one line of JSON.
    pub fn json(&self) -> Value {
        let forbidden: Vec<[u8; 2]> = self.forbidden.iter().map(|point| [point.row(), point.column()]).collect();
        let win = self.win.as_deref();
        json!({
            "forbidden": forbidden,
            "win": win.map(|line| line.iter().map(numbers).collect::<Vec<_>>()),
            "letters": win.map(|line| line.iter().map(|m| m.letters()).collect::<Vec<_>>()),
        })
    }
}
