//! Rules that break one promise: the check names it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agon_external::{STARTERS, check, check_all, load, starter_files};

/// The law that the check finds broken in the starter in Python after these changes, and why.
fn broken(folder: &Path, name: &str, changes: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let starter = STARTERS.iter().find(|starter| starter.language == "python").unwrap();
    let mut rules = starter_files(starter, name)[0].1.clone();
    for (from, to) in changes {
        assert!(rules.contains(from), "{name}: {from}");
        rules = rules.replace(from, to);
    }
    problems(folder, name, &rules)
}

fn problems(folder: &Path, name: &str, rules: &str) -> Vec<(&'static str, String)> {
    let path = folder.join(format!("{name}.py"));
    fs::write(&path, rules).unwrap();
    let game = load(&path).unwrap_or_else(|error| panic!("{error}"));
    let report = check(game, 4, 1, &BTreeMap::new()).unwrap();
    report.findings.into_iter().filter_map(|finding| Some((finding.law, finding.problem?))).collect()
}

const MOVES: &str = "return [str(taken) for taken in (1, 2, 3) if taken <= self.stones]";

#[test]
fn each_broken_promise_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, changes: &[(&str, &str)], law: &str, words: &str| {
        let found = broken(folder.path(), name, changes);
        let named = found.iter().any(|(broken, problem)| broken.contains(law) && problem.contains(words));
        assert!(named, "{name}: `{law}`, `{words}`: {found:?}");
        let text = format!("{found:?}");
        assert!(!text.contains("Some(") && !text.contains("Turn("), "no debug text: {text}");
    };
    assert_eq!(broken(folder.path(), "good", &[]), []);
    check(
        "unlisted",
        &[
            (
                MOVES,
                "return [str(taken) for taken in (1, 2, 3) if taken <= self.stones and (taken < 3 or self.stones % 2)]",
            ),
            ("if move not in self.moves():", "if move not in '123' or int(move) > self.stones:"),
        ],
        "every legal move is listed once",
        "`3` is accepted and not listed",
    );
    let twice = "return [str(taken) for taken in (1, 2, 3) if taken <= self.stones] + ['1'] * (self.stones > 0)";
    check("twice", &[(MOVES, twice)], "every legal move is listed once", "`1` is listed twice");
    let shuffled = "list = [str(taken) for taken in (1, 2, 3) if taken <= self.stones]\n        \
                    return sorted(list, key=lambda move: hash((move, SALT, self.stones)))";
    check(
        "shuffled",
        &[(MOVES, shuffled), ("import random", "import random\nSALT = random.getrandbits(60)")],
        "every legal move is listed once",
        "in another order",
    );
    let view = "return [\"row \" + \"o\" * self.stones if self.stones else \"row .\"]";
    check("random-view", &[(view, "return ['row %d' % random.getrandbits(60)]")], "the same board", "two boards");
    check(
        "ragged",
        &[(view, "return ['row ooo', 'row o']")],
        "the board can be read",
        "row 1 has 3 places, row 2 has 1",
    );
    let refused = "            return False\n";
    check(
        "loads-anything",
        &[(refused, "            words = ['9', 'first']\n")],
        "what is not a saved state is refused",
        "`LOAD x` is accepted",
    );
    check(
        "crashes-at-nonsense",
        &[(refused, "            raise ValueError(text)\n")],
        "what is not a saved state is refused",
        "ValueError",
    );
    let end = "return [\"end %s the last stone is taken\" % winner]";
    let against =
        "return [\"end %s the last stone is taken\" % winner, 'score ' + ('0 1' if winner == 'first' else '1 0')]";
    check("against", &[(end, against)], "the winner has not fewer points", "the winner has fewer points");
}

#[test]
fn other_values_of_parameters_are_tried() {
    let folder = tempfile::tempdir().unwrap();
    let starter = STARTERS.iter().find(|starter| starter.language == "python").unwrap();
    let rules = starter_files(starter, "parameters")[0].1.clone();
    let start = "        self.stones, self.turn = int(parameters[\"stones\"]), \"first\"\n";
    assert!(rules.contains(start));
    let path = folder.path().join("parameters.py");
    fs::write(&path, rules.replace(start, &format!("        assert parameters['stones'] != '60'\n{start}"))).unwrap();
    let game = load(&path).unwrap();
    assert!(check(game, 2, 1, &BTreeMap::new()).unwrap().passes());
    let report = check_all(game, 2, 1, &BTreeMap::new()).unwrap();
    let problem = report.findings[0].problem.as_deref().unwrap_or_default();
    assert!(problem.starts_with("with stones=60: ") && problem.contains("AssertionError"), "{report:?}");
    let given = [("stones".to_owned(), "60".to_owned())].into();
    assert!(check(game, 2, 1, &given).unwrap_err().contains("AssertionError"));
}

/// Both sides play one move, the first one in secret; the first side also has a secret card.
const SECRETS: &str = r#"
import sys
GAME = "name NAME\nplies 4\nhas moves view secrets draws"
card, played = 0, []
def situation():
    if len(played) < 2: return ["turn " + ("first", "second")[len(played)]]
    return ["info both played %s %s" % tuple(played), "end draw both have moved"]
def answer(word, rest):
    global card, played
    if word == "GAME": return GAME.split("\n")
    if word == "START":
        card, played = int(rest.split()[0]) % 9, []
        return ["info first card %d" % card] + situation()
    if word == "PLAY":
        move = rest.split(" ", 2)[2]
        if move not in ("a", "b"): return ["no a or b expected"]
        played.append(move)
        return situation()
    if word == "MOVES": return ["move a", "move b"] if len(played) < 2 else []
    if word == "VIEW":
        own = str(card) if rest in ("first", "all") or CARD else "?"
        seen = "".join(played) if len(played) == 2 or rest in ("first", "all") or LEAKED else "?" * len(played)
        return ["row " + own + (seen + "..")[:2]]
    return ["no such question"]
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    lines = answer(word, rest)
    print("\n".join(lines + ([] if lines and lines[0].startswith("no ") else ["ok"])), flush=True)
"#;

#[test]
fn a_secret_that_a_board_shows_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, card: &str, shown: &str, words: Option<&str>| {
        let rules = SECRETS.replace("NAME", name).replace("CARD", card).replace("LEAKED", shown);
        let found = problems(folder.path(), name, &rules);
        match words {
            None => assert_eq!(found, [], "{name}"),
            Some(words) => {
                let leak =
                    found.iter().any(|(law, problem)| law.contains("no more than INFO") && problem.contains(words));
                assert!(leak, "{name}: {found:?}");
            }
        }
    };
    check("no-leak", "False", "False", None);
    check("shows-the-card", "True", "False", Some("differs between starts"));
    check("shows-the-move", "False", "True", Some("shows whether first played `a` or `b`"));
}
