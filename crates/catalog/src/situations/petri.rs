//! Situations of the petri dish.

use super::{Situation, SituationStart};

pub const SITUATIONS: &[Situation] = &[
    Situation {
        name: "begin",
        meaning: "The first question, before there is a dish.",
        expected: "HP ENERGY ACIDITY, three numbers with the sum 12",
        start: SituationStart::Input("BEGIN"),
    },
    Situation {
        name: "corner",
        meaning: "The cell is in a corner of the dish: five of its eight neighbours are outside.",
        expected: "an action whose direction stays in the dish",
        start: SituationStart::Input("4 4\no...\n....\n....\n...x\n\n0 0 5 7"),
    },
    Situation {
        name: "no-energy",
        meaning: "The cell has no energy left, so only REST, EXPLODE and EAT are possible.",
        expected: "REST or EXPLODE",
        start: SituationStart::Input("5 4\n.....\n.ox..\n.....\n.....\n\n1 1 1 0"),
    },
    Situation {
        name: "no-room",
        meaning: "The cell is surrounded by its own colony.",
        expected: "REST or EXPLODE",
        start: SituationStart::Input("4 4\nooo.\nooo.\nooo.\n...x\n\n1 1 5 7"),
    },
    Situation {
        name: "enemies-around",
        meaning: "All neighbours are enemies.",
        expected: "an ATTACK, EXPLODE or REST",
        start: SituationStart::Input("4 4\nxxx.\nxox.\nxxx.\n....\n\n1 1 5 7"),
    },
    Situation {
        name: "corpse",
        meaning: "A corpse lies beside the cell: it can be eaten, and overgrown.",
        expected: "EAT SE, or another legal action",
        start: SituationStart::Input("4 5\n....\n.o..\n..c.\n....\n...x\n\n1 1 5 2"),
    },
    Situation {
        name: "full-dish",
        meaning: "No square of the dish is empty.",
        expected: "an ATTACK, EXPLODE or REST",
        start: SituationStart::Input("4 4\noxox\nxoxo\noxox\nxoxo\n\n3 3 2 12"),
    },
];
