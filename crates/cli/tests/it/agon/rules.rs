//! The rules pages: their examples are played under the judge, line by line.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::agon::run::{agon, file, finish, folder, root, text};

/// The page of a game.
fn page(game: &str) -> String {
    fs::read_to_string(root().join(format!("docs/rules/{game}.md"))).unwrap()
}

/// The lines of the example: the only block of plain text of a page.
fn example(page: &str) -> Vec<&str> {
    let (_, block) = page.split_once("```text\n").unwrap();
    block.split_once("```").unwrap().0.lines().collect()
}

/// A line with the times that differ from run to run as `T`.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["TURN", _, _] => "TURN T T".to_owned(),
        ["OPP", .., _] => format!("{} T", words[..words.len() - 1].join(" ")),
        _ => line.to_owned(),
    }
}

/// The conversation between the judge and one agent, from the lines of a page.
fn message(lines: &[&str], agent: &str) -> Vec<String> {
    let line = |line: &&str| {
        let (way, rest) = line.split_once(' ')?;
        let (whom, rest) = rest.split_once(' ')?;
        let said = rest.trim_start();
        (whom == agent || whom == "both").then(|| format!("{way} {}", timeless(said)))
    };
    lines.iter().filter_map(line).collect()
}

/// The conversation between the judge and one agent, from a record.
fn recorded(record: &[Value], agent: &str) -> Vec<String> {
    let line = |line: &Value| {
        let way = ["to", "from"].into_iter().find(|way| line[*way] == agent)?;
        Some(format!("{way} {}", timeless(line["line"].as_str()?)))
    };
    record.iter().filter_map(line).collect()
}

/// The lines of a record.
fn lines(record: &Path) -> Vec<Value> {
    fs::read_to_string(record).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Answers READY and TURN by the lines of a file.
const BOT: &str = r#"exec 3<"$1"
while read -r line; do
    case $line in
        READY* | TURN*) read -r answer <&3; echo "$answer" ;;
        FINISH) exit 0 ;;
    esac
done
"#;

/// Plays the example of a page and compares every line.
#[track_caller]
fn check(game: &str, set: &[&str], result: &str) {
    let page = page(game);
    let example = example(&page);
    let folder = folder();
    let bot = file(&folder, "bot.sh", BOT);
    let agents = ["first", "second"].map(|agent| {
        let answers: Vec<String> = message(&example, agent)
            .iter()
            .filter_map(|line| Some(format!("{}\n", line.strip_prefix("from ")?)))
            .collect();
        let answers = file(&folder, agent, &answers.concat());
        format!("sh '{}' '{}'", text(&bot), text(&answers))
    });
    let record = folder.path().join("game.jsonl");
    let words =
        [&["play", game, "--first", &agents[0], "--second", &agents[1], "--out", text(&record)][..], set].concat();
    let played = agon(&[&words[..], &["--format", "json"]].concat()).json();
    let record = lines(&record);
    for agent in ["first", "second"] {
        assert_eq!(recorded(&record, agent), message(&example, agent), "{game}: {agent}");
    }
    let moves = |said: Vec<String>| said.into_iter().filter(|line| line.contains("MOVE")).collect::<Vec<_>>();
    let order: Vec<String> =
        example.iter().filter(|line| line.starts_with("from")).map(|line| (*line).to_owned()).collect();
    let both: Vec<String> = record
        .iter()
        .filter_map(|line| Some(format!("from {} {}", line["from"].as_str()?, line["line"].as_str()?)))
        .collect();
    let squeezed = |line: String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(moves(both), moves(order.into_iter().map(squeezed).collect()), "{game}: the order of moves");
    check_result(&page, &played, result);
}

/// The page says how the game ended.
#[track_caller]
fn check_result(page: &str, played: &Value, result: &str) {
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let reason = played["reason"].as_str().unwrap();
    assert!(result.ends_with(reason), "{played}");
    assert!(words.contains(result), "the page does not say: {result}");
    assert_eq!(played["verdicts"], serde_json::json!(["OK", "OK"]));
}

#[test]
fn the_example_of_bacteria_is_a_game() {
    check("bacteria", &[], "X wins 0–5: O has vanished");
}

#[test]
fn the_example_of_domineering_is_a_game() {
    let page = page("domineering");
    let rows: Vec<String> =
        example(&page).iter().filter_map(|line| Some(line.strip_prefix("to both")?.trim().to_owned())).collect();
    let board = format!("board={}", rows.join("/"));
    check("domineering", &["--set", &board], "H wins 11–8.5: both players passed one after the other");
}

#[test]
fn the_example_of_renju_is_a_game() {
    check("renju", &[], "Black wins: Black has made a five on the row from F8 (8,6) to J8 (8,10)");
}

/// Keeps its inputs, and answers by the lines of a file, one an invocation.
const CELL: &str = r#"
n=$(cat "$1/count" 2>/dev/null || echo 1)
echo $((n + 1)) >"$1/count"
input=$(cat; echo .)
printf '%s\n' "${input%.}" >>"$1/inputs"
sed -n "${n}p" "$1/answers"
"#;

#[test]
fn the_example_of_the_petri_dish_is_a_game() {
    let page = page("petri");
    let example = example(&page);
    let folder = folder();
    let cell = file(&folder, "cell.sh", CELL);
    let said = |mark: &str| -> String {
        let lines = example.iter().filter_map(|line| line.strip_prefix(mark));
        lines.flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect()
    };
    let agents = ["1", "2"].map(|colony| {
        let room = folder.path().join(colony);
        fs::create_dir(&room).unwrap();
        fs::write(room.join("answers"), said(&format!("{colony}<"))).unwrap();
        format!("sh '{}' '{}'", text(&cell), text(&room))
    });
    let record = folder.path().join("game.jsonl");
    // They record their questions.
    let size = ["--size", "6x4", "--format", "json", "--jail", "none"];
    let words = ["play", "petri", "--first", &agents[0], "--second", &agents[1], "--out", text(&record)];
    let played = agon(&[&words[..], &size].concat()).json();
    for colony in ["1", "2"] {
        let inputs = fs::read_to_string(folder.path().join(colony).join("inputs")).unwrap();
        assert_eq!(inputs, said(&format!("{colony}>")), "colony {colony}");
    }
    let answers: Vec<String> = example
        .iter()
        .filter_map(|line| line.strip_prefix("1< ").or(line.strip_prefix("2< ")).map(str::to_owned))
        .collect();
    let recorded = lines(&record);
    let recorded: Vec<&str> = recorded
        .iter()
        .filter(|line| line["from"].is_string())
        .map(|line| line["line"].as_str().unwrap().trim())
        .collect();
    assert_eq!(recorded, answers, "the order of actions");
    check_result(&page, &played, "Colony 1 wins 1–0: the second colony is extinct");
}

/// The commands of a page that pipe lines into a sample, with their output.
#[test]
fn the_samples_answer_as_the_pages_say() {
    let mut count = 0;
    for game in ["bacteria", "domineering", "renju", "petri"] {
        let page = page(game);
        for block in page.split("```sh\n$ ").skip(1) {
            let (shown, _) = block.split_once("```").unwrap();
            let (command, answers) = shown.split_once('\n').unwrap();
            let mut shell = assert_cmd::Command::new("sh");
            let ran = finish(shell.args(["-c", command]).current_dir(root()));
            assert_eq!((ran.code, ran.err.as_str(), ran.out.trim_end()), (0, "", answers.trim_end()), "{command}");
            count += 1;
        }
    }
    assert_eq!(count, 3);
}

#[test]
fn a_first_move_off_the_centre_loses_as_the_page_says() {
    let folder = folder();
    let bot = file(&folder, "bot.sh", BOT);
    let answers = file(&folder, "answers", "OK\nMOVE 8 9\n");
    let agent = format!("sh '{}' '{}'", text(&bot), text(&answers));
    let played = agon(&["play", "renju", "--first", &agent, "--second", "greedy", "--format", "json"]).json();
    assert_eq!((&played["winner"], &played["verdicts"][0]), (&Value::from("second"), &Value::from("RE")));
}
