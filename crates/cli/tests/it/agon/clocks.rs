//! Time controls: what agents are sent, what records contain, and what other engines receive.

use std::path::Path;
use std::time::Duration;

use agon_game::Side;
use agon_referee::record::{Record, Way};

use crate::agon::play::record_of;
use crate::agon::run::{BINARY, agon, file, folder, root, shallow_sample, text, word};

/// Plays a game, proves its record by the command, and returns it.
#[track_caller]
fn played(arguments: &[&str]) -> Record {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let ran = agon(&[&["play", "--out", text(&path), "--show", "none", "--seed", "7"], arguments].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}: {}", ran.out);
    proved(&path);
    record_of(&path)
}

#[track_caller]
fn proved(path: &Path) {
    let ran = agon(&["replay", text(path), "--show", "none"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
}

/// The own times of the TURN lines to a side.
fn times(record: &Record, side: usize) -> Vec<u64> {
    let lines = record.entries.iter().filter(|entry| entry.way == Way::To && entry.side.index() == side);
    lines.filter_map(|entry| entry.line.strip_prefix("TURN ")?.split(' ').next()?.parse().ok()).collect()
}

const RANDOM: [&str; 6] = ["domineering", "--size", "4", "--first", "random", "--second"];

#[test]
fn agents_are_sent_the_true_time() {
    let first = |clock: &[&str]| times(&played(&[&RANDOM[..], &["random"], clock].concat()), 0);
    assert_eq!(first(&[])[0], 10_000);
    let long = first(&["--clock", "60s"]);
    assert!(long[0] == 60_000 && long.iter().all(|ms| (59_000..=60_000).contains(ms)), "{long:?}");
    // The increment is available as soon as a move is made.
    let added = first(&["--clock", "10+0.5"]);
    assert!(added[0] == 10_000 && added[1] > 10_400, "{added:?}");
    assert!(added.windows(2).all(|pair| pair[1] > pair[0] + 400), "{added:?}");
    let period = first(&["--clock", "2/5"]);
    assert!(period[0] == 5_000 && period[1] <= 5_000 && period[2] > 9_000, "{period:?}");
    for clock in [["--movetime", "700ms"], ["--clock", "700ms/move"]] {
        let each = first(&clock);
        assert!(each.len() > 2 && each.iter().all(|ms| *ms == 700), "{each:?}");
    }
}

#[test]
fn each_agent_may_have_its_own_clock() {
    let own =
        played(&[&RANDOM[..], &["random", "--clock", "30s", "--first-clock", "1m", "--second-clock", "5+1"]].concat());
    assert_eq!((times(&own, 0)[0], times(&own, 1)[0]), (60_000, 5_000));
    let named = played(&[&RANDOM[..], &["clock=20+1 random"]].concat());
    assert_eq!((times(&named, 0)[0], times(&named, 1)[0]), (10_000, 20_000));

    // In a series the clock stays with the agent, whatever seat it has.
    let folder = folder();
    let (database, games) = (folder.path().join("agon.db"), folder.path().join("games.jsonl"));
    let series = ["match", "random", "greedy", "--game", "domineering", "-n", "2", "--first-clock", "60+1"];
    let series = [&series[..], &["--db", text(&database)]].concat();
    assert_eq!(agon(&series).code, 0);
    let again = agon(&series);
    assert!(again.out.contains("(0 games played now)"), "{}", again.out);
    assert!(again.out.contains("\nrandom: clock 1m+1s\n") && !again.out.contains("greedy: clock"), "{}", again.out);
    let list = |format: &str| agon(&["results", "--list", "--format", format, "--db", text(&database)]);
    assert!(list("text").out.contains("; random: clock 1m+1s"), "{}", list("text").out);
    let settings = list("json").json()["settings"].clone();
    assert_eq!((&settings[0]["clock"], &settings[1]["clock"]), (&"1m+1s".into(), &"10s".into()));
    let result = agon(&["results", "--format", "json", "--db", text(&database)]).json();
    assert_eq!(result["agents"][0]["clock"], "1m+1s");
    for slot in ["0", "1"] {
        let ran = agon(&["export", "--slot", slot, "--db", text(&database), "--out", text(&games)]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        proved(&games);
        let record = record_of(&games);
        let greedy_first = record.header.agents[0].agent == "greedy";
        let sent = [times(&record, 0)[0], times(&record, 1)[0]];
        let expected = if greedy_first { [10_000, 60_000] } else { [60_000, 10_000] };
        assert_eq!(sent, expected, "{slot}");
    }
}

/// The processor time of each of the first agent's moves, which does not include what a busy machine does to the clock.
fn thinking_times(record: &Record) -> Vec<Duration> {
    let answers = record.entries.iter().filter(|entry| entry.way == Way::From && entry.side == Side::First);
    answers.filter_map(|entry| entry.moment).map(|moment| moment.cpu).collect()
}

#[test]
fn built_in_players_keep_to_every_clock() {
    let spent = |game: &str, player: &str, clock: &[&str]| {
        let spent = thinking_times(&played(&[&[game, "--first", player, "--second", "random"], clock].concat()));
        assert!(!spent.is_empty(), "{game} {clock:?}");
        spent
    };
    let (second, increment) = (Duration::from_secs(1), Duration::from_millis(50));
    let moves = spent("bacteria", "champion", &["--clock", "5+0.05"]);
    assert!(moves.iter().sum::<Duration>() <= 5 * second + increment * moves.len() as u32, "{moves:?}");
    let moves = spent("renju", "champion", &["--clock", "10/3"]);
    assert!(moves.chunks(10).all(|period| period.iter().sum::<Duration>() <= 3 * second), "{moves:?}");
    let moves = spent("domineering", "uct", &["--clock", "1s/move"]);
    assert!(moves.iter().all(|&time| time <= second), "{moves:?}");
    // A time for each move is used.
    let record = played(&["bacteria", "--first", "champion", "--second", "random", "--movetime", "500ms"]);
    let moves = thinking_times(&record);
    assert!(moves.iter().all(|&time| time <= second / 2), "{moves:?}");
    assert!(
        record.entries.iter().filter_map(|entry| entry.moment).any(|moment| moment.wall >= second / 5),
        "{moves:?}"
    );
    // With a fixed number of nodes every machine plays identically, whatever its clock.
    let moves = |clock: &str| {
        let record = played(&["bacteria", "--first", "nodes=500 champion", "--second", "random", "--clock", clock]);
        assert_eq!(record.header.agents[0].agent, "nodes=500 champion");
        record.entries.into_iter().filter(|entry| entry.way == Way::From).map(|entry| entry.line).collect::<Vec<_>>()
    };
    assert_eq!(moves("1m"), moves("1h"));
}

/// Another engine's error stream: the questions.
fn asked(protocol: &str, settings: &str, arguments: &[&str]) -> String {
    let script = root().join("crates/cli/tests/engines/engine.py");
    let agent = format!("{settings}{protocol}:python3 '{}' {protocol} well", script.display());
    let game = if protocol == "uai" { "bacteria" } else { "renju" };
    played(&[&[game, "--first", &agent, "--second", "random"], arguments].concat()).result.stderr[0].clone()
}

#[test]
fn engines_of_others_get_to_know_their_clock() {
    #[track_caller]
    fn check(protocol: &str, settings: &str, arguments: &[&str], line: &str) {
        let asked = asked(protocol, settings, arguments);
        assert!(asked.lines().any(|asked| asked.starts_with(line)), "`{line}` is not in: {asked}");
    }
    check("uai", "", &["--clock", "60s"], "go btime 59900 wtime 60000 binc 0 winc 0");
    check("uai", "", &["--clock", "60+0.5"], "go btime 59900 wtime 60000 binc 500 winc 500");
    check("uai", "", &["--clock", "40/60"], "go btime 59900 wtime 60000 binc 0 winc 0 movestogo 40");
    check("uai", "", &["--movetime", "5s"], "go movetime 4900");
    check("uai", "movetime=50ms ", &[], "go movetime 50");
    check("uai", "nodes=77 ", &[], "go nodes 77");
    check("uai", "depth=12 ", &[], "go depth 12");
    check("gomocup", "depth=12 ", &[], "INFO max_depth 12");
    check("uai", "", &["--nodes", "77", "--clock", "inf"], "go nodes 77");
    check("uai", "option.Hash=64 margin=1s ", &[], "setoption name Hash value 64");
    check("uai", "margin=1s ", &[], "go btime 9000 wtime 10000 binc 0 winc 0");
    check("gomocup", "", &["--clock", "60s"], "INFO time_left 59");
    check("gomocup", "", &["--movetime", "5s"], "INFO timeout_turn 4900");
    check("gomocup", "option.max_memory=1000000 ", &[], "INFO max_memory 1000000");
    check("gomocup", "nodes=9 ", &[], "INFO max_node 9");
}

#[test]
fn engines_may_load_long() {
    let folder = folder();
    let slow = file(
        &folder,
        "slow.py",
        "import sys, time
time.sleep(1)
for line in sys.stdin:
    word = line.split()[0]
    if word == 'READY': print('OK', flush=True)
    elif word == 'TURN': print('MOVE -1 -1', flush=True)
    elif word == 'FINISH': break
",
    );
    let play = |ready: &str| {
        let arguments = ["play", "domineering", "--first", text(&slow), "--second", "random", "--format", "json"];
        agon(&[&arguments[..], &["--ready", ready]].concat()).json()["verdicts"][0].clone()
    };
    assert_eq!((play("500ms"), play("1m")), ("TLE".into(), "OK".into()));
    let database = folder.path().join("agon.db");
    let series = |ready: &str| {
        let series = ["match", text(&slow), "random", "--game", "domineering", "-n", "2", "--ready", ready];
        agon(&[&series[..], &["--db", text(&database)]].concat())
    };
    let refused = series("500ms");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("no OK to READY within 500 ms; if it loads long, give it more time: --ready 10s"));
    assert_eq!(series("1m").code, 0);
}

#[test]
fn programs_that_stay_play_on() {
    let folder = folder();
    let database = folder.path().join("agon.db");
    let series = |game: &str, agent: &str| {
        let series = ["match", agent, "random", "--game", game, "-n", "6", "--stay", "--db", text(&database)];
        agon(&series)
    };
    // One that leaves at FINISH, as ALPHANO wants it, would lose every second game.
    let leaving = file(
        &folder,
        "leaving.py",
        "import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == 'READY': print('OK', flush=True)
    elif word == 'TURN': print('MOVE -1 -1', flush=True)
    elif word == 'FINISH': break
",
    );
    let refused = series("domineering", text(&leaving));
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
    assert!(refused.err.contains("does not stay for another game after FINISH"), "{}", refused.err);
    assert!(refused.err.contains("leave out --stay"), "{}", refused.err);
    let script = root().join("crates/cli/tests/engines/engine.py");
    let bridged = |protocol: &str| format!("{protocol}:python3 '{}' {protocol} well", script.display());
    let sample = |game: &str| text(&file(&folder, &format!("{game}.py"), &shallow_sample(game, "py"))).to_owned();
    for (game, agent) in [
        ("bacteria", bridged("uai")),
        ("renju", bridged("gomocup")),
        ("domineering", format!("{} agent domineering greedy", word(BINARY))),
        ("renju", format!("{} agent renju greedy", word(BINARY))),
        ("bacteria", sample("bacteria")),
        ("domineering", sample("domineering")),
        ("renju", sample("renju")),
    ] {
        let ran = series(game, &agent);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{agent}: {}", ran.out);
        let failed = agon(&["export", "--failed", "--db", text(&database)]);
        assert_eq!((failed.code, failed.out.as_str()), (0, ""), "{agent}");
    }
}

#[test]
fn clocks_that_mean_nothing_are_refused() {
    #[track_caller]
    fn check(arguments: &[&str], message: &str) {
        let ran = agon(&[&["play", "bacteria", "--first", "champion", "--show", "none"], arguments].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
    }
    check(&["--clock", "soon"], "a clock such as `10s`, `10+0.1`, `40/60` or `500ms/move` expected");
    check(&["--clock", "0+1"], "a time from 1ms to 24h expected");
    check(&["--clock", "5s", "--movetime", "1s"], "cannot be used with");
    check(&["--second", "clock=5s champion", "--second-clock", "1s"], "both set its clock: leave one out");
    check(&["--second", "nodes=5 greedy"], "greedy does not search");
    check(&["--second", "depth=5 champion"], "`depth=`: it is for engines behind `uai:` or `gomocup:`");
    check(&["--second", "depth=5 movetime=1s uai:sh"], "leave out nodes, movetime and margin");
    check(&["--second", "sh -c true", "--nodes", "5"], "it is for built-in players and engines behind `uai:`");
    let ran = agon(&["play", "petri", "--movetime", "1s"]);
    assert!(ran.err.contains("--movetime is for bacteria, domineering and renju, not for petri"), "{}", ran.err);
    let ran = agon(&["play", "bacteria", "--first", "greedy", "--second", "random", "--nodes", "5"]);
    assert!(ran.err.contains("--nodes: no agent here searches"), "{}", ran.err);
}
