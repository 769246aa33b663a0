//! The champion against everybody.

use agon_engines::petri::{CHAMPION, Match, PetriProgram, Policy, SPECIES, VARIANTS, respond, score};
use agon_game::seed::Stream;

/// Whether all the games are to be played that the documentation speaks of.
fn slow() -> bool {
    std::env::var_os("AGON_SLOW").is_some()
}

/// Plays a match and wants at least these percent of the games won.
#[track_caller]
fn check(opponent: &dyn PetriProgram, (width, height): (usize, usize), games: u32, percent: u32) {
    let programs: [&dyn PetriProgram; 2] = [&*CHAMPION, opponent];
    let [won, lost] = score(&Match { width, height, games, ..Match::contest(programs) }).expect("a playable dish");
    let name = opponent.name();
    assert!(100 * won >= percent * games, "{won} : {lost} against {name} in {games} games on {width} × {height}");
}

#[test]
fn it_beats_every_species() {
    for species in SPECIES {
        check(species, (10, 4), if slow() { 100 } else { 10 }, 99);
        check(species, (20, 20), if slow() { 20 } else { 2 }, 99);
        for dish in [(7, 12), (15, 15), (25, 8)] {
            check(species, dish, if slow() { 20 } else { 2 }, 99);
        }
    }
}

#[test]
fn it_beats_the_variants() {
    for variant in &VARIANTS {
        check(variant, (10, 4), if slow() { 20 } else { 2 }, 80);
        if slow() {
            check(variant, (20, 20), 10, 80);
        }
    }
}

/// Plays with everybody, two games or ten, and wants at least these percent of all games won.
#[track_caller]
fn check_field((width, height): (usize, usize), percent: u32) {
    let games = if slow() { 10 } else { 2 };
    let variants = VARIANTS.iter().map(|variant| variant as &dyn PetriProgram);
    let field: Vec<&dyn PetriProgram> = SPECIES.into_iter().chain(variants).collect();
    let won = |&opponent: &&dyn PetriProgram| {
        let programs: [&dyn PetriProgram; 2] = [&*CHAMPION, opponent];
        score(&Match { width, height, games, ..Match::contest(programs) }).expect("a playable dish")[0]
    };
    let wins: u32 = field.iter().map(won).sum();
    let all = games * field.len() as u32;
    assert!(100 * wins >= percent * all, "{wins} of {all} games on {width} × {height}");
}

#[test]
fn small_dishes_are_no_exception() {
    for dish in [(5, 5), (4, 6), (6, 6), (4, 7), (7, 7), (8, 8), (9, 9)] {
        check_field(dish, 98);
    }
    check_field((4, 4), 95);
    check_field((5, 4), 95);
}

#[test]
fn chance_has_no_part_in_it() {
    let input = b"6 4\n......\n.oo...\n..ox..\n....x.\n\n2 2 4 5";
    let answer = |seed| respond(&*CHAMPION, input, &mut Stream::new(seed, "petri")).expect("an input");
    assert_eq!(answer(1), answer(2));
}

#[test]
fn any_dish_can_be_seen() {
    let check = |input: &str| {
        let answer = respond(&*CHAMPION, input.as_bytes(), &mut Stream::new(1, "petri"));
        assert!(answer.is_ok(), "{answer:?} of\n{input}");
    };
    check("1 1\no\n\n0 0 4 8");
    check("2 1\noc\n\n0 0 255 255");
    check("2 2\no.\n.x\n\n0 0 0 0");
    // Nobody is left, or is near.
    check("3 3\n...\n.o.\n...\n\n1 1 4 8");
    let row = format!("255 1\no{}x\n\n0 0 4 8", ".".repeat(253));
    check(&row);
    let column = format!("1 255\nx\n{}o\n\n0 254 4 8", ".\n".repeat(253));
    check(&column);
}

#[test]
fn policies_are_read_as_they_are_written() {
    let policy = Policy::sketch();
    assert_eq!(Policy::read(&policy.to_string()), Ok(policy));
    let check = |text: &str, error: &str| {
        let refused = Policy::read(text).expect_err(text).to_string();
        assert!(refused.contains(error), "{refused}");
    };
    check("", "`species` is missing");
    check("species = [6, 6, 1]\nweights = {}", "6 + 6 + 1 is 13, not 12");
    check("species = [6, 6, 0]\n[weights]\nflee = []", "`flee` is no row of weights");
    check("species = [6, 6, 0]\n[weights]\neat = [1.0]", "`eat` has 1 weights, not 20");
}
