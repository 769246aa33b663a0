//! An agent's folder, arguments, environment, options and name.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use agon_referee::agent::quoted;
use serde_json::{Value, json};

use crate::agon::play::record_of;
use crate::agon::run::{agon, file, finish, folder, passing, root, text};

/// The result of a game of this agent.
#[track_caller]
fn played(agent: &str) -> Value {
    agon(&["play", "domineering", "--first", agent, "--second", "random", "--format", "json"]).json()
}

/// A file as a word of an agent.
fn word(path: &Path) -> String {
    quoted(text(path))
}

#[track_caller]
fn plays(agent: &str) {
    let result = played(agent);
    assert_eq!(result["verdicts"], json!(["OK", "OK"]), "{agent}: {result}");
}

#[test]
fn a_program_starts_in_its_folder() {
    let place = folder();
    let engine = place.path().join("engines/new");
    fs::create_dir_all(engine.join("sub")).unwrap();
    fs::write(engine.join("net.bin"), "x").unwrap();
    let program = engine.join("engine");
    fs::write(&program, passing("open('net.bin')")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    // The checkout's path may contain blanks.
    let dir = quoted(&format!("dir={}", text(&engine)));
    plays(&format!("{dir} {}", word(&program)));
    plays(&format!("{dir} ./engine"));
    plays(&format!("{} ./engine", quoted(&format!("dir={}/sub/..", text(&engine)))));
    plays(&format!("{dir} python3 engine"));
    // Without its folder it finds nothing, as before.
    assert_eq!(played(&word(&program))["verdicts"], json!(["RE", "OK"]));
    // A source bot, too, runs there.
    let source = file(&place, "bot.py", &passing("open('net.bin')"));
    plays(&format!("{dir} {}", word(&source)));
    // Its files there are gone afterwards.
    let writing = file(&place, "writing.py", &passing("open('mark', 'w').write('x')"));
    if crate::agon::run::jail() == agon_jail::Level::Full {
        plays(&format!("{dir} {}", word(&writing)));
        assert!(!engine.join("mark").exists());
    }
    // The folder is named from the current one.
    let mut run =
        crate::agon::run::command(&["play", "domineering", "--first", "dir=engines/new ./engine", "--format", "json"]);
    let result = finish(run.current_dir(place.path())).json();
    assert_eq!(result["verdicts"], json!(["OK", "OK"]), "{result}");
}

#[test]
fn a_source_bot_takes_arguments() {
    let place = folder();
    fs::create_dir(place.path().join("my bot")).unwrap();
    let check = |expected: &str| passing(&format!("if sys.argv[1:] != {expected}: sys.exit(str(sys.argv))"));
    let one = file(&place, "one.py", &check("['--depth', '3', 'a b']"));
    let agent = format!("{} --depth 3 'a b'", word(&one));
    plays(&agent);
    assert_eq!(played(&agent)["agents"][0], agent.as_str());
    plays(&format!("PYTHON3:{} --depth 3 'a b'", word(&one)));
    fs::write(place.path().join("my bot/main.py"), check("['x']")).unwrap();
    plays(&format!("'{}' x", text(&place.path().join("my bot"))));
    // A name with blanks that is there is one name.
    fs::write(place.path().join("my bot/main.py"), check("[]")).unwrap();
    plays(text(&place.path().join("my bot")));
    let c = file(
        &place,
        "two.c",
        "#include <stdio.h>
#include <string.h>
int main(int n, char **a) {
    char l[99];
    if (n != 2 || strcmp(a[1], \"-v\")) return 1;
    while (fgets(l, 99, stdin)) {
        if (*l == 'R') puts(\"OK\");
        if (*l == 'T') puts(\"MOVE -1 -1\");
        if (l[1] == 'I') break;
        fflush(stdout);
    }
    return 0;
}
",
    );
    plays(&format!("{} -v", word(&c)));
}

#[test]
fn a_program_has_variables_of_its_own() {
    let place = folder();
    let bot = file(&place, "bot.py", &passing("assert os.environ['A'] == 'x y' and os.environ['B'] == ''"));
    let agent = format!("'env.A=x y' env.B= {}", word(&bot));
    plays(&agent);
    assert_eq!(played(&agent)["agents"][0], format!("'env.A=x y' env.B= {}", text(&bot)));
    plays(&format!("'env.A=x y' env.B= python3 {}", word(&bot)));
    let clock = file(&place, "clock.py", &passing("assert os.environ['AGON_CLOCK'] == '10s+100ms'"));
    let agent = text(&clock);
    let arguments = ["play", "domineering", "--first", agent, "--second", "random", "--clock", "10+0.1"];
    assert_eq!(agon(&[&arguments[..], &["--format", "json"]].concat()).json()["verdicts"], json!(["OK", "OK"]));
}

#[test]
fn agents_may_have_names() {
    let place = folder();
    let database = place.path().join("agon.db");
    let series = ["match", "name=new nodes=300 champion", "name='the old one' greedy", "--game", "bacteria", "-n", "2"];
    let series = [&series[..], &["--db", text(&database)]].concat();
    let ran = agon(&series);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("new – the old one: "), "{}", ran.out);
    assert!(ran.out.contains("\nnew: nodes=300 champion\nthe old one: greedy\n"), "{}", ran.out);
    assert!(agon(&series).out.contains("(0 games played now)"));
    let list = agon(&["results", "--list", "--db", text(&database)]).out;
    assert!(list.contains("; new: nodes=300 champion; the old one: greedy"), "{list}");
    let record = place.path().join("game.jsonl");
    agon(&["export", "--slot", "0", "--db", text(&database), "--out", text(&record)]);
    let mut agents = record_of(&record).header.agents.map(|note| note.agent);
    agents.sort();
    assert_eq!(agents, ["greedy", "nodes=300 champion"]);
    let ran = agon(&["play", "bacteria", "--first", "name=mine greedy", "--show", "line"]);
    assert!(ran.out.contains("mine"), "{}", ran.out);
}

#[test]
fn words_may_stand_before_every_agent() {
    let place = folder();
    let database = place.path().join("agon.db");
    let script = root().join("crates/cli/tests/engines/engine.py");
    let engine = format!("uai:python3 '{}' uai well", script.display());
    let named = format!("name=new {engine}");
    let series = |each: &str| {
        let series = ["match", &named, &engine, "--game", "bacteria", "-n", "2", "--max-plies", "4", "--each", each];
        agon(&[&series[..], &["--db", text(&database)]].concat())
    };
    let ran = series("option.Hash=64 depth=3");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains(&format!("new – {engine}: ")), "{}", ran.out);
    let record = place.path().join("game.jsonl");
    agon(&["export", "--slot", "0", "--db", text(&database), "--out", text(&record)]);
    for agent in record_of(&record).header.agents {
        assert!(agent.agent.starts_with("option.Hash=64 depth=3 uai:"), "{}", agent.agent);
    }
    for (each, message) in [
        ("option.Hash=64 uai:./x", "`uai:./x` is not a word before an agent"),
        ("name=x", "put name= before each of them"),
        ("depth=0", "a number of plies from 1 to 1000 expected"),
    ] {
        let ran = series(each);
        assert!(ran.code == 2 && ran.err.contains(message), "{each}: {}", ran.err);
    }
}

#[test]
fn a_tournament_file_sets_agents_up() {
    let place = folder();
    let database = place.path().join("agon.db");
    let data = place.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("net.bin"), "x").unwrap();
    let bot = file(
        &place,
        "bot.py",
        &passing("open('net.bin'); assert os.environ['THREADS'] == '1' and sys.argv[1:] == ['--depth', '3']"),
    );
    let plan = format!(
        "game = 'domineering'\ngames = 2\nclock = '20+0.5'\nready = '10s'\n\
         [[agent]]\nagent = '{}'\nname = 'mine'\ndir = '{}'\nargs = ['--depth', 3]\nenv = {{ THREADS = 1 }}\n\
         clock = '1m'\n[[agent]]\nagent = 'champion'\nnodes = 100\n",
        text(&bot),
        text(&data)
    );
    let plan = file(&place, "plan.toml", &plan);
    let ran = agon(&["tournament", text(&plan), "--db", text(&database)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let failed = agon(&["export", "--failed", "--db", text(&database)]);
    assert_eq!((failed.code, failed.out.as_str()), (0, ""));
    let record = place.path().join("game.jsonl");
    agon(&["export", "--slot", "0", "--db", text(&database), "--out", text(&record)]);
    let header = record_of(&record).header;
    let expected = format!("{} env.THREADS=1 {} --depth 3", quoted(&format!("dir={}", text(&data))), word(&bot));
    let mut agents = header.agents.map(|note| note.agent);
    agents.sort();
    assert_eq!(agents, [expected.as_str(), "nodes=100 champion"]);
    assert_eq!((header.limits.ready_ms, header.limits.increment_ms), (10_000, 500));
    let own = header.limits.seat_clocks.into_iter().flatten().map(|clock| clock.to_string());
    assert_eq!(own.collect::<Vec<_>>(), ["1m"]);

    let engine = root().join("crates/cli/tests/engines/engine.py");
    let plan = format!(
        "game = 'bacteria'\ngames = 2\n[[agent]]\nagent = \"uai:python3 '{}' uai well\"\nname = 'e'\n\
         options = {{ Hash = 64, 'Clear Hash' = 'now' }}\nmovetime = '20ms'\n[[agent]]\nagent = 'random'\n",
        engine.display()
    );
    let plan = file(&place, "engines.toml", &plan);
    assert_eq!(agon(&["tournament", text(&plan), "--db", text(&database)]).code, 0);
    agon(&["export", "--slot", "0", "--db", text(&database), "--out", text(&record)]);
    let stderr = record_of(&record).result.stderr.concat();
    for line in ["setoption name Hash value 64", "setoption name Clear Hash value now", "go movetime 20"] {
        assert!(stderr.lines().any(|said| said == line), "`{line}` is not in: {stderr}");
    }
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    #[track_caller]
    fn check(agent: &str, message: &str) {
        let ran = agon(&["play", "bacteria", "--first", agent, "--second", "greedy"]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{agent}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
    }
    let place = folder();
    let bot = file(&place, "bot.py", "");
    check("dir=/none/such greedy", "`dir=/none/such`: there is no such folder");
    check("dir=. greedy", "`dir=`: it is for programs, not for a built-in player");
    check("env.A=1 greedy", "`env=`: it is for programs, not for a built-in player");
    check(&format!("option.Hash=1 {}", text(&bot)), "`option=`: it is for engines behind `uai:` or `gomocup:`");
    check(&format!("nodes=5 {}", text(&bot)), "`nodes=`: it is for built-in players and engines behind");
    check("nodes=5 movetime=1s uai:sh", "an engine that counts nodes looks at no time");
    check("env.AGON_SEED=5 sh -c true", "Agon sets it itself");
    check("threads=0 champion", "a number from 1 to 1024 expected");
    check("threads=2 champion:3", "`threads=2`: champion:3 plays on one thread: leave it out");
    check("threads=2 random", "random plays on one thread");
    check("threads=1024 champion", "threads at most");
    check("threads=2 uai:sh", "an engine gets `option.Threads=`");
    check("nodes=many champion", "a number from 1 to 1000000000000 expected");
    if crate::agon::run::jail() != agon_jail::Level::None {
        check("dir=/ sh -c true", "it holds more than a bot: name a folder of its own");
    }
    let plan = "game = 'bacteria'\n[[agent]]\nagent = 'greedy'\nargs = ['--x']\nenv = 5\n[[agent]]\nagent = 'random'\n\
                clock = 'soon'\n";
    let plan = file(&place, "plan.toml", plan);
    let ran = agon(&["tournament", text(&plan), "--dry-run"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    for line in [
        "agent 1: env: a table expected, as `env = { NAME = \"value\" }`",
        "agent 1: agent: `--x`: a built-in player takes no arguments",
        "agent 2: clock: a clock such as `10s`",
    ] {
        assert!(ran.err.contains(line), "`{line}` is not in: {}", ran.err);
    }
}

/// A built-in that searches on several threads plays with as many processors, and its games are kept under that name.
#[test]
fn a_built_in_searches_on_several_threads() {
    let place = folder();
    let database = place.path().join("a.db");
    let series = |more: &[&str]| {
        let named = ["match", "threads=2 nodes=300 champion", "greedy", "--game", "renju", "-n", "2", "--db"];
        agon(&[&named[..], &[text(&database)], more].concat())
    };
    let refused = series(&[]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
    let reason = "searches on 2 threads, but each agent has 1 processor: play with --processors 2";
    assert!(refused.err.contains(reason), "{}", refused.err);
    assert!(!database.exists(), "a series that cannot begin leaves no store behind");
    // A machine of one processor plays it all the same.
    let ran = series(&["--processors", "2", "--force"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("threads=2 nodes=300 champion"), "{}", ran.out);
}
