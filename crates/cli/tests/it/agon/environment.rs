//! A program's environment: the same whoever starts the judge.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::agon::run::{ALPHANO_TIMES, BINARY, Ran, command, file, finish, folder, search_path, text};

/// A game by a judge whose own environment contains what no bot may see.
fn play(arguments: &[&str]) -> Ran {
    let mut run = command(&[&["play"], arguments].concat());
    run.envs([("PYTHONUNBUFFERED", "1"), ("SECRET_TOKEN", "x"), ("AGON_SEED", "99"), ("LC_ALL", "C")]);
    // A program writes what it sees to a file of ours.
    run.env("AGON_JAIL", "none").envs([ALPHANO_TIMES]);
    finish(&mut run)
}

/// The variables that a program wrote to a file.
fn seen(path: &Path) -> BTreeMap<String, String> {
    let variables = fs::read_to_string(path).unwrap();
    let variables = variables.split_terminator('\0').map(|variable| variable.split_once('=').unwrap());
    variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn a_program_sees_nothing_of_the_judges_environment() {
    let folder = folder();
    let check = |game: &str, options: &[&str], then: &str| {
        let path = folder.path().join(game);
        let bot = format!("sh -c 'cat /proc/$$/environ > \"{}\"; {then}'", path.display());
        let ran = play(&[&[game, "--first", &bot, "--show", "none"], options].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(path.exists(), "{}", ran.out);
        let seen = seen(&path);
        let ends =
            ["_DATA_DIR", "_HOME", "_ROOT", "_VERSION", "_PREFIX", "_TOOLCHAIN", "FNM_DIR", "NVM_DIR", "SDKMAN_DIR"];
        let of_manager = |name: &&str| ends.iter().any(|end| name.ends_with(end));
        let mut names: Vec<&str> = seen.keys().map(String::as_str).filter(|name| !of_manager(name)).collect();
        names.sort_unstable();
        assert_eq!(names, ["AGON_SEED", "HOME", "LANG", "PATH"], "{game}");
        assert_eq!((seen["LANG"].as_str(), seen["PATH"].clone()), ("C.UTF-8", text(&search_path()).to_owned()));
        assert_ne!(seen["AGON_SEED"], "99");
        assert_ne!(seen.get("HOME"), std::env::var("HOME").ok().as_ref());
        assert_eq!(fs::read_dir(&seen["HOME"]).unwrap().count(), 0, "{seen:?}");
        seen["HOME"].clone()
    };
    let session = check("bacteria", &[], &format!("exec \"{BINARY}\" agent bacteria greedy"));
    let per_action = check("petri", &["--size", "6x5", "--turns", "4"], "echo WAIT");
    assert_ne!(session, per_action, "each program has a home of its own");
}

#[test]
fn a_missing_flush_is_punished_whatever_the_shell_says() {
    let folder = folder();
    let bot = file(&folder, "bot.py", "import sys\nfor line in sys.stdin:\n    print('OK')\n");
    for bot in [format!("python3 '{}'", text(&bot)), text(&bot).to_owned()] {
        let ran = play(&["bacteria", "--first", &bot, "--second", "random", "--show", "none"]);
        assert!(ran.out.contains("TLE") || ran.err.contains("TLE"), "{}{}", ran.out, ran.err);
    }
}
