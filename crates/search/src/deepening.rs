//! Iterative deepening with aspiration windows: the loop over depths that every search of a root shares.

use crate::evaluate::MAX_EVALUATION;
use crate::value::{INFINITY, score};
use crate::{Info, Meter, Stopped, Task};

/// A search window: the lower and the upper bound.
pub type AspirationWindow = (i32, i32);

/// From this depth on the first window is around the last iteration's value.
const LEAST_ASPIRATION: i32 = 4;

/// A line of play and its value for the side to move at its root.
#[derive(Clone, Debug)]
pub struct PvLine<M> {
    /// The moves, the one to be played first; never empty.
    pub moves: Vec<M>,
    /// What the line is worth.
    pub value: i32,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    pub line: Vec<M>,
    /// Its value for the side to move.
    pub value: i32,
    /// The last finished iteration, in plies.
    pub depth: u32,
    /// How many nodes were visited.
    pub nodes: u64,
}

impl<M> SearchResult<M> {
    /// A move that was known without a search.
    pub fn known(m: M) -> Self {
        Self { line: vec![m], value: 0, depth: 0, nodes: 0 }
    }
}

/// A search of one root position, as [`deepen`] drives it.
pub trait RootSearcher {
    type Move: Copy + PartialEq;

    const MAX_DEPTH: i32;

    /// What counts its nodes and ends it.
    fn meter(&self) -> &Meter;

    /// The nodes visited, those of helper threads included.
    fn nodes(&self) -> u64 {
        self.meter().nodes()
    }

    /// The deepest ply visited by now.
    fn seldepth(&self) -> i32;

    /// Half the first aspiration window.
    fn aspiration(&self) -> i32;

    /// The next window after the value fell outside the last one for the `failures`-th time, of which the first was
    /// around `guess`.
    fn widen(&self, last: AspirationWindow, guess: i32, value: i32, failures: u32) -> AspirationWindow;

    fn begin(&mut self) {}

    /// Searches the root within a window, fail-soft, without the first moves of the `rank` better lines of this
    /// iteration.
    ///
    /// # Errors
    /// [`Stopped`] at a limit.
    fn search(&mut self, rank: usize, window: AspirationWindow, depth: i32) -> Result<i32, Stopped>;

    /// The line of this rank, whose value has just been found; `None` where no move is left.
    fn line(&mut self, rank: usize, value: i32) -> Option<PvLine<Self::Move>>;

    /// The best line so far of an iteration that was stopped in its first one. The best move of the last iteration was
    /// tried first, so this is no worse.
    fn interrupted(&mut self, last: Option<&PvLine<Self::Move>>) -> Option<PvLine<Self::Move>>;

    /// The move that the first iteration tries first, where it has a reason to.
    fn expected(&self) -> Option<Self::Move> {
        None
    }

    /// Whether a deeper search can hardly find anything better.
    fn is_decided(&self, value: i32, depth: i32) -> bool;

    /// By what the soft limit of time is multiplied: `stable` iterations have kept the best move, whose value has fallen
    /// by so much since the last iteration.
    fn patience(&self, best: Self::Move, stable: i32, fallen: i32) -> f64;
}

/// Searches deeper and deeper and reports every finished iteration, the best line last, and of one that was stopped what it
/// has changed: the move that is returned is always the first of the best line reported last, and no line is worth less
/// than those after it. The root has `moves` legal moves; `first` is the answer if not even one of them can be searched.
pub fn deepen<S: RootSearcher>(
    search: &mut S,
    task: &Task,
    moves: usize,
    first: S::Move,
    listener: &mut dyn FnMut(&Info<S::Move>),
) -> SearchResult<S::Move> {
    let multipv = task.multipv.clamp(1, moves.max(1));
    let mut lines: Vec<PvLine<S::Move>> = Vec::new();
    let (mut depth, mut stable, mut last) = (0, 0, search.expected());
    while depth < S::MAX_DEPTH && search.meter().allows_depth(depth as u32 + 1) {
        let before = lines.first().map(|line| line.value);
        if let Err(changed) = iteration(search, &mut lines, multipv, depth + 1) {
            if changed > 0 {
                report(search, &lines, (depth, changed), listener);
            }
            break;
        }
        depth += 1;
        report(search, &lines, (depth, 0), listener);
        let Some(&PvLine { moves: ref line, value }) = lines.first() else { break };
        stable = if last == Some(line[0]) { stable + 1 } else { 0 };
        last = Some(line[0]);
        if let Some(soft) = task.limits.soft {
            let patience = search.patience(line[0], stable, before.map_or(0, |before| before - value));
            if moves == 1 || search.is_decided(value, depth) || search.meter().elapsed() >= soft.mul_f64(patience) {
                break;
            }
        }
    }
    let best = lines.into_iter().next().unwrap_or_else(|| PvLine { moves: vec![first], value: 0 });
    SearchResult { line: best.moves, value: best.value, depth: depth as u32, nodes: search.nodes() }
}

/// Finds the best lines at one depth, in place of those of the last one.
///
/// # Errors
/// When it was stopped, with how many of the first lines are new and to be reported. Stopped in its first line, it leaves
/// the best so far first; stopped later, its finished lines before the others of the last iteration.
fn iteration<S: RootSearcher>(
    search: &mut S,
    lines: &mut Vec<PvLine<S::Move>>,
    multipv: usize,
    depth: i32,
) -> Result<(), usize> {
    search.begin();
    let mut found = Vec::new();
    for rank in 0..multipv {
        let guess = lines.get(rank).map(|line| line.value);
        match aspire(search, rank, depth, guess) {
            Ok(value) => match search.line(rank, value) {
                Some(line) => found.push(line),
                None => break,
            },
            Err(Stopped) => {
                let reported = lines.first().map(|line| line.moves[0]);
                let interrupted = if rank == 0 { search.interrupted(lines.first()) } else { None };
                let Some(line) = interrupted else {
                    found.sort_by_key(|line: &PvLine<_>| std::cmp::Reverse(line.value));
                    return Err(put_before(lines, found, multipv));
                };
                let same = reported == Some(line.moves[0]);
                if same && multipv > 1 {
                    return Err(0);
                }
                let changed = put_before(lines, vec![line], multipv);
                // What is found before the first iteration has ended is worth nothing that is known.
                return Err(if same || reported.is_none() { 0 } else { changed });
            }
        }
    }
    // A later line may have turned out better; of equal ones the earlier stays before.
    found.sort_by_key(|line| std::cmp::Reverse(line.value));
    *lines = found;
    Ok(())
}

/// Puts the lines that a deeper iteration has found before the others of the last one, which cannot be worth more than they;
/// returns how many they are.
fn put_before<M: Copy + PartialEq>(lines: &mut Vec<PvLine<M>>, found: Vec<PvLine<M>>, multipv: usize) -> usize {
    let changed = found.len();
    lines.retain(|old| found.iter().all(|line| line.moves[0] != old.moves[0]));
    if let Some(least) = found.iter().map(|line| line.value).min() {
        for old in lines.iter_mut() {
            old.value = old.value.min(least);
        }
    }
    lines.splice(..0, found);
    lines.truncate(multipv);
    changed
}

/// Searches a line with a window around what is expected, and a wider one while the value is outside.
fn aspire<S: RootSearcher>(search: &mut S, rank: usize, depth: i32, guess: Option<i32>) -> Result<i32, Stopped> {
    let half = search.aspiration();
    let guess = guess.filter(|guess| depth >= LEAST_ASPIRATION && guess.abs() <= MAX_EVALUATION);
    let mut window = guess.map_or((-INFINITY, INFINITY), |guess| (guess - half, guess + half));
    for failures in 1.. {
        let value = search.search(rank, window, depth)?;
        if window.0 < value && value < window.1 {
            return Ok(value);
        }
        window = search.widen(window, guess.unwrap_or(0), value, failures);
    }
    unreachable!("the widest window holds every value")
}

/// Reports the lines of an iteration of this depth, the best last; so many of the first are from the next one.
fn report<S: RootSearcher>(
    search: &S,
    lines: &[PvLine<S::Move>],
    (depth, deeper): (i32, usize),
    listener: &mut dyn FnMut(&Info<S::Move>),
) {
    let (nodes, elapsed) = (search.nodes(), search.meter().elapsed());
    for (i, line) in lines.iter().enumerate().rev() {
        listener(&Info {
            depth: depth as u32 + u32::from(i < deeper),
            seldepth: search.seldepth() as u32,
            multipv: i + 1,
            score: score(line.value),
            nodes,
            elapsed,
            pv: line.moves.clone(),
        });
    }
}
