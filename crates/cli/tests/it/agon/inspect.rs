//! `agon inspect`, compared with other programs' results for the same positions.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::agon::run::{agon, agon_reading};

/// One answer a question, in their order.
#[track_caller]
fn answers(game: &str, questions: &[String]) -> Vec<Value> {
    let ran = agon_reading(&["inspect", game], questions.join("\n"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), questions.len());
    answers
}

#[test]
fn forbidden_points_are_those_of_three_independent_programs() {
    let lines: Vec<Value> = include_str!("../../../../rules/tests/data/renju/forbidden.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2033);
    let question =
        |line: &Value, turn: &str| json!({ "black": line["black"], "white": line["white"], "turn": turn }).to_string();
    let points = |list: &Value| list.as_array().unwrap().iter().map(Value::to_string).collect::<BTreeSet<_>>();
    // The forbidden points are Black's, whoever moves; only Black's moves are reduced by them.
    let black = answers("renju", &lines.iter().map(|line| question(line, "black")).collect::<Vec<_>>());
    let white = answers("renju", &lines.iter().map(|line| question(line, "white")).collect::<Vec<_>>());
    for ((line, black), white) in lines.iter().zip(&black).zip(&white) {
        let expected = points(&line["forbidden"]);
        assert_eq!(points(&black["forbidden"]), expected, "{line}");
        if black["outcome"].is_null() {
            let fewer = white["legal"].as_u64().unwrap() - black["legal"].as_u64().unwrap();
            assert_eq!(fewer as usize, expected.len(), "{line}");
        }
    }
}

/// Part of the answer: only the keys of `expected` are compared.
#[track_caller]
fn check(game: &str, question: &Value, expected: &Value) {
    let answer = &answers(game, &[question.to_string()])[0];
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&answer[key], value, "{key} of {question}");
    }
}

#[test]
fn renju() {
    let four = json!([[8, 4], [8, 5], [8, 6], [8, 7]]);
    let outside = json!([[1, 1], [1, 3], [1, 5], [15, 1]]);
    check("renju", &json!({ "black": four, "white": outside, "turn": "black" }), &json!({ "wins": [[8, 3], [8, 8]] }));
    check("renju", &json!({ "black": outside, "white": four, "turn": "white" }), &json!({ "wins": [[8, 3], [8, 8]] }));
    check("renju", &json!({ "black": four, "white": outside, "turn": "white" }), &json!({ "wins": [] }));
    let five = json!([[8, 4], [8, 5], [8, 6], [8, 7], [8, 8]]);
    check(
        "renju",
        &json!({ "black": five, "white": outside, "turn": "white" }),
        &json!({ "outcome": "first", "legal": 0 }),
    );
    check("renju", &json!({ "black": [], "white": [], "turn": "black" }), &json!({ "legal": 1, "outcome": null }));
    // A point may be written as players do.
    let lettered = json!({ "black": ["D8", "e8", [8, 6], "G8"], "white": outside, "turn": "black" });
    check("renju", &lettered, &json!({ "wins": [[8, 3], [8, 8]] }));
}

#[test]
fn bacteria() {
    let start = json!({ "position": "x5o/7/7/7/7/7/o5x x 0 1" });
    let answer = &answers("bacteria", &[start.to_string()])[0];
    assert_eq!((&answer["turn"], &answer["outcome"]), (&json!("first"), &json!(null)));
    let moves = answer["moves"].as_array().unwrap();
    // Three divisions and five leaps from each corner.
    assert_eq!(moves.len(), 16);
    assert!(moves.contains(&json!([1, 1, 2, 2])) && moves.contains(&json!([7, 7, 5, 6])), "{answer}");

    // Every source of a division counts here, as it does for an agent; perft knows it once.
    let two = json!({ "position": "xx5/7/7/7/7/7/6o x 0 1" });
    let moves = answers("bacteria", &[two.to_string()])[0]["moves"].as_array().unwrap().len();
    let perft =
        agon(&["perft", "bacteria", "1", "--position", "xx5/7/7/7/7/7/6o x 0 1", "--divide", "--format", "json"]);
    // (2,1) and (2,2) can be reached from both.
    assert_eq!(moves as u64, perft.json()["nodes"].as_u64().unwrap() + 2);

    let stuck = json!({ "position": "x1ooooo/ooooooo/ooooooo/ooooooo/ooooooo/ooooooo/ooooooo x 0 1" });
    check("bacteria", &stuck, &json!({ "moves": [[1, 1, 1, 2]], "outcome": null }));
    let passing = json!({ "position": "xoooooo/ooooooo/ooooooo/ooooooo/ooooooo/ooooooo/oooooo1 x 0 1" });
    check("bacteria", &passing, &json!({ "moves": [[-1, -1, -1, -1]], "outcome": null }));
    let over = json!({ "position": "7/7/7/7/7/7/6o x 0 1" });
    check("bacteria", &over, &json!({ "moves": [], "outcome": "second" }));
}

#[test]
fn best_moves_of_domineering_are_among_the_legal_ones() {
    let lines: Vec<&str> = include_str!("../../../../rules/tests/data/domineering/solved.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert!(lines.len() > 100);
    let fields = |line: &str| line.split('|').map(|field| field.trim().to_owned()).collect::<Vec<_>>();
    let questions: Vec<String> = lines.iter().map(|line| domineering(&fields(line)[0]).to_string()).collect();
    for (line, answer) in lines.iter().zip(answers("domineering", &questions)) {
        let legal: Vec<String> = answer["moves"].as_array().unwrap().iter().map(Value::to_string).collect();
        for best in fields(line)[2].split(',').map(str::trim) {
            let best = format!("[{}]", best.replace(' ', ","));
            assert!(legal.contains(&best), "{best} is not among {legal:?}: {line}");
        }
    }
}

/// A position's text as a question.
fn domineering(position: &str) -> Value {
    let fields: Vec<&str> = position.split(' ').collect();
    let digits = |row: &str| row.chars().map(|digit| digit.to_digit(10).unwrap()).collect::<Vec<_>>();
    let mut occupied = Vec::new();
    for (row, cells) in fields[1].split('/').enumerate() {
        let covered = cells.chars().enumerate().filter(|(_, cell)| *cell != '.');
        occupied.extend(covered.map(|(column, _)| [row + 1, column + 1]));
    }
    json!({
        "board": fields[0].split('/').map(digits).collect::<Vec<_>>(),
        "occupied": occupied,
        "to_move": fields[2],
        "last_pass": fields[3] == "1",
    })
}

#[test]
fn domineering_by_hand() {
    let board = json!([[0, 3, 1], [2, 2, 0]]);
    let question = |occupied: Value, turn: &str, last_pass: bool| {
        let mut question = json!({ "board": board, "occupied": occupied, "to_move": turn });
        question["last_pass"] = last_pass.into();
        question
    };
    let row = json!([[1, 1], [1, 2]]);
    check("domineering", &question(row.clone(), "V", false), &json!({ "moves": [[1, 3], [-1, -1]], "outcome": null }));
    check("domineering", &question(row, "H", true), &json!({ "moves": [[2, 1], [2, 2], [-1, -1]], "outcome": null }));
    // Only the other side has a place left, so this one must pass.
    let standing = json!([[1, 1], [1, 2], [2, 2]]);
    check("domineering", &question(standing, "H", false), &json!({ "moves": [[-1, -1]], "outcome": null }));
    // With no place left the lead decides.
    let over = |lead: f64| json!({ "board": [[1]], "occupied": [], "to_move": "H", "lead": lead });
    check("domineering", &over(0.5), &json!({ "moves": [], "outcome": "first" }));
    check("domineering", &over(-0.5), &json!({ "moves": [], "outcome": "second" }));
    let full = json!([[1, 1], [2, 1], [1, 2], [2, 2]]);
    check("domineering", &question(full, "H", false), &json!({ "moves": [[-1, -1]], "outcome": null }));
}

#[test]
fn the_help_is_right() {
    #[track_caller]
    fn check(flat: &str, game: &str, question: &str, answer: &str) {
        assert!(flat.contains(&format!("in {question}")), "{question} is not in the help");
        assert!(flat.contains(&format!("out {answer}")), "{answer} is not in the help");
        let message = agon_reading(&["inspect", game], question).json();
        let mut answer: Value = serde_json::from_str(&answer.replace(", …", "")).unwrap();
        if message["moves"].as_array().is_some_and(|moves| moves.len() > 3) {
            answer["moves"] = message["moves"].clone();
        }
        assert_eq!(message, answer);
    }
    let help = agon(&["inspect", "--help"]).out;
    let flat = help.split_whitespace().collect::<Vec<_>>().join(" ");
    check(
        &flat,
        "bacteria",
        r#"{"position": "x5o/7/7/7/7/7/o5x x 0 1"}"#,
        r#"{"turn": "first", "moves": [[1,1,1,2], …], "outcome": null}"#,
    );
    check(
        &flat,
        "domineering",
        r#"{"board": [[0,3,1],[2,2,0]], "occupied": [[1,1],[1,2]], "to_move": "V", "last_pass": false, "lead": -2.5}"#,
        r#"{"moves": [[1,3],[-1,-1]], "outcome": null}"#,
    );
    check(
        &flat,
        "renju",
        r#"{"black": [[8,8]], "white": [[7,7]], "turn": "black"}"#,
        r#"{"legal": 23, "forbidden": [], "outcome": null, "wins": []}"#,
    );
}

#[test]
fn a_line_that_is_not_json_is_refused() {
    for game in ["bacteria", "domineering", "renju", "petri"] {
        for line in ["hello", "{\"board\":", "8 8"] {
            let ran = agon_reading(&["inspect", game], line);
            let message: Value = serde_json::from_str(&ran.out).unwrap();
            let error = message["error"].as_str().unwrap();
            assert!(error.starts_with("the line is no JSON ("), "{error}");
            assert!(error.ends_with(')'), "{error}");
        }
        let ran = agon_reading(&["inspect", game], "{}");
        assert!(ran.out.contains("missing field"), "{}", ran.out);
    }
}

#[test]
fn a_bad_line_is_answered_and_the_run_goes_on() {
    #[track_caller]
    fn check(game: &str, good: &Value, bad: &[(&[u8], &str)]) {
        let good = good.to_string();
        let mut input = Vec::new();
        for (line, _) in bad {
            input.extend([good.as_bytes(), line, b"", good.as_bytes()].join(&b'\n'));
            input.push(b'\n');
        }
        let ran = agon_reading(&["inspect", game], input);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 3 * bad.len(), "{}", ran.out);
        for (message, (line, expected)) in lines.chunks(3).zip(bad) {
            assert_eq!(message[0], message[2]);
            assert!(message[0].get("error").is_none(), "{}", message[0]);
            let error = message[1]["error"].as_str().unwrap_or_else(|| panic!("no error for {line:?}"));
            assert!(error.contains(expected), "`{expected}` is not in `{error}`");
        }
    }
    check(
        "bacteria",
        &json!({ "position": "x5o/7/7/7/7/7/o5x x 0 1", "src": "other keys are passed over" }),
        &[
            (b"nonsense", "expected"),
            (b"{", "EOF"),
            (b"[]", "invalid length 0"),
            (b"{}", "missing field `position`"),
            (b"\xff\xfe", "expected value"),
            (br#"{"position": 3}"#, "expected a string"),
            (br#"{"position": "8/7 x"}"#, "expected 7 rows"),
        ],
    );
    check(
        "domineering",
        &json!({ "board": [[1, 1]], "occupied": [], "to_move": "H" }),
        &[
            (br#"{"board": [[1]], "occupied": [], "to_move": "X"}"#, "unknown variant `X`"),
            (br#"{"board": [], "occupied": [], "to_move": "H"}"#, "1 to 8"),
            (br#"{"board": [[1,2],[1]], "occupied": [], "to_move": "H"}"#, "row 2"),
            (br#"{"board": [[100]], "occupied": [], "to_move": "H"}"#, "the limit is 99"),
            (br#"{"board": [[-1]], "occupied": [], "to_move": "H"}"#, "-1"),
            (br#"{"board": [[1]], "occupied": [[0,1]], "to_move": "H"}"#, "(0,1)"),
            (br#"{"board": [[1]], "occupied": [], "to_move": "H", "lead": 0.3}"#, "steps of one half"),
            (br#"{"board": [[1]], "occupied": [[9,9]], "to_move": "H"}"#, "(9,9)"),
        ],
    );
    check(
        "renju",
        &json!({ "black": [[8, 8]], "white": [], "turn": "white" }),
        &[
            (br#"{"black": [[0,1]], "white": [], "turn": "white"}"#, "[0,1] is outside the board"),
            (br#"{"black": [[1,16]], "white": [], "turn": "white"}"#, "[1,16] is outside the board"),
            (br#"{"black": [[-1,1]], "white": [], "turn": "white"}"#, "[-1,1] is outside the board"),
            (br#"{"black": [[1,1]], "white": [[1,1]], "turn": "white"}"#, "(1,1)"),
            (br#"{"black": [[1]], "white": [], "turn": "white"}"#, "invalid length 1"),
            (br#"{"black": [], "white": [], "turn": "red"}"#, "unknown variant `red`"),
        ],
    );
}
