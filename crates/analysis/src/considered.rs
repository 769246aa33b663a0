//! An analysis of some moves only: those that are named, all but those, or those that leave the game in balance.

use std::collections::BTreeMap;

use agon_catalog::{TextEngine, TextMove};
use agon_game::GameState;
use agon_search::{Info, Instant, Score, SearchLimits, Task};

/// Plies of the deepest search of a move.
const MAX_DEPTH: u32 = 60;

/// Worth more than any score that is not a win.
const WIN: i64 = 1 << 40;

/// Moves to consider, in the judge's notation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Consideration {
    /// Only these, if there are any.
    pub only: Vec<String>,
    /// None of these.
    pub without: Vec<String>,
    /// The moves after which neither side is ahead come first, not the best ones.
    pub balance: bool,
}

impl Consideration {
    /// Returns true if every move is considered, and the best one comes first.
    pub fn is_plain(&self) -> bool {
        self.only.is_empty() && self.without.is_empty() && !self.balance
    }
}

/// A considered move, and its known value.
struct Candidate {
    m: TextMove,
    /// The position after it; `None` if the game is over then.
    position: Option<String>,
    score: Option<Score>,
    depth: u32,
    line: Vec<TextMove>,
}

/// Searches the moves under consideration, and reports as many lines as the task requests, each time that all of them
/// have been searched one ply deeper. If these are all moves of a position, the less promising half is dropped with
/// each ply, down to twice as many as the lines.
///
/// # Errors
/// If the position is invalid, or the engine has no move left to search.
pub fn consider(
    state: &dyn GameState,
    wish: &Consideration,
    engine: &mut dyn TextEngine,
    task: &Task,
    listener: &mut dyn FnMut(&Info<TextMove>),
) -> Result<Option<TextMove>, String> {
    if wish.only.is_empty() && !wish.balance {
        return all_but(state, wish, engine, task, listener);
    }
    let begun = Instant::now();
    let lines = task.multipv.max(1);
    let mut open = candidates(state, wish)?;
    let mut spent = Spent { begun, nodes: 0, hashfull: None };
    for depth in 1..=MAX_DEPTH {
        let whole = deepen(&mut open, depth, &mut spent, engine, task)?;
        open.sort_by_key(|candidate| rank(candidate, wish.balance));
        // The first depth is shown as far as it has come.
        if whole || depth == 1 {
            let scored = open.iter().take_while(|candidate| candidate.score.is_some()).take(lines);
            for (number, candidate) in scored.collect::<Vec<_>>().into_iter().enumerate().rev() {
                listener(&spent.info(candidate, depth + 1, number + 1));
            }
        }
        if !whole {
            break;
        }
        open.retain(|candidate| candidate.score.is_some());
        if open.is_empty() {
            return Err("no engine searches a move here: the game's first moves are known".to_owned());
        }
        if wish.only.is_empty() {
            open.truncate(open.len().div_ceil(2).max(2 * lines));
        }
        if open.iter().all(|candidate| is_decided(candidate.score)) {
            break;
        }
    }
    Ok(open.first().filter(|candidate| candidate.score.is_some()).map(|candidate| candidate.m.clone()))
}

/// Cost of the searches of all moves.
struct Spent {
    begun: Instant,
    nodes: u64,
    hashfull: Option<u32>,
}

impl Spent {
    fn info(&self, candidate: &Candidate, depth: u32, multipv: usize) -> Info<TextMove> {
        let mut pv = vec![candidate.m.clone()];
        pv.extend(candidate.line.iter().cloned());
        let score = candidate.score.unwrap_or(Score::Centi(0));
        let &Self { nodes, hashfull, begun } = self;
        Info { depth, seldepth: depth, multipv, score, nodes, hashfull, elapsed: begun.elapsed(), pv }
    }
}

/// Searches all candidates to a depth. Returns whether the limits allowed that.
fn deepen(
    open: &mut [Candidate],
    depth: u32,
    spent: &mut Spent,
    engine: &mut dyn TextEngine,
    task: &Task,
) -> Result<bool, String> {
    for candidate in open {
        let Some(position) = candidate.position.as_ref().filter(|_| !is_decided(candidate.score)) else { continue };
        let limits = SearchLimits {
            time: task.limits.time.map(|time| time.saturating_sub(spent.begun.elapsed())),
            nodes: task.limits.nodes.map(|most| most.saturating_sub(spent.nodes)),
            depth: Some(depth),
            ..task.limits
        };
        if task.stop.is_raised() || limits.time.is_some_and(|time| time.is_zero()) || limits.nodes == Some(0) {
            return Ok(false);
        }
        let task = Task { limits, multipv: 1, stop: task.stop.clone(), ..Task::default() };
        let mut last = None;
        engine.search(position, &task, &mut |info| last = Some(info.clone()))?;
        let Some(info) = last else { continue };
        spent.nodes += info.nodes;
        spent.hashfull = info.hashfull.or(spent.hashfull);
        // A search that was ended early says less than the one before.
        if info.depth >= candidate.depth || is_decided(Some(info.score)) {
            candidate.score = Some(behind(info.score));
            candidate.depth = info.depth;
            candidate.line = info.pv;
        }
    }
    Ok(true)
}

/// Searches more lines than are shown, and omits those of excluded moves.
fn all_but(
    state: &dyn GameState,
    wish: &Consideration,
    engine: &mut dyn TextEngine,
    task: &Task,
    listener: &mut dyn FnMut(&Info<TextMove>),
) -> Result<Option<TextMove>, String> {
    let lines = task.multipv.max(1);
    let task = Task { multipv: lines + wish.without.len(), ..task.clone() };
    let (mut seen, mut found) = (BTreeMap::new(), None);
    let is_in = |info: &&Info<TextMove>| info.pv.first().is_some_and(|m| !wish.without.contains(&m.judged));
    engine.search(&state.position(), &task, &mut |info| {
        seen.insert(info.multipv, info.clone());
        // The best line of a depth comes last.
        if info.multipv > 1 {
            return;
        }
        let left: Vec<&Info<TextMove>> = seen.values().filter(is_in).take(lines).collect();
        found = left.first().and_then(|info| info.pv.first()).cloned();
        for (number, info) in left.into_iter().enumerate().rev() {
            listener(&Info { multipv: number + 1, ..info.clone() });
        }
        seen.clear();
    })?;
    Ok(found)
}

fn candidates(state: &dyn GameState, wish: &Consideration) -> Result<Vec<Candidate>, String> {
    let wanted = |m: &String| (wish.only.is_empty() || wish.only.contains(m)) && !wish.without.contains(m);
    let mut all = Vec::new();
    for judged in state.legal().into_iter().filter(wanted) {
        let mut next = state.boxed_clone();
        let Ok(judged) = next.answer(&judged) else { continue };
        let letters = next.letters().unwrap_or_else(|| judged.clone());
        let turn = state.turn();
        let score = next.ending().map(|ending| match ending.outcome.winner() {
            None => Score::Centi(0),
            winner if winner == turn => Score::Win(1),
            _ => Score::Loss(1),
        });
        let position = score.is_none().then(|| next.position());
        all.push(Candidate { m: TextMove { judged, letters }, position, score, depth: 0, line: Vec::new() });
    }
    if all.is_empty() { Err("no move is left to be looked at".to_owned()) } else { Ok(all) }
}

const fn is_decided(score: Option<Score>) -> bool {
    matches!(score, Some(Score::Win(_) | Score::Loss(_)))
}

/// Converts the score of the next position to the move before it.
const fn behind(score: Score) -> Score {
    match score {
        Score::Centi(value) => Score::Centi(-value),
        Score::Win(plies) => Score::Loss(plies + 1),
        Score::Loss(plies) => Score::Win(plies + 1),
    }
}

/// The lowest comes first.
fn rank(candidate: &Candidate, balance: bool) -> i64 {
    let value = match candidate.score {
        Some(Score::Centi(value)) => i64::from(value),
        Some(Score::Win(plies)) => WIN - i64::from(plies),
        Some(Score::Loss(plies)) => i64::from(plies) - WIN,
        // Moves that were not searched come last.
        None => return i64::MAX,
    };
    if balance { value.abs() } else { -value }
}

#[cfg(test)]
mod tests {
    use agon_catalog::Game;
    use agon_search::Stop;

    use super::*;

    fn lines(game: Game, position: &str, wish: &Consideration, count: usize, nodes: u64) -> Vec<Info<TextMove>> {
        let state = game.state_at(position).unwrap();
        let mut engine = super::super::judge::champion(game).unwrap();
        engine.set_memory(1 << 20);
        let limits = SearchLimits::nodes(nodes);
        let task = Task { limits, multipv: count, stop: Stop::default(), ..Task::default() };
        let mut last = BTreeMap::new();
        let mut hear = |info: &Info<TextMove>| drop(last.insert(info.multipv, info.clone()));
        consider(state.as_ref(), wish, engine.as_mut(), &task, &mut hear).unwrap();
        last.into_values().collect()
    }

    fn firsts(lines: &[Info<TextMove>]) -> Vec<&str> {
        lines.iter().map(|info| info.pv[0].judged.as_str()).collect()
    }

    #[test]
    fn only_the_named_moves_are_looked_at_and_never_the_excluded_ones() {
        let start = "x5o/7/7/7/7/7/o5x x 0 1";
        let plain = lines(Game::BACTERIA, start, &Consideration { balance: false, ..Default::default() }, 2, 4_000);
        let best = plain[0].pv[0].judged.clone();
        let without = Consideration { without: vec![best.clone()], ..Default::default() };
        let other = lines(Game::BACTERIA, start, &without, 2, 4_000);
        assert_eq!(other.len(), 2);
        assert!(!firsts(&other).contains(&best.as_str()), "{best} in {other:?}");
        let only = Consideration { only: vec!["1 1 1 2".to_owned(), "1 1 3 3".to_owned()], ..Default::default() };
        let named = lines(Game::BACTERIA, start, &only, 5, 4_000);
        let mut found = firsts(&named);
        found.sort_unstable();
        assert_eq!(found, ["1 1 1 2", "1 1 3 3"]);
        assert!(named.iter().all(|info| info.depth > 1 && info.pv.len() > 1), "{named:?}");
    }

    #[test]
    fn balanced_moves_come_before_better_ones() {
        // Black is far ahead after a good third move.
        let position = "15/15/15/15/15/15/7W7/7B7/15/15/15/15/15/15/15 B 0 2";
        let balance = Consideration { balance: true, ..Default::default() };
        let found = lines(Game::RENJU, position, &balance, 3, 60_000);
        let worth = |info: &Info<TextMove>| match info.score {
            Score::Centi(value) => value.abs(),
            _ => i32::MAX,
        };
        assert_eq!(found.len(), 3);
        assert!(found.is_sorted_by_key(worth), "{found:?}");
    }
}
