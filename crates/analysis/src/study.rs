//! Proved results for a position of domineering: the winner, the margin, the moves.

use std::time::Duration;

use agon_engines::domineering::{Analysis, MoveBounds};
use agon_game::{GameScore, Outcome, Position as _, Show as _, Side};
use agon_rules::domineering::{Domineering, Move};
use serde_json::{Value, json};

use super::lines::numbers;

/// A position, and everything that is proved about it.
#[derive(Clone, Debug)]
pub struct Study {
    pub position: Domineering,
    pub analysis: Analysis,
}

impl Study {
    /// Returns the first side's final lead if it gets `value` points more than the second from here on.
    pub fn margin(&self, value: i32) -> GameScore {
        self.position.lead() + GameScore::from(value)
    }

    fn outcome(&self, value: i32) -> Outcome {
        Outcome::by_score(self.margin(value), GameScore::default())
    }

    /// Returns the outcome after this move, if proved.
    pub fn decided(&self, judged: &MoveBounds) -> Option<Outcome> {
        let outcome = self.outcome(judged.low);
        (outcome == self.outcome(judged.high)).then_some(outcome)
    }

    /// Returns true if a move is proved to be as good as any.
    pub fn is_best(&self, judged: &MoveBounds) -> bool {
        let (low, high) = self.analysis.bounds(&self.position);
        match self.position.turn() {
            Side::First => judged.low >= high,
            Side::Second => judged.high <= low,
        }
    }

    /// Returns the final lead of the side to move after a move, if proved: `+1.5`.
    pub fn gap(&self, judged: &MoveBounds) -> Option<GameScore> {
        judged.value().map(|value| self.seen(self.margin(value)))
    }

    /// A lead of the first side, as the side to move sees it.
    fn seen(&self, lead: GameScore) -> GameScore {
        match self.position.turn() {
            Side::First => lead,
            Side::Second => GameScore::default() - lead,
        }
    }

    /// Returns true if all values are exact.
    pub fn is_proved(&self) -> bool {
        self.analysis.moves.iter().all(|judged| judged.value().is_some())
    }

    /// Returns one line of JSON; values are the first side's future points minus the second's.
    pub fn json(&self, nodes: u64, time: Duration) -> Value {
        let winner = |outcome: Option<Outcome>| outcome.map(|outcome| outcome.to_string());
        let (low, high) = self.analysis.bounds(&self.position);
        let whole = MoveBounds { m: Move::PASS, low, high };
        let moves: Vec<Value> = self
            .analysis
            .moves
            .iter()
            .map(|judged| {
                json!({
                    "move": numbers(&judged.m), "letters": named(judged.m), "value": judged.value(),
                    "low": judged.low, "high": judged.high,
                    "winner": winner(self.decided(judged)), "best": self.is_best(judged),
                })
            })
            .collect();
        let line = &self.analysis.line;
        json!({
            "turn": Domineering::SEATS[self.position.turn().index()], "lead": self.position.lead().as_f64(),
            "value": whole.value(), "estimate": self.analysis.estimate, "low": low, "high": high,
            "winner": winner(self.decided(&whole)),
            "line": line.iter().map(numbers).collect::<Vec<_>>(),
            "letters": line.iter().map(|&m| named(m)).collect::<Vec<_>>(), "moves": moves,
            "nodes": nodes, "ms": time.as_secs_f64() * 1000.0, "proved": self.is_proved(),
        })
    }

    /// `H to move wins by 4.5`, as far as it is proved.
    pub fn headline(&self) -> String {
        let seats = Domineering::SEATS;
        let name = |side: Side| seats[side.index()];
        let turn = self.position.turn();
        if let Some(outcome) = self.position.outcome() {
            let by = unsigned(self.position.lead());
            return outcome.winner().map_or("drawn".to_owned(), |side| format!("{} has won by {by}", name(side)));
        }
        let (low, high) = self.analysis.bounds(&self.position);
        let (low, high) = (self.margin(low), self.margin(high));
        let winner = |margin: GameScore| Outcome::by_score(margin, GameScore::default());
        let words = match (winner(low), winner(high)) {
            (Outcome::Draw, Outcome::Draw) => "a draw".to_owned(),
            (Outcome::Win(side), Outcome::Win(other)) if side == other => {
                let [a, b] = [low, high].map(unsigned);
                if a == b {
                    format!("{} wins by {a}", name(side))
                } else {
                    format!("{} wins, by {} to {}", name(side), a.min(b), a.max(b))
                }
            }
            _ => {
                let about = signed(self.margin(self.analysis.estimate));
                format!("not proved in time: H ends from {} to {} ahead, about {about}", signed(low), signed(high))
            }
        };
        format!("{} to move: {words}", name(turn))
    }
}

fn unsigned(score: GameScore) -> GameScore {
    GameScore::from_halves(score.halves().abs())
}

/// With its sign: `+1.5`, `−2`, `0`.
pub fn signed(score: GameScore) -> String {
    match score.halves() {
        0 => "0".to_owned(),
        1.. => format!("+{score}"),
        _ => format!("−{}", unsigned(score)),
    }
}

pub fn named(m: Move) -> String {
    Domineering::letters(m)
}
