//! What the champion thinks of every position of a game: a curve from its start to its end.

use agon_catalog::Game;
use agon_engines::domineering::Solver;
use agon_game::{GameScore, GameState, Interaction, MoveError, Outcome, Show, Side};
use agon_referee::bout::Played;
use agon_rules::domineering::Domineering;
use agon_search::{Engine, Info, Score, SearchLimits, Stop, Task};
use serde::{Deserialize, Serialize};

use super::search::{AnalysedPosition, TABLE_BYTES};
use crate::viewer::transcript::ends_turn;

/// Nodes that the champion visits for a position. In the order of a tenth of a second; it never depends on the clock, so
/// that a game has one curve.
fn nodes(game: Game) -> u64 {
    match game.name() {
        "bacteria" => 30_000,
        "domineering" => 200_000,
        "renju" => 6_000,
        _ => 0,
    }
}

/// What a curve shows, in words.
pub fn meaning(game: Game, seats: [&str; 2]) -> String {
    let above = format!("above the middle {} is ahead, below it {}", seats[0], seats[1]);
    match game.name() {
        "bacteria" => format!("The champion's evaluation after every move, in cells: {above}."),
        "renju" => format!("The champion's evaluation after every move: {above}."),
        "domineering" => {
            format!("Who ends ahead, and by how many points, as the champion proves or estimates it: {above}.")
        }
        _ => format!(
            "The colonies' cells after every turn: {above}. The champion of the dish weighs actions and evaluates no position."
        ),
    }
}

/// A point of a curve, in the view of the first seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    pub ply: u32,
    /// How far the first seat is ahead, in the game's unit; nothing where a side wins by force.
    pub value: Option<f64>,
    /// Who wins by force, 0 or 1, where that is known.
    pub wins: Option<usize>,
    pub text: String,
}

/// How many moves were made, and how the game then stood.
type CurveStep = (u32, Box<dyn GameState>);

/// The game, step by step.
fn steps(start: &dyn GameState, moves: &[Played]) -> Result<Vec<CurveStep>, MoveError> {
    let mut state = start.boxed_clone();
    let mut steps = vec![(0, state.boxed_clone())];
    for (at, played) in moves.iter().enumerate() {
        state.answer(&played.arguments)?;
        if ends_turn(state.as_ref(), played) || at + 1 == moves.len() {
            steps.push((at as u32 + 1, state.boxed_clone()));
        }
    }
    Ok(steps)
}

/// Evaluates every position of a game, from its end to its start, since what is known of later ones helps with earlier ones.
/// False when it was stopped.
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
    let steps = steps(start, moves).map_err(|error| error.to_string())?;
    let seats = start.seats();
    let mut judge = CurveJudge::of(game, stop.clone())?;
    for (ply, state) in steps.into_iter().rev() {
        let point = match state.ending().map(|ending| ending.outcome) {
            Some(outcome) if state.interaction() == Interaction::Session => over(ply, outcome, state.as_ref()),
            _ => judge.point(game, ply, state.as_ref(), seats)?,
        };
        if stop.is_raised() {
            return Ok(false);
        }
        found(point);
    }
    Ok(true)
}

/// The end of a game.
fn over(ply: u32, outcome: Outcome, state: &dyn GameState) -> CurvePoint {
    let text = match outcome {
        Outcome::Win(side) => format!("{} has won", state.seats()[side.index()]),
        Outcome::Draw => "a draw".to_owned(),
    };
    let lead = state.score().map(|[first, second]| (first - second).as_f64());
    let wins = outcome.winner().map(Side::index);
    // Where there are points, the curve ends at them.
    CurvePoint { ply, value: lead.or_else(|| wins.is_none().then_some(0.0)), wins, text }
}

/// Whoever evaluates the positions of a game.
enum CurveJudge {
    Bacteria(Box<dyn Engine<agon_rules::bacteria::Bacteria>>, Stop),
    Renju(Box<dyn Engine<agon_rules::renju::Renju>>, Stop),
    /// A solver of the board, made with the first position.
    Domineering(Option<Box<Solver>>, Stop),
    Petri,
}

impl CurveJudge {
    fn of(game: Game, stop: Stop) -> Result<Self, String> {
        let unknown = |error: agon_catalog::NameError| error.to_string();
        Ok(match game.name() {
            "bacteria" => Self::Bacteria(agon_catalog::engine("champion", 0).map_err(unknown)?, stop),
            "renju" => Self::Renju(agon_catalog::engine("champion", 0).map_err(unknown)?, stop),
            "domineering" => Self::Domineering(None, stop),
            _ => Self::Petri,
        })
    }

    fn point(&mut self, game: Game, ply: u32, state: &dyn GameState, seats: [&str; 2]) -> Result<CurvePoint, String> {
        if let Self::Petri = self {
            return Ok(cells(ply, state));
        }
        let position = AnalysedPosition::of(game, state).map_err(|error| error.to_string())?;
        Ok(match (self, position) {
            (Self::Bacteria(engine, stop), AnalysedPosition::Bacteria(position)) => {
                searched(ply, engine.as_mut(), &position, nodes(game), stop, seats)
            }
            (Self::Renju(engine, stop), AnalysedPosition::Renju(position)) => {
                searched(ply, engine.as_mut(), position.as_ref(), nodes(game), stop, seats)
            }
            (Self::Domineering(solver, stop), AnalysedPosition::Domineering(position)) => {
                let solver = solver.get_or_insert_with(|| {
                    let mut solver = Box::new(Solver::new(position.board(), TABLE_BYTES));
                    solver.stop_by(stop.clone());
                    solver
                });
                solved(ply, solver, &position, nodes(game), seats)
            }
            _ => return Err("a position of another game".to_owned()),
        })
    }
}

fn cells(ply: u32, state: &dyn GameState) -> CurvePoint {
    let [first, second] = state.view().gauges.first().map(|gauge| gauge.amounts).unwrap_or_default();
    CurvePoint { ply, value: Some((first - second).as_f64()), wins: None, text: format!("cells {first} to {second}") }
}

fn searched<P: Show>(
    ply: u32,
    engine: &mut dyn Engine<P>,
    position: &P,
    nodes: u64,
    stop: &Stop,
    seats: [&str; 2],
) -> CurvePoint {
    let task = Task { limits: SearchLimits::nodes(nodes), stop: stop.clone(), ..Task::default() };
    let mut score = None;
    engine.search(position, &task, &mut |info: &Info<P::Move>| score = Some(info.score));
    let turn = position.turn();
    let wins = |side: Side, plies: u32| CurvePoint {
        ply,
        value: None,
        wins: Some(side.index()),
        text: format!("{} wins in {plies}", seats[side.index()]),
    };
    match score {
        Some(Score::Win(plies)) => wins(turn, plies),
        Some(Score::Loss(plies)) => wins(turn.other(), plies),
        Some(Score::Centi(value)) => {
            let value = f64::from(if turn == Side::First { value } else { -value }) / 100.0;
            CurvePoint { ply, value: Some(value), wins: None, text: ahead(value, 2, seats) }
        }
        // A known opening is not searched.
        None => CurvePoint { ply, value: Some(0.0), wins: None, text: "a known opening".to_owned() },
    }
}

fn solved(ply: u32, solver: &mut Solver, position: &Domineering, nodes: u64, seats: [&str; 2]) -> CurvePoint {
    let lead = |value: i32| (position.lead() + GameScore::from(value)).as_f64();
    if let Ok(value) = solver.value(position, SearchLimits::nodes(nodes)) {
        let value = lead(value);
        let wins = (value != 0.0).then_some(usize::from(value < 0.0));
        return CurvePoint { ply, value: Some(value), wins, text: format!("{}, proved", ahead(value, 1, seats)) };
    }
    let value = lead(solver.estimate(position));
    CurvePoint { ply, value: Some(value), wins: None, text: format!("{}, estimated", ahead(value, 1, seats)) }
}

/// `O is ahead by 1.25`.
fn ahead(value: f64, digits: usize, seats: [&str; 2]) -> String {
    let by = format!("{:.digits$}", value.abs());
    if by.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return "even".to_owned();
    }
    format!("{} is ahead by {by}", seats[usize::from(value < 0.0)])
}
