//! `--debug` shows where a bot crashes, in every language.

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

/// A bot in its own folder; `None` if its language is not installed.
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

/// Checks a bot that does not answer with --debug.
fn check_stuck(name: &str, source: &str) {
    let place = folder();
    let Some(bot) = bot(&place, name, source) else {
        eprintln!("{name}: no compiler here");
        return;
    };
    let words = ["check", text(&bot), "--game", "bacteria", "--clock", "1s", "--debug", "--format", "json"];
    let ran = agon(&words);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let finding = &found["findings"][0];
    assert_eq!(finding["crash"]["calls"][0]["line"], crashing_line(source), "{found:#}");
    let details = finding["details"].as_array().unwrap();
    assert!(details.iter().any(|line| line == "where it was when time ran out"), "{finding:#}");
    let record = found["record"].as_str().unwrap();
    let asked = agon(&["ask", record, text(&bot), "--debug"]);
    assert_eq!(asked.code, 1, "{}{}", asked.out, asked.err);
    assert!(asked.out.contains("where it was when time ran out"), "{}", asked.out);
}

#[test]
fn a_loop_without_end_shows_where_it_is() {
    let source = CPP
        .replace("    return board.data()[place]; // CRASH", "    for (int i = 0;; ++i) (void)board[i % 9]; // CRASH");
    check_stuck("bot.cpp", &source);
}

#[test]
fn input_that_does_not_come_shows_where_it_is_read() {
    let source = PYTHON.replace("    return board[place]  # CRASH", "    return sys.stdin.readline()  # CRASH");
    check_stuck("bot.py", &source);
}

#[test]
fn a_loop_in_ruby_shows_where_it_is() {
    let source = RUBY.replace("  board.fetch(place) # CRASH", "  loop { place += 1 } # CRASH");
    check_stuck("bot.rb", &source);
}

/// Its call stack is longer than what a competition keeps of an error stream, and its beginning has the line.
#[test]
fn a_recursion_without_end_shows_its_line() {
    let long = "a_name_as_long_as_those_that_templates_of_the_standard_library_have_in_call_stacks".repeat(5);
    let source = CPP
        .replace("    return board.data()[place]; // CRASH", "    return choose_deep(board, place) + 1; // CRASH")
        .replace("choose_deep", &format!("choose_{long}"))
        .replace("int choose(", &format!("int choose_{long}("))
        .replace("choose(board, 1", &format!("choose_{long}(board, 1"));
    let place = folder();
    let bot = bot(&place, "bot.cpp", &source).unwrap();
    let ran = agon(&["check", text(&bot), "--game", "bacteria", "--debug", "--format", "json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let crash = &found["findings"][0]["crash"];
    assert_eq!(crash["calls"][0]["line"], crashing_line(&source), "{found:#}");
    assert!(crash["problem"].as_str().unwrap().contains("stack-overflow"), "{found:#}");
}

#[test]
fn a_game_shows_the_crash_and_offers_to_repeat_it() {
    let place = folder();
    let bot = bot(&place, "bot.cpp", CPP).unwrap();
    let mut run = command(&["play", "bacteria", "--first", text(&bot), "--second", "greedy", "--show", "none"]);
    let ran = finish(run.env("AGON_STATE", place.path()));
    assert_eq!(ran.code, 0, "{}", ran.err);
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

/// Cells that do not answer: one asked in a process for each action, and one that is kept alive.
#[test]
fn a_cell_of_the_dish_that_hangs_shows_where_it_is() {
    let choose = "def choose():\n    while True: pass  # CRASH\n";
    let fresh = format!(
        "import sys\n{choose}text = sys.stdin.read()\n\
         if text.startswith('BEGIN'): print('4 4 4')\n\
         else: print(choose())\n"
    );
    let kept = format!(
        "import sys\n{choose}for line in sys.stdin:\n    \
             if line.startswith('BEGIN'): print('4 4 4 LOOP', flush=True)\n    \
             elif line.startswith('END'): break\n    \
             elif line.strip(): choose()\n"
    );
    for (name, source) in [("fresh.py", fresh), ("kept.py", kept)] {
        let place = folder();
        let bot = file(&place, name, &source);
        let record = place.path().join("game.jsonl");
        let words = ["play", "petri", "--size", "4", "--turns", "1", "--first", text(&bot), "--show", "none"];
        agon(&[&words[..], &["--invocation", "1s", "--out", text(&record)]].concat());
        let asked = agon(&["ask", text(&record), text(&bot), "--debug", "--format", "json"]);
        assert_eq!(asked.code, 1, "{}{}", asked.out, asked.err);
        let found: Value = serde_json::from_str(&asked.out).unwrap();
        assert_eq!(found["crash"]["outcome"], "stuck", "{found:#}");
        assert_eq!(found["crash"]["calls"][0]["line"], crashing_line(&source), "{found:#}");
    }
}

#[test]
fn a_dish_without_a_failure_has_nothing_to_repeat() {
    let place = folder();
    let record = place.path().join("game.jsonl");
    let cell = file(
        &place,
        "cell.py",
        "import sys\ntext = sys.stdin.read()\nprint('4 4 4' if text.startswith('BEGIN') else 'REST')\n",
    );
    let words = ["play", "petri", "--size", "4", "--turns", "1", "--first", text(&cell), "--show", "none"];
    agon(&[&words[..], &["--out", text(&record)]].concat());
    assert!(record_of(&record).is_clean());
    let ran = agon(&["ask", text(&record), text(&cell), "--debug"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("nothing failed in `"), "{}", ran.err);
}

/// Bots of domineering in C++ that pass in every turn; what `choose` does wrong on the way does not show in a game.
const UNSEEN_CPP: [(&str, &str, &str); 6] = [
    (
        "a vector between size and capacity",
        "container-overflow",
        "std::vector<int> v; v.reserve(64); v.resize(9); return v.data()[n]; // FAULT",
    ),
    ("an operator of a vector", "__n < this->size()", "std::vector<int> v(9); v.reserve(64); return v[n]; // FAULT"),
    (
        "an operator of an array",
        "__n < this->size()",
        "std::array<int, 9> a{}; static int beyond[64]; (void)beyond; return a[n]; // FAULT",
    ),
    (
        "memory that is freed",
        "heap-use-after-free",
        "int* p = new int[16]; p[9] = 1; delete[] p; return p[n]; // FAULT",
    ),
    ("a sum that is too large", "signed integer overflow", "int big = 2147483640; return big + n; // FAULT"),
    ("a shift that is too far", "shift exponent 41", "return 1 << (n + 32); // FAULT"),
];

/// The same in C.
const UNSEEN_C: [(&str, &str, &str); 3] = [
    (
        "a row of a board",
        "index 9 out of bounds for type 'int [8]'",
        "static int board[8][8]; return board[0][n]; /* FAULT */",
    ),
    (
        "an array at the end of a struct",
        "out of bounds",
        "static struct { int count, board[8]; } all[9]; return all[0].board[n]; /* FAULT */",
    ),
    (
        "a heap block",
        "heap-buffer-overflow",
        "int *p = calloc(9, sizeof *p); int v = p[n]; free(p); return v; /* FAULT */",
    ),
];

/// The same in Rust.
const UNSEEN_RUST: [(&str, &str, &str); 2] = [
    (
        "a sum that is too large",
        "attempt to add with overflow",
        "(n as i32).wrapping_mul(1) + std::hint::black_box(i32::MAX) // FAULT",
    ),
    (
        "an unchecked index",
        "get_unchecked",
        "let n = std::hint::black_box(n) as usize; unsafe { *[0; 9].get_unchecked(n) } // FAULT",
    ),
];

fn unseen(name: &str, body: &str) -> String {
    match name {
        "bot.rs" => format!(
            "use std::io::stdin;\n#[inline(never)]\nfn choose(n: u32) -> i32 {{\n    {body}\n}}\nfn main() {{\n    for \
             line in stdin().lines().map_while(Result::ok) {{\n        if line.starts_with(\"READY\") \
             {{\n            println!(\"OK\");\n        }} else if line.starts_with(\"TURN\") \
             {{\n            eprintln!(\"{{}}\", choose(9));\n            println!(\"MOVE -1 -1\");\n        \
             }}\n    }}\n}}\n"
        ),
        _ => format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{}int choose(int n) {{\n    {body}\n}}\nint \
             main(void) {{\n    char line[256];\n    while (fgets(line, sizeof line, stdin)) {{\n        if \
             (!strncmp(line, \"READY\", 5)) puts(\"OK\");\n        if (!strncmp(line, \"TURN\", 4)) \
             {{\n            fprintf(stderr, \"%d\\n\", choose(9));\n            puts(\"MOVE -1 -1\");\n        \
             }}\n        fflush(stdout);\n    }}\n}}\n",
            if name == "bot.cpp" { "#include <array>\n#include <vector>\n" } else { "" }
        ),
    }
}

/// Checks bots whose faults their games do not show.
fn check_unseen(name: &str, faults: &[(&str, &str, &str)]) {
    for (what, problem, body) in faults {
        let place = folder();
        let source = unseen(name, body);
        let Some(bot) = bot(&place, name, &source) else { return };
        let ran = agon(&["check", text(&bot), "--game", "domineering", "--debug", "--format", "json"]);
        let found: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
        assert_eq!(ran.code, 1, "{what}: {found:#}");
        let findings = found["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{what}: {found:#}");
        let first = &findings[0]["crash"]["calls"][0];
        let line = source.lines().position(|line| line.contains("FAULT")).unwrap() as u64 + 1;
        assert_eq!(first["line"].as_u64(), Some(line), "{what}: {found:#}");
        assert!(first["function"].as_str().unwrap().contains("choose"), "{what}: {found:#}");
        assert!(findings[0]["problem"].as_str().unwrap().contains(problem), "{what}: {found:#}");
    }
}

#[test]
fn a_fault_in_c_that_no_game_shows_is_found() {
    check_unseen("bot.c", &UNSEEN_C);
}

#[test]
fn a_fault_in_cpp_that_no_game_shows_is_found() {
    check_unseen("bot.cpp", &UNSEEN_CPP);
}

#[test]
fn a_fault_in_rust_that_no_game_shows_is_found() {
    check_unseen("bot.rs", &UNSEEN_RUST);
}

#[test]
fn a_variable_without_a_value_is_named() {
    let place = folder();
    let body = "int best; if (n > 20) best = n; return best; // FAULT";
    let Some(bot) = bot(&place, "bot.cpp", &unseen("bot.cpp", body)) else { return };
    let ran = agon(&["check", text(&bot), "--game", "domineering", "--debug"]);
    let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("note: The compiler warns at bot.cpp:7 in int choose(int): `best` "), "{}", ran.out);
}

#[test]
fn a_failure_is_not_found_again_by_the_checks() {
    let place = folder();
    let Some(bot) = bot(&place, "bot.c", &unseen("bot.c", "if (n > 3) exit(0); return n;")) else { return };
    let ran = agon(&["check", text(&bot), "--game", "domineering", "--debug", "--format", "json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    let findings = found["findings"].as_array().unwrap();
    assert!(ran.code == 1 && !findings.is_empty(), "{found:#}");
    let again = |finding: &&Value| finding["problem"].as_str().unwrap().starts_with("it fails with ");
    assert_eq!(findings.iter().find(again), None, "{found:#}");
}

#[test]
fn a_bot_without_a_fault_is_said_to_have_none() {
    let place = folder();
    for (name, checks) in [
        ("bot.c", "nothing found by AddressSanitizer and UndefinedBehaviorSanitizer"),
        ("bot.rs", "nothing found by overflow checks and debug assertions"),
    ] {
        let body = if name == "bot.rs" { "n as i32" } else { "return n;" };
        let Some(bot) = bot(&place, name, &unseen(name, body)) else { continue };
        let record = place.path().join(format!("{name}.jsonl"));
        let ran = agon(&["check", text(&bot), "--game", "domineering", "--debug"]);
        assert!(ran.code == 0 && ran.out.contains(checks), "{}{}", ran.out, ran.err);
        let words = ["play", "domineering", "--size", "4", "--first", text(&bot), "--show", "none", "--debug"];
        let ran = agon(&[&words[..], &["--out", text(&record)]].concat());
        assert!(ran.out.contains("first: the game repeated with --debug\n  nothing found: "), "{}", ran.out);
        let ran = agon(&["ask", text(&record), text(&bot), "--debug"]);
        assert!(ran.code == 0 && ran.out.contains("nothing found: it did not fail with "), "{}", ran.out);
    }
}
