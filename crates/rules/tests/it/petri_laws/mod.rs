//! What must hold in every dish, whatever its programs write.

mod naive;

use agon_game::{GameScore, Outcome, Side};
use agon_rules::petri::{
    Action, Announcement, Applied, Direction, Dish, DishSetup, Place, Rules, Scene, Sight, Species, Thing,
};
use naive::Naive;
use proptest::prelude::*;

/// A species of any twelve points and at least 1 hit point.
fn species() -> impl Strategy<Value = Species> {
    // Small numbers of hit points make the liveliest games.
    (prop_oneof![3 => 1..=4_u8, 1 => 5..=12_u8]).prop_flat_map(|hp| {
        (0..=12 - hp).prop_map(move |energy| Species::new(hp, energy, 12 - hp - energy).expect("twelve points"))
    })
}

/// A small dish and short games, by both rule sets.
fn setup() -> impl Strategy<Value = DishSetup> {
    let sides = (3..=6_usize, 3..=6_usize).prop_filter("one square for both", |&sides| sides != (3, 3));
    let rules = prop_oneof![2 => Just(Rules::Contest), 1 => Just(Rules::Published)];
    (sides, 1..=30_u16, [species(), species()], rules).prop_map(|((width, height), turns, species, rules)| DishSetup {
        width,
        height,
        turns,
        species,
        rules,
    })
}

/// A program's possible output: mostly actions, some with extras, some junk.
fn output() -> impl Strategy<Value = String> {
    let way = || prop::sample::select(Direction::ALL.as_slice());
    let action = prop_oneof![
        2 => Just("REST".to_owned()),
        3 => way().prop_map(|way| format!("MOVE {way}")),
        4 => way().prop_map(|way| format!("DIVIDE {way}")),
        6 => (way(), 0..=4).prop_map(|(way, strength)| format!("ATTACK {way} {strength}")),
        3 => way().prop_map(|way| format!("EAT {way}")),
        2 => Just("EXPLODE".to_owned()),
    ];
    let ends = prop::sample::select(["", "", "", "\n", "\n\n", "\n\n\n", " ", "\r\n", " more", "x", ".9"].as_slice());
    prop_oneof![
        12 => (action, ends, any::<bool>()).prop_map(|(action, end, lower)| {
            format!("{}{end}", if lower { action.to_lowercase() } else { action })
        }),
        1 => "[ A-Za-z0-9\n+-]{0,12}",
        1 => prop::sample::select(
            ["", " MOVE N", "MOVE  N", "MOVE", "ATTACK N", "ATTACK S  2", "ATTACK W +2", "ATTACK E -2", "ATTACK NE \t1"]
                .as_slice(),
        )
        .prop_map(str::to_owned),
    ]
}

/// The same game in the literal reading of the rules.
fn literal(setup: &DishSetup) -> Naive {
    let species = setup.species.map(|s| [s.hp(), s.energy(), s.acidity()].map(i32::from));
    let published = setup.rules == Rules::Published;
    Naive::new(setup.width as i32, setup.height as i32, setup.turns.into(), species, published)
}

/// All the information in a dish is consistent.
fn check_dish(dish: &Dish) {
    let board = dish.board();
    for (side, glyph) in Side::BOTH.into_iter().zip(['1', '2']) {
        assert_eq!(dish.cells(side) as usize, board.chars().filter(|&c| c == glyph).count(), "{}", dish.state());
        assert_eq!(dish.cells(side) as usize, dish.colony(side).count());
        assert_eq!(dish.energy(side), dish.colony(side).map(|cell| u32::from(cell.energy)).sum::<u32>());
        let species = dish.species(side);
        for cell in dish.colony(side) {
            assert!((1..=species.hp()).contains(&cell.hp) && cell.energy <= species.energy(), "{cell:?} of {species}");
        }
    }
    assert_eq!(dish.outcome().is_some(), dish.actor().is_none());
    assert_eq!(dish.outcome().is_some(), dish.end_reason().is_some());
    let view = dish.view();
    let owners: String =
        view.cells.iter().map(|cell| cell.owner.map_or('.', |side| ['1', '2'][side.index()])).collect();
    assert_eq!(owners, board.replace('/', "").replace('c', "."));
    assert_eq!(view.cells.iter().filter(|cell| cell.glyph == 'c').count(), board.matches('c').count());
}

/// The sight of a dish and the one read from its text show the same.
fn check_sight(sight: &Sight<'_>) {
    let text = sight.to_string();
    let scene = Scene::read(text.as_bytes()).expect("an input");
    let read = scene.sight();
    assert_eq!(read.to_string(), text);
    assert_eq!((read.place(), read.hp(), read.energy()), (sight.place(), sight.hp(), sight.energy()));
    assert_eq!(read.around(), sight.around());
    for (place, thing) in sight.columns() {
        assert_eq!(read.look(place), Some(thing));
        assert_eq!(read.around_of(place), sight.around_of(place), "{place:?} of\n{text}");
        let around = sight.around_of(place);
        for direction in Direction::ALL {
            let neighbour = sight.look(place.step(direction));
            let seen = [
                (Thing::Empty, around.empty),
                (Thing::Corpse, around.corpses),
                (Thing::Own, around.own),
                (Thing::Enemy, around.enemies),
            ];
            for (thing, directions) in seen {
                assert_eq!(
                    directions.contains(direction),
                    neighbour == Some(thing),
                    "{direction} of {place:?} of\n{text}"
                );
            }
        }
    }
    for thing in [Thing::Empty, Thing::Corpse, Thing::Own, Thing::Enemy] {
        assert_eq!(read.sum_of(thing), sight.sum_of(thing));
        let found: Vec<Place> = sight.columns().filter(|&(_, there)| there == thing).map(|(place, _)| place).collect();
        assert_eq!(sight.sum_of(thing).count as usize, found.len());
        if thing != Thing::Empty {
            assert_eq!(sight.sum_of(thing).x, found.iter().map(|place| u32::from(place.x)).sum::<u32>());
            assert_eq!(sight.sum_of(thing).y, found.iter().map(|place| u32::from(place.y)).sum::<u32>());
        }
        if thing == Thing::Enemy {
            for from in 0..=sight.width() + 1 {
                let first = found.iter().find(|place| usize::from(place.x) >= from).copied();
                assert_eq!(sight.leftmost_enemy(from), first, "from {from} of\n{text}");
            }
        }
    }
}

/// An action's reported effect is its real one.
fn check_applied(applied: &Applied, before: &Dish, after: &Dish) {
    let actor = applied.actor;
    assert_eq!(Some(actor), before.actor());
    assert_eq!(after.last(), Some(applied));
    let hp = |dish: &Dish, place: Place| {
        Side::BOTH.into_iter().flat_map(|side| dish.colony(side)).find(|cell| cell.place == place).map(|cell| cell.hp)
    };
    for direction in Direction::ALL {
        let place = actor.place.step(direction);
        if Some(place) == applied.placed() {
            continue;
        }
        let (was, is) = (hp(before, place), hp(after, place));
        assert_eq!(applied.hit.contains(direction), was != is, "{applied:?}");
        assert_eq!(applied.died.contains(direction), was.is_some() && is.is_none(), "{applied:?}");
    }
    assert_eq!(applied.turn_over, before.turns() != after.turns());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_dish_plays_by_the_letter(setup in setup(), outputs in prop::collection::vec(output(), 1..160)) {
        let mut dish = Dish::cramped(&setup).expect("a playable dish");
        let mut literal = literal(&setup);
        // The outputs are used over and over until the game ends.
        for output in outputs.iter().cycle() {
            prop_assert_eq!(dish.state(), literal.state());
            check_dish(&dish);
            let Some(sight) = dish.sight() else { break };
            check_sight(&sight);
            let actor = dish.actor().expect("the game goes on");
            let expected = literal.actor().expect("the game goes on");
            let place = (i32::from(actor.place.x), i32::from(actor.place.y));
            prop_assert_eq!((actor.side.index(), place), (expected.seat, (expected.x, expected.y)));
            prop_assert_eq!((i32::from(actor.hp), i32::from(actor.energy)), (expected.hp, expected.energy));

            let before = dish.clone();
            let applied = dish.answer(output.as_bytes()).expect("the game goes on");
            prop_assert_eq!(literal.answer(output), applied.refusal.is_none(), "{:?} {:?}", output, applied.refusal);
            check_applied(&applied, &before, &dish);
        }
        let winner = dish.outcome().map(|outcome| outcome.winner().map_or(0, |side| side.index() + 1));
        prop_assert_eq!(winner, literal.winner);
        prop_assert_eq!(dish.turns(), literal.turn);
        prop_assert_eq!(dish.act(Action::Rest), None, "a finished game takes no action");
    }

    /// Exchanging the axes of the dish and of all directions changes nothing: cells act in the order of age, not of
    /// place.
    #[test]
    fn the_mirrored_dish_plays_the_mirrored_game(
        setup in setup(),
        choices in prop::collection::vec((0..6_u8, 0..8_usize, 1..=3), 1..160),
    ) {
        // The published explosion weakens itself column by column, which is not symmetric.
        let setup = DishSetup { rules: Rules::Contest, ..setup };
        let mirrored = DishSetup { width: setup.height, height: setup.width, ..setup };
        let [mut dish, mut image] = [setup, mirrored].map(|setup| Dish::cramped(&setup).expect("a playable dish"));
        for &(verb, way, strength) in choices.iter().cycle() {
            let way = Direction::ALL[way];
            let action = [
                Action::Rest, Action::Move(way), Action::Divide(way),
                Action::Attack(way, strength), Action::Eat(way), Action::Explode,
            ][usize::from(verb)];
            let there = dish.act(action);
            let here = image.act(action.facing(way.transposed()));
            let refused = [there, here].map(|applied| applied.map(|applied| applied.refusal.is_some()));
            prop_assert_eq!(refused[0], refused[1]);
            for side in Side::BOTH {
                let cells: Vec<_> = dish.colony(side).map(|c| (c.place.x, c.place.y, c.hp, c.energy)).collect();
                let images: Vec<_> = image.colony(side).map(|c| (c.place.y, c.place.x, c.hp, c.energy)).collect();
                prop_assert_eq!(cells, images);
            }
            prop_assert_eq!(dish.outcome(), image.outcome());
            if there.is_none() {
                break;
            }
        }
    }

    #[test]
    fn readers_survive_any_bytes(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        head in "(BEGIN|[A-Z]{4,7} |[1-5] [1-5]\n[ox.c\n]*)?",
    ) {
        let text = [head.as_bytes(), bytes.as_slice()].concat();
        for text in [bytes.as_slice(), text.as_slice()] {
            if let Ok(action) = Action::read(text) {
                let again = action.to_string();
                prop_assert_eq!(Action::read(again.as_bytes()), Ok(action));
            }
            if let Ok(announcement) = Announcement::read(text) {
                prop_assert_eq!(Announcement::read(announcement.to_string().as_bytes()), Ok(announcement));
            }
            if let Ok(scene) = Scene::read(text) {
                check_sight(&scene.sight());
            }
            let species = Species::new(4, 6, 2).expect("twelve points");
            let mut dish = Dish::new(&DishSetup::new([species; 2])).expect("a dish");
            prop_assert!(dish.answer(text).is_some());
        }
    }
}

/// A dish after some outputs, one for each cell in turn.
fn played(setup: &DishSetup, outputs: &[&str]) -> Dish {
    let mut dish = Dish::cramped(setup).expect("a playable dish");
    for output in outputs {
        let applied = dish.answer(output.as_bytes()).expect("the game goes on");
        assert_eq!(applied.refusal, None, "`{output}` in {}", dish.state());
    }
    dish
}

fn contest(hp: u8, energy: u8) -> DishSetup {
    DishSetup::new([Species::new(hp, energy, 12 - hp - energy).expect("twelve points"); 2])
}

#[test]
fn the_published_driver_had_three_faults() {
    let check = |rules: Rules, outputs: &[&str], state: &str| {
        let setup = DishSetup { width: 5, height: 5, rules, ..contest(2, 8) };
        assert_eq!(played(&setup, outputs).state(), state, "{rules}: {outputs:?}");
    };
    check(Rules::Contest, &["MOVE N"], ".1.../...../...../...2./.....|1,0,2,7|3,3,2,8");
    check(Rules::Published, &["MOVE N"], ".1.../...../...../...2./.....|1,0,2,8|3,3,2,8");
    // With a friend to the west and one to the east: acid kills both; the faulty explosion reaches only the first, and
    // leaves the second unchanged.
    let outputs = ["DIVIDE W", "REST", "REST", "REST", "REST", "DIVIDE E", "REST", "REST"];
    check(Rules::Contest, &outputs, "...../111../...../...2./.....|1,1,2,0;0,1,2,7;2,1,2,0|3,3,2,8");
    let explosion = [outputs.as_slice(), &["REST"; 8], &["EXPLODE"]].concat();
    check(Rules::Contest, &explosion, "...../ccc../...../...2./.....||3,3,2,8");
    check(Rules::Published, &explosion, "...../cc1../...../...2./.....|2,1,2,4|3,3,2,8");
}

#[test]
fn games_end_for_their_reasons() {
    let check = |setup: &DishSetup, outputs: &[&str], outcome: Outcome, turns: u32, reason: &str| {
        let dish = played(setup, outputs);
        assert_eq!(dish.outcome(), Some(outcome));
        assert_eq!(dish.turns(), turns);
        assert_eq!(dish.end_reason().map(|ending| ending.to_string()).as_deref(), Some(reason));
    };
    let first = Outcome::Win(Side::First);
    let short = DishSetup { turns: 1, ..contest(5, 7) };
    check(&short, &["REST", "REST"], Outcome::Draw, 2, "the last turn is over, 1 cell to 1");
    check(&short, &["DIVIDE N", "REST"], first, 2, "the last turn is over, 2 cells to 1");
    let narrow = DishSetup { width: 4, height: 3, ..contest(1, 11) };
    check(&narrow, &["ATTACK E 1"], first, 1, "the second colony is extinct");
    check(&narrow, &["EXPLODE"], Outcome::Draw, 1, "both colonies are extinct");
    let still = DishSetup { species: [Species::new(0, 12, 0).expect("twelve points"), short.species[1]], ..short };
    check(&still, &[], Outcome::Win(Side::Second), 1, "the first colony is extinct");
    let doomed = DishSetup { species: [short.species[1], Species::new(0, 12, 0).expect("twelve points")], ..short };
    check(&doomed, &["DIVIDE N"], first, 1, "the second colony is extinct");
}

#[test]
fn setups_that_cannot_be_played_are_refused() {
    let check = |setup: DishSetup, strict: &str, cramped: Option<&str>| {
        let text =
            |result: Result<Dish, agon_rules::petri::DishSetupError>| result.err().map(|error| error.to_string());
        assert_eq!(text(Dish::new(&setup)).as_deref(), Some(strict));
        assert_eq!(text(Dish::cramped(&setup)).as_deref(), cramped);
    };
    let normal = contest(5, 7);
    check(DishSetup { width: 3, ..normal }, "a dish cannot be 3 wide or high: 4 to 255", None);
    let low = "a dish cannot be 2 wide or high: 3 to 255";
    check(DishSetup { height: 2, ..normal }, "a dish cannot be 2 wide or high: 4 to 255", Some(low));
    let wide = "a dish cannot be 256 wide or high: 3 to 255";
    check(DishSetup { width: 256, ..normal }, "a dish cannot be 256 wide or high: 4 to 255", Some(wide));
    let square = "a dish of 3 × 3 has one square for both first cells";
    check(DishSetup { width: 3, height: 3, ..normal }, "a dish cannot be 3 wide or high: 4 to 255", Some(square));
    check(DishSetup { turns: 0, ..normal }, "0 turns: at least 1 expected", Some("0 turns: at least 1 expected"));
}

#[test]
fn the_largest_dish_has_walls_all_round() {
    let setup = DishSetup { width: 255, height: 255, ..contest(5, 7) };
    let mut dish = played(&setup, &["MOVE NW", "MOVE SE"]);
    for (way, other) in [("N", "S"), ("NW", "SE"), ("W", "E"), ("NE", "SW"), ("SW", "NE")] {
        for way in [way, other] {
            let applied = dish.answer(format!("MOVE {way}").as_bytes()).expect("the game goes on");
            let refusal = applied.refusal.map(|refusal| refusal.to_string());
            assert_eq!(refusal, Some(format!("the dish ends there: {way}")));
        }
    }
    let places = Side::BOTH.map(|side| dish.colony(side).next().map(|cell| (cell.place.x, cell.place.y)));
    assert_eq!(places, [Some((0, 0)), Some((254, 254))]);
}

#[test]
fn a_view_shows_the_last_action() {
    let check = |dish: &Dish, expected: &str| {
        let view = dish.view();
        let mark = |cell: &agon_game::Cell| cell.mark.map_or(String::new(), |mark| format!("{mark:?}"));
        let number = |cell: &agon_game::Cell| cell.weight.map_or(cell.glyph.to_string(), |hp| hp.to_string());
        let cells = view.cells.iter().enumerate().filter(|(_, cell)| cell.glyph != '.');
        let shown: Vec<String> = cells.map(|(at, cell)| format!("{at}:{}{}", number(cell), mark(cell))).collect();
        assert_eq!(shown.join(" "), expected);
    };
    let narrow = DishSetup { width: 5, height: 4, ..contest(2, 8) };
    check(&played(&narrow, &[]), "6:2 13:2");
    check(&played(&narrow, &["DIVIDE E"]), "6:2 7:2Placed 13:2");
    check(&played(&narrow, &["MOVE E", "ATTACK NW 1"]), "7:1 13:2");
    check(&played(&narrow, &["MOVE E", "EXPLODE"]), "7:cBurst 13:cBurst");
    check(&played(&narrow, &["DIVIDE N", "EXPLODE"]), "1:2 6:2 13:cBurst");
    let dish = played(&DishSetup { species: [Species::new(12, 0, 0).expect("twelve points"); 2], ..narrow }, &["REST"]);
    check(&dish, "6:12 13:12");
    let amounts = dish.view().gauges.into_iter().map(|gauge| (gauge.name, gauge.amounts.map(GameScore::as_f64)));
    assert_eq!(amounts.collect::<Vec<_>>(), [("cells", [1.0, 1.0]), ("energy", [0.0, 0.0])]);
}
