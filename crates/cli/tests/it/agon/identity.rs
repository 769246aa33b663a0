//! The identity of an agent's program: what is the same, and what begins a new series.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::agon::run::{Ran, agon, file, folder, quick_bot, text};

/// A match of two games with an agent of this text.
#[track_caller]
fn play(folder: &TempDir, agent: &str) -> Ran {
    let db = folder.path().join("games.db");
    let ran = agon(&["match", agent, "random", "--game", "domineering", "--size", "4", "-n", "2", "--db", text(&db)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

fn sample() -> String {
    quick_bot("domineering.py")
}

/// A changed file of an agent begins a new series, and the message names it.
#[track_caller]
fn check(agent: impl Fn(&Path) -> String, changed: &str) {
    let folder = folder();
    for name in ["engine", "nets"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("engine/engine.py"), sample()).unwrap();
    fs::write(folder.path().join("engine/run.sh"), "exec python3 \"$(dirname \"$0\")/engine.py\"\n").unwrap();
    fs::write(folder.path().join("nets/w.bin"), "1").unwrap();
    let agent = agent(folder.path());
    let first = play(&folder, &agent);
    assert!(first.err.is_empty() && first.out.contains("run 1 in "), "{}{}", first.err, first.out);
    let again = play(&folder, &agent);
    assert!(again.out.contains("(0 games played now)") && again.err.is_empty(), "{}{}", again.err, again.out);

    let path = folder.path().join(changed);
    let old = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{old}\n# rebuilt\n")).unwrap();
    let rebuilt = play(&folder, &agent);
    let said = format!("{changed}` has changed");
    assert!(
        rebuilt.err.contains("is another program than in run 1: ") && rebuilt.err.contains(&said),
        "{}",
        rebuilt.err
    );
    assert!(rebuilt.out.contains("run 2 in ") && rebuilt.out.contains("(2 games played now)"), "{}", rebuilt.out);
    let db = folder.path().join("games.db");
    let list = agon(&["results", "--list", "--db", text(&db)]).out;
    assert_eq!(list.matches("2 of 2 games").count(), 2, "{list}");
    let agents = agon(&["results", "--agents", "--db", text(&db)]).out;
    assert!(agents.contains(changed) && agents.contains("a part of Agon"), "{agents}");
    let json = agon(&["results", "--agents", "--db", text(&db), "--format", "json"]).json();
    let files = json["agents"][0]["identity"]["listed"].as_array().unwrap();
    assert!(files.iter().any(|file| file["path"].as_str().unwrap().ends_with(changed)), "{json}");

    // What existed before is found again.
    fs::write(&path, old).unwrap();
    assert!(play(&folder, &agent).out.contains("run 1 in "));
}

#[test]
fn a_rebuilt_engine_begins_a_new_series() {
    // The checkout's path may contain blanks.
    let at = |folder: &Path, name: &str| format!("'{}'", text(&folder.join(name)));
    check(|folder| format!("sh {}", at(folder, "engine/run.sh")), "engine/engine.py");
    check(|folder| format!("env -C {} sh ./run.sh", at(folder, "engine")), "engine/engine.py");
    check(
        |folder| format!("python3 {} --net={}", at(folder, "engine/engine.py"), at(folder, "nets/w.bin")),
        "nets/w.bin",
    );
    check(|folder| format!("python3 {} {}", at(folder, "engine/engine.py"), at(folder, "nets")), "nets/w.bin");
}

#[test]
fn what_a_series_writes_beside_its_agents_changes_nothing() {
    let folder = folder();
    let bot = file(&folder, "bot.py", &sample());
    let agent = format!("python3 '{}'", text(&bot));
    play(&folder, &agent);
    let (db, page) = (folder.path().join("games.db"), folder.path().join("report.html"));
    assert_eq!(agon(&["report", "--db", text(&db), "--out", text(&page)]).code, 0);
    let record = folder.path().join("game.jsonl");
    assert_eq!(agon(&["export", "--slot", "0", "--db", text(&db), "--out", text(&record)]).code, 0);
    let again = play(&folder, &agent);
    assert!(again.out.contains("(0 games played now)") && again.err.is_empty(), "{}{}", again.err, again.out);
}
