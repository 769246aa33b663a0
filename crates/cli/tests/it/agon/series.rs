//! Series of games: match, sprt, tournament, results, export and report.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agon::run::{BINARY, Ran, agon, command, environment, file, finish, folder, root, text};

/// A separate store for a test.
struct Place {
    folder: TempDir,
    db: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = folder();
        let db = folder.path().join("games.db");
        Self { folder, db }
    }

    /// A run that uses the store.
    #[track_caller]
    fn run(&self, words: &[&str]) -> Ran {
        agon(&[words, &["--db", text(&self.db)]].concat())
    }

    /// The output of a run that exited with this code.
    #[track_caller]
    fn printed(&self, words: &[&str], code: i32) -> String {
        let ran = self.run(words);
        assert_eq!((ran.code, ran.err.as_str()), (code, ""), "{words:?}\n{}", ran.out);
        ran.out
    }

    /// The lines of JSON that a run which ended with this code printed.
    #[track_caller]
    fn lines(&self, words: &[&str], code: i32) -> Vec<Value> {
        json_lines(&self.printed(&[words, &["--format", "json"]].concat(), code))
    }

    /// The games and the result of a series.
    #[track_caller]
    fn series(&self, words: &[&str], code: i32) -> (Vec<Value>, Value) {
        let mut lines = self.lines(words, code);
        let result = lines.pop().unwrap();
        (lines, result)
    }

    /// The output of `agon results`.
    #[track_caller]
    fn results(&self) -> Value {
        self.lines(&["results"], 0).remove(0)
    }

    /// The numbers of the games that are stored, in their order.
    #[track_caller]
    fn stored(&self) -> Vec<u64> {
        json_lines(&self.printed(&["export"], 0)).iter().map(|line| line["slot"].as_u64().unwrap()).collect()
    }
}

#[track_caller]
fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// A match on a small board, so that games are short.
const SMALL: [&str; 6] = ["match", "greedy", "random", "--game", "domineering", "--set=rows=6"];

/// Gets ready, takes its time, and fails on its first turn.
const FAILING: &str = "sh -c 'read ready; echo OK; read turn; sleep 0.03; exit 3'";

/// Gets ready, and fails on its first turn.
const FAILING_AT_ONCE: &str = "sh -c 'read ready; echo OK; read turn; exit 3'";

/// Forty games with an agent that fails in each.
const FAULTY: [&str; 7] = ["match", "greedy", FAILING, "--game", "bacteria", "-n", "40"];

#[test]
fn a_match_is_printed_as_text_and_json() {
    let place = Place::new();
    let words = [&SMALL[..], &["-n", "10"]].concat();
    let (games, result) = place.series(&words, 0);
    let slots: Vec<&Value> = games.iter().map(|game| &game["slot"]).collect();
    assert_eq!(slots, (0..10).map(|n| json!(n)).collect::<Vec<_>>().iter().collect::<Vec<_>>());
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["seed"], pair[1]["seed"], "{pair:?}");
        assert_eq!((&pair[0]["first"], &pair[0]["second"]), (&pair[1]["second"], &pair[1]["first"]), "{pair:?}");
    }

    let number = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value} in {result}"));
    assert_eq!(number(&result["wins"]) + number(&result["draws"]) + number(&result["losses"]), 10);
    let won = games.iter().filter(|game| {
        (game["first"] == "greedy" && game["winner"] == "first")
            || (game["second"] == "greedy" && game["winner"] == "second")
    });
    assert_eq!(number(&result["wins"]), won.count() as u64);
    assert_eq!(result["pairs"].as_array().unwrap().iter().map(number).sum::<u64>(), 5);
    let elo: Vec<Option<f64>> = result["elo"].as_array().unwrap().iter().map(Value::as_f64).collect();
    assert_eq!(elo.len(), 3, "{result}");
    assert!(elo.iter().flatten().is_sorted(), "{result}");
    assert!((0.0..=1.0).contains(&result["los"].as_f64().unwrap()), "{result}");
    for (key, value) in
        [("games", json!(10)), ("void", json!(0)), ("kind", json!("match")), ("ending", json!("complete"))]
    {
        assert_eq!(result[key], value, "{key}");
    }
    for (agent, name) in result["agents"].as_array().unwrap().iter().zip(["greedy", "random"]) {
        assert_eq!((&agent["name"], &agent["conduct"]["bouts"]), (&json!(name), &json!(10)));
        assert_eq!(agent["conduct"]["faults"], json!({}));
    }

    let seen_text = place.printed(&words, 0);
    for part in ["match of Domineering: 10 games\n", "greedy – random: ", "Elo ", "(5 pairs)", "(0 games played now)\n"]
    {
        assert!(seen_text.contains(part), "`{part}` is missing:\n{seen_text}");
    }
}

#[test]
fn the_seed_decides_the_games_however_many_are_played_at_once() {
    let play = |more: &[&str]| {
        let words = ["match", "random", "random", "--game", "bacteria", "-n", "6", "--force"];
        let (mut games, _) = Place::new().series(&[&words[..], more].concat(), 0);
        games.sort_by_key(|game| game["slot"].as_u64());
        for game in &mut games {
            game["time_ms"] = Value::Null;
        }
        games
    };
    let games = play(&["--seed", "7"]);
    assert_eq!(games.len(), 6);
    assert_eq!(play(&["--seed", "7", "--jobs", "3"]), games);
    assert_ne!(play(&["--seed", "8"]), games);
}

#[test]
fn what_is_wrong_is_said_at_once() {
    #[track_caller]
    fn check(words: &[&str], seen_text: &[&str]) {
        let place = Place::new();
        let ran = place.run(words);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words:?}");
        for part in seen_text {
            assert!(ran.err.contains(part), "`{part}` is missing:\n{}", ran.err);
        }
        assert_eq!(ran.err.lines().count(), seen_text.len(), "{}", ran.err);
        assert!(!place.db.exists(), "{words:?}");
    }
    let even = "given; an even number from 2 is needed";
    check(&[&SMALL[..], &["-n", "3"]].concat(), &[&format!("3 {even}")]);
    check(
        &["match", "noname", "noone", "--game", "renju", "-n", "5", "--openings", "0", "--set", "hats=3"],
        &[
            "no agent is named `noname`",
            "no agent is named `noone`",
            &format!("5 {even}"),
            "renju has no parameter `hats`",
        ],
    );
    check(
        &["match", FAILING, "random", "--game", "bacteria", "--openings", "2", "-n", "1"],
        &["is not known to understand OPENING lines", &format!("1 {even}")],
    );
    check(&["sprt", "greedy", "random", "--game", "bacteria", "--elo0", "5", "--elo1", "5"], &["sprt: "]);
    check(&["tournament", "greedy", "random"], &["name a tournament file, or the game with --game"]);
    check(&["tournament", "greedy", "--game", "renju"], &["1 given; at least two must play"]);
    check(&[&SMALL[..], &["--processors", "5000"]].concat(), &["takes 5000 processors, but there are"]);
    check(&["tournament", "missing.toml"], &["cannot read `missing.toml`"]);
    check(&[&SMALL[..], &["--jobs", "0"]].concat(), &["must be at least 1, and are 0 and 1"]);

    let folder = folder();
    let wrong =
        "game = 'renju'\nkind = 'knockout'\ngames = 3\nhats = 1\n[[agent]]\nagent = 'noname'\n[[agent]]\nname = 'x'\n";
    let seen_text = [
        "kind: `knockout` given",
        "agent 1: agent: no agent is named `noname`",
        "agent 2: agent: missing",
        "hats: unknown",
        "games: 3 given; an even number from 2 is needed",
    ];
    check(&["tournament", text(&file(&folder, "wrong.toml", wrong))], &seen_text);
    // Options given beside a file are checked with it.
    let right = "game = 'renju'\n[[agent]]\nagent = 'greedy'\n[[agent]]\nagent = 'random'\n";
    let right = file(&folder, "right.toml", right);
    check(
        &["tournament", text(&right), "champoin", "greedy", "-n", "5"],
        &["did you mean `champion`?", "the name `greedy` is taken", "5 given; an even number"],
    );
    let place = Place::new();
    let listed = place.lines(&["tournament", text(&right), "champion:1", "-n", "4", "--dry-run"], 0);
    assert_eq!(listed.len(), 3 * 4);
    // Invalid TOML is shown where it breaks.
    let torn =
        ["no TOML: TOML parse error at line 1, column 7", "  |", "1 | game =", "^", "string values must be quoted"];
    check(&["tournament", text(&file(&folder, "torn.toml", "game ="))], &torn);
}

/// An agent that does not compile, and one that fails before its first move, are reported together before any game.
#[test]
fn a_series_with_broken_agents_does_not_begin() {
    #[track_caller]
    fn check(place: &Place, words: &[&str], seen_text: &[&str]) {
        let ran = place.run(words);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words:?}\n{}", ran.err);
        for part in seen_text {
            assert!(ran.err.contains(part), "`{part}` is missing:\n{}", ran.err);
        }
        assert!(!place.db.exists(), "{words:?}");
    }
    let place = Place::new();
    let bad = file(&place.folder, "bad.c", "int main(void) { return x; }\n");
    let dead = file(&place.folder, "dead.py", "import sys\nprint('no board', file=sys.stderr)\n1/0\n");
    let fine = text(&place.folder.path().join("fine.py")).to_owned();
    fs::write(&fine, "import sys\nprint('OK', flush=True)\nsys.stdin.readline()\nexit(1)\n").unwrap();
    let [bad, dead] = [text(&bad), text(&dead)];
    let compiler = format!("error: agent `{bad}`: C20 does not compile it:\nbad.c: In function");
    let crash = format!("\nagent `{dead}`: not ready to play: RE: ");
    let seen_text = [&*compiler, &crash, "\nend of its error stream\n  no board\n", "ZeroDivisionError"];
    check(&place, &["match", bad, dead, "--game", "bacteria"], &seen_text);
    check(&place, &["sprt", bad, dead, "--game", "domineering"], &seen_text);
    check(&place, &["tournament", bad, &fine, dead, "greedy", "--game", "renju"], &seen_text);
    // The same agent twice is reported once.
    let ran = place.run(&["match", dead, dead, "--game", "renju"]);
    assert_eq!((ran.code, ran.err.matches("not ready").count()), (2, 1), "{}", ran.err);
    // It is tried again before a series resumes.
    let once = "sh -c 'test -e \"$0/gone\" && exit 1; read ready; echo OK; read turn; exit 3' ";
    let once = format!("{once}'{}'", text(place.folder.path()));
    let words = ["match", &*once, "greedy", "--game", "renju", "-n", "2"];
    place.printed(&words, 0);
    file(&place.folder, "gone", "");
    let ran = place.run(&words);
    assert!(ran.code == 2 && ran.err.contains("not ready to play: RE: "), "{}", ran.err);
}

#[test]
fn equal_failures_are_shown_once() {
    let place = Place::new();
    let seen_text = place.printed(&FAULTY, 0);
    assert_eq!(seen_text.matches("failed game").count(), 1, "{seen_text}");
    // Games that repeat others count nowhere.
    let result = place.results();
    let (failure, conduct) = (&result["failures"][0], &result["agents"][1]["conduct"]);
    let games = failure["games"].as_u64().unwrap();
    assert!((2..40).contains(&games), "{result:#}");
    assert_eq!(failure["verdict"], "RE");
    assert_eq!([&conduct["faults"]["RE"], &conduct["defeats"]["RE"]], [&json!(games), &json!(games)], "{result:#}");
    let shown = format!("(×{games}), first in game 0");
    assert!(seen_text.contains(&format!("ended before FINISH (exit code 3) {shown}\n")), "{seen_text}");
    assert!(place.printed(&["results"], 0).contains(&format!("{shown}\n")));
    let page = place.folder.path().join("report.html");
    place.printed(&["report", "--out", text(&page)], 0);
    assert!(fs::read_to_string(&page).unwrap().contains(&shown));
    let faults = place.printed(&["results", "--faults"], 0);
    assert!(faults.contains(&format!(": RE in {games} of its {games} games")), "{faults}");
}

/// Two deterministic agents play one pair of games forever: there is no interval, and no decision.
#[test]
fn copies_of_games_are_no_evidence() {
    let place = Place::new();
    // The agent that begins fails at once.
    let other = FAILING_AT_ONCE.replace("exit 3", "exit 4");
    let words = ["match", FAILING_AT_ONCE, &other, "--game", "renju", "-n", "8"];
    let seen_text = place.printed(&words, 0);
    assert!(seen_text.contains("no Elo: all 4 pairs are the same"), "{seen_text}");
    assert!(!seen_text.contains("superiority"), "{seen_text}");
    assert!(
        seen_text.contains("6 games of 8 repeat earlier ones move for move and do not count")
            && seen_text.contains("AGON_SEED"),
        "{seen_text}"
    );
    let result = place.results();
    assert_eq!(
        (&result["elo"], &result["los"], &result["copies"]),
        (&Value::Null, &Value::Null, &json!(3)),
        "{result}"
    );
    // Without Elo there is no rating, and no interval around one.
    let rating = &result["agents"][0];
    assert_eq!([&rating["rating"], &rating["rating_low"], &rating["rating_high"]], [&Value::Null; 3], "{result}");
    assert!(!seen_text.contains('±'), "{seen_text}");
    let page = place.folder.path().join("report.html");
    place.printed(&["report", "--out", text(&page)], 0);
    assert!(!fs::read_to_string(&page).unwrap().contains("<h2>Ratings"), "{seen_text}");

    let place = Place::new();
    let words = ["sprt", FAILING_AT_ONCE, "greedy", "--game", "renju", "--elo1", "100", "--openings", "0"];
    let (games, result) = place.series(&words, 1);
    assert_eq!((&result["ending"], &result["sprt"]["status"]), (&json!("repeats"), &json!("continue")), "{result}");
    assert!(games.len() < 200, "{}", games.len());
    let seen_text = place.printed(&words, 1);
    assert!(seen_text.contains("given up: the last 50 pairs were copies of earlier ones"), "{seen_text}");
}

#[test]
fn a_missing_store_is_named() {
    for command in ["results", "export", "report"] {
        let place = Place::new();
        let ran = place.run(&[command]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{command}");
        let remedy = "`agon match`, `sprt` and `tournament` create one; --db names another";
        assert_eq!(ran.err, format!("error: no such store: `{}`: {remedy}\n", place.db.display()), "{command}");
        assert!(!place.db.exists(), "{command}");
    }
    let ran = Place::new().run(&["results", "games.db"]);
    assert!(ran.code == 2 && ran.err.contains("a run is a number") && ran.err.contains("--db"), "{}", ran.err);
    let place = Place::new();
    place.printed(&[&SMALL[..], &["-n", "2"]].concat(), 0);
    let refused = |words: &[&str], message: &str| {
        let ran = place.run(words);
        assert_eq!((ran.code, ran.err.as_str()), (2, format!("error: {message}\n").as_str()), "{words:?}");
    };
    refused(&["results", "9"], "there is no run 9 in the store");
    refused(&["export", "--slot", "2"], "run 1 has no game 2");
}

#[test]
fn a_dry_run_lists_the_schedule_and_plays_nothing() {
    let place = Place::new();
    let words = [&SMALL[..], &["-n", "4", "--dry-run"]].concat();
    let seen_text = place.printed(&words, 0);
    assert!(seen_text.starts_with("match: 4 games in all\n"), "{seen_text}");
    let planned = place.lines(&words, 0);
    assert!(!place.db.exists());
    assert_eq!(seen_text.lines().count(), 5, "{seen_text}");
    for (line, slot) in seen_text.lines().skip(1).zip(&planned) {
        let names = [&slot["first"], &slot["second"]].map(|name| name.as_str().unwrap());
        assert_eq!(line.trim(), format!("{}  {} – {}  seed {}", slot["slot"], names[0], names[1], slot["seed"]));
    }
    // For a long test it is a page.
    let test = place.printed(&["sprt", "greedy", "random", "--game", "bacteria", "--dry-run"], 0);
    assert!(test.starts_with("sprt: at most 40 000 games in all\nH0: Elo ≤ 0, H1: Elo ≥ 10, α = β = 0.05\n"), "{test}");
    assert!(test.ends_with("\n… and 39 960 games more: --format json lists all\n"), "{test}");
    assert_eq!(test.lines().count(), 2 + 40 + 1, "{test}");
    let all = place.lines(&["sprt", "greedy", "random", "--game", "bacteria", "-n", "400", "--dry-run"], 0);
    assert_eq!(all.len(), 400);
    let (played, _) = place.series(&words[..words.len() - 1], 0);
    assert_eq!(played.len(), 4);
    for (slot, game) in planned.iter().zip(&played) {
        for key in ["slot", "first", "second", "seed"] {
            assert_eq!(slot[key], game[key]);
        }
    }
}

#[test]
fn a_longer_series_plays_what_is_missing() {
    let place = Place::new();
    let play = |games: &str| place.series(&[&SMALL[..], &["-n", games]].concat(), 0);
    assert_eq!(play("10").0.len(), 10);
    let (games, result) = play("20");
    assert_eq!((games.len(), &result["games"], &result["run"]), (10, &json!(20), &json!(1)));
    assert_eq!(place.stored(), (0..20).collect::<Vec<_>>());
    assert_eq!(play("20").0.len(), 0);
    // Nothing is lost if fewer are requested afterwards.
    let (games, result) = play("4");
    assert_eq!((games.len(), &result["games"]), (0, &json!(4)));
    assert_eq!(place.stored(), (0..20).collect::<Vec<_>>());
    // Another seed is another run.
    let (games, result) = place.series(&[&SMALL[..], &["-n", "2", "--seed", "5"]].concat(), 0);
    assert_eq!((games.len(), &result["run"]), (2, &json!(2)));
    let listed = place.lines(&["results", "--list"], 0);
    let played: Vec<&Value> = listed.iter().map(|run| &run["played"]).collect();
    assert_eq!(played, [&json!(20), &json!(2)]);
    assert!(place.printed(&["results", "--list"], 0).contains("20 of 20 games"));
}

/// A run to start by hand, with the store of this place.
fn by_hand(place: &Place, words: &[&str]) -> Command {
    let mut run = Command::new(BINARY);
    run.args(words).args(["--db", text(&place.db)]).current_dir(root()).stdin(Stdio::null());
    for (name, value) in environment() {
        match value {
            Some(value) => run.env(name, value),
            None => run.env_remove(name),
        };
    }
    run
}

/// Starts the faulty match and stops it by a signal when some games have ended: its exit code and output.
fn stopped_by(signal: Signal, place: &Place) -> (Option<i32>, String) {
    let words = [&FAULTY[..], &["--format", "json"]].concat();
    let mut child = by_hand(place, &words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut seen_text = String::new();
    for _ in 0..3 {
        // A game is reported when it ends.
        out.read_line(&mut seen_text).unwrap();
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    out.read_to_string(&mut seen_text).unwrap();
    (child.wait().unwrap().code(), seen_text)
}

#[test]
fn a_stopped_series_is_resumed() {
    #[track_caller]
    fn check(signal: Signal, code: Option<i32>) {
        let place = Place::new();
        let (ended, seen_text) = stopped_by(signal, &place);
        assert_eq!(ended, code, "{seen_text}");
        assert!(seen_text.starts_with("{\"slot\":0,\"first\":\"greedy\""), "{seen_text}");
        assert_eq!(seen_text.contains("\"ending\":\"stopped\""), code.is_some(), "{seen_text}");
        let stored = place.stored();
        assert!((3..40).contains(&stored.len()), "{stored:?}");

        let (games, result) = place.series(&FAULTY, 0);
        let played: BTreeSet<u64> = games.iter().map(|game| game["slot"].as_u64().unwrap()).collect();
        assert_eq!(played, (0..40).filter(|slot| !stored.contains(slot)).collect());
        assert_eq!((games.len() + stored.len(), &result["ending"]), (40, &json!("complete")));
        assert_eq!(place.stored(), (0..40).collect::<Vec<_>>());
        assert_eq!(result["wins"].as_u64().unwrap() + result["repeated_games"].as_u64().unwrap(), 40);
    }
    check(Signal::KILL, None);
    check(Signal::INT, Some(130));
}

#[test]
fn a_test_stops_by_itself() {
    #[track_caller]
    fn check(new: &str, old: &str, games: &str, code: i32, status: &str, seen_text: &str) {
        let place = Place::new();
        let words = ["sprt", new, old, "--game", "bacteria", "--elo1", "100", "-n", games];
        let (played, result) = place.series(&words, code);
        assert_eq!(result["sprt"]["status"], status, "{result}");
        let decided = status != "continue";
        assert_eq!(result["ending"], if decided { "decided" } else { "complete" });
        assert_eq!(played.len() < games.parse().unwrap(), decided);
        let bounds: Vec<f64> = result["sprt"]["bounds"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        let llr = result["sprt"]["llr"].as_f64().unwrap();
        assert_eq!(decided, llr <= bounds[0] || bounds[1] <= llr, "{result}");
        let printed = place.printed(&words, code);
        assert!(printed.contains(seen_text) && printed.contains("(0 games played now)"), "{printed}");
        let test = &result["sprt"];
        assert_eq!(test["hypotheses"], json!({ "H0": "Elo ≤ 0", "H1": "Elo ≥ 100" }));
        assert_eq!(
            (&test["elo1"], &test["alpha"], &test["decision"]),
            (&json!(100.0), &json!(0.05), &json!(seen_text))
        );
        let page = place.folder.path().join("report.html");
        place.printed(&["report", "--out", text(&page)], 0);
        let page = fs::read_to_string(&page).unwrap();
        assert!(page.contains(seen_text) && page.contains("Log likelihood ratio, pair by pair"));
        assert!(page.contains(">H1 +2.94</text>") && page.contains("<polyline points=\"64.0,"), "{page}");
    }
    let errors = "α = β = 0.05)";
    check("greedy", "random", "400", 0, "H1", &format!("H1 accepted (Elo ≥ 100 rather than ≤ 0, {errors}"));
    check("random", "greedy", "400", 1, "H0", &format!("H0 accepted (Elo ≤ 0 rather than ≥ 100, {errors}"));
    check("random", "random", "2", 1, "continue", &format!("undecided (H0: Elo ≤ 0, H1: Elo ≥ 100, {errors}"));
}

/// An agent that loses every game is never the stronger one, whatever the bounds and the scale.
#[test]
fn a_loser_is_not_accepted() {
    for bounds in [&["--elo0", "0", "--elo1", "250"][..], &["--elo0", "-100", "--elo1", "900"]] {
        let place = Place::new();
        let words = [&["sprt", "random", "greedy", "--game", "bacteria", "--normalized"][..], bounds].concat();
        let (_, result) = place.series(&words, 1);
        assert_eq!((&result["sprt"]["status"], &result["wins"]), (&json!("H0"), &json!(0)), "{result}");
    }
    let refused = |bounds: &[&str], message: &str| {
        let place = Place::new();
        let ran = place.run(&[&["sprt", "random", "greedy", "--game", "bacteria"][..], bounds].concat());
        assert_eq!((ran.code, ran.err.as_str()), (2, format!("error: sprt: {message}\n").as_str()));
    };
    refused(&["--elo1", "5000", "--normalized"], "elo1 is 5000, but must lie between -4000 and 4000");
    refused(&["--elo0=-1e9"], "elo0 is -1000000000, but must lie between -4000 and 4000");
    refused(&["--elo1", "inf"], "elo1 is inf, but must be above elo0, which is 0");
}

/// A test that is not to show strength does not speak of strength.
#[test]
fn a_test_of_non_regression_names_its_hypotheses() {
    let place = Place::new();
    let words = ["sprt", "greedy", "random", "--game", "bacteria", "--elo0", "-20", "--elo1", "0", "--beta", "0.1"];
    let printed = place.printed(&words, 0);
    let wanted = "H1 accepted (Elo ≥ 0 rather than ≤ −20, α = 0.05, β = 0.1)";
    assert!(printed.contains(wanted) && !printed.contains("stronger"), "{printed}");
    assert!(printed.lines().any(|line| line.starts_with("LLR +") && line.contains("in [−2.25, +2.89]: ")), "{printed}");
}

/// Games that were being played when a test was decided are stored, and no view counts them.
#[test]
fn all_views_of_a_test_count_the_same_games() {
    for jobs in ["1", "2"] {
        let place = Place::new();
        let words = ["sprt", "greedy", "random", "--game", "bacteria", "--elo1", "100", "--jobs", jobs, "--force"];
        let (played, result) = place.series(&words, 0);
        let games = result["games"].as_u64().unwrap();
        let extra = result["extra_games"].as_u64().unwrap();
        assert_eq!((games % 2, games + extra), (0, played.len() as u64), "{result}");
        let printed = place.printed(&words, 0);
        let (_, resumed) = place.series(&words, 0);
        assert_eq!(resumed, result);
        let mut stored = place.results();
        stored["ending"] = result["ending"].clone();
        assert_eq!(stored, result);
        let shown = place.printed(&["results"], 0);
        assert!(printed.contains(&shown), "{printed}\n{shown}");
        assert!(shown.starts_with(&format!("sprt of Bacteria War: {games} games\n")), "{shown}");
        assert_eq!(shown.contains(&format!("not counted: {extra} extra game")), extra > 0, "{shown}");
        let csv = place.printed(&["results", "--format", "csv"], 0);
        assert_eq!(csv.lines().count() as u64, games + 1);
        let list = place.lines(&["results", "--list"], 0);
        assert_eq!((&list[0]["played"], &list[0]["extra_games"]), (&json!(games), &json!(extra)));
        let page = place.folder.path().join("report.html");
        let said = place.printed(&["report", "--out", text(&page)], 0);
        assert!(said.ends_with(&format!(": {games} of {games} games with boards\n")), "{said}");
        let ran = place.run(&["export"]);
        assert_eq!((ran.code, ran.out.lines().count() as u64), (0, games));
        assert_eq!(ran.err.contains("after the decision: --extra writes them too"), extra > 0, "{}", ran.err);
        assert_eq!(place.run(&["export", "--format", "pgn"]).out.matches("[Result ").count() as u64, games);
        let all = json_lines(&place.printed(&["export", "--extra"], 0));
        assert_eq!(all.iter().filter(|game| game["extra"] == true).count() as u64, extra);
        assert_eq!(all.len() as u64, games + extra);
    }
    let place = Place::new();
    place.printed(&[&SMALL[..], &["-n", "2"]].concat(), 0);
    let ran = place.run(&["export", "--extra"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert_eq!(ran.err, "error: --extra is for an SPRT, and run 1 is none: all of its games count\n");
}

/// Another bound, another order and another agent keep the games that have been played.
#[test]
fn what_has_been_played_is_kept() {
    let place = Place::new();
    let sprt = |elo1: &str| {
        let words =
            ["sprt", "greedy", "champion:1", "--game", "domineering", "--size", "3", "-n", "20", "--elo1", elo1];
        place.series(&words, 1)
    };
    let (first, result) = sprt("10");
    assert_eq!((first.len(), &result["run"]), (20, &json!(1)));
    for elo1 in ["20", "30"] {
        let (games, result) = sprt(elo1);
        assert_eq!((games.len(), &result["run"], &result["games"]), (0, &json!(1), &json!(20)));
        assert_eq!(result["sprt"]["elo1"].as_f64(), elo1.parse().ok());
    }
    let list = place.printed(&["results", "--list"], 0);
    assert_eq!(list.lines().count(), 2, "{list}");
    for part in ["20 of at most 20 games, undecided", "H0: Elo ≤ 0, H1: Elo ≥ 30, α = β = 0.05", "10 s"] {
        assert!(list.contains(part), "`{part}` is missing: {list}");
    }
    let list = place.lines(&["results", "--list"], 0);
    assert_eq!((&list[0]["sprt"]["elo1"], &list[0]["clock_ms"]), (&json!(30.0), &json!(10_000)));

    let place = Place::new();
    let play = |agents: &[&str]| {
        let words = [&["tournament", "--game", "domineering", "--size", "4", "-n", "6"], agents].concat();
        let (games, result) = place.series(&words, 0);
        (games.len(), result)
    };
    let (games, three) = play(&["greedy", "random", "champion:1"]);
    assert_eq!((games, &three["games"]), (18, &json!(18)));
    let (games, turned) = play(&["champion:1", "greedy", "random"]);
    assert_eq!((games, &turned["games"], &turned["run"]), (0, &json!(18), &json!(2)));
    let standing = |result: &Value, agent: usize| {
        let rows = result["standings"].as_array().unwrap();
        rows.iter().find(|row| row["agent"] == agent).unwrap()["bouts"].clone()
    };
    assert_eq!([1, 2, 0].map(|at| standing(&turned, at)), [0, 1, 2].map(|at| standing(&three, at)));
    let (games, four) = play(&["champion:1", "champion:2", "greedy", "random"]);
    assert_eq!((games, &four["games"]), (18, &json!(36)));
    let (games, two) = play(&["random", "greedy"]);
    assert_eq!((games, &two["games"], &two["run"]), (0, &json!(6), &json!(4)));
    // Reused games can be proved.
    let record = place.folder.path().join("game.jsonl");
    fs::write(&record, place.printed(&["export", "4", "--slot", "5"], 0)).unwrap();
    assert_eq!(agon(&["replay", text(&record)]).code, 0);
    // The runs that it came from are as they were.
    let list = place.lines(&["results", "--list"], 0);
    let played: Vec<&Value> = list.iter().map(|run| &run["played"]).collect();
    assert_eq!(played, [&json!(18), &json!(18), &json!(36), &json!(6)]);
}

/// Agents without a common opponent are rated apart, and every view says so.
#[test]
fn unconnected_groups_are_named() {
    let place = Place::new();
    let mut plan = "game = 'bacteria'\nkind = 'swiss'\nrounds = 1\ngames = 2\n".to_owned();
    for name in ["a", "b", "c", "d", "e", "f"] {
        plan += &format!("[[agent]]\nagent = 'random'\nname = '{name}'\n");
    }
    plan += "rating = 3000\n";
    let file = file(&place.folder, "t.toml", &plan);
    let printed = place.printed(&["tournament", text(&file)], 0);
    assert!(printed.contains("no game connects these 3 groups of agents: "), "{printed}");
    assert!(printed.contains("Each group is rated apart"), "{printed}");
    let result = place.results();
    let groups: Vec<Vec<&str>> = result["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect())
        .collect();
    assert_eq!((groups.len(), groups.concat().len()), (3, 6), "{result}");
    for agent in result["agents"].as_array().unwrap() {
        let (group, rating) = (agent["group"].as_u64().unwrap(), agent["rating"].as_f64().unwrap());
        let group = &groups[group as usize - 1];
        assert!(group.contains(&agent["name"].as_str().unwrap()));
        assert_eq!(rating > 2000.0, group.contains(&"f"), "{result}");
        assert!(agent["rating_high"].as_f64().unwrap() - rating < 700.0, "{result}");
    }
    let page = place.folder.path().join("report.html");
    place.printed(&["report", "--out", text(&page)], 0);
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("no game connects these 3 groups of agents") && html.contains("<h2>Ratings of group 3, "));
    // A match of two that have met is one group.
    let place = Place::new();
    let printed = place.printed(&[&SMALL[..], &["-n", "2"]].concat(), 0);
    assert!(!printed.contains("group"), "{printed}");
    assert_eq!(place.results()["groups"], json!([["greedy", "random"]]));
}

#[test]
fn tournaments_are_read_from_files() {
    #[track_caller]
    fn check(kind: &str, games: usize, met: &[[usize; 2]]) {
        let place = Place::new();
        let names = ["a", "b", "c", "d"];
        let mut plan = format!("game = 'domineering'\ngames = 2\nkind = {kind}\n[parameters]\nrows = 6\n");
        for (name, more) in names.iter().zip(["rating = 1500", "", "", ""]) {
            plan += &format!("[[agent]]\nagent = 'random'\nname = '{name}'\n{more}\n");
        }
        let file = file(&place.folder, "plan.toml", &plan);
        let words = ["tournament", text(&file)];
        let (played, result) = place.series(&words, 0);
        assert_eq!((played.len(), &result["games"]), (games, &json!(games)), "{kind}");
        assert_eq!(result["agents"][0]["rating"], 1500.0, "{kind}");
        assert_ne!(result["agents"][0]["rating_low"], result["agents"][1]["rating_low"], "{kind}");
        let points: f64 =
            result["standings"].as_array().unwrap().iter().map(|row| row["points"].as_f64().unwrap()).sum();
        assert!((points - games as f64).abs() < 1e-9, "{result}");
        for pair in met {
            let pair = pair.map(|at| names[at]);
            assert!(played.iter().any(|game| game["first"] == pair[0] && game["second"] == pair[1]), "{kind} {pair:?}");
        }
        let seen_text = place.printed(&words, 0);
        assert!(seen_text.contains("given") && seen_text.contains("points against"), "{seen_text}");
        assert_eq!(place.stored(), (0..games as u64).collect::<Vec<_>>(), "{kind}");
    }
    check("'round-robin'", 12, &[[0, 1], [1, 0], [2, 3], [3, 1]]);
    check("'gauntlet'", 6, &[[0, 1], [0, 2], [3, 0]]);
    check("'swiss'\nrounds = 2", 8, &[]);

    // With three agents, one has no opponent in each round, but still its points; without rounds none has.
    for (kind, rounds) in [("swiss", true), ("round-robin", false)] {
        let place = Place::new();
        let mut words = vec!["tournament", "random", "random", "random", "--game", "domineering", "--size", "4"];
        words.extend(["--kind", kind, "-n", "2"]);
        words.extend(["--rounds", "3"].iter().filter(|_| rounds));
        let seen_text = place.printed(&words, 0);
        assert_eq!(seen_text.split_whitespace().any(|word| word == "byes"), rounds, "{seen_text}");
        let result = place.results();
        let byes: Vec<&Value> = (0..3).map(|at| &result["agents"][at]["conduct"]["byes"]).collect();
        assert_eq!(byes, [&json!(u32::from(rounds)); 3], "{kind}");
        // A bye brings points, and no wins.
        for row in result["standings"].as_array().unwrap() {
            let bouts = ["wins", "draws", "losses"].map(|key| row["bouts"][key].as_u64().unwrap());
            assert!(bouts.into_iter().sum::<u64>() <= 4, "{row}");
        }
    }

    let place = Place::new();
    let words = ["tournament", "greedy", "random", "random", "--game", "bacteria", "--kind", "gauntlet", "-n", "2"];
    let (played, result) = place.series(&words, 0);
    assert_eq!((played.len(), &result["agents"][2]["name"]), (4, &json!("random#2")));
}

#[test]
fn a_failure_is_counted_and_exported() {
    let place = Place::new();
    let names = ["failing", "greedy", "random"];
    let mut plan = "game = 'bacteria'\ngames = 2\nopenings = 'none'\n".to_owned();
    for (name, agent) in names.iter().zip([FAILING, "greedy", "random"]) {
        plan += &format!("[[agent]]\nname = '{name}'\nagent = \"{agent}\"\n");
    }
    let plan = file(&place.folder, "plan.toml", &plan);
    let seen_text = place.printed(&["tournament", text(&plan)], 0);
    assert_eq!(seen_text.lines().filter(|line| line.starts_with("failed game ")).count(), 1, "{seen_text}");
    assert!(seen_text.contains("4 RE"), "{seen_text}");
    let result = place.results();
    let faults: Vec<&Value> = (0..3).map(|at| &result["agents"][at]["conduct"]["faults"]).collect();
    assert_eq!(faults, [&json!({"RE": 4}), &json!({}), &json!({})]);
    assert_eq!(result["agents"][0]["conduct"]["defeats"], json!({"RE": 4}));

    let failed = json_lines(&place.printed(&["export", "--failed"], 0));
    assert_eq!(failed.len(), 4);
    for game in &failed {
        assert!(game["agents"].as_array().unwrap().contains(&json!("failing")), "{game}");
    }
    assert_eq!(place.stored(), (0..6).collect::<Vec<_>>());

    let out = place.folder.path().join("games.jsonl");
    assert_eq!(place.printed(&["export", "--out", text(&out)], 0), "");
    assert_eq!(fs::read_to_string(&out).unwrap(), place.printed(&["export"], 0));
    for game in json_lines(&place.printed(&["export"], 0)) {
        let (slot, record) = (game["slot"].to_string(), place.folder.path().join("game.jsonl"));
        let printed = place.printed(&["export", "--slot", &slot], 0);
        assert_eq!(game["record"], printed);
        fs::write(&record, printed).unwrap();
        let replayed = agon(&["replay", text(&record)]);
        assert!(replayed.code == 0 && replayed.out.contains("proved"), "{} {}", replayed.out, replayed.err);
    }
}

#[test]
fn results_come_in_every_format() {
    let place = Place::new();
    let (games, result) = place.series(&[&SMALL[..], &["-n", "4"]].concat(), 0);
    let mut stored = place.results();
    assert_eq!(stored["ending"], Value::Null);
    stored["ending"] = result["ending"].clone();
    assert_eq!(stored, result);

    let csv = place.printed(&["results", "1", "--format", "csv"], 0);
    let mut lines = csv.lines();
    let heading: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(heading[..5], ["slot", "first", "second", "winner", "reason"]);
    assert_eq!(lines.clone().count(), 4, "{csv}");
    for (line, game) in lines.zip(&games) {
        let begin =
            format!("{},{},{},{},", game["slot"], game["first"], game["second"], game["winner"].as_str().unwrap());
        assert!(line.starts_with(&begin) && line.ends_with(&format!(",{}", game["seed"])), "{line} {game}");
    }

    let text = place.printed(&["results"], 0);
    assert!(text.starts_with("match of Domineering: 4 games\n"), "{text}");
    let html = place.printed(&["results", "--format", "html"], 0);
    assert!(html.starts_with("<!doctype html>") && html.contains("<h2>Standings</h2>"), "{html}");
    asks_nothing(&html);
}

/// A page must not fetch anything.
#[track_caller]
fn asks_nothing(html: &str) {
    let rest = html.replace("http://www.w3.org/2000/svg", "").replace("href=\"#", "").replace("url(#", "");
    for word in ["http", "src=", "href=", "url(", "@import", "fetch("] {
        assert!(!rest.contains(word), "the page holds `{word}`");
    }
}

/// The games that a page shows.
#[track_caller]
fn shown(page: &Path) -> Vec<Value> {
    let html = fs::read_to_string(page).unwrap();
    asks_nothing(&html);
    let data = html.lines().filter_map(|line| line.strip_prefix("<script type=\"application/json\" data-game=\""));
    let games: Vec<Value> = data
        .map(|line| serde_json::from_str(line.split_once('>').unwrap().1.trim_end_matches("</script>")).unwrap())
        .collect();
    let listed = html.matches("<th scope=\"row\"><a href=\"#game=").count();
    assert_eq!(listed, games.len());
    games
}

#[test]
fn a_report_holds_every_game() {
    let place = Place::new();
    let words = ["tournament", "greedy", "random", FAILING, "--game", "bacteria", "-n", "2"];
    let (games, _) = place.series(&words, 0);
    let page = place.folder.path().join("report.html");
    let seen_text = place.printed(&["report", "--out", text(&page)], 0);
    assert_eq!(seen_text, format!("{}: 6 of 6 games with boards\n", page.display()));
    let all = shown(&page);
    assert_eq!(all.len(), 6);
    for (shown, game) in all.iter().zip(&games) {
        assert_eq!(shown["names"], json!([game["first"], game["second"]]));
        assert_eq!(shown["steps"].as_array().unwrap().len() as u64, game["plies"].as_u64().unwrap());
    }
    // One game for every reason comes first, then failed ones.
    place.printed(&["report", "--games", "5", "--out", text(&page)], 0);
    let some = shown(&page);
    assert_eq!(some.len(), 5);
    for game in games {
        let reason = game["reason"].as_str().unwrap();
        assert!(some.iter().any(|shown| shown["result"].as_str().unwrap().ends_with(reason)), "{reason}");
    }
    assert!(some.iter().filter(|shown| !shown["failures"].as_array().unwrap().is_empty()).count() >= 3);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = Place::new();
    let played = [&SMALL[..], &["-n", "4"]].concat();
    let page = place.folder.path().join("report.html");
    let check = |words: &[&str]| {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let output = by_hand(&place, words).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), err.as_ref()), (Some(0), ""), "{words:?}");
    };
    check(&[&played[..], &["--dry-run"]].concat());
    check(&played);
    check(&[&played[..], &["--format", "json", "--seed", "2"]].concat());
    for format in ["text", "json", "csv", "html"] {
        check(&["results", "--format", format]);
    }
    check(&["results", "--list"]);
    check(&["export"]);
    check(&["export", "--slot", "0"]);
    check(&["report", "--out", text(&page)]);
    assert_eq!(shown(&page).len(), 4);
}

#[test]
fn too_many_games_at_once_are_refused_unless_forced() {
    let place = Place::new();
    let words = [&SMALL[..], &["-n", "2", "--processors", "5000"]].concat();
    let ran = place.run(&words);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(
        ran.err.contains("playing 1 at once with 5000 for each agent takes 5000 processors, but there are"),
        "{}",
        ran.err
    );
    assert_eq!(place.series(&[&words[..], &["--force"]].concat(), 0).0.len(), 2);
    let crowd = [&SMALL[..], &["-n", "2", "--jobs", "5000"]].concat();
    assert_eq!(place.run(&crowd).code, 2);
}

#[test]
fn cells_meet_in_a_dish() {
    let place = Place::new();
    let dish = ["--set=width=6", "--set=height=5", "--set=turns=30"];
    let (games, result) =
        place.series(&[&["match", "coordinated", "hungry", "--game", "petri", "-n", "4"], &dish[..]].concat(), 0);
    assert_eq!((games.len(), &result["game"], &result["void"]), (4, &json!("petri"), &json!(0)));
    assert!(result["wins"].as_u64() >= result["losses"].as_u64(), "{result}");
    let record = place.folder.path().join("game.jsonl");
    fs::write(&record, place.printed(&["export", "--slot", "3"], 0)).unwrap();
    assert_eq!(agon(&["replay", text(&record)]).code, 0);
    let page = place.folder.path().join("report.html");
    place.printed(&["report", "--out", text(&page)], 0);
    assert_eq!(shown(&page).len(), 4);
    // A refused export leaves an earlier file unchanged.
    let ran = place.run(&["export", "--format", "pgn", "--out", text(&page)]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("in petri every cell acts in every turn: use --format jsonl"), "{}", ran.err);
    assert_eq!(shown(&page).len(), 4);
}

#[test]
fn a_league_of_cells_has_the_contests_own_score() {
    let place = Place::new();
    let words = ["tournament", "coordinated", "slime", "hungry", "--game", "petri", "-n", "2"];
    let ran = place.run(&[&words[..], &["--set=width=6", "--set=height=5", "--set=turns=40"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let table: Vec<&str> = ran.out.lines().skip_while(|line| !line.contains("ALPHANO score")).skip(2).take(3).collect();
    let wins: Vec<u32> = table.iter().map(|line| line.split_whitespace().nth(2).unwrap().parse().unwrap()).collect();
    assert!(wins.is_sorted_by(|a, b| a >= b) && wins[0] > 0, "{table:?}");
}

#[test]
fn games_are_exported_in_other_notations() {
    let place = Place::new();
    place.series(&["match", "greedy", "random", "--game", "renju", "-n", "2"], 0);
    let pgn = place.printed(&["export", "--format", "pgn"], 0);
    assert_eq!(pgn.matches("[Game \"renju\"]").count(), 2, "{pgn}");
    let sgf = place.printed(&["export", "--format", "sgf"], 0);
    assert_eq!(sgf.matches("GM[4]").count(), 2, "{sgf}");
    let file = place.folder.path().join("game.sgf");
    fs::write(&file, sgf.split_inclusive(")\n").next().unwrap()).unwrap();
    // The moves of the opening are in it, or the rules would refuse it.
    let letters = place.folder.path().join("game.txt");
    assert_eq!(agon(&["convert", text(&file), text(&letters)]).code, 0);
    assert!(fs::read_to_string(&letters).unwrap().starts_with("H8\n"));
    let folder = place.folder.path().join("psq");
    place.printed(&["export", "--format", "psq", "--out", text(&folder)], 0);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    assert_eq!(place.run(&["export", "--format", "psq"]).code, 2);
    for words in [["export", "--out", "/proc/x"], ["report", "--out", "/proc/x"], ["results", "--out", "/proc/x"]] {
        let ran = place.run(&words);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains("cannot write the ") && ran.err.contains("name another place"), "{}", ran.err);
    }
    let csv = place.folder.path().join("games.csv");
    place.run(&["results", "--format", "csv", "--out", text(&csv)]);
    assert_eq!(fs::read_to_string(&csv).unwrap(), place.printed(&["results", "--format", "csv"], 0));
    // For another game nothing is written, and no folder is created.
    place.series(&["match", "greedy", "random", "--game", "bacteria", "-n", "2"], 0);
    let other = place.folder.path().join("other");
    for format in ["sgf", "psq"] {
        let ran = place.run(&["export", "--format", format, "--out", text(&other)]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        let seen_text = "SGF and .psq are for games of renju, and run 2 is of bacteria: use --format pgn or --format \
            jsonl";
        assert!(ran.err.contains(seen_text), "{}", ran.err);
        assert!(!other.exists());
    }
}

#[test]
fn a_series_of_petri_has_its_limit_and_its_size() {
    let place = Place::new();
    let words = ["match", "amoeba", "slime", "--game", "petri", "-n", "2", "--size", "6x4", "--set", "turns=3"];
    place.series(&[&words[..], &["--invocation", "300ms"]].concat(), 0);
    let record = place.printed(&["export", "--slot", "0"], 0);
    for seen_text in ["\"invocation_ms\":300", "\"width\":\"6\"", "\"height\":\"4\""] {
        assert!(record.contains(seen_text), "{seen_text} is not in {record}");
    }
}

#[test]
fn the_store_is_where_the_user_stands() {
    let folder = folder();
    let mut words = SMALL.to_vec();
    words.extend(["-n", "2"]);
    let ran = finish(command(&words).current_dir(folder.path()));
    assert!(ran.code == 0 && ran.out.ends_with("run 1 in agon.db (2 games played now)\n"), "{} {}", ran.out, ran.err);
    assert_eq!(finish(command(&["results"]).current_dir(folder.path())).code, 0);
    assert!(folder.path().join("agon.db").exists());
}

/// Long names, and more agents than columns for them.
#[test]
fn tables_fit_the_terminal() {
    let place = Place::new();
    let mut plan = "game = 'domineering'\ngames = 2\n[parameters]\nrows = 2\ncolumns = 2\n".to_owned();
    for agent in 0..9 {
        plan +=
            &format!("[[agent]]\nagent = 'random'\nname = 'python3 ./a_long_name_of_a_bot/main.py --number {agent}'\n");
    }
    let file = file(&place.folder, "plan.toml", &plan);
    place.printed(&["tournament", text(&file)], 0);
    for columns in [80, 60] {
        let words = ["results", "--db", text(&place.db)];
        let ran = crate::agon::run::finish(crate::agon::run::command(&words).env("COLUMNS", columns.to_string()));
        let widest = ran.out.lines().map(|line| line.chars().count()).max();
        assert!(ran.code == 0 && widest <= Some(columns), "{widest:?} in {columns}: {}", ran.out);
        assert_eq!(ran.out.split_whitespace().collect::<String>().matches("of2").count(), 9 * 8, "{}", ran.out);
    }
    let list = ["results", "--list", "--db", text(&place.db)];
    let ran = crate::agon::run::finish(crate::agon::run::command(&list).env("COLUMNS", "80"));
    let widest = ran.out.lines().map(|line| line.chars().count()).max();
    assert!(ran.code == 0 && widest <= Some(80), "{widest:?}: {}", ran.out);
}
