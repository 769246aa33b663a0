//! The value of a solver's move, and the other side's answer: a puzzle is played to its end.

use agon_catalog::Game;
use agon_engines::domineering::{Goal, Solver};
use agon_game::{Outcome, Position, Show, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use agon_search::{SearchLimits, Stop, Stopped};

use super::bacteria::{Races, after, loses};
use super::puzzle::PuzzleKind;
use super::renju;
use super::verdict::{Answer, Verdict};
use crate::judge::read;

/// Memory of the tables of the proofs, in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// Nodes of all proofs of an answer.
const NODES: u64 = 2_000_000;

/// Judges the last of the moves made from the position of a puzzle: the solver's, alternating with the other side's.
///
/// # Errors
/// The error of an invalid text, or that there is no move to judge.
pub fn answer(game: Game, kind: PuzzleKind, position: &str, moves: &[String], stop: &Stop) -> Result<Answer, String> {
    if moves.len().is_multiple_of(2) {
        return Err("the last move must be the solver's: an odd number of moves expected".to_owned());
    }
    let wrong_kind = || format!("puzzles of {game} are not of the kind {}", kind.name());
    if !PuzzleKind::in_game(game).contains(&kind) {
        return Err(wrong_kind());
    }
    match kind {
        PuzzleKind::Exact => exact(position, moves, stop),
        PuzzleKind::Race => race(position, moves, stop),
        PuzzleKind::Fours | PuzzleKind::Threats | PuzzleKind::Quiet | PuzzleKind::Defence => {
            let (_, made) = played::<Renju>(position, moves)?;
            Ok(renju::answer(&made, kind, stop))
        }
    }
}

/// Returns the side whose puzzle it is, and the position after the moves.
fn played<P: Show + std::str::FromStr<Err: std::fmt::Display>>(
    position: &str,
    moves: &[String],
) -> Result<(Side, P), String> {
    let mut made: P = read(position)?;
    let side = made.turn();
    for text in moves {
        let m = made.read_move(text).map_err(|error| error.to_string())?;
        made.play_unchecked(m, &mut ());
    }
    Ok((side, made))
}

/// Returns the answer for a game that is over.
fn ended(outcome: Outcome, side: Side) -> Answer {
    let verdict = if outcome == Outcome::Win(side) { Verdict::Solved } else { Verdict::Wrong };
    Answer { verdict, line: Vec::new() }
}

fn exact(position: &str, moves: &[String], stop: &Stop) -> Result<Answer, String> {
    let (side, made) = played::<Domineering>(position, moves)?;
    if let Some(outcome) = made.outcome() {
        return Ok(ended(outcome, side));
    }
    let mut solver = Solver::new(made.board(), TABLE_BYTES);
    solver.stop_by(stop.clone());
    let judged = |solver: &mut Solver| -> Result<Answer, Stopped> {
        let solution = solver.solve(&made, Goal::Win, SearchLimits::nodes(NODES))?;
        if solution.outcome != Outcome::Win(side) {
            return Ok(Answer::new::<Domineering>(Verdict::Wrong, &solution.best[..solution.best.len().min(1)]));
        }
        // The toughest answer leaves the smallest part of the next moves winning.
        let mut toughest = None;
        for (m, next) in made.successors() {
            let all = next.count_moves();
            let winning = match next.outcome() {
                Some(_) => 0,
                None => solver.solve(&next, Goal::Win, SearchLimits::nodes(NODES))?.best.len() as u64,
            };
            // Among equal answers a domino, which is more instructive than a PASS.
            let loose = (1_000 * winning).checked_div(all).unwrap_or(1_000);
            let rank = (loose, m.anchor().is_none());
            if toughest.is_none_or(|(least, _)| rank < least) {
                toughest = Some((rank, m));
            }
        }
        let Some(((loose, _), m)) = toughest else { return Ok(ended(Outcome::Win(side), side)) };
        // Every continuation wins.
        if loose == 1_000 {
            return Ok(Answer { verdict: Verdict::Solved, line: Vec::new() });
        }
        Ok(Answer::new::<Domineering>(Verdict::Right, &[m]))
    };
    Ok(judged(&mut solver).unwrap_or(Answer { verdict: Verdict::Unshown, line: Vec::new() }))
}

fn race(position: &str, moves: &[String], stop: &Stop) -> Result<Answer, String> {
    let (side, made) = played::<Bacteria>(position, moves)?;
    if let Some(outcome) = made.outcome() {
        return Ok(ended(outcome, side));
    }
    let margin = Races::new(stop).margin(&made, NODES);
    let verdict = match loses(&margin) {
        Some(true) => Verdict::Right,
        Some(false) => Verdict::Wrong,
        None => Verdict::Unshown,
    };
    // The best answer for the other side: if it ends the game, the solver has no move left to find.
    let best = margin.best;
    if best.is_some_and(|m| after(&made, m).outcome() == Some(Outcome::Win(side))) {
        return Ok(ended(Outcome::Win(side), side));
    }
    Ok(Answer::new::<Bacteria>(verdict, best.as_slice()))
}
