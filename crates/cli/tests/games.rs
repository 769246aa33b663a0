//! Runs every game of the catalogue, and tic-tac-toe, which is only a row of this test, through the commands. Whatever
//! a game lacks, this test names.

#![allow(unreachable_pub, reason = "a program has no outside")]

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use agon_catalog::{Builtin, Capability, Game, Setup, register};
use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};

#[path = "games/tic_tac_toe.rs"]
mod tic_tac_toe;

/// The word with which this program runs as `agon` with the additional game.
const AGON: &str = "agon";

fn main() -> ExitCode {
    register(&tic_tac_toe::TIC_TAC_TOE).expect("a new name");
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    if args.first().is_some_and(|arg| arg == AGON) {
        return agon_cli::run(args);
    }
    let mut trials = vec![trial("tic_tac_toe_obeys_the_laws", obeys_the_laws), trial("pages", has_pages)];
    trials.push(trial("binary_lacks_tic_tac_toe", binary_lacks_tic_tac_toe));
    for game in Game::all() {
        trials.push(trial(&format!("{game}::texts"), move || has_texts(game)));
        trials.push(trial(&format!("{game}::plays_and_is_analysed"), move || {
            let folder = tempfile::tempdir().expect("a folder");
            plays(game, folder.path());
            is_analysed(game, folder.path());
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(name: &str, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        run();
        Ok(())
    })
}

fn obeys_the_laws() {
    agon_game::laws::obey(&tic_tac_toe::TicTacToe::default(), 100, 1);
}

fn binary_lacks_tic_tac_toe() {
    let binary = Command::new(env!("CARGO_BIN_EXE_agon")).arg("games").output().expect("agon starts");
    assert!(!String::from_utf8_lossy(&binary.stdout).contains("tic-tac-toe"), "the binary has the game of the tests");
}

/// The output of `agon`, from this very program.
#[track_caller]
fn agon(args: &[&str], input: &str) -> String {
    agon_with(None, args, input)
}

/// The same for a shell that asks for completions.
#[track_caller]
fn agon_with(shell: Option<&str>, args: &[&str], input: &str) -> String {
    let program = std::env::current_exe().expect("this program");
    let mut child = Command::new(program)
        .arg(AGON)
        .args(args)
        .envs(shell.map(|shell| ("AGON_COMPLETE", shell)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon starts");
    // A command that reads nothing may have ended already.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("agon ends");
    assert!(output.status.success(), "agon {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Help, completion, samples and the page of the rules.
fn has_texts(game: Game) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert!(agon(&["games"], "").contains(game.name()), "{game}: not in `agon games`");
    let help = agon(&["games", game.name()], "");
    assert!(help.contains(game.page) && game.rules.len() > 1, "{game}: no rules in short");
    let page = fs::read_to_string(root.join(game.page)).unwrap_or_default();
    assert!(page.starts_with("# "), "{game}: no page {}", game.page);
    assert!(!game.sample().is_empty(), "{game}: no sample in Python");
    let offered = agon_with(Some("fish"), &["--", "agon", "play", ""], "");
    assert!(offered.lines().any(|line| line == game.name()), "{game}: not completed");
    assert!(agon(&["play", "--help"], "").contains(game.name()), "{game}: not in the help of `agon play`");
}

/// Each built-in plays the next one, recorded and proved; a match, its results, its page and its export; the sample.
fn plays(game: Game, folder: &Path) {
    let path = |name: &str| folder.join(name).display().to_string();
    let small: &[&str] = if game.has_turns() { &["--clock", "500ms"] } else { &["--size", "6x4", "--set", "turns=3"] };
    let lowest = |builtin: &Builtin| match builtin.levels() {
        Some(_) => format!("{}:1", builtin.name),
        None => builtin.name.to_owned(),
    };
    let names: Vec<String> = game.builtins.iter().map(lowest).collect();
    for (at, name) in names.iter().enumerate() {
        let record = path(&format!("{at}.jsonl"));
        let other = &names[(at + 1) % names.len()];
        let play = ["play", game.name(), "--first", name, "--second", other, "--seed", "1", "--out", &record];
        agon(&[&play[..], small].concat(), "");
        agon(&["replay", &record, "--show", "none"], "");
    }
    let sample = path("sample.py");
    fs::write(&sample, game.sample().replace("MAX_DEPTH = 64", "MAX_DEPTH = 2")).expect("a file");
    let record = path("sample.jsonl");
    let clock: &[&str] = if game.has_turns() { &["--clock", "30s"] } else { &["--invocation", "30s"] };
    let play = ["play", game.name(), "--first", &sample, "--second", &names[0], "--seed", "1", "--out", &record];
    let rest = if game.has_turns() { &[] } else { small };
    let result = agon(&[&play[..], clock, rest, &["--format", "json"]].concat(), "");
    assert!(!result.contains("\"RE\"") && !result.contains("\"TLE\""), "{game}: the sample fails: {result}");

    let store = path("store.db");
    let pair =
        ["match", &names[0], names.get(1).unwrap_or(&names[0]), "--game", game.name(), "-n", "2", "--db", &store];
    agon(&[&pair[..], small].concat(), "");
    assert!(agon(&["results", "--db", &store], "").contains(game.title()), "{game}: no results");
    let played = ["tournament", &names[0], &names[0], "--game", game.name(), "-n", "2", "--db", &path("tournament.db")];
    let openings: &[&str] = if game.has_openings() { &["--openings", "2"] } else { &[] };
    let table = agon(&[&played[..], small, openings].concat(), "");
    assert!(table.contains(&names[0]), "{game}: no table of a tournament");
    let exported = path("exported");
    agon(&["export", "--db", &store, "--out", &exported], "");
    let page = path("report.html");
    agon(&["report", "--db", &store, "--out", &page], "");
    assert!(fs::read_to_string(&page).is_ok_and(|page| page.contains(game.title())), "{game}: no report");
}

/// Positions are counted, inspected and analysed; puzzles, files of games and pictures where the row has them.
fn is_analysed(game: Game, folder: &Path) {
    let record = folder.join("0.jsonl").display().to_string();
    let page = folder.join("game.html").display().to_string();
    agon(&["replay", &record, "--out", &page], "");
    if game.has_turns() {
        assert!(!agon(&["lab", "perft", game.name(), "1"], "").is_empty(), "{game}: not counted");
        let state = game.initial_state(&Setup::default()).expect("a start");
        let start = state.position();
        assert!(game.state_at(&start).is_ok(), "{game}: the start does not read");
        let analysis =
            ["analyze", game.name(), "--record", &record, "--ply", "2", "--time", "100ms", "--format", "json"];
        let analysis = agon(&analysis, "");
        let lines: Vec<Value> = analysis.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(!lines.is_empty(), "{game}: no analysis");
        let answers = agon(&["agent", game.name(), game.defaults[0]], &(state.preamble() + "READY FIRST\nFINISH\n"));
        assert_eq!(answers, "OK\n", "{game}: no agent");
        if game.can(Capability::Lines) && !game.can(Capability::Threats) {
            let question = json!({ "position": start }).to_string();
            let answer: Value = serde_json::from_str(&agon(&["inspect", game.name()], &question)).expect("JSON");
            assert_eq!(answer["turn"], "first", "{game}: not inspected");
            assert!(answer["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{game}: no moves");
        }
    }
    if game.can(Capability::Puzzles) {
        let puzzle = agon(&["puzzles", game.name(), "--format", "json"], "");
        assert!(puzzle.contains("solution"), "{game}: no puzzle");
    }
    if game.can(Capability::GameFiles) {
        let file = folder.join("game.sgf").display().to_string();
        agon(&["convert", &record, &file], "");
    }
}

/// A server of this program's pages; it is killed with the value.
struct Served {
    child: Child,
    host: String,
}

impl Served {
    fn start(args: &[&str]) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg(AGON).args(args).args(["--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("agon starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("it reads");
        let host = line.split("http://").nth(1).and_then(|rest| rest.split(['/', ' ']).next());
        Self { host: host.unwrap_or_else(|| panic!("no address in `{line}`")).to_owned(), child }
    }

    #[track_caller]
    fn get(&self, path: &str, query: &[(&str, &str)]) -> String {
        let asked = ureq::get(format!("http://{}{path}", self.host)).query_pairs(query.iter().copied());
        let mut response = asked.call().unwrap_or_else(|error| panic!("{path}: {error}"));
        response.body_mut().read_to_string().expect("text")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Each game has a board with its tab, an analysis there, and a competition with its built-ins on the ladder of a site.
fn has_pages() {
    let boards = Served::start(&["board", "--no-open"]);
    for game in Game::all() {
        let page = boards.get(&format!("/board/{game}"), &[]);
        assert!(page.contains(&format!("href=\"/board/{game}\"")), "{game}: no board, or no tab");
        if game.has_turns() {
            let question = json!({ "game": game.name(), "moves": [], "seconds": 1, "nodes": 2000 }).to_string();
            let events = boards.get("/api/v1/analysis", &[("request", &question)]);
            let found = if game.can(Capability::Solving) { "event: values" } else { "event: best" };
            assert!(events.contains(found), "{game}: no analysis in the browser: {events}");
        }
    }
    drop(boards);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("site").display().to_string();
    let site = Served::start(&["serve", "--jail", "none", "--workers", "0", "--data", &data]);
    for game in Game::all() {
        let ladder = site.get(&format!("/ladder/{game}"), &[]);
        for name in game.builtin_names() {
            assert!(ladder.contains(name), "{game}: {name} is not on the ladder");
        }
    }
}
