//! `agon lab perft`.

use serde_json::Value;

use crate::agon::run::agon;

/// Numbers of lines of play, by depth from 0, in both formats and divided.
#[track_caller]
fn check(arguments: &[&str], counts: &[u64]) {
    let (game, rest) = arguments.split_first().unwrap();
    let depth = (counts.len() - 1).to_string();
    let perft = |more: &[&str]| {
        let ran = agon(&[&["perft", game, &depth], rest, more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
        ran.out
    };
    let mut lines = counts.iter().enumerate();
    let (plain, json) = (perft(&[]), perft(&["--format", "json"]));
    for (text, line) in plain.lines().zip(json.lines()) {
        let (depth, nodes) = lines.next().unwrap();
        // `5            4 752 668   13 ms, 365 M/s`
        let words: Vec<&str> = text.split("  ").map(str::trim).filter(|word| !word.is_empty()).collect();
        assert_eq!(words[0], depth.to_string(), "{text}");
        assert_eq!(words[1].replace(' ', ""), nodes.to_string(), "{text}");
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((line["depth"].as_u64(), line["nodes"].as_u64()), (Some(depth as u64), Some(*nodes)));
        assert!(line["ms"].is_number() && line["position"].is_string(), "{line}");
    }
    assert_eq!((lines.len(), plain.lines().count()), (0, json.lines().count()));

    let last = *counts.last().unwrap();
    let total = perft(&["--divide"]).lines().last().unwrap().replace(' ', "");
    assert!(total.starts_with(&format!("total{last}")), "{total}");
    let divided: Value = serde_json::from_str(&perft(&["--divide", "--format", "json"])).unwrap();
    let moves = divided["moves"].as_object().unwrap();
    assert_eq!(moves.len() as u64, counts[1], "{divided}");
    assert_eq!(moves.values().map(|nodes| nodes.as_u64().unwrap()).sum::<u64>(), last);
    assert_eq!(divided["nodes"], last);
}

#[test]
fn counts_of_bacteria() {
    check(&["bacteria"], &[1, 16, 256, 6460, 155_888, 4_752_668]);
    check(&["bacteria", "--position", "7/7/7/2x1o2/7/7/7 x 0 1"], &[1, 23, 419, 7887, 168_317]);
    // A finished game has no moves.
    check(&["bacteria", "--position", "7/7/7/7/7/7/6x x 0 1"], &[1, 0, 0]);
}

#[test]
fn counts_of_renju() {
    // One opening move, a neighbour of it, anything on the 5 × 5 around it.
    check(&["renju"], &[1, 1, 8, 8 * 23]);
}

#[test]
fn counts_of_domineering() {
    // A PASS or one of the places: 4 and 4 on 2 × 3 turned either way.
    check(&["domineering", "--set", "rows=2", "--set", "columns=3"], &[1, 5]);
    check(&["domineering", "--set", "rows=3", "--set", "columns=2"], &[1, 4]);
    check(&["domineering", "--set", "rows=1", "--set", "columns=1"], &[1, 0]);
    // The number of places does not hang on the weights.
    check(&["domineering", "--seed", "3"], &[1, 57]);
    check(&["domineering", "--position", "00/00 ../.. H 0 2.5 0"], &[1, 3]);
}
