//! `agon games`, help, completions and colours.

use std::fs;

use serde_json::Value;

use crate::agon::run::{self, GAMES, agon, command, finish, folder, root, text};

#[test]
fn the_list_is_the_same_for_people_and_programs() {
    let ran = agon(&["games", "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    // Like every result, on one line.
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
    let games: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let list = agon(&["games"]).out;
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    // Long rows are folded.
    let list = list.split_whitespace().collect::<Vec<_>>().join(" ");
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let names: Vec<String> = games.iter().map(|game| word(&game["name"])).collect();
    for (game, _) in GAMES {
        assert!(names.iter().any(|name| name == game), "{names:?}");
    }
    for game in &games {
        for key in ["name", "title", "summary", "page"] {
            assert!(list.contains(&word(&game[key])), "{key} of {game}");
        }
        for parameter in game["parameters"].as_array().unwrap() {
            assert!(list.contains(&format!("--set {}=", word(&parameter["name"]))), "{parameter}");
            for key in ["meaning", "values", "default"] {
                assert!(list.contains(&word(&parameter[key])), "{key} of {parameter}");
            }
        }
        for player in game["players"].as_array().unwrap() {
            assert!(list.contains(&format!("player {}", word(&player["name"]))), "{player}");
            assert!(list.contains(&word(&player["summary"])), "{player}");
            if let Some(highest) = player["levels"].as_u64() {
                let name = word(&player["name"]);
                assert!(list.contains(&format!("{name}:1 to {name}:{highest}")), "{player}");
            }
        }
    }
}

#[test]
fn a_game_is_shown_with_its_rules() {
    let games: Vec<Value> = serde_json::from_str(&agon(&["games", "--format", "json"]).out).unwrap();
    for game in &games {
        let ran = agon(&["games", game["name"].as_str().unwrap()]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        // Rules are points in whole sentences, which a terminal breaks at its width.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let message = ["page", "source"].into_iter().map(|key| &game[key]).chain(game["rules"].as_array().unwrap());
        for text in message.map(|text| text.as_str().unwrap()) {
            assert!(words(&ran.out).contains(text), "{text}");
        }
        for point in game["rules"].as_array().unwrap().iter().map(|point| point.as_str().unwrap()) {
            assert!(point.starts_with(char::is_uppercase) && point.ends_with('.'), "{point}");
            assert!(ran.out.contains(&format!("\n  - {}", point.split(' ').next().unwrap())), "{point}");
        }
        // An address is not broken.
        let fits = |line: &str| line.chars().count() <= 80 || line.contains("https://");
        assert!(ran.out.lines().all(fits), "{}", ran.out);
        let page = fs::read_to_string(root().join(game["page"].as_str().unwrap())).unwrap();
        assert!(page.contains(game["source"].as_str().unwrap()), "{}", game["page"]);
        let json = agon(&["games", game["name"].as_str().unwrap(), "--format", "json"]).out;
        assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), *game);
    }
    let refused = agon(&["games", "chess"]);
    assert!(refused.code == 2 && refused.err.contains("possible values: bacteria, domineering, renju, petri"));
}

/// The first three turns of renju, which a newcomer should learn here and not by losing.
#[test]
fn the_rules_in_short_are_the_rules() {
    let message = agon(&["games", "renju"]).out;
    assert!(message.contains("Turn 1: Black must play MOVE 8 8"), "{message}");
    let check = |opening: &str, legal: bool| {
        let ran = agon(&["play", "renju", "--set", &format!("opening={opening}"), "--seed", "1", "--show", "none"]);
        assert_eq!(ran.code == 0, legal, "{opening}: {}", ran.err);
    };
    check("8 8", true);
    check("8 9", false);
    check("8 8/7 9", true);
    check("8 8/6 8", false);
    check("8 8/7 9/10 6", true);
    check("8 8/7 9/11 8", false);
    check("8 8/7 9/-1 -1", false);
    check("8 8/7 9/10 6/-1 -1", true);
}

#[test]
fn a_listed_default_is_what_is_played() {
    let ran = agon(&["games", "--format", "json"]);
    let games: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    for game in &games {
        let name = game["name"].as_str().unwrap();
        let play = |set: &[&str]| {
            let ran = agon(&[&["play", name, "--seed", "7", "--format", "json"], set].concat()).json();
            (ran["winner"].clone(), ran["score"].clone(), ran["plies"].clone())
        };
        let plain = play(&[]);
        for parameter in game["parameters"].as_array().unwrap() {
            let [name, default] = ["name", "default"].map(|key| parameter[key].as_str().unwrap());
            if name != "board" {
                assert_eq!(play(&["--set", &format!("{name}={default}")]), plain, "{parameter}");
            }
        }
    }
}

#[test]
fn completions_ask_the_program() {
    #[track_caller]
    fn check(shell: &str, mark: &str) {
        let ran = agon(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains(mark) && ran.out.contains("AGON_COMPLETE"), "{shell}: {}", ran.out);
        assert!(ran.out.ends_with('\n'), "{shell}");
    }
    check("bash", "-F _clap_complete_agon agon");
    check("zsh", "#compdef agon");
    check("fish", "complete --keep-order --exclusive --command agon");
    check("elvish", "set edit:completion:arg-completer[agon]");
    check("powershell", "Register-ArgumentCompleter -Native -CommandName agon");
}

#[test]
fn completions_go_to_a_folder() {
    let folder = folder();
    let place = folder.path().join("made/here");
    let ran = agon(&["completions", "bash", "zsh", "fish", "--out", text(&place)]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    for (name, shell) in [("agon.bash", "bash"), ("_agon", "zsh"), ("agon.fish", "fish")] {
        assert_eq!(fs::read_to_string(place.join(name)).unwrap(), agon(&["completions", shell]).out, "{name}");
    }
    let ran = agon(&["completions", "bash", "zsh"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("several scripts need a folder: name it with --out"), "{}", ran.err);
    let ran = agon(&["completions", "bash", "--out", "/proc/x"]);
    assert!(ran.code == 2 && ran.err.contains("cannot make the folder `/proc/x`"), "{}", ran.err);
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = folder();
    let place = folder.path().join("man1");
    let ran = agon(&["man", text(&place)]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap();
    let (whole, play) = (read("agon.1"), read("agon-play.1"));
    for name in ["agon-match.1", "agon-petri-score.1", "agon-key-new.1", "agon-completions.1"] {
        assert!(read(name).contains(".SH SYNOPSIS"), "{name}");
        assert!(
            name.matches('-').count() > 1 || whole.contains(&name.replace('-', "\\-").replace(".1", "(1)")),
            "{name}"
        );
    }
    assert!(!place.join("agon-man.1").exists() && !place.join("agon-help.1").exists());
    // Examples keep their lines.
    assert!(play.contains("\n.nf\n") && play.contains("\n  agon play renju \\-\\-first greedy"), "{play}");
    assert!(whole.starts_with(".ie") || whole.contains(".TH agon 1"), "{whole}");
    let ran = agon(&["man", "/proc/x"]);
    assert!(ran.code == 2 && ran.err.contains("cannot make the folder `/proc/x`"), "{}", ran.err);
}

#[test]
fn every_command_has_help_that_fits_a_terminal() {
    // Every command has a page of the manual.
    let folder = folder();
    assert_eq!(agon(&["man", text(folder.path())]).code, 0);
    let pages = fs::read_dir(folder.path()).unwrap().map(|page| fs::read_to_string(page.unwrap().path()).unwrap());
    // In the synopsis of its page the words of a command are bold.
    let command = |page: &str| {
        let (_, synopsis) = page.split_once(".SH SYNOPSIS\n\\fB").expect("a synopsis");
        synopsis.split_once("\\fR").expect("the end of the command").0.replace("\\-", "-")
    };
    let commands: Vec<String> = pages.map(|page| command(&page)).collect();
    assert!(commands.len() > 30, "{commands:?}");
    for command in commands {
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        for help in ["--help", "-h"] {
            let ran = finish(run::command(&[&words[..], &[help]].concat()).env("COLUMNS", "200"));
            assert_eq!((ran.code, ran.err.as_str()), (0, ""));
            assert!(ran.out.contains("Usage: agon"), "{}", ran.out);
            assert!(!ran.out.contains('\x1b'), "{}", ran.out);
            let wide = ran.out.lines().find(|line| line.chars().count() > 80);
            assert_eq!(wide, None, "{words:?}");
        }
    }
    for words in [&["play"][..], &["petri", "score"]] {
        let asked = agon(&[&["help"], words].concat());
        assert_eq!((asked.code, asked.out), (0, agon(&[words, &["--help"]].concat()).out), "{words:?}");
    }
    assert_eq!(agon(&["help"]).out, agon(&["--help"]).out);
    let version = agon(&["--version"]);
    assert_eq!((version.code, version.out), (0, format!("agon {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn colour_comes_when_it_is_asked_for() {
    #[track_caller]
    fn check(arguments: &[&str], variable: Option<&str>, coloured: bool) {
        for mut run in [command(&["games"]), command(&["play", "bacteria", "--seed", "7"])] {
            run.args(arguments);
            if let Some(variable) = variable {
                run.env(variable, "1");
            }
            let ran = finish(&mut run);
            assert_eq!(ran.code, 0);
            assert_eq!(ran.out.contains('\x1b'), coloured, "{arguments:?} {variable:?}");
        }
        let mut run = command(&["replay", "none.jsonl"]);
        let ran = finish(run.args(arguments).envs(variable.map(|variable| (variable, "1"))));
        assert_eq!((ran.code, ran.err.contains('\x1b')), (2, coloured), "{arguments:?} {variable:?}");
    }
    check(&[], None, false);
    check(&[], Some("NO_COLOR"), false);
    check(&["--color", "always"], None, true);
    check(&["--color", "always"], Some("NO_COLOR"), true);
    check(&["--color", "never"], Some("CLICOLOR_FORCE"), false);
}

/// The same command makes the same games, with any number of jobs.
#[test]
fn games_between_levels_are_made_and_replayed() {
    let folder = folder();
    for game in ["renju", "bacteria", "domineering"] {
        let make = |name: &str, jobs: &str| {
            let path = folder.path().join(name);
            let words = ["lab", "games", game, "-n", "3", "--nodes", "50", "--levels", "3-4", "--jobs", jobs, "--out"];
            let ran = agon(&[&words[..], &[text(&path)]].concat());
            assert_eq!(ran.code, 0, "{game}: {}", ran.err);
            path
        };
        let (one, two) = (make("one", "1"), make("two", "2"));
        assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap(), "{game}");
        let checked = agon(&["lab", "games", game, "--check", text(&one)]);
        assert!(checked.out.starts_with(&format!("3 games of {game}, ")), "{} {}", checked.out, checked.err);
    }
    let other = agon(&["lab", "games", "renju", "--check", text(&folder.path().join("one"))]);
    assert_eq!(other.code, 2, "{}", other.out);
    assert!(other.err.contains("has no games of renju"), "{}", other.err);
}
