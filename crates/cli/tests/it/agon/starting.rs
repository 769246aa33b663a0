//! `agon new`: a folder with a bot to start from.

use std::fs;
use std::path::Path;
use std::time::Duration;

use agon_catalog::Game;
use agon_referee::agent::Language;

use crate::agon::run::{Ran, agon, command, file, finish, folder, is_slow, text};

fn new(place: &Path, words: &[&str]) -> Ran {
    finish(command(&[&["new"], words].concat()).current_dir(place))
}

#[test]
fn a_new_bot_is_whole() {
    for game in Game::all() {
        for (extension, source) in game.samples {
            let place = folder();
            let ran = new(place.path(), &[game.name(), extension, "mine"]);
            // A compiler that only this language needs may be missing.
            let said = ran.err.is_empty() || ran.err.contains("is not installed; on Debian or Ubuntu: apt install");
            assert!(ran.code == 0 && said, "{game} {extension}: {} {}", ran.out, ran.err);
            let bot = if *extension == "java" { "Main.java".to_owned() } else { format!("bot.{extension}") };
            let read = |name: &str| fs::read_to_string(place.path().join("mine").join(name)).unwrap();
            // The sample, under the name of the bot.
            let written = read(&bot);
            assert_eq!(written.lines().count(), source.lines().count(), "{game} {extension}");
            assert!(!written.contains("sample"), "{game} {extension}");
            let readme = read("README.md");
            assert!(readme.lines().count() < 110, "{game}: a page");
            let is_source = Language::by_extension(Path::new(&bot)).is_some();
            let agent = if is_source { &bot } else { "" };
            assert!(readme.contains(&format!("agon check {agent}")), "{readme}");
            assert!(readme.contains(&format!("\ncp {bot} old_{bot}; ")), "{readme}");
            assert_eq!(readme.contains("agon submit"), is_source, "{readme}");
            // Bots without randomness play different games.
            let differ = game.openings.usual_plies == 0 || readme.contains(" --openings-understood --elo1 50\n");
            assert!(differ, "{readme}");
            assert!(read(".gitignore").contains("agon.db"));
            for situation in game.situations {
                assert!(!read(&format!("inputs/{}.txt", situation.name)).is_empty());
                assert!(readme.contains(situation.meaning), "{}", situation.name);
            }
        }
    }
}

#[test]
fn samples_search_with_a_clock_of_two_seconds() {
    for game in ["bacteria", "domineering", "renju"] {
        let sample = format!("agents/{game}/sample.c");
        let words = ["play", game, "--first", &sample, "--second", "greedy", "--clock", "2s", "--show", "none"];
        let result = agon(&[&words[..], &["--seed", "7", "--format", "json"]].concat()).json();
        assert_eq!(result["verdicts"][0], "OK", "{result}");
        // Without a search all its moves take a few milliseconds.
        assert!(result["time_ms"][0].as_f64().unwrap() > 150.0, "{game}: {result}");
    }
}

#[test]
fn a_new_bot_answers_its_inputs() {
    let place = folder();
    let ran = new(place.path(), &["bacteria", "python"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mine = place.path().join("bacteria_bot");
    let input = fs::read_to_string(mine.join("inputs/must-pass.txt")).unwrap();
    let mut run = assert_cmd::Command::new("python3");
    run.arg("bot.py").current_dir(&mine).write_stdin(input).timeout(Duration::from_mins(1));
    let output = run.output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "OK\nMOVE -1 -1 -1 -1\n");
    // The commands of its README are commands, and the first two work.
    let readme = fs::read_to_string(mine.join("README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter(|line| line.starts_with("agon ")).collect();
    for line in commands {
        for command in line.split("&&").flat_map(|part| part.split(';')) {
            let words = command.split_whitespace().map(Into::into);
            agon_cli::check(words).unwrap_or_else(|error| panic!("{command}: {error}"));
        }
    }
}

/// Languages that Agon does not compile, where their compilers are there: in all three games with `AGON_SLOW`, else
/// Perl in one.
#[test]
fn a_bot_of_another_language_is_built_and_passes() {
    let others = ["go", "csharp", "kotlin", "typescript", "lua", "php", "haskell", "ocaml", "d", "nim", "lisp"];
    let (languages, games) = if is_slow() {
        ([&["perl"], &others[..]].concat(), &[Game::BACTERIA, Game::DOMINEERING, Game::RENJU][..])
    } else {
        (vec!["perl"], &[Game::DOMINEERING][..])
    };
    for (game, language) in games.iter().flat_map(|game| languages.iter().map(move |language| (game, language))) {
        let place = folder();
        let ran = new(place.path(), &[game.name(), language, "mine"]);
        assert_eq!(ran.code, 0, "{game} {language}: {}", ran.err);
        if ran.err.contains("is not installed") {
            continue;
        }
        let mine = place.path().join("mine");
        let readme = fs::read_to_string(mine.join("README.md")).unwrap();
        let (build, rest) = readme.split_once("## The next").unwrap();
        for line in build.split("```").nth(1).into_iter().flat_map(str::lines).filter(|line| *line != "sh") {
            let built = assert_cmd::Command::new("sh").args(["-c", line]).current_dir(&mine).output().unwrap();
            assert!(built.status.success(), "{game} {language}: {line}: {built:?}");
        }
        let check = rest.lines().find_map(|line| line.strip_prefix("agon check ")).unwrap();
        let agent = check.split('\'').nth(1).unwrap_or_else(|| check.split(' ').next().unwrap());
        let words = ["check", agent, "--game", game.name(), "--clock", "4s", "--ready", "60s"];
        let checked = finish(command(&words).current_dir(&mine));
        assert_eq!(checked.code, 0, "{game} {language}: {}{}", checked.out, checked.err);
    }
}

#[test]
fn nothing_is_overwritten() {
    let place = folder();
    fs::create_dir(place.path().join("empty")).unwrap();
    assert_eq!(new(place.path(), &["renju", "cpp", "empty"]).code, 0);
    let again = new(place.path(), &["renju", "cpp", "empty"]);
    assert_eq!((again.code, again.out.as_str()), (2, ""));
    assert!(again.err.contains("`empty` has files in it, and nothing is overwritten"), "{}", again.err);
    let path = file(&place, "a_file", "");
    let refused = agon(&["new", "renju", "cpp", text(&path)]);
    assert!(refused.code == 2 && refused.err.contains("is a file; name another folder"), "{}", refused.err);
}

#[test]
fn what_is_missing_is_said() {
    let check = |words: &[&str], expected: &str| {
        let ran = agon(&[&["new"], words].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words:?}");
        assert!(ran.err.contains(expected), "{words:?}: {}", ran.err);
    };
    check(&[], "which game? name it, and the language: `agon new bacteria python`");
    check(&["cpp", "bacteria"], "`cpp` is a language; the game comes first: `agon new bacteria cpp`");
    check(&["renju", "pyton"], "did you mean `python`?");
    check(&["renju", "my_folder"], "no sample of renju in `my_folder`; choose one of python, pypy, cpp, c, java, rust");
    check(&["petri", "lua"], "petri has no sample in lua; it has python, pypy, cpp, c, java, rust, javascript, ruby");
}

#[test]
fn games_point_to_it() {
    let ran = agon(&["games", "renju"]);
    assert!(ran.out.contains("a bot to start from: `agon new renju`"), "{}", ran.out);
    let place = folder();
    let made = finish(command(&["new", "petri", "js", "--format", "json"]).current_dir(place.path())).json();
    assert_eq!((made["language"].as_str(), made["bot"].as_str()), (Some("JAVASCRIPT"), Some("bot.js")));
    assert!(place.path().join("petri_bot/bot.js").is_file());
}
