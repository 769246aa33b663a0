//! The row of the petri dish.

use std::sync::Arc;

use agon_engines::petri::{CHAMPION, Native, PetriProgram, SPECIES, VARIANTS};
use agon_rules::petri::{Dish, DishSetup, MAX_SIDE, Petri, Rules};

use crate::builtin::Builtin;
use crate::entry::{CurveRules, Game, GameEntry, GameStart, NameError, OpeningRules};
use crate::illustrations::illustrations;
use crate::setup::{Expected, GameParameter, Setup, SetupError};
use crate::situations;

const SIDE: &str = "4 to 255";

const PARAMETERS: [GameParameter; 4] = [
    GameParameter { name: "width", meaning: "columns of the dish", values: SIDE, default: "10" },
    GameParameter { name: "height", meaning: "rows of the dish", values: SIDE, default: "4" },
    GameParameter { name: "turns", meaning: "turns of each player", values: "1 to 65535", default: "150" },
    GameParameter {
        name: "rules",
        meaning: "the text of the challenge, or the first published driver with its faults",
        values: "contest, published",
        default: "contest",
    },
];

pub static PETRI: GameEntry = GameEntry {
    name: "petri",
    title: "Battle for the Petri Dish",
    short_title: "Petri Dish",
    summary: "two colonies; a program is run anew for every action; more cells win",
    rules: &[
        "A program is run once with BEGIN and answers HP ENERGY ACIDITY, sum 12.",
        "Then it is run once for each action of each cell: it gets the dish and x y hp energy. x goes right, y down, \
         from 0; o is own, x the enemy, c a corpse.",
        "It answers REST (energy +2), MOVE d (-1), DIVIDE d (-5), EAT d (+4), ATTACK d s (s from 1 to 3, energy -s, \
         target hp -s) or EXPLODE, where d is N, NE, E, SE, S, SW, W or NW. Any other answer is a REST.",
        "The game ends when a colony has no cells, or after the last turn: more cells win.",
    ],
    page: "docs/rules/petri.md",
    illustrations: illustrations!(
        "petri",
        "A whole game on a dish of 6 × 4. `1>` marks the input of colony 1’s program, `1<` its answer. \
            Colony 1 wins 1–0.",
        "start" => "The start on a dish of 10 × 4: each colony has one cell; the number is its hit points.",
        "division" => "A division: after `DIVIDE W` a new cell lies to the west.",
        "before" => "Before an explosion: the cell on (2,2) has 1 hit point and acidity 1.",
        "explosion" => "After `EXPLODE` on (2,2): it dies, and its neighbour loses 2 hit points and dies too.",
    ),
    source: "https://codegolf.stackexchange.com/questions/34444/battle-for-the-petri-dish",
    example: "",
    seats: Dish::SEATS,
    samples: samples!("petri": "c", "cpp", "java", "js", "py", "rb", "rs"),
    situations: situations::petri::SITUATIONS,
    parameters: &PARAMETERS,
    can_be_drawn: true,
    start: GameStart::State(|setup| Ok(Box::new(start(setup)?))),
    builtins: &[
        Builtin::program("hungry", "4 7 1, in R: divides towards the enemy, walks to food, seldom fights"),
        Builtin::program("slimbomber", "1 7 4, in JavaScript: keeps from its friends, explodes among enemies"),
        Builtin::program("clojure", "4 6 2, in Clojure, kept alive: explodes when it can, divides, attacks"),
        Builtin::program("midground", "2 10 0, in JavaScript: cuts off the enemy's half, then divides towards it"),
        Builtin::program("sample", "5 7 0, the cell that newcomers were given: divides, explodes, attacks, eats"),
        Builtin::program("node480", "4 8 0, in JavaScript: explodes when outnumbered, divides at random, attacks"),
        Builtin::program("slime", "4 8 0, in Java: divides wherever there is room; does not see column 0"),
        Builtin::program("evolution", "4 8 0, in Java: always attacks at full strength; does not see column 0"),
        Builtin::program("amoeba", "5 7 0, in Ruby: divides towards enemies and corpses, eats, attacks"),
        Builtin::program("coordinated", "6 6 0, in Java: some cells move and some divide; all attack one enemy"),
        Builtin::program("champion", "weighs every action by a policy tuned against all of these and their variants"),
    ],
    programs: |name| Some(Arc::new(Native(known(name)?))),
    defaults: ["coordinated", "evolution"],
    openings: OpeningRules::ANY,
    size: Some(["width", "height"]),
    capabilities: &[],
    curve: CurveRules {
        nodes: 0,
        scale: 1.0,
        meaning: "The colonies' cells after every turn",
        note: "The champion of the dish weighs actions and evaluates no position.",
    },
};

fn start(setup: &Setup) -> Result<Petri, SetupError> {
    let value = |name, problem: String, expected| SetupError::Value { name, problem: problem.into(), expected };
    let number = |name: &'static str, default: usize, least: usize, most: usize| {
        let Some(text) = setup.given(name) else { return Ok(default) };
        let number = text.parse().ok().filter(|n| (least..=most).contains(n));
        number.ok_or_else(|| value(name, format!("`{text}`"), Expected::Whole { least, most }))
    };
    let [least, most] = [DishSetup::MIN_SIDE, MAX_SIDE];
    let side = |name, default| number(name, default, least, most);
    let (width, height) = (side("width", DishSetup::WIDTH)?, side("height", DishSetup::HEIGHT)?);
    let turns = number("turns", DishSetup::TURNS.into(), 1, u16::MAX.into())? as u16;
    let rules = match setup.given("rules") {
        None => Rules::default(),
        Some(name) => Rules::by_name(name).ok_or_else(|| value("rules", format!("`{name}`"), Expected::PetriRules))?,
    };
    Petri::new(width, height, turns, rules)
        .map_err(|error| value("width", error.to_string(), Expected::Whole { least, most }))
}

fn known(name: &str) -> Option<&'static dyn PetriProgram> {
    let variants = VARIANTS.iter().map(|variant| variant as &dyn PetriProgram);
    let champion: &dyn PetriProgram = &*CHAMPION;
    SPECIES.into_iter().chain(variants).chain([champion]).find(|program| program.name() == name)
}

/// The program that a text names: a species, the champion, or a variant, which is not listed.
///
/// # Errors
/// [`NameError`] when none has that name.
///
/// ```
/// use agon_catalog::petri::program;
/// assert_eq!(program("clojure")?.begin().to_string(), "4 6 2 LOOP");
/// assert_eq!(program("coordinated:4/8/0")?.begin().to_string(), "4 8 0");
/// assert!(program("no-such-player").is_err());
/// # Ok::<(), agon_catalog::NameError>(())
/// ```
pub fn program(name: &str) -> Result<&'static dyn PetriProgram, NameError> {
    let game = Game(&PETRI);
    known(name).ok_or_else(|| game.find(name).err().unwrap_or(NameError::Unknown { game, name: name.to_owned() }))
}
