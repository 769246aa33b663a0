//! Situations of Bacteria War.

use agon_game::Side;

use super::{Situation, SituationStart};

const fn at(position: &'static [(&'static str, &'static str)], side: Side) -> SituationStart {
    SituationStart::Game { parameters: position, side }
}

pub const SITUATIONS: &[Situation] = &[
    Situation {
        name: "must-pass",
        meaning: "Your only cell has no empty cell within two steps: PASS is the only legal move.",
        expected: "MOVE -1 -1 -1 -1",
        start: at(&[("position", "xoo4/ooo4/ooo4/7/7/7/7 x 0 20")], Side::First),
    },
    Situation {
        name: "opponent-passes",
        meaning: "The opponent has no move and passes: OPP has four times -1.",
        expected: "any legal MOVE",
        start: at(&[("position", "xoo4/ooo4/ooo4/7/7/7/7 x 0 20")], Side::Second),
    },
    Situation {
        name: "last-cell",
        meaning: "One cell is empty: your move ends the game, and FINISH follows it without an OPP.",
        expected: "MOVE … … 7 7",
        start: at(&[("position", "xxxxxxx/ooooooo/xxxxxxx/ooooooo/xxxxxxx/ooooooo/xxxxxx1 x 0 30")], Side::First),
    },
    Situation {
        name: "one-cell",
        meaning: "You have one cell left, and the opponent may take it with the next move.",
        expected: "any legal MOVE from 1 1",
        start: at(&[("position", "x6/7/3oo2/2ooo2/3oo2/7/o5o x 0 9")], Side::First),
    },
    Situation {
        name: "last-turn",
        meaning: "Turns 399 and 400: the game ends after the opponent's move, although cells are empty.",
        expected: "any legal MOVE",
        start: at(&[("position", "x5o/7/7/7/7/7/o5x x 0 200")], Side::First),
    },
];
