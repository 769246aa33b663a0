//! Situations of renju.

use agon_game::Side;

use super::{Situation, SituationStart};

/// A whole game but for two points, neither of them allowed to Black, who is to move.
const ALMOST_FULL: &str = "\
    8 8/9 8/9 7/9 6/2 10/1 7/13 1/5 11/12 11/10 14/8 10/9 1/4 4/14 10/15 15/12 2/2 12/10 15/3 5/11 15/4 8/1 6/\
    3 4/7 4/7 14/6 6/1 11/15 10/10 6/5 4/6 10/14 8/7 15/7 3/6 7/12 15/13 6/9 4/2 7/14 3/2 13/8 14/13 5/4 13/\
    1 14/4 6/1 13/12 5/13 13/9 12/7 5/1 8/8 1/10 4/2 4/12 10/8 5/6 5/4 2/6 9/1 2/4 9/10 10/3 7/10 8/9 9/4 3/\
    9 11/4 10/1 1/6 1/11 12/12 13/15 8/5 8/15 2/7 11/8 6/13 2/14 7/15 4/8 12/11 14/1 10/11 10/3 6/3 10/9 14/1 3/\
    2 2/3 2/6 15/13 15/15 14/7 2/7 13/2 6/11 1/12 9/7 9/6 11/7 12/15 1/8 15/4 12/4 5/4 11/9 5/14 13/11 8/10 1/\
    11 9/3 14/5 15/15 5/11 11/3 8/12 4/10 7/2 5/11 2/5 3/14 5/3 9/15 9/10 2/13 7/15 12/5 1/14 15/12 12/13 12/\
    6 3/6 8/3 12/10 9/14 2/11 5/1 5/1 12/4 7/2 3/8 13/12 3/5 14/11 7/4 1/3 11/12 1/13 11/15 6/6 13/5 7/13 4/\
    5 13/3 1/12 14/13 14/1 4/13 10/11 3/2 15/14 9/8 3/1 9/8 4/10 3/14 14/7 8/14 4/10 5/3 15/9 3/15 3/1 15/9 13/\
    10 12/4 14/2 1/5 5/12 7/7 1/12 6/14 12/10 11/3 3/4 15/5 10/9 2/2 8/8 11/8 7/5 9/2 11/3 13/13 8/7 7/2 14/7 6/\
    8 2/11 4/13 3/6 4/6 2/15 7/5 12/13 9/2 9/5 6/15 11/15 13/10 13/12 8/11 13/14 1/14 6/14 11/5 2/6 14/7 10/\
    6 12/-1 -1/9 15/-1 -1/11 6/-1 -1";

/// Thirteen points are empty, and Black, who is to move, may play on few of them.
const FORBIDDEN: &str = "\
    8 8/8 7/9 6/4 15/3 7/4 3/10 5/7 7/10 4/3 3/5 9/10 3/4 4/12 12/15 1/11 4/11 9/8 1/10 15/2 6/5 12/14 12/1 8/\
    14 6/3 5/10 6/4 8/9 12/8 4/2 15/14 11/6 1/5 11/6 13/9 7/15 9/9 3/1 9/5 15/11 14/1 6/1 13/13 12/7 6/7 12/\
    10 2/13 14/6 11/5 6/5 3/2 4/15 2/7 5/15 7/2 14/10 9/8 12/6 15/7 4/14 1/2 10/1 1/12 11/12 2/8 14/13 9/6 9/\
    13 10/13 4/8 6/1 14/3 11/6 7/10 12/1 15/4 9/13 1/8 15/7 15/13 6/1 2/14 5/7 3/7 11/1 3/3 13/3 12/11 6/3 1/\
    8 3/11 8/5 13/2 7/11 12/13 15/8 13/12 10/15 5/14 4/13 13/12 1/1 10/14 8/10 10/3 2/1 5/3 8/2 13/12 14/12 8/\
    12 4/2 12/11 1/14 15/9 1/6 3/7 8/12 7/1 4/13 2/2 2/12 5/15 6/7 9/15 13/12 13/10 13/2 8/14 13/11 2/15 12/\
    3 10/11 3/13 5/13 3/7 1/4 10/9 14/1 7/4 5/15 10/1 11/8 5/6 14/4 1/5 2/12 6/15 3/7 14/7 2/5 1/8 10/10 14/9 8/\
    5 5/9 11/2 1/15 4/2 11/2 9/14 7/8 11/6 10/10 7/4 14/3 4/12 9/15 8/11 11/9 15/4 2/13 7/11 13/10 1/11 15/6 2/\
    12 15/14 14/7 10/9 10/9 2/14 10/3 15/8 2/9 9/13 11/10 8/9 5/15 15/7 13/10 11/5 14/12 3/4 11/3 14/4 12/9 13/\
    5 8/1 12/14 3/4 13/4 6/6 12/9 4/8 9/4 7/14 9/5 10/6 5/3 6/3 9/6 4";

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
        meaning: "Thirteen points are empty, and most of them are forbidden to Black.",
        expected: "any legal MOVE, or PASS",
        start: after(&[("opening", FORBIDDEN)], Side::First),
    },
    Situation {
        name: "must-pass",
        meaning: "Both empty points are forbidden to Black: PASS is the only legal move.",
        expected: "MOVE -1 -1",
        start: after(&[("opening", ALMOST_FULL)], Side::First),
    },
    Situation {
        name: "last-points",
        meaning: "White moves on an almost full board.",
        expected: "any legal MOVE",
        start: after(&[("opening", ALMOST_FULL)], Side::Second),
    },
];
