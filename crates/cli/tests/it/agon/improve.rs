//! Making a bot stronger: `agon tune` and `agon watch`; completions, and `agon` alone.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::agon::run::{BINARY, agon, command, environment, file, finish, folder, passing, quick_bot, root, text};

/// No wait takes so long unless something hangs.
const TIMEOUT: Duration = Duration::from_mins(5);

/// The bot of domineering, which plays its best move where the number LEVEL is above 5, else its worst.
fn bot() -> String {
    let sample = quick_bot("domineering.py");
    let value = "value = points(me, x, y) + prospects(me) - prospects(1 - me)";
    assert!(sample.contains(value) && sample.contains("import sys\n"));
    let good = "import sys\n\nGOOD = 1 if float(os.environ.get(\"LEVEL\", \"9\")) > 5 else -1\n";
    sample.replace(value, &value.replace("= ", "= GOOD * (").replace("(1 - me)", "(1 - me))")).replacen(
        "import sys\n",
        good,
        1,
    )
}

/// A run that continues until a signal ends it.
pub fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(BINARY);
    command.args(arguments).current_dir(root()).stdin(Stdio::null()).process_group(0);
    for (name, value) in environment() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

pub fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[track_caller]
fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn a_number_goes_where_the_program_wins() {
    let folder = folder();
    let bot = file(&folder, "bot.py", &bot());
    let [state, db, plot] = ["made/tune.json", "agon.db", "made/tune.svg"].map(|name| folder.path().join(name));
    let words = [
        "tune",
        text(&bot),
        "--game",
        "domineering",
        "--size",
        "5",
        "--param",
        "LEVEL=1..10:5",
        "-n",
        "16",
        "--test-games",
        "6",
        "--state",
        text(&state),
        "--db",
        text(&db),
        "--force",
    ];
    let json = |noted: &str| {
        let ran = agon(&[&words[..], &["--format", "json"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (1, noted), "{}", ran.out);
        serde_json::from_str::<Value>(&ran.out).unwrap()
    };
    let made = format!("note: made the folder `{}` for the state\n", text(state.parent().unwrap()));
    let found = json(&made);
    let tuned = &found["parameters"][0];
    assert!(tuned["tuned"].as_f64().unwrap() > 5.0 && tuned["start"] == 5.0, "{found}");
    assert_eq!((found["games"].as_u64(), found["history"].as_array().map(Vec::len)), (Some(16), Some(9)));
    assert!(found["agent"].as_str().unwrap().starts_with("env.LEVEL="), "{found}");
    assert!(found["test"]["llr"].as_f64().unwrap() > 0.0 && found["test"]["hypotheses"]["H1"].is_string(), "{found}");
    let svg = fs::read_to_string(&plot).unwrap();
    assert!(svg.contains(">LEVEL<") && svg.contains("16 games"), "{svg}");
    // The same command plays nothing, and finds the same.
    assert_eq!(json(""), found);
    let ran = agon(&words);
    assert!(ran.code == 1 && ran.out.contains("6 games are already played"), "{}{}", ran.out, ran.err);
    for part in ["parameter ", "LEVEL ", "after 16 games\n", "   games", "LLR +"] {
        assert!(ran.out.contains(part), "`{part}` is not in:\n{}", ran.out);
    }
    // Another run is not mistaken for this one.
    let other = agon(&[&words[..], &["--seed", "2"]].concat());
    assert!(
        other.code == 2 && other.err.contains("holds another run: name another file with --state"),
        "{}",
        other.err
    );
}

#[test]
fn a_number_that_no_program_reads_is_named() {
    let folder = folder();
    let bot = file(&folder, "bot.py", &bot());
    let state = folder.path().join("tune.json");
    let words = ["tune", text(&bot), "--game", "domineering", "--size", "4", "-n", "24", "--force"];
    let places = ["--test-games", "4", "--state", text(&state)];
    let ran = agon(&[&words[..], &places, &["--param", "NOPE=1..5:3"]].concat());
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let err = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    let way = "It is given `NOPE=3` in its environment; --pass args gives it `--NOPE=3`";
    for part in [
        "warning: `NOPE` stands in no file of ",
        "warning: in each of 10 pairs both games have the same moves, whatever the values: does the program",
        "none of 12 pairs of games was decided by the values: does the program read `NOPE`? ",
        way,
    ] {
        assert!(err.contains(part), "`{part}` is not in {err}");
    }
    assert_eq!(err.matches("whatever the values").count(), 1, "{err}");
    // Of several numbers the wrong one is named.
    let both = ["--param", "NOPE=1..5:3", "--param", "LEVEL=1..10:5", "--test-games", "0"];
    let state = folder.path().join("both.json");
    let ran = agon(&[&words[..], &both, &["--state", text(&state)]].concat());
    assert!(ran.err.contains("`NOPE` stands in no file") && !ran.err.contains("`LEVEL`"), "{}", ran.err);
}

#[test]
fn a_test_whose_games_are_all_alike_names_the_remedy() {
    let folder = folder();
    let turn = "test \"$LEVEL\" -gt 5 || exit 3; test $side = FIRST && echo MOVE 1 1 1 2 || echo MOVE 1 7 2 7";
    let moves = format!("READY) side=$rest; echo OK;; TURN) {turn};; FINISH) exit;;");
    let script = format!("while read word rest; do case $word in {moves} esac; done\n");
    let bot = format!("sh '{}'", text(&file(&folder, "bot.sh", &script)));
    let [state, db] = ["tune.json", "agon.db"].map(|name| folder.path().join(name));
    let numbers = ["--param", "LEVEL=1..10:5", "-n", "16", "--test-games", "8"];
    let places = ["--state", text(&state), "--db", text(&db), "--force"];
    let ran = agon(&[&["tune", &bot, "--game", "bacteria"], &numbers[..], &places].concat());
    let remedy = "no Elo: all 4 pairs are the same, which is too little evidence\n";
    assert!(ran.code == 1 && ran.out.contains(remedy), "{}{}", ran.out, ran.err);
    let end = format!(
        "else let a bot seed its random numbers from AGON_SEED\nreport   agon report --db {}\n",
        agon_referee::agent::quoted(text(&db))
    );
    assert!(ran.out.ends_with(&end), "{}", ran.out);
    assert!(ran.out.contains("Openings make games differ: --openings-understood, if "), "{}", ran.out);
    let early = "pairs repeat others, so the values will suit few games. Openings make games differ: ";
    assert_eq!(ran.err.matches(early).count(), 1, "{}", ran.err);
}

#[test]
fn a_program_that_reads_openings_is_tuned_with_them() {
    let folder = folder();
    let bot = file(&folder, "bot.py", &quick_bot("renju.py"));
    let words = ["tune", text(&bot), "--game", "renju", "--param", "CENTRE=1..9:5", "-n", "10", "--test-games", "0"];
    let run = |name: &str, more: &[&str]| {
        let state = folder.path().join(name);
        let ran = agon(&[&words[..], &["--state", text(&state), "--force"], more].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran.err
    };
    let (said, repeats) =
        ("it reads OPENING lines: each pair begins with an opening of its own", "pairs repeat others");
    let err = run("openings.json", &[]);
    assert!(err.contains(said) && !err.contains(repeats), "{err}");
    let err = run("start.json", &["--openings", "0"]);
    assert!(!err.contains(said) && err.contains(repeats), "{err}");
}

#[test]
fn a_killed_run_of_tuning_is_resumed() {
    let folder = folder();
    let bot = file(&folder, "bot.py", &bot());
    let state = folder.path().join("tune.json");
    let words = [
        "tune",
        text(&bot),
        "--game",
        "domineering",
        "--size",
        "4",
        "--param",
        "LEVEL=1..10:5",
        "-n",
        "4000",
        "--state",
        text(&state),
        "--force",
    ];
    let steps = || -> u64 {
        let text = fs::read_to_string(&state).unwrap_or_default();
        if text.is_empty() { 0 } else { serde_json::from_str::<Value>(&text).unwrap()["step"].as_u64().unwrap() }
    };
    let mut killed = start(&words);
    until("no step is made", || steps() >= 2);
    send(&killed, Signal::KILL);
    killed.wait().unwrap();
    let before = steps();
    let resumed = start(&words);
    until("it does not go on", || steps() > before);
    send(&resumed, Signal::INT);
    let output = resumed.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{out}{err}");
    assert!(err.contains("stopped: the same command resumes"), "{err}");
    assert!(out.contains("parameter ") && out.contains("tune.svg"), "{out}");
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let check = |words: &[&str], problem: &str| {
        let ran = agon(&[&["tune"], words, &["--game", "renju"]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert!(ran.err.contains(problem), "{}", ran.err);
    };
    check(&["greedy", "--param", "x=1..2"], "it is for programs, not for a built-in player");
    check(&["sh x"], "--param <NAME=LO..HI>");
    check(&["sh x", "--param", "x=2..1"], "the range 2..1 is empty");
    check(&["sh x", "--param", "x=1..2", "--param", "x=1..2"], "--param x: it is given twice");
    check(&["sh x {y}", "--param", "y=1..2", "--pass", "env"], "each parameter has its place");
    check(&["sh x", "--param", "x=1..2", "-n", "3"], "an even number");
    check(&["sh x", "--param", "x=1..2", "--test-games", "3"], "an even number expected, or 0");
    check(&["none.py", "--param", "x=1..2"], "no such file: `none.py`");
    check(&["sh x", "--param", "x=1..2", "--time", "3"], "unexpected argument '--time");
    // A program that fails its trial plays no game.
    check(&["sh -c 'exit 3'", "--param", "x=1..2"], "not ready to play");
}

/// The next line that a run writes.
#[track_caller]
fn next(out: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    line
}

#[test]
fn each_version_of_a_watched_program_has_a_line() {
    let folder = folder();
    let (db, bot_file) = (folder.path().join("agon.db"), folder.path().join("bot.py"));
    let bot = || passing("");
    fs::write(&bot_file, bot()).unwrap();
    let words = [
        "watch",
        text(&bot_file),
        "--against",
        "random",
        "--game",
        "domineering",
        "--size",
        "4",
        "-n",
        "4",
        "--db",
        text(&db),
        "--force",
    ];
    let mut child = start(&words);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let begun = next(&mut out);
    assert!(
        begun.starts_with("domineering: each version of ") && begun.contains(" plays 4 games against random"),
        "{begun}"
    );
    let first = next(&mut out);
    assert!(first.starts_with("version 1  ") && first.contains(" lost of 4 games: "), "{first}");
    fs::write(&bot_file, bot() + "\n# Better.\n").unwrap();
    let second = next(&mut out);
    assert!(second.starts_with("version 2  ") && second.contains(" % before), "), "{second}");
    fs::write(&bot_file, "def\n").unwrap();
    let broken = next(&mut out);
    assert!(broken.starts_with("not ready  ") && broken.contains("SyntaxError"), "{broken}");
    // A finding of the check keeps a version out of the match.
    fs::write(
        &bot_file,
        bot().replace("if word == 'READY'", "if line == 'READY SECOND\\n': sys.exit(3)\n    elif word == 'READY'"),
    )
    .unwrap();
    let unfit = next(&mut out);
    assert!(unfit.starts_with("not ready  plays second, against random") && unfit.contains("exit code 3"), "{unfit}");
    send(&child, Signal::INT);
    let (mut rest, mut err) = (String::new(), String::new());
    out.read_to_string(&mut rest).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), rest.as_str(), err.as_str()), (Some(0), "", ""));
    // The versions are recognised, by number and by result.
    fs::write(&bot_file, bot()).unwrap();
    let mut again = start(&words);
    let mut out = BufReader::new(again.stdout.take().unwrap());
    assert_eq!([next(&mut out), next(&mut out), next(&mut out)], [begun.clone(), first.clone(), second.clone()]);
    let shown = next(&mut out);
    assert_eq!(shown.get(..11), first.get(..11), "{shown}");
    send(&again, Signal::INT);
    assert_eq!(again.wait().unwrap().code(), Some(0));
    // The version that is there has one line.
    fs::write(&bot_file, bot() + "\n# Better.\n").unwrap();
    let mut again = start(&words);
    let mut out = BufReader::new(again.stdout.take().unwrap());
    assert_eq!(next(&mut out), begun);
    let both = [next(&mut out), next(&mut out)];
    assert_eq!(both.each_ref().map(|line| line.get(..11)), [first.get(..11), second.get(..11)]);
    fs::write(&bot_file, "def\n").unwrap();
    let broken = next(&mut out);
    assert!(broken.starts_with("not ready  "), "{broken}");
    send(&again, Signal::INT);
    assert_eq!(again.wait().unwrap().code(), Some(0));
}

#[test]
fn watching_a_program_whose_games_repeat_others_shows_the_remedy() {
    let folder = folder();
    let sample = quick_bot("renju.py");
    let (bot, old) = (file(&folder, "bot.py", &sample), file(&folder, "old.py", &(sample + "# Old.\n")));
    let db = folder.path().join("agon.db");
    let places = ["--against", text(&old), "--db", text(&db), "--force"];
    let mut child = start(&[&["watch", text(&bot), "--game", "renju", "-n", "4"], &places[..]].concat());
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let [_, version, remedy] = [next(&mut out), next(&mut out), next(&mut out)];
    assert!(version.contains(" of 4 games: ") && version.contains("2 of them copies of others"), "{version}");
    assert!(remedy.starts_with("Openings make games differ: --openings-understood"), "{remedy}");
    send(&child, Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let check = |words: &[&str], problem: &str| {
        let ran = agon(&[&["watch"], words, &["--game", "renju"]].concat());
        assert!(ran.code == 2 && ran.err.contains(problem), "{}{}", ran.out, ran.err);
    };
    check(&["bot.py"], "--against <AGENT>");
    check(&["bot.py", "--against", "none.py"], "--against: no such file: `none.py`");
    check(&["bot.py", "--against", "greedy", "--source", "none"], "--source `none`");
}

#[test]
fn agon_alone_says_what_to_do_next() {
    let folder = folder();
    let alone = |path: &Path| {
        let ran = finish(command(&[]).current_dir(path));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        ran.out
    };
    let empty = alone(folder.path());
    assert!(empty.starts_with("No bots in this folder yet.\n") && empty.contains("agon games"), "{empty}");
    let game = folder.path().join("game.jsonl");
    agon(&["play", "bacteria", "--first", "random", "--second", "random", "--out", text(&game)]);
    file(&folder, "bacteria.py", &bot());
    let full = alone(folder.path());
    for part in [
        "agon check bacteria.py --game bacteria",
        "agon play bacteria --first bacteria.py",
        "agon replay game.jsonl",
        "agon explain game.jsonl",
        "agon ask game.jsonl bacteria.py",
        "`agon help` lists all commands",
    ] {
        assert!(full.contains(part), "`{part}` is not in:\n{full}");
    }
}

/// The completions for the last of these words.
fn offered(words: &[&str]) -> String {
    let ran = finish(command(&[&["--", "agon"], words].concat()).env("AGON_COMPLETE", "fish"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

#[test]
fn a_shell_offers_built_in_players_with_what_they_are() {
    let check = |words: &[&str], expected: &[&str]| {
        let found = offered(words);
        for line in expected {
            assert!(found.lines().any(|found| found == *line), "`{line}` is not in:\n{found}");
        }
    };
    let greedy = "greedy\tmost cells after the opponent's best reply";
    check(&["match", "--game", "bacteria", "gr"], &[greedy]);
    check(&["play", "bacteria", "--second", ""], &[greedy, "champion\ta deep search"]);
    check(&["play", ""], &["bacteria", "renju"]);
    check(&["pla"], &["play\tReferee one game between two agents"]);
    check(&["match", "LICEN"], &["LICENSE"]);
    assert_eq!(offered(&["match", "READ"]), "", "a text is no agent");
    let levels = offered(&["play", "renju", "--first", "champion:1"]);
    assert!(levels.contains("champion:1\t") && levels.contains("champion:10\t"), "{levels}");
    let unknown = finish(command(&["--", "agon", ""]).env("AGON_COMPLETE", "cmd"));
    assert!(unknown.code == 2 && unknown.err.contains("unknown shell `cmd`"), "{}", unknown.err);
}
