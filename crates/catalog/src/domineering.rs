//! The row of Domineering.

use std::sync::Arc;

use agon_engines::domineering::{Champion, Greedy, Uct, start};
use agon_engines::random::Random;
use agon_game::Show as _;
use agon_message::Reason;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};

use crate::builtin::Builtin;
use crate::capability::Capability;
use crate::entry::{CurveRules, Game, GameEntry, GameStart, OpeningRules};
use crate::face::PositionFace;
use crate::illustrations::illustrations;
use crate::position::{CatalogPosition, TypedEngine};
use crate::setup::{Expected, GameParameter, OPENING, Setup, SetupError};
use crate::situations;

const SIZE: &str = "1 to 8";

/// A given board determines its own size and weights.
const PARAMETERS: [GameParameter; 6] = [
    GameParameter { name: "rows", meaning: "rows of the board", values: SIZE, default: "8" },
    GameParameter { name: "columns", meaning: "columns of the board", values: SIZE, default: "8" },
    GameParameter {
        name: "largest",
        meaning: "largest weight of a cell, drawn from the seed",
        values: "0 to 99",
        default: "3",
    },
    GameParameter {
        name: "bonus",
        meaning: "points of the second player at the start",
        values: "points in halves",
        default: "2.5",
    },
    GameParameter {
        name: "board",
        meaning: "the weights, rows separated by `/`",
        values: "1 1 2/0 3 1",
        default: "drawn",
    },
    GameParameter { values: "the row and the column of each upper or left cell, `3 4/1 2`", ..OPENING },
];

pub static DOMINEERING: GameEntry = GameEntry {
    name: "domineering",
    title: "Domineering",
    short_title: "Domineering",
    summary: "dominoes on a board of points, across and upright; more points win",
    rules: &[
        "Before READY come the rows of the board: 8 lines of 8 numbers.",
        "MOVE x y gives row and column of the domino's upper or left cell: H (first) covers (x,y) and (x,y+1), V \
         covers (x,y) and (x+1,y).",
        "A domino scores the sum of its two cells. V starts with 2.5 points.",
        "PASS, MOVE -1 -1, is always legal. Two PASSes in a row end the game.",
        "The game ends also when neither side has a place left. More points win.",
    ],
    page: "docs/rules/domineering.md",
    illustrations: illustrations!(
        "domineering",
        "A short game on the first board. H wins 11–8.5: both players passed one after the other. `to` \
            marks lines from the judge to a player, `from` the answers.",
        "start" => "A board of 8 × 8 numbers, drawn at random for every game.",
        "first" => "H covers (4,4) and (4,5): `MOVE 4 4` scores 3 + 3.",
        "second" => "V covers (4,3) and (5,3): `MOVE 4 3` scores 0 + 2.",
        "forced" => "V, to move, must pass: no column has two empty cells that touch, but H can still play in row 3.",
        "full" => "The end: neither side can place a domino.",
        "end" => "The end of the example below.",
    ),
    source: "https://alphano.co.kr/en/problem/9",
    example: "3 4/1 2",
    seats: Domineering::SEATS,
    samples: samples!("domineering"),
    situations: situations::domineering::SITUATIONS,
    parameters: &PARAMETERS,
    can_be_drawn: false,
    start: GameStart::Position(PositionFace::of::<Domineering>()),
    builtins: &[
        Builtin::engine("random", "every legal move with equal probability", |_| {
            TypedEngine::<Domineering>::boxed(Random::new(0))
        })
        .rated(400.0),
        Builtin::engine("greedy", "the best-paid place that hurts the other most", |_| {
            TypedEngine::boxed(Greedy::new(0))
        })
        .rated(1730.0),
        Builtin::engine("uct", "a Monte Carlo tree search that asks the strips instead of playing games out", |_| {
            TypedEngine::boxed(Uct::default())
        })
        .timed()
        .rated(2060.0),
        Builtin::engine("champion", "proves who wins, then plays perfectly", |level| {
            TypedEngine::boxed(Champion::at(level))
        })
        .with_level_steps(&[120.0, 95.0, 176.0, 139.0, 158.0, 156.0, 73.0, 61.0, 161.0]),
    ],
    programs: |_| None,
    defaults: ["greedy", "greedy"],
    openings: OpeningRules { balanced: include_str!("../../../books/domineering-balanced.txt"), ..OpeningRules::ANY },
    size: Some(["columns", "rows"]),
    capabilities: &[
        Capability::DrawnStart,
        Capability::Solving,
        Capability::Picture,
        Capability::Proofs,
        Capability::Bench,
        Capability::Puzzles,
    ],
    curve: CurveRules {
        nodes: 200_000,
        scale: 6.0,
        meaning: "Who ends ahead, and by how many points, as the champion proves or estimates it",
        note: "",
    },
};

impl CatalogPosition for Domineering {
    const GAME: Game = Game(&DOMINEERING);

    fn reason(error: Self::Err) -> Reason {
        Arc::new(error)
    }

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        let number = |name: &'static str, default: usize, least: usize, most: usize| match setup.given(name) {
            None => Ok(default),
            Some(text) => text.parse().ok().filter(|n| (least..=most).contains(n)).ok_or_else(|| {
                let expected = Expected::Whole { least, most };
                SetupError::Value { name, problem: format!("`{text}`").into(), expected }
            }),
        };
        let (rows, columns) = (number("rows", 8, 1, 8)?, number("columns", 8, 1, 8)?);
        let largest = number("largest", 3, 0, 99)? as u8;
        let wrong = |problem: String| SetupError::Value {
            name: "board",
            problem: problem.into(),
            expected: Expected::BoardRows,
        };
        let board = match setup.given("board") {
            Some(text) => {
                let clash = ["rows", "columns", "largest"].into_iter().find(|name| setup.given(name).is_some());
                if let Some(clash) = clash {
                    return Err(wrong(format!("given together with `{clash}`, which it decides")));
                }
                WeightedBoard::from_rows(&text.replace('/', "\n"))
                    .map_err(|error| wrong(format!("no board: {error}")))?
            }
            None => {
                WeightedBoard::drawn(rows, columns, largest, setup.seed).map_err(|error| wrong(error.to_string()))?
            }
        };
        let bonus = match setup.given("bonus") {
            None => Bonus::default(),
            Some(text) => text.parse().map_err(|error| SetupError::Value {
                name: "bonus",
                problem: format!("`{text}`: {error}").into(),
                expected: Expected::HalfPoints,
            })?,
        };
        Ok(Domineering::new(board, bonus))
    }

    fn from_preamble(preamble: &str) -> Result<Self, String> {
        start(preamble)
    }
}
