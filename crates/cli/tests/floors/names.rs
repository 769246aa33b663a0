//! What there is once: the list of built-in players, and the way to print the causes of an error.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::{code, house, sources};

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
