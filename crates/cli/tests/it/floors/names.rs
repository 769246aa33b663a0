//! Things that exist once: the list of built-in players, and the way to print the causes of an error.

use std::collections::BTreeSet;

use crate::floors::codes;

#[test]
fn the_players_are_listed_once() {
    let games = agon_catalog::Game::all().into_iter();
    let names: BTreeSet<String> =
        games.flat_map(agon_catalog::Game::builtin_names).map(|name| format!("\"{name}\"")).collect();
    assert!(names.len() > 3, "{names:?}");
    for (path, code) in codes() {
        let named: Vec<&String> = names.iter().filter(|name| code.contains(name.as_str())).collect();
        assert!(
            named.len() < 3 || path.starts_with("engines/") || path.starts_with("catalog/"),
            "{path} lists players: {named:?}"
        );
    }
}

/// `exit::in_one_line` prints an error with its causes, each once; `{error:#}` repeats those that a message contains.
#[test]
fn causes_of_errors_are_printed_by_one_function() {
    let printing = |(path, code): (String, String)| code.contains("error:#}").then_some(path);
    assert_eq!(codes().into_iter().filter_map(printing).collect::<Vec<_>>(), [""; 0]);
}

/// Where the code names one of the games, outside their rules and engines: a fifth game touches none of these.
const NAMING: [(&str, &str); 13] = [
    ("arena/src/petri.rs", "dishes are of one game"),
    ("analysis/src/dish/", "dishes are of one game"),
    ("analysis/src/played/", "games of the three boards are built in"),
    ("analysis/src/puzzles/", "puzzles come from the solver of their game"),
    ("cli/src/games_made.rs", "games of the three boards are built in"),
    ("cli/src/network/", "two games have networks to compare"),
    ("cli/src/openings.rs", "balanced openings are searched for renju"),
    ("cli/src/protocols.rs", "UAI and Gomocup speak one game each"),
    ("protocols/src/bridge/mod.rs", "UAI and Gomocup speak one game each"),
    ("protocols/src/formats/", "RenLib, RIF, Piskvork and SGF's GM[4] hold renju"),
    ("training/src/", "two games have networks to train"),
    ("wasm/src/answer.rs", "two games have networks to load"),
    ("boards/src/board/dish.rs", "the page of the petri dish"),
];

#[test]
fn games_are_named_where_one_game_alone_is_meant() {
    let mut unused: BTreeSet<&str> = NAMING.iter().map(|(place, _)| *place).collect();
    let mut others = Vec::new();
    for (path, code) in codes() {
        let named =
            ["BACTERIA", "DOMINEERING", "RENJU", "PETRI"].iter().any(|game| code.contains(&format!("Game::{game}")));
        let owns = ["rules/", "engines/", "catalog/"].iter().any(|floor| path.starts_with(floor));
        if !named || owns || path.contains("/tests/") || path.ends_with("/tests.rs") {
            continue;
        }
        match NAMING.iter().find(|(place, _)| path.starts_with(place)) {
            Some((place, _)) => _ = unused.remove(place),
            None => others.push(path),
        }
    }
    assert_eq!((others, unused), (Vec::<String>::new(), BTreeSet::new()));
}
