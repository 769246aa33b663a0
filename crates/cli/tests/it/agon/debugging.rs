//! `--debug` shows where a bot crashes, in every language.

use std::fs;
use std::path::{Path, PathBuf};

use agon_referee::agent::Language;
use agon_referee::process::find_program;
use serde_json::Value;
use tempfile::TempDir;

use crate::agon::play::record_of;
use crate::agon::run::{agon, command, file, finish, folder, text};

/// Bots that answer READY and crash at their first TURN, in the line that says so.
const C: &str = r#"#include <stdio.h>
#include <string.h>
int choose(int *board, int place) {
    return board[place]; /* CRASH */
}
int main(void) {
    char line[256];
    int board[9] = {0};
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "READY", 5)) puts("OK");
        if (!strncmp(line, "TURN", 4)) printf("MOVE %d\n", choose(board, 4000000));
        fflush(stdout);
    }
}
"#;

const CPP: &str = r#"#include <iostream>
#include <string>
#include <vector>
int choose(const std::vector<int>& board, int place) {
    return board.data()[place]; // CRASH
}
int main() {
    std::vector<int> board(9);
    for (std::string line; std::getline(std::cin, line);) {
        if (line.starts_with("READY")) std::cout << "OK" << std::endl;
        if (line.starts_with("TURN")) std::cout << "MOVE " << choose(board, 100000000) << std::endl;
    }
}
"#;

const RUST: &str = r#"use std::io::stdin;
fn choose(board: &[i32], place: usize) -> i32 {
    board[place] // CRASH
}
fn main() {
    let board = vec![0; 9];
    for line in stdin().lines().map_while(Result::ok) {
        if line.starts_with("READY") {
            println!("OK");
        }
        if line.starts_with("TURN") {
            println!("MOVE {}", choose(&board, 9));
        }
    }
}
"#;

const PYTHON: &str = r#"import sys

def choose(board, place):
    return board[place]  # CRASH

for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    if line.startswith("TURN"):
        print("MOVE", choose([0] * 9, 9), flush=True)
"#;

const JAVA: &str = r#"import java.util.Scanner;
class Main {
    static int choose(int[] board, int place) {
        return board[place]; // CRASH
    }
    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String line = lines.nextLine();
            if (line.startsWith("READY")) System.out.println("OK");
            if (line.startsWith("TURN")) System.out.println("MOVE " + choose(new int[9], 9));
        }
    }
}
"#;

const JAVASCRIPT: &str = r#"function choose(board, place) {
  return board[place].x; // CRASH
}
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.startsWith("READY")) console.log("OK");
  if (line.startsWith("TURN")) console.log("MOVE", choose([], 9));
});
"#;

const RUBY: &str = r#"$stdout.sync = true
def choose(board, place)
  board.fetch(place) # CRASH
end
$stdin.each_line do |line|
  puts "OK" if line.start_with?("READY")
  puts "MOVE #{choose([0] * 9, 9)}" if line.start_with?("TURN")
end
"#;

/// The number of the line that crashes, from 1.
fn crashing_line(source: &str) -> u64 {
    source.lines().position(|line| line.contains("CRASH")).unwrap() as u64 + 1
}

/// A bot in a folder of its own; `None` where its language is not installed.
fn bot(place: &TempDir, name: &str, source: &str) -> Option<PathBuf> {
    let language = Language::by_extension(Path::new(name)).unwrap();
    find_program(language.compiler())?;
    Some(file(place, name, source))
}

#[track_caller]
fn is_located(crash: &Value, bot: &Path, source: &str, problem: &str) {
    let first = &crash["calls"][0];
    assert_eq!(
        (first["file"].as_str(), first["line"].as_u64()),
        (bot.to_str(), Some(crashing_line(source))),
        "{crash:#}"
    );
    assert!(first["source"].as_str().unwrap().contains("CRASH"), "{crash:#}");
    assert!(first["function"].as_str().unwrap().contains("choose"), "{crash:#}");
    assert!(crash["calls"].as_array().unwrap().len() > 1, "the caller is missing: {crash:#}");
    assert!(crash["problem"].as_str().unwrap().contains(problem), "`{problem}`: {crash:#}");
}

/// Checks a bot with --debug, and plays and repeats a game of it.
fn check(name: &str, source: &str, problem: &str) {
    let place = folder();
    let Some(bot) = bot(&place, name, source) else {
        eprintln!("{name}: no compiler here");
        return;
    };
    let ran = agon(&["check", text(&bot), "--game", "bacteria", "--debug", "--format", "json"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let located: Vec<&Value> =
        found["findings"].as_array().unwrap().iter().filter(|finding| !finding["crash"].is_null()).collect();
    let [finding] = located.as_slice() else { panic!("{found:#}") };
    is_located(&finding["crash"], &bot, source, problem);
    let record = found["record"].as_str().unwrap();
    let asked = agon(&["ask", record, text(&bot), "--debug", "--format", "json"]);
    assert_eq!(asked.code, 1, "{}{}", asked.out, asked.err);
    let run: Value = serde_json::from_str(&asked.out).unwrap();
    assert_eq!(run["crash"]["outcome"], "crashed", "{run:#}");
    is_located(&run["crash"], &bot, source, problem);
}

#[test]
fn a_crash_in_c_shows_its_line() {
    check("bot.c", C, "SEGV");
}

#[test]
fn a_crash_in_cpp_shows_its_line() {
    check("bot.cpp", CPP, "READ");
}

#[test]
fn a_crash_in_rust_shows_its_line() {
    check("bot.rs", RUST, "the len is 9 but the index is 9");
}

#[test]
fn a_crash_in_python_shows_its_line() {
    check("bot.py", PYTHON, "IndexError: list index out of range");
}

#[test]
fn a_crash_in_java_shows_its_line() {
    check("bot.java", JAVA, "Index 9 out of bounds for length 9");
}

#[test]
fn a_crash_in_javascript_shows_its_line() {
    check("bot.js", JAVASCRIPT, "TypeError: Cannot read properties of undefined (reading 'x')");
}

#[test]
fn a_crash_in_ruby_shows_its_line() {
    check("bot.rb", RUBY, "index 9 outside of array bounds");
}

#[test]
fn a_game_shows_the_crash_and_offers_to_repeat_it() {
    let place = folder();
    let bot = bot(&place, "bot.cpp", CPP).unwrap();
    let mut run = command(&["play", "bacteria", "--first", text(&bot), "--second", "greedy", "--show", "none"]);
    let ran = finish(run.env("AGON_STATE", place.path()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("`agon ask RECORD BOT --debug` shows the line"), "{}", ran.out);
    let offered = ran.out.lines().find_map(|line| line.strip_prefix("debug    agon ask ")).unwrap();
    assert!(offered.ends_with(" --debug"), "{offered}");
    let mut run =
        command(&["play", "bacteria", "--first", text(&bot), "--second", "greedy", "--show", "none", "--debug"]);
    let ran = finish(run.env("AGON_STATE", place.path()));
    let place = format!("at bot.cpp:{} in choose", crashing_line(CPP));
    assert!(ran.out.contains("first: where it crashed") && ran.out.contains(&place), "{}", ran.out);
    assert!(ran.out.contains("memory limit with the sanitizer: 2560 MiB"), "{}", ran.out);
}

#[test]
fn values_of_local_variables_stand_beside_their_line() {
    for (name, source, problem) in [("bot.py", PYTHON, "IndexError"), ("bot.rb", RUBY, "IndexError")] {
        let place = folder();
        let Some(bot) = bot(&place, name, source) else { continue };
        let ran = agon(&["check", text(&bot), "--game", "bacteria", "--debug"]);
        let at = ran.out.find("where it crashed").unwrap_or_else(|| panic!("{}", ran.out));
        let shown = &ran.out[at..];
        assert!(shown.contains(problem) && shown.contains("place = 9"), "{shown}");
        assert!(!ran.out.contains("agon-values"), "{}", ran.out);
    }
}

#[test]
fn a_cell_of_the_dish_that_crashes_shows_its_line() {
    let place = folder();
    let source = "import sys\ntext = sys.stdin.read()\ndef choose():\n    return [][3]  # CRASH\nif text.startswith(\
                  \"BEGIN\"):\n    print(\"4 4 4\")\nelse:\n    print(choose())\n";
    let bot = file(&place, "cell.py", source);
    let ran = agon(&["check", text(&bot), "--game", "petri", "--debug", "--format", "json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let crash = found["findings"].as_array().unwrap().iter().map(|finding| &finding["crash"]).find(|it| !it.is_null());
    is_located(crash.unwrap_or_else(|| panic!("{found:#}")), &bot, source, "IndexError");
}

#[test]
fn a_game_without_a_crash_has_nothing_to_repeat() {
    let place = folder();
    let record = place.path().join("game.jsonl");
    agon(&["play", "bacteria", "--first", "greedy", "--second", "random", "--seed", "1", "--out", text(&record)]);
    assert!(record_of(&record).is_clean());
    let bot = file(&place, "bot.py", PYTHON);
    let ran = agon(&["ask", text(&record), text(&bot), "--debug"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no program failed in `"), "{}", ran.err);
    assert!(fs::exists(&record).unwrap());
}
