//! The ways of naming a program that docs/play.md lists: each plays, or the message names the remedy.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use agon_jail::Level;

use crate::run::{command, finish, folder, jail, passing, root};

/// The rows of the table: what is written, and what happens.
fn rows() -> Vec<(String, String)> {
    let page = fs::read_to_string(root().join("docs/play.md")).unwrap();
    let section = page.split("## Ways of naming a program\n").nth(1).unwrap().split("\n### ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let row = row.replace("\\|", "\0");
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect();
        (cells[1].trim_matches('`').to_owned(), cells[2].clone())
    })
    .collect()
}

fn write(place: &Path, name: &str, content: &str) {
    let path = place.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn runnable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Makes the files that the page lists.
fn files(place: &Path) {
    let bot = passing("");
    for name in ["bot.py", "runner", "fast/board.py"] {
        write(place, name, if name.ends_with("board.py") { "SIDE = 8\n" } else { &bot });
    }
    runnable(&place.join("runner"));
    write(place, "bot.c", &fs::read_to_string(root().join("agents/domineering/sample.c")).unwrap());
    write(place, "compiled", "\u{7f}ELF");
    write(place, "notes.txt", "to do\n");
    for name in ["bot.zip", "bot.jar", "old/bot.class"] {
        write(place, name, "PK");
    }
    write(place, "run.sh", "exec python3 bot.py\n");
    fs::create_dir(place.join("empty")).unwrap();
    write(place, "bots/new.py", &passing("if sys.argv[1:] not in ([], ['--depth', '3']): sys.exit(str(sys.argv))"));
    write(place, "bots/level.py", &passing("int(os.environ['LEVEL'])"));
    write(place, "bots/weights.py", &passing("open(os.path.join(os.path.dirname(__file__), 'weights.bin'))"));
    write(place, "bots/weights.bin", "1");
    write(place, "fast/main.py", &passing("import board"));
    write(place, "pkg/__init__.py", "");
    write(place, "pkg/board.py", "SIDE = 8\n");
    write(place, "pkg/__main__.py", &passing("from .board import SIDE"));
    let mut made = std::process::Command::new("python3");
    let made = made.args(["-m", "venv", "--without-pip", "venv"]).current_dir(place).status().unwrap();
    assert!(made.success(), "python3 -m venv");
    let packages = fs::read_dir(place.join("venv/lib")).unwrap().next().unwrap().unwrap().path();
    fs::write(packages.join("site-packages/numbers_of_mine.py"), "ONE = 1\n").unwrap();
    write(place, "bots/venv.py", &passing("import numbers_of_mine"));
}

#[test]
fn each_way_of_naming_a_program_plays_or_names_the_remedy() {
    let place = folder();
    files(place.path());
    let rows = rows();
    assert!(rows.len() >= 30, "{} ways", rows.len());
    let mut wrong = Vec::new();
    for (text, expected) in &rows {
        let mut run = command(&["play", "domineering", "--first", text, "--second", "random", "--seed", "3"]);
        let ran = finish(run.args(["--format", "json"]).current_dir(place.path()));
        let found = format!("{}{}", ran.out.replace("\\\"", "\""), ran.err);
        let fits = match expected.as_str() {
            "plays" => ran.code == 0 && ran.out.contains("\"verdicts\":[\"OK\",\"OK\"]"),
            // Without a jail what is named by its place is found there.
            message => found.contains(message) && (ran.code == 2) != text.contains("weights"),
        };
        if !(fits || jail() == Level::None && text.contains("venv")) {
            wrong.push(format!("{text}: {expected}\n  {} {found}", ran.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_all_programs_see_is_named_once() {
    let place = folder();
    files(place.path());
    let mut run = command(&["play", "domineering", "--first", "bots/weights.py", "--second", "bot.py"]);
    let ran = finish(run.args(["--see", "bots/weights.bin", "--format", "json"]).current_dir(place.path()));
    assert!(ran.json()["verdicts"] == serde_json::json!(["OK", "OK"]), "{}", ran.out);
    let mut run = command(&["play", "domineering", "--first", "greedy", "--second", "random", "--see", "bots"]);
    let ran = finish(run.current_dir(place.path()));
    assert_eq!((ran.code, ran.err.as_str()), (2, "error: --see: no agent here is a program: leave it out\n"));
    // In a file, too; and a changed file makes another agent.
    write(
        place.path(),
        "cup.toml",
        "game = 'domineering'\ngames = 2\n[[agent]]\nagent = 'bots/weights.py'\n\
         see = ['bots/weights.bin']\n[[agent]]\nagent = 'random'\n",
    );
    let played = |expected: u64| {
        let ran = finish(command(&["tournament", "cup.toml"]).current_dir(place.path()));
        let played = format!("({expected} games played now)");
        assert!(ran.code == 0 && ran.out.contains(&played), "{}{}", ran.out, ran.err);
    };
    played(2);
    played(0);
    write(place.path(), "bots/weights.bin", "2");
    played(2);
}
