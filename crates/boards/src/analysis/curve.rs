//! The champion's evaluations of every position of a game: a curve from its start to its end.

use agon_analysis::game_log::ends_turn;
use agon_analysis::judge::{Judgement, PositionJudge};
use agon_catalog::{Capability, Game};
use agon_game::{GameState, Interaction, MoveError, Outcome, SeatName, Side};
use agon_message::{Stated, messages};
use agon_referee::bout::Played;
use agon_search::{SearchLimits, Stop};
use serde::{Deserialize, Serialize};

messages! {
    /// What a point of a curve says.
    #[derive(Clone, PartialEq, Eq)]
    pub enum CurveText {
        Won { seat: SeatName } = "{seat} has won",
        Draw = "a draw",
        KnownOpening = "a known opening",
        Wins { seat: SeatName, plies: u32 } = "{seat} wins in {plies}",
        Proved { lead: Lead } = "{lead}, proved",
        Estimated { lead: Lead } = "{lead}, estimated",
        Ahead(lead: Lead),
        Cells { first: String, second: String } = "cells {first} to {second}",
    }

    /// Who is ahead, and by how much.
    #[derive(Clone, PartialEq, Eq)]
    pub enum Lead {
        Even = "even",
        By { seat: SeatName, by: String } = "{seat} is ahead by {by}",
    }
}

/// A point of a curve, in the view of the first seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    pub ply: u32,
    /// How far the first seat is ahead, in the game's unit; `None` if a side wins by force.
    pub value: Option<f64>,
    /// Who wins by force, 0 or 1, if known.
    pub wins: Option<usize>,
    /// What it says; without a key if it was kept before there were keys.
    #[serde(flatten)]
    pub text: Stated,
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

impl CurvePoint {
    fn new(ply: u32, value: Option<f64>, wins: Option<Side>, text: &CurveText) -> Self {
        Self { ply, value, wins: wins.map(Side::index), text: Stated::from(text) }
    }
}

/// The end of a game.
fn over(ply: u32, outcome: Outcome, state: &dyn GameState) -> CurvePoint {
    let text = match outcome {
        Outcome::Win(side) => CurveText::Won { seat: state.seats()[side.index()].into() },
        Outcome::Draw => CurveText::Draw,
    };
    let Judgement { value, wins, .. } = Judgement::of_end(outcome, state);
    CurvePoint::new(ply, value, wins, &text)
}

/// A judged position, with its words.
fn point(game: Game, ply: u32, judgement: &Judgement, seats: [&str; 2]) -> CurvePoint {
    let &Judgement { value, wins, plies, proved, known_opening, .. } = judgement;
    let text = match (wins, plies, value) {
        _ if known_opening => CurveText::KnownOpening,
        (Some(side), Some(plies), _) => CurveText::Wins { seat: seats[side.index()].into(), plies },
        (_, _, Some(value)) if game.can(Capability::Solving) => {
            let lead = Lead::new(value, 1, seats);
            if proved { CurveText::Proved { lead } } else { CurveText::Estimated { lead } }
        }
        (_, _, value) => CurveText::Ahead(Lead::new(value.unwrap_or(0.0), 2, seats)),
    };
    CurvePoint::new(ply, value, wins, &text)
}

fn cells(ply: u32, state: &dyn GameState) -> CurvePoint {
    let [first, second] = state.view().gauges.first().map(|gauge| gauge.amounts).unwrap_or_default();
    let text = CurveText::Cells { first: first.to_string(), second: second.to_string() };
    CurvePoint::new(ply, Some((first - second).as_f64()), None, &text)
}

impl Lead {
    /// `O is ahead by 1.25`, unless all these digits are 0.
    fn new(value: f64, digits: usize, seats: [&str; 2]) -> Self {
        let by = format!("{:.digits$}", value.abs());
        if by.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
            return Self::Even;
        }
        Self::By { seat: seats[usize::from(value < 0.0)].into(), by }
    }
}
