//! Games of renju by opening rules and under other rule sets, from the command line.

use agon_referee::record::Record;

use crate::agon::run::{agon, agon_reading, folder, text};

/// A person opens by RIF, and the champion swaps or not, places the fourth stone and offers; the record has all of it.
#[test]
fn a_person_opens_a_game() {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    // The best opening of Black, which the champion takes; a decision out of place; a decision taken back.
    let typed = "H8\nswap\nH9\nundo\nH9\nJ9\nG8\nI10\nresign\n";
    let ran = agon_reading(
        &["play", "renju", "--opening-rule", "rif", "--first", "human", "--second", "champion", "--out", text(&path)],
        typed,
    );
    assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
    for said in [
        "Opening rule: RIF",
        "player 1 (Black): place stone 1 (Black) on H8",
        "no: `swap` does not fit here: place stone 2 (White) in the central 3 × 3 square",
        "you (Black): J9",
        "The opening is complete:",
        "White is to move.",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let record = Record::read(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let opening = &record.header.parameters["opening-rule"];
    assert!(opening.starts_with("rif H8 H9 J9 "), "{opening}");
    // The page of the game names the opening.
    let page = folder.path().join("game.html");
    let verified = agon(&["replay", text(&path), "--show", "none", "--out", text(&page)]);
    assert_eq!(verified.code, 0, "{} {}", verified.out, verified.err);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("opening Zangetsu (D5)"), "{page}");
}

/// Two engines play a game by a rule; record and SGF have the opening.
fn engines_open_a_game(rule: &str) {
    let folder = folder();
    let (record, sgf) = (folder.path().join("game.jsonl"), folder.path().join("game.sgf"));
    let played = agon(&[
        "play",
        "renju",
        "--opening-rule",
        rule,
        "--first",
        "greedy",
        "--second",
        "champion:3",
        "--seed",
        "1",
        "--out",
        text(&record),
        "--show",
        "none",
    ]);
    assert_eq!((played.code, played.err.as_str()), (0, ""), "{}", played.out);
    let read = Record::read(&std::fs::read_to_string(&record).unwrap()).unwrap();
    assert!(read.header.parameters["opening-rule"].starts_with(rule), "{:?}", read.header.parameters);
    let converted = agon(&["convert", text(&record), text(&sgf)]);
    assert_eq!(converted.code, 0, "{}", converted.err);
    assert!(std::fs::read_to_string(&sgf).unwrap().contains("ON["));
}

#[test]
fn engines_open_a_game_by_yamaguchi() {
    engines_open_a_game("yamaguchi");
}

#[test]
fn engines_open_a_game_by_soosyrv_8() {
    engines_open_a_game("soosyrv-8");
}

#[test]
fn engines_open_a_game_by_taraguchi_10() {
    engines_open_a_game("taraguchi-10");
}

#[test]
fn engines_open_a_game_by_swap2() {
    engines_open_a_game("swap2");
}

#[test]
fn opening_rules_are_for_people_and_engines_in_renju() {
    let check = |arguments: &[&str], expected: &str| {
        let ran = agon(&[&["play"], arguments].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.out);
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    };
    let unknown = "unknown opening rule: `pro`; expected rif, yamaguchi, soosyrv-8, taraguchi-10 or swap2";
    check(&["renju", "--opening-rule", "pro"], unknown);
    check(&["bacteria", "--opening-rule", "rif", "--first", "greedy"], "--opening-rule is for renju");
    let both = "--opening-rule and --set opening both set the opening";
    check(&["renju", "--opening-rule", "rif", "--first", "greedy", "--set", "opening=H8"], both);
    check(&["renju", "--opening-rule", "rif", "--first", "cat"], "--opening-rule is for people and built-in players");
    check(&["renju", "--set", "rules=caro"], "rules is `caro`; alphano, renju, standard or freestyle expected");
    let part = "opening-rule is not complete (next: swap colours, or keep them)";
    check(&["renju", "--set", "opening-rule=rif H8 H9 J9"], part);
    check(&["renju", "--set", "opening-rule=rif H8 K9"], "opening-rule is refused at decision 2, `K9`");
}

/// Under freestyle rules six in a row win; a POSITION line shows that to the agents.
#[test]
fn games_are_played_under_other_rules() {
    for rules in ["renju", "standard", "freestyle"] {
        let set = format!("rules={rules}");
        let ran = agon(&["play", "renju", "--set", &set, "--first", "champion:4", "--second", "greedy", "--seed", "1"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{rules}: {}", ran.out);
    }
}

#[test]
fn any_first_stones_are_analyzed() {
    let analyzed = |arguments: &[&str]| {
        let ran = agon(&[&["analyze", "renju"], arguments, &["--nodes", "2000", "--lines", "1"]].concat());
        (ran.code, ran.out, ran.err)
    };
    let (code, out, _) = analyzed(&["H8 F9"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("15/15/15/15/15/15/5W9/7B7/15/15/15/15/15/15/15 B renju 0 2\n"), "{out}");
    let (code, out, _) = analyzed(&["H8 H9", "--set", "rules=freestyle"]);
    assert!(code == 0 && out.contains(" B freestyle 0 2\n"), "{out}");
    let (code, _, err) = analyzed(&["H8 F9", "--set", "rules=alphano"]);
    assert!(code == 2 && err.contains("turn 2 must be played on rows and columns 7 to 9"), "{err}");
    let (code, _, err) = analyzed(&["H8 H8"]);
    assert!(code == 2 && err.contains("H8 (8,8) is taken by Black"), "{err}");
    // A position names its rules.
    let (code, out, _) = analyzed(&["15/15/15/15/15/15/15/BBBB1B9/15/15/15/15/15/15/15 B freestyle"]);
    assert!(code == 0 && out.contains("E8"), "{out}");
}
