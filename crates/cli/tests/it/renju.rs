//! `agon analyze renju`: input and output.

use assert_cmd::Command;
use serde_json::Value;

fn agon(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("agon").expect("the binary");
    command.args(["analyze", "renju"]).args(arguments);
    command
}

fn output(arguments: &[&str]) -> String {
    let assert = agon(arguments).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

#[test]
fn a_forced_win_is_drawn_move_by_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("win.svg");
    let picture = picture.to_str().expect("a name");
    // Black's three stones make a straight four, and White's last stone threatens nothing.
    let text = output(&["H8 H9 G8 I9 F8 J11", "--nodes", "500", "--out", picture]);
    assert!(text.contains("Black wins by force   ") && text.contains(" 3 "), "{text}");
    let svg = std::fs::read_to_string(picture).expect("a picture");
    assert!(svg.contains(">1</text>") && svg.contains(">3</text>"), "{svg}");
}

#[test]
fn programs_get_lines_of_json() {
    // Two threes on H8 are forbidden to Black; noname wins by force.
    let position = "15/15/15/15/15/7B7/7B7/15/15/4BB9/15/15/15/15/15 W";
    let text = output(&[position, "--nodes", "300", "--lines", "2", "--format", "json"]);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!(lines.iter().any(|line| line["rank"] == 2), "{text}");
    let last = lines.last().expect("lines");
    assert!(last["win"].is_null() && last["forbidden"].is_array(), "{last}");
}

#[test]
fn games_are_read_from_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.sgf");
    std::fs::write(&file, "(;GM[4]SZ[15];B[hh];W[hg];B[ig])").expect("a file");
    let text = output(&[file.to_str().expect("a name"), "--nodes", "300"]);
    assert!(text.contains("White to move"), "{text}");
    let check = |argument: &str, message: &str| {
        let output = agon(&[argument]).assert().code(2);
        let text = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(text.contains(message) && text.lines().count() == 1, "{text}");
    };
    check("H8 H8", "move 2, H8: H8 (8,8) is taken by Black");
    check("nothing.sgf", "`nothing.sgf` is neither a position, nor moves, nor a file");
}
