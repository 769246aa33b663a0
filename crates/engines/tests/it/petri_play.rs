//! The native species in games: what they see, and how they score against each other.

use agon_engines::petri::{Choice, Match, PetriProgram, SPECIES, play, respond, score};
use agon_game::seed::Stream;
use agon_rules::petri::{Dish, DishSetup, Scene, Species};

/// The choices of every species along one game, seen in the dish and read from its text.
fn check_texts(
    first: &'static dyn PetriProgram,
    second: &'static dyn PetriProgram,
    width: usize,
    height: usize,
) -> u64 {
    let programs = [first, second];
    let setup = Match { width, height, turns: 40, ..Match::contest(programs) }.setup();
    let mut dish = Dish::new(&setup).expect("a playable dish");
    let mut random = Stream::new(7, "petri");
    let mut input = String::new();
    while let Some(sight) = dish.sight() {
        dish.input(&mut input);
        let scene = Scene::read(input.as_bytes()).expect("an input");
        for species in SPECIES {
            let choice: Choice = species.choose(&sight);
            assert_eq!(choice, species.choose(&scene.sight()), "{} of\n{input}", species.name());
        }
        let program = programs[dish.side().index()];
        let mut same = random.clone();
        let answer = program.act(&sight, &mut random).to_string();
        assert_eq!(respond(program, input.as_bytes(), &mut same), Ok(answer.clone()), "{} of\n{input}", program.name());
        dish.answer(answer.as_bytes());
    }
    dish.actions()
}

#[test]
fn dish_and_text_look_the_same_to_every_species() {
    for (index, &first) in SPECIES.iter().enumerate() {
        let second = SPECIES[(index + 3) % SPECIES.len()];
        assert!(check_texts(first, second, 10, 4) > 0);
        assert!(check_texts(second, first, 9, 7) > 0);
    }
}

#[test]
fn the_drawn_answers_are_the_possible_ones() {
    let draw = |name: &str, input: &str| {
        let scene = Scene::read(input.as_bytes()).expect("an input");
        let choice = agon_catalog::petri::program(name).expect("a species").choose(&scene.sight());
        let mut random = Stream::new(3, "petri");
        let mut counts = vec![0; choice.answers().count()];
        for _ in 0..4000 {
            let drawn = choice.draw(&mut random);
            let way = choice.answers().position(|(answer, _)| answer == drawn).expect("a possible answer");
            counts[way] += 1;
        }
        for ((answer, chance), count) in choice.answers().zip(counts) {
            let (mean, deviation) = (4000.0 * chance, (4000.0 * chance * (1.0 - chance)).sqrt());
            assert!((f64::from(count) - mean).abs() <= 4.0 * deviation, "{answer} {count} times, not about {mean}");
        }
        choice.answers().map(|(answer, _)| answer.to_string()).collect::<Vec<_>>().join(", ")
    };
    let check = |name: &str, input: &str, answers: &str| assert_eq!(draw(name, input), answers);
    let corner = "4 4\no...\n....\n....\n...x\n\n0 0 4 8";
    check("sample", corner, "DIVIDE S, DIVIDE E, DIVIDE SE");
    check("slime", corner, "DIVIDE E, DIVIDE SE");
    check("coordinated", corner, "DIVIDE SE");
    let tired = "4 4\no...\n....\n....\n...x\n\n0 0 4 0";
    check("node480", tired, "MOVE SE, REST");
    let meal = "4 4\nxxxx\nxocx\nxxxx\n....\n\n1 1 4 0";
    check("node480", meal, "MOVE NW, EAT E");
}

/// What the recorded answers do not cover follows from the languages themselves.
#[test]
fn defects_of_the_old_languages_are_kept() {
    let check = |name: &str, input: &str, answers: &str| {
        let scene = Scene::read(input.as_bytes()).expect("an input");
        let choice = agon_catalog::petri::program(name).expect("a species").choose(&scene.sight());
        let possible: Vec<String> = choice.answers().map(|(answer, _)| answer.to_string()).collect();
        assert_eq!(possible.join(", "), answers, "{name} of\n{input}");
    };
    // Ruby: south-west of column 0 is the last column, and it is empty ...
    check("amoeba", "4 4\no...\nxo..\n....\n....\n\n0 0 5 7", "DIVIDE SW");
    // ... unless it is not; then any empty neighbour will do.
    check("amoeba", "4 4\no...\nxo.o\n....\n....\n\n0 0 5 7", "DIVIDE E");
    // Beyond the last column there is nothing to ask, and the program fails.
    check("amoeba", "4 4\n...o\n...x\n....\n....\n\n3 0 5 7", "");
    // Above the first row is the last one; below the last one is nothing, which is not empty.
    check("amoeba", "4 4\nox..\noo..\no...\no...\n\n0 0 5 7", "DIVIDE NE");
    check("amoeba", "4 4\no...\n....\noo..\nox..\n\n0 3 5 7", "ATTACK E 2");
    // R: in the corner two of the four squares are counted twice, so one enemy outnumbers the cell itself.
    check("hungry", "4 4\n....\n....\n..xc\n..co\n\n3 3 3 7", "EXPLODE");
    check("hungry", "4 4\n....\n....\n..cx\n..co\n\n3 3 3 7", "REST");
    // JavaScript: as texts, 10 is less than 2 but not less than 1.
    check("midground", "4 4\nxxx.\nxox.\n....\n....\n\n1 1 1 10", "EXPLODE");
    let attacks = "ATTACK NW 3, ATTACK W 3, ATTACK N 3, ATTACK NE 3, ATTACK E 3";
    check("midground", "4 4\nxxx.\nxox.\n....\n....\n\n1 1 2 10", attacks);
    // Six enemies still leave it calm, seven do not.
    check("node480", "4 4\nxxxx\noocx\nxxx.\n....\n\n1 1 4 0", "MOVE NW, REST");
    check("node480", "4 4\nxxxx\nxocx\nxxx.\n....\n\n1 1 4 0", "MOVE NW, EAT E");
}

#[test]
fn programs_answer_the_beginning() {
    let check = |name: &str, answer: &str| {
        let program = agon_catalog::petri::program(name).expect("a species");
        assert_eq!(program.name(), name);
        assert_eq!(program.begin().to_string(), answer);
        for begin in ["BEGIN", "BEGIN\n"] {
            let text = respond(program, begin.as_bytes(), &mut Stream::new(1, "petri"));
            assert_eq!(text.as_deref(), Ok(answer), "{name}");
        }
    };
    let species = [
        ("amoeba", "5 7 0"),
        ("midground", "2 10 0"),
        ("node480", "4 8 0"),
        ("evolution", "4 8 0"),
        ("clojure", "4 6 2 LOOP"),
        ("hungry", "4 7 1"),
        ("coordinated", "6 6 0"),
        ("slime", "4 8 0"),
        ("slimbomber", "1 7 4"),
        ("sample", "5 7 0"),
    ];
    assert_eq!(SPECIES.map(PetriProgram::name), species.map(|(name, _)| name));
    for (name, answer) in species {
        check(name, answer);
    }
}

#[test]
fn a_seed_fixes_the_game() {
    let programs = ["slime", "node480"].map(|name| agon_catalog::petri::program(name).expect("a species"));
    let setup = Match { width: 8, height: 8, ..Match::contest(programs) }.setup();
    let games = [1, 1, 2].map(|seed| play(&setup, programs, seed).expect("a playable dish"));
    assert_eq!(games[0], games[1]);
    assert_ne!(games[0], games[2]);
    assert!(play(&DishSetup { width: 3, ..setup }, programs, 1).is_err());
    assert!(play(&DishSetup::new([Species::new(1, 11, 0).expect("twelve points"); 2]), programs, 1).is_ok());
}

/// Wins of every species over all others, in percent of the games.
fn standing(width: usize, height: usize, games: u32) -> Vec<(&'static str, f64)> {
    let mut wins = [0; SPECIES.len()];
    for second in 1..SPECIES.len() {
        for first in 0..second {
            let programs = [SPECIES[first], SPECIES[second]];
            let duel = Match { width, height, games, ..Match::contest(programs) };
            let [a, b] = score(&duel).expect("a playable dish");
            assert!(a + b <= games);
            wins[first] += a;
            wins[second] += b;
        }
    }
    let share = f64::from(games) * (SPECIES.len() - 1) as f64 / 100.0;
    SPECIES.iter().zip(wins).map(|(program, wins)| (program.name(), f64::from(wins) / share)).collect()
}

/// Checks a round robin against the one of the reconstructions in their original languages: (species, win %).
fn check_standing(width: usize, height: usize, games: u32, expected: [(&str, f64); 10]) {
    let standing = standing(width, height, games);
    for (name, percent) in expected {
        let (_, won) = standing.iter().find(|(species, _)| *species == name).expect("a species");
        assert!((won - percent).abs() <= 15.0, "{name} won {won:.0} %, not about {percent} %: {standing:?}");
    }
    let mut by_wins = standing.clone();
    by_wins.sort_by(|a, b| b.1.total_cmp(&a.1));
    assert_eq!(by_wins[0].0, "coordinated", "{standing:?}");
    let mut last = [by_wins[8].0, by_wins[9].0];
    last.sort_unstable();
    assert_eq!(last, ["hungry", "slimbomber"], "{standing:?}");
}

#[test]
fn the_round_robin_stands_as_it_did() {
    let small = [
        ("coordinated", 100.0),
        ("amoeba", 84.0),
        ("evolution", 67.0),
        ("slime", 66.0),
        ("node480", 56.0),
        ("sample", 49.0),
        ("midground", 36.0),
        ("clojure", 23.0),
        ("slimbomber", 10.0),
        ("hungry", 0.0),
    ];
    check_standing(10, 4, 20, small);
    let large = [
        ("coordinated", 100.0),
        ("node480", 83.0),
        ("evolution", 75.0),
        ("slime", 67.0),
        ("amoeba", 56.0),
        ("midground", 47.0),
        ("sample", 39.0),
        ("clojure", 17.0),
        ("slimbomber", 8.0),
        ("hungry", 8.0),
    ];
    check_standing(20, 20, 6, large);
}
