//! The jail that programs and compilers run in.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use agon_jail::Level;
use agon_referee::record::Record;
use assert_cmd::Command;
use serde_json::{Value, json};

use crate::agon::run::{BINARY, Ran, agon, command, file, finish, folder, jail, text};

/// Answers READY and ends.
const BOT: &str = "read ready; echo OK";

/// A game of a program, and its record.
#[track_caller]
fn play(first: &str, more: &[&str]) -> (Ran, Record) {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    let words = ["play", "bacteria", "--first", first, "--format", "json", "--out", text(&record)];
    let ran = agon(&[&words[..], more].concat());
    (ran, Record::read(&fs::read_to_string(&record).unwrap()).unwrap())
}

#[test]
fn the_level_is_in_the_record() {
    let bot = format!("sh -c '{BOT}'");
    for level in ["none", jail().name()] {
        let (ran, record) = play(&bot, &["--jail", level]);
        assert_eq!(ran.json()["jail"], level);
        let notes = record.header.agents.each_ref().map(|agent| agent.jail.map(Level::name));
        assert_eq!(notes, [Some(level), None]);
        let folder = folder();
        let (record, page) = (file(&folder, "game.jsonl", &record.write()), folder.path().join("game.html"));
        let replayed = agon(&["replay", text(&record), "--format", "json", "--out", text(&page)]).json();
        assert_eq!((&replayed["jail"], &replayed["proved"]), (&json!(level), &json!(true)));
        assert!(fs::read_to_string(&page).unwrap().contains(&format!("jail {level}")));
        let shown = agon(&["replay", text(&record)]).out;
        assert!(shown.contains(&format!(" 1024 MiB, jail {level}\n")), "{shown}");
    }
    let (ran, record) = play("random", &[]);
    assert_eq!((&ran.json()["jail"], record.jail()), (&Value::Null, None));
}

#[test]
fn the_option_goes_before_the_environment() {
    let check = |variable: Option<&str>, option: &[&str], level: &str| {
        let bot = format!("sh -c '{BOT}'");
        let words = ["play", "bacteria", "--first", &bot, "--format", "json"];
        let mut run = command(&[&words[..], option].concat());
        match variable {
            Some(level) => run.env("AGON_JAIL", level),
            None => run.env_remove("AGON_JAIL"),
        };
        let ran = finish(&mut run);
        let result: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((ran.code, result["jail"].as_str()), (0, Some(level)), "{variable:?} {option:?}");
        // A weaker jail is reported unless it was requested.
        let message = usize::from(variable.is_none() && option.is_empty() && jail() != Level::Full);
        assert_eq!(ran.err.lines().count(), message, "{}", ran.err);
    };
    check(None, &[], jail().name());
    check(Some("none"), &[], "none");
    check(Some(jail().name()), &["--jail", "none"], "none");
}

#[test]
fn what_is_no_level_is_refused() {
    let check = |run: &mut Command, message: &str| {
        let ran = finish(run);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{message}");
        assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
    };
    let message = "invalid value 'strict' for '--jail <LEVEL>' [possible values: full, landlock, none]";
    check(&mut command(&["play", "bacteria", "--jail", "strict"]), message);
    check(command(&["petri", "score", "amoeba", "slime"]).env("AGON_JAIL", "strict"), message);
    check(&mut command(&["games", "--jail", "none"]), "unexpected argument '--jail'");
}

/// A run on a machine that gives no user namespaces; `None` where such a machine cannot be had.
fn without_namespaces(arguments: &[&str]) -> Option<Ran> {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$0\" \"$@\"";
    let mut run = Command::new("unshare");
    run.args(["--user", "--map-root-user", "sh", "-c", script, BINARY]).args(arguments);
    for (name, value) in crate::agon::run::environment() {
        match value {
            Some(value) if name != "AGON_JAIL" => run.env(name, value),
            _ => run.env_remove(name),
        };
    }
    let possible = Command::new("unshare").args(["--user", "--map-root-user", "sh", "-c", script, "true"]).ok().is_ok();
    possible.then(|| finish(&mut run))
}

#[test]
fn a_weaker_jail_is_said_once() {
    let folder = folder();
    let db = folder.path().join("games.db");
    let bot = format!("sh -c '{BOT}'");
    let Some(ran) = without_namespaces(&["play", "bacteria", "--first", &bot, "--format", "json"]) else { return };
    let level: Value = serde_json::from_str(&ran.out).unwrap();
    let level = level["jail"].as_str().unwrap().to_owned();
    let message = |level: &str| match level {
        "landlock" => "jail: programs run at level landlock, since level full does not work here: ",
        "none" => "jail: programs run with all your rights, since level full does not work here: ",
        other => panic!("{other} without namespaces"),
    };
    assert!(ran.err.starts_with(message(&level)) && ran.err.lines().count() == 1, "{}", ran.err);
    assert!(ran.err.ends_with(" (`agon doctor` has the remedy)\n"), "{}", ran.err);
    let words = ["match", &*bot, "random", "--game", "bacteria", "-n", "4", "--clock", "500ms", "--db", text(&db)];
    let ran = without_namespaces(&words).unwrap();
    assert_eq!(ran.err.lines().filter(|line| line.starts_with(message(&level))).count(), 1, "{}", ran.err);
    // Where nothing is run there is nothing to report, and a requested level is given or refused.
    let ran = without_namespaces(&["play", "bacteria", "--show", "none"]).unwrap();
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let ran = without_namespaces(&["play", "bacteria", "--first", &bot, "--jail", "none", "--show", "none"]).unwrap();
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let ran = without_namespaces(&["play", "bacteria", "--first", &bot, "--jail", "full"]).unwrap();
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 1), "{}", ran.err);
    assert!(ran.err.starts_with("error: --jail full does not work here: the jail cannot "), "{}", ran.err);
    let ran = without_namespaces(&["doctor", "--format", "json"]).unwrap();
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["jail"]["data"]["level"], level);
    assert_eq!(found["jail"]["data"]["obstacles"][0]["level"], "full");
    assert!(found["jail"]["remedy"].as_str().unwrap().contains("max_user_namespaces"), "{}", found["jail"]);
}

/// A program's error stream.
fn said(first: &str) -> String {
    play(first, &[]).1.result.stderr[0].clone()
}

#[test]
fn a_program_sees_its_own_folder_and_nothing_else_of_the_users() {
    if jail() != Level::Full {
        return;
    }
    let place = folder();
    let at = text(place.path());
    let look =
        format!("for f in '{at}' '{at}/bot' /tmp; do echo \"$f:\" $(ls -A \"$f\") >&2; done; read ready; echo OK\n");
    for name in ["bot/look.sh", "bot/part/net", "bot/agon.db", "other/bot.py", "secret"] {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, if name.ends_with("look.sh") { &*look } else { "SQLite format 3\0" }).unwrap();
    }
    // Its own /tmp is empty, except for the path to its folders if these are below the machine's.
    let root = fs::canonicalize(crate::agon::run::root()).unwrap();
    let below_tmp = |path: &Path| {
        let names = path.strip_prefix("/tmp").ok()?.iter().next()?;
        Some(format!(" {}", names.to_str().unwrap()))
    };
    let ways: BTreeSet<String> = [place.path(), &root].into_iter().filter_map(below_tmp).collect();
    let ways: String = ways.into_iter().collect();
    // It cannot see the store of games next to it.
    let seen = format!("{at}: bot\n{at}/bot: look.sh part\n/tmp:{ways}\n");
    assert_eq!(said(&format!("sh '{at}/bot/look.sh'")), seen);
    let home = said("sh -c 'echo $HOME $TMPDIR $(pwd) $(ls -A) >&2; read ready; echo OK'");
    assert_eq!(home.trim(), format!("/tmp {}", root.display()));
}

#[test]
fn nothing_that_a_program_writes_stays() {
    if jail() != Level::Full {
        return;
    }
    let place = folder();
    let script = "\
        for f in . /tmp /dev/shm \"$(dirname \"$0\")\"; do\n\
        [ -e \"$f/mark\" ] && echo found $f >&2\n\
        echo x > \"$f/mark\" && echo wrote $f >&2\n\
        done 2>&1 | grep -v 'cannot create' >&2\n\
        read ready; echo OK\n";
    let bot = file(&place, "write.sh", script);
    let commands = [format!("sh '{}'", text(&bot)), format!("env -C '{}' sh ./write.sh", text(place.path()))];
    for command in commands {
        for _ in 0..2 {
            let message = said(&command);
            assert!(message.contains("wrote /tmp\nwrote /dev/shm\n") && !message.contains("found"), "{message}");
        }
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    assert!(!Path::new("/tmp/mark").exists() && !crate::agon::run::root().join("mark").exists());
}

#[test]
fn a_compiler_reads_nothing_of_others_and_its_limits_are_shown() {
    let place = folder();
    let secret = file(&place, "secret.h", "#error the secret is known\n");
    let check = |name: &str, source: &str, message: &[&str], never: &str| {
        let bot = file(&place, name, source);
        let (ran, record) = play(text(&bot), &[]);
        let result = ran.uncompiled();
        let fault = result["faults"][0].as_str().unwrap_or_default();
        assert_eq!(result["verdicts"], json!(["CE", "OK"]), "{name}: {fault}");
        assert!(message.iter().any(|message| fault.contains(message)), "{name}: none of {message:?} in: {fault}");
        assert!(!fault.contains(never), "{name}: {fault}");
        assert_eq!(record.result.verdicts[0].reason_text(), Some(fault));
    };
    let include = format!("#include \"{}\"\nint main(void) {{}}\n", text(&secret));
    let embed = format!("__asm__(\".incbin \\\"{}\\\"\"); int main(void) {{}}\n", text(&secret));
    if jail() != Level::None {
        check("include.c", &include, &["No such file", "Permission denied"], "the secret is known");
        check(
            "embed.c",
            &embed,
            &["file not found", "can't open", "No such file", "Permission denied"],
            "secret is known",
        );
    }
    check("loop.c", "#include __FILE__\n", &["nested depth"], "did not finish");
    let giant = "char a[3000000000ull] = {1}; int main(void) { return a[5]; }\n";
    check("giant.c", giant, &["gcc wrote more than its limit (256 MiB)"], "No space left");
    let deep = "template<int N> struct A { static const long v = A<N + 1>::v; };\nint main() { return A<1>::v; }\n";
    check("deep.cpp", deep, &["template instantiation depth"], "internal");
    if crate::agon::run::is_slow() {
        // Half a minute of computing.
        let wide = "template<int N> struct A { static const long v = A<N * 2>::v + A<N * 2 + 1>::v; };\n\
            int main() { return A<1>::v; }\n";
        let limits = ["template instantiation depth", "did not finish within 30 s", "exceeded its memory limit"];
        check("wide.cpp", wide, &limits, "internal");
    }
}

#[test]
fn standard_streams_are_opened_by_their_names() {
    let place = folder();
    let bot = "import sys\nlines, out = open('/dev/stdin'), open('/dev/stdout', 'w')\nerr = open('/proc/self/fd/2', \
               'w')\nfor line in lines:\n    if line.startswith('READY'): print('OK', file=out, flush=True)\n    if \
               line.startswith('TURN'):\n        print('asked', file=err, flush=True)\n        print('MOVE -1 -1', \
               file=out, flush=True)\n    if line.startswith('FINISH'): break\n";
    let bot = file(&place, "bot.py", bot);
    for level in BTreeSet::from([Level::None.name(), jail().name()]) {
        let record = place.path().join("game.jsonl");
        let words = ["play", "domineering", "--size", "4", "--first", text(&bot), "--jail", level, "--show", "none"];
        let ran = agon(&[&words[..], &["--out", text(&record)]].concat());
        let record = Record::read(&fs::read_to_string(&record).unwrap()).unwrap();
        assert!(record.is_clean(), "{level}: {}", ran.out);
        assert!(record.entries.iter().any(|entry| entry.line == "MOVE -1 -1"), "{level}: {}", ran.out);
    }
}
