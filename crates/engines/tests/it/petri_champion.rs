//! The champion against everybody.

use agon_engines::petri::{CHAMPION, Champion, Match, PetriProgram, Policy, SPECIES, VARIANTS, play, respond, score};
use agon_game::seed::Stream;

/// Whether to play all the games that the documentation mentions.
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
    for dish in [(5, 4), (4, 6), (4, 7)] {
        check_field(dish, 98);
    }
    for dish in [(7, 7), (8, 8), (9, 9)] {
        check_field(dish, 98);
    }
    check_field((6, 6), 97);
    check_field((4, 4), 95);
    check_field((5, 5), 90);
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
    // No enemy is left, or is near.
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
    check("species = [6, 6, 0]\n[weights]\nflee = []", "`flee` is not a row of weights");
    check("species = [6, 6, 0]\n[weights]\neat = [1.0]", "`eat` has 1 weights, not 20");
    check("species = [6, 6, 0]\nextras = 1\n[weights]", "`extras` is missing, or not as it should be");
    check("species = [6, 6, 0]\n[weights]\n[extras]\nattack = [1.0]", "`attack` has 1 weights, not 26");
    check("species = [6, 6, 0]\n[weights]\n[extras]\neat = []", "`eat` is not a row of weights");
    check("species = [6, 6, 0]\nnetwork = \"AAAA\"\n[weights]", "`network` is missing, or not as it should be");
}

#[test]
fn a_network_changes_what_its_policy_does_and_is_written_with_it() {
    let whole = Policy::read(include_str!("../../../../nets/petri/champion.toml")).expect("the champion's policy");
    assert!(whole.network.is_some());
    assert_eq!(Policy::read(&whole.to_string()).as_ref(), Ok(&whole));
    let bare = Policy { network: None, ..whole.clone() };
    assert_eq!(bare, Policy::attackers().swap_remove(0), "what the network corrects is the main policy of the league");
    let [whole, bare] = [whole, bare].map(Champion::following);
    let programs: [&dyn PetriProgram; 2] = [&whole, &bare];
    let dishes = [(10, 4), (12, 12), (8, 15)];
    let won = dishes.map(|(width, height)| {
        score(&Match { width, height, games: 2, ..Match::contest(programs) }).expect("a playable dish")[0]
    });
    assert!(won.iter().sum::<u32>() >= 4, "{won:?}");
}

#[test]
fn a_widened_policy_plays_as_before_until_its_extras_weigh() {
    let narrow = Policy::attackers().remove(3);
    let mut wide = narrow.clone().widened();
    let of = |policy: &Policy| {
        let policy = Champion::following(policy.clone());
        let programs: [&dyn PetriProgram; 2] = [&policy, &*CHAMPION];
        play(&Match { width: 9, height: 13, ..Match::contest(programs) }.setup(), programs, 1).expect("a playable dish")
    };
    assert_eq!(of(&wide), of(&narrow));
    assert_eq!(wide.parameters().count(), narrow.parameters().count() + 7 * 26);
    // Steps towards the middle of the enemies.
    *wide.parameters_mut().nth(200 + 26 + 12).expect("an extra of moves") = 8.0;
    assert_ne!(of(&wide), of(&narrow));
    assert_eq!(Policy::read(&wide.to_string()), Ok(wide));
}

/// What a cell of 7/5/0 with 5 energy does when only one extra of one row has a weight.
#[track_caller]
fn check_extra(row: &str, extra: usize, hp: u8, rows: &str, answer: &str) {
    let mut weights = [0.0; 26];
    weights[extra] = 1.0;
    let text = format!("species = [7, 5, 0]\n[weights]\n[extras]\n{row} = {weights:?}");
    let policy = Champion::following(Policy::read(&text).expect("a policy"));
    let lines: Vec<&str> = rows.split('/').collect();
    // The cell that acts is written as a capital.
    let y = lines.iter().position(|line| line.contains('O')).expect("a cell");
    let x = lines[y].find('O').expect("a cell");
    let dish = lines.join("\n").replace('O', "o");
    let input = format!("{} {}\n{dish}\n\n{x} {y} {hp} 5", lines[0].len(), lines.len());
    let given = respond(&policy, input.as_bytes(), &mut Stream::new(1, "petri")).expect("an input");
    assert_eq!(given, answer, "extra {extra} of {row} in\n{input}");
}

#[test]
fn extras_weigh_what_they_say() {
    // A full blow would kill it; with 4 hit points it would not.
    check_extra("move_far", 0, 3, "O........x", "MOVE E");
    check_extra("move_far", 0, 4, "O........x", "REST");
    check_extra("move_far", 21, 3, ".O.......x", "MOVE E");
    check_extra("attack", 1, 3, "Ox", "ATTACK E 3");
    check_extra("attack", 16, 3, "Oxx", "ATTACK E 3");
    check_extra("attack", 16, 3, "Ox.", "REST");
    // Enemies or own cells beyond the target, own ones behind the cell.
    check_extra("attack", 7, 7, "x.../.O../..x./...x", "ATTACK SE 3");
    check_extra("attack", 6, 7, "x.../.O../..x./...o", "ATTACK SE 3");
    check_extra("attack", 8, 7, "o..../.x.../..O../...x./.....", "ATTACK SE 3");
    // The middle of the enemies, and of the own cells.
    check_extra("move_far", 12, 7, "......./......./..O..../......./......./......./......x", "MOVE SE");
    check_extra("move_far", 13, 7, "o....../......./..O..../......./......./......./......x", "MOVE NW");
    // One colour of squares, columns or rows, and the edge.
    check_extra("move_far", 9, 7, ".O........x", "MOVE W");
    check_extra("move_far", 10, 7, "...O......x", "MOVE W");
    check_extra("move_far", 11, 7, "./O/./././././x", "MOVE N");
    check_extra("move_far", 25, 7, "........../.O......../........../........../.........x", "MOVE SE");
    // The size of a dish of fewer than 128 squares is negative.
    check_extra("move_far", 20, 7, "O........x", "REST");
}
