//! One engine by one name: whoever asks it, a protocol of other arenas, `agon analyze` or the judge, gets the same answer
//! after the same work.

use assert_cmd::Command;

fn agon(args: &[&str], input: String) -> String {
    let assert = Command::cargo_bin("agon").expect("built").args(args).write_stdin(input).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

/// The word after the last one of this kind.
fn after<'a>(text: &'a str, word: &str) -> &'a str {
    let mut words = text.split_ascii_whitespace().rev();
    let mut last = "";
    loop {
        match words.next() {
            Some(found) if found == word => return last,
            Some(found) => last = found,
            None => panic!("no `{word}` in {text}"),
        }
    }
}

#[test]
fn uai_and_analyze_ask_the_champion_itself() {
    for fen in ["x5o/7/7/7/7/7/o5x x 0 1", "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10"] {
        let spoken = agon(&["uai"], format!("position fen {fen}\ngo nodes 3000\n"));
        let nodes: u64 = after(&spoken, "nodes").parse().expect("a number");
        let args =
            ["analyze", "bacteria", fen, "--nodes", "3000", "--lines", "1", "--memory", "64", "--format", "json"];
        let lines = agon(&args, String::new());
        let found: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        let told = &found[found.len() - 2];
        assert_eq!((&told["nodes"], found.len()), (&nodes.into(), spoken.lines().count()), "{spoken}{lines}");
    }
}
