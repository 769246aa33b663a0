//! Situations of domineering.

use agon_game::Side;

use super::{Situation, SituationStart};

const BOARD: (&str, &str) = (
    "board",
    "1 0 3 2 1 1 0 2/2 2 1 0 3 0 1 1/0 3 3 1 2 2 0 0/1 1 0 3 3 1 2 1/3 0 2 0 1 0 3 2/2 1 1 2 0 3 0 1/\
     0 2 3 1 1 2 1 0/1 0 0 2 3 1 0 3",
);

const fn after(parameters: &'static [(&'static str, &'static str)], side: Side) -> SituationStart {
    SituationStart::Game { parameters, side }
}

pub const SITUATIONS: &[Situation] = &[
    Situation {
        name: "first-must-pass",
        meaning: "H has no place left, V still has some: H must pass.",
        expected: "MOVE -1 -1",
        start: after(
            &[
                BOARD,
                (
                    "opening",
                    "6 2/1 3/5 4/5 7/8 2/1 1/3 6/7 1/8 6/6 6/3 1/6 4/2 5/1 4/7 7/6 5/4 5/1 7/4 1/3 8/1 5/3 4/5 2/5 \
                     8/8 4/5 1/7 2/1 8",
                ),
            ],
            Side::First,
        ),
    },
    Situation {
        name: "second-must-pass",
        meaning: "V has no place left, H still has some: V must pass.",
        expected: "MOVE -1 -1",
        start: after(
            &[
                BOARD,
                (
                    "opening",
                    "3 2/3 8/1 7/7 8/5 5/6 4/2 5/2 4/1 5/1 1/5 1/6 6/4 4/1 3/5 7/7 7/7 2/3 7/8 5/3 6/4 1/5 3/6 1/1 \
                     2/8 1/6 5/2 7",
                ),
            ],
            Side::Second,
        ),
    },
    Situation {
        name: "last-place",
        meaning: "One place is left: your move ends the game, and FINISH follows it without an OPP.",
        expected: "the MOVE with the last place",
        start: after(
            &[
                BOARD,
                (
                    "opening",
                    "8 7/1 4/2 1/2 3/5 4/3 4/5 6/4 3/4 5/1 7/7 1/6 8/3 5/6 3/8 5/5 2/8 3/3 2/6 6/4 1/7 5/3 7/1 1/6 \
                     4/1 5/3 8/8 1/1 8",
                ),
            ],
            Side::First,
        ),
    },
    Situation {
        name: "no-points",
        meaning: "Every cell of the board has 0 points: no move is better than another one.",
        expected: "any legal MOVE",
        start: after(
            &[(
                "board",
                "0 0 0 0 0 0 0 0/0 0 0 0 0 0 0 0/0 0 0 0 0 0 0 0/0 0 0 0 0 0 0 0/0 0 0 0 0 0 0 0/0 0 0 0 0 0 0 0/\
                 0 0 0 0 0 0 0 0/0 0 0 0 0 0 0 0",
            )],
            Side::First,
        ),
    },
];
