//! The champion's evaluation of a position: proved in domineering, otherwise by a search.

use std::fmt::Display;
use std::str::FromStr;

use agon_catalog::{Capability, Game, TextEngine, TextMove};
use agon_engines::domineering::Solver;
use agon_game::{GameScore, GameState, Outcome, Show as _, Side};
use agon_rules::domineering::Domineering;
use agon_search::{Score, SearchLimits, Stop, Task};

/// Memory of the tables of a search, in bytes.
pub const TABLE_BYTES: usize = 8 << 20;

/// Evaluation of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judgement {
    /// Lead of the first seat, in the game's unit; `None` if a side wins by force and there are no points.
    pub value: Option<f64>,
    /// Winner, if known.
    pub wins: Option<Side>,
    /// In how many plies, if known.
    pub plies: Option<u32>,
    /// The value follows from a proof.
    pub proved: bool,
    /// True if it is in the champion's book, and was not searched.
    pub known_opening: bool,
    /// The champion's expected line, if reported.
    pub line: Vec<TextMove>,
}

impl Judgement {
    /// The end of a game.
    pub fn of_end(outcome: Outcome, state: &dyn GameState) -> Self {
        let lead = state.score().map(|[first, second]| (first - second).as_f64());
        let wins = outcome.winner();
        // If there are points, they determine the lead.
        let value = lead.or_else(|| wins.is_none().then_some(0.0));
        Self { value, wins, plies: wins.map(|_| 0), proved: true, ..Self::default() }
    }

    /// Returns the lead of the given side.
    pub fn value_for(&self, side: Side) -> Option<f64> {
        self.value.map(|value| if side == Side::First { value } else { -value })
    }

    /// Returns the share of a win that the position is worth for a side, from -1 to 1; `scale` is the lead that counts
    /// as most of one.
    pub fn share(&self, side: Side, scale: f64) -> f64 {
        let lead = self.value_for(side).map(|value| value / (value.abs() + scale));
        match (self.wins, lead) {
            (Some(winner), None) => sign(winner == side),
            // A win by more is better, but every win is better than none.
            (Some(winner), Some(lead)) => f64::midpoint(sign(winner == side), lead),
            (None, lead) => lead.unwrap_or(0.0),
        }
    }
}

const fn sign(positive: bool) -> f64 {
    if positive { 1.0 } else { -1.0 }
}

/// Judges the positions of one game, preferably from its end to its start: results for later ones help with earlier
/// ones.
pub enum PositionJudge {
    Engine(Box<dyn TextEngine>),
    /// A solver of the board, created with the first position.
    Solver(Option<Box<Solver>>),
}

impl PositionJudge {
    /// # Errors
    /// If the game has no engine that searches.
    pub fn new(game: Game) -> Result<Self, String> {
        Ok(if game.can(Capability::Solving) { Self::Solver(None) } else { Self::Engine(champion(game)?) })
    }

    /// Judges a position of a game in progress.
    ///
    /// # Errors
    /// The reason why the position is invalid.
    pub fn judge(&mut self, state: &dyn GameState, limits: SearchLimits, stop: &Stop) -> Result<Judgement, String> {
        match self {
            Self::Engine(engine) => searched(engine.as_mut(), state, limits, stop),
            Self::Solver(solver) => {
                let position: Domineering = read(&state.position())?;
                Ok(solved(made(solver, &position, stop), &position, limits))
            }
        }
    }

    /// The moves that are better than all others, or as good as any, as far as the limits let them be found.
    ///
    /// # Errors
    /// The reason why the position is invalid.
    pub fn best(&mut self, state: &dyn GameState, limits: SearchLimits, stop: &Stop) -> Result<Vec<TextMove>, String> {
        match self {
            Self::Engine(engine) => {
                Ok(searched(engine.as_mut(), state, limits, stop)?.line.into_iter().take(1).collect())
            }
            Self::Solver(solver) => {
                let position: Domineering = read(&state.position())?;
                let analysis = made(solver, &position, stop).analyse(&position, limits, &mut |_, _| {});
                let study = super::study::Study { position, analysis };
                let best = study.analysis.moves.iter().filter(|judged| study.is_best(judged));
                Ok(best.map(|judged| text(judged.m)).collect())
            }
        }
    }
}

fn text(m: agon_rules::domineering::Move) -> TextMove {
    TextMove { judged: m.to_string(), letters: Domineering::letters(m) }
}

/// The strongest built-in of a game.
///
/// # Errors
/// If the game has no engine that searches.
pub fn champion(game: Game) -> Result<Box<dyn TextEngine>, String> {
    let name = game.builtins.last().map_or("", |builtin| builtin.name);
    let named = game.find(name).map_err(|error| error.to_string())?;
    named.engine(0).ok_or_else(|| format!("{game} has no engine that searches"))
}

/// Its name in messages: `the champion`, or another player's own name.
pub fn champion_name(game: Game) -> String {
    match game.builtins.last().map(|builtin| builtin.name) {
        Some("champion") | None => "the champion".to_owned(),
        Some(other) => format!("`{other}`"),
    }
}

/// A position from the text of a state.
///
/// # Errors
/// The reason why it is invalid.
pub fn read<P: FromStr<Err: Display>>(text: &str) -> Result<P, String> {
    text.parse().map_err(|error: P::Err| error.to_string())
}

fn made<'a>(solver: &'a mut Option<Box<Solver>>, position: &Domineering, stop: &Stop) -> &'a mut Solver {
    solver.get_or_insert_with(|| {
        let mut solver = Box::new(Solver::new(position.board(), TABLE_BYTES));
        solver.stop_by(stop.clone());
        solver
    })
}

fn searched(
    engine: &mut dyn TextEngine,
    state: &dyn GameState,
    limits: SearchLimits,
    stop: &Stop,
) -> Result<Judgement, String> {
    let task = Task { limits, stop: stop.clone(), ..Task::default() };
    let mut found = None;
    let best = engine.search(&state.position(), &task, &mut |info| found = Some((info.score, info.pv.clone())))?;
    let turn = state.turn().unwrap_or(Side::First);
    let Some((score, line)) = found else {
        // A known opening is not searched.
        let line = best.into_iter().collect();
        return Ok(Judgement { value: Some(0.0), known_opening: true, line, ..Judgement::default() });
    };
    let wins = |side: Side, plies: u32| (None, Some(side), Some(plies));
    let (value, wins, plies) = match score {
        Score::Win(plies) => wins(turn, plies),
        Score::Loss(plies) => wins(turn.other(), plies),
        Score::Centi(value) => {
            let value = f64::from(if turn == Side::First { value } else { -value }) / 100.0;
            (Some(value), None, None)
        }
    };
    Ok(Judgement { value, wins, plies, line, ..Judgement::default() })
}

fn solved(solver: &mut Solver, position: &Domineering, limits: SearchLimits) -> Judgement {
    let lead = |value: i32| (position.lead() + GameScore::from(value)).as_f64();
    if let Ok(value) = solver.value(position, limits) {
        let value = lead(value);
        let winner = if value < 0.0 { Side::Second } else { Side::First };
        let wins = (value != 0.0).then_some(winner);
        return Judgement { value: Some(value), wins, proved: true, ..Judgement::default() };
    }
    Judgement { value: Some(lead(solver.estimate(position))), ..Judgement::default() }
}
