//! Openings with swaps: what is decided next, and what an engine would decide.

use std::str::FromStr as _;

use agon_catalog::{Capability, CatalogPosition as _, Game};
use agon_engines::renju::{Champion, OpeningNodes, OpeningPlayer};
use agon_game::{Alternating, Position as _};
use agon_message::{Reason, Stated};
use agon_rules::renju::opening_rules::{Decision, OpeningGame, OpeningRule, StepText};
use agon_rules::renju::{Point, Renju, RuleSet};
use agon_search::Stop;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::position::{PositionAnswer, position};
use super::question::{BoardGame, MAX_POSITION_BYTES, Refusal};

/// An opening in progress.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningQuestion {
    /// The name of the game: renju.
    pub game: String,
    /// The opening rule: rif, yamaguchi, soosyrv-8, taraguchi-10 or swap2.
    pub rule: String,
    /// The rule set of the game that follows; by default the usual one of the opening rule.
    #[serde(default)]
    pub rules: Option<String>,
    /// The decisions made, separated by blanks: points, `swap`, `keep`, `ten`, `two` and numbers.
    #[serde(default)]
    pub decisions: String,
    /// True if the champion makes the next decision.
    #[serde(default)]
    pub decide: bool,
    /// The seed of its choice among openings that are equally even.
    #[serde(default)]
    pub seed: u64,
    /// The random word that identifies a page, which has one search at a time.
    #[serde(default)]
    pub client: String,
}

/// An opening in progress, and what is decided next. Players are 0, who begins, and 1; colours 0, Black, and 1.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpeningAnswer {
    /// The position of the stones; its `legal` are the points of this step, and offered fifth moves have letters.
    position: PositionAnswer,
    /// The decisions made, with the one of the champion if it was asked for.
    decisions: Vec<OpeningDecision>,
    /// The player who holds Black.
    black: usize,
    /// What is decided next; null once the opening is complete.
    next: Option<OpeningStep>,
    /// The value of the parameter `opening-rule` of the game that follows; null before the opening is complete.
    parameter: Option<String>,
}

/// A decision that was made.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OpeningDecision {
    /// The player who made it.
    player: usize,
    /// As it is written in questions.
    text: String,
    /// What it is: stone, keep, swap, ten, two, announce, offer or choose.
    kind: &'static str,
}

/// What is decided next.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OpeningStep {
    /// The player who decides.
    player: usize,
    /// The colour that this player holds.
    colour: usize,
    /// The instruction.
    text: String,
    /// The instruction as a value: `key` is the same in every language.
    #[schema(value_type = Object)]
    message: Stated,
    /// The decisions that are words or numbers: `swap`, `keep`, `ten`, `two`, `1` …
    words: Vec<String>,
}

impl OpeningQuestion {
    /// The opening after the decisions.
    ///
    /// # Errors
    /// [`Refusal`] for the first thing that is wrong.
    pub fn play(&self) -> Result<OpeningGame, Refusal> {
        let game = Game::by_name(&self.game).filter(|game| game.can(Capability::GameFiles));
        game.ok_or_else(|| Refusal::new(&format!("`{}` has no opening rules", self.game.escape_debug())))?;
        if self.decisions.len() > MAX_POSITION_BYTES {
            return Err(Refusal::new(&format!("a text of more than {MAX_POSITION_BYTES} bytes")));
        }
        let rule = OpeningRule::from_str(&self.rule).map_err(|error| Refusal::new(&error))?;
        let rules = match &self.rules {
            Some(text) => RuleSet::from_str(text).map_err(|error| Refusal::new(&error))?,
            None => rule.rules(),
        };
        OpeningGame::under(rule, rules).continued(&self.decisions).map_err(|error| {
            let reason: Reason = std::sync::Arc::new(error.refusal);
            Refusal { reason, at: Some(error.number - 1) }
        })
    }

    /// The opening after the decisions, and after the champion's if that is wanted; a decision that is stopped is not
    /// made.
    ///
    /// # Errors
    /// See [`OpeningQuestion::play`].
    pub fn answer(&self, stop: &Stop) -> Result<OpeningAnswer, Refusal> {
        let mut game = self.play()?;
        if self.decide {
            let player = OpeningPlayer::new(Box::new(Champion::default()), OpeningNodes::default(), self.seed);
            let decision = player.stopped_by(stop.clone()).decide(&game);
            if let Some(decision) = decision.filter(|_| !stop.is_raised()) {
                game.apply(decision).map_err(Refusal::from_message)?;
            }
        }
        Ok(OpeningAnswer::new(&game))
    }
}

impl OpeningAnswer {
    fn new(game: &OpeningGame) -> Self {
        let legal = game.legal_decisions();
        let points: Vec<usize> = legal.iter().filter_map(|decision| decision.point()).map(Point::index).collect();
        let offers: Vec<usize> = game.offers().iter().map(|point| point.index()).collect();
        let state = Box::new(Alternating::new(game.position()));
        let board = BoardGame { game: Renju::GAME, state, moves: Vec::new(), seat: None };
        // In its place stands the stone that was chosen.
        let offers = if game.stones().len() < 5 { offers } else { Vec::new() };
        let next = game.turn().map(|(player, step)| {
            let message = StepText::from(step);
            OpeningStep {
                player: player as usize,
                colour: game.colour(player).index(),
                text: message.to_string(),
                message: Stated::from(&message),
                words: legal.iter().filter(|it| it.point().is_none()).map(ToString::to_string).collect(),
            }
        });
        Self {
            position: position(&board).restricted_to(&points, &offers, game.position().turn().index()),
            decisions: game
                .decisions()
                .iter()
                .map(|&(player, decision)| OpeningDecision {
                    player: player as usize,
                    text: decision.to_string(),
                    kind: kind(decision),
                })
                .collect(),
            black: game.black() as usize,
            parameter: next.is_none().then(|| format!("{} {}", game.rule(), game.text())),
            next,
        }
    }

    /// The same with its texts in the language of `localized`.
    pub fn spoken(mut self, localized: impl Fn(&Stated) -> String) -> Self {
        if let Some(next) = &mut self.next {
            next.text = localized(&next.message);
        }
        self.position = self.position.spoken(localized);
        self
    }
}

const fn kind(decision: Decision) -> &'static str {
    match decision {
        Decision::Stone(_) => "stone",
        Decision::Keep => "keep",
        Decision::Swap => "swap",
        Decision::OfferTen => "ten",
        Decision::PlaceTwo => "two",
        Decision::Announce(_) => "announce",
        Decision::Offer(_) => "offer",
        Decision::Choose(_) => "choose",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn asked(question: Value) -> Result<Value, Refusal> {
        let question: OpeningQuestion = serde_json::from_value(question).expect("a question");
        Ok(serde_json::to_value(question.answer(&Stop::default())?).expect("JSON"))
    }

    #[test]
    fn an_opening_is_asked_for_step_by_step() {
        let rif = |decisions: &str| asked(json!({ "game": "renju", "rule": "rif", "decisions": decisions })).unwrap();
        let start = rif("");
        assert_eq!(start["next"]["message"]["key"], "step-text-stone-centre");
        assert_eq!(start["position"]["legal"].as_array().unwrap().len(), 1);
        let swap = rif("H8 H9 J9");
        assert_eq!(swap["next"]["words"], json!(["keep", "swap"]));
        assert_eq!((&swap["next"]["player"], &swap["next"]["colour"]), (&json!(1), &json!(1)));
        assert!(swap["position"]["legal"].as_array().unwrap().is_empty());
        let choose = rif("H8 H9 J9 swap G8 J7 G6");
        let letters: Vec<&Value> =
            choose["position"]["legal"].as_array().unwrap().iter().map(|m| &m["letters"]).collect();
        assert_eq!(letters, ["J7", "G6"]);
        let cell = |at: usize| choose["position"]["cells"][at][1].clone();
        assert_eq!((cell(8 * 15 + 7), choose["black"].clone()), (json!("."), json!(1)));
        assert_eq!((cell(8 * 15 + 9), cell(9 * 15 + 6)), (json!("A"), json!("B")));
        let done = rif("H8 H9 J9 swap G8 J7 G6 G6");
        assert_eq!(done["next"], Value::Null);
        assert_eq!(done["parameter"], "rif H8 H9 J9 swap G8 J7 G6 G6");
    }

    #[test]
    fn the_champion_decides() {
        let question = json!({ "game": "renju", "rule": "taraguchi-10", "decisions": "H8", "decide": true });
        let answer = asked(question).unwrap();
        assert_eq!(answer["decisions"].as_array().unwrap().len(), 2);
        assert_eq!(answer["decisions"][1]["kind"], "keep");
    }

    #[test]
    fn a_decision_ends_when_it_is_stopped() {
        let question = OpeningQuestion {
            game: "renju".to_owned(),
            rule: "soosyrv-8".to_owned(),
            decisions: "H8 H9 J9".to_owned(),
            decide: true,
            ..OpeningQuestion::default()
        };
        let stop = Stop::default();
        stop.raise();
        assert_eq!(question.answer(&stop).unwrap().decisions.len(), 3);
    }

    #[test]
    fn wrong_openings_are_refused() {
        let check = |rule: &str, decisions: &str, expected: &str, at: Option<usize>| {
            let refused = asked(json!({ "game": "renju", "rule": rule, "decisions": decisions })).unwrap_err();
            assert_eq!((refused.to_string().as_str(), refused.at), (expected, at));
        };
        check("rif", "H8 A1", "stone 2 must be placed in the central 3 × 3 square, not on A1", Some(1));
        let names = "unknown opening rule: `pro`; expected rif, yamaguchi, soosyrv-8, taraguchi-10 or swap2";
        check("pro", "", names, None);
    }
}
