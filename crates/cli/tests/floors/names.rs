//! One type name means one thing, and the built-in players are listed in one place.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::{code, house, sources};

/// Names of the same role in the modules of several games.
const ROLES: [&str; 5] = ["Champion", "Evaluation", "Greedy", "Move", "NetworkEvaluation"];

/// The code of every source file of ours, by its path from the root.
fn codes() -> BTreeMap<String, String> {
    let mut codes = BTreeMap::new();
    for package in &house().packages {
        let folder = package.manifest_path.parent().unwrap();
        for file in sources(folder.join("src").as_std_path()) {
            let path = file.strip_prefix(folder.parent().unwrap()).unwrap().display().to_string();
            codes.insert(path, code(&fs::read_to_string(&file).unwrap()));
        }
    }
    codes
}

#[test]
fn one_type_name_means_one_thing() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, code) in codes() {
        for line in code.lines() {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            if let ["pub", "struct" | "enum" | "trait" | "type" | "union", name, ..] = words[..] {
                places.entry(name.to_owned()).or_default().push(path.clone());
            }
        }
    }
    assert!(places.len() > 300, "{places:?}");
    places.retain(|name, places| places.len() > 1 && !ROLES.contains(&name.as_str()));
    assert!(places.is_empty(), "one name for several types: {places:#?}");
}

#[test]
fn the_players_are_listed_once() {
    let games = agon_catalog::Game::all().into_iter();
    let names: BTreeSet<String> =
        games.flat_map(|game| game.builtin_names()).map(|name| format!("\"{name}\"")).collect();
    assert!(names.len() > 3, "{names:?}");
    for (path, code) in codes() {
        let named: Vec<&String> = names.iter().filter(|name| code.contains(name.as_str())).collect();
        assert!(
            named.len() < 3 || path.starts_with("engines/") || path.starts_with("catalog/"),
            "{path} lists players: {named:?}"
        );
    }
}
