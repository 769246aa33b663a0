//! Situations of renju.

use agon_game::Side;

use super::{Situation, SituationStart};

/// A complete game except for the point (8,4), which is forbidden to Black, who is to move.
const ALMOST_FULL: &str = "\
    8 8/7 8/7 10/2 9/9 6/3 6/8 12/10 11/5 6/14 5/12 11/8 7/6 7/14 11/8 9/12 2/5 3/4 11/14 14/9 4/8 14/5 15/\
    15 12/15 4/11 12/11 15/2 14/1 14/9 10/7 11/6 11/15 15/6 15/11 4/11 7/12 7/4 4/12 12/2 6/4 1/2 8/14 2/14 7/\
    9 13/12 14/7 7/10 7/3 14/13 9/5 1/15 6/2 1/4 10/1 2/3 11/2 4/3 7/14 13/6 13/10 15/10 2/12 3/14 4/1 1/13 8/\
    4 8/3 5/10 13/11 8/7 4/13 6/11 13/9 15/13 14/3 13/4 13/6 5/14 9/7 1/11 10/7 2/9 11/3 3/7 6/6 6/5 11/3 12/\
    6 8/1 3/9 7/10 14/7 9/13 2/12 15/15 2/8 11/15 8/11 6/1 13/13 1/10 3/1 4/5 13/10 10/13 4/13 11/9 12/5 12/\
    15 14/15 1/9 3/3 2/10 12/5 10/14 3/1 11/8 3/2 7/8 2/10 4/11 11/8 13/5 2/1 7/3 15/12 10/11 9/6 12/8 1/5 5/\
    13 13/6 10/2 5/11 14/7 5/1 5/12 5/9 8/3 1/15 10/6 14/15 9/1 12/8 6/15 5/6 1/15 7/4 7/9 5/7 14/9 9/7 12/4 5/\
    9 1/14 12/14 6/12 4/2 2/1 8/5 4/7 15/6 2/4 2/8 5/2 11/13 15/15 3/14 1/12 1/4 14/11 5/1 10/6 9/12 8/10 6/\
    4 12/3 4/11 1/2 13/4 6/13 12/13 3/14 15/2 12/9 14/3 10/14 10/15 13/14 8/11 2/5 7/5 9/4 15/8 15/1 6/1 15/5 8/\
    4 3/10 8/11 3/2 15/12 9/5 14/2 10/12 13/1 9/3 9/13 7/4 9/7 3/15 11/6 4/6 3/2 3/7 13/10 1/3 8/13 10/9 2/8 10/\
    -1 -1/10 5/10 9/13 5/12 6/-1 -1";

/// 39 points are empty, and four of them are forbidden to Black, who is to move.
const FORBIDDEN: &str = "\
    8 8/9 8/10 9/2 4/11 14/14 2/11 2/2 15/14 9/15 13/10 8/8 4/1 14/13 13/5 10/4 9/2 12/8 5/15 2/4 12/15 3/10 2/\
    11 1/8 2/12 14/5 7/2 1/15 1/10 3/12 2/9 4/7 13/4 6/8 3/10 4/10 7/5 11/5 2/8 1/9 11/9 12/10 12/7 12/1 4/4 8/\
    2 13/15 4/15 14/7 3/9 1/15 15/14 6/2 14/8 10/3 15/8 9/9 5/5 12/4 15/13 2/8 13/14 14/2 2/5 15/12 5/14 3/6 15/\
    2 9/8 12/6 10/11 12/1 10/6 13/4 14/5 1/5 9/1 6/7 1/5 13/2 8/15 12/5 14/13 14/11 7/3 8/7 14/6 9/13 3/14 10/\
    1 2/13 9/12 8/6 6/14 15/3 4/6 4/4 7/10 15/3 11/5 6/6 14/14 4/4 3/9 10/8 14/15 7/1 7/2 6/3 5/11 4/13 11/8 11/\
    10 10/1 8/7 6/11 15/9 6/12 11/1 9/2 7/12 9/14 8/3 10/3 12/13 1/10 11/7 10/5 8/7 9/3 1/1 13/12 12/13 5/11 6/\
    13 4/15 11/7 15/1 15/12 1/14 7/9 2/15 5/2 11/11 9/4 2/11 13/4 13/9 15/14 12/8 15/1 1/6 7/9 13/6 3/9 7/1 11/\
    3 13/4 4/2 3/12 10/11 11/13 12/8 7/13 8/13 10/15 6/11 10/11 5/10 5/3 7/3 9/10 13/12 13/15 9/13 15/6 5/13 6/\
    9 14/7 4/7 7/5 5/6 2/1 3/9 9/13 7/5 3";

const fn after(parameters: &'static [(&'static str, &'static str)], side: Side) -> SituationStart {
    SituationStart::Game { parameters, side }
}

pub const SITUATIONS: &[Situation] = &[
    Situation {
        name: "third-turn",
        meaning: "Turn 3: Black may only play with row and column from 6 to 10.",
        expected: "MOVE x y with x and y from 6 to 10",
        start: after(&[("opening", "8 8/7 7")], Side::First),
    },
    Situation {
        name: "opponent-passes",
        meaning: "White passes on turn 4: OPP has twice -1. A PASS in answer would end the game as a draw.",
        expected: "any legal MOVE",
        start: after(&[("opening", "8 8/7 8/8 9/-1 -1")], Side::First),
    },
    Situation {
        name: "five",
        meaning: "Black has four in a row with both ends open: a five wins.",
        expected: "MOVE 8 7 or MOVE 8 12",
        start: after(&[("opening", "8 8/7 8/8 9/7 10/8 10/7 12/8 11/1 1")], Side::First),
    },
    Situation {
        name: "overline",
        meaning: "A black stone on 8 11 would make six in a row, which is forbidden.",
        expected: "any legal MOVE but MOVE 8 11",
        start: after(&[("opening", "8 8/7 8/8 9/1 1/8 10/1 3/8 12/1 5/8 13/1 7")], Side::First),
    },
    Situation {
        name: "forbidden",
        meaning: "39 points are empty, and four of them are forbidden to Black.",
        expected: "any legal MOVE but 6 11, 7 8, 9 3 and 14 11",
        start: after(&[("opening", FORBIDDEN)], Side::First),
    },
    Situation {
        name: "must-pass",
        meaning: "The only empty point is forbidden to Black: PASS is the only legal move.",
        expected: "MOVE -1 -1",
        start: after(&[("opening", ALMOST_FULL)], Side::First),
    },
    Situation {
        name: "last-point",
        meaning: "Black passes, and one point is left for White.",
        expected: "MOVE 8 4, or MOVE -1 -1",
        start: after(&[("opening", ALMOST_FULL)], Side::Second),
    },
];
