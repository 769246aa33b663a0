//! What the champion thinks of every position of a game: a curve from its start to its end.

use agon_catalog::{Capability, Game, TextEngine};
use agon_engines::domineering::Solver;
use agon_game::{GameScore, GameState, Interaction, MoveError, Outcome, Side};
use agon_referee::bout::Played;
use agon_rules::domineering::Domineering;
use agon_search::{Score, SearchLimits, Stop, Task};
use serde::{Deserialize, Serialize};

use super::search::{TABLE_BYTES, champion, read};
use crate::viewer::transcript::ends_turn;

/// What a curve shows, in words.
pub fn meaning(game: Game, seats: [&str; 2]) -> String {
    let text = format!("{}: above the middle {} is ahead, below it {}.", game.curve.meaning, seats[0], seats[1]);
    if game.curve.note.is_empty() { text } else { format!("{text} {}", game.curve.note) }
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

/// Evaluates every position of a game, from its end to its start, since what is known of later ones helps with earlier
/// ones. False when it was stopped.
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
    let mut judge = CurveJudge::of(game)?;
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

/// Evaluates the positions of a game.
enum CurveJudge {
    Engine(Box<dyn TextEngine>),
    /// A solver of the board, made with the first position.
    Solver(Option<Box<Solver>>),
    Cells,
}

impl CurveJudge {
    fn of(game: Game) -> Result<Self, String> {
        Ok(if game.can(Capability::Solving) {
            Self::Solver(None)
        } else if game.has_turns() {
            Self::Engine(champion(game)?)
        } else {
            Self::Cells
        })
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
            Self::Engine(engine) => searched(ply, engine.as_mut(), state, game.curve.nodes, stop, seats),
            Self::Solver(solver) => {
                let position: Domineering = read(&state.position())?;
                let solver = solver.get_or_insert_with(|| {
                    let mut solver = Box::new(Solver::new(position.board(), TABLE_BYTES));
                    solver.stop_by(stop.clone());
                    solver
                });
                Ok(solved(ply, solver, &position, game.curve.nodes, seats))
            }
        }
    }
}

fn cells(ply: u32, state: &dyn GameState) -> CurvePoint {
    let [first, second] = state.view().gauges.first().map(|gauge| gauge.amounts).unwrap_or_default();
    CurvePoint { ply, value: Some((first - second).as_f64()), wins: None, text: format!("cells {first} to {second}") }
}

fn searched(
    ply: u32,
    engine: &mut dyn TextEngine,
    state: &dyn GameState,
    nodes: u64,
    stop: &Stop,
    seats: [&str; 2],
) -> Result<CurvePoint, String> {
    let task = Task { limits: SearchLimits::nodes(nodes), stop: stop.clone(), ..Task::default() };
    let mut score = None;
    engine.search(&state.position(), &task, &mut |info| score = Some(info.score))?;
    let turn = state.turn().unwrap_or(Side::First);
    let wins = |side: Side, plies: u32| CurvePoint {
        ply,
        value: None,
        wins: Some(side.index()),
        text: format!("{} wins in {plies}", seats[side.index()]),
    };
    Ok(match score {
        Some(Score::Win(plies)) => wins(turn, plies),
        Some(Score::Loss(plies)) => wins(turn.other(), plies),
        Some(Score::Centi(value)) => {
            let value = f64::from(if turn == Side::First { value } else { -value }) / 100.0;
            CurvePoint { ply, value: Some(value), wins: None, text: ahead(value, 2, seats) }
        }
        // A known opening is not searched.
        None => CurvePoint { ply, value: Some(0.0), wins: None, text: "a known opening".to_owned() },
    })
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
