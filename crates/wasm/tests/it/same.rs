//! Node counts, moves and proofs of the built file, in Node, against those of this program. `scripts/wasm --test`
//! builds the file and names it in `AGON_WASM`; without it there is nothing to compare.

use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agon_catalog::{Builtin, Game, Pace};
use agon_jobs::Stop;
use agon_wasm::{Machine, Message, answer, answer_file};
use serde_json::{Value, json};

/// What depends on the machine.
const TIMES: [&str; 2] = ["ms", "clocks"];

fn without_times(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| !TIMES.contains(&name.as_str()));
            fields.values_mut().for_each(|field| *field = without_times(field.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = without_times(item.take())),
        // JavaScript writes 2.0 as 2.
        Value::Number(number) => value = json!(number.as_f64()),
        _ => {}
    }
    value
}

/// All players of a game at all levels that look at no clock.
fn players(game: &str) -> Vec<String> {
    let game = Game::by_name(game).unwrap();
    let levels = |builtin: &Builtin| match builtin.levels() {
        None => vec![builtin.name.to_owned()],
        Some(highest) => (1..=highest).map(|level| format!("{}:{level}", builtin.name)).collect(),
    };
    let all = game.builtins.iter().flat_map(levels);
    // It proves as much as its time allows.
    let timed = |player: &String| {
        game.pace(player) == Some(Pace::Clock) || (game == Game::DOMINEERING && player == "champion:9")
    };
    all.filter(|player| !timed(player)).collect()
}

/// Requests whose answers depend on no clock.
fn requests() -> Vec<Value> {
    let mut all = vec![
        json!({ "do": "bench", "game": "renju", "depth": 4 }),
        json!({ "do": "bench", "game": "bacteria", "depth": 10 }),
        json!({ "do": "bench", "game": "chess", "depth": 1 }),
        json!({ "do": "games" }),
    ];
    let beginnings = [("bacteria", json!([])), ("renju", json!(["H8", "H9", "I9"])), ("domineering", json!([]))];
    for (game, moves) in &beginnings {
        all.push(json!({ "do": "files", "game": game }));
        all.push(json!({ "do": "position", "question": { "game": game, "moves": moves } }));
        all.push(json!({ "do": "puzzle-list", "game": game }));
        all.push(json!({ "do": "puzzle", "game": game, "number": 3 }));
        for player in players(game) {
            let question = json!({
                "game": game, "moves": moves, "seed": 7, "engine": player, "engine_seed": 1, "ms": 10_000,
            });
            all.push(json!({ "do": "move", "question": question }));
            all.push(json!({ "do": "move-nodes", "question": question }));
        }
    }
    for (game, moves) in [&beginnings[0], &beginnings[2]] {
        let question = json!({ "game": game, "moves": moves, "nodes": 60_000, "seconds": 3_600, "lines": 2 });
        all.push(json!({ "do": "analysis", "question": question }));
    }
    let dish = json!({ "first": "champion", "second": "coordinated", "seed": "3" });
    all.push(json!({ "do": "dish", "question": dish, "own": "your rule" }));
    all.push(json!({ "do": "known", "question": { "game": "renju", "moves": ["H8", "H9", "I9", "G9"] } }));
    all.push(json!({ "do": "position", "question": { "game": "renju", "moves": ["A1"] } }));
    all
}

/// The first puzzle of each game with the right move.
fn attempts() -> Vec<Value> {
    let of = |game: &str| {
        let found = native(&json!({ "do": "puzzle", "game": game, "number": 1 }));
        let puzzle = &found[0]["answer"];
        let attempt = json!({
            "game": game, "kind": puzzle["kind"], "position": puzzle["position"], "moves": [puzzle["solution"][0]],
        });
        json!({ "do": "puzzle-move", "attempt": attempt })
    };
    ["bacteria", "renju", "domineering"].map(of).to_vec()
}

fn native(request: &Value) -> Vec<Value> {
    let machine = Machine { max_threads: 1, draw: &|| 0, stop: Stop::default() };
    messages(|send| answer(request.to_string().as_bytes(), &machine, send))
}

fn messages(answer: impl FnOnce(&mut dyn FnMut(Message))) -> Vec<Value> {
    let mut messages = Vec::new();
    answer(&mut |message| messages.push(without_times(serde_json::from_str(&message.json()).unwrap())));
    messages
}

/// The messages to each request, which in Node end with their time. `root` is where the files of engines are.
fn in_node(wasm: &Path, root: Option<&Path>, threads: usize, requests: &[Value]) -> Vec<Vec<Value>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut node = Command::new("node");
    node.arg(here.join("tests/it/ask.mjs")).arg(wasm).args(root);
    if threads > 1 {
        node.arg(threads.to_string());
    }
    let mut node = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node starts");
    let mut input = node.stdin.take().unwrap();
    let lines: String = requests.iter().map(|request| request.to_string() + "\n").collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = node.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "node: {}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut all = vec![Vec::new()];
    for line in text.lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        if message.get("ms").is_some() {
            all.push(Vec::new());
        } else {
            all.last_mut().unwrap().push(without_times(message));
        }
    }
    assert_eq!(all.pop(), Some(Vec::new()));
    all
}

/// The built file, if there is one.
fn built() -> Option<PathBuf> {
    let wasm = env::var_os("AGON_WASM").map(PathBuf::from);
    if wasm.is_none() {
        eprintln!("nothing to compare with: scripts/wasm --test builds it");
    }
    wasm
}

#[test]
fn every_engine_searches_the_same_nodes_as_a_native_one() {
    let Some(wasm) = built() else { return };
    let requests = [requests(), attempts()].concat();
    let wanted: Vec<_> = requests.iter().map(native).collect();
    // The build for several threads searches the same on one.
    for file in [Some(wasm.clone()), with_threads(&wasm)].into_iter().flatten() {
        let found = in_node(&file, Some(&root()), 1, &requests);
        assert_eq!(found.len(), requests.len());
        for ((request, found), wanted) in requests.iter().zip(&found).zip(&wanted) {
            assert_eq!(found, wanted, "{}: {request}", file.display());
        }
    }
}

/// The build for several threads, if there is one.
fn with_threads(wasm: &Path) -> Option<PathBuf> {
    let file = wasm.with_file_name("agon-threads.wasm");
    if !file.exists() {
        eprintln!("scripts/wasm had no compiler for threads: they are not tested");
    }
    Some(file).filter(|file| file.exists())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A helper fills the table, so that the search does not visit the nodes that it visits alone.
#[test]
fn threads_search_together() {
    let Some(wasm) = built().and_then(|wasm| with_threads(&wasm)) else { return };
    let asked = |game: &str, threads: usize| {
        let moves = if game == "renju" { json!(["H8", "H9", "I9"]) } else { json!([]) };
        let question =
            json!({ "game": game, "moves": moves, "nodes": 1_000_000, "seconds": 3_600, "threads": threads });
        json!({ "do": "analysis", "question": question })
    };
    let requests =
        [asked("bacteria", 1), asked("bacteria", 2), asked("renju", 1), asked("renju", 2), asked("renju", 3)];
    let found = in_node(&wasm, Some(&root()), 2, &requests);
    let [bacteria, bacteria_of_two, renju, renju_of_two, too_many] = &found[..] else { panic!("{found:?}") };
    for (alone, together) in [(bacteria, bacteria_of_two), (renju, renju_of_two)] {
        for events in [alone, together] {
            let deep = events.iter().any(|event| event["data"]["depth"].as_f64() > Some(4.0));
            assert!(deep, "{events:?}");
        }
        assert_ne!(alone, together);
    }
    let detail = too_many[0]["refused"]["detail"].as_str().unwrap();
    assert!(detail.starts_with("`threads` is 3; 1 to 2 expected"), "{detail}");
}

#[test]
fn files_of_games_are_read_and_written_as_natively() {
    let Some(wasm) = built() else { return };
    let sgf = "(;FF[4]GM[4]SZ[15]PB[Ada]C[a start];B[hh];W[hi](;B[ii])(;B[gi]C[or this]))";
    let read = |file: Value| json!({ "do": "read", "file": file });
    let write = |format: &str| {
        let question = json!({ "game": "renju", "moves": ["H8", "H9", "I9"] });
        json!({ "do": "write", "game": { "question": question, "names": ["Ada", "Bob"], "format": format } })
    };
    let requests = [
        read(json!({ "text": sgf, "all": true, "details": true })),
        // In the charset that it looks like.
        read(json!({ "base64": "KDtHTVs0XUNb7+7w7uTgXTtCW2hoXSk=", "name": "a.sgf", "all": true, "details": true })),
        read(json!({ "text": "Piskvorky 15x15, 11:11, 1\n8,8,0\n8,7,0\n-1", "game": "renju" })),
        read(json!({ "text": "b7 f7", "game": "bacteria" })),
        read(json!({ "text": "H8 H8", "game": "renju" })),
        write("sgf"),
        write("psq"),
        write("gif"),
    ];
    let found = in_node(&wasm.with_file_name("agon-files.wasm"), None, 1, &requests);
    assert_eq!(found.len(), requests.len());
    for (request, found) in requests.iter().zip(found) {
        assert_eq!(found, messages(|send| answer_file(request.to_string().as_bytes(), send)), "{request}");
    }
    // A record is what a referee proves.
    let record = read(json!({ "text": "{\"record\":2}" }));
    let refused = in_node(&wasm.with_file_name("agon-files.wasm"), None, 1, &[record]);
    assert!(refused[0][0]["refused"]["detail"].as_str().unwrap().contains("a record needs a server"), "{refused:?}");
}
