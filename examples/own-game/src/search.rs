//! A player that searches: negamax with alpha-beta, deeper by one ply until its time is up.

use std::time::{Duration, Instant};

use agon_game::{Outcome, Position, Score, Side};
use agon_search::{Engine, Info, Meter, SearchLimits, Stopped, Task};

use crate::{Othello, Placed};

/// In hundredths of a stone.
const WIN: i32 = 1_000_000;
const CORNER: i32 = 1_500;
const MOBILITY: i32 = 120;

/// Deeper than any game lasts.
const MAX_DEPTH: u32 = 60;

/// Searches by alpha-beta.
#[derive(Clone, Copy, Debug)]
pub struct Search;

impl Engine<Othello> for Search {
    fn search(&mut self, position: &Othello, task: &Task, listener: &mut dyn FnMut(&Info<Placed>)) -> Option<Placed> {
        let start = Instant::now();
        let time = task.clock.map(|clock| clock.left / 30 + clock.increment / 2);
        let given = SearchLimits { time, ..SearchLimits::default() }.and(task.limits);
        let mut meter = Meter::new(given).stopped_by(task.stop.clone());
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = *moves.first()?;
        for depth in 1..=MAX_DEPTH {
            if !meter.allows_depth(depth) {
                break;
            }
            let Ok((value, found)) = root(position, &moves, depth, &mut meter) else { break };
            best = found;
            let score = match value.abs() {
                WIN.. if value > 0 => Score::Win(depth),
                WIN.. => Score::Loss(depth),
                _ => Score::Centi(value),
            };
            let elapsed: Duration = start.elapsed();
            let (nodes, pv) = (meter.nodes(), vec![best]);
            listener(&Info { depth, seldepth: depth, multipv: 1, score, nodes, hashfull: None, elapsed, pv });
            // The move that was best is looked at first.
            moves.sort_by_key(|m| *m != best);
            if value.abs() >= WIN || moves.len() == 1 {
                break;
            }
        }
        Some(best)
    }
}

fn root(position: &Othello, moves: &[Placed], depth: u32, meter: &mut Meter) -> Result<(i32, Placed), Stopped> {
    let (mut alpha, mut best) = (-2 * WIN, moves[0]);
    for &m in moves {
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        let value = -node(&next, depth - 1, -2 * WIN, -alpha, meter)?;
        if value > alpha {
            (alpha, best) = (value, m);
        }
    }
    Ok((alpha, best))
}

fn node(position: &Othello, depth: u32, mut alpha: i32, beta: i32, meter: &mut Meter) -> Result<i32, Stopped> {
    meter.node()?;
    let side = position.turn();
    if let Some(outcome) = position.outcome() {
        let lead = (position.stones(side) - position.stones(side.other())) * 100;
        return Ok(match outcome {
            Outcome::Draw => 0,
            Outcome::Win(winner) if winner == side => WIN + lead,
            Outcome::Win(_) => lead - WIN,
        });
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if depth == 0 {
        return Ok(evaluate(position, side, moves.len() as i32));
    }
    for m in moves {
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        alpha = alpha.max(-node(&next, depth - 1, -beta, -alpha, meter)?);
        if alpha >= beta {
            break;
        }
    }
    Ok(alpha)
}

/// Corners and mobility; stones mean little before the end.
fn evaluate(position: &Othello, side: Side, choices: i32) -> i32 {
    let corner = |place: usize| match position.owner(place) {
        None => 0,
        Some(owner) if owner == side => CORNER,
        Some(_) => -CORNER,
    };
    let corners: i32 = [0, 7, 56, 63].into_iter().map(corner).sum();
    corners + MOBILITY * choices + 10 * (position.stones(side) - position.stones(side.other()))
}
