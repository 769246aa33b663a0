//! Ending a game before its rules do: by the scores that both agents report, or by its length.
//!
//! The rules are those of cutechess and fastchess. A move without a score breaks every row of moves.

use std::fmt;

use agon_game::{Evaluation, Score, Side};
use agon_message::{Stated, messages};
use serde::{Deserialize, Serialize};

use crate::report::Winner;

messages! {
    /// Why a game was adjudicated.
    pub enum AdjudicationReason {
        Even { within: String, span: MoveSpan } = "adjudicated: both scores within {within} for {span}",
        Lost { loser: SideName, score: String, span: MoveSpan } =
            "adjudicated: the score of {loser} at most -{score} for {span}",
        LostAgreed { loser: SideName, score: String, span: MoveSpan, winner: SideName } =
            "adjudicated: the score of {loser} at most -{score} for {span}, and {winner} agrees",
        Long { plies: u32 } = "adjudicated: {plies} plies were played",
        /// By rules that are not recorded.
        Elsewhere = "adjudicated",
    }

    /// A side, by the order of moves.
    pub enum SideName {
        First = "first",
        Second = "second",
    }

    /// A number of moves.
    pub enum MoveSpan {
        One = "1 move",
        Many { moves: u32 } = "{moves} moves",
    }
}

impl From<Side> for SideName {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

/// The rules that end a game early; by default there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draw: Option<DrawRule>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resign: Option<ResignRule>,
    /// The game is drawn after this number of plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_plies: Option<u32>,
}

/// A draw when both scores have been near 0 for some moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this number of moves of both sides.
    pub move_number: u32,
    /// For this number of moves of each side in a row.
    pub move_count: u32,
    /// In hundredths, either way.
    pub score: u32,
}

/// A loss for the side whose score has been bad for some moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResignRule {
    /// For this number of its moves in a row.
    pub move_count: u32,
    /// In hundredths below 0.
    pub score: u32,
    /// The other side must have been as sure of its win for as many moves.
    #[serde(rename = "twosided", default)]
    pub two_sided: bool,
}

/// How an adjudicated game ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjudicated {
    pub winner: Winner,
    pub reason: Stated,
    /// Whether it follows from scores, which only the agents know.
    pub by_scores: bool,
}

impl Adjudication {
    pub const OFF: Self = Self { draw: None, resign: None, max_plies: None };

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
    pub fn is_off(&self) -> bool {
        *self == Self::OFF
    }
}

/// The rules in words: `draw after move 20 when both scores are within 0.10 for 8 moves, …`; empty if none is set.
impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draw = self.draw.map(|DrawRule { move_number, move_count, score }| {
            let score = points(score);
            format!(
                "draw from move {move_number} when both scores are within {score} for {}",
                MoveSpan::new(move_count)
            )
        });
        let resign = self.resign.map(|ResignRule { move_count, score, two_sided }| {
            let both = if two_sided { " and the other side agrees" } else { "" };
            format!("loss when a score is at most -{} for {}{both}", points(score), MoveSpan::new(move_count))
        });
        let length = self.max_plies.map(|plies| format!("draw after {plies} plies"));
        let all: Vec<String> = [draw, resign, length].into_iter().flatten().collect();
        f.write_str(&all.join("; "))
    }
}

/// Follows a game and says when the rules end it.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    /// Plies in a row whose scores are near 0.
    calm: u32,
    /// Moves of each side in a row by whose scores it is lost, and won.
    lost: [u32; 2],
    won: [u32; 2],
}

impl Adjudicator {
    pub const fn new(rules: Adjudication) -> Self {
        Self { rules, calm: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Records a move that did not end the game, and what its side thought before it; `ply` is the number of moves
    /// made. Returns how the game ends, if it does.
    pub fn take(&mut self, side: Side, evaluation: Option<&Evaluation>, ply: u32) -> Option<Adjudicated> {
        let (at, score) = (side.index(), evaluation.map(|evaluation| evaluation.score));
        let count = |row: &mut u32, goes_on: bool| *row = if goes_on { *row + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            count(&mut self.calm, score.is_some_and(|score| is_near(score, rule.score)));
            if self.calm >= rule.move_count.saturating_mul(2) && ply >= rule.move_number.saturating_mul(2) {
                let (within, span) = (points(rule.score), MoveSpan::new(rule.move_count));
                return Some(Adjudicated::new(Winner::Draw, &AdjudicationReason::Even { within, span }, true));
            }
        }
        if let Some(rule) = self.rules.resign {
            count(&mut self.lost[at], score.is_some_and(|score| is_lost(score, rule.score)));
            count(&mut self.won[at], score.is_some_and(|score| is_lost(opposite(score), rule.score)));
            let loses = |side: Side| {
                let agreed = !rule.two_sided || self.won[side.other().index()] >= rule.move_count;
                agreed && self.lost[side.index()] >= rule.move_count
            };
            if let Some(loser) = Side::BOTH.into_iter().find(|&side| loses(side)) {
                let (score, span) = (points(rule.score), MoveSpan::new(rule.move_count));
                let [loser_name, winner] = [loser, loser.other()].map(SideName::from);
                let reason = if rule.two_sided {
                    AdjudicationReason::LostAgreed { loser: loser_name, score, span, winner }
                } else {
                    AdjudicationReason::Lost { loser: loser_name, score, span }
                };
                return Some(Adjudicated::new(loser.other().into(), &reason, true));
            }
        }
        let plies = self.rules.max_plies.filter(|&most| ply >= most)?;
        Some(Adjudicated::new(Winner::Draw, &AdjudicationReason::Long { plies }, false))
    }
}

impl Adjudicated {
    /// The winner, and why.
    pub(crate) fn result(&self) -> (Winner, Stated) {
        (self.winner, self.reason.clone())
    }

    fn new(winner: Winner, reason: &AdjudicationReason, by_scores: bool) -> Self {
        Self { winner, reason: reason.into(), by_scores }
    }
}

impl MoveSpan {
    const fn new(moves: u32) -> Self {
        match moves {
            1 => Self::One,
            moves => Self::Many { moves },
        }
    }
}

const fn is_near(score: Score, most: u32) -> bool {
    matches!(score, Score::Centi(value) if value.unsigned_abs() <= most)
}

fn is_lost(score: Score, most: u32) -> bool {
    match score {
        Score::Centi(value) => i64::from(value) <= -i64::from(most),
        Score::Win(_) => false,
        Score::Loss(_) => true,
    }
}

const fn opposite(score: Score) -> Score {
    match score {
        Score::Centi(value) => Score::Centi(-value),
        Score::Win(plies) => Score::Loss(plies),
        Score::Loss(plies) => Score::Win(plies),
    }
}

fn points(hundredths: u32) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays these scores, the first side's first, and returns after how many plies the game ends, and how.
    fn ends(rules: Adjudication, scores: &[Option<Score>]) -> Option<(usize, Winner, String)> {
        let mut adjudicator = Adjudicator::new(rules);
        scores.iter().zip(1..).find_map(|(score, ply)| {
            let evaluation = score.map(Evaluation::new);
            let ended = adjudicator.take(Side::BOTH[(ply - 1) % 2], evaluation.as_ref(), ply as u32)?;
            Some((ply, ended.winner, ended.reason.text))
        })
    }

    fn centi(values: &[i32]) -> Vec<Option<Score>> {
        values.iter().map(|&value| Some(Score::Centi(value))).collect()
    }

    #[test]
    fn a_draw_needs_both_sides_for_some_moves() {
        let rule = |move_number| Adjudication {
            draw: Some(DrawRule { move_number, move_count: 2, score: 10 }),
            ..Adjudication::OFF
        };
        let reason = "adjudicated: both scores within 0.10 for 2 moves".to_owned();
        let check = |number, scores: &[Option<Score>], ply: Option<usize>| {
            assert_eq!(ends(rule(number), scores), ply.map(|ply| (ply, Winner::Draw, reason.clone())), "{scores:?}");
        };
        check(0, &centi(&[0, 10, -10, 5, 0]), Some(4));
        check(0, &centi(&[0, 0, 11, 0, 0, 0, 0]), Some(7));
        check(3, &centi(&[0; 8]), Some(6));
        check(0, &centi(&[0, 50, 0, 50, 0, 50]), None);
        check(0, &[None; 8], None);
        let mut broken = centi(&[0; 6]);
        broken[2] = None;
        check(0, &broken, None);
        check(0, &[Some(Score::Win(1)); 8], None);
    }

    #[test]
    fn a_loss_needs_the_other_side_if_asked_for() {
        let rule = |two_sided| Adjudication {
            resign: Some(ResignRule { move_count: 2, score: 600, two_sided }),
            ..Adjudication::OFF
        };
        let check = |two_sided, scores: &[Option<Score>], expected: Option<(usize, Winner)>| {
            let found = ends(rule(two_sided), scores).map(|(ply, winner, _)| (ply, winner));
            assert_eq!(found, expected, "{two_sided} {scores:?}");
        };
        check(false, &centi(&[-600, 0, -900, 0]), Some((3, Winner::Second)));
        check(false, &centi(&[0, -600, 0, -900]), Some((4, Winner::First)));
        check(false, &centi(&[-600, 0, -599, 0, -600, 0]), None);
        check(true, &centi(&[-600, 0, -900, 0, -900, 700, -900, 700]), Some((8, Winner::Second)));
        check(true, &centi(&[-600, 0, -900, 0]), None);
        let mates = [Some(Score::Loss(4)), Some(Score::Win(3)), Some(Score::Loss(2)), Some(Score::Win(1))];
        check(true, &mates, Some((4, Winner::Second)));
        let said = ends(rule(true), &mates).unwrap().2;
        assert_eq!(said, "adjudicated: the score of first at most -6.00 for 2 moves, and second agrees");
    }

    #[test]
    fn a_long_game_is_drawn() {
        let rules = Adjudication { max_plies: Some(3), ..Adjudication::OFF };
        let reason = "adjudicated: 3 plies were played".to_owned();
        assert_eq!(ends(rules, &[None; 5]), Some((3, Winner::Draw, reason)));
        assert_eq!(ends(Adjudication::OFF, &[None; 500]), None);
        assert_eq!(ends(Adjudication::OFF, &centi(&[-9000; 500])), None);
    }

    #[test]
    fn rules_are_words() {
        let rules = Adjudication {
            draw: Some(DrawRule { move_number: 20, move_count: 8, score: 10 }),
            resign: Some(ResignRule { move_count: 1, score: 600, two_sided: true }),
            max_plies: Some(200),
        };
        assert_eq!(
            rules.to_string(),
            "draw from move 20 when both scores are within 0.10 for 8 moves; loss when a score is at most -6.00 for 1 \
             move and the other side agrees; draw after 200 plies"
        );
        assert_eq!(serde_json::to_string(&Adjudication::OFF).unwrap(), "{}");
        let text = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<Adjudication>(&text).unwrap(), rules);
    }
}
