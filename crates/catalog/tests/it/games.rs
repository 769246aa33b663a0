//! Games by their names and parameters, and the players of each.

use agon_catalog::{CatalogPosition, Game, Setup, petri};
use agon_engines::{bacteria, domineering, renju};
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use agon_search::Task;

#[test]
fn names_lead_to_games() {
    for game in Game::all() {
        assert_eq!(Game::by_name(game.name()), Some(game));
        assert!(game.initial_state(&Setup::default()).is_ok());
    }
    assert_eq!(Game::by_name("chess"), None);
}

#[test]
fn an_unknown_parameter_is_refused() {
    let setup = Setup { seed: 0, parameters: [("hats".to_owned(), "3".to_owned())].into() };
    let error = Game::BACTERIA.initial_state(&setup).err().unwrap();
    assert_eq!(error.to_string(), "bacteria has no parameter `hats`; it has opening, position");
    assert_eq!(Game::BACTERIA.position(None, &setup).err(), Some(error));
}

#[test]
fn a_dish_is_as_its_parameters_say() {
    let check = |name: &str, value: &str, expected: Result<(), &str>| {
        let setup = Setup { seed: 0, parameters: [(name.to_owned(), value.to_owned())].into() };
        let made = Game::PETRI.initial_state(&setup).map(drop).map_err(|error| error.to_string());
        assert_eq!(made, expected.map_err(str::to_owned), "{name}={value}");
    };
    check("width", "255", Ok(()));
    check("width", "256", Err("width is `256`; 4 to 255 expected"));
    check("height", "3", Err("height is `3`; 4 to 255 expected"));
    check("turns", "0", Err("turns is `0`; 1 to 65535 expected"));
    check("rules", "published", Ok(()));
    check("rules", "posted", Err("rules is `posted`; contest or published expected"));
}

#[test]
fn an_opening_is_played_and_announced() {
    let check = |game: Game, opening: &str, expected: Result<(u32, &str), &str>| {
        let setup = Setup { seed: 0, parameters: [("opening".to_owned(), opening.to_owned())].into() };
        let state = game.initial_state(&setup).map(|state| (state.ply(), state.preamble()));
        let found = state.as_ref().map(|(ply, lines)| (*ply, lines.as_str())).map_err(ToString::to_string);
        assert_eq!(found, expected.map_err(str::to_owned), "{game} {opening}");
    };
    check(Game::RENJU, "", Ok((0, "")));
    check(Game::RENJU, "none", Ok((0, "")));
    check(Game::RENJU, "8 8 / 7 8", Ok((2, "OPENING 8 8\nOPENING 7 8\n")));
    check(Game::BACTERIA, "1 1 1 2", Ok((1, "OPENING 1 1 1 2\n")));
    let refused = game_refusal(Game::RENJU, "8 9");
    check(Game::RENJU, "8 9", Err(&refused));
}

/// The rules' message about a first move, as the set-up quotes it.
fn game_refusal(game: Game, text: &str) -> String {
    let error = game.initial_state(&Setup::default()).unwrap().answer(text).unwrap_err();
    format!("opening is refused at `{text}`: {error}; legal moves separated by `/` expected")
}

#[test]
fn every_listed_player_exists() {
    for game in Game::all() {
        for builtin in game.builtins {
            let name = builtin.name;
            let found = game.find(name).unwrap();
            assert_ne!(found.player(1).is_some(), found.program().is_some(), "{game} {name}");
            for level in 1..=builtin.levels().unwrap_or(0) {
                assert!(game.find(&format!("{name}:{level}")).is_ok(), "{game} {name} {level}");
            }
        }
        for name in game.defaults {
            assert!(game.builtin_names().contains(&name), "{game} {name}");
        }
        assert!(game.find("missing").is_err());
    }
    for name in Game::PETRI.builtin_names() {
        assert_eq!(petri::program(name).map(agon_engines::petri::PetriProgram::name), Ok(name));
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    fn check<P: CatalogPosition>(over: &P) {
        for builtin in P::GAME.builtins {
            let lowest = builtin.levels().map(|_| format!("{}:1", builtin.name));
            for name in [Some(builtin.name.to_owned()), lowest].into_iter().flatten() {
                let mut engine = agon_catalog::engine::<P>(&name, 0).unwrap();
                assert_eq!(engine.best_move(over, &Task::default()), None, "{name}");
            }
        }
    }
    check::<Bacteria>(&"7/7/7/7/7/7/6x o".parse().unwrap());
    check::<Domineering>(&"1/1 ./. H 2 0 0".parse().unwrap());
    check::<Renju>(&"15/15/15/15/15/15/15/4BBBBB6/4WWWW7/15/15/15/15/15/15 W".parse().unwrap());
}

#[test]
fn what_is_no_name_is_refused() {
    let check = |text: &str, found: &str| {
        let error = Game::DOMINEERING.find(text).err().unwrap().to_string();
        assert!(error.starts_with(found), "`{found}` is not in: {error}");
    };
    check("missing", "domineering has no built-in player `missing`; it has random, greedy");
    check("missing:3", "domineering has no built-in player `missing:3`");
    let meant = |text: &str, wanted: &str| {
        let found = Game::DOMINEERING.find(text).err().map(|error| error.to_string());
        assert!(found.as_ref().is_some_and(|found| found.ends_with(wanted)), "{found:?}");
    };
    meant("champoin:3", "random, greedy, uct, champion; did you mean `champion:3`?");
    meant("Greddy", "; did you mean `greedy`?");
    meant("missing", "random, greedy, uct, champion");
    check("", "domineering has no built-in player ``");
    check("greedy:1", "`greedy:1`: greedy has no levels; name it without one");
    for level in ["0", "11", "256", "-1", "", "x", "3:3", " 3", "1.5"] {
        let text = format!("champion:{level}");
        check(&text, &format!("`{text}`: the levels of champion are 1 to 10"));
    }
}

#[test]
fn every_step_between_levels_is_measured() {
    let check = |game: Game, levels: u8| assert_eq!(game.builtins.last().unwrap().levels(), Some(levels), "{game}");
    check(Game::BACTERIA, bacteria::level::HIGHEST);
    check(Game::DOMINEERING, domineering::champion::LEVELS);
    check(Game::RENJU, renju::champion::LEVELS);
}
