//! Bad input: one clear error, exit code 2, nothing on standard output.

use crate::agon::run::{agon, file, folder, text};

/// The refused command, and what the error must contain.
#[track_caller]
fn check(arguments: &[&str], message: &str) {
    let ran = agon(arguments);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
    assert_eq!((ran.err.matches("error: ").count(), ran.err.lines().count()), (1, 1), "{}", ran.err);
}

#[test]
fn a_wrong_command_line_is_named_in_a_line_with_its_remedy() {
    check(&["play"], "not provided: <GAME>; the games are bacteria, domineering, renju, petri; see `agon play --help`");
    check(
        &["pool", "list", "--pol", "x"],
        "unexpected argument '--pol' found; a similar argument exists: '--pool'; see",
    );
    let ran = agon(&["analyze", "renju", "--lines", "-1"]);
    assert!(ran.code == 2 && !ran.err.contains("to pass"), "{}", ran.err);
    // A command of commands without one shows them.
    let ran = agon(&["petri"]);
    assert!(ran.code == 2 && ran.err.contains("Usage: agon petri "), "{}", ran.err);
}

#[test]
fn unknown_names() {
    check(&["fight"], "unrecognized subcommand 'fight'");
    for command in
        [["play", "chess"].as_slice(), &["perft", "chess", "1"], &["inspect", "chess"], &["agent", "chess", "x"]]
    {
        check(command, "[possible values: bacteria, domineering, ");
    }
    check(&["play"], "<GAME>");
    for command in [&["play"] as &[&str], &["check", "bot.py"], &["sprt", "a.py", "b.py"]] {
        check(command, "; the games are bacteria, domineering, renju, petri");
    }
    check(&["agent", "renju", "noname"], "renju has no built-in player `noname`; it has random, greedy");
    check(&["agent", "domineering", "champion:0"], "`champion:0`: the levels of champion are 1 to 10");
    check(&["completions", "cmd"], "[possible values: bash, elvish, fish, powershell, zsh]");
}

#[test]
fn agents_that_are_none() {
    check(
        &["play", "bacteria", "--first", "noname"],
        "--first: no agent is named `noname`: it is not a built-in (random",
    );
    check(
        &["play", "renju", "--first", "champoin:3"],
        "no agent is named `champoin:3`; did you mean `champion:3`? (built-in: random, ",
    );
    let eleven = "`champion:11`: the levels of champion are 1 to 10";
    check(&["play", "domineering", "--first", "champion:11"], &format!("--first: {eleven}"));
    check(&["match", "champion", "champion:11", "--game", "domineering"], eleven);
    check(&["play", "bacteria", "--first", "greedy:1"], "--first: `greedy:1`: greedy has no levels");
    check(&["play", "bacteria", "--second", "none.cpp"], "--second: no such file: `none.cpp`");
    check(&["play", "bacteria", "--first", ""], "--first: no agent is named ``");
    check(&["play", "bacteria", "--first", "/"], "--first: cannot take the folder `/` as a bot: it has no source file");
    check(&["play", "bacteria", "--first", "Cargo.toml"], "not a source file that Agon knows (.c .cpp .py .java");
    check(&["play", "bacteria", "--first", "sh -c 'echo"], "has a quote that is not closed");
    check(&["play", "bacteria", "--first", "C20:none.c"], "cannot read `none.c`: No such file or directory");
}

#[test]
fn results_that_cannot_be_written_are_refused_before_the_work() {
    let folder = folder();
    let (bot, made) = (folder.path().join("started"), folder.path().join("deep/record"));
    let bot = format!("sh -c 'touch \"{}\"; exec false'", text(&bot));
    let play = |record: &str, message: &str| {
        check(&["play", "bacteria", "--first", &bot, "--second", "random", "--out", record], message);
        assert!(!folder.path().join("started").exists(), "the game was played before {record} was found unwritable");
    };
    play("/dev/null/x", "cannot make the folder `/dev/null` for the record; name another place: ");
    play("/proc/x", "cannot write the record `/proc/x`; name another place: ");
    play("/", "cannot write the record `/`; name another place: it is a folder");
    play(text(folder.path()), "it is a folder");
    let missing = folder.path().join("missing");
    let [record, missing] = [missing.with_extension("jsonl"), missing].map(|path| text(&path).to_owned());
    for (words, what) in [
        ("replay MISSING --out /proc/x.svg", "the picture `/proc/x.svg`"),
        ("replay MISSING --out /proc/x.html", "the page `/proc/x.html`"),
        ("convert MISSING /proc/x.sgf", "the game `/proc/x.sgf`"),
        ("book --opening hogetsu --book MISSING --out /proc/x.svg", "the picture `/proc/x.svg`"),
        ("book --grow --book /proc/x", "the book `/proc/x`"),
        ("book --practise --book RECORD --work /proc/x", "the searches `/proc/x`"),
        ("datagen bacteria --out /proc/x", "the positions `/proc/x`"),
        ("train bacteria --data MISSING --out /proc/x.net", "the network `/proc/x.net`"),
        ("train petri --out /proc/x.toml", "the policy `/proc/x.toml`"),
        ("tune renju --state /proc/x.json", "the state `/proc/x.json`"),
    ] {
        let words: Vec<String> =
            words.split(' ').map(|word| word.replace("MISSING", &missing).replace("RECORD", &record)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        check(&words, &format!("cannot write {what}; name another place: "));
    }
    // Neither key of a pair is left alone.
    let key = folder.path().join("key");
    std::fs::create_dir(key.with_extension("pub")).unwrap();
    check(&["key", "new", text(&key)], "cannot write the key `");
    assert!(!key.exists());
    for arguments in [["renju", "H8"], ["domineering", "-"]] {
        let [game, position] = arguments;
        let words = ["analyze", game, position, "--out", "/proc/x.svg"];
        let ran = crate::agon::run::agon_reading(
            &words,
            "{\"board\": [[1,2,0],[3,1,1]], \"occupied\": [], \"to_move\": \"H\"}\n",
        );
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert!(ran.err.contains("cannot write the picture `/proc/x.svg`; name another place: "), "{}", ran.err);
    }
    // A game that runs creates missing folders, and nothing is left of the attempt before it is over.
    let ran = agon(&["play", "bacteria", "--first", "none.cpp", "--out", text(&made)]);
    assert_eq!((ran.code, made.exists()), (2, false));
    let ran = agon(&["play", "bacteria", "--first", "random", "--second", "random", "--out", text(&made)]);
    assert_eq!((ran.code, made.is_file()), (0, true), "{}", ran.err);
    // All commands have one rule for folders.
    let place = |name: &str| folder.path().join(name);
    for (words, out) in [
        (vec!["replay", text(&made)], "pictures/of/end.svg"),
        (vec!["analyze", "renju", "H8"], "boards/renju.svg"),
        (vec!["book", "renju", "--opening", "hogetsu"], "openings/hogetsu.svg"),
    ] {
        let out = place(out);
        let ran = agon(&[&words[..], &["--out", text(&out)]].concat());
        assert_eq!((ran.code, out.is_file()), (0, true), "{words:?}: {}", ran.err);
    }
}

#[test]
fn numbers_out_of_range() {
    check(&["play", "bacteria", "--clock", "0"], "a time from 1ms to 24h expected");
    // A value below 0 is not an option.
    check(&["play", "bacteria", "--clock", "-5s"], "'--clock <CLOCK>': `-5s`: a time from 1ms to 24h expected");
    check(&["match", "a", "b", "--game", "renju", "--clock", "-1"], "`-1`: a time from 1ms to 24h expected");
    check(&["play", "bacteria", "--ready", "-5s"], "'-5s' for '--ready <TIME>': a time from 1ms to 24h expected");
    check(&["play", "bacteria", "--margin", "-50ms"], "a time from 0s to 24h expected");
    check(&["play", "bacteria", "--memory", "-5G"], "'--memory <MIB>': MiB expected, from 1 to 1048576");
    for (option, number, remedy) in [
        ("--clock", "10", "`10` has no unit: say `10s` or `10ms`"),
        ("--movetime", "500", "it has no unit: say `500s` or `500ms`"),
        ("--ready", "0.5", "it has no unit: say `0.5s`"),
    ] {
        check(&["play", "bacteria", option, number], remedy);
        check(&["match", "greedy", "random", "--game", "bacteria", option, number], remedy);
    }
    check(&["lab", "book", "renju", "--grow", "--book", "b", "--time", "60"], "say `60s` or `60ms`");
    check(&["analyze", "renju", "--time", "500"], "say `500s` or `500ms`");
    check(&["play", "bacteria", "--first", "clock=10 greedy"], "`10` has no unit: say `10s` or `10ms`");
    check(
        &["play", "bacteria", "--clock", "soon"],
        "invalid value 'soon' for '--clock <CLOCK>': a clock such as `10s`, `10+0.1`, `40/60` or `500ms/move` expected",
    );
    for command in [&["play", "bacteria"][..], &["match", "greedy", "random", "--game", "bacteria"]] {
        check(&[command, &["--second-clock", "soon"]].concat(), "invalid value 'soon' for '--second-clock <CLOCK>'");
    }
    check(&["play", "bacteria", "--time", "3"], "each player's time for a game is `--clock 10s`");
    let series = ["champion:1", "champion:2", "--game", "bacteria"];
    for (command, option, value, advice) in [
        ("match", "--tc", "10+0.1", "the clock of each agent is `--clock 10+0.1`"),
        ("sprt", "-tc", "10+0.1", "the clock of each agent is `--clock 10+0.1`"),
        ("match", "--rounds", "10", "games are counted: 10 rounds of two games are `-n 20`"),
        ("match", "-engine", "cmd=./new", "agents are arguments without an option: `uai:./new uai:./old`"),
        ("tournament", "-variant", "standard", "the game is `--game renju`"),
        ("tournament", "-maxmoves", "100", "plies are counted: `--max-plies 200`"),
    ] {
        check(&[&[command], &series[..], &[option, value]].concat(), advice);
    }
    check(
        &["play", "renju", "bot.py --depth 3", "greedy"],
        "agents are named by options here: `agon play renju --first 'bot.py --depth 3' --second greedy`",
    );
    check(&["match", "a", "b", "--game", "renju", "--time", "10s"], "unexpected argument '--time <VALUE>' found");
    check(&["play", "--game", "renju"], "the game comes first: `agon play GAME`");
    check(&["play", "bacteria", "--memory", "0"], "'--memory <MIB>': MiB expected, from 1 to 1048576");
    check(&["play", "bacteria", "--seed", "-1"], "invalid value '-1' for '--seed <N>': enter a whole number");
    check(&["play", "bacteria", "--seed", "x"], "invalid value 'x' for '--seed <N>': enter a whole number");
    check(&["match", "new.cpp", "--game", "renju"], "name a second agent");
    check(
        &["match", "a", "b", "c", "--game", "renju"],
        "unexpected argument 'c' found; `agon match` is between two agents; `agon tournament` plays more",
    );
    check(&["sprt", "a", "b", "c", "--game", "renju"], "`agon tournament` plays more");
    check(&["help", "chek"], "a similar subcommand exists: 'check'");
    check(&["play", "bacteria", "--pace", "1e9"], "'--pace <TIME>'");
    check(&["perft", "bacteria", "65"], "65 is not from 0 to 64");
    check(&["ask", "game.jsonl", "greedy", "--ply", "0"], "0 is not at least 1");
    check(&["perft", "bacteria", "0", "--divide"], "--divide needs a depth of at least 1");
}

#[test]
fn parameters_that_are_none() {
    check(&["play", "bacteria", "--set", "x=1"], "bacteria has no parameter `x`; it has opening");
    check(&["play", "renju", "--set", "rows=9"], "renju has no parameter `rows`");
    check(&["play", "domineering", "--set", "x=1"], "domineering has no parameter `x`; it has rows, columns, largest");
    check(&["play", "domineering", "--set", "rows=9"], "rows is `9`; 1 to 8 expected");
    check(&["play", "domineering", "--set", "rows=0"], "rows is `0`; 1 to 8 expected");
    check(&["play", "domineering", "--set", "rows"], "NAME=VALUE expected");
    check(&["play", "domineering", "--set", "bonus=1.3"], "bonus is `1.3`");
    check(&["play", "domineering", "--set", "rows=3", "--set", "rows=4"], "parameter `rows` is given twice");
    check(&["perft", "domineering", "2", "--set", "largest=100"], "largest is `100`; 0 to 99 expected");
    check(&["perft", "bacteria", "2", "--set", "x=1"], "bacteria has no parameter `x`");
}

#[test]
fn boards_that_are_none() {
    let folder = folder();
    let bad = |name: &str, content: &str, message: &str| {
        let path = file(&folder, name, content);
        check(&["play", "domineering", "--board", text(&path)], message);
    };
    bad("empty", "", "board is no board");
    bad("words", "one two\n", "row 1, column 1: `one` is not a whole number from 0 to 99");
    bad("ragged", "1 2\n1\n", "row 2");
    bad("wide", "1 2 3 4 5 6 7 8 9\n", "1 to 8");
    bad("large", "1 100\n", "100");
    check(&["play", "domineering", "--board", "none.txt"], "the board: cannot read `none.txt`");
    let good = file(&folder, "good", "1 2\n3 1\n");
    check(&["play", "bacteria", "--board", text(&good)], "bacteria has no parameter `board`");
    check(&["play", "domineering", "--board", text(&good), "--set", "board=1 1"], "parameter `board` is given twice");
    check(&["play", "domineering", "--board", text(&good), "--set", "rows=2"], "given together with `rows`");
}

#[test]
fn options_of_other_games() {
    let foreign = |words: &str, message: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        check(&words, &format!("{message}: leave it out"));
    };
    let [domineering, turns] = ["domineering", "bacteria, domineering and renju"];
    for option in ["boards 3", "seed 3", "goal win", "time 3s", "nodes 3"] {
        let message = format!("--{} is for {domineering}, not for", option.split(' ').next().unwrap());
        foreign(&format!("bench bacteria --depth 1 --{option}"), &format!("{message} bacteria"));
        foreign(&format!("bench renju --depth 1 --{option}"), &format!("{message} renju"));
    }
    foreign("bench bacteria --goal win --plies 3", "--goal is for domineering, not for bacteria");
    foreign("bench domineering --depth 3", "--depth is for bacteria and renju, not for domineering");
    foreign("bench domineering --set foo=1 --depth 3", "--depth is for bacteria and renju, not for domineering");
    foreign("bench domineering --set foo=1", "--set is for bacteria and renju, not for domineering");
    foreign("bench domineering --hash 5", "--hash is for bacteria and renju, not for domineering");
    foreign("solve renju --goal win", "--goal is for domineering, not for renju");
    foreign("solve domineering --mode vcf", "--mode is for renju, not for domineering");
    for option in ["--nodes 3", "--depth 3", "--lines 9", "--hash 9"] {
        let message = format!("{} is for bacteria and renju, not for domineering", option.split(' ').next().unwrap());
        foreign(&format!("analyze domineering none.json {option}"), &message);
    }
    foreign("analyze domineering none.json --threads 8", "--threads is for bacteria and renju, not for domineering");
    foreign("analyze bacteria --out x.svg --depth 1", "--out is for domineering and renju, not for bacteria");
    for option in ["--invocation 3s", "--check-stateless", "--check-stateless=9"] {
        let message = format!("{} is for petri, not for renju", option.split([' ', '=']).next().unwrap());
        foreign(&format!("play renju {option}"), &message);
    }
    for option in ["--clock 5s", "--freeze"] {
        let message = format!("{} is for {turns}, not for petri", option.split(' ').next().unwrap());
        foreign(&format!("play petri {option}"), &message);
        foreign(&format!("match amoeba slime --game petri {option}"), &message);
        foreign(&format!("tournament amoeba slime --game petri {option}"), &message);
    }
    foreign("sprt amoeba slime --game petri --openings 3", &format!("--openings is for {turns}, not for petri"));
    for command in ["play renju", "perft renju 2", "match greedy random --game renju"] {
        foreign(&format!("{command} --size 9"), "--size is for domineering and petri, not for renju");
    }
    foreign("match greedy random --game renju --invocation 3s", "--invocation is for petri, not for renju");
    foreign("agent renju greedy --loop", "--loop is for petri, not for renju");
    foreign("perft bacteria 1 --seed 3", "--seed is for domineering, not for bacteria");
}

#[test]
fn options_beside_a_tournament_file() {
    for option in [
        "--clock=5s",
        "--invocation=5s",
        "--memory=5",
        "--freeze",
        "--openings=5",
        "--openings-understood",
        "--seed=5",
        "--set=rows=3",
        "--stay",
        "--kind=swiss",
    ] {
        check(&["tournament", "none.toml", option], "--game <GAME>");
    }
}

#[test]
fn options_without_what_they_belong_to() {
    check(&["results", "1", "--list"], "'[RUN]' cannot be used with '--list'");
    check(&["book", "renju", "--jobs", "2"], "--verify|--certify");
    check(&["lab", "book", "renju", "--jobs", "2"], "--grow|--practise");
    check(&["replay", "none.jsonl", "--ply", "3", "--format", "json"], "--ply is for the picture of a position, --out");
    check(&["replay", "none.jsonl", "--out", "none.pdf"], "--out `none.pdf`: a file that ends in .svg");
    check(&["gomocup", "--practised", "none", "--seed", "3"], "cannot be used with");
    check(&["export", "--failed", "--slot", "3"], "cannot be used with");
    let kind = ["tournament", "greedy", "random", "--game", "renju", "--rounds", "3"];
    check(&kind, "--rounds is for --kind swiss: leave it out");
    let practised = ["datagen", "renju", "--out", "none", "--beginning", "practised", "--openings", "9"];
    check(&practised, "--beginning practised draws its own number of stones");
    check(&["duel", "renju", "champion", "champion", "--games", "3"], "an even number from 2 to 2000000 expected");
    check(&["tune", "renju", "--clock", "1s", "--nodes", "5"], "cannot be used with");
}

#[test]
fn positions_that_are_none() {
    check(&["perft", "bacteria", "2", "--position", "abc"], "`abc` is not a position of bacteria: expected 7 rows");
    check(&["perft", "bacteria", "2", "--position", ""], "`` is not a position of bacteria");
    check(&["perft", "renju", "2", "--position", "15/15"], "is not a position of renju: expected 15 rows, found 2");
    check(&["perft", "domineering", "2", "--position", "9"], "is not a position of domineering");
    let start = "x5o/7/7/7/7/7/o5x x 0 1";
    check(&["perft", "bacteria", "2", "--position", start, "--seed", "1"], "cannot be used with");
}

#[test]
fn files_that_are_none() {
    check(&["replay", "none.jsonl"], "cannot read `none.jsonl`: No such file or directory");
    check(&["replay", "."], "cannot read `.`: Is a directory");
    check(&["replay", "Cargo.toml"], "`Cargo.toml` is not a record of a game");
}

#[test]
fn json_stands_alone() {
    let message = "--format json prints the result and nothing else: leave out --show";
    check(&["play", "bacteria", "--format", "json", "--show", "board"], message);
    check(&["replay", "none.jsonl", "--format", "json", "--show", "line"], message);
    assert_eq!(agon(&["play", "bacteria", "--format", "json", "--show", "none"]).json()["game"], "bacteria");
}

#[test]
fn no_command_says_what_to_do_next() {
    let ran = agon(&[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("agon ") && ran.out.contains("`agon help` lists all commands"), "{}", ran.out);
    // A group of commands is none of them.
    let ran = agon(&["lab"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("Usage: agon lab"), "{}", ran.err);
}
