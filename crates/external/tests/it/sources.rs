//! Rules in any language: by an extension that an interpreter of the machine runs, by a first line `#!`, as a program,
//! and by a command.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use agon_catalog::Setup;
use agon_external::{STARTERS, check, files_of, load, starter_files};

fn starter(language: &str, name: &str) -> String {
    let starter = STARTERS.iter().find(|starter| starter.language == language).unwrap();
    starter_files(starter, name)[0].1.clone()
}

/// The rules at a path are the starter's: its check passes, and these are its files.
#[track_caller]
fn plays(path: &Path, files: &[&str]) {
    let game = load(path).unwrap_or_else(|error| panic!("{error}"));
    let report = check(game, 2, 1, &BTreeMap::new()).unwrap();
    assert!(report.passes() && report.games == 2, "{report:?}");
    assert_eq!(game.initial_state(&Setup::default()).unwrap().legal(), ["1", "2", "3"]);
    assert_eq!(files_of(game).unwrap().iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), files);
}

/// Each side takes one of 5 stones in turn.
const LUA: &str = r#"
local stones, turn
local function situation()
  if stones == 0 then return "end first no stone is left\n" end
  return "turn " .. turn .. "\n"
end
for line in io.lines() do
  local word = line:match("^%S+")
  if word == "GAME" then io.write("name NAME\nplies 9\nhas moves\nok\n")
  elseif word == "START" then stones, turn = 5, "first" io.write(situation(), "ok\n")
  elseif word == "MOVES" then io.write(stones > 0 and "move 1\n" or "", "ok\n")
  elseif word == "PLAY" and line:match("^%S+ %S+ %S+ 1$") then
    stones, turn = stones - 1, turn == "first" and "second" or "first"
    io.write(situation(), "ok\n")
  else io.write("no\n") end
  io.flush()
end
"#;

#[test]
fn rules_are_in_any_language() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        path
    };
    // A script without an extension, whether it is executable or not.
    let script = format!("#!/usr/bin/env python3\n{}", starter("python", "script"));
    let path = in_folder("script");
    fs::write(path.join("rules"), &script).unwrap();
    plays(&path, &["rules"]);
    let alone = folder.path().join("alone.txt");
    fs::write(&alone, script.replace("name script", "name alone")).unwrap();
    plays(&alone, &["rules.txt"]);
    // A program.
    let path = in_folder("program");
    let source = folder.path().join("program.cpp");
    fs::write(&source, starter("cpp", "program")).unwrap();
    let compiled = Command::new("g++").args(["-std=c++20", "-o"]).arg(path.join("rules")).arg(&source).status();
    assert!(compiled.unwrap().success());
    plays(&path, &["rules"]);
    fs::set_permissions(path.join("rules"), fs::Permissions::from_mode(0o644)).unwrap();
    let refused = load(&path).unwrap_err().to_string();
    assert!(refused.contains("has no rules: expected a file `rules`"), "{refused}");
    // A command, of two files.
    let path = in_folder("command");
    fs::write(path.join("heap.py"), "from texts import *\nimport rest\n").unwrap();
    fs::write(path.join("texts.py"), "").unwrap();
    fs::write(path.join("rest.py"), starter("python", "command")).unwrap();
    fs::write(path.join("game.toml"), "rules = ['python3', 'heap.py']\nfiles = ['texts.py', 'rest.py']\n").unwrap();
    plays(&path, &["game.toml", "heap.py", "rest.py", "texts.py"]);
    let refused = |text: &str, words: &str| {
        fs::write(path.join("game.toml"), text).unwrap();
        let error = load(&path).unwrap_err().to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{text}: {error}");
    };
    refused("rules = 'python3 heap.py'", "`rules` is `\"python3 heap.py\"`; expected a list of texts, such as");
    refused("rules = []", "`rules` is an empty list");
    refused("rule = ['a']", "unknown key `rule`");
    refused("files = ['heap.py']", "no `rules`, such as");
    refused("rules = ['python3', 'heap.py']\nfiles = ['../x']", "`../x`, which is not a file in its folder");
    refused("rules = ['no-such-interpreter', 'heap.py']", "need `no-such-interpreter`, which is not installed");
    refused("rules = [", "game.toml`: ");
}

#[test]
fn rules_are_in_lua() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.lua");
    fs::write(&path, LUA.replace("NAME", "in-lua")).unwrap();
    let loaded = load(&path);
    if Command::new("lua5.4").arg("-v").output().is_err() && Command::new("lua").arg("-v").output().is_err() {
        let refused = loaded.unwrap_err().to_string();
        return assert!(refused.ends_with("need `lua5.4`, which is not installed"), "{refused}");
    }
    let report = check(loaded.unwrap(), 2, 1, &BTreeMap::new()).unwrap();
    assert!(report.passes() && report.games == 2, "{report:?}");
    // The same text under another name.
    let other = folder.path().join("other.lua");
    fs::copy(&path, &other).unwrap();
    load(&other).unwrap_or_else(|error| panic!("{error}"));
    // What a crash says is the rules' own error, not the end of the call stack.
    fs::write(&path, LUA.replace("NAME", "in-lua").replace("stones, turn = 5, \"first\"", "error('heap lost')"))
        .unwrap();
    let refused = load(&path).unwrap().initial_state(&Setup::default()).err().unwrap().to_string();
    assert!(refused.contains("heap lost") && !refused.contains("[C]"), "{refused}");
}

/// A process that starts later plays by the rules that were loaded.
#[test]
fn a_command_keeps_the_files_that_were_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.toml");
    fs::write(&path, "rules = ['python3', 'heap.py']\n").unwrap();
    let rules = starter("python", "kept");
    fs::write(folder.path().join("heap.py"), &rules).unwrap();
    let game = load(folder.path()).unwrap();
    fs::write(folder.path().join("heap.py"), rules.replace("(1, 2, 3)", "(1, 2)")).unwrap();
    let changed = load(folder.path()).unwrap();
    assert_ne!(game, changed, "changed rules are another game");
    // The check begins fresh processes.
    assert!(check(game, 2, 1, &BTreeMap::new()).unwrap().passes());
    let legal = |game: agon_catalog::Game| game.initial_state(&Setup::default()).unwrap().legal().len();
    assert_eq!([legal(game), legal(changed)], [3, 2]);
}
