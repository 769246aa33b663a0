//! `agon book renju`: what it shows, refuses and keeps.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;

use agon_engines::renju::book::notation::read_stones;
use agon_engines::renju::book::{EXAMPLE, PractisedBook};
use assert_cmd::Command;
use serde_json::Value;

const CERTIFICATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../books/renju.proof");

fn agon(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("agon").expect("the binary");
    command.current_dir(folder).args(["book", "renju"]).args(arguments);
    command
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("example.book"), EXAMPLE).expect("a file");
    folder
}

fn output(folder: &Path, arguments: &[&str], code: i32) -> String {
    let assert = agon(folder, arguments).assert().code(code);
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

#[test]
fn the_book_is_shown() {
    let folder = folder();
    let text = output(folder.path(), &["--book", "example.book"], 0);
    assert!(
        text.starts_with("Hogetsu, H8 I9 I7   2 of White's 4 fourth moves lose, 0 of the 2 in the middle"),
        "{text}"
    );
    assert!(text.contains(" 15  x ") && text.contains(" 31 ") && text.contains("2 positions"), "{text}");
    let text = output(folder.path(), &["--book", "example.book", "--format", "json"], 0);
    let line: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(line["positions"], 2);
    let opening = &line["openings"][0];
    assert_eq!(
        (&opening["stones"], &opening["open"]["G9"], &opening["open"]["H7"]),
        (&"H8I7/I9".into(), &31.into(), &Value::Null)
    );
    // The program's own book has both openings.
    let own = output(folder.path(), &["--opening", "kagetsu", "--out", "own.svg"], 0);
    assert!(own.starts_with("Kagetsu, H8 H9 I9"), "{own}");
    let svg = fs::read_to_string(folder.path().join("own.svg")).expect("a picture");
    assert!(svg.starts_with("<svg ") && svg.contains("<path "), "{svg}");
}

#[test]
fn what_cannot_be_done_is_said_in_a_line() {
    let folder = folder();
    fs::write(folder.path().join("cut.book"), &EXAMPLE[..60]).expect("a file");
    fs::write(folder.path().join("bad.work"), "won nothing 3\n").expect("a file");
    let check = |arguments: &[&str], message: &str| {
        let assert = agon(folder.path(), arguments).assert().code(2);
        let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(text.contains(message), "{text}");
    };
    check(&["--book", "cut.book"], "cannot read `cut.book`: the book is damaged");
    check(&["--book", "none.book", "--verify"], "cannot read `none.book`");
    check(&["--book", "example.book", "--opening", "kagetsu", "--out", "k.svg"], "does not have this opening");
    check(&["--book", "cut.book", "--grow"], "cannot read `cut.book`: the book is damaged");
    assert!(!folder.path().join("cut.book.work").exists(), "a refused book leaves no work file behind");
    check(&["--grow"], "--book");
    check(&["--practise"], "--book");
    check(&["--book", "example.book", "--time", "1s"], "--grow");
    fs::write(folder.path().join("short.txt"), "H8\nH9\n").expect("a file");
    check(&["--practise", "--book", "new.book", "--games", "short.txt"], "`short.txt` has no game of renju of three");
    check(&["--practise", "--book", "new.book", "--games", "none.sgf"], "cannot read `none.sgf`");
    check(&["--practise", "--book", "new.book", "--games", "none.db"], "`none.db`: `.db` is not a format of a game");
    assert!(!folder.path().join("new.book.work").exists(), "what is refused leaves nothing behind");
    check(
        &["--practise", "--book", "new.book", "--work", "bad.work"],
        "`won nothing 3` is not a position with its best moves",
    );
    check(&["--grow", "--book", "example.book", "--work", "bad.work"], "`won nothing 3` is nothing that");
    fs::write(folder.path().join("old.practised"), "kept").expect("a file");
    check(&["--practise", "--book", "old.practised"], "its work file `old.practised.work` is missing");
    assert_eq!(fs::read_to_string(folder.path().join("old.practised")).expect("the book"), "kept");
}

/// The example claims wins that cannot be proved.
#[test]
fn a_wrong_book_is_found_out() {
    let folder = folder();
    // The sum shows which one it should be.
    let spoilt = EXAMPLE.replace(" H6\n", " O1\n");
    fs::write(folder.path().join("spoilt.book"), &spoilt).expect("a file");
    let assert = agon(folder.path(), &["--book", "spoilt.book"]).assert().code(2);
    let message = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    let sum = message.split("sum ").nth(1).and_then(|rest| rest.split('`').next()).expect("the sum").to_owned();
    let body = &spoilt[..spoilt.rfind("sum ").expect("a sum")];
    fs::write(folder.path().join("spoilt.book"), format!("{body}sum {sum}\n")).expect("a file");
    let text = output(folder.path(), &["--book", "spoilt.book", "--verify", "--jobs", "1"], 1);
    assert!(text.starts_with("the book is wrong: no winning move is known in 15/"), "{text}");
    let text = output(folder.path(), &["--book", "spoilt.book", "--verify", "--format", "json"], 1);
    let line: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&line["proved"], &line["claims"]), (&false.into(), &2.into()));
}

/// A book is grown from nothing, from its own claims, and from a file that a kill cut off.
#[test]
fn growing_goes_on_where_it_was() {
    let folder = folder();
    let grow = |arguments: &[&str]| {
        let text = output(folder.path(), &[&["--grow", "--time", "0", "--format", "json"], arguments].concat(), 0);
        let line: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(line["openings"].as_array().map(Vec::len), Some(2), "{text}");
        line
    };
    let new = grow(&["--book", "new.book"]);
    assert_eq!((&new["openings"][1]["fourths"], &new["positions"]), (&223.into(), &0.into()));
    assert!(folder.path().join("new.book").exists() && folder.path().join("new.book.work").exists());
    grow(&["--book", "new.book", "--jobs", "2"]);
    let work = folder.path().join("cut.work");
    fs::write(&work, "open H8I7/I9 40000\nwon H8I7H6/I9 400").expect("a file");
    grow(&["--book", "example.book", "--work", "cut.work"]);
    assert_eq!(fs::read_to_string(&work).expect("a file"), "open H8I7/I9 40000\n");
}

/// Practice prints what it found, and resumes from its file, whose last line a kill may have cut off.
#[test]
fn practising_goes_on_where_it_was() {
    let folder = folder();
    let practise = |searches: &str| {
        let fixed = ["--practise", "--book", "new.book", "--nodes", "200", "--jobs", "1", "--format", "json"];
        let text = output(folder.path(), &[&fixed[..], &["--searches", searches]].concat(), 0);
        serde_json::from_str::<Value>(&text).expect("JSON")
    };
    let line = practise("20");
    assert_eq!((&line["searched"], line["black"].as_object().map(serde_json::Map::len)), (&20.into(), Some(2)));
    let work = folder.path().join("new.book.work");
    let first = fs::read_to_string(&work).expect("a file");
    assert_eq!(first.lines().count(), 20);
    fs::write(&work, format!("{first}H8I7/I9 G9:-2")).expect("a file");
    assert_eq!(practise("50")["searched"], 50);
    let second = fs::read_to_string(&work).expect("a file");
    assert!(second.starts_with(&first) && second.lines().count() == 50);
    let book = fs::read_to_string(folder.path().join("new.book")).expect("a file");
    assert!(book.starts_with("agon renju practised book 1\nmoves "), "{book}");
    // A game comes before what the searches would look at.
    fs::write(folder.path().join("game.txt"), "H8\nH9\nI9\nA1\nO15\n").expect("a file");
    let text = output(
        folder.path(),
        &[
            "--practise",
            "--book",
            "game.book",
            "--nodes",
            "200",
            "--jobs",
            "1",
            "--searches",
            "3",
            "--games",
            "game.txt",
        ],
        0,
    );
    let work = fs::read_to_string(folder.path().join("game.book.work")).expect("a file");
    let stones: Vec<&str> = work.lines().filter_map(|line| line.split(' ').next()).collect();
    // However the board is turned.
    assert_eq!(stones, ["H8I7/I8", "H8I7/A15I8", "H8I7O1/A15I8"], "{text}");
}

/// The champion plays by another book than its own when one is named.
#[test]
fn a_practised_book_is_played_by() {
    let folder = folder();
    // A move that nothing else would make, where the proved book has none: White in a corner after another third move.
    let moves = HashMap::from([(read_stones("H8J8/I9").expect("stones"), 0)]);
    fs::write(folder.path().join("mine.practised"), PractisedBook::new(moves).to_string()).expect("a file");
    let program = Path::new(assert_cmd::cargo::cargo_bin!("agon"));
    let gomocup = |arguments: &[&str]| {
        let mut command = std::process::Command::new(program);
        command.arg("gomocup").args(arguments).current_dir(folder.path());
        let mut brain = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a brain");
        let mut message = brain.stdin.take().expect("a pipe");
        message
            .write_all(b"START 15\nINFO rule 4\nINFO timeout_turn 300\nBOARD\n7,7,2\n8,6,1\n9,7,2\nDONE\n")
            .expect("message");
        let answers = BufReader::new(brain.stdout.take().expect("a pipe")).lines();
        let is_move = |line: &String| line.starts_with(|c: char| c.is_ascii_digit());
        let answer = answers.map(|line| line.expect("text")).find(is_move).expect("a move");
        message.write_all(b"END\n").expect("message");
        assert!(brain.wait().expect("its end").success());
        answer
    };
    let refused = |arguments: &[&str]| {
        let output = Command::new(program).arg("gomocup").args(arguments).current_dir(folder.path()).assert().code(2);
        String::from_utf8_lossy(&output.get_output().stderr).into_owned()
    };
    let corners = ["0,0", "0,14", "14,0", "14,14"];
    let by_mine = gomocup(&["--practised", "mine.practised"]);
    assert!(corners.contains(&by_mine.as_str()), "{by_mine}");
    let by_own = gomocup(&[]);
    assert!(!corners.contains(&by_own.as_str()), "{by_own}");
    assert!(refused(&["--practised", "none"]).contains("cannot read `none`"));
    assert!(refused(&["--practised", "mine.practised", "--engine", "classic"]).contains("--engine"));
}

/// Runs `agon book renju`: its exit code, output and errors.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> Ran {
    let output = agon(Path::new("."), arguments).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Ran { code: output.status.code().expect("a code"), out: text(output.stdout), err: text(output.stderr) }
}

/// The committed certificate proves the committed book; its beginning does not.
#[test]
fn the_certificate_proves_the_book() {
    let check = |path: &str| run(&["--verify", "--certificate", path]);
    let whole = check(CERTIFICATE);
    // It takes long enough to report its progress now and then.
    let all_said = whole.err.lines().all(|line| line.ends_with("positions checked"));
    assert!(whole.code == 0 && all_said, "{} {}", whole.err, whole.out);
    assert!(whole.out.contains("positions of the book are proved"), "{}", whole.out);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.proof");
    let bytes = fs::read(CERTIFICATE).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 8]).unwrap();
    let cut = check(path.to_str().unwrap());
    assert_eq!(cut.code, 1, "{}{}", cut.out, cut.err);
    assert!(cut.out.starts_with("the certificate is wrong: "), "{}", cut.out);
    // Anything that is not a certificate is bad input.
    let other = zstd::encode_all(&b"agon renju book 1\n"[..], 1).unwrap();
    for bytes in [&b"no zstd"[..], b"", &other] {
        fs::write(&path, bytes).unwrap();
        let refused = check(path.to_str().unwrap());
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
        assert!(
            refused.err.contains(
                "is not a certificate of a renju book: `agon book renju --certify --certificate FILE` writes one"
            ),
            "{}",
            refused.err
        );
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
    }
    let folder = check(folder.path().to_str().unwrap());
    assert!(folder.code == 2 && folder.err.contains("cannot read"), "{}", folder.err);
}

/// The status is of the work file, which a run may be writing; without one there is none.
#[test]
fn a_growing_book_says_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("renju.book");
    let book = book.to_str().unwrap();
    let none = run(&["--status", "--book", book]);
    assert_eq!((none.code, none.out.as_str()), (2, ""), "{}", none.err);
    let grown = run(&["--grow", "--book", book, "--searches", "50", "--jobs", "1"]);
    assert_eq!(grown.code, 0, "{}", grown.err);
    let status = run(&["--status", "--book", book, "--format", "json"]);
    let message: Value = serde_json::from_str(&status.out).unwrap();
    let mut searches = 0;
    for opening in message["openings"].as_array().unwrap() {
        let open = opening["open"].as_array().unwrap();
        searches += open.iter().map(|open| open["spent"]["searches"].as_u64().unwrap()).sum::<u64>();
        let others = opening["not_searched"].as_u64().unwrap() + opening["refuted"].as_u64().unwrap();
        assert_eq!(open.len() as u64 + others, 223, "{opening}");
        assert_eq!(opening["middle"], 118);
    }
    assert!(searches >= 100, "{message}");
    assert!(message["won"].as_u64() > Some(50) && message["won"].as_u64() <= message["searched"].as_u64(), "{message}");
    let text = run(&["--status", "--book", book]).out;
    assert!(text.contains("of White's 223 fourth moves lose") && text.contains("were not searched yet"), "{text}");
}
