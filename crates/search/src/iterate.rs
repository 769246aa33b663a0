//! Iterative deepening with aspiration windows: the loop over depths that every search of a root shares.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::evaluate::MAX_EVALUATION;
use crate::value::{INFINITY, score};
use crate::{Info, Meter, Stop, Stopped, Task};

/// A search window: the lower and the upper bound.
pub type AspirationWindow = (i32, i32);

/// From this depth on the first window is around the last iteration's value.
const MIN_ASPIRATION_DEPTH: i32 = 4;

/// A line of play and its value for the side to move at its root.
#[derive(Clone, Debug)]
pub struct PvLine<M> {
    /// The moves, the one to be played first; never empty.
    pub moves: Vec<M>,
    pub value: i32,
}

#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    pub line: Vec<M>,
    /// Value for the side to move.
    pub value: i32,
    /// The last finished iteration, in plies.
    pub depth: u32,
    pub nodes: u64,
}

impl<M> SearchResult<M> {
    /// A move that was known without a search.
    pub fn known(m: M) -> Self {
        Self { line: vec![m], value: 0, depth: 0, nodes: 0 }
    }
}

/// A search of one root position, as [`iterate`] drives it.
pub trait RootSearch {
    type Move: Copy + PartialEq;

    const MAX_DEPTH: i32;

    /// Counts its nodes and ends it.
    fn meter(&self) -> &Meter;

    /// The nodes visited, including those of helper threads.
    fn nodes(&self) -> u64 {
        self.meter().all_nodes()
    }

    fn seldepth(&self) -> i32;

    /// Returns how full the transposition table is, in permille.
    fn hashfull(&self) -> u32;

    /// Half the first aspiration window.
    fn aspiration_delta(&self) -> i32;

    /// The next window after the value fell outside the last one for the `failures`-th time; the first window was
    /// around `guess`.
    fn widen(&self, last: AspirationWindow, guess: i32, value: i32, failures: u32) -> AspirationWindow;

    fn start_iteration(&mut self) {}

    /// Searches the root within a window, fail-soft, without the first moves of the `rank` better lines of this
    /// iteration.
    ///
    /// # Errors
    /// [`Stopped`] at a limit.
    fn search_root(&mut self, rank: usize, window: AspirationWindow, depth: i32) -> Result<i32, Stopped>;

    /// The line of this rank, whose value has just been found; `None` if no move is left.
    fn pv(&mut self, rank: usize, value: i32) -> Option<PvLine<Self::Move>>;

    /// Returns the best line so far if the first line of an iteration was interrupted. The best move of the last
    /// iteration was tried first, so this one is no worse.
    fn interrupted_pv(&mut self, last: Option<&PvLine<Self::Move>>) -> Option<PvLine<Self::Move>>;

    /// The move that the first iteration tries first, if the search has a preference.
    fn first_guess(&self) -> Option<Self::Move> {
        None
    }

    /// Returns true if a deeper search is unlikely to find anything better.
    fn is_solved(&self, value: i32, depth: i32) -> bool;

    /// The factor of the soft time limit. `stability` iterations have kept the best move, whose value has fallen by
    /// `fall` since the last iteration.
    fn time_scale(&self, best: Self::Move, stability: i32, fall: i32) -> f64;
}

/// Searches deeper and deeper and reports every finished iteration, the best line last; of an iteration that was
/// stopped it reports the changes. The returned move is always the first of the best line reported last, and no line is
/// worth less than those after it. The root has `moves` legal moves; `first` is the answer if not even one of them can
/// be searched.
pub fn iterate<S: RootSearch>(
    search: &mut S,
    task: &Task,
    moves: usize,
    first: S::Move,
    listener: &mut dyn FnMut(&Info<S::Move>),
) -> SearchResult<S::Move> {
    let multipv = task.multipv.clamp(1, moves.max(1));
    let mut lines: Vec<PvLine<S::Move>> = Vec::new();
    let (mut depth, mut stability, mut best_move) = (0, 0, search.first_guess());
    while depth < S::MAX_DEPTH && search.meter().allows_depth(depth as u32 + 1) {
        let before = lines.first().map(|line| line.value);
        if let Err(changed) = search_lines(search, &mut lines, multipv, depth + 1) {
            if changed > 0 {
                report(search, &lines, (depth, changed), listener);
            }
            break;
        }
        depth += 1;
        report(search, &lines, (depth, 0), listener);
        let Some(&PvLine { moves: ref line, value }) = lines.first() else { break };
        stability = if best_move == Some(line[0]) { stability + 1 } else { 0 };
        best_move = Some(line[0]);
        if let Some(soft) = task.limits.soft {
            let scale = search.time_scale(line[0], stability, before.map_or(0, |before| before - value));
            if moves == 1 || search.is_solved(value, depth) || search.meter().elapsed() >= soft.mul_f64(scale) {
                break;
            }
        }
    }
    let best = lines.into_iter().next().unwrap_or_else(|| PvLine { moves: vec![first], value: 0 });
    SearchResult { line: best.moves, value: best.value, depth: depth as u32, nodes: search.nodes() }
}

/// Runs `help(0)` to `help(count - 1)`, each on its own thread, beside `answer`. Raises `stop` when `answer` has ended,
/// even by a panic, and returns when all helpers have ended. If threads are scarce, fewer helpers run.
pub type Spawner = fn(count: usize, stop: &Stop, help: &(dyn Fn(usize) + Sync), answer: &mut dyn FnMut());

static SPAWNER: OnceLock<Spawner> = OnceLock::new();

/// Sets how the helpers of searches start where the system has no threads: in a browser. Only the first call counts.
pub fn set_spawner(spawner: Spawner) {
    let _ = SPAWNER.set(spawner);
}

/// Starts a thread of the system for each helper. A browser has none: `answer` is alone there.
fn spawn_threads(count: usize, stop: &Stop, help: &(dyn Fn(usize) + Sync), answer: &mut dyn FnMut()) {
    /// Ends the helpers, whatever happens.
    struct Ends<'s>(&'s Stop);

    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            self.0.raise();
        }
    }

    let count = if cfg!(target_family = "wasm") { 0 } else { count };
    std::thread::scope(|scope| {
        let _ends = Ends(stop);
        for number in 0..count {
            scope.spawn(move || help(number));
        }
        answer();
    });
}

/// Searches several roots of one position at once with a shared table: `answer` on this thread, whose result is
/// returned, and `help` with each helper on its own thread. A helper receives the flag that ends it, which is raised
/// when `answer` returns or panics.
///
/// Each thread searches the whole tree in an order of its own, which follows from its histories and the table entries
/// it finds ("lazy SMP"). The answer is that of the thread that manages the time: with few threads, votes for a
/// helper's move gained other programs nothing at long time controls (Stockfish, pull requests 1961 and 2101).
///
/// # Panics
/// If the spawner does not call `answer`, or if `answer` or `help` panics.
pub fn in_parallel<H: Send, T>(
    helpers: impl IntoIterator<Item = H>,
    help: impl Fn(H, &Stop) + Sync,
    answer: impl FnOnce() -> T,
) -> T {
    let helpers: Vec<_> = helpers.into_iter().map(|helper| Mutex::new(Some(helper))).collect();
    let stop = Stop::default();
    let help = |number: usize| {
        let helper = helpers[number].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(helper) = helper {
            help(helper, &stop);
        }
    };
    let (mut answer, mut found) = (Some(answer), None);
    let mut answer = || found = answer.take().map(|answer| answer());
    SPAWNER.get().unwrap_or(&(spawn_threads as Spawner))(helpers.len(), &stop, &help, &mut answer);
    found.expect("a spawner calls `answer`")
}

/// Runs a helper thread of a search: it deepens iteratively from this depth until its meter ends it, with as many lines
/// as the search it helps.
pub fn help<S: RootSearch>(search: &mut S, multipv: usize, first: i32) {
    let mut lines = Vec::new();
    for depth in first..=S::MAX_DEPTH {
        if search_lines(search, &mut lines, multipv.max(1), depth).is_err() {
            break;
        }
    }
}

/// The starting depth of a helper: odd ones are a ply ahead, so that not all threads do the same at first.
pub const fn first_depth(helper: usize) -> i32 {
    1 + (helper as i32 + 1) % 2
}

/// One iteration: finds the best lines at one depth, replacing those of the previous one.
///
/// # Errors
/// If it was stopped, returns the number of leading lines that are new and should be reported. If stopped in its first
/// line, it puts the best move so far first; if stopped later, its finished lines before the others of the last
/// iteration.
fn search_lines<S: RootSearch>(
    search: &mut S,
    lines: &mut Vec<PvLine<S::Move>>,
    multipv: usize,
    depth: i32,
) -> Result<(), usize> {
    search.start_iteration();
    let mut found = Vec::new();
    for rank in 0..multipv {
        // Aspiration windows: around the last iteration's value, wider while the value is outside.
        let guess = lines.get(rank).map(|line| line.value);
        let guess = guess.filter(|guess| depth >= MIN_ASPIRATION_DEPTH && guess.abs() <= MAX_EVALUATION);
        let delta = search.aspiration_delta();
        let (mut window, mut failures) = (guess.map_or((-INFINITY, INFINITY), |v| (v - delta, v + delta)), 0);
        let result = loop {
            match search.search_root(rank, window, depth) {
                // A window that is open on that side has nothing outside it.
                Ok(value) if value <= window.0 && window.0 > -INFINITY || value >= window.1 && window.1 < INFINITY => {
                    failures += 1;
                    window = search.widen(window, guess.unwrap_or(0), value, failures);
                }
                result => break result,
            }
        };
        match result {
            Ok(value) => match search.pv(rank, value) {
                Some(line) => found.push(line),
                None => break,
            },
            Err(Stopped) => {
                let reported = lines.first().map(|line| line.moves[0]);
                let interrupted = if rank == 0 { search.interrupted_pv(lines.first()) } else { None };
                let Some(line) = interrupted else {
                    found.sort_by_key(|line: &PvLine<_>| std::cmp::Reverse(line.value));
                    return Err(put_before(lines, found, multipv));
                };
                let same = reported == Some(line.moves[0]);
                if same && multipv > 1 {
                    return Err(0);
                }
                let changed = put_before(lines, vec![line], multipv);
                // Nothing found before the end of the first iteration has a known value.
                return Err(if same || reported.is_none() { 0 } else { changed });
            }
        }
    }
    // A later line may have turned out better; of equal ones the earlier stays before.
    found.sort_by_key(|line| std::cmp::Reverse(line.value));
    *lines = found;
    Ok(())
}

/// Puts the lines that a deeper iteration has found before the others of the last one, whose values cannot be higher;
/// returns their number.
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

/// Reports the lines of an iteration of this depth, the best last; the first `deeper` of them come from the next
/// iteration.
fn report<S: RootSearch>(
    search: &S,
    lines: &[PvLine<S::Move>],
    (depth, deeper): (i32, usize),
    listener: &mut dyn FnMut(&Info<S::Move>),
) {
    let (nodes, hashfull, elapsed) = (search.nodes(), Some(search.hashfull()), search.meter().elapsed());
    for (i, line) in lines.iter().enumerate().rev() {
        listener(&Info {
            depth: depth as u32 + u32::from(i < deeper),
            seldepth: search.seldepth() as u32,
            multipv: i + 1,
            score: score(line.value),
            nodes,
            hashfull,
            elapsed,
            pv: line.moves.clone(),
        });
    }
}
