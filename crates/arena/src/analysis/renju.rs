//! Renju: a win by fours and threes where there is one, else the best lines.

use std::time::{Duration, Instant};

use agon_engines::renju::Threats;
use agon_game::Position as _;
use agon_proof::solution::{ThreatMode, solve};
use agon_proof::verifier::LineError;
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{Engine, Info, Score, SearchLimits, Task};
use serde_json::{Value, json};

use super::lines::numbers;

/// What was found out about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenjuFindings {
    pub best: Option<Move>,
    /// A forced win of the side to move, to its last stone.
    pub win: Option<Vec<Move>>,
    /// The points that are forbidden to Black.
    pub forbidden: Vec<Point>,
}

/// Looks for a win by fours and threes for so long, and where there is none lets the engine think. The listener hears
/// the win as the best line, or the engine's lines.
///
/// # Errors
/// [`LineError`] if the rules refuse the win that was found: then a search is wrong.
pub fn analyse(
    position: &Renju,
    task: &Task,
    threats: &mut Threats,
    looking: Duration,
    engine: &mut dyn Engine<Renju>,
    listener: &mut dyn FnMut(&Info<Move>),
) -> Result<RenjuFindings, LineError> {
    let begin = Instant::now();
    // A win that is proved is the best line, so it must be known before others are shown.
    let limits = SearchLimits { nodes: task.limits.nodes, ..SearchLimits::time(looking) };
    let solution = solve(threats, position, ThreatMode::Any, limits, &task.stop)?;
    let mut win = Some(solution.line).filter(|line| solution.win == Some(true) && !line.is_empty());
    let best = if let Some(line) = &win {
        let plies = line.len() as u32;
        listener(&Info {
            depth: plies,
            seldepth: plies,
            multipv: 1,
            score: Score::Win(plies),
            nodes: solution.nodes,
            hashfull: None,
            elapsed: begin.elapsed(),
            pv: line.clone(),
        });
        line.first().copied()
    } else {
        let time = task.limits.time.map(|time| time.saturating_sub(begin.elapsed()));
        let task = Task { limits: SearchLimits { time, ..task.limits }, ..task.clone() };
        engine.search(position, &task, &mut |info| {
            // The search has its own ways to find a win.
            if info.multipv == 1 {
                let whole = info.score == Score::Win(info.pv.len() as u32);
                win = whole.then(|| info.pv.clone());
            }
            listener(info);
        })
    };
    let forbidden =
        if position.outcome().is_some() { Vec::new() } else { position.forbidden_points().iter().collect() };
    Ok(RenjuFindings { best, win, forbidden })
}

impl RenjuFindings {
    /// The forbidden points and the win as one line of JSON.
    pub fn json(&self) -> Value {
        let forbidden: Vec<[u8; 2]> = self.forbidden.iter().map(|point| [point.row(), point.column()]).collect();
        let win = self.win.as_deref();
        json!({
            "forbidden": forbidden,
            "win": win.map(|line| line.iter().map(numbers).collect::<Vec<_>>()),
            "letters": win.map(|line| line.iter().map(|m| m.letters()).collect::<Vec<_>>()),
        })
    }
}
