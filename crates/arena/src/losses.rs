//! Where a game was lost: what each move gave away, according to the champion.

use agon_catalog::{Game, TextMove};
use agon_game::{GameState, Side};
use agon_jobs::Progress;
use agon_referee::bout::Played;
use agon_search::{SearchLimits, Stop};
use serde_json::{Value, json};

use agon_analysis::judge::{Judgement, PositionJudge};

/// How many times more nodes a position gets than in a curve, which is computed for every visitor.
const CURVES: u64 = 10;

/// A smaller share of a win is within the uncertainty of a search.
const MIN_SHARE: f64 = 0.02;

/// The limits for a position if none are given.
pub fn usual_limits(game: Game) -> SearchLimits {
    SearchLimits::nodes(game.curve.nodes * CURVES)
}

/// A move and what it gave away.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveLoss {
    /// The number of the move: from 1 over both sides, including those of an opening.
    pub ply: u32,
    pub side: Side,
    pub played: TextMove,
    /// The position before the move, and after it.
    pub before: Judgement,
    pub after: Judgement,
    /// How much of a win it gave away, from 0 to 2.
    pub share: f64,
    /// What it gave away in the game's unit, if both positions have a value.
    pub loss: Option<f64>,
    /// Better moves, if the move gave something away; the champion's first.
    pub better: Vec<TextMove>,
}

/// How a move changed the outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LossKind {
    /// It gave away a won position.
    Win,
    /// It let the opponent win by force.
    Decisive,
    /// It gave away part of the lead.
    Lead,
}

impl LossKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "lost a won position",
            Self::Decisive => "let the opponent win by force",
            Self::Lead => "lost ground",
        }
    }
}

impl MoveLoss {
    /// `None` for a move that gave nothing away.
    pub fn kind(&self) -> Option<LossKind> {
        if self.share < MIN_SHARE {
            return None;
        }
        let (before, after, other) = (self.before.wins, self.after.wins, self.side.other());
        Some(if before == Some(self.side) && after != Some(self.side) {
            LossKind::Win
        } else if after == Some(other) && before != Some(other) {
            LossKind::Decisive
        } else {
            LossKind::Lead
        })
    }

    /// As JSON; values are those of the side that moved.
    pub fn json(&self) -> Value {
        let judged = |judgement: &Judgement| {
            json!({
                "value": judgement.value_for(self.side), "wins": judgement.wins.map(|side| side.to_string()),
                "plies": judgement.plies, "proved": judgement.proved,
            })
        };
        let better = self.better.iter().map(|m| json!({ "move": m.judged, "letters": m.letters }));
        json!({
            "ply": self.ply, "side": self.side.to_string(), "move": self.played.judged,
            "letters": self.played.letters, "before": judged(&self.before), "after": judged(&self.after),
            "loss": self.loss.map(|loss| (loss * 100.0).round() / 100.0),
            "share": (self.share * 1000.0).round() / 1000.0,
            "kind": self.kind().map(LossKind::name), "better": better.collect::<Vec<_>>(),
        })
    }
}

/// Judges every position of a game and returns what each move gave away; `None` if it was stopped.
///
/// # Errors
/// What is wrong with the game, or that it has no searching engine.
pub fn losses(
    game: Game,
    start: &dyn GameState,
    moves: &[Played],
    limits: SearchLimits,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Option<Vec<MoveLoss>>, String> {
    if !game.has_turns() {
        return Err(format!("{game} has no engine that searches"));
    }
    let mut states = vec![start.boxed_clone()];
    let mut texts = Vec::with_capacity(moves.len());
    for played in moves {
        let mut next = states[states.len() - 1].boxed_clone();
        next.answer(&played.arguments).map_err(|error| error.to_string())?;
        let letters = next.letters().unwrap_or_else(|| played.arguments.clone());
        texts.push(TextMove { judged: played.arguments.clone(), letters });
        states.push(next);
    }
    let mut judge = PositionJudge::new(game)?;
    let mut judged = Vec::with_capacity(states.len());
    progress.start(states.len() as u64, 0);
    for state in states.iter().rev() {
        judged.push(match state.ending() {
            Some(ending) => Judgement::of_end(ending.outcome, state.as_ref()),
            None => judge.judge(state.as_ref(), limits, stop)?,
        });
        if stop.is_raised() {
            return Ok(None);
        }
        progress.set_position(judged.len() as u64);
    }
    judged.reverse();
    let mut losses = Vec::with_capacity(moves.len());
    for (at, (played, text)) in moves.iter().zip(texts).enumerate() {
        let (before, after) = (judged[at].clone(), judged[at + 1].clone());
        let mut loss = weighed(game, states[at].ply() + 1, played.side, text, before, after);
        if loss.kind().is_some() {
            loss.better = better(&mut judge, states[at].as_ref(), &loss, limits, stop)?;
        }
        if stop.is_raised() {
            return Ok(None);
        }
        losses.push(loss);
    }
    Ok(Some(losses))
}

fn weighed(game: Game, ply: u32, side: Side, played: TextMove, before: Judgement, after: Judgement) -> MoveLoss {
    let scale = game.curve.scale;
    // The champion would have played the same move: it could not have seen beforehand what it sees deeper now.
    let chosen = before.line.first().is_some_and(|best| best.judged == played.judged);
    let unknown = chosen || before.known_opening;
    let share = if unknown { 0.0 } else { (before.share(side, scale) - after.share(side, scale)).max(0.0) };
    let values = before.value_for(side).zip(after.value_for(side));
    let loss = values.map(|(before, after)| if unknown { 0.0 } else { (before - after).max(0.0) });
    MoveLoss { ply, side, played, before, after, share, loss, better: Vec::new() }
}

/// The moves that would have been better than a move that gave something away.
fn better(
    judge: &mut PositionJudge,
    state: &dyn GameState,
    loss: &MoveLoss,
    limits: SearchLimits,
    stop: &Stop,
) -> Result<Vec<TextMove>, String> {
    let best = match loss.before.line.first() {
        Some(best) => vec![best.clone()],
        None => judge.best(state, limits, stop)?,
    };
    Ok(best.into_iter().filter(|m| m.judged != loss.played.judged).collect())
}

/// The moves of these sides that gave most away, the worst first.
pub fn worst<'a>(losses: &'a [MoveLoss], sides: &[Side], most: usize) -> Vec<&'a MoveLoss> {
    let mine = losses.iter().filter(|loss| sides.contains(&loss.side) && loss.kind().is_some());
    let mut worst: Vec<&MoveLoss> = mine.collect();
    worst.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.ply.cmp(&b.ply)));
    worst.truncate(most);
    worst
}

#[cfg(test)]
mod tests {
    use agon_catalog::Setup;
    use agon_referee::process::Moment;

    use super::*;

    fn played(game: Game, moves: &[&str]) -> (Box<dyn GameState>, Vec<Played>) {
        let setup = Setup { seed: 1, parameters: [].into() };
        let start = game.initial_state(&setup).unwrap();
        let mut state = start.boxed_clone();
        let mut all = Vec::new();
        for text in moves {
            let side = state.turn().unwrap();
            let judged = state.read_any(text).unwrap();
            let arguments = state.answer(&judged).unwrap();
            let moment = Moment::default();
            let clocks = [std::time::Duration::ZERO; 2];
            all.push(Played { side, arguments, moment, clocks, remark: None, evaluation: None, messages: None });
        }
        (start, all)
    }

    #[test]
    fn a_move_that_lets_the_opponent_win_is_the_worst() {
        // White does not answer an open three that has become four.
        let moves = ["H8", "H9", "I8", "O15", "J8", "O14", "G8"];
        let (start, moves) = played(Game::RENJU, &moves);
        let found = losses(Game::RENJU, start.as_ref(), &moves, SearchLimits::nodes(20_000), &Stop::default(), &());
        let found = found.unwrap().unwrap();
        assert_eq!(found.len(), 7);
        let worst = worst(&found, &[Side::Second], 3);
        assert!(!worst.is_empty() && [4, 6].contains(&worst[0].ply), "{worst:?}");
        assert!(worst.iter().any(|loss| loss.kind() == Some(LossKind::Decisive)), "{worst:?}");
        assert!(worst[0].better.iter().all(|m| m.judged != worst[0].played.judged), "{worst:?}");
        assert!(found.iter().all(|loss| loss.share >= 0.0 && loss.loss.is_none_or(|loss| loss >= 0.0)));
    }

    #[test]
    fn a_stopped_analysis_says_nothing() {
        let (start, moves) = played(Game::BACTERIA, &["a7b6"]);
        let stop = Stop::default();
        stop.raise();
        let found = losses(Game::BACTERIA, start.as_ref(), &moves, SearchLimits::nodes(1_000), &stop, &());
        assert_eq!(found, Ok(None));
    }
}
