//! The row of Renju.

use std::sync::Arc;

use agon_engines::random::Random;
use agon_engines::renju::{Champion, Greedy};
use agon_game::Show as _;
use agon_message::Reason;
use agon_rules::renju::opening_rules::{OpeningGame, OpeningRule};
use agon_rules::renju::{Renju, RuleSet};

use crate::builtin::Builtin;
use crate::capability::Capability;
use crate::entry::{CurveRules, Game, GameEntry, GameStart, OpeningRules};
use crate::face::PositionFace;
use crate::illustrations::illustrations;
use crate::position::{CatalogPosition, TypedEngine};
use crate::setup::{Expected, GameParameter, OPENING, Setup, SetupError};
use crate::situations;

pub static RENJU: GameEntry = GameEntry {
    name: "renju",
    title: "Renju",
    short_title: "Renju",
    summary: "five in a row; forbidden moves for Black; turns 1 to 3 near the centre",
    rules: &[
        "Turn 1: Black must play MOVE 8 8 (row, column).",
        "Turn 2: White must play MOVE x y with x and y from 7 to 9.",
        "Turn 3: Black must play MOVE x y with x and y from 6 to 10.",
        "From turn 4 on: any empty point, or PASS, MOVE -1 -1. Two PASSes in a row are a draw.",
        "Exactly five in a row win; for White six or more, too.",
        "Forbidden to Black are six or more, two fours, and two threes with one stone, unless it makes a five. A \
         forbidden move loses (verdict RE).",
    ],
    page: "docs/rules/renju.md",
    illustrations: illustrations!(
        "renju",
        "A whole game of nine turns. White’s PASS is a mistake: after `MOVE 8 7` Black has a four. `to` \
            marks lines from the judge to a player, `from` the answers.",
        "beginning" => "The first three turns: Black in the centre, White on a point marked 2, Black on a point \
            marked 2 or 3.",
        "terms" => "Four on the first line: 1, or either 2, makes a five. Three on the middle line: either 3 or 4 \
            makes a straight four. The cross would make an overline. The three stones at the lower left are no \
            three.",
        "forbidden" => "Forbidden to Black, from the top: an overline, a double four, a double three, a double four \
            on one line.",
        "allowed" => "Allowed: 1, where only one of two threes counts; 2, a four and a three; 3, a five.",
        "end" => "The end of the example below: Black has made a five.",
    ),
    source: "https://alphano.co.kr/en/problem/8",
    example: "H8 H9 I9",
    seats: Renju::SEATS,
    samples: samples!("renju"),
    situations: situations::renju::SITUATIONS,
    parameters: &[
        RULES,
        OPENING_RULE,
        GameParameter { values: "moves as people or the judge write them, `H8/H9` or `8 8/7 8`", ..OPENING },
    ],
    can_be_drawn: true,
    start: GameStart::Position(PositionFace::of::<Renju>()),
    builtins: &[
        Builtin::engine("random", "every legal move with equal probability", |_| {
            TypedEngine::<Renju>::boxed(Random::new(0))
        })
        .rated(400.0),
        Builtin::engine("greedy", "makes and stops fours and threes, one move deep", |_| {
            TypedEngine::boxed(Greedy::new(0))
        })
        .rated(1570.0),
        Builtin::engine("classic", "the champion's search with a hand-made evaluation", |_| {
            TypedEngine::boxed(Champion::classic())
        })
        .timed()
        .rated(3170.0),
        Builtin::engine("champion", "finds wins by fours and threes, and searches deep", |level| {
            TypedEngine::boxed(Champion::at(level))
        })
        .with_level_steps(&[241.0, 284.0, 277.0, 234.0, 299.0, 210.0, 346.0, 127.0, 280.0]),
    ],
    programs: |_| None,
    defaults: ["greedy", "greedy"],
    // Its rules restrict three plies to the middle of the board.
    openings: OpeningRules {
        usual_plies: 3,
        uniform_plies: 3,
        draw: None,
        balanced: include_str!("../../../books/renju-balanced.txt"),
    },
    size: None,
    capabilities: &[
        Capability::Lines,
        Capability::ParallelSearch,
        Capability::Threats,
        Capability::Picture,
        Capability::Proofs,
        Capability::Bench,
        Capability::Networks,
        Capability::Beginnings,
        Capability::Book,
        Capability::Puzzles,
        Capability::GameFiles,
        Capability::ForbiddenPoints,
    ],
    curve: CurveRules { nodes: 6_000, scale: 3.0, meaning: "The champion's evaluation after every move", note: "" },
};

impl CatalogPosition for Renju {
    const GAME: Game = Game(&RENJU);

    fn reason(error: Self::Err) -> Reason {
        Arc::new(error)
    }

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        match opening(setup)? {
            Some(game) => Ok(game.position()),
            None => Ok(Self::start(rules(setup)?.unwrap_or_default())),
        }
    }
}

/// The parameter for the rule set.
pub const RULES: GameParameter = GameParameter {
    name: "rules",
    meaning: "rule set: ALPHANO's renju, renju from any first stones, standard or freestyle gomoku",
    values: "alphano, renju, standard or freestyle",
    default: "alphano",
};

/// The parameter for a game that people have opened by an opening rule.
pub const OPENING_RULE: GameParameter = GameParameter {
    name: "opening-rule",
    meaning: "opening rule, and the decisions that were made; the first seat is the one that then holds Black",
    values: "rif, yamaguchi, soosyrv-8, taraguchi-10 or swap2, then points, swap, keep, ten, two and numbers",
    default: "none",
};

/// Parameters of games by hand; competitions keep ALPHANO's rules.
pub const BY_HAND: [&str; 2] = [RULES.name, OPENING_RULE.name];

/// Returns the rule set of a set-up, if it names one.
///
/// # Errors
/// [`SetupError::Value`] if there is no such rule set.
fn rules(setup: &Setup) -> Result<Option<RuleSet>, SetupError> {
    let Some(text) = setup.given(RULES.name) else { return Ok(None) };
    text.trim().parse().map(Some).map_err(|_| SetupError::Value {
        name: RULES.name,
        problem: format!("`{text}`").into(),
        expected: Expected::RuleSet,
    })
}

/// Returns the complete opening of a set-up, if it has one.
///
/// # Errors
/// [`SetupError::Value`] if it is not an opening, or has not come to its end.
pub fn opening(setup: &Setup) -> Result<Option<OpeningGame>, SetupError> {
    let Some(text) = setup.given(OPENING_RULE.name).map(str::trim) else { return Ok(None) };
    if text.is_empty() || text == OPENING_RULE.default {
        return Ok(None);
    }
    let refused = |problem: String| SetupError::Value {
        name: OPENING_RULE.name,
        problem: problem.into(),
        expected: Expected::Opening,
    };
    let (name, decisions) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rule: OpeningRule = name.parse().map_err(|_| refused(format!("`{name}`")))?;
    let start = OpeningGame::under(rule, rules(setup)?.unwrap_or_else(|| rule.rules()));
    let game = start.continued(decisions).map_err(|error| refused(format!("refused at {error}")))?;
    match game.turn() {
        None => Ok(Some(game)),
        Some((_, step)) => Err(refused(format!("not complete (next: {step})"))),
    }
}
