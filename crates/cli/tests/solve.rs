//! `agon solve` and `agon bench`: what goes in and what comes out.

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
    check(&[], "{", r#"{"error": "EOF while parsing an object at line 1 column 1"}"#);
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
    let weapon = r#"{"black": [[8,4],[8,6],[8,7],[8,8],[8,9],[3,5],[9,5]], "white": [[7,5],[6,5],[5,5],[8,10]], "turn": "white"}"#;
    check("vcf", weapon, r#"{"win": true, "line": [[4,5],[-1,-1],[8,5]]}"#);
    check("vcf", "{", r#"{"error": "EOF while parsing an object at line 1 column 1"}"#);
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
    assert_eq!(counts, [7817, 125_857, 104_730, 812_000].map(Some), "{line}");
}
