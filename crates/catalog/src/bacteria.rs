//! The row of Bacteria War.

use std::sync::Arc;

use agon_engines::bacteria::{Champion, Classic, Greedy, level, opening};
use agon_engines::random::Random;
use agon_game::seed::Stream;
use agon_game::{Show as _, Side};
use agon_message::Reason;
use agon_rules::bacteria::Bacteria;

use crate::builtin::Builtin;
use crate::capability::Capability;
use crate::entry::{CurveRules, Game, GameEntry, GameStart, OpeningRules};
use crate::face::PositionFace;
use crate::illustrations::illustrations;
use crate::position::{CatalogPosition, TypedEngine};
use crate::setup::{Expected, GameParameter, OPENING, POSITION, Setup, SetupError};
use crate::situations;

pub static BACTERIA: GameEntry = GameEntry {
    name: "bacteria",
    title: "Bacteria War",
    short_title: "Bacteria War",
    summary: "Ataxx on 7 x 7 without blockers; more cells win; 200 moves a side at most",
    rules: &[
        "Cells are (row,column). O (first) starts on (1,1) and (7,7), X on (1,7) and (7,1).",
        "MOVE x1 y1 x2 y2 goes from an own cell to an empty one, 1 or 2 steps away: by 1 step the source stays \
         (Division), by 2 it is emptied (Leap). Then all opposing cells on the 8 neighbours of (x2,y2) change sides.",
        "PASS, MOVE -1 -1 -1 -1, is legal only without any other move.",
        "In the text of a position, a FEN as other Ataxx programs write it, `x` moves first: `x` is O here, and `o` is \
         X.",
        "The game ends when a side has no cell, when the board is full, or after turn 400. More cells win.",
    ],
    page: "docs/rules/bacteria.md",
    illustrations: illustrations!(
        "bacteria",
        "A whole game of four moves. X wins 0–5: O has vanished. `to` marks lines from the judge to a \
            player, `from` the answers.",
        "start" => "The start: O, blue, has two corners and moves first.",
        "division" => "A division: distance 1. The old cell stays. X: `MOVE 1 7 2 6`.",
        "leap" => "A leap: distance 2. The old cell is emptied. O: `MOVE 1 1 3 3`.",
        "before" => "Before an infection: X, to move, leaps next to O.",
        "infection" => "After X leaps with `MOVE 2 6 4 4`: all neighbours of the target that were O are X.",
        "pass" => "O must pass: no empty cell lies within two steps of its only one.",
    ),
    source: "https://alphano.co.kr/en/problem/1",
    example: "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10",
    seats: Bacteria::SEATS,
    samples: samples!("bacteria"),
    situations: situations::bacteria::SITUATIONS,
    parameters: &[
        GameParameter { values: "moves as people or the judge write them, `b6/g7e5` or `1 1 2 2/1 7 3 5`", ..OPENING },
        POSITION,
    ],
    can_be_drawn: true,
    start: GameStart::Position(PositionFace::of::<Bacteria>()),
    builtins: &[
        Builtin::engine("random", "every legal move with equal probability", |_| {
            TypedEngine::<Bacteria>::boxed(Random::new(0))
        })
        .rated(400.0),
        Builtin::engine("greedy", "most cells after the opponent's best reply", |_| TypedEngine::boxed(Greedy::new(0)))
            .rated(1480.0),
        Builtin::engine("classic", "the champion's search with a hand-made evaluation", |_| {
            TypedEngine::boxed(Champion::<Classic>::default())
        })
        .timed()
        .rated(3200.0),
        Builtin::engine("champion", "a deep search", |at| Box::new(TypedEngine(level::at(at))))
            .with_level_steps(&[330.0, 297.0, 297.0, 280.0, 311.0, 188.0, 207.0, 220.0, 458.0]),
    ],
    programs: |_| None,
    defaults: ["greedy", "greedy"],
    openings: OpeningRules {
        usual_plies: opening::PLIES,
        uniform_plies: u32::MAX,
        draw: Some(draw_opening),
        balanced: include_str!("../../../books/bacteria-balanced.txt"),
    },
    size: None,
    capabilities: &[
        Capability::Lines,
        Capability::ParallelSearch,
        Capability::Endings,
        Capability::Bench,
        Capability::Networks,
        Capability::Adjudication,
        Capability::Puzzles,
    ],
    curve: CurveRules {
        nodes: 30_000,
        scale: 8.0,
        meaning: "The champion's evaluation after every move, in cells",
        note: "",
    },
};

impl CatalogPosition for Bacteria {
    const GAME: Game = Game(&BACTERIA);

    fn reason(error: Self::Err) -> Reason {
        Arc::new(error)
    }

    fn start(setup: &Setup) -> Result<Self, SetupError> {
        match setup.given(POSITION.name) {
            None => Ok(Self::start()),
            Some(text) if text == POSITION.default => Ok(Self::start()),
            Some(text) => text.parse().map_err(|error| SetupError::Value {
                name: POSITION.name,
                problem: format!("`{text}`: {error}").into(),
                expected: Expected::Fen,
            }),
        }
    }
}

/// Moves of each side as its `random` built-in draws them.
fn draw_opening(plies: u32, seed: u64) -> Option<Vec<String>> {
    let side_seed = |side: Side| seed.wrapping_mul(2).wrapping_add(side.index() as u64);
    let mut streams = Side::BOTH.map(|side| Stream::new(side_seed(side), "random"));
    let (moves, _) = opening::draw(plies, [1, 1], |side, n| streams[side.index()].below(n))?;
    Some(moves.iter().map(ToString::to_string).collect())
}
