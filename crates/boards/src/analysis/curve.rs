//! The champion's evaluations of every position of a game: a curve from its start to its end.

use agon_analysis::game_log::ends_turn;
use agon_analysis::judge::{Judgement, PositionJudge};
use agon_catalog::{Capability, Game};
use agon_game::{GameState, Interaction, MoveError, Outcome, Side};
use agon_referee::bout::Played;
use agon_search::{SearchLimits, Stop};
use serde::{Deserialize, Serialize};

/// The meaning of a curve in words.
pub fn meaning(game: Game, seats: [&str; 2]) -> String {
    let text = format!("{}: above the middle {} is ahead, below it {}.", game.curve.meaning, seats[0], seats[1]);
    if game.curve.note.is_empty() { text } else { format!("{text} {}", game.curve.note) }
}

/// A point of a curve, in the view of the first seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    pub ply: u32,
    /// How far the first seat is ahead, in the game's unit; `None` if a side wins by force.
    pub value: Option<f64>,
    /// Who wins by force, 0 or 1, if known.
    pub wins: Option<usize>,
    pub text: String,
}

/// How many moves were made, and the position after them.
type CurveStep = (u32, Box<dyn GameState>);

/// The game, step by step.
fn steps(start: &dyn GameState, moves: &[Played]) -> Result<Vec<CurveStep>, MoveError> {
    let mut state = start.boxed_clone();
    let mut steps = vec![(0, state.boxed_clone())];
    for (at, played) in moves.iter().enumerate() {
        state.answer(&played.arguments)?;
        if ends_turn(state.as_ref(), played.side) || at + 1 == moves.len() {
            steps.push((at as u32 + 1, state.boxed_clone()));
        }
    }
    Ok(steps)
}

/// Evaluates every position of a game, from its end to its start, since knowledge of later positions helps with earlier
/// ones. False if it was stopped.
///
/// # Errors
/// What is wrong with the game, for the log.
pub fn curve(
    game: Game,
    start: &dyn GameState,
    moves: &[Played],
    stop: &Stop,
    found: &mut dyn FnMut(CurvePoint),
) -> Result<bool, String> {
    // Its turn comes before its tables are allocated.
    if stop.is_raised() {
        return Ok(false);
    }
    let steps = steps(start, moves).map_err(|error| error.to_string())?;
    let seats = start.seats();
    let mut judge = CurveJudge::new(game)?;
    for (ply, state) in steps.into_iter().rev() {
        let point = match state.ending().map(|ending| ending.outcome) {
            Some(outcome) if state.interaction() == Interaction::Session => over(ply, outcome, state.as_ref()),
            _ => judge.point(game, ply, state.as_ref(), seats, stop)?,
        };
        if stop.is_raised() {
            return Ok(false);
        }
        found(point);
    }
    Ok(true)
}

/// Evaluates the positions of a game.
enum CurveJudge {
    Positions(PositionJudge),
    Cells,
}

impl CurveJudge {
    fn new(game: Game) -> Result<Self, String> {
        Ok(if game.has_turns() { Self::Positions(PositionJudge::new(game)?) } else { Self::Cells })
    }

    fn point(
        &mut self,
        game: Game,
        ply: u32,
        state: &dyn GameState,
        seats: [&str; 2],
        stop: &Stop,
    ) -> Result<CurvePoint, String> {
        match self {
            Self::Cells => Ok(cells(ply, state)),
            Self::Positions(judge) => {
                let judgement = judge.judge(state, SearchLimits::nodes(game.curve.nodes), stop)?;
                Ok(point(game, ply, &judgement, seats))
            }
        }
    }
}

/// The end of a game.
fn over(ply: u32, outcome: Outcome, state: &dyn GameState) -> CurvePoint {
    let text = match outcome {
        Outcome::Win(side) => format!("{} has won", state.seats()[side.index()]),
        Outcome::Draw => "a draw".to_owned(),
    };
    let Judgement { value, wins, .. } = Judgement::of_end(outcome, state);
    CurvePoint { ply, value, wins: wins.map(Side::index), text }
}

/// A judged position, with its words.
fn point(game: Game, ply: u32, judgement: &Judgement, seats: [&str; 2]) -> CurvePoint {
    let Judgement { value, wins, plies, proved, known_opening, .. } = judgement;
    let text = match (wins, plies, value) {
        _ if *known_opening => "a known opening".to_owned(),
        (Some(side), Some(plies), _) => format!("{} wins in {plies}", seats[side.index()]),
        (_, _, Some(value)) if game.can(Capability::Solving) => {
            format!("{}, {}", ahead(*value, 1, seats), if *proved { "proved" } else { "estimated" })
        }
        (_, _, value) => ahead(value.unwrap_or(0.0), 2, seats),
    };
    CurvePoint { ply, value: *value, wins: wins.map(Side::index), text }
}

fn cells(ply: u32, state: &dyn GameState) -> CurvePoint {
    let [first, second] = state.view().gauges.first().map(|gauge| gauge.amounts).unwrap_or_default();
    CurvePoint { ply, value: Some((first - second).as_f64()), wins: None, text: format!("cells {first} to {second}") }
}

/// `O is ahead by 1.25`.
fn ahead(value: f64, digits: usize, seats: [&str; 2]) -> String {
    let by = format!("{:.digits$}", value.abs());
    if by.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return "even".to_owned();
    }
    format!("{} is ahead by {by}", seats[usize::from(value < 0.0)])
}
