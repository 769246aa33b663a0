//! The commands that docs/other-tools.md shows beside other tools' invocations all run.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use agon_cli::command_line;
use tempfile::TempDir;

use crate::documentation::commands::commands;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/other-tools.md")).unwrap()
}

/// A folder with the engines and files that the lines name.
fn place(lines: &[Vec<String>]) -> TempDir {
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let engine = fs::read(root().join("crates/cli/tests/engines/engine.py")).unwrap();
    let program = |folder: &str, name: &str, protocol: &str| {
        let folder = place.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("engine.py"), &engine).unwrap();
        let script = format!("#!/bin/sh\nexec python3 \"$(dirname \"$0\")/engine.py\" {protocol} well\n");
        fs::write(folder.join(name), script).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    // `dir=atak uai:./Atak32`, `gomocup:./example-engine/pbrain-wine`
    for word in lines.iter().flatten() {
        let words: Vec<&str> = word.split(' ').collect();
        let dir = words.iter().find_map(|word| word.strip_prefix("dir=")).unwrap_or(".");
        for (protocol, start) in [("uai", "uai:./"), ("gomocup", "gomocup:./")] {
            if let Some(name) = words.iter().find_map(|word| word.strip_prefix(start)) {
                let path = Path::new(dir).join(name);
                let folder = path.parent().unwrap().to_str().unwrap().to_owned();
                program(&folder, path.file_name().unwrap().to_str().unwrap(), protocol);
            }
        }
    }
    let book = "x5o/7/2x4/7/4o2/7/o5x x 0 2; id \"centre\";\nx5o/7/7/2xo3/2ox3/7/o5x x 0 2; id \"crossed\";\n";
    fs::write(place.path().join("book.epd"), book).unwrap();
    fs::write(place.path().join("games.txt"), "f1 g6 f2 a2 e1\ng2 f7 b6\n").unwrap();
    fs::write(place.path().join("offset_renju.txt"), "0,0, 0,-1, 1,1\n0,0, 1,1, 2,0\n").unwrap();
    place
}

/// The same line with two games of a few plies, one at a time.
fn small(words: &[String]) -> Vec<String> {
    let mut small = words[1..].to_vec();
    for at in 1..small.len() {
        match small[at - 1].as_str() {
            "-n" => "2".clone_into(&mut small[at]),
            "--jobs" => "1".clone_into(&mut small[at]),
            "--max-plies" => "6".clone_into(&mut small[at]),
            _ => {}
        }
    }
    if ["match", "sprt", "tournament"].contains(&small[0].as_str()) {
        for (option, value) in [("-n", "2"), ("--max-plies", "6")] {
            if !small.iter().any(|word| word == option) {
                small.extend([option, value].map(str::to_owned));
            }
        }
    }
    small
}

#[test]
fn every_line_beside_those_of_other_tools_runs() {
    let joined = page().replace("\\\n", " ");
    let mut fenced = false;
    let mut lines: Vec<Vec<String>> = Vec::new();
    for line in joined.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            lines.extend(commands(line));
        }
    }
    assert!(lines.len() >= 15, "{lines:?}");
    let place = place(&lines);
    let folder = |name: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for words in &lines {
        let small = small(words);
        let run = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(&small)
            .current_dir(place.path())
            .envs([("AGON_CACHE", folder("cache")), ("AGON_STATE", folder("state"))])
            .env_remove("AGON_SEED")
            .output()
            .unwrap();
        // A test of one pair has decided nothing.
        let expected = i32::from(small[0] == "sprt");
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(expected), "{}: {said}", small.join(" "));
        assert!(!said.contains("error"), "{}: {said}", small.join(" "));
    }
    // The engines have played: no game was lost by a failure.
    let series = lines.iter().filter(|words| ["match", "sprt", "tournament"].contains(&words[1].as_str())).count();
    for run in 1..=series {
        let words = ["export".to_owned(), run.to_string(), "--failed".to_owned()];
        let failed = Command::new(env!("CARGO_BIN_EXE_agon")).args(&words).current_dir(place.path()).output().unwrap();
        assert_eq!(failed.status.code(), Some(0), "{words:?}");
        assert_eq!(String::from_utf8(failed.stdout).unwrap(), "", "{words:?}");
    }
}

/// The rows name options and commands that there are.
#[test]
fn every_option_beside_those_of_other_tools_is_known() {
    let root = command_line();
    let series = ["match", "sprt", "tournament", "results", "export"];
    let options: Vec<String> = root
        .get_subcommands()
        .filter(|command| series.contains(&command.get_name()))
        .flat_map(|command| command.get_arguments().filter_map(|option| option.get_long()).map(str::to_owned))
        .collect();
    let page = page();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    assert!(rows.len() > 60, "{}", rows.len());
    let mut named = 0;
    for row in rows {
        let ours = row.split(" | ").nth(1).unwrap_or_default();
        for span in ours.split('`').skip(1).step_by(2) {
            for word in span.split(' ').filter_map(|word| word.strip_prefix("--")) {
                named += 1;
                assert!(options.iter().any(|option| option == word), "no option --{word}: {row}");
            }
        }
    }
    assert!(named > 30, "{named}");
}
