//! `agon solve`, `bench`, `analyze` and `results --theory`: input and output.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn agon(arguments: &[&str], input: &str) -> Vec<Value> {
    let output = Command::cargo_bin("agon").expect("the binary").args(arguments).write_stdin(input).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("text");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("`{line}`: {error}"))).collect()
}

fn check(arguments: &[&str], line: &str, expected: &str) {
    let mut answers = agon(&[&["solve", "domineering"], arguments].concat(), line);
    assert_eq!(answers.len(), 1, "{line}");
    let answer = answers[0].as_object_mut().expect("an object");
    // They differ from machine to machine and from search to search.
    answer.remove("ms");
    answer.remove("nodes");
    let expected: Value = serde_json::from_str(expected).expect("JSON");
    assert_eq!(answers[0], expected, "{arguments:?} {line}");
}

#[test]
fn solve_answers_each_line() {
    let square = r#"{"board": [[1,2],[3,1]], "occupied": [], "to_move": "H"}"#;
    check(&[], square, r#"{"value": 7, "winner": "first", "best": [[1,1],[2,1]], "proved": true}"#);
    let pass = r#"{"board": [[1,2],[3,1]], "occupied": [], "to_move": "H", "last_pass": true, "lead": 1}"#;
    check(
        &["--goal", "win"],
        pass,
        r#"{"value": null, "winner": "first", "best": [[1,1],[2,1],[-1,-1]], "proved": true}"#,
    );
    let over = r#"{"board": [[1]], "occupied": [], "to_move": "V", "lead": -0.5}"#;
    check(&[], over, r#"{"value": 0, "winner": "second", "best": [], "proved": true}"#);
    let empty = format!(r#"{{"board": {:?}, "occupied": [], "to_move": "H"}}"#, [[1, 2, 3, 0, 1, 2, 3, 0]; 8]);
    check(&["--time", "0"], &empty, r#"{"value": null, "winner": null, "best": [], "proved": false}"#);
    check(&[], "{", r#"{"error": "the line is no JSON (EOF while parsing an object at line 1 column 1)"}"#);
    let quarter = r#"{"board": [[1]], "occupied": [], "to_move": "V", "lead": 0.25}"#;
    check(&[], quarter, r#"{"error": "lead: a number of points in steps of one half expected"}"#);
}

#[test]
fn wins_at_renju_are_found_and_checked() {
    let check = |mode: &str, line: &str, expected: &str| {
        let mut answers = agon(&["solve", "renju", "--mode", mode], line);
        let answer = answers[0].as_object_mut().expect("an object");
        answer.remove("ms");
        answer.remove("nodes");
        let expected: Value = serde_json::from_str(expected).expect("JSON");
        assert_eq!(answers, [expected], "{mode} {line}");
    };
    let three = r#"{"black": [[8,5],[8,6],[8,7]], "white": [[7,7],[7,8]], "turn": "black"}"#;
    check("vcf", three, r#"{"win": true, "line": [[8,4],[8,3],[8,8]]}"#);
    let nothing = r#"{"black": [[8,8]], "white": [[7,7]], "to_move": "black"}"#;
    check("vcf", nothing, r#"{"win": false, "line": []}"#);
    check("vct", nothing, r#"{"win": false, "line": []}"#);
    check("any", nothing, r#"{"win": null, "line": []}"#);
    let over = r#"{"black": [[1,1],[1,2],[1,3],[1,4],[1,5]], "white": [[7,7]], "turn": "white"}"#;
    check("any", over, r#"{"win": false, "line": []}"#);
    // Black may stop the four only on a point that is forbidden to it.
    let weapon = concat!(
        r#"{"black": [[8,4],[8,6],[8,7],[8,8],[8,9],[3,5],[9,5]], "#,
        r#""white": [[7,5],[6,5],[5,5],[8,10]], "turn": "white"}"#
    );
    check("vcf", weapon, r#"{"win": true, "line": [[4,5],[-1,-1],[8,5]]}"#);
    check("vcf", "{", r#"{"error": "the line is no JSON (EOF while parsing an object at line 1 column 1)"}"#);
}

/// A win that no order of fours and threes has, proved again against every answer.
#[test]
fn a_win_by_quieter_threats_is_found_and_verified() {
    let problems = include_str!("../../../rules/tests/data/renju/problems.jsonl");
    let line = problems.lines().find(|line| line.contains("only twos")).expect("the problem");
    let line = line.replace("to_move", "turn").replace(r#""name":"a move that makes only twos, by @nachirenju","#, "");
    let answers = agon(&["solve", "renju", "--verify"], &line);
    assert_eq!(answers[0]["win"], true, "{answers:?}");
    assert!(answers[0]["verified"].as_u64() > Some(10), "{answers:?}");
    let narrow = agon(&["solve", "renju", "--mode", "vct", "--verify"], &line);
    assert!(narrow[0]["win"] != true && narrow[0].get("verified").is_none(), "{narrow:?}");
}

/// If the count changes, the search has changed: say so where the change is described.
#[test]
fn bench_counts_the_same_nodes_everywhere() {
    let arguments = [
        "bench",
        "domineering",
        "--goal",
        "score",
        "--plies",
        "12",
        "--boards",
        "4",
        "--nodes",
        "2000",
        "--format",
        "json",
    ];
    let [line] = &agon(&arguments, "")[..] else { panic!("one series expected") };
    assert_eq!((&line["boards"], &line["nodes"]), (&4.into(), &1479.into()), "{line}");
}

#[test]
fn only_what_can_be_solved_is_solved() {
    let output = Command::cargo_bin("agon").expect("the binary").args(["solve", "bacteria"]).assert().code(2);
    let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(text.contains("possible values: domineering, renju"), "{text}");
}

#[test]
fn bench_of_renju_counts_the_same_nodes_everywhere() {
    let [line] = &agon(&["bench", "renju", "--depth", "2", "--format", "json"], "")[..] else {
        panic!("one line expected")
    };
    let counts = ["search", "threats", "fours", "stones"].map(|part| line[part]["nodes"].as_u64());
    assert_eq!(counts, [1_136_495, 126_943, 104_730, 812_000].map(Some), "{line}");
}

/// One run searches the same positions on one thread and on two, and compares.
#[test]
fn bench_compares_threads() {
    let [line] = &agon(&["bench", "renju", "--threads", "2", "--depth", "1", "--format", "json"], "")[..] else {
        panic!("one line expected")
    };
    let threads: Vec<_> = (0..2).map(|at| line["searches"][at]["threads"].as_u64()).collect();
    assert_eq!(threads, [Some(1), Some(2)], "{line}");
    assert!((0..2).all(|at| line["searches"][at]["nodes"].as_u64() > Some(0)), "{line}");
    assert!(["nps_ratio", "time_ratio"].iter().all(|ratio| line[ratio].as_f64() > Some(0.0)), "{line}");
}

/// The output of `agon analyze domineering` for a position: exit code, standard output and error.
fn analyze(position: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("agon").expect("the binary");
    let arguments = [&["analyze", "domineering", "-"], arguments].concat();
    let output = command.args(arguments).write_stdin(position).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

const SMALL: &str = r#"{"board": [[1,2,0],[3,1,1]], "occupied": [], "to_move": "H"}"#;

#[test]
fn analyze_shows_the_value_of_every_move() {
    let (code, out, err) = analyze(SMALL, &[]);
    assert_eq!((code, err.as_str()), (0, ""));
    let board = "\
H to move: H wins by 3.5
line  H 1 1, V 1 3, H 2 1
    1        2        3
 1  1[+3.5]  2 −2.5   0
 2  3[+3.5]  1 −2.5   1
PASS  −10.5 
a number between two cells: the final lead of H after a domino there; [best]
";
    assert_eq!(&out[..board.len()], board);
    let (_, coloured, _) = analyze(SMALL, &["--color", "always"]);
    assert!(coloured.contains("\x1b[") && anstream::adapter::strip_str(&coloured).to_string().starts_with(board));

    // Below the weights once dominoes have been placed.
    let (_, standing, _) = analyze(&SMALL.replace('H', "V"), &[]);
    assert!(standing.contains("\n 1  1      2      0\n  +2.5  [+10.5] −3.5  \n 2  3"), "{standing}");
}

#[test]
fn analyze_agrees_with_solve() {
    let check = |question: &str| {
        let (code, out, _) = analyze(question, &["--format", "json"]);
        let analysis: Value = serde_json::from_str(&out).expect("JSON");
        let solution = &agon(&["solve", "domineering"], question)[0];
        assert_eq!(code, 0);
        for key in ["value", "winner", "proved"] {
            assert_eq!(analysis[key], solution[key], "{key} of {question}");
        }
        let moves = analysis["moves"].as_array().expect("moves");
        let best: Vec<&Value> = moves.iter().filter(|m| m["best"] == true).map(|m| &m["move"]).collect();
        assert_eq!(best, solution["best"].as_array().expect("moves").iter().collect::<Vec<_>>(), "{question}");
    };
    check(SMALL);
    check(&SMALL.replace('H', "V"));
    check(r#"{"board": [[1,2],[3,1]], "occupied": [[1,1]], "to_move": "H", "last_pass": true, "lead": 4}"#);
    check(r#"{"board": [[1]], "occupied": [], "to_move": "V", "lead": -0.5}"#);
    check(r#"{"board": [[3,0,1,2],[1,1,2,0],[0,3,3,1],[2,2,0,1]], "occupied": [], "to_move": "H", "lead": 0}"#);
}

#[test]
fn analyze_out_of_time_shows_what_is_proved() {
    let empty = format!(r#"{{"board": {:?}, "occupied": [], "to_move": "H"}}"#, [[1, 2, 3, 0, 1, 2, 3, 0]; 8]);
    let (code, out, _) = analyze(&empty, &["--time", "0"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("H to move: not proved in time: H ends from "), "{out}");
    assert!(out.lines().next().unwrap().contains(" ahead, about "), "{out}");
    assert!(out.contains("out of time: of 57 moves 57 have no exact value yet"), "{out}");
    let (_, out, _) = analyze(&empty, &["--time", "0", "--format", "json"]);
    let analysis: Value = serde_json::from_str(&out).expect("JSON");
    let of = |key: &str| analysis[key].as_i64().unwrap();
    assert!(of("low") < of("estimate") && of("estimate") < of("high"), "{out}");
    assert_eq!(
        (&analysis["proved"], &analysis["value"], &analysis["winner"]),
        (&false.into(), &Value::Null, &Value::Null)
    );
    assert!(analysis["low"].as_i64() < analysis["high"].as_i64(), "{out}");
}

#[test]
fn analyze_draws_a_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("board.svg");
    let (code, _, err) = analyze(SMALL, &["--out", path.to_str().expect("text")]);
    assert_eq!((code, err.as_str()), (0, ""));
    let svg = std::fs::read_to_string(&path).expect("a picture");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    // Two bars win and two lose; the winning ones are outlined.
    assert_eq!((svg.matches(">+3.5<").count(), svg.matches(">−2.5<").count()), (2, 2), "{svg}");
    assert_eq!(svg.matches("stroke-width=\"3\"").count(), 2, "{svg}");
}

#[test]
fn analyze_refuses_what_is_no_position() {
    let check = |position: &str, message: &str| {
        let (code, out, err) = analyze(position, &[]);
        assert_eq!((code, out.as_str()), (2, ""), "{position}");
        assert!(err.starts_with("error: ") && err.contains(message), "`{message}` is not in: {err}");
    };
    check("", "`-` holds no position: one line of JSON expected");
    check(&format!("{SMALL}\n{SMALL}\n"), "`-` holds several lines: `agon solve` answers many positions");
    check("{", "`-`: the line is no JSON (EOF while parsing");
    let output = Command::cargo_bin("agon").expect("the binary").args(["analyze", "domineering", "none.json"]).assert();
    let text = String::from_utf8_lossy(&output.code(2).get_output().stderr).into_owned();
    assert!(text.contains("cannot read `none.json`"), "{text}");
}

/// The champion wins all that is won.
#[test]
fn results_are_held_against_perfect_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("agon.db");
    let run = |arguments: &[&str], db: &Path| {
        Command::cargo_bin("agon").expect("the binary").args(arguments).arg("--db").arg(db).output().expect("it runs")
    };
    let small = ["--set", "rows=4", "--set", "columns=5", "--affinity", "none"];
    let games = [&["match", "champion", "random", "--game", "domineering", "-n", "12"], &small[..]].concat();
    assert!(run(&games, &db).status.success());
    let output = run(&["results", "--theory", "--format", "json"], &db);
    let theory: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let agents = theory["agents"].as_array().expect("agents");
    let sum = |agent: usize, part: &str, key: &str| {
        agents[agent][part]
            .as_array()
            .expect("seats")
            .iter()
            .map(|seat| seat[key].as_u64().expect("a count"))
            .sum::<u64>()
    };
    assert_eq!((sum(0, "won_in_theory", "games"), sum(0, "won_in_theory", "wins")), (6, 6), "{theory}");
    // Every game that one side has lost in theory the other has won.
    assert_eq!(sum(0, "lost_in_theory", "games"), 6, "{theory}");
    assert_eq!(sum(0, "lost_in_theory", "wins") + sum(1, "won_in_theory", "wins"), 6, "{theory}");
    let text = String::from_utf8(run(&["results", "--theory"], &db).stdout).expect("text");
    assert!(text.contains("champion: of 6 games won in theory it won 6, 100.0 %"), "{text}");

    let renju = folder.path().join("renju.db");
    assert!(
        run(&["match", "random", "random", "--game", "renju", "-n", "2", "--affinity", "none"], &renju)
            .status
            .success()
    );
    let output = run(&["results", "--theory"], &renju);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("--theory: renju is not solved, only domineering"), "{message}");
}

/// A board larger than any of the game has bounds and estimates.
#[test]
fn analyze_bounds_large_boards() {
    let board = |rows: usize| (0..rows).map(|row| (0..9).map(|column| (row * 5 + column * 2) % 4).collect()).collect();
    let question = |rows: usize| {
        let board: Vec<Vec<usize>> = board(rows);
        format!(r#"{{"board": {board:?}, "occupied": [[1,1]], "to_move": "V", "lead": 1.5}}"#)
    };
    let (code, out, err) = analyze(&question(9), &["--time", "0", "--format", "json"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let analysis: Value = serde_json::from_str(&out).expect("JSON");
    let of = |value: &Value, key: &str| value[key].as_i64().unwrap();
    assert!(of(&analysis, "low") <= of(&analysis, "estimate") && of(&analysis, "low") < of(&analysis, "high"), "{out}");
    let moves = analysis["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &analysis["proved"], &analysis["lead"]), (72, &false.into(), &1.5.into()));
    assert!(moves.iter().all(|m| of(m, "low") <= of(m, "estimate") && of(m, "estimate") <= of(m, "high")), "{out}");
    // A smaller one is solved, and text and JSON agree.
    let (_, out, _) = analyze(&question(2), &["--format", "json"]);
    let analysis: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&analysis["proved"], &analysis["value"]), (&true.into(), &analysis["low"]));
    let (code, out, _) = analyze(&question(2), &[]);
    let ahead = analysis["value"].as_f64().unwrap() + 1.5;
    let ahead = format!("{ahead:+}").replace('-', "−");
    assert!(
        code == 0
            && out.starts_with(&format!(
                "V to move: {} wins; H ends {ahead} ahead\n",
                if ahead.starts_with('+') { "H" } else { "V" }
            )),
        "{out}"
    );
    assert!(out.contains("at least  about  at most") || out.contains("at least   about   at most"), "{out}");
    // Meaningless options are refused, and so are even larger boards.
    let refused = |question: &str, arguments: &[&str], message: &str| {
        let (code, out, err) = analyze(question, arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(message), "`{message}` is not in: {err}");
    };
    refused(&question(9), &["--out", "board.svg"], "--out draws boards with at most 8 rows and columns");
    refused(&question(9), &["--moves", "1 2"], "name the covered cells under `occupied`");
    refused(&question(11), &[], "a board that can be analyzed has 1 to 10 rows and columns, not 11 × 9");
    let solved = &agon(&["solve", "domineering"], &question(9))[0];
    let message = "a board has at most 8 rows and columns, not 9 × 9; `agon analyze domineering` takes up to 10";
    assert_eq!(solved["error"], message);
}
