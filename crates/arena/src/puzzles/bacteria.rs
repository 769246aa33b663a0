//! Puzzles of Bacteria War: capture races at the end of a game, in which one move alone wins whatever follows.
//!
//! Leaps can go on without end, so what is proved has a horizon: a side *forces* something if it comes about within so
//! many plies whatever the other side does. It is forced that the one move wins, and that each other one does not.

use std::cmp::Reverse;
use std::collections::HashMap;

use agon_catalog::{Game, NameError};
use agon_game::{Outcome, Position as _, Side};
use agon_rules::bacteria::{Bacteria, Move, PLY_LIMIT};
use agon_search::{Meter, SearchLimits, Stop, Stopped, Task};

use super::puzzle::{PLAYER_NODES, Puzzle, PuzzleKind};

/// Empty cells of a puzzle.
const EMPTY: std::ops::RangeInclusive<u32> = 2..=4;

/// Moves among which the only winning one is to be found, at least.
const CHOICES: usize = 6;

/// Plies of the shortest win that is asked for.
const MIN_WIN_PLIES: u32 = 3;

/// Plies within which all must be decided.
const HORIZON: u32 = 12;

/// Nodes of the proof of a puzzle; a position that needs more is none.
const NODES: u64 = 40_000;

/// What a side is to bring about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Aim {
    Win,
    NotLose,
}

impl Aim {
    fn is_reached(self, outcome: Outcome, side: Side) -> bool {
        match self {
            Self::Win => outcome == Outcome::Win(side),
            Self::NotLose => outcome != Outcome::Win(side.other()),
        }
    }
}

/// What is known of a position: within how many plies something is forced, and within how many it is not.
#[derive(Clone, Copy)]
struct Known {
    forced: u32,
    not_forced: Option<u32>,
}

/// The search for what a side can force.
pub(super) struct Forcing {
    known: HashMap<(u64, Side, Aim), Known>,
    meter: Meter,
}

impl Forcing {
    pub(super) fn new(nodes: u64, stop: &Stop) -> Self {
        let meter = Meter::new(SearchLimits::nodes(nodes)).stopped_by(stop.clone());
        Self { known: HashMap::new(), meter }
    }

    pub(super) const fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// Whether a side reaches its aim within so many plies, whatever the other side does.
    pub(super) fn forces(&mut self, position: &Bacteria, side: Side, aim: Aim, plies: u32) -> Result<bool, Stopped> {
        if let Some(outcome) = position.outcome() {
            return Ok(aim.is_reached(outcome, side));
        }
        if plies == 0 {
            return Ok(false);
        }
        self.meter.node()?;
        let key = (position.hash(), side, aim);
        let known = self.known.get(&key).copied().unwrap_or(Known { forced: u32::MAX, not_forced: None });
        if plies >= known.forced {
            return Ok(true);
        }
        if known.not_forced.is_some_and(|most| plies <= most) {
            return Ok(false);
        }
        let chooses = position.turn() == side;
        let mut forced = !chooses;
        for (_, next) in ordered(position) {
            if self.forces(&next, side, aim, plies - 1)? == chooses {
                forced = chooses;
                break;
            }
        }
        let entry = self.known.entry(key).or_insert(known);
        if forced {
            entry.forced = plies;
        } else {
            entry.not_forced = Some(plies);
        }
        Ok(forced)
    }

    /// Within how many plies, at most `horizon`, a side reaches its aim; `None` where it is not seen to.
    pub(super) fn forced_within(
        &mut self,
        position: &Bacteria,
        side: Side,
        aim: Aim,
        horizon: u32,
    ) -> Result<Option<u32>, Stopped> {
        for plies in 0..=horizon {
            if self.forces(position, side, aim, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// A line of a win of the side to move, with the answers that hold out longest.
    fn line(&mut self, position: &Bacteria, first: Move) -> Result<Vec<Move>, Stopped> {
        let side = position.turn();
        let (mut line, mut at) = (vec![first], after(position, first));
        while at.outcome().is_none() {
            let mut best = None;
            for (m, next) in ordered(&at) {
                let Some(plies) = self.forced_within(&next, side, Aim::Win, HORIZON)? else { continue };
                let better = match best {
                    None => true,
                    Some((_, least)) if at.turn() == side => plies < least,
                    Some((_, most)) => plies > most,
                };
                if better {
                    best = Some((m, plies));
                }
            }
            let Some((m, _)) = best else { break };
            line.push(m);
            at.play_unchecked(m, &mut ());
        }
        Ok(line)
    }
}

pub(super) fn after(position: &Bacteria, m: Move) -> Bacteria {
    let mut next = position.clone();
    next.play_unchecked(m, &mut ());
    next
}

/// The moves with what they lead to: first those that leave the mover ahead by most.
pub(super) fn ordered(position: &Bacteria) -> Vec<(Move, Bacteria)> {
    let side = position.turn();
    let mut all = position.successors();
    all.sort_by_key(|(_, next)| Reverse(next.cells(side).count_ones()));
    all
}

/// The only move of the side to move that wins, with its line, if all else is proved not to win.
fn only_win(position: &Bacteria, stop: &Stop) -> Result<Option<(Vec<Move>, u64)>, Stopped> {
    let side = position.turn();
    let mut forcing = Forcing::new(NODES, stop);
    let mut open = ordered(position);
    if open.len() < CHOICES {
        return Ok(None);
    }
    let mut only = None;
    for plies in 0..HORIZON {
        let mut left = Vec::new();
        for (m, next) in open {
            if forcing.forces(&next, side, Aim::Win, plies)? {
                // A win at once is no puzzle, and two winning moves are none.
                if plies + 1 < MIN_WIN_PLIES || only.replace(m).is_some() {
                    return Ok(None);
                }
            } else if !forcing.forces(&next, side.other(), Aim::NotLose, plies)? {
                left.push((m, next));
            }
        }
        open = left;
        match (open.is_empty(), only) {
            (true, Some(m)) => {
                let nodes = forcing.nodes();
                return Ok(Some((forcing.line(position, m)?, nodes)));
            }
            (true, None) => return Ok(None),
            (false, _) => {}
        }
    }
    Ok(None)
}

/// The puzzle of a position, if it is one.
pub(super) fn puzzle_at(position: &Bacteria, stop: &Stop) -> Option<Puzzle> {
    if position.outcome().is_some()
        || !EMPTY.contains(&position.empty().count_ones())
        || position.ply() + 2 * HORIZON > u32::from(PLY_LIMIT)
    {
        return None;
    }
    let (line, nodes) = only_win(position, stop).ok().flatten()?;
    let numbers = (line.len(), nodes, difficulty(line.len(), nodes));
    Some(Puzzle::new(Game::BACTERIA, PuzzleKind::Race, position, &line, numbers))
}

/// The first position of a game of weak players in which one move alone wins.
pub(super) fn of_a_game(seed: u64, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
    let mut players =
        [agon_catalog::engine::<Bacteria>("champion:4", seed)?, agon_catalog::engine::<Bacteria>("champion:3", seed)?];
    let mut position = Bacteria::start();
    while position.outcome().is_none() && !stop.is_raised() {
        if let Some(puzzle) = puzzle_at(&position, stop) {
            return Ok(Some(puzzle));
        }
        let player = &mut players[position.turn().index()];
        let Some(m) = player.best_move(&position, &Task::from(SearchLimits::nodes(PLAYER_NODES))) else { break };
        position.play_unchecked(m, &mut ());
    }
    Ok(None)
}

/// How hard a race is: the doublings of the nodes of its proof, and the own moves of the win.
fn difficulty(plies: usize, nodes: u64) -> u64 {
    u64::from((nodes + 1).ilog2()) + plies as u64 / 2
}
