//! `agon analyze`, `agon lab bench` and `agon lab tune` of Bacteria War.

use assert_cmd::Command;

fn agon(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("agon").expect("built");
    command.args(args);
    command
}

fn output(args: &[&str]) -> String {
    let output = agon(args).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

/// A refusal, in one line.
fn check_refused(args: &[&str], words: &str) {
    let assert = agon(args).assert().code(2);
    let error = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
    assert!(error.contains(words), "{args:?}: {error}");
}

#[test]
fn the_lines_of_a_position_are_shown() {
    let text = output(&["analyze", "bacteria", "--nodes", "3000", "--lines", "2"]);
    assert!(text.contains("O to move") && text.contains("\n 1  ") && text.contains("\n 2  "), "{text}");
    let best = text.lines().find_map(|line| line.strip_prefix("best   ")).expect("a best move");
    let (best, judged) = best.split_once("   MOVE ").expect("both notations");
    assert!(best.len() == 4 && judged.len() == 7, "{text}");
    assert!(text.lines().any(|line| line.starts_with(" 1  ") && line.contains(best)), "{text}");
}

#[test]
fn programs_get_a_line_of_json_for_each_finding() {
    let fen = "7/7/7/ooooooo/ooooooo/ooooooo/xxxxxxx o 0 30";
    let text = output(&["analyze", "bacteria", fen, "--depth", "3", "--lines", "2", "--format", "json"]);
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (end, findings) = lines.split_last().expect("lines");
    assert_eq!(findings.len(), 6, "{text}");
    let last = findings.last().expect("a finding");
    assert_eq!((&last["rank"], &last["depth"], &last["wins_in"]), (&1.into(), &3.into(), &41.into()), "{text}");
    assert_eq!(last["moves"][0], end["best"]);
}

#[test]
fn a_game_that_is_over_has_no_lines() {
    let text = output(&["analyze", "bacteria", "7/7/7/7/7/7/x6 o"]);
    assert!(text.contains("the game is over: X has vanished"), "{text}");
}

#[test]
fn the_benchmark_counts_the_same_nodes_every_time() {
    let nodes = || {
        let text = output(&["bench", "bacteria", "--depth", "4", "--format", "json"]);
        let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        answer["nodes"].as_u64().expect("a number")
    };
    assert!(nodes() > 1_000);
    assert_eq!(nodes(), nodes());
}

#[test]
fn tuning_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let tune = |state: &str, games: &str| {
        let state = folder.path().join(state);
        let state = state.to_str().expect("text").to_owned();
        let args = ["tune", "bacteria", "--nodes", "50", "--jobs", "2", "--only", "order_gain,lmr_slope"];
        let args: Vec<&str> = args.into_iter().chain(["--state", &state, "--games", games]).collect();
        (state.clone(), output(&args))
    };
    let (state, whole) = tune("whole.json", "12");
    assert!(whole.contains("order_gain") && whole.contains("after 12 games"), "{whole}");
    // As if it had been stopped before the last batch.
    let kept = std::fs::read_to_string(&state).expect("a state");
    let kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!((&kept["step"], &kept["run"]["names"][0]), (&6.into(), &"lmr_slope".into()));
    assert_eq!(tune("whole.json", "12").1, whole, "nothing is left to do");
    check_refused(&["tune", "bacteria", "--state", &state, "--games", "14"], "holds another run");
    // Renju, on a clock, goes the same way.
    let state = folder.path().join("renju.json");
    let state = state.to_str().expect("text");
    let text = output(&["tune", "renju", "--clock", "30ms", "--jobs", "2", "--games", "4", "--state", state]);
    assert!(text.contains("order_cont_hist") && text.contains("after 4 games"), "{text}");
}

#[test]
fn what_cannot_be_done_is_refused() {
    check_refused(&["analyze", "bacteria", "8/7/7/7/7/7/7 x"], "is not a position");
    check_refused(&["analyze", "petri"], "petri");
    check_refused(&["tune", "bacteria", "--only", "nothing"], "no parameter is called `nothing`");
}
